"""The real knowledge base with triples and tasks builds in under 60 s and 1.5 GB, twice to one id."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import gymnasium as gym
import pytest

import mosaic_env  # noqa: F401
from mosaic_env.core.errors import TaskError
from mosaic_env.snapshot.manifest import read_manifest
from mosaic_env.snapshot.opened import Snapshot
from tests.shared_data import KGDB, PASSWORD, TRIPLES, level_file, needs_shared
from tests.snapshot.small import picture_of

pytestmark = [pytest.mark.shared, needs_shared]

MAX_SECONDS = 60.0
MAX_BYTES = 1.5 * 2**30


def build(out: Path, *extra: str, env: dict[str, str] | None = None) -> tuple[str, str, float, float]:
    """Build by the command line; return (id, output, seconds, peak bytes of the largest child so far)."""
    command = [
        sys.executable,
        "-m",
        "mosaic_env.cli",
        "snapshot",
        "build",
        "--kgdb",
        str(KGDB),
        "--triples",
        str(TRIPLES),
    ]
    command += [
        "--tasks",
        *(str(level_file(n)) for n in (1, 2, 3)),
        "--password",
        PASSWORD,
        "--out",
        str(out),
        *extra,
    ]
    start = time.monotonic()
    done = subprocess.run(command, env={**os.environ, **(env or {})}, capture_output=True, text=True)
    seconds = time.monotonic() - start
    assert done.returncode == 0, done.stderr
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    return read_manifest(out).id, done.stdout, seconds, peak


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("real")
    first, output, seconds, peak = build(folder / "one")
    assert seconds < MAX_SECONDS and peak < MAX_BYTES, (seconds, peak)
    env = {"PYTHONHASHSEED": "1", "OMP_NUM_THREADS": "1", "LC_ALL": "C"}
    second, _, seconds, _ = build(folder / "two", env=env)
    assert first == second
    print(f"\nbuilt in {seconds:.1f} s, peak {peak / 2**20:.0f} MiB, id {first}")
    return folder / "one", output


def test_info_shows_what_is_playable(real: tuple[Path, str]) -> None:
    _, output = real
    lines = {
        line.split()[0]: line.split()[-3::2] for line in output.splitlines() if line.startswith("interlv-l")
    }
    assert lines["interlv-l1"] == ["0", "650"] and lines["interlv-l2"] == ["0", "150"]


def test_every_anomaly_reads_right(real: tuple[Path, str]) -> None:
    """The counts of the facts sheet, section 2.1."""
    counts = read_manifest(real[0]).report["counts"]
    assert counts["entities"] == 14_943 and counts["entities with a picture path"] == 12_373
    assert counts["empty description"] == 9 and counts["label is the key"] == 34
    assert counts["separator inside a field"] == 6 + 3
    assert counts["triples"] == 42_576 and counts["triples read"] == 42_746
    kb = Snapshot(real[0]).public.kb
    assert kb.labels[kb.rows["Q1032540"]] == "Canal;"
    assert kb.descriptions[kb.rows["Q1000001"]] == "album by Limp Bizkit"
    assert kb.labels[kb.rows["Q312434"]] == "" and kb.descriptions[kb.rows["Q10279810"]] == ""
    assert not any(kb.texts)
    for key in ("Q16244024", "Q3360652", "Q4633281", "Q4783914", "Q6830784", "Q7786261"):
        row = kb.rows[key]
        assert " ; " in kb.labels[row] + kb.descriptions[row]
        assert "what is it" not in kb.labels[row] + kb.descriptions[row]


@pytest.mark.parametrize("env_id", ["InterLV-L1-v0", "InterLV-L2-v0"])
def test_playing_without_pictures_is_one_clear_error(real: tuple[Path, str], env_id: str) -> None:
    with pytest.raises(TaskError) as caught:
        gym.make(env_id, snapshot=str(real[0]), tasks="official")
    text = str(caught.value)
    assert (
        "\n" not in text
        and text.endswith("[ME-TASK-04]")
        and "--images" in text
        and "no picture of the target" in text
    )


def test_with_pictures_of_ten_targets_those_ten_are_played(tmp_path: Path) -> None:
    from mosaic_env.tasks.interlv import read_levels

    pairs = read_levels(level_file(1), password=PASSWORD)
    targets = sorted({gold.target for _, gold in pairs})[:10]
    images = tmp_path / "images"
    images.mkdir()
    for target in targets:
        (images / f"{target}.png").write_bytes(picture_of(target))
    (images / "notes.txt").write_text("not a picture")
    build(tmp_path / "snapshot", "--images", str(images))
    env = gym.make("InterLV-L1-v0", snapshot=str(tmp_path / "snapshot"), tasks="official")
    wanted = sorted(task.key for task, gold in pairs if gold.target in targets)
    assert list(env.unwrapped.task_keys) == wanted and len(wanted) == 10
    for key in wanted:
        observation, _ = env.reset(options={"task_id": key})
        assert observation["text"].startswith("Question: ")
        _, _, terminated, _, info = env.step("<done>nothing like it</done>")
        assert terminated and info["task"] == key
    counts = read_manifest(tmp_path / "snapshot").report["counts"]
    assert counts["entities with a picture"] == 10 and counts["files that belong to no entity"] == 1
