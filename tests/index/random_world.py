"""A text index over random labels from few words: many ties, many near-duplicates."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

from mosaic_env.index.build import write_index
from mosaic_env.index.textual import TextIndex
from mosaic_env.index.world import open_world
from mosaic_env.snapshot.kb import Entity, KnowledgeBase, Relation, kb_rows
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.snapshot.writer import SnapshotWriter

WORDS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"]


def random_index(size: int, seed: int) -> TextIndex:
    """Return the text index of a random world; every third row counts as pictured."""
    draw = random.Random(seed)
    entities = [
        Entity(
            f"R{n:05d}",
            " ".join(draw.choices(WORDS, k=draw.randint(1, 3))),
            " ".join(draw.choices(WORDS, k=2)),
        )
        for n in range(size)
    ]
    keys = [entity.key for entity in entities]
    triples = sorted({(draw.choice(keys), "P1", draw.choice(keys)) for _ in range(size * 2)})
    index = index_of(entities, triples)
    index._pictured = index._all[::3]
    index._hidden = index._all % 3 != 0
    return index


def index_of(entities: Sequence[Entity], triples: Sequence[tuple[str, str, str]] = ()) -> TextIndex:
    """Return the text index of some entities, whose only relation is P1."""
    with tempfile.TemporaryDirectory() as folder:
        writer = SnapshotWriter(Path(folder), world="random", title="random")
        rows = kb_rows("random", entities, [Relation("P1", "relation", "related by")], triples, [])
        entry = writer.write_section("kb", rows, counts={})
        write_index(writer, KnowledgeBase(Path(folder) / entry.files[0]))
        writer.publish()
        return open_world(Snapshot(folder).public).textual
