"""Playing many tasks at once gives the bytes of the environment; faults on purpose do what they say."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import pytest

import mosaic_env  # noqa: F401
from mosaic_env.agents.base import play
from mosaic_env.agents.oracle import OracleAgent
from mosaic_env.agents.simple import NullAgent, RandomAgent
from mosaic_env.core.types import Gold, Hits, Search
from mosaic_env.envs.actions import format_answer
from mosaic_env.evals.quality.cases import spread
from mosaic_env.evals.quality.controls import (
    CONTROLS,
    image_tools_off,
    pictures_off,
    random_rows,
    without_hop,
)
from mosaic_env.evals.quality.play import play_tasks
from tests.evals.conftest import Open


class Cheat:
    """Knows the answer without tools."""

    def __init__(self, env: Any) -> None:
        self._env = env

    def begin(self, env: Any, observation: Any, info: Any) -> None:
        pass

    def act(self, observation: Any, info: Any) -> str:
        return format_answer(self._env.gold.answer)


class Slow(Cheat):
    """Answers only when the budget is spent."""

    def act(self, observation: Any, info: Any) -> str:
        return format_answer(self._env.gold.answer) if info["phase"] == "answer_only" else "<query>x</query>"


@pytest.mark.parametrize("env_id", ["InterLV-L1-v0", "InterLV-L2-v0"])
@pytest.mark.parametrize("agent", [OracleAgent, RandomAgent, NullAgent])
def test_every_step_is_that_of_the_environment(env_id: str, agent: Any) -> None:
    env = gym.make(env_id, snapshot="bundled")
    setup = env.unwrapped.setup  # type: ignore[attr-defined]
    keys = spread(setup.source.keys(), 6)
    played = play_tasks(setup, keys, agent)
    assert list(played) == keys
    for key in keys:
        episode = play(env, agent(env.unwrapped), seed=0, task=key)
        assert played[key].steps == episode.steps
        assert played[key].right == episode.success


def test_an_answer_after_the_budget_solves_nothing(planted: Open) -> None:
    setup = planted("sound")
    late = play_tasks(setup, ["sound/00"], Slow)["sound/00"]
    assert (late.right, late.in_budget, late.solved) == (True, False, False)
    assert play_tasks(setup, ["sound/00"], Cheat)["sound/00"].solved


def test_who_knows_the_answer_passes_every_control(planted: Open) -> None:
    """So a control that is passed says that answers do not come from the tools."""
    setup = planted("sound")
    for control in CONTROLS:
        change = control.change(setup.world.kb)
        assert play_tasks(control.setup(setup), ["sound/03"], Cheat, change=change)["sound/03"].right


def test_faults_change_what_they_say(planted: Open) -> None:
    setup = planted("sound")
    assert not pictures_off(setup).config.image_obs
    assert setup.config.image_obs
    assert "local_text_search" in image_tools_off(setup).engine.tools
    assert "local_text_search_with_image" not in image_tools_off(setup).engine.tools
    kb, gold = setup.world.kb, setup.source.get("sound/05")[1]
    search = Search("text", "x", 5)
    rows = tuple(kb.rows[hop.tail] for hop in gold.chain)
    hits = Hits((*rows, 0, 1), (9, 8, 7, 6))
    kept = without_hop(kb)(gold, 1, search, hits)
    assert len(kept.rows) == len(kept.scores) == 3
    assert len(set(rows) & set(kept.rows)) == 1
    assert without_hop(kb)(gold, 2, search, hits) == kept  # the same hop in every search
    drawn = random_rows(kb)(gold, 1, search, hits)
    assert len(set(drawn.rows)) == 4
    assert drawn.scores == hits.scores
    assert random_rows(kb)(gold, 1, search, hits) == drawn != random_rows(kb)(gold, 2, search, hits)
    assert without_hop(kb)(Gold("k", "a"), 1, search, hits).rows == hits.rows  # no chain, no hop
