"""The ``tasks`` section (what agents may see) and the ``private`` section (what they may not).

A task set is a named list of tasks about one world. ``PrivateTasks`` is opened by ``tasks`` and
``evals`` only; a ``PublicSnapshot`` has no way to it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mosaic_env.core.errors import TaskError, nearest, shorten
from mosaic_env.core.types import Gold, Hop, Picture, Task
from mosaic_env.snapshot.content import Misfit, digest, fields, items, json_items, parse_rows, reading, whole
from mosaic_env.snapshot.tables import Rows, Table, open_tables

TASK_TABLES = (
    Table(
        "tasks",
        (
            ("task_set", "TEXT"),
            ("key", "TEXT"),
            ("level", "TEXT"),
            ("question", "TEXT"),
            ("world", "TEXT"),
            ("split", "TEXT"),
            ("pictures", "TEXT"),
            ("tags", "TEXT"),
            ("unplayable", "TEXT"),
        ),
        key=2,
    ),
)
PRIVATE_TABLES = (
    Table("gold", (("key", "TEXT"), ("gold", "TEXT"))),
    Table("scenes", (("digest", "TEXT"), ("scene", "TEXT"))),
    Table("things", (("key", "TEXT"), ("thing", "TEXT"))),
)


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A task in a set.

    Args:
        task_set: The set's name (``official``, ``bundled``).
        task: The public task.
        unplayable: Why it cannot be played on this snapshot, or ``""``.
    """

    task_set: str
    task: Task
    unplayable: str = ""


@dataclass(frozen=True, slots=True)
class KnownThing:
    """What composing needs to know of an entity besides its texts: a question is made of it.

    Args:
        nouns: What it may be called, the most general first.
        year: Year of birth, release or foundation; 0 when unknown.
    """

    nouns: tuple[str, ...]
    year: int = 0


def task_rows(rows: Iterable[TaskRow]) -> Mapping[str, Rows]:
    """Return the rows of a ``tasks`` section."""
    return {
        "tasks": (
            (r.task_set, r.task.key, r.task.level, r.task.question, r.task.world, r.task.split,
             _json([p.as_dict() for p in r.task.pictures]), _json(list(r.task.tags)), r.unplayable)
            for r in rows
        )
    }  # fmt: skip


