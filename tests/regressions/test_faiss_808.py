"""faiss#808, #1985, pyserini#1255: among equal scores, the order of results depended on k."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mosaic_env.core.types import Search
from mosaic_env.index.world import World, open_world
from mosaic_env.record.build import BuildInputs, build_snapshot
from mosaic_env.snapshot.opened import Snapshot
from tests.snapshot.small import picture_of

SIZE = 24


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Entities that all have the same name, description and picture."""
    folder: Path = tmp_path_factory.mktemp("twins")
    (folder / "images").mkdir()
    keys = [f"Q{number}" for number in range(1, SIZE + 1)]
    text = "label: Twin ; what is it: the same as all ; description: the same as all"
    (folder / "kb.jsonl").write_text("".join(json.dumps({"qid": key, "text": text}) + "\n" for key in keys))
    for key in keys:
        (folder / "images" / f"{key}.png").write_bytes(picture_of("Q1"))
    build_snapshot(
        BuildInputs(folder / "kb.jsonl", images=folder / "images", world="twins"), folder / "snapshot"
    )
    return open_world(Snapshot(folder / "snapshot").public)


@pytest.mark.parametrize("route", ["text", "text_to_image", "image"])
def test_fewer_results_are_the_first_of_more(twins: World, route: str) -> None:
    query = twins.kb.pictures[0].picture if route == "image" else "twin"
    whole = twins.search([Search(route, query, SIZE)])[0]  # type: ignore[arg-type]
    assert whole.rows == tuple(range(SIZE)) and len(set(whole.scores)) == 1  # ties by key
    searches = [Search(route, query, k) for k in range(1, SIZE + 10)]  # type: ignore[arg-type]
    for search, hits in zip(searches, twins.search(searches), strict=True):
        assert hits.rows == whole.rows[: search.k] == twins.search([search])[0].rows
