"""``build_world``: a world, drawn, with tasks and index, published as a snapshot."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from mosaic_env.core.types import Picture
from mosaic_env.guard.images import canonicalise
from mosaic_env.index.build import RouteEncoders, write_index
from mosaic_env.index.encoders import BUNDLED, load_encoder
from mosaic_env.snapshot.kb import KnowledgeBase, StoredPicture, kb_rows
from mosaic_env.snapshot.manifest import Manifest
from mosaic_env.snapshot.taskset import TaskRow, private_rows, task_rows
from mosaic_env.snapshot.writer import SnapshotWriter, check_output
from mosaic_env.tasks.compose import Composed, Graph, Probe, compose_tasks
from mosaic_env.world.config import WorldConfig
from mosaic_env.world.draw import draw
from mosaic_env.world.drawing.encode import encode_picture
from mosaic_env.world.generate import WorldData, make_world

TASK_SET = "bundled"
Progress = Callable[[str, int, int], None]


def build_world(config: WorldConfig, out: Path, progress: Progress | None = None) -> Manifest:
    """Make a world and publish it as a snapshot.

    Args:
        out: A folder that is absent, empty or a snapshot.
        progress: Called with (what, done, total).

    Returns: The manifest; sections kb, objects, index, tasks and private.
    Raises: SnapshotError (ME-SNAP-04).
    Determinism: one configuration, one snapshot id, in every process with one Pillow release.
    Cost: about 0.15 s a picture.
    """
    say = progress or (lambda what, done, total: None)
    check_output(out)
    say("entities", 0, config.entities)
    world = make_world(config)
    say("entities", config.entities, config.entities)
    writer = SnapshotWriter(
        out, world=config.name, title=f"{len(world.entities):,} entities of a fictional world"
    )
    drawn = _draw_all(world, say)
    stored = {}
    for done, (key, data) in enumerate(drawn.items(), start=1):
        stored[key] = _store(writer, key, data)
        say("pictures stored", done, len(drawn))
    say("knowledge base", 0, 1)
    kb = writer.write_section(
        "kb",
        kb_rows(config.name, world.entities, world.relations, world.triples, stored.values()),
        counts={"entities": len(world.entities), "triples": len(world.triples), "pictures": len(stored)},
    )
    say("knowledge base", 1, 1)
    say("tasks", 0, 1)
    made = compose_tasks(graph_of(world), config.name, config.seed)
    say("tasks", 1, 1)
    _write_tasks(writer, made, drawn, say)
    scenes = {stored[key].picture.digest: world.scenes[key] for key in stored}
    writer.write_section(
        "private",
        private_rows([task.gold for task in made], scenes),
        counts={"golds": len(made), "scenes": len(scenes)},
    )
    say("text index", 0, 1)
    encoders = RouteEncoders(text_to_image=load_encoder(BUNDLED["joint"]))
    write_index(writer, KnowledgeBase(out / kb.files[0]), encoders, progress)
    writer.licences = [{"what": "entities, triples, texts, pictures, tasks", "licence": "CC0 1.0"}]
    writer.sources = [
        {"name": "mosaic_env.world", "seed": str(config.seed), "entities": str(config.entities)}
    ]
    say("manifest", 0, 1)
    manifest = writer.publish()
    say("manifest", 1, 1)
    return manifest


def graph_of(world: WorldData) -> Graph:
    """Return a world as the graph that tasks are composed from."""
    return Graph(world.entities, world.relations, world.triples, world.scenes, world.nouns, world.years)


def cut(data: bytes, probe: Probe) -> bytes:
    """Return a question picture: a part of a picture, a little larger or smaller than it was.

    Args:
        data: The whole picture, encoded.
    """
    from PIL import Image

    with Image.open(io.BytesIO(data)) as picture:
        whole = picture.convert("RGB")
    left, top, right, bottom = probe.box
    width, height = whole.size
    part = whole.crop(
        (left * width // 1000, top * height // 1000, right * width // 1000, bottom * height // 1000)
    )
    size = (part.width * probe.percent // 100, part.height * probe.percent // 100)
    return encode_picture(part.resize(size, Image.Resampling.BICUBIC))


def _draw_all(world: WorldData, say: Progress) -> dict[str, bytes]:
    drawn = {}
    for done, (key, scene) in enumerate(world.scenes.items(), start=1):
        drawn[key] = draw(scene)
        say("pictures", done, len(world.scenes))
    return drawn


def _store(writer: SnapshotWriter, key: str, data: bytes) -> StoredPicture:
    found = canonicalise(data)
    digest = writer.put_object(found.data, found.media_type)
    picture = Picture(digest, found.media_type, found.width, found.height)
    return StoredPicture(key, 0, picture, len(found.data), found.pixel_digest)


def _write_tasks(
    writer: SnapshotWriter, made: Sequence[Composed], drawn: dict[str, bytes], say: Progress
) -> None:
    rows = []
    for done, composed in enumerate(made, start=1):
        task = composed.task
        if composed.probe is not None:
            cut_out = _store(writer, composed.probe.entity, cut(drawn[composed.probe.entity], composed.probe))
            task = replace(task, pictures=(cut_out.picture,))
        rows.append(TaskRow(TASK_SET, task))
        say("question pictures", done, len(made))
    writer.write_section("tasks", task_rows(rows), counts=_counts(rows), detail={"default": TASK_SET})


def _counts(rows: Iterable[TaskRow]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for row in rows:
        for name in (f"{row.task.level} in all", f"{row.task.level} playable"):
            counts[name] = counts.get(name, 0) + 1
    return counts