def private_rows(
    golds: Iterable[Gold],
    scenes: Mapping[str, Any] | None = None,
    things: Mapping[str, KnownThing] | None = None,
) -> Mapping[str, Rows]:
    """Return the rows of a ``private`` section.

    Args:
        scenes: By picture digest, what the picture shows (plain data): a scene is an answer.
        things: By entity key, what composing needs to know; none where tasks cannot be composed.
    """
    return {
        "gold": ((gold.key, _json(gold.as_dict())) for gold in golds),
        "scenes": ((digest, _json(scene)) for digest, scene in (scenes or {}).items()),
        "things": (
            (key, _json({"nouns": list(thing.nouns), "year": thing.year}))
            for key, thing in (things or {}).items()
        ),
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"))


class TaskSets:
    """The opened ``tasks`` section.

    Args:
        path: The SQLite file, already checked against the manifest.

    Raises: CorruptError (ME-CORRUPT-01, ME-CORRUPT-04).
    """

    def __init__(self, path: Path) -> None:
        table = TASK_TABLES[0]
        with open_tables(path, TASK_TABLES) as file:
            self.rows: tuple[TaskRow, ...] = tuple(parse_rows(file.place(table), file.rows(table), _task_row))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the sets, sorted."""
        return tuple(sorted({row.task_set for row in self.rows}))

    def select(self, task_set: str, level: str) -> tuple[TaskRow, ...]:
        """Return the tasks of a set and level, by key.

        Raises: TaskError (ME-TASK-02).
        """
        if task_set not in self.names:
            raise TaskError(
                "ME-TASK-02",
                f"the snapshot has no task set {task_set!r}",
                expected="one of " + (", ".join(self.names) or "(it has none)"),
                nearest=nearest(task_set, self.names),
                fix="Choose one with tasks=, or build the snapshot with --tasks",
            )
        return tuple(row for row in self.rows if row.task_set == task_set and row.task.level == level)


def _task_row(
    task_set: str, key: str, level: str, question: str, world: str,
    split: str, pictures: str, tags: str, unplayable: str,
) -> TaskRow:  # fmt: skip
    shown = tuple(_picture(plain) for plain in json_items(pictures, dict, "pictures"))
    task = Task(key, question, world, level, shown, split, json_items(tags, str, "tags"))
    return TaskRow(task_set, task, unplayable)


_PICTURE = {
    "digest": str, "media_type": str, "width": int, "height": int, "source": str, "box": list, "side": int,
}  # fmt: skip


def _picture(plain: Any) -> Picture:
    """Return a picture of a question: stored, never derived from another."""
    fields(plain, _PICTURE)
    digest(plain["digest"])
    whole(plain["width"], 1)
    whole(plain["height"], 1)
    if plain["source"] or plain["box"] or plain["side"]:
        raise Misfit("a picture of a question is cut from another one")
    return Picture.from_dict(plain)


class PrivateTasks:
    """The opened ``private`` section: gold by task key, scenes by picture digest, things by entity key.

    Args:
        path: The SQLite file, already checked against the manifest.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._place = f"the section file {path.name}"

    def gold(self, key: str) -> Gold:
        """Return the gold of a task.

        Raises: TaskError (ME-TASK-01), CorruptError (ME-CORRUPT-01, ME-CORRUPT-04).
        """
        with open_tables(self._path, PRIVATE_TABLES) as file:
            row = file.find(PRIVATE_TABLES[0], key)
        if row is None:
            raise _no_gold(key)
        with reading(f"{self._place}, table gold, the row of {shorten(key)}"):
            return _gold(*row)

    def golds(self) -> dict[str, Gold]:
        """Return every gold by task key; asking for one that is missing raises as ``gold`` does.

        Raises: CorruptError (ME-CORRUPT-01, ME-CORRUPT-04).
        """
        table = PRIVATE_TABLES[0]
        with open_tables(self._path, PRIVATE_TABLES) as file:
            golds = parse_rows(file.place(table), file.rows(table), _gold)
        return _Golds((gold.key, gold) for gold in golds)

    def scene(self, digest: str) -> Any:
        """Return the scene of a picture as plain data, or None when it is not known.

        Raises: CorruptError (ME-CORRUPT-01, ME-CORRUPT-04).
        """
        with open_tables(self._path, PRIVATE_TABLES) as file:
            row = file.find(PRIVATE_TABLES[1], digest)
        with reading(f"{self._place}, table scenes, the row of {shorten(digest)}"):
            return None if row is None else json.loads(row[1])

    def scenes(self) -> dict[str, Any]:
        """Return every scene by picture digest.

        Raises: CorruptError (ME-CORRUPT-01, ME-CORRUPT-04).
        """
        table = PRIVATE_TABLES[1]
        with open_tables(self._path, PRIVATE_TABLES) as file:
            return dict(parse_rows(file.place(table), file.rows(table), _scene))

    def things(self) -> dict[str, KnownThing]:
        """Return what composing needs to know of each entity, by key; empty when the builder did not know.

        Raises: CorruptError (ME-CORRUPT-01, ME-CORRUPT-04).
        """
        table = PRIVATE_TABLES[2]
        with open_tables(self._path, PRIVATE_TABLES) as file:
            return dict(parse_rows(file.place(table), file.rows(table), _thing))


class _Golds(dict[str, Gold]):
    """Gold by task key."""

    def __missing__(self, key: str) -> Gold:
        raise _no_gold(key)


def _no_gold(key: str) -> TaskError:
    return TaskError(
        "ME-TASK-01",
        f"the snapshot has no gold for the task {shorten(key)}",
        expected="gold for every task",
        fix="Restore the snapshot from a good copy; 'mosaic snapshot verify' lists all damage",
    )


def _scene(name: str, scene: str) -> tuple[str, Any]:
    return digest(name), json.loads(scene)


_THING = {"nouns": list, "year": int}


def _thing(key: str, text: str) -> tuple[str, KnownThing]:
    plain = fields(json.loads(text), _THING)
    nouns = items(plain["nouns"], str, "nouns")
    if not nouns:
        raise Misfit("an entity has no noun")
    return key, KnownThing(tuple(nouns), whole(plain["year"]))


_GOLD = {
    "key": str, "answer": str, "aliases": list, "kind": str, "target": str, "chain": list,
    "min_interactions": int, "notes": dict,
}  # fmt: skip
_HOP = {"head": str, "tail": str, "via": str, "query": str, "tool": str, "inverse": bool}


def _gold(key: str, text: str) -> Gold:
    plain = fields(json.loads(text), _GOLD)
    items(plain["aliases"], str, "aliases")
    for hop in items(plain["chain"], dict, "hops"):
        fields(hop, _HOP)
    whole(plain["min_interactions"])
    if plain["key"] != key:
        raise Misfit("it is the gold of another task")
    return gold_from_dict(plain)


def gold_from_dict(plain: Mapping[str, Any]) -> Gold:
    """Return a ``Gold`` from ``Gold.as_dict()``."""
    return Gold(
        key=plain["key"],
        answer=plain["answer"],
        aliases=tuple(plain["aliases"]),
        kind=plain["kind"],
        target=plain["target"],
        chain=tuple(Hop(**hop) for hop in plain["chain"]),
        min_interactions=plain["min_interactions"],
        notes=dict(plain["notes"]),
    )
