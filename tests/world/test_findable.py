"""In a larger world, too, a text that speaks of somebody by name is found by that name."""

from __future__ import annotations

from mosaic_env.index.textual import TextQuery
from mosaic_env.tasks.compose import Composer
from mosaic_env.world.config import WorldConfig
from mosaic_env.world.generate import make_world
from mosaic_env.world.make import graph_of
from tests.index.random_world import index_of


def test_hops_are_found_among_half_namesakes() -> None:
    """With words and n-grams alone 32 of these hops were crowded out by those who share half of the name."""
    config = WorldConfig(12_000, 7)
    world = make_world(config)
    index, row = index_of(world.entities), {entity.key: n for n, entity in enumerate(world.entities)}
    composer = Composer(graph_of(world), config.name)
    made = [composer.task("interlv-l1", "train", (2, 2), 1, number) for number in range(200)]
    hops = [hop for task in made if task is not None for hop in task.gold.chain if hop.head]
    found = index.search([TextQuery(hop.query, 15) for hop in hops])
    lost = [hop for hop, (rows, _) in zip(hops, found, strict=True) if row[hop.tail] not in rows]
    assert len(hops) == 400 and len(lost) <= 4, lost[:3]
