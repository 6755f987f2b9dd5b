"""Size: pictures drawn by processes, in order and a few at a time; the same bytes however they are made."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from mosaic_env.core.errors import ConfigError
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.world import drawn as drawing
from mosaic_env.world.config import WorldConfig
from mosaic_env.world.generate import make_world
from mosaic_env.world.make import build_world
from mosaic_env.world.pictures import PICTURES
from mosaic_env.world.scene import About, Scene
from tests.world.processes import in_processes

#: A world's snapshot id, drawn by one worker in the first process and by two in the second.
_BUILD = (
    "import os, pathlib, tempfile\n"
    "from mosaic_env.world.config import WorldConfig; from mosaic_env.world.make import build_world\n"
    "workers = 1 if os.environ['PYTHONHASHSEED'] == '1' else 2\n"
    "folder = pathlib.Path(tempfile.mkdtemp()) / 'w'\n"
    "print(build_world(WorldConfig(200, 11), folder, workers=workers).id)"
)
_LARGEST = (
    "import resource; from mosaic_env.world.config import WorldConfig\n"
    "from mosaic_env.world.generate import make_world; w = make_world(WorldConfig(200_000, 7))\n"
    "print(len({e.key for e in w.entities}), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 4 * 2**20)"
)


@pytest.fixture(scope="module")
def flags() -> dict[str, dict[str, Any]]:
    kind = PICTURES.get("flag")
    return {f"M{i:03}": kind.sample(Random(i), About(f"L{i}", "country")) for i in range(16)}


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch, flags: Mapping[str, Scene]) -> Iterator[list[Scene]]:
    """Give every scene one and the same small picture; the list holds the scenes drawn so far."""
    data, seen = drawing.draw(flags["M000"]), []

    def fake(scene: Scene) -> bytes:
        seen.append(scene)
        return data

    monkeypatch.setattr(drawing, "draw", fake)
    yield seen


def test_processes_draw_what_this_process_draws_in_order(
    flags: dict[str, Scene], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "_FEW", 10)
    monkeypatch.setattr(drawing, "_CHUNK", 3)
    here, there = dict(drawing.drawn(flags, 1)), dict(drawing.drawn(flags, 2))
    assert list(there) == list(here) == list(flags) and there == here


def test_few_pictures_are_held_at_a_time(flags: dict[str, Scene], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "_CHUNK", 2)
    taken: list[Scene] = []

    def counted() -> Iterator[Scene]:
        for _ in range(40):
            for scene in flags.values():
                taken.append(scene)
                yield scene

    pictures = drawing._in_processes(counted(), 1)
    assert len(list(islice(pictures, 4))) == 4
    assert len(taken) <= (drawing._WAITING + 2) * 2 < 40 * len(flags)
    pictures.close()


def test_one_worker_draws_when_asked(flags: dict[str, Scene], plain: list[Scene]) -> None:
    pictures = drawing.drawn(flags, 1)
    assert not plain
    next(iter(pictures))
    assert len(plain) == 1


def test_no_worker_is_one_clear_error(flags: dict[str, Scene], tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="0 workers"):
        drawing.drawn(flags, 0)
    with pytest.raises(ConfigError, match="0 workers"):
        build_world(WorldConfig(60), tmp_path / "w", workers=0)
    assert not (tmp_path / "w").exists()


def test_a_paper_world_is_published_too(tmp_path: Path, plain: list[Scene]) -> None:
    manifest = build_world(WorldConfig(60, 3, "paper"), tmp_path / "w", workers=1)
    assert manifest.world == "mosaic-60-3-paper" and manifest.sources[0]["text"] == "paper"
    kb = Snapshot(tmp_path / "w").public.kb
    assert len(kb.keys) == 60 and not any(kb.texts) and all(kb.descriptions)
    assert len(plain) == len(set(kb.pictures)) and manifest.sections["tasks"].counts["interlv-l1 in all"] > 10


def test_flaws_are_in_gold_only(tmp_path: Path, plain: list[Scene]) -> None:
    build_world(WorldConfig(100, 3), tmp_path / "w", workers=1)
    snapshot = Snapshot(tmp_path / "w")
    golds = snapshot.private.golds()
    made = make_world(WorldConfig(100, 3))
    wrong = {key for key, scene in made.scenes.items() if scene.get("flaw") == "mislabelled"}
    assert wrong and not wrong & {gold.target for gold in golds.values()}
    public = [path for path in (tmp_path / "w" / "sections").iterdir() if "private" not in path.name]
    assert public and not [path for path in public if b"mislabelled" in path.read_bytes()]


def test_sizes_in_between_are_what_was_asked_for() -> None:
    for size in (60, 77, 100, 1003, 4001):
        world = make_world(WorldConfig(size, 1))
        assert len(world.entities) == len({entity.key for entity in world.entities}) == size
        assert len(world.scenes) <= round(0.85 * size) and len(world.scenes) >= 0.8 * size
        assert json.dumps(world.scenes)


@pytest.mark.slow
def test_hash_seed_locale_and_workers_do_not_change_the_snapshot() -> None:
    first, second = in_processes(_BUILD)
    assert first == second and first.startswith("sha256:")


@pytest.mark.slow
def test_the_largest_world_fits_in_four_gigabytes() -> None:
    first, second = in_processes(_LARGEST)
    assert first == second == "200000 True"
