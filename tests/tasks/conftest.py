"""A world of the bundled size as data, and composers over it; nothing is drawn."""

from __future__ import annotations

import pytest

from mosaic_env.tasks.compose import Composed, Composer, Graph
from mosaic_env.tasks.compose.splits import SPLITS
from mosaic_env.tasks.levels import HOPS
from mosaic_env.world.config import WorldConfig
from mosaic_env.world.generate import WorldData, make_world
from mosaic_env.world.make import graph_of


@pytest.fixture(scope="package")
def world() -> WorldData:
    """A world of 2,000 entities."""
    return make_world(WorldConfig(2000, 7))


@pytest.fixture(scope="package")
def graph(world: WorldData) -> Graph:
    """Its graph."""
    return graph_of(world)


@pytest.fixture(scope="package")
def composer(graph: Graph) -> Composer:
    """Composes over it."""
    return Composer(graph, "mosaic-2000-7")


@pytest.fixture(scope="package")
def drawn(composer: Composer) -> dict[tuple[str, str], list[Composed]]:
    """Tasks on demand by level and split: 100 of each."""
    found = {}
    for level, hops in HOPS.items():
        for split in SPLITS:
            tasks = [composer.task(level, split, hops, 0, number) for number in range(100)]
            found[level, split] = [task for task in tasks if task is not None]
    return found
