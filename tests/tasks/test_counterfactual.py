"""Counterfactual pairs: one thing of a gold picture is another, and so is the answer; the rest stays as it was."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from itertools import chain
from typing import Any

import numpy as np
import pytest
from PIL import Image

from mosaic_env.tasks.compose import Composed, Composer, Graph
from mosaic_env.tasks.compose.counterfactual import (
    Counterfactual,
    attribute_changed,
    cue_changed,
    edited,
    other_values,
)
from mosaic_env.tasks.compose.graph import ask_key
from mosaic_env.tasks.compose.proofs import check
from mosaic_env.tasks.compose.steps import Cue
from mosaic_env.tasks.levels import HOPS
from mosaic_env.world.draw import draw
from mosaic_env.world.generate import WorldData
from tests.tasks.brute import Known, look

Pair = tuple[Composed, Counterfactual]


@pytest.fixture(scope="module")
def attributes(graph: Graph, drawn: dict[tuple[str, str], list[Composed]]) -> list[Pair]:
    tasks = list(chain.from_iterable(drawn.values()))[::4]
    pairs = [(task, attribute_changed(graph, task, 0)) for task in tasks]
    found = [(task, other) for task, other in pairs if other is not None]
    assert len(found) > 0.8 * len(tasks)
    return found


@pytest.fixture(scope="module")
def cues(graph: Graph, composer: Composer) -> list[Pair]:
    tasks = (composer.task("interlv-l2", "train", HOPS["interlv-l2"], 0, "cue", n) for n in range(700))
    found = ((task, cue_changed(graph, task, 0)) for task in tasks if task is not None)
    return [(task, other) for task, other in found if other is not None]


def changes(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[tuple[Any, Any]]:
    """Return the entries that differ; everything else of two scenes has to be equal."""
    assert {**one, "things": 0, "lettering": 0} == {**other, "things": 0, "lettering": 0}
    found = []
    for part in ("things", "lettering"):
        found += [(a, b) for a, b in zip(one[part], other[part], strict=True) if a != b]
    return found


def known(world: WorldData, scenes: Mapping[str, Any]) -> Known:
    labels = {entity.key: entity.label for entity in world.entities}
    return Known(world.triples, labels, world.nouns, world.years, {**world.scenes, **scenes})


def test_an_attribute_of_the_target_is_another(graph: Graph, attributes: list[Pair]) -> None:
    for task, other in attributes:
        assert other.kind == "attribute" and list(other.scenes) == [task.gold.target]
        scene = graph.scenes[task.gold.target]
        ((before, after),) = changes(scene, other.scenes[task.gold.target])
        assert len([name for name in before if before[name] != after[name]]) == 1
        assert other.made.task.question == task.task.question and other.made.task.key != task.task.key
        assert (other.made.path, other.made.steps) == (task.path, task.steps)
        assert other.made.gold.answer != task.gold.answer
        assert other.made.gold.answer in graph.values[scene["kind"], ask_key(task.ask)]


def test_a_cue_moves_and_the_walk_branches_off(graph: Graph, cues: list[Pair]) -> None:
    assert len(cues) >= 8
    for task, other in cues:
        assert other.kind == "cue" and len(other.scenes) == 2
        for key, scene in other.scenes.items():
            assert len(changes(graph.scenes[key], scene)) == 1
        assert other.made.gold.target != task.gold.target and other.made.gold.answer != task.gold.answer
        assert other.made.path[0] == task.path[0] and other.made.path != task.path
        assert other.made.task.question == task.task.question
        left, taken = set(task.path) - set(other.made.path), set(other.made.path) - set(task.path)
        assert any(key in other.scenes for key in left) and any(key in other.scenes for key in taken)


def test_everything_is_proved_again_on_the_changed_graph(
    graph: Graph, world: WorldData, attributes: list[Pair], cues: list[Pair]
) -> None:
    for task, other in [*attributes[::5], *cues[:10]]:
        now = graph.with_scenes(other.scenes)
        assert not check(now, other.made)
        assert check(now, task) and check(graph, other.made), "each gold is wrong in the other world"
        tables = known(world, other.scenes)
        steps, ask = json.loads(other.made.gold.notes["steps"]), json.loads(other.made.gold.notes["ask"])
        assert tables.walk(steps, task.path[0])[-1] == {other.made.gold.target} == {ask.pop("of")}
        assert look(tables.scenes[other.made.gold.target], ask) == [other.made.gold.answer]
        assert tables.cue_needed(steps, task.path[0])
        assert not tables.removable(steps, task.path[0], other.made.gold.target)


def test_pairs_are_a_pure_function_of_their_arguments(graph: Graph, attributes: list[Pair]) -> None:
    before = json.dumps(graph.scenes, sort_keys=True)
    for task, other in attributes[:20]:
        assert attribute_changed(graph, task, 0) == other
    others = [attribute_changed(graph, task, 1) for task, _ in attributes]
    assert any(
        one.made.gold.answer != two.made.gold.answer
        for (_, one), two in zip(attributes, others, strict=False)
        if two
    )
    assert json.dumps(graph.scenes, sort_keys=True) == before, "the graph itself never changes"


def test_a_task_without_a_cue_has_no_pivot_to_change(graph: Graph, attributes: list[Pair]) -> None:
    for task, _ in attributes:
        if not any(isinstance(step, Cue) for step in task.steps):
            assert cue_changed(graph, task, 0) is None


def test_a_value_that_stands_in_the_scene_is_never_taken(graph: Graph, attributes: list[Pair]) -> None:
    from random import Random

    for task, _ in attributes[:60]:
        scene = graph.scenes[task.gold.target]
        shown = json.dumps(scene)
        for value in other_values(graph, Random(1), task.gold.target, task.ask):
            assert f'"{value}"' not in shown
            assert look(edited(scene, task.ask, value), task.ask) == [value]


def test_every_changed_scene_can_be_drawn_and_looks_different(graph: Graph, attributes: list[Pair]) -> None:
    """One of each kind of picture, of as many types as there are: drawing is what takes long here."""
    seen: dict[str, Pair] = {}
    types: set[str] = set()
    for task, other in attributes:
        kind = graph.scenes[task.gold.target]["kind"]
        if kind not in seen and (task.ask["type"] not in types or len(types) > 5):
            seen[kind] = (task, other)
            types.add(task.ask["type"])
    assert len(seen) >= 8 and len(types) >= 5
    for place, (task, other) in seen.items():
        one, two = pixels(graph.scenes[task.gold.target]), pixels(other.scenes[task.gold.target])
        assert one.shape == two.shape
        share = float((np.abs(one - two).max(axis=2) > 40).mean())
        assert 0.0005 < share < 0.9, (place, task.ask, task.gold.answer, other.made.gold.answer, share)


def pixels(scene: Mapping[str, Any]) -> Any:
    return np.asarray(Image.open(io.BytesIO(draw(scene))).convert("RGB"), np.int32)
