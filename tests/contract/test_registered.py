"""Everything that is registered goes through the check kits: tools, environments, task sources, encoders."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import tests.envs.toy  # noqa: F401 - registers its sources
from mosaic_env.core.errors import SnapshotError
from mosaic_env.envs.catalogue import CATALOGUE
from mosaic_env.index.encoders import load_encoder
from mosaic_env.index.world import World, open_world
from mosaic_env.snapshot.locate import find_snapshot
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.tasks.open import open_source
from mosaic_env.tasks.snapshot_tasks import set_names
from mosaic_env.tasks.source import SOURCES, SourceContext
from mosaic_env.testing import check_encoder, check_mosaic_env, check_task_source, check_tool
from mosaic_env.tools.base import load_builtin
from tests.index.encoder_folders import minilm, needs_encoders, tiny_clip

LEVELS = ("interlv-l1", "interlv-l2")
EXAMPLES: dict[str, list[dict[str, Any]]] = {
    "local_text_search": [{"query": "Velden"}, {"query": "city", "top_k": 2, "max_text_chars": 5}],
    "local_text_search_with_image": [{"query": "Velden", "top_k": 3}],
    "local_text_to_image_search": [{"query": "Velden"}],
    "local_image_search": [{"image": "kb_1"}, {"image": "kb_2", "exclude_self": True, "top_k": 1}],
    "image_crop": [
        {"image": "kb_1", "bbox": [0, 0, 500, 500]},
        {"image": "kb_1", "bbox": [0, 0, 9, 9], "coords": "pixel"},
    ],
    "view_image": [{"image": "kb_1"}],
    "list_images": [{}],
    "python_eval": [{"code": "x = 2\nprint(x)\nx + 1"}],
    "local_graph_neighbors": [{"entity": "e_1"}, {"entity": "kb_1", "limit": 1}],
}  # fmt: skip


@pytest.fixture(scope="module", params=["tiny", "bundled"])
def snapshot(request: pytest.FixtureRequest, tiny: Path) -> Path:
    """The tiny snapshot, and the bundled one where it exists."""
    if request.param == "tiny":
        return tiny
    try:
        return find_snapshot("bundled")
    except SnapshotError:
        pytest.skip("the bundled snapshot is not built yet")


@pytest.fixture(scope="module")
def world(snapshot: Path) -> World:
    """The snapshot's world."""
    return open_world(Snapshot(snapshot).public)


@pytest.mark.parametrize("name", list(load_builtin()))
def test_tool(name: str, world: World) -> None:
    done = check_tool(name, world, EXAMPLES.get(name, ()))
    assert f"examples ({len(EXAMPLES.get(name, ()))} given)" in done and "no state between calls" in done


@pytest.mark.parametrize("options", [{}, {"preset": "repo"}, {"max_total": 3, "corpus": "closed"}], ids=str)
@pytest.mark.parametrize("env_id", [entry.id for entry in CATALOGUE if entry.family in LEVELS])
def test_environment(env_id: str, options: dict[str, Any], snapshot: Path) -> None:
    done = check_mosaic_env(gym.make(env_id, snapshot=str(snapshot), **options))
    assert len(done) == 12 and any(line.startswith("hostile actions (") for line in done)


@pytest.mark.parametrize("level", LEVELS)
def test_stored_tasks(level: str, snapshot: Path) -> None:
    context = SourceContext(Snapshot(snapshot), level)
    for name in set_names(context.snapshot):
        assert len(check_task_source(open_source(name, context))) == 6


def registered() -> Iterator[Any]:
    """Yield the registered sources."""
    for name in SOURCES:
        yield pytest.param(name)


@pytest.mark.parametrize("name", list(registered()))
def test_registered_source(name: str, tiny: Path) -> None:
    folder = find_snapshot("bundled") if name == "generated" else tiny  # it needs what only a world knows
    assert check_task_source(open_source(name, SourceContext(Snapshot(folder), "interlv-l1")))


@pytest.mark.encoders
@needs_encoders
@pytest.mark.parametrize("kind", [pytest.param("sentence-transformers", marks=pytest.mark.slow), "open-clip"])
def test_encoder(kind: str, tmp_path: Path) -> None:
    folder = tiny_clip(tmp_path / "clip") if kind == "open-clip" else minilm(tmp_path / "minilm")
    assert "texts: alone and in company" in check_encoder(load_encoder(f"{kind}:{folder}"))
