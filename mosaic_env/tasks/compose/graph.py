"""The graph that tasks are composed from: entities with nouns and years, edges, scenes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from mosaic_env.snapshot.kb import Entity, Relation

Scene = Mapping[str, Any]
#: Relations that say the same, read in some direction: a question means all of them.
_SAME = (
    {("P22", False), ("P40", True)}, {("P22", True), ("P40", False)},
    {("P36", False), ("P1376", True)}, {("P36", True), ("P1376", False)},
    {("P155", False), ("P156", True)}, {("P155", True), ("P156", False)},
    {("P84", False), ("P287", False)}, {("P84", True), ("P287", True)},
    {("P26", False), ("P26", True)}, {("P47", False), ("P47", True)}, {("P190", False), ("P190", True)},
)  # fmt: skip
_WORD = re.compile(r"\w+")


def plain_words(text: str) -> str:
    """Return the words of a text in lower case, with one space around each."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


@dataclass(frozen=True)
class Node:
    """An entity as composition sees it.

    Args:
        nouns: What it may be called, the most general first.
        year: Year of birth, release or foundation; 0 when unknown.
        words: Its description and text, as ``plain_words``.
    """

    key: str
    label: str
    nouns: tuple[str, ...]
    year: int
    words: str

    def names(self, label: str) -> bool:
        """Tell whether its text names a label."""
        return plain_words(label) in self.words


class Graph:
    """Entities, edges and scenes.

    Args:
        triples: (head, relation, tail).
        scenes: What the picture of each pictured entity shows, by key.
        nouns, years: By entity key.
    """

    def __init__(
        self,
        entities: Iterable[Entity],
        relations: Iterable[Relation],
        triples: Iterable[tuple[str, str, str]],
        scenes: Mapping[str, Scene],
        nouns: Mapping[str, tuple[str, ...]],
        years: Mapping[str, int],
    ) -> None:
        entities = sorted(entities, key=lambda entity: entity.key)
        self.nodes: dict[str, Node] = {
            e.key: Node(
                e.key, e.label, nouns[e.key], years.get(e.key, 0), plain_words(f"{e.description} {e.text}")
            )
            for e in entities
        }
        self.relations = {relation.id: relation for relation in relations}
        self.scenes = dict(sorted(scenes.items()))
        self._edges: dict[tuple[str, str, bool], list[str]] = {}
        for head, relation, tail in sorted(triples):
            self._edges.setdefault((head, relation, False), []).append(tail)
            self._edges.setdefault((tail, relation, True), []).append(head)
        self._links: dict[str, list[tuple[str, bool]]] = {}
        for key, relation, inverse in sorted(self._edges):
            self._links.setdefault(key, []).append((relation, inverse))

    @cached_property
    def by_label(self) -> Mapping[str, tuple[str, ...]]:
        """Keys of the entities with each label, case folded."""
        found: dict[str, list[str]] = {}
        for node in self.nodes.values():
            found.setdefault(node.label.casefold(), []).append(node.key)
        return {label: tuple(keys) for label, keys in found.items()}

    def links(self, key: str) -> list[tuple[str, bool]]:
        """Return the (relation, inverse) pairs along which an entity has neighbours."""
        return self._links.get(key, [])

    def neighbours(self, key: str, relation: str, *, inverse: bool) -> tuple[str, ...]:
        """Return the other ends of a relation, and of relations that say the same, by key."""
        same = _READINGS.get((relation, inverse), ((relation, inverse),))
        return tuple(sorted({end for r, i in same for end in self._edges.get((key, r, i), ())}))

    def adjacent(self, first: str, second: str) -> bool:
        """Tell whether any relation joins two entities."""
        return any(second in self._edges[(first, r, i)] for r, i in self.links(first))

    @cache  # noqa: B019 - a graph lives as long as its tasks are composed
    def crowd(self, label: str) -> int:
        """Return how many entities have a text that names a label: what a search for it has to tell apart."""
        return sum(node.names(label) for node in self.nodes.values())

    def says(self, phrase: str) -> bool:
        """Tell whether any label, description or text holds a phrase."""
        return plain_words(phrase) in self._everything

    @cached_property
    def _everything(self) -> str:
        return "|".join(plain_words(node.label) + "|" + node.words for node in self.nodes.values())


_READINGS = {pair: tuple(sorted(group)) for group in _SAME for pair in group}
