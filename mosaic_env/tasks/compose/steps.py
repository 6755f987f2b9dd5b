"""What a question denotes: a start and steps that lead from sets of entities to sets of entities.

Every reading counts: a name stands for all entities so labelled, a relation for all relations that
say the same. A question is sound when each step leaves exactly one entity.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mosaic_env.tasks.compose.graph import Graph, Node
from mosaic_env.tasks.compose.scene_query import Ask, answer

#: Nouns that a year can stand before: the texts of such entities always state it.
DATED = ("film", "album", "painting")


@dataclass(frozen=True)
class Named:
    """Start from whatever has a label."""

    label: str

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {"named": self.label}


@dataclass(frozen=True)
class Shown:
    """Start from the entity whose picture is attached to the question; it is a ``noun``."""

    key: str
    noun: str

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {"shown": 1, "noun": self.noun}


@dataclass(frozen=True)
class Relate:
    """Go along a relation to a noun.

    Args:
        year: Only those of that year; 0 for any.
        also: A second relation they must have, as (relation, inverse, label of its other end), or ``()``.
    """

    relation: str
    inverse: bool
    noun: str
    year: int = 0
    also: tuple[str, bool, str] | tuple[()] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {"relation": self.relation, "inverse": self.inverse, "noun": self.noun, "year": self.year,
                "also": list(self.also)}  # fmt: skip

    def fits(self, graph: Graph, node: Node) -> bool:
        """Tell whether an entity at the other end is meant."""
        if self.noun not in node.nouns or (self.year and node.year != self.year):
            return False
        if not self.also:
            return True
        relation, inverse, label = self.also
        others = graph.by_label.get(label.casefold(), ())
        return any(node.key in graph.neighbours(other, relation, inverse=inverse) for other in others)


@dataclass(frozen=True)
class Cue:
    """Keep the entities whose picture answers an ask with a value."""

    ask: Ask
    value: str

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {"cue": dict(self.ask), "value": self.value}


Step = Named | Shown | Relate | Cue


def denote(graph: Graph, steps: Sequence[Step], start: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return the set of entities after each step, as sorted keys.

    Args:
        start: Entities that the first step goes on from, when it is no start itself.
    """
    sets: list[tuple[str, ...]] = []
    current = start
    for step in steps:
        current = _after(graph, current, step)
        sets.append(current)
    return sets


def _after(graph: Graph, current: tuple[str, ...], step: Step) -> tuple[str, ...]:
    if isinstance(step, Named):
        return graph.by_label.get(step.label.casefold(), ())
    if isinstance(step, Shown):
        return (step.key,)
    if isinstance(step, Cue):
        return tuple(
            k for k in current if k in graph.scenes and answer(graph.scenes[k], step.ask) == step.value
        )
    ends = {end for key in current for end in graph.neighbours(key, step.relation, inverse=step.inverse)}
    return tuple(sorted(end for end in ends if step.fits(graph, graph.nodes[end])))


def as_plain(steps: Sequence[Step]) -> list[Mapping[str, Any]]:
    """Return steps as plain data."""
    return [step.as_dict() for step in steps]
