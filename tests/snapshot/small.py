"""A tiny snapshot for tests: eight entities, triples, pictures, tasks, gold."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from mosaic_env.core.types import Gold, Hop, Picture, Task
from mosaic_env.guard.images import canonicalise, encode_png
from mosaic_env.index.build import RouteEncoders, write_index
from mosaic_env.snapshot.kb import Entity, KnowledgeBase, Relation, StoredPicture, kb_rows
from mosaic_env.snapshot.manifest import Manifest
from mosaic_env.snapshot.taskset import TaskRow, private_rows, task_rows
from mosaic_env.snapshot.writer import SnapshotWriter

WORLD = "tiny"
ENTITIES = (
    Entity("Q1", "Gold Cobra", "album by the band Marrow"),
    Entity("Q2", "Marrow", "rock band from Velden"),
    Entity("Q3", "Velden", "port city with a red lighthouse"),
    Entity("Q4", "Orla Finch", "film director"),
    Entity(
        "Q5",
        "The Glass Harbour",
        "1987 film directed by Orla Finch",
        "A drama set in Velden. It won many prizes.",
    ),
    Entity("Q6", "Ashgrove", "inland city twinned with Velden"),
    Entity("Q7", "", "a thing without a name"),
    Entity("Q8", "Pilot", "television episode"),
)
RELATIONS = (Relation("P175", "performer", "performed by"), Relation("P57", "director", "directed by"),
             Relation("P190", "twinned administrative body", "twin town of", ("twinned with",)))  # fmt: skip
TRIPLES = (("Q1", "P175", "Q2"), ("Q5", "P57", "Q4"), ("Q3", "P190", "Q6"), ("Q6", "P190", "Q3"))
PICTURED = ("Q1", "Q3", "Q5", "Q6")
TASKS = (
    (
        Task("tiny/1", "What colour is the square on the cover of the album by Marrow?", WORLD, "interlv-l1"),
        Gold(
            "tiny/1",
            "red",
            ("crimson",),
            "colour",
            "Q1",
            (Hop("", "Q1", "text", "album by Marrow", "local_text_search"),),
            2,
        ),
    ),
    (
        Task(
            "tiny/2",
            "Which colour fills the picture of the city twinned with Ashgrove?",
            WORLD,
            "interlv-l2",
            split="train",
        ),
        Gold(
            "tiny/2",
            "blue",
            (),
            "colour",
            "Q3",
            (
                Hop("", "Q6", "text", "Ashgrove", "local_text_search"),
                Hop("Q6", "Q3", "P190", "city twinned with Ashgrove", "local_text_search"),
            ),
            3,
        ),
    ),
)


def picture_of(key: str) -> bytes:
    """Return a small PNG that depends on the key."""
    seed = int(key[1:])
    y, x = np.mgrid[0:40, 0:60]
    pixels = np.stack([(x * (seed + 3)) % 256, (y * (seed + 7)) % 256, ((x + y) * seed * 5) % 256], axis=-1)
    return encode_png(pixels.astype(np.uint8))


def build(
    out: Path,
    *,
    pictured: Sequence[str] = PICTURED,
    tasks: Sequence[tuple[Task, Gold]] = TASKS,
    world: str = WORLD,
    encoders: RouteEncoders | None = None,
) -> Manifest:
    """Write the tiny snapshot into a folder."""
    writer = SnapshotWriter(out, world=world, title="a tiny world")
    pictures = []
    for key in pictured:
        found = canonicalise(picture_of(key))
        digest = writer.put_object(found.data, found.media_type)
        reference = Picture(digest, found.media_type, found.width, found.height)
        pictures.append(StoredPicture(key, 0, reference, len(found.data), found.pixel_digest))
    counts = {"entities": len(ENTITIES), "triples": len(TRIPLES), "pictures": len(pictures)}
    entry = writer.write_section("kb", kb_rows(world, ENTITIES, RELATIONS, TRIPLES, pictures), counts=counts)
    rows = [TaskRow("tiny", task) for task, _ in tasks]
    writer.write_section("tasks", task_rows(rows), counts={"interlv-l1 playable": 1, "interlv-l1 in all": 1})
    writer.write_section("private", private_rows([gold for _, gold in tasks]), counts={"golds": len(tasks)})
    write_index(writer, KnowledgeBase(out / entry.files[0]), encoders)
    return writer.publish()
