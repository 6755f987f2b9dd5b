"""A world's stored task set: both levels and all splits, drawn one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from mosaic_env.tasks.compose.composed import Composed
from mosaic_env.tasks.compose.composer import Composer
from mosaic_env.tasks.compose.graph import Graph
from mosaic_env.tasks.compose.splits import SPLITS
from mosaic_env.tasks.levels import DEFAULT_HOPS, HOPS

#: How many of ten stored tasks belong to each split.
_TENTHS = {"train": 6, "val": 2, "test": 2}
#: Most stored tasks with the same target in a level.
_MOST_PER_TARGET = 2
#: A set is complete when so many draws in a row gave nothing new.
_PATIENCE = 40


def compose_tasks(
    graph: Graph, world: str, seed: int, *, level1: int = 120, level2: int = 80
) -> list[Composed]:
    """Compose a task set, every task proved.

    Args:
        world: Name of the world the tasks are about.
        level1, level2: Most tasks of each level; a small graph may give fewer.
    Returns: Tasks by key, each once; those of a smaller set are among those of a larger one.
    Determinism: a pure function of the arguments.
    Cost: a few milliseconds a task.
    """
    composer = Composer(graph, world)
    made: list[Composed] = []
    for level, limit in (("interlv-l1", level1), ("interlv-l2", level2)):
        for split in SPLITS:
            wanted = -(-limit * _TENTHS[split] // 10)
            # Where texts say little (``paper`` worlds), only the easier tasks can be proved.
            tried = (
                islice(_drawn(composer, level, split, seed, hops[level]), wanted)
                for hops in (DEFAULT_HOPS, HOPS)
            )
            made += next((found for found in map(list, tried) if found), [])
    return sorted(made, key=lambda task: task.task.key)


def _drawn(
    composer: Composer, level: str, split: str, seed: int, hops: tuple[int, int]
) -> Iterator[Composed]:
    """Yield different tasks until none is found any more."""
    known: set[str] = set()
    targets: Counter[str] = Counter()
    number = vain = 0
    while vain < _PATIENCE:
        task = composer.task(level, split, hops, seed, "stored", number)
        number += 1
        if task is None or task.task.key in known or targets[task.gold.target] >= _MOST_PER_TARGET:
            vain += 1 if task is not None else _PATIENCE // 4
            continue
        vain = 0
        known.add(task.task.key)
        targets[task.gold.target] += 1
        yield task
