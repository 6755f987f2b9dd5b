"""What a split can ask, indexed: asks by type and answer, and the hops that stay inside the split.

Drawn evenly on purpose: first the type, then what is asked about, mostly things with many possible answers,
then the answer, then a picture that gives it. So no answer is frequent, and no guess from the question pays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from random import Random

from mosaic_env.tasks.compose.graph import AskKey, Graph, ask_key
from mosaic_env.tasks.compose.proofs import MOST_NAMING
from mosaic_env.tasks.compose.routes import Into, pointed, sayable
from mosaic_env.tasks.compose.scene_query import Ask
from mosaic_env.tasks.compose.splits import split_of
from mosaic_env.tasks.levels import HOPS

#: Wanted share of each type of question.
SHARES = {
    "colour": 0.26, "count": 0.18, "object": 0.14, "lettering": 0.1, "spatial": 0.1, "pattern": 0.08, "shape": 0.07,
    "facial": 0.07,
}  # fmt: skip
#: How much more often a thing with many possible answers is asked about.
_VARIETY = 3
#: Longer walks are not composed.
_DEEPEST = max(most for _, most in HOPS.values())
#: A type with fewer targets than this is drawn less often.
_ENOUGH = 30


@dataclass(frozen=True)
class _Slot:
    """Something that can be asked of a kind of picture, and who answers what, by answer."""

    ask: Ask
    values: tuple[str, ...]
    targets: Mapping[str, tuple[str, ...]]


class Pool:
    """The asks and hops of one split.

    Args:
        split: Only entities of it are targets or bridges. What a question merely names to start from may be of any
            split in val and test; in train it is of train, so that training touches nothing held out.
        walked: Only targets at the end of a walk of two hops and more (Level 2).

    Cost: one pass over the graph.
    """

    def __init__(self, graph: Graph, split: str, *, walked: bool) -> None:
        self._graph = graph
        self.keys = tuple(key for key in graph.nodes if split_of(key) == split)
        members = frozenset(self.keys)
        self._named = {key: self._hops_into(key, members if split == "train" else None) for key in self.keys}
        self._into = {
            key: tuple(hop for hop in hops if hop.near in members) for key, hops in self._named.items()
        }
        slots: dict[tuple[str, str, AskKey], tuple[Ask, dict[str, list[str]]]] = {}
        for key in self.keys:
            for ask, value in graph.askable(key) if self._is_target(key, walked=walked) else ():
                place = (ask["type"], graph.scenes[key]["kind"], ask_key(ask))
                slots.setdefault(place, (ask, {}))[1].setdefault(value, []).append(key)
        self._depths: dict[str, int] = {}
        self._slots: dict[str, list[_Slot]] = {}
        for place in sorted(slots):
            ask, found = slots[place]
            by_value = {value: tuple(found[value]) for value in sorted(found)}
            self._slots.setdefault(place[0], []).append(_Slot(ask, tuple(by_value), by_value))
        self._weights = {
            kind: list(accumulate(len(slot.values) ** _VARIETY for slot in group))
            for kind, group in self._slots.items()
        }
        self.types = tuple(sorted(self._slots))
        self._type_weights = list(accumulate(SHARES[kind] * self._room(kind) for kind in self.types))

    def _room(self, kind: str) -> float:
        """Return how far a type can have its share without asking about the same few pictures."""
        targets = {key for slot in self._slots[kind] for keys in slot.targets.values() for key in keys}
        return min(1.0, len(targets) / _ENOUGH)

    def draw_type(self, rng: Random) -> str:
        """Return a type of question."""
        return rng.choices(self.types, cum_weights=self._type_weights)[0]

    def draw_ask(self, rng: Random, kind: str) -> tuple[str, Ask]:
        """Return a target and what to ask about its picture."""
        slot = rng.choices(self._slots[kind], cum_weights=self._weights[kind])[0]
        return rng.choice(slot.targets[rng.choice(slot.values)]), slot.ask

    def depth(self, key: str) -> int:
        """Return the most hops, up to five, after which a walk can end at an entity."""
        if key not in self._depths:
            self._depths[key] = self._deepest([key])
        return self._depths[key]

    def _deepest(self, path: list[str]) -> int:
        hops = len(path) - 1
        if hops == _DEEPEST:
            return hops
        best = hops + any(hop.near not in path for hop in self._named[path[-1]])
        for near in {hop.near: None for hop in self._into[path[-1]]}:
            if near not in path:
                best = max(best, self._deepest([*path, near]))
            if best == _DEEPEST:
                break
        return best

    def __contains__(self, key: object) -> bool:
        return key in self._into

    def into(self, key: str) -> Sequence[Into]:
        """Return the hops that lead to an entity from others of the split and that an agent can find."""
        return self._into[key]

    def named(self, key: str) -> Sequence[Into]:
        """Return the hops that lead to an entity from what a question may name: those of ``into`` and more."""
        return self._named[key]

    def _is_target(self, key: str, *, walked: bool) -> bool:
        """Tell whether a picture can be asked about: some way leads to it."""
        if key not in self._graph.scenes:
            return False
        if not walked:
            return bool(self._named[key])
        before = (self._named[hop.near] for hop in self._into[key] if hop.sure)
        return any(hop.near != key for hops in before for hop in hops)

    def _hops_into(self, key: str, members: frozenset[str] | None) -> tuple[Into, ...]:
        """Return the hops from some entities, or from all, that an agent can find."""
        graph = self._graph
        return tuple(
            self._rated(Into(near, relation, not inverse), key)
            for relation, inverse in graph.links(key)
            if sayable(relation, inverse=not inverse)
            for near in graph.neighbours(key, relation, inverse=inverse)
            if (members is None or near in members) and findable(graph, near, key)
        )

    def _rated(self, hop: Into, key: str) -> Into:
        """Return a hop that says whether it is sure."""
        step = pointed(self._graph, Random(0), hop, key=key, second=False)  # noqa: S311 - nothing is drawn
        return replace(hop, sure=step is not None)


def findable(graph: Graph, head: str, tail: str) -> bool:
    """Tell whether a text leads from one entity to another: by its own words, or found by name among few."""
    first, second = graph.nodes[head], graph.nodes[tail]
    return first.names(second) or (second.names(first) and graph.crowd(first) <= MOST_NAMING)
