"""``build_world``: a world, drawn, with tasks and index, published as a snapshot."""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from mosaic_env.core.errors import ConfigError, shorten
from mosaic_env.core.types import Picture
from mosaic_env.guard.images import CanonicalPicture, canonicalise
from mosaic_env.index.build import RouteEncoders, write_index
from mosaic_env.index.encoders import BUNDLED, load_encoder
from mosaic_env.snapshot.kb import KnowledgeBase, StoredPicture, kb_rows
from mosaic_env.snapshot.manifest import Manifest, SectionEntry
from mosaic_env.snapshot.output import check_output
from mosaic_env.snapshot.taskset import KnownThing, TaskRow, private_rows, task_rows
from mosaic_env.snapshot.writer import SnapshotWriter
from mosaic_env.tasks.compose import Composed, Graph, Probe, compose_tasks
from mosaic_env.world.config import WorldConfig
from mosaic_env.world.drawing.encode import encode_picture
from mosaic_env.world.drawn import WORKERS, check_workers, drawn
from mosaic_env.world.generate import WorldData, make_world

TASK_SET = "bundled"
Progress = Callable[[str, int, int], None]


def build_world(
    config: WorldConfig,
    out: Path,
    progress: Progress | None = None,
    workers: int = WORKERS,
    *,
    tasks: tuple[int, int] = (120, 80),
    keep: Collection[str] | None = None,
) -> Manifest:
    """Make a world and publish it as a snapshot.

    Args:
        out: A folder that is absent, empty or a snapshot.
        progress: Called with (what, done, total).
        workers: Processes that draw, see ``drawn``.
        tasks: Most tasks of Level 1 and of Level 2.
        keep: Keys of the tasks that are stored; None stores all.

    Returns: The manifest; sections kb, objects, index, tasks and private.
    Raises: SnapshotError (ME-SNAP-04), ConfigError (ME-CONFIG-02).
    Determinism: one configuration, one snapshot id, in every process with one Pillow release, however many workers.
    Cost: besides drawing, about 3 ms and 30 kB an entity.
    """
    say = progress or (lambda what, done, total: None)
    check_output(out)
    check_workers(workers)
    check_tasks(tasks)
    say("entities", 0, config.entities)
    world = make_world(config)
    say("entities", config.entities, config.entities)
    writer = SnapshotWriter(
        out, world=config.name, title=f"{len(world.entities):,} entities of a fictional world"
    )
    stored = _write_pictures(writer, world, workers, say)
    kb = _write_kb(writer, world, stored, say)
    say("tasks", 0, 1)
    made = compose_tasks(graph_of(world), config.name, config.seed, level1=tasks[0], level2=tasks[1])
    made = [task for task in made if keep is None or task.task.key in keep]
    say("tasks", 1, 1)
    _write_tasks(writer, made, stored, say)
    _write_private(writer, world, made, stored)
    say("text index", 0, 1)
    encoders = RouteEncoders(text_to_image=load_encoder(BUNDLED["joint"]))
    write_index(writer, KnowledgeBase(out / kb.files[0]), encoders, progress)
    return _publish(writer, config, say)


def check_tasks(tasks: object) -> None:
    """Refuse anything but two numbers of tasks.

    Raises: ConfigError (ME-CONFIG-02).
    """
    whole = isinstance(tasks, tuple) and all(type(most) is int and most >= 0 for most in tasks)
    if not whole or len(tasks) != 2:  # type: ignore[arg-type]  # a tuple by now
        raise ConfigError(
            "ME-CONFIG-02",
            f"tasks={shorten(tasks)} is not a number of tasks for each level",
            expected="(most of Level 1, most of Level 2), whole numbers of at least 0",
            fix="Write for example tasks=(120, 80)",
        )


def graph_of(world: WorldData) -> Graph:
    """Return a world as the graph that tasks are composed from; mislabelled pictures answer no question."""
    scenes = {key: scene for key, scene in world.scenes.items() if scene.get("flaw") != "mislabelled"}
    return Graph(world.entities, world.relations, world.triples, scenes, world.nouns, world.years)


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


def _write_pictures(
    writer: SnapshotWriter, world: WorldData, workers: int, say: Progress
) -> dict[str, StoredPicture]:
    """Draw and store the pictures one by one; return what is where, by entity key."""
    stored = {}
    say("pictures", 0, len(world.scenes))
    for done, (key, picture) in enumerate(drawn(world.scenes, workers), start=1):
        stored[key] = _store(writer, key, picture)
        say("pictures", done, len(world.scenes))
    return stored


def _store(writer: SnapshotWriter, key: str, found: CanonicalPicture) -> StoredPicture:
    digest = writer.put_object(found.data, found.media_type)
    picture = Picture(digest, found.media_type, found.width, found.height)
    return StoredPicture(key, 0, picture, len(found.data), found.pixel_digest)


def _write_kb(
    writer: SnapshotWriter, world: WorldData, stored: Mapping[str, StoredPicture], say: Progress
) -> SectionEntry:
    say("knowledge base", 0, 1)
    kb = writer.write_section(
        "kb",
        kb_rows(world.config.name, world.entities, world.relations, world.triples, stored.values()),
        counts={"entities": len(world.entities), "triples": len(world.triples), "pictures": len(stored)},
    )
    say("knowledge base", 1, 1)
    return kb


def _write_tasks(
    writer: SnapshotWriter, made: Sequence[Composed], stored: Mapping[str, StoredPicture], say: Progress
) -> None:
    """Write the tasks; question pictures are cut from what is stored already."""
    rows = []
    for done, composed in enumerate(made, start=1):
        task, probe = composed.task, composed.probe
        if probe is not None:
            whole = writer.objects.read(stored[probe.entity].picture.digest)
            cut_out = _store(writer, probe.entity, canonicalise(cut(whole, probe)))
            task = replace(task, pictures=(cut_out.picture,))
        rows.append(TaskRow(TASK_SET, task))
        say("question pictures", done, len(made))
    writer.write_section("tasks", task_rows(rows), counts=_counts(rows), detail={"default": TASK_SET})


def _write_private(
    writer: SnapshotWriter, world: WorldData, made: Sequence[Composed], stored: Mapping[str, StoredPicture]
) -> None:
    scenes = {stored[key].picture.digest: world.scenes[key] for key in stored}
    things = {key: KnownThing(nouns, world.years[key]) for key, nouns in world.nouns.items()}
    writer.write_section(
        "private",
        private_rows([task.gold for task in made], scenes, things),
        counts={"golds": len(made), "scenes": len(scenes), "things": len(things)},
    )


def _publish(writer: SnapshotWriter, config: WorldConfig, say: Progress) -> Manifest:
    writer.licences = [{"what": "entities, triples, texts, pictures, tasks", "licence": "CC0 1.0"}]
    writer.sources = [
        {
            "name": "mosaic_env.world",
            "seed": str(config.seed),
            "entities": str(config.entities),
            "text": config.text,
        }
    ]
    say("manifest", 0, 1)
    manifest = writer.publish()
    say("manifest", 1, 1)
    return manifest


def _counts(rows: Iterable[TaskRow]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for row in rows:
        for name in (f"{row.task.level} in all", f"{row.task.level} playable"):
            counts[name] = counts.get(name, 0) + 1
    return counts
