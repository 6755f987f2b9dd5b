"""Choosing what to ask so that types and answers stay balanced: no constant guess pays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

from mosaic_env.tasks.compose.graph import Graph
from mosaic_env.tasks.compose.scene_query import Ask, answer

#: Wanted share of each type of question.
SHARES = {
    "colour": 0.28,
    "count": 0.2,
    "object": 0.14,
    "lettering": 0.1,
    "spatial": 0.08,
    "pattern": 0.08,
    "shape": 0.06,
    "facial": 0.06,
}


class Balance:
    """Remembers what was asked and orders asks so that the rarest types and answers come first."""

    def __init__(self) -> None:
        self._types: Counter[str] = Counter()
        self._answers: Counter[tuple[str, str]] = Counter()

    def ordered(self, rng: Random, graph: Graph, key: str, asks: Iterable[Ask]) -> list[Ask]:
        """Return asks about an entity's picture, the most wanted first."""
        scene = graph.scenes[key]
        pool = list(asks)
        rng.shuffle(pool)
        return sorted(pool, key=lambda ask: self._weight(ask, str(answer(scene, ask))))

    def _weight(self, ask: Ask, value: str) -> float:
        return (
            (self._types[ask["type"]] + 1)
            / SHARES[ask["type"]]
            * (1 + 0.5 * self._answers[(ask["type"], value)])
        )

    def note(self, ask: Ask, value: str) -> None:
        """Count an ask that became a task."""
        self._types[ask["type"]] += 1
        self._answers[(ask["type"], value)] += 1
