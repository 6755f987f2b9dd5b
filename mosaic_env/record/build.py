"""The pipeline behind ``mosaic snapshot build``: files in, a published snapshot out.

Same inputs, same id: on any number of threads, under any locale and hash seed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mosaic_env.core.errors import DataError
from mosaic_env.core.types import Gold, Task
from mosaic_env.core.words import counted
from mosaic_env.index.build import RouteEncoders, write_index
from mosaic_env.record.importers import (
    Progress,
    Report,
    read_kgdb,
    read_pictures,
    read_relations,
    read_triples,
    triple_files,
)
from mosaic_env.snapshot.files import hash_file
from mosaic_env.snapshot.kb import KnowledgeBase, kb_rows
from mosaic_env.snapshot.manifest import Manifest
from mosaic_env.snapshot.output import check_output
from mosaic_env.snapshot.taskset import TaskRow, private_rows, task_rows
from mosaic_env.snapshot.writer import SnapshotWriter
from mosaic_env.tasks import interlv
from mosaic_env.tasks.reasons import why_unplayable

OFFICIAL = "official"


@dataclass(frozen=True)
class BuildInputs:
    """What to build from.

    Args:
        kgdb: Knowledge base, one JSON object a line, plain or ``.gz``.
        triples: File or folder of triples, or None.
        images: Folder of pictures, or None. Partial coverage is normal.
        tasks: (level or None, file) of official level files.
        password: For encrypted level files.
        world: The world's name; the tasks are about it.
    """

    kgdb: Path
    triples: Path | None = None
    images: Path | None = None
    tasks: Sequence[tuple[int | None, Path]] = field(default_factory=tuple)
    password: str | None = None
    world: str = interlv.WORLD


def build_snapshot(
    inputs: BuildInputs, out: Path, *, encoders: RouteEncoders | None = None, progress: Progress | None = None
) -> Manifest:
    """Build a snapshot and publish it in ``out``.

    Every input is read and checked before the first byte of ``out`` is written, except pictures,
    which are stored one by one; nothing can be opened before the last step.

    Raises: DataError, SnapshotError.
    Cost: the real knowledge base with triples and tasks takes seconds; pictures about 15 ms each.
    """
    check_output(out)
    report = Report()
    entities, picture_paths = read_kgdb(inputs.kgdb, report)
    keys = [entity.key for entity in entities]
    triples = read_triples(inputs.triples, keys, report) if inputs.triples else []
    pairs = _read_tasks(inputs)
    if inputs.images is not None and not inputs.images.is_dir():
        raise DataError(
            "ME-DATA-01", f"the picture folder {inputs.images.name!r} does not exist", expected="a folder"
        )

    writer = SnapshotWriter(
        out, world=inputs.world, title=f"{counted(len(entities), 'entity', 'entities')} of {inputs.world}"
    )
    pictures = (
        read_pictures(inputs.images, keys, writer.put_object, report, progress)
        if inputs.images is not None
        else []
    )
    report.counts["picture paths without a file"] = len(picture_paths.keys() - {p.entity for p in pictures})
    kb_entry = writer.write_section(
        "kb",
        kb_rows(inputs.world, entities, read_relations(triples), triples, pictures),
        counts={"entities": len(entities), "triples": len(triples), "pictures": len(pictures)},
    )
    if pairs:
        _write_tasks(writer, pairs, set(keys), {picture.entity for picture in pictures})
    write_index(writer, KnowledgeBase(out / kb_entry.files[0]), encoders, progress)
    writer.sources = [_source(path) for path in _files(inputs)]
    writer.licences = list(_LICENCES)
    writer.report = report.as_dict()
    return writer.publish()


_LICENCES: tuple[Mapping[str, str], ...] = (
    {"what": "entity texts", "licence": "CC0 1.0 (Wikidata)"},
    {"what": "triples", "licence": "see MKG-W; facts are from Wikidata (CC0 1.0)"},
    {
        "what": "pictures",
        "licence": "as given by whoever collected the folder; often CC BY-SA (Wikimedia Commons)",
    },
)


def _read_tasks(inputs: BuildInputs) -> list[tuple[Task, Gold]]:
    pairs: dict[str, tuple[Task, Gold]] = {}
    for level, path in inputs.tasks:
        for task, gold in interlv.read_levels(
            path, password=inputs.password, level=level, world=inputs.world
        ):
            if task.key in pairs:
                raise DataError("ME-DATA-02", f"the task {task.key} stands twice", expected="each task once")
            pairs[task.key] = (task, gold)
    return [pairs[key] for key in sorted(pairs)]


def _write_tasks(
    writer: SnapshotWriter, pairs: Sequence[tuple[Task, Gold]], keys: set[str], pictured: set[str]
) -> None:
    rows = [TaskRow(OFFICIAL, task, why_unplayable(task, gold, keys, pictured)) for task, gold in pairs]
    counts: dict[str, int] = {}
    reasons: dict[str, dict[str, int]] = {}
    for row in rows:
        level = row.task.level
        counts[f"{level} in all"] = counts.get(f"{level} in all", 0) + 1
        counts[f"{level} playable"] = counts.get(f"{level} playable", 0) + (not row.unplayable)
        if row.unplayable:
            of_level = reasons.setdefault(level, {})
            of_level[row.unplayable] = of_level.get(row.unplayable, 0) + 1
    detail = {"default": OFFICIAL, "unplayable": reasons}
    writer.write_section("tasks", task_rows(rows), counts=counts, detail=detail)
    golds = [gold for _, gold in pairs]
    writer.write_section("private", private_rows(golds), counts={"golds": len(golds)})


def _files(inputs: BuildInputs) -> list[Path]:
    triples = [] if inputs.triples is None else triple_files(inputs.triples)
    return [inputs.kgdb, *triples, *(path for _, path in inputs.tasks)]


def _source(path: Path) -> dict[str, Any]:
    sha256, size = hash_file(path)
    return {"name": path.name, "sha256": sha256, "bytes": str(size)}
