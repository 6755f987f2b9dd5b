"""Recall at 5 on the 5,000 queries made from the real knowledge base, one snapshot, one setting."""

from __future__ import annotations

import gzip
import json

import pytest

from mosaic_env.core.types import Search
from mosaic_env.index.world import World, open_world
from mosaic_env.record.build import BuildInputs, build_snapshot
from mosaic_env.snapshot.opened import Snapshot
from tests.shared_data import KGDB, QUERIES, TRIPLES, needs_shared

pytestmark = [pytest.mark.shared, needs_shared]

#: Recall at 5 of any relevant entity.
BARS = {"label": 0.997, "typo": 0.97, "description": 0.99, "label+description": 0.999, "relation": 0.85}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    folder = tmp_path_factory.mktemp("real") / "snapshot"
    build_snapshot(BuildInputs(KGDB, TRIPLES), folder)
    return open_world(Snapshot(folder).public)


@pytest.mark.parametrize("corpus", ["closed", "paper"])
def test_recall(world: World, corpus: str) -> None:
    with gzip.open(QUERIES, "rt", encoding="utf-8") as lines:
        queries = [json.loads(line) for line in lines]
    found: dict[str, list[bool]] = {kind: [] for kind in BARS}
    for query in queries:
        hits = world.search([Search("text", query["query"], 5, facts=corpus == "closed")])[0]
        keys = {world.kb.keys[row] for row in hits.rows}
        found[query["kind"]].append(bool(keys & set(query["relevant"])))
    recall = {kind: sum(hits) / len(hits) for kind, hits in found.items()}
    print(f"\n{corpus}: " + ", ".join(f"{kind} {value:.4f}" for kind, value in recall.items()))
    bars = BARS if corpus == "closed" else {kind: bar for kind, bar in BARS.items() if kind != "relation"}
    assert all(len(hits) == 1000 for hits in found.values())
    assert not {kind: recall[kind] for kind, bar in bars.items() if recall[kind] < bar}
