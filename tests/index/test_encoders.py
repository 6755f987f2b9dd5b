"""Trained encoders from local folders: identity, probes, refusal, recorded queries, replay without torch."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest

import mosaic_env  # noqa: F401
from mosaic_env.core.errors import EncoderError
from mosaic_env.envs.episode import write_episodes
from mosaic_env.index.build import RouteEncoders
from mosaic_env.index.encoders import check_identity, load_encoder, probes
from mosaic_env.snapshot.manifest import read_manifest
from mosaic_env.snapshot.opened import Snapshot
from tests.index.encoder_folders import MINILM_WEIGHTS, minilm, needs_encoders, tiny_clip
from tests.snapshot import small

pytestmark = [pytest.mark.encoders]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("encoders")
    minilm(root / "minilm")
    tiny_clip(root / "clip")
    return root


@needs_encoders
def test_the_wheel_carries_the_weights_the_study_used(folders: Path) -> None:
    weights = (folders / "minilm" / "model.safetensors").read_bytes()
    assert hashlib.sha256(weights).hexdigest() == MINILM_WEIGHTS


@needs_encoders
@pytest.mark.parametrize("spec", ["sentence-transformers:minilm", "open-clip:clip"])
def test_vectors_do_not_depend_on_company(folders: Path, spec: str) -> None:
    """Public reports sentence-transformers#2312 and #3197: the same text, another batch, another vector."""
    kind, _, name = spec.partition(":")
    encoder = load_encoder(f"{kind}:{folders / name}")
    alone = encoder.encode_texts(["test test"])
    company = encoder.encode_texts([*(f"another text {n}" for n in range(20)), "test test"])
    assert alone.tobytes() == company[-1:].tobytes()
    assert alone.dtype == np.float32 and abs(float(np.linalg.norm(alone)) - 1) < 1e-5
    assert encoder.encode_texts([]).shape == (0, encoder.dimensions)
    assert encoder.encode_texts(["\ud800 \0 漢字", ""]).shape == (2, encoder.dimensions)


@needs_encoders
def test_another_activation_is_another_encoder(folders: Path, tmp_path: Path) -> None:
    """Public report open_clip#771: same weights, other activation, silently other vectors."""
    encoder = load_encoder(f"open-clip:{folders / 'clip'}")
    record = {"encoder": dict(encoder.identity()), "probes": probes(encoder, pictures=True)}
    check_identity(encoder, record, pictures=True)
    other = load_encoder(f"open-clip:{tiny_clip(tmp_path / 'other', quick_gelu=True)}")
    with pytest.raises(EncoderError, match="ME-ENC-02"):
        check_identity(other, record, pictures=True)
    lying = {**record, "encoder": dict(other.identity())}
    with pytest.raises(EncoderError, match="probe vectors differ"):
        check_identity(other, lying, pictures=True)


@needs_encoders
def test_folders_that_may_run_code_are_refused(folders: Path, tmp_path: Path) -> None:
    """Public reports sentence-transformers#3801, #3804, #3683."""
    marker = tmp_path / "marker"
    evil = minilm(tmp_path / "evil")
    (evil / "modules.json").write_text(
        json.dumps([{"idx": 0, "name": "0", "path": "", "type": "evil.Module"}])
    )
    with pytest.raises(EncoderError, match="would run code"):
        load_encoder(f"sentence-transformers:{evil}")
    (evil / "evil.py").write_text(f"open({str(marker)!r}, 'w')")
    with pytest.raises(EncoderError, match="may run code"):
        load_encoder(f"sentence-transformers:{evil}")
    for spec in ("open-clip:nowhere", "nokind:x", "open-clip"):
        with pytest.raises(Exception, match=r"ME-(ENC-01|REGISTRY-01)"):
            load_encoder(spec)
    assert not marker.exists()


@needs_encoders
def test_recorded_queries_replay_without_torch(folders: Path, tmp_path: Path) -> None:
    text = load_encoder(f"sentence-transformers:{folders / 'minilm'}")
    clip = load_encoder(f"open-clip:{folders / 'clip'}")
    snapshot = tmp_path / "snapshot"
    small.build(snapshot, encoders=RouteEncoders(text, clip, clip))
    routes = read_manifest(snapshot).sections["index"].detail["routes"]
    assert {name: route["kind"] for name, route in routes.items()} == dict.fromkeys(
        ("text", "image", "text_to_image"), "vectors"
    )
    specs = {"text": f"sentence-transformers:{folders / 'minilm'}"}
    specs |= dict.fromkeys(("image", "text_to_image"), f"open-clip:{folders / 'clip'}")
    env = gym.make("InterLV-L2-v0", snapshot=str(snapshot), encoders=specs, memory="none", interactions=9)
    env.reset(seed=0)
    for action in (
        '<tool name="local_text_search_with_image">{"query": "the album by Marrow"}</tool>',
        '<tool name="local_text_to_image_search">{"query": "a blue square"}</tool>',
        '<clip>{"image": "kb_1", "bbox": [0, 0, 700, 700]}</clip>'
        '<tool name="local_image_search">{"image": "kb_1_crop"}</tool>',
        '<tool name="local_image_search">{"image": "kb_1"}</tool>',
        "<done>blue</done>",
    ):  # fmt: skip
        observation, _, _, _, info = env.step(action)
        assert all(call["status"] == "ok" for call in info["calls"]), observation["text"]
    episode = env.unwrapped.episode
    assert len(episode.vectors) == 3  # two texts and the crop; the stored picture needs none
    write_episodes(tmp_path / "episode.jsonl", [episode])

    blocked = tmp_path / "blocked"
    for package in ("torch", "open_clip", "sentence_transformers"):
        (blocked / package).mkdir(parents=True)
        (blocked / package / "__init__.py").write_text("raise ImportError('not installed')")
    code = "import sys; from mosaic_env.cli import main; sys.exit(main(sys.argv[1:]))"
    env_vars = {**os.environ, "PYTHONPATH": os.pathsep.join([str(blocked), *sys.path])}
    command = [
        sys.executable,
        "-c",
        code,
        "replay",
        str(tmp_path / "episode.jsonl"),
        "--snapshot",
        str(snapshot),
    ]
    done = subprocess.run(command, env=env_vars, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 of 1 episodes are the same to the byte" in done.stdout


@needs_encoders
def test_a_missing_vector_or_encoder_is_told_not_replaced(folders: Path, tmp_path: Path) -> None:
    text = load_encoder(f"sentence-transformers:{folders / 'minilm'}")
    small.build(tmp_path / "s", encoders=RouteEncoders(text=text))
    env = gym.make("InterLV-L1-v0", snapshot=str(tmp_path / "s"))
    env.reset(seed=0)
    info = env.step("<query>anything</query>")[4]
    assert info["calls"][0]["code"] == "encoder_missing" and info["failure"] == {
        "kind": "encoder_missing",
        "by": "env",
    }
    with pytest.raises(EncoderError, match="ME-ENC-03"):
        from mosaic_env.core.types import Search
        from mosaic_env.index.world import open_world

        open_world(Snapshot(tmp_path / "s").public).search([Search("text", "anything", 3)])
