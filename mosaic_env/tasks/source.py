"""The seam for tasks: a source yields ``(Task, Gold)`` pairs under stable keys.

A stranger's source is one class and one line:

    @register_source("toy")
    class Toy:
        world = "*"                                     # the world it is about; "*" for any
        def __init__(self, context): ...
        def keys(self): return ["toy/1"]
        def get(self, key): return Task(key, "2 + 2?"), Gold(key, "4")
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from mosaic_env.core.errors import TaskError, nearest, shorten
from mosaic_env.core.registry import Registry
from mosaic_env.core.types import Gold, Task
from mosaic_env.snapshot.opened import Snapshot


@dataclass(frozen=True)
class SourceContext:
    """What a source is made from.

    Args:
        snapshot: The opened snapshot, gold included: sources are trusted with it.
        level: The environment family (``interlv-l2``).
        split: ``train``, ``val``, ``test``, or None for all.
        options: Further plain arguments of ``gym.make`` that the source declares.
    """

    snapshot: Snapshot
    level: str
    split: str | None = None
    options: dict[str, Any] = field(default_factory=dict)


@runtime_checkable
class TaskSource(Protocol):
    """A list of tasks, addressed by key."""

    #: The name of the world the tasks are about; ``"*"`` fits any.
    world: str

    def keys(self) -> Sequence[str]:
        """Return every playable key, in a stable order."""
        ...

    def get(self, key: str) -> tuple[Task, Gold]:
        """Return a task and its gold; the same key always gives the same pair.

        Raises: TaskError (ME-TASK-01).
        """
        ...


class SourceFactory(Protocol):
    """Makes a source for a snapshot, level and split."""

    def __call__(self, context: SourceContext) -> TaskSource:
        """Return the source."""
        ...


SOURCES: Registry[SourceFactory] = Registry("task source")
register_source = SOURCES.register


def open_source(name: str | None, context: SourceContext) -> TaskSource:
    """Return the task source of a name.

    Args:
        name: A set stored in the snapshot (``official``, ``bundled``), a registered source, or
            ``"module:name"``, which imports the module first; None is the snapshot's default set.

    Raises: TaskError (ME-TASK-02 unknown, -03 another world, -04 nothing playable).
    """
    from mosaic_env.tasks.snapshot_tasks import SnapshotTasks, default_set, set_names

    if name is None:
        name = default_set(context.snapshot)
    if ":" in name:
        module, _, name = name.partition(":")
        importlib.import_module(module)
    if name in SOURCES:
        source = SOURCES.get(name)(context)
        _check_world(source.world, name, context)
        return source
    if name in set_names(context.snapshot):
        return SnapshotTasks(context, name)
    known = [*set_names(context.snapshot), *SOURCES]
    if name == "official":
        raise _other_world("mmkg-w", name, context)
    raise TaskError(
        "ME-TASK-02",
        f"there are no tasks {name!r}",
        expected="one of " + (", ".join(known) or "(the snapshot has none)"),
        nearest=nearest(name, known),
        fix="Choose one with tasks=, build the snapshot with --tasks, or register a source",
    )


def get_pair(source: TaskSource, key: str) -> tuple[Task, Gold]:
    """Return a task and its gold, checked: sources may be a stranger's.

    Raises: TaskError (ME-TASK-01 from the source, ME-TASK-05 for anything but a matching pair).
    """
    pair: Any = source.get(key)
    right = isinstance(pair, tuple) and len(pair) == 2
    if (
        not right
        or not isinstance(pair[0], Task)
        or not isinstance(pair[1], Gold)
        or pair[0].key != pair[1].key
    ):
        raise TaskError(
            "ME-TASK-05",
            f"{type(source).__name__}.get({key!r}) returned {shorten(pair)}",
            expected="a Task and its Gold with the same key",
        )
    return pair[0], pair[1]


def _check_world(world: str, name: str, context: SourceContext) -> None:
    if world not in ("*", context.snapshot.manifest.world):
        raise _other_world(world, name, context)


def _other_world(world: str, name: str, context: SourceContext) -> TaskError:
    here = context.snapshot.manifest.world
    return TaskError(
        "ME-TASK-03",
        f"the tasks {name!r} are about the world {world!r}, and this snapshot is the world {here!r}",
        expected=f"a snapshot of {world!r}, or tasks about {here!r}",
        fix=f"Pass snapshot= with a snapshot of {world!r} (mosaic snapshot build --tasks …), "
        "or leave tasks= out to play what this snapshot has",
    )
