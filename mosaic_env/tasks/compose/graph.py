"""The graph that tasks are composed from: entities with nouns and years, edges, scenes.

Everything a task needs is looked up: what follows a relation, which texts name an entity, what a picture can
be asked and what other pictures of its kind answer. Nothing here depends on the order it is asked in.
"""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mosaic_env.core.errors import TaskError
from mosaic_env.snapshot.kb import Entity, Relation
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.tasks.compose.asking import sayable_ask
from mosaic_env.tasks.compose.phrases import PICTURES
from mosaic_env.tasks.compose.scene_query import Ask, answer, asks
from mosaic_env.tasks.compose.texts import Texts, plain_words

__all__ = ["Graph", "Node", "Scene", "plain_words"]

Scene = Mapping[str, Any]
#: Relations that say the same, read in some direction: a question means all of them.
_SAME = (
    {("P22", False), ("P40", True)}, {("P22", True), ("P40", False)},
    {("P36", False), ("P1376", True)}, {("P36", True), ("P1376", False)},
    {("P155", False), ("P156", True)}, {("P155", True), ("P156", False)},
    {("P84", False), ("P287", False)}, {("P84", True), ("P287", True)},
    {("P26", False), ("P26", True)}, {("P47", False), ("P47", True)}, {("P190", False), ("P190", True)},
)  # fmt: skip
AskKey = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Node:
    """An entity as composition sees it.

    Args:
        nouns: What it may be called, the most general first.
        year: Year of birth, release or foundation; 0 when unknown.
        words: Its description and text, as ``plain_words``.
        plain: Its label, as ``plain_words``.
    """

    key: str
    label: str
    nouns: tuple[str, ...]
    year: int
    words: str
    plain: str

    def names(self, other: Node) -> bool:
        """Tell whether its text names another entity."""
        return other.plain in self.words


