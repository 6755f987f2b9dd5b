"""Task sets that are stored in a snapshot: public part from ``tasks``, gold from ``private``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from mosaic_env.core.errors import TaskError, nearest
from mosaic_env.core.types import Gold, Task
from mosaic_env.core.words import counted
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.tasks.reasons import LEVEL_3, fix_for
from mosaic_env.tasks.source import SourceContext, other_world


def set_names(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the names of the stored sets."""
    return snapshot.public.tasks.names if snapshot.public.has("tasks") else ()


def default_set(snapshot: Snapshot) -> str:
    """Return the set that is played when none is asked for.

    Raises: TaskError (ME-TASK-02) when the snapshot has none.
    """
    names = set_names(snapshot)
    if not names:
        raise TaskError(
            "ME-TASK-02",
            "this snapshot has no tasks",
            expected="a snapshot built with --tasks, or a task source",
            fix="Pass tasks='module:name' of a registered source, or build the snapshot with --tasks",
        )
    chosen = str(snapshot.manifest.sections["tasks"].detail.get("default", names[0]))
    return chosen if chosen in names else names[0]


class SnapshotTasks:
    """The playable tasks of one set, level and split.

    Args:
        context: Snapshot, level and split.
        name: The set's name.

    Raises: TaskError (ME-TASK-03 another world, ME-TASK-04 nothing playable).
    """

    def __init__(self, context: SourceContext, name: str) -> None:
        self._snapshot = context.snapshot
        self._golds: dict[str, Gold] | None = None
        rows = self._snapshot.public.tasks.select(name, context.level)
        in_split = [row for row in rows if context.split in (None, row.task.split)]
        self._tasks: dict[str, Task] = {row.task.key: row.task for row in in_split if not row.unplayable}
        self.world = next((row.task.world for row in in_split), "*")
        #: How many tasks each reason leaves out: shown wherever results are.
        self.unplayable: dict[str, int] = dict(Counter(row.unplayable for row in in_split if row.unplayable))
        here = context.snapshot.manifest.world
        if self._tasks and self.world not in ("*", here):
            raise other_world(self.world, name, context)
        if not self._tasks:
            raise self._nothing(name, context, len(in_split), {row.task.split for row in rows})

    def _nothing(self, name: str, context: SourceContext, count: int, splits: set[str]) -> TaskError:
        if not count:
            return TaskError(
                "ME-TASK-04",
                f"the set {name!r} has no {context.level} tasks"
                + (f" in {context.split!r}" if splits else ""),
                expected="split=" + " or ".join(sorted(splits))
                if splits
                else f"a set with {context.level} tasks",
                nearest=nearest(context.split or "", splits),
                fix="Choose another split=, set or environment",
            )
        ordered = sorted(self.unplayable, key=lambda reason: (-self.unplayable[reason], reason))
        reasons = "; ".join(f"{self.unplayable[reason]} of {count}: {reason}" for reason in ordered)
        tasks = (
            f"none of the {count} {context.level} tasks" if count > 1 else f"the only {context.level} task"
        )
        can = "can" if count > 1 else "cannot"
        return TaskError(
            "ME-TASK-04",
            f"{tasks} of {name!r} {can} be played here ({reasons})",
            expected="level 1 or 2"
            if set(ordered) == {LEVEL_3}
            else "tasks whose targets are in the knowledge base and have a picture",
            fix=fix_for(ordered),
        )

    def keys(self) -> Sequence[str]:
        """Return the playable keys, sorted."""
        return tuple(self._tasks)

    def scene(self, digest: str) -> Any:
        """Return what a picture shows as plain data, or None: for oracles and audits only."""
        return self._snapshot.private.scene(digest)

    def get(self, key: str) -> tuple[Task, Gold]:
        """Return a task and its gold.

        Raises: TaskError (ME-TASK-01).
        """
        task = self._tasks.get(key)
        if task is None:
            raise TaskError(
                "ME-TASK-01", f"there is no playable task {key!r}",
                expected=f"a key of the {counted(len(self._tasks), 'task')} that can be played",
                nearest=nearest(key, self._tasks),
                fix="env.unwrapped.task_keys lists them",
            )  # fmt: skip
        if self._golds is None:
            self._golds = self._snapshot.private.golds()
        return task, self._golds[key]
