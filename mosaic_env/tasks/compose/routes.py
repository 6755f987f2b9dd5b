"""Steps that denote one entity: by a noun, when that is not enough by a year or a second relation."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from mosaic_env.tasks.compose.graph import Graph
from mosaic_env.tasks.compose.phrases import RELATIONS
from mosaic_env.tasks.compose.steps import DATED, Relate

#: Relations that say the same both ways; the unused lead to classes, occupations and genres, which nobody pictures.
_SYMMETRIC = ("P26", "P47", "P190")
_UNUSED = ("P31", "P106", "P136")


def sayable(relation: str, *, inverse: bool) -> bool:
    """Tell whether there are words for a relation in a direction."""
    if relation in _UNUSED:
        return False
    return (relation, inverse) in RELATIONS or (
        relation in _SYMMETRIC and (relation, not inverse) in RELATIONS
    )


def pointed(graph: Graph, rng: Random, near: str, relation: str, *, inverse: bool, key: str) -> Relate | None:
    """Return a step from ``near`` that denotes ``key`` alone: by its noun, its year, or a second relation."""
    node = graph.nodes[key]
    nouns = [noun for noun in node.nouns if noun != "person"]
    rng.shuffle(nouns)
    for noun in nouns:
        plain = Relate(relation, inverse, noun)
        for step in (plain, *_narrower(graph, rng, plain, key, near)):
            ends = graph.neighbours(near, relation, inverse=inverse)
            if [end for end in ends if step.fits(graph, graph.nodes[end])] == [key]:
                return step
    return None


def _narrower(graph: Graph, rng: Random, plain: Relate, key: str, near: str) -> Iterator[Relate]:
    node = graph.nodes[key]
    if plain.noun in DATED:
        yield Relate(plain.relation, plain.inverse, plain.noun, year=node.year)
    links = [link for link in graph.links(key) if link[0] != plain.relation]
    rng.shuffle(links)
    for relation, inverse in links[:3]:
        others = [other for other in graph.neighbours(key, relation, inverse=inverse) if other != near]
        if others and sayable(relation, inverse=not inverse):
            label = graph.nodes[rng.choice(others)].label
            if node.names(label):
                yield Relate(plain.relation, plain.inverse, plain.noun, also=(relation, not inverse, label))
