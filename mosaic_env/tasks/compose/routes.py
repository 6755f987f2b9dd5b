"""Steps that denote one entity: by a noun, when that is not enough by a year or a second relation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from mosaic_env.tasks.compose.graph import Graph
from mosaic_env.tasks.compose.phrases import RELATIONS
from mosaic_env.tasks.compose.steps import DATED, Relate

#: Relations that say the same both ways; the unused lead to classes, occupations and genres, which nobody pictures.
_SYMMETRIC = ("P26", "P47", "P190")
_UNUSED = ("P31", "P106", "P136")
#: Too general to say what is meant.
VAGUE = ("person",)


def sayable(relation: str, *, inverse: bool) -> bool:
    """Tell whether there are words for a relation in a direction."""
    if relation in _UNUSED:
        return False
    return (relation, inverse) in RELATIONS or (
        relation in _SYMMETRIC and (relation, not inverse) in RELATIONS
    )


def nouns_of(graph: Graph, key: str) -> list[str]:
    """Return what an entity may be called in a question."""
    nouns = graph.nodes[key].nouns
    return [noun for noun in nouns if noun not in VAGUE] or list(nouns)


@dataclass(frozen=True, slots=True)
class Into:
    """A hop as seen from its end.

    Args:
        near: The entity the hop starts from.
        relation, inverse: As read from ``near``.
        sure: A noun or a year is enough to mean its end alone.
    """

    near: str
    relation: str
    inverse: bool
    sure: bool = False


def pointed(
    graph: Graph, rng: Random, hop: Into, *, key: str, second: bool, general: bool = False
) -> Relate | None:
    """Return a step along a hop that denotes ``key`` alone: by its noun, its year, or a second relation.

    Args:
        second: Allow a second relation.
        general: Take the most general noun that does, be it "person".
    """
    near, relation, inverse = hop.near, hop.relation, hop.inverse
    ends = [graph.nodes[end] for end in graph.neighbours(near, relation, inverse=inverse)]
    nouns = list(graph.nodes[key].nouns) if general else nouns_of(graph, key)
    if not general:
        rng.shuffle(nouns)
    for noun in nouns:
        plain = Relate(relation, inverse, noun)
        narrower = _narrower(graph, rng, plain, key, near, second=second)
        for step in (plain, *narrower) if len(ends) > 1 else (plain,):
            if [end.key for end in ends if step.fits(graph, end)] == [key]:
                return step
    return None


def _narrower(
    graph: Graph, rng: Random, plain: Relate, key: str, near: str, *, second: bool
) -> Iterator[Relate]:
    node = graph.nodes[key]
    if plain.noun in DATED and node.year:
        yield Relate(plain.relation, plain.inverse, plain.noun, year=node.year)
    links = [link for link in graph.links(key) if link[0] != plain.relation] if second else []
    rng.shuffle(links)
    for relation, inverse in links[:3]:
        others = [other for other in graph.neighbours(key, relation, inverse=inverse) if other != near]
        if others and sayable(relation, inverse=not inverse):
            other = graph.nodes[rng.choice(others)]
            if node.names(other):
                also = (relation, not inverse, other.label)
                yield Relate(plain.relation, plain.inverse, plain.noun, also=also)