class Graph:
    """Entities, edges and scenes.

    Args:
        triples: (head, relation, tail).
        scenes: What the picture of each pictured entity shows, by key. Those with a ``flaw`` and those of a
            kind without words are left out: nobody asks about them, and they never decide anything.
        nouns, years: By entity key; entities without nouns take no part.
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
        self.nodes: dict[str, Node] = {
            e.key: Node(
                e.key, e.label, nouns[e.key], years.get(e.key, 0),
                plain_words(f"{e.description} {e.text}"), plain_words(e.label),
            )
            for e in sorted(entities, key=lambda entity: entity.key)
            if nouns.get(e.key) and e.label
        }  # fmt: skip
        self.relations = {relation.id: relation for relation in relations}
        self.scenes: dict[str, Scene] = {
            key: scene for key, scene in sorted(scenes.items()) if key in self.nodes and sound(scene)
        }
        self._edges: dict[tuple[str, str, bool], list[str]] = {}
        self._joined: dict[str, set[str]] = {}
        for head, relation, tail in sorted(triples):
            if head in self.nodes and tail in self.nodes:
                self._edges.setdefault((head, relation, False), []).append(tail)
                self._edges.setdefault((tail, relation, True), []).append(head)
                self._joined.setdefault(head, set()).add(tail)
                self._joined.setdefault(tail, set()).add(head)
        self._links: dict[str, list[tuple[str, bool]]] = {}
        for key, relation, inverse in sorted(self._edges):
            self._links.setdefault(key, []).append((relation, inverse))
        self._near: dict[tuple[str, str, bool], tuple[str, ...]] = {}

    @classmethod
    def of_snapshot(cls, snapshot: Snapshot) -> Graph:
        """Return the graph of an opened snapshot.

        Raises: TaskError (ME-TASK-04) when its builder did not know what composing needs (official data).
        Cost: reads all texts, triples and scenes; about 0.1 ms an entity.
        """
        things = snapshot.private.things() if snapshot.has_private else {}
        if not things:
            raise TaskError(
                "ME-TASK-04",
                "tasks cannot be generated on this snapshot: it does not say what its entities are called "
                "and what its pictures show",
                expected="a snapshot of a generated world (mosaic world make)",
                fix="Leave tasks= out to play the tasks that the snapshot has, or pass another snapshot=",
            )
        kb, by_digest = snapshot.public.kb, snapshot.private.scenes()
        shown = {p.entity: p.picture.digest for p in reversed(kb.stored_pictures)}
        owners = Counter(shown.values())
        scenes = {k: by_digest[d] for k, d in shown.items() if d in by_digest and owners[d] == 1}
        keys = kb.keys
        return cls(
            (kb.entity(row) for row in range(len(kb))),
            kb.relations.values(),
            ((keys[head], relation, keys[tail]) for head, relation, tail in kb.triples),
            scenes,
            {key: thing.nouns for key, thing in things.items()},
            {key: thing.year for key, thing in things.items()},
        )

    def with_scenes(self, changed: Mapping[str, Scene]) -> Graph:
        """Return the graph of the same world with other pictures of some entities that have one.

        What pictures of a kind can answer stays as it was: a changed picture answers what others did before.
        """
        other = copy.copy(self)
        other.scenes = {**self.scenes, **changed}
        shown = Counter(self._shown)
        for key, scene in changed.items():
            shown[_content(self.scenes[key])] -= 1
            shown[_content(scene)] += 1
        other.__dict__["_shown"], other.__dict__["values"] = shown, self.values
        return other

    # --- edges ------------------------------------------------------------------------------------

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
        place = (key, relation, inverse)
        found = self._near.get(place)
        if found is None:
            same = _READINGS.get((relation, inverse), ((relation, inverse),))
            ends = {end for r, i in same for end in self._edges.get((key, r, i), ())}
            found = self._near[place] = tuple(sorted(ends))
        return found

    def adjacent(self, first: str, second: str) -> bool:
        """Tell whether any relation joins two entities."""
        return second in self._joined.get(first, ())

    @cached_property
    def dated(self) -> Mapping[tuple[str, int], int]:
        """How many entities each noun and year fit together."""
        return Counter((noun, node.year) for node in self.nodes.values() for noun in node.nouns)

    # --- texts ------------------------------------------------------------------------------------

    @cached_property
    def _texts(self) -> Texts:
        return Texts([node.words for node in self.nodes.values()])

    @cached_property
    def _labels(self) -> Texts:
        return Texts([node.plain for node in self.nodes.values()])

    def crowd(self, node: Node) -> int:
        """Return how many entities have a text that names a node: what a search for it has to tell apart."""
        return self._texts.count(node.plain)

    def says(self, phrase: str) -> bool:
        """Tell whether any label, description or text holds a phrase."""
        plain = plain_words(phrase)
        return self._texts.count(plain) + self._labels.count(plain) > 0

    # --- pictures ---------------------------------------------------------------------------------

    @cached_property
    def of_kind(self) -> Mapping[str, tuple[str, ...]]:
        """Keys of the entities with each kind of picture."""
        found: dict[str, list[str]] = {}
        for key, scene in self.scenes.items():
            found.setdefault(scene["kind"], []).append(key)
        return {kind: tuple(keys) for kind, keys in found.items()}

    @cached_property
    def values(self) -> Mapping[tuple[str, AskKey], tuple[str, ...]]:
        """The different answers that the pictures of a kind give to an ask, sorted."""
        found: dict[tuple[str, AskKey], set[str]] = {}
        for scene in self.scenes.values():
            for ask in asks(scene):
                value = answer(scene, ask)
                if value is not None:
                    found.setdefault((scene["kind"], ask_key(ask)), set()).add(value)
        return {place: tuple(sorted(values)) for place, values in found.items()}

    def constant(self, kind: str, ask: Ask) -> bool:
        """Tell whether every picture of a kind that answers an ask gives the same answer."""
        return len(self.values.get((kind, ask_key(ask)), ())) < 2

    def askable(self, key: str) -> list[tuple[Ask, str]]:
        """Return what can soundly be asked about an entity's picture, with the answers, in a fixed order."""
        scene = self.scenes[key]
        found: list[tuple[Ask, str]] = []
        for ask in asks(scene):
            value = answer(scene, ask)
            if value is None or not sayable_ask(ask) or self.constant(scene["kind"], ask):
                continue
            if not self.says(value):
                found.append((ask, value))
        return found

    def twins(self, key: str) -> int:
        """Return how many pictures show the same as an entity's picture, itself included."""
        return self._shown[_content(self.scenes[key])]

    @cached_property
    def _shown(self) -> Counter[str]:
        return Counter(_content(scene) for scene in self.scenes.values())


def sound(scene: Scene) -> bool:
    """Tell whether a picture may be asked about: no flaw in it, and words for its kind."""
    return not scene.get("flaw") and scene["kind"] in PICTURES


def ask_key(ask: Ask) -> AskKey:
    """Return an ask as something that can be a key."""
    return tuple(sorted(ask.items()))


def _content(scene: Scene) -> str:
    """Return what a picture shows, without how it is drawn."""
    return json.dumps([scene["kind"], scene["things"], scene["lettering"]], sort_keys=True)


_READINGS = {pair: tuple(sorted(group)) for group in _SAME for pair in group}
