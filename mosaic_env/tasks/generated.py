"""Tasks without end: ``gym.make(…, tasks="generated", split="train", difficulty=(2, 5))`` composes on demand.

A key is level/split/difficulty/number, and a task is a pure function of the world and its key: nothing is stored,
so any process, and any replay, makes the same task again. Question pictures are cut out at run time.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, overload

from mosaic_env.core.errors import TaskError, nearest, shorten
from mosaic_env.core.seeds import python_random
from mosaic_env.core.types import Gold, Picture, Task
from mosaic_env.index.images import Images
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.tasks.compose import Composed, Composer, Graph, Probe
from mosaic_env.tasks.compose.splits import SPLITS
from mosaic_env.tasks.levels import DEFAULT_HOPS, GENERATED_KEY
from mosaic_env.tasks.source import SourceContext

#: Numbers of each level, split and difficulty.
TASKS = 10**9
#: Composed tasks that are kept: playing, saving and scoring an episode ask for the same one again.
_KEPT = 256
#: Opened worlds that are kept.
_WORLDS = 4


class Keys(Sequence[str]):
    """The keys of endless tasks: a lazy sequence that lists nothing until it is asked.

    Args:
        level, splits, hops: What every key says.
        numbers: Positions in the whole sequence; splits take turns.
    """

    def __init__(
        self, level: str, splits: tuple[str, ...], hops: tuple[int, int], numbers: range | None = None
    ) -> None:
        self._level, self._splits, self._hops = level, splits, hops
        self._numbers = range(TASKS * len(splits)) if numbers is None else numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Keys: ...
    def __getitem__(self, index: int | slice) -> str | Keys:
        if isinstance(index, slice):
            return Keys(self._level, self._splits, self._hops, self._numbers[index])
        return self._key(self._numbers[index])

    def __iter__(self) -> Iterator[str]:
        return map(self._key, self._numbers)

    def __contains__(self, key: object) -> bool:
        found = GENERATED_KEY.fullmatch(key) if isinstance(key, str) else None
        if found is None or found[1] != self._level or found[2] not in self._splits:
            return False
        position = int(found[5]) * len(self._splits) + self._splits.index(found[2])
        return (int(found[3]), int(found[4])) == self._hops and position in self._numbers

    def index(self, value: object, start: int = 0, stop: int | None = None) -> int:
        """Return where a key stands, without walking there.

        Raises: ValueError.
        """
        if value in self:
            number, turn = int(str(value).rsplit("/", 1)[1]), self._splits.index(str(value).split("/")[1])
            place = self._numbers.index(number * len(self._splits) + turn)
            if place in range(len(self))[start:stop]:
                return place
        raise ValueError(f"{shorten(value)} is not among these keys")

    def count(self, value: object) -> int:
        """Return 1 for a key, or 0."""
        return int(value in self)

    def __repr__(self) -> str:
        some = ", ".join(map(repr, self[:2]))
        return f"<{len(self):,} keys of generated tasks: {some}{', …' if len(self) > 2 else ''}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Keys) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]

    def _key(self, position: int) -> str:
        number, turn = divmod(position, len(self._splits))
        least, most = self._hops
        return f"{self._level}/{self._splits[turn]}/{least}-{most}/{number}"


@dataclass(frozen=True)
class _World:
    """What the sources of one snapshot share."""

    composer: Composer
    images: Images
    pictures: dict[str, Picture]


_worlds: dict[tuple[str, str], _World] = {}
_lock = threading.Lock()


def _opened(snapshot: Snapshot) -> _World:
    place = (str(snapshot.folder), snapshot.id)
    with _lock:
        if place not in _worlds:
            pictures = {p.entity: p.picture for p in reversed(snapshot.public.kb.stored_pictures)}
            composer = Composer(Graph.of_snapshot(snapshot), snapshot.manifest.world)
            while len(_worlds) >= _WORLDS:
                del _worlds[next(iter(_worlds))]
            _worlds[place] = _World(composer, Images(snapshot.public), pictures)
        return _worlds[place]


class GeneratedTasks:
    """The source ``generated``.

    Args:
        context: Snapshot, level, split (None is all three, in turn), and the option ``difficulty``: least and
            most hops of a task, by default 2 on Level 1 (of 1 to 2) and 2 to 5 on Level 2.

    Raises: TaskError (ME-TASK-04) where tasks cannot be generated, or none of that split and difficulty.
    Cost: opening reads all texts and scenes, about 0.2 ms an entity; a task takes a few milliseconds.
    """

    def __init__(self, context: SourceContext) -> None:
        self._snapshot = context.snapshot
        self.world = context.snapshot.manifest.world
        self._level = context.level
        least, most = context.options.get("difficulty") or DEFAULT_HOPS[context.level]
        self._hops = (int(least), int(most))
        self._shared = _opened(context.snapshot)
        splits = SPLITS if context.split is None else (context.split,)
        self._spare = {split: spare for split in splits if (spare := self._first(split)) is not None}
        if not self._spare:
            raise self._nothing(context.split)
        self._keys = Keys(self._level, tuple(self._spare), self._hops)
        self._made = lru_cache(maxsize=_KEPT)(self._compose)
        self._get = lru_cache(maxsize=_KEPT)(lambda key: self.pictured(self._made(key)))

    def keys(self) -> Keys:
        """Return the keys: a lazy sequence, practically without end."""
        return self._keys

    def get(self, key: str) -> tuple[Task, Gold]:
        """Return a task and its gold.

        Raises: TaskError (ME-TASK-01).
        Determinism: a pure function of the world and the key.
        """
        self._check(key)
        return self._get(key)

    def _check(self, key: str) -> None:
        if key not in self._keys:
            raise TaskError(
                "ME-TASK-01", f"there is no generated task {shorten(key)}",
                expected=f"a key like {self._keys[0]}, with a number below {TASKS:,}",
                fix="env.unwrapped.task_keys has them; tasks of another split or difficulty need an environment of it",
            )  # fmt: skip

    def scene(self, digest: str) -> Any:
        """Return what a picture shows as plain data, or None: for oracles and audits only."""
        return self._snapshot.private.scene(digest)

    def composed(self, key: str) -> Composed:
        """Return what a task was composed from, for audits and counterfactual pairs.

        Raises: TaskError (ME-TASK-01).
        """
        self._check(key)
        return self._made(key)

    def forking(self, seed: int, number: int) -> Iterator[Composed]:
        """Yield tasks whose cue alone decides where they end, see ``Composer.forking``; none on Level 1.

        Their key is none of ``keys()``: they are composed for counterfactual pairs.

        Args:
            number: One of endlessly many draws; the splits take turns.

        Determinism: a pure function of the world and the arguments.
        """
        if self._level != "interlv-l2":
            return iter(())
        split, hops = tuple(self._spare)[number % len(self._spare)], self._hops
        key = f"{self._level}/{split}/{hops[0]}-{hops[1]}/fork/{seed}/{number}"
        rng = python_random(seed, "fork", self.world, split, *hops, number)
        return self._shared.composer.forking(rng, split, hops, key)

    @property
    def graph(self) -> Graph:
        """The graph that tasks are composed from: it knows every answer."""
        return self._shared.composer.graph

    def pictured(self, made: Composed) -> tuple[Task, Gold]:
        """Return a composed task with its question picture, and its gold."""
        if made.probe is None:
            return made.task, made.gold
        return replace(made.task, pictures=(self._cut(made.probe),)), made.gold

    def _compose(self, key: str) -> Composed:
        """Return the task of a key; where its draws find none, the split's spare one under this key."""
        split, number = key.split("/")[1], int(key.rsplit("/", 1)[1])
        return self._draw(split, number, key) or self._draw(split, self._spare[split], key) or self._gone(key)

    def _draw(self, split: str, number: int, key: str) -> Composed | None:
        return self._shared.composer.task(self._level, split, self._hops, 0, "generated", number, key=key)

    def _first(self, split: str) -> int | None:
        """Return the first number that gives a task, or None when a few numbers give none."""
        if split not in SPLITS:
            return None
        return next((n for n in range(3) if self._draw(split, n, "generated/none") is not None), None)

    def _gone(self, key: str) -> Composed:
        raise TaskError(
            "ME-TASK-01", f"the task {key} cannot be composed any more", expected="the same snapshot"
        )

    def _cut(self, probe: Probe) -> Picture:
        """Return a question picture: a part of a stored picture, a little smaller than it was."""
        whole = self._shared.pictures[probe.entity]
        left, top, right, bottom = probe.box
        across, down = whole.width, whole.height
        box = (left * across // 1000, top * down // 1000, right * across // 1000, bottom * down // 1000)
        part = self._shared.images.crop(whole, box)
        return self._shared.images.reduced(part, max(part.width, part.height) * probe.percent // 100)

    def _nothing(self, split: str | None) -> TaskError:
        if split is not None and split not in SPLITS:
            return TaskError(
                "ME-TASK-04", f"there is no split {shorten(split)} of generated tasks",
                expected="split=" + ", ".join(SPLITS), nearest=nearest(split.lower(), SPLITS),
                fix="Choose one of them, or leave split= out for all three",
            )  # fmt: skip
        least, most = self._hops
        return TaskError(
            "ME-TASK-04",
            f"no {self._level} task of {least} to {most} hops can be composed in {split or 'any split'!r}",
            expected="a larger world or a wider difficulty=",
            fix="Choose another split= or difficulty=, or make a larger world (mosaic world make --entities …)",
        )  # fmt: skip
