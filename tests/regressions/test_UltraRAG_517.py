"""UltraRAG#517, llama_index#9882: with fewer documents than k, the padding -1 returned the last document."""

from __future__ import annotations

from pathlib import Path

import pytest

from mosaic_env.index.world import World, open_world
from mosaic_env.snapshot.opened import Snapshot
from tests.snapshot import small
from tests.tools.calling import Caller, labels


@pytest.fixture(scope="module", params=[1, 2])
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> World:
    """A world of eight entities, one or two of which have a picture; the last has none."""
    folder: Path = tmp_path_factory.mktemp("few") / "snapshot"
    small.build(folder, pictured=("Q1", "Q3")[: request.param])
    return open_world(Snapshot(folder).public)


@pytest.mark.parametrize("top_k", [1, 2, 5, 50])
def test_nothing_is_padded(world: World, top_k: int) -> None:
    caller, count = Caller(world), len(world.kb.pictures)
    caller.show("Q1")
    for exclude in (False, True):
        found = caller("local_image_search", image="kb_1", top_k=top_k, exclude_self=exclude)
        assert found.data is not None
        expected = min(top_k, count - exclude)
        assert len(found.ranked) == len(found.data["results"]) == expected
        assert len(set(found.ranked)) == expected and "Pilot" not in labels(found.data)
    pictured = caller.data("local_text_to_image_search", query="album city film television", top_k=top_k)
    assert len(pictured["results"]) <= min(top_k, count) and "Pilot" not in labels(pictured)
    rows = labels(caller.data("local_text_search", query="Velden", top_k=50))
    assert len(rows) == len(set(rows)) and "Pilot" not in rows
