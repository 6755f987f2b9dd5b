"""Uniqueness, proved again by other code: every question means one entity, one answer, and needs all its hops."""

from __future__ import annotations

import json
import re

import pytest

from mosaic_env.tasks.compose import Composed
from mosaic_env.world.generate import WorldData
from tests.tasks.brute import Known, look

Drawn = dict[tuple[str, str], list[Composed]]


@pytest.fixture(scope="module")
def known(world: WorldData) -> Known:
    labels = {entity.key: entity.label for entity in world.entities}
    return Known(world.triples, labels, world.nouns, world.years, world.scenes)


def level(drawn: Drawn, name: str) -> list[Composed]:
    return [task for (found, _), tasks in drawn.items() if found == name for task in tasks]


@pytest.mark.parametrize("name", ["interlv-l1", "interlv-l2"])
def test_300_questions_mean_one_entity_and_one_answer(drawn: Drawn, known: Known, name: str) -> None:
    tasks = level(drawn, name)
    assert len(tasks) == 300
    for task in tasks:
        steps, ask = json.loads(task.gold.notes["steps"]), json.loads(task.gold.notes["ask"])
        sets = known.walk(steps, task.path[0])
        assert sets[-1] == {task.gold.target} == {ask.pop("of")}, task.task.question
        for number, found in enumerate(sets):
            before_cue = number + 1 < len(steps) and "cue" in steps[number + 1]
            assert len(found) == 1 or before_cue, task.task.question
        assert known.cue_needed(steps, task.path[0]), task.task.question
        assert look(known.scenes[task.gold.target], ask) == [task.gold.answer], task.task.question


@pytest.mark.parametrize("name", ["interlv-l1", "interlv-l2"])
def test_no_hop_of_300_questions_can_be_left_out(drawn: Drawn, known: Known, name: str) -> None:
    for task in level(drawn, name):
        steps = json.loads(task.gold.notes["steps"])
        assert not known.removable(steps, task.path[0], task.gold.target), task.task.question


def test_the_words_say_what_the_steps_mean(drawn: Drawn, world: WorldData) -> None:
    for name in ("interlv-l1", "interlv-l2"):
        for task in level(drawn, name):
            asked = task.task.question
            for step in json.loads(task.gold.notes["steps"]):
                if "named" in step:
                    assert step["named"] in asked
                elif "relation" in step:
                    assert re.search(rf"\b{step['noun']}\b", asked)
                    assert not step["year"] or f"{step['year']} {step['noun']}" in asked
                    assert not step["also"] or step["also"][2] in asked


def test_the_checker_notices_what_is_wrong(drawn: Drawn, known: Known) -> None:
    """A checker that finds nothing on broken tasks would prove nothing."""
    noticed = 0
    for task in level(drawn, "interlv-l2"):
        steps = json.loads(task.gold.notes["steps"])
        cues = [n for n, step in enumerate(steps) if "cue" in step]
        if cues:
            without = [step for n, step in enumerate(steps) if n != cues[0]]
            noticed += len(known.walk(without, task.path[0])[cues[0] - 1]) > 1
        hops = [n for n, step in enumerate(steps) if "relation" in step]
        doubled = [*steps, {**steps[hops[-1]], "relation": "P0"}]
        assert known.walk(doubled, task.path[0])[-1] == set()
        looped = [steps[0], {**steps[hops[0]], "relation": "P0"}, *steps[1:]]
        assert known.walk(looped, task.path[0])[-1] != {task.gold.target}
    assert noticed > 60
