"""Cues: what a picture shows that no other candidate's picture shows, nor anything like it."""

from __future__ import annotations

from random import Random

from mosaic_env.tasks.compose.graph import Graph, Scene
from mosaic_env.tasks.compose.phrases import sayable_cue
from mosaic_env.tasks.compose.scene_query import ATTRIBUTES, Ask, answer, asks
from mosaic_env.tasks.compose.steps import Cue

_TYPES = ("colour", "count", "shape", "pattern", "facial", "object")


def cue_for(graph: Graph, rng: Random, picked: str, others: list[str]) -> Cue | None:
    """Return a cue that is true of one picture and of no other, or None."""
    scene, rest = graph.scenes[picked], [graph.scenes[other] for other in others]
    possible = [ask for ask in asks(scene) if ask["type"] in _TYPES and sayable_cue(ask)]
    rng.shuffle(possible)
    # First what the others show as well, in another way: then the pictures have to be compared.
    possible.sort(key=lambda ask: -sum(answer(other, ask) is not None for other in rest))
    for ask in possible:
        value = answer(scene, ask)
        if value is not None and not any(alike(scene, other, ask, value) for other in rest):
            return Cue(ask, value)
    return None


def alike(scene: Scene, other: Scene, ask: Ask, value: str) -> bool:
    """Tell whether a second picture could be taken for what a cue says of the first.

    Things that play the same part count as the same: a black coat is close to a black jacket.
    """
    if answer(other, ask) == value:
        return True
    role = next((t["role"] for t in scene["things"] if t["name"] == ask.get("thing") and "role" in t), None)
    attribute = ATTRIBUTES.get(ask["type"], "")
    return role is not None and any(
        t.get("role") == role and str(t.get(attribute)) == value for t in other["things"]
    )
