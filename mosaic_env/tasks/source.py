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

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol, cast, runtime_checkable

from mosaic_env.core.errors import MosaicError, TaskError, shorten
from mosaic_env.core.registry import Registry
from mosaic_env.core.types import Gold, Hop, Picture, Task
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
SOURCES.add("generated", "mosaic_env.tasks.generated:GeneratedTasks")


@contextmanager
def strangers(call: str) -> Iterator[None]:
    """Turn what a stranger's source raises into one error that names the call; its traceback stays the cause.

    Raises: TaskError (ME-TASK-05); errors of this package go through.
    """
    try:
        yield
    except MosaicError:
        raise
    except Exception as error:
        raise TaskError(
            "ME-TASK-05", f"{call} raised {type(error).__name__}: {shorten(str(error))}",
            expected="a task source that works", fix="Check the source with mosaic_env.testing.check_task_source",
        ) from error  # fmt: skip


def keys_of(source: TaskSource) -> Sequence[str]:
    """Return the keys of a source, which may be a stranger's; nothing is listed.

    Raises: TaskError (ME-TASK-05) for an exception, and for what has no length or no places.
    """
    with strangers(f"{type(source).__name__}.keys()"):
        keys: Any = source.keys()
        count = len(keys) if hasattr(keys, "__getitem__") else -1
    if count < 0 or isinstance(keys, (str, bytes, Mapping)):
        raise _odd_keys(source, keys)
    return cast(Sequence[str], keys)


def get_pair(source: TaskSource, key: str) -> tuple[Task, Gold]:
    """Return a task and its gold, checked: sources may be a stranger's.

    Raises: TaskError (ME-TASK-01 from the source, ME-TASK-05 for anything but a matching pair, or an exception).
    """
    with strangers(f"{type(source).__name__}.get({shorten(key)})"):
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
            f"{type(source).__name__}.get({shorten(key)}) returned {shorten(pair)}",
            expected="a Task and its Gold with the same key",
        )
    with strangers(f"{type(source).__name__}.get({shorten(key)}), looked at,"):
        odd = _odd_field(pair[0], pair[1])
    if odd:
        raise TaskError(
            "ME-TASK-05",
            f"{type(source).__name__}.get({shorten(key)}) returned another type for {odd}",
            expected="the types that Task and Gold declare: keys, answers and notes are text",
        )
    return pair[0], pair[1]


def _odd_field(task: Task, gold: Gold) -> str:
    """Return the name of a field that is not of its declared type, or ``""``."""
    texts = {
        "key": (task.key,), "question": (task.question,), "world": (task.world,), "level": (task.level,),
        "split": (task.split,), "tags": task.tags, "answer": (gold.answer,), "aliases": gold.aliases,
        "kind": (gold.kind,), "target": (gold.target,), "notes": (*gold.notes, *gold.notes.values()),
    }  # fmt: skip
    fits = {name: all(isinstance(value, str) for value in values) for name, values in texts.items()}
    fits["pictures"] = all(isinstance(picture, Picture) for picture in task.pictures)
    fits["chain"] = all(isinstance(hop, Hop) for hop in gold.chain)
    return next((name for name, right in fits.items() if not right), "")


def check_keys(source: TaskSource) -> None:
    """Refuse a source whose keys are no sequence of texts; of a lazy one the first and the last are looked at.

    Raises: TaskError (ME-TASK-05).
    """
    keys = keys_of(source)
    with strangers(f"{type(source).__name__}.keys()"):
        looked = keys if type(keys) in (list, tuple) else [keys[0], keys[len(keys) - 1]] if len(keys) else []
    for key in looked:
        if not isinstance(key, str):
            raise _odd_keys(source, key)


def _odd_keys(source: TaskSource, found: object) -> TaskError:
    return TaskError(
        "ME-TASK-05", f"{type(source).__name__}.keys() returned {shorten(found)}",
        expected="a sequence of texts with its length, such as a list",
        fix="Check the source with mosaic_env.testing.check_task_source",
    )  # fmt: skip


#: Most keys that are listed at once: a source without end has a thousand times as many.
LISTABLE = 1_000_000


def some_keys(keys: Sequence[str], most: int | None = None, *, fix: str) -> list[str]:
    """Return the first keys of a source, at most so many; None is all of them.

    Args:
        fix: How whoever asks says how many are wanted.

    Raises: TaskError (ME-TASK-06) for more than a million: some sources have no end.
    """
    count = len(keys) if most is None else min(most, len(keys))
    check_listable(count, fix)
    return [keys[place] for place in range(count)]


def check_listable(count: int, fix: str) -> None:
    """Refuse to list so many keys that memory or patience would end first.

    Raises: TaskError (ME-TASK-06).
    """
    if count > LISTABLE:
        raise TaskError(
            "ME-TASK-06", f"these are {count:,} tasks, too many for one go", expected=f"at most {LISTABLE:,}", fix=fix
        )  # fmt: skip


def other_world(world: str, name: str, context: SourceContext) -> TaskError:
    """Return the error (ME-TASK-03) for tasks about another world than the snapshot's."""
    here = context.snapshot.manifest.world
    return TaskError(
        "ME-TASK-03",
        f"the tasks {name!r} are about the world {world!r}, and this snapshot is the world {here!r}",
        expected=f"a snapshot of {world!r}, or tasks about {here!r}",
        fix=f"Pass snapshot= with a snapshot of {world!r} (mosaic snapshot build --tasks …), "
        "or leave tasks= out to play what this snapshot has",
    )
