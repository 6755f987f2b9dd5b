"""Both levels together, as a world's task set."""

from __future__ import annotations

from mosaic_env.tasks.compose.composed import Composed
from mosaic_env.tasks.compose.graph import Graph
from mosaic_env.tasks.compose.level1 import compose_level1
from mosaic_env.tasks.compose.level2 import compose_level2


def compose_tasks(
    graph: Graph, world: str, seed: int, *, level1: int = 120, level2: int = 80
) -> list[Composed]:
    """Compose a task set.

    Args:
        world: Name of the world the tasks are about.
        level1, level2: Most tasks of each level; a small graph may give fewer.
    Returns: Tasks by key, each once.
    Determinism: a pure function of the arguments.
    Cost: a few milliseconds a task.
    """
    made = compose_level1(graph, world, seed, level1) + compose_level2(graph, world, seed, level2)
    return list({task.task.key: task for task in sorted(made, key=lambda m: m.task.key)}.values())
