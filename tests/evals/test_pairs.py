"""Pairs from generated tasks: one question, two worlds that differ in a picture or two, two answers."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any

import gymnasium as gym
import pytest

import mosaic_env  # noqa: F401
from mosaic_env.agents.base import play
from mosaic_env.agents.oracle import OracleAgent
from mosaic_env.core.errors import ConfigError, TaskError
from mosaic_env.envs.core import SearchEnv
from mosaic_env.envs.setup import Setup
from mosaic_env.envs.vector import SearchVectorEnv
from mosaic_env.evals.quality.counterfactual import OneTask, Pair, check_pair, overlaid
from mosaic_env.evals.quality.difference import Paired
from mosaic_env.evals.quality.pair_audit import PairLine, audit_pairs, by_chance
from mosaic_env.evals.quality.pairs import make_pairs
from tests.evals.conftest import Open
from tests.world.processes import in_processes

_PAIRS = (
    "import gymnasium as gym, mosaic_env\n"
    "from mosaic_env.evals.quality.pairs import make_pairs\n"
    "setup = gym.make('InterLV-L2-v0', tasks='generated', split='train').unwrapped.setup\n"
    "for pair in make_pairs(setup, 4):\n"
    "    for side in (pair.original, pair.changed):\n"
    "        task, gold = side.source.get(pair.key)\n"
    "        print(pair.kind, side.world.id, task.digest, gold.digest)"
)


def setup_of(env_id: str = "InterLV-L2-v0", **options: Any) -> Setup:
    setup: Setup = gym.make(env_id, **{"tasks": "generated", "split": "train", **options}).unwrapped.setup  # type: ignore[attr-defined]
    return setup


@pytest.fixture(scope="module")
def setup() -> Setup:
    return setup_of()


@pytest.fixture(scope="module")
def made(setup: Setup) -> list[Pair]:
    return list(make_pairs(setup, 10))


def test_both_kinds_are_made_and_only_touched_pictures_differ(setup: Setup, made: list[Pair]) -> None:
    assert len(made) == 10 and {pair.kind for pair in made} == {"attribute", "cue"}
    stored = setup.world.kb.stored_pictures
    for pair in made:
        check_pair(pair)
        assert pair.original.world is setup.world and pair.changed.world.id != setup.world.id
        now = pair.changed.world.kb.stored_pictures
        touched = [two.entity for one, two in zip(stored, now, strict=True) if one != two]
        (task, gold), (again, other) = (side.source.get(pair.key) for side in (pair.original, pair.changed))
        assert task == again and gold.answer != other.answer
        if pair.kind == "attribute":
            assert touched == [gold.target] == [other.target]
        else:
            chains = [{hop.tail for hop in one.chain} for one in (gold, other)]
            assert len(touched) == 2 and all(set(touched) & chain for chain in chains)
            assert gold.target != other.target
    assert setup.world.kb.stored_pictures == stored


def test_fewer_pairs_are_the_first_of_more_and_another_seed_gives_others(
    setup: Setup, made: list[Pair]
) -> None:
    assert [pair.changed.world.id for pair in make_pairs(setup, 3)] == [
        pair.changed.world.id for pair in made[:3]
    ]
    questions = {(pair.changed.world.id, pair.changed.source.get(pair.key)[0].question) for pair in made}
    assert len(questions) == len(made)
    others = [pair.changed.world.id for pair in islice(make_pairs(setup, 10, seed=1), 3)]
    assert not set(others) & {pair.changed.world.id for pair in made}


def test_pairs_are_the_same_in_every_process() -> None:
    first, second = in_processes(_PAIRS)
    assert first == second and len(first.splitlines()) == 8


def test_each_side_is_an_environment(made: list[Pair]) -> None:
    for pair in made[:4]:
        for side in (pair.original, pair.changed):
            env = SearchEnv(side)
            episode = play(env, OracleAgent(env), seed=0)
            assert episode.success and episode.answer == side.source.get(pair.key)[1].answer
            assert (episode.task.key, episode.world) == (pair.key, side.world.id)
    many = SearchVectorEnv(made[0].changed, 2)
    _, info = many.reset(seed=0)
    assert list(info["task"]) == [made[0].key] * 2
    with pytest.raises(ConfigError, match="together with split="):
        SearchEnv(made[0].changed, split="train")


def test_the_oracle_gets_both_and_who_does_not_look_gets_none(made: list[Pair]) -> None:
    seen: list[tuple[str, int, int]] = []
    report = audit_pairs(
        made, agents={"mine": OracleAgent}, environment="E", progress=lambda *said: seen.append(said)
    )
    lines = {line.name: line for line in report.lines}
    assert list(lines) == ["oracle", "constant guess", "question only", "text only", "mine"]
    assert lines["oracle"].counts == lines["mine"].counts == Paired(10, 0, 0, 0)
    assert (lines["oracle"].verdict, lines["mine"].verdict) == ("pass", "")
    assert all(lines[name].counts.both == 0 for name in ("constant guess", "question only", "text only"))
    assert 0 < report.chance <= 0.5 and report.failed == ()
    assert sum(report.pairs.values()) == 10 and lines["oracle"].kinds.keys() == report.pairs.keys()
    assert seen[-1] == ("mine", 10, 10)
    assert report.as_dict()["lines"][0]["share"] == 1.0


@pytest.mark.parametrize(
    ("both", "verdict"), [(0, "pass"), (20, "pass"), (40, "unclear"), (45, "unclear"), (90, "fail")]
)
def test_the_bar_without_sight_is_the_square_of_chance(both: int, verdict: str) -> None:
    line = PairLine("blind", "", Paired(both, 0, 0, 1000 - both), {}, 0.0, 0.0, "", "")
    judged = by_chance(line, 0.2)
    assert (judged.verdict, judged.bar) == (verdict, "≤ 4.00 %")


def test_a_picture_that_did_not_change_fails_the_oracle(planted: Open) -> None:
    setup = planted("sound")
    task, gold = setup.source.get("sound/07")
    stale = OneTask(task, replace(gold, answer="violet"), {}, setup.source)
    report = audit_pairs([Pair(task.key, setup, overlaid(setup, setup.world, stale))])
    assert report.failed == ("oracle",)


def test_what_has_no_pairs_says_so(setup: Setup) -> None:
    assert list(make_pairs(setup, 0)) == []
    with pytest.raises(TaskError, match="composed from"):
        next(make_pairs(setup_of(tasks=None), 1))
    level1 = setup_of("InterLV-L1-v0")
    with pytest.raises(TaskError, match="No counterfactual pair of the kind 'cue'"):
        next(make_pairs(level1, 1, "cue"))
    assert [pair.kind for pair in make_pairs(level1, 2)] == ["attribute"] * 2
