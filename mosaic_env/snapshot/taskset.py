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

from mosaic_env.core.errors import TaskError, nearest
from mosaic_env.core.types import Gold, Hop, Picture, Task
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


def task_rows(rows: Iterable[TaskRow]) -> Mapping[str, Rows]:
    """Return the rows of a ``tasks`` section."""
    return {
        "tasks": (
            (r.task_set, r.task.key, r.task.level, r.task.question, r.task.world, r.task.split,
             _json([p.as_dict() for p in r.task.pictures]), _json(list(r.task.tags)), r.unplayable)
            for r in rows
        )
    }  # fmt: skip


def private_rows(golds: Iterable[Gold], scenes: Mapping[str, Any] | None = None) -> Mapping[str, Rows]:
    """Return the rows of a ``private`` section.

    Args:
        scenes: By picture digest, what the picture shows (plain data): a scene is an answer.
    """
    return {
        "gold": ((gold.key, _json(gold.as_dict())) for gold in golds),
        "scenes": ((digest, _json(scene)) for digest, scene in (scenes or {}).items()),
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"))


class TaskSets:
    """The opened ``tasks`` section.

    Args:
        path: The SQLite file, already checked against the manifest.
    """

    def __init__(self, path: Path) -> None:
        with open_tables(path) as db:
            self.rows: tuple[TaskRow, ...] = tuple(
                TaskRow(
                    task_set,
                    Task(key, question, world, level, _pictures(pictures), split, tuple(json.loads(tags))),
                    unplayable,
                )
                for task_set, key, level, question, world, split, pictures, tags, unplayable in db.execute(
                    TASK_TABLES[0].select()
                )
            )

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


def _pictures(text: str) -> tuple[Picture, ...]:
    return tuple(Picture.from_dict(fields) for fields in json.loads(text))


class PrivateTasks:
    """The opened ``private`` section: gold by task key, scenes by picture digest.

    Args:
        path: The SQLite file, already checked against the manifest.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def gold(self, key: str) -> Gold:
        """Return the gold of a task.

        Raises: TaskError (ME-TASK-01).
        """
        with open_tables(self._path) as db:
            row = db.execute("SELECT gold FROM gold WHERE key = ?", (key,)).fetchone()
        if row is None:
            raise TaskError("ME-TASK-01", f"the snapshot has no gold for the task {key!r}")
        return gold_from_dict(json.loads(row[0]))

    def golds(self) -> dict[str, Gold]:
        """Return every gold by task key."""
        with open_tables(self._path) as db:
            return {
                key: gold_from_dict(json.loads(text)) for key, text in db.execute(PRIVATE_TABLES[0].select())
            }

    def scene(self, digest: str) -> Any:
        """Return the scene of a picture as plain data, or None when it is not known."""
        with open_tables(self._path) as db:
            row = db.execute("SELECT scene FROM scenes WHERE digest = ?", (digest,)).fetchone()
        return None if row is None else json.loads(row[0])


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
