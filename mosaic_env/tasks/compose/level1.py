"""Level 1, Search-to-VQA: a target described by its relations, and a question to its picture."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from mosaic_env.core.seeds import python_random
from mosaic_env.tasks.compose.build import build
from mosaic_env.tasks.compose.choose import Balance
from mosaic_env.tasks.compose.composed import Composed
from mosaic_env.tasks.compose.graph import Graph
from mosaic_env.tasks.compose.proofs import check
from mosaic_env.tasks.compose.routes import pointed, sayable
from mosaic_env.tasks.compose.scene_query import asks
from mosaic_env.tasks.compose.steps import Named, Relate, Step
from mosaic_env.tasks.compose.wording import level1_question

LEVEL = "interlv-l1"
_TRIES = 12
#: Share of tasks for which routes over a third entity are tried before direct ones.
_LONGER = 0.7

Route = tuple[tuple[Step, ...], tuple[str, ...]]


def compose_level1(graph: Graph, world: str, seed: int, limit: int) -> list[Composed]:
    """Compose Level 1 tasks, at most two a target, every one proved.

    Returns: At most ``limit`` tasks, in the order they were found.
    Determinism: a pure function of the arguments.
    """
    balance = Balance()
    made: list[Composed] = []
    targets = list(graph.scenes)
    python_random(seed, "level1", "targets").shuffle(targets)
    for turn in (0, 1):
        for target in targets:
            if len(made) >= limit:
                return made
            found = _one(graph, world, python_random(seed, "level1", target, turn), target, balance)
            if found is not None:
                made.append(found)
    return made


def _one(graph: Graph, world: str, rng: Random, target: str, balance: Balance) -> Composed | None:
    routes = list(_routes(graph, rng, target))
    rng.shuffle(routes)
    # Mostly the longer routes: they ask for a search before the search.
    longer_first = rng.random() < _LONGER
    routes.sort(key=lambda route: -len(route[1]) if longer_first else len(route[1]))
    for steps, path in routes[:_TRIES]:
        for ask in balance.ordered(rng, graph, target, asks(graph.scenes[target]))[:4]:
            question, template = level1_question(rng, graph, steps, ask, target)
            made = build(graph, world, LEVEL, steps, path, ask, question, template)
            if not check(graph, made):
                balance.note(ask, made.gold.answer)
                return made
    return None


def _routes(graph: Graph, rng: Random, target: str) -> Iterator[Route]:
    """Yield ways to describe a target: from a named neighbour, or from a neighbour's neighbour."""
    for last, near in _into(graph, rng, target):
        yield (Named(graph.nodes[near].label), last), (near, target)
        for first, far in _into(graph, rng, near):
            if far != target and not first.also:
                yield (Named(graph.nodes[far].label), first, last), (far, near, target)


def _into(graph: Graph, rng: Random, key: str) -> Iterator[tuple[Relate, str]]:
    """Yield steps that lead to exactly one entity from a neighbour, with that neighbour."""
    for relation, inverse in graph.links(key):
        if not sayable(relation, inverse=not inverse):
            continue
        for near in graph.neighbours(key, relation, inverse=inverse):
            step = pointed(graph, rng, near, relation, inverse=not inverse, key=key)
            if step is not None:
                yield step, near
