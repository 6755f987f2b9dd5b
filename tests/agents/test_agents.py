"""Agents: the oracle is right everywhere and wrong as soon as something it needs is taken away."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import mosaic_env  # noqa: F401
from mosaic_env.agents.base import AGENTS, play, play_all
from mosaic_env.agents.oracle import UNKNOWN, OracleAgent
from mosaic_env.agents.simple import NullAgent, RandomAgent, ScriptedAgent
from mosaic_env.core.errors import RegistryError, TaskError
from mosaic_env.core.types import Hits, Search
from mosaic_env.envs.episode import Episode
from mosaic_env.index.world import World
from mosaic_env.tasks.snapshot_tasks import SnapshotTasks
from tests.agents.conftest import Bundled

LEVELS = ["InterLV-L1-v0", "InterLV-L2-v0"]


def oracle_episodes(env: gym.Env[Any, Any]) -> list[Episode]:
    """Play every task of an environment with the oracle."""
    inner: Any = env.unwrapped
    return play_all(env, OracleAgent(inner), inner.task_keys)


def share(episodes: Sequence[Episode], tag: str = "") -> float:
    """Return the share of right answers, among tasks with a tag."""
    chosen = [episode.success for episode in episodes if not tag or tag in episode.task.tags]
    assert len(chosen) > 5
    return sum(chosen) / len(chosen)


# --- the oracle ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("memory", ["none", "policy"])
@pytest.mark.parametrize("env_id", LEVELS)
def test_the_oracle_is_right_everywhere(bundled: Bundled, env_id: str, memory: str) -> None:
    episodes = oracle_episodes(bundled(env_id, memory=memory))
    assert share(episodes) == 1.0 and len(episodes) >= 80
    assert all(step.failure == ("", "") for episode in episodes for step in episode.steps)


@pytest.mark.parametrize("env_id", LEVELS)
def test_without_pictures_it_knows_nothing(bundled: Bundled, env_id: str) -> None:
    episodes = oracle_episodes(bundled(env_id, image_obs=False))
    assert share(episodes) == 0.0 and {episode.answer for episode in episodes} == {UNKNOWN}


@pytest.mark.parametrize("env_id", LEVELS)
def test_without_the_search_that_shows_pictures_it_knows_nothing(bundled: Bundled, env_id: str) -> None:
    assert share(oracle_episodes(bundled(env_id, disabled_tools=["local_text_search_with_image"]))) == 0.0


def test_without_image_search_no_task_that_begins_with_a_picture_is_solved(bundled: Bundled) -> None:
    episodes = oracle_episodes(bundled("InterLV-L2-v0", disabled_tools=["local_image_search"]))
    assert share(episodes, "initial_visual_probed") == 0.0
    others = [episode for episode in episodes if "initial_visual_probed" not in episode.task.tags]
    assert share(others) == 1.0


def without(world: World, key: str) -> Callable[[World, Sequence[Search]], list[Hits]]:
    """Return a search that never finds an entity."""
    whole, row = World.search, world.kb.rows[key]

    def search(self: World, searches: Sequence[Search]) -> list[Hits]:
        found = []
        for hits in whole(self, searches):
            kept = [number for number, other in enumerate(hits.rows) if other != row]
            rows, scores = (tuple(values[n] for n in kept) for values in (hits.rows, hits.scores))
            found.append(Hits(rows, scores, hits.matched_on, hits.vector))
        return found

    return search


@pytest.mark.parametrize("env_id", LEVELS)
@pytest.mark.parametrize("which", ["first", "last"])
def test_without_the_entity_of_one_hop_it_fails(
    bundled: Bundled, env_id: str, which: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = bundled(env_id)
    inner: Any = env.unwrapped
    agent = OracleAgent(inner)
    for key in inner.task_keys[::8]:
        chain = inner.setup.source.get(key)[1].chain
        missing = chain[0 if which == "first" else -1].tail
        with monkeypatch.context() as patch:
            patch.setattr(World, "search", without(inner.world, missing))
            episode = play(env, agent, seed=0, task=key)
        assert not episode.success and episode.answer == UNKNOWN, key
        assert play(env, agent, seed=0, task=key).success


def test_it_reads_scenes_of_attached_pictures_only(bundled: Bundled, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    scene = SnapshotTasks.scene

    def noting(self: SnapshotTasks, digest: str) -> Any:
        asked.append(digest)
        return scene(self, digest)

    monkeypatch.setattr(SnapshotTasks, "scene", noting)
    env = bundled("InterLV-L2-v0")
    inner: Any = env.unwrapped
    for key in inner.task_keys[:10]:
        asked.clear()
        episode = play(env, OracleAgent(inner), seed=0, task=key)
        seen = [episode.first, *(step.observation for step in episode.steps)]
        attached = {item.picture.digest for one in seen for item in one.shown}
        assert asked and set(asked) <= attached


def test_it_never_reads_the_answer(bundled: Bundled, monkeypatch: pytest.MonkeyPatch) -> None:
    """With gold that says something else, it still says what the picture shows."""
    env = bundled("InterLV-L1-v0")
    inner: Any = env.unwrapped
    key = inner.task_keys[0]
    told = play(env, OracleAgent(inner), seed=0, task=key).answer
    get = SnapshotTasks.get

    def other(self: SnapshotTasks, key: str) -> Any:
        task, gold = get(self, key)
        return task, dataclasses.replace(gold, answer="another", aliases=("another",))

    monkeypatch.setattr(SnapshotTasks, "get", other)
    episode = play(env, OracleAgent(inner), seed=0, task=key)
    assert episode.answer == told and not episode.success


def test_tasks_without_a_chain_are_answered_all_the_same(tiny: Path) -> None:
    env = gym.make("InterLV-L1-v0", snapshot=str(tiny), tasks="tests.envs.toy:toy-hundred")
    episode = play(env, OracleAgent(env.unwrapped), seed=0)  # type: ignore[arg-type]
    assert episode.answer == UNKNOWN and len(episode.steps) == 1


# --- agents without knowledge ----------------------------------------------------------------------------------


@pytest.mark.parametrize("env_id", LEVELS)
def test_the_random_agent_depends_on_seed_and_task_alone(bundled: Bundled, env_id: str) -> None:
    env = bundled(env_id, corpus="closed")
    inner: Any = env.unwrapped
    keys = list(inner.task_keys[:6])
    first = [play(env, RandomAgent(inner, 3), seed=0, task=key).digest for key in keys]
    agent = RandomAgent(inner, 3)
    backwards = [play(env, agent, seed=0, task=key).digest for key in reversed(keys)]
    assert backwards[::-1] == first and len(set(first)) == len(first)
    other = [play(env, RandomAgent(inner, 4), seed=0, task=key).digest for key in keys]
    assert not set(other) & set(first)


def test_the_random_agent_plays_every_tool(bundled: Bundled) -> None:
    env = bundled("InterLV-L2-v0", corpus="closed", memory="none", interactions=20)
    inner: Any = env.unwrapped
    episodes = play_all(env, RandomAgent(inner, 0), inner.task_keys[:30])
    used = {call.tool for episode in episodes for step in episode.steps for call in step.calls}
    assert used == {schema["name"] for schema in inner.tool_schemas("interlv")}
    assert all(episode.finished for episode in episodes) and share(episodes) < 0.2


def test_the_random_agent_without_tools_or_pictures(tiny: Path) -> None:
    env = gym.make("InterLV-L1-v0", snapshot=str(tiny), tools=[])
    assert play(env, RandomAgent(env.unwrapped), seed=0).finished  # type: ignore[arg-type]


@pytest.mark.parametrize("env_id", LEVELS)
def test_the_null_agent_ends_and_scores_nothing(tiny: Path, env_id: str) -> None:
    env = gym.make(env_id, snapshot=str(tiny))
    episode = play(env, NullAgent(env.unwrapped), seed=0)  # type: ignore[arg-type]
    assert episode.finished and episode.reward == 0.0 and episode.answer is None
    assert {step.action for step in episode.steps} == {""} and episode.steps[-1].truncated


def test_scripts_end_with_an_empty_answer(tiny: Path) -> None:
    env = gym.make("InterLV-L1-v0", snapshot=str(tiny))
    episode = play(env, ScriptedAgent(["<query>x</query>"]), seed=0)
    assert [step.action for step in episode.steps] == ["<query>x</query>", "<done></done>"]
    assert episode.answer == "" and episode.steps[-1].terminated and not episode.success


def test_scripts_are_played_again_from_their_start(tiny: Path) -> None:
    env = gym.make("InterLV-L1-v0", snapshot=str(tiny))
    agent = ScriptedAgent(
        [{"name": "local_text_search", "arguments": {"query": "Velden"}}, "<done>red</done>"]
    )
    first, again = (play(env, agent, seed=0) for _ in range(2))
    assert first.digest == again.digest and first.success and first.steps[0].structured


def test_scripts_longer_than_the_budget_are_cut(tiny: Path) -> None:
    env = gym.make("InterLV-L1-v0", snapshot=str(tiny))
    episode = play(env, ScriptedAgent(["nothing"] * 50), seed=0)
    assert len(episode.steps) == 4 and episode.answer == "nothing"


# --- playing -------------------------------------------------------------------------------------------------------


def test_play_with_a_task_and_a_seed(bundled: Bundled) -> None:
    env = bundled("InterLV-L1-v0")
    inner: Any = env.unwrapped
    agent = ScriptedAgent(["<done>x</done>"])
    key = inner.task_keys[5]
    episode = play(env, agent, seed=11, task=key)
    assert (episode.task.key, episode.seed, episode.env_id) == (key, (11, 0), "InterLV-L1-v0")
    assert play(env, agent, seed=11, task=key).digest == episode.digest
    drawn = [play(env, agent, seed=11).task.key, play(env, agent).task.key, play(env, agent).task.key]
    assert drawn == [play(env, agent, seed=11).task.key, play(env, agent).task.key, play(env, agent).task.key]
    assert len(set(drawn)) > 1
    with pytest.raises(TaskError, match="ME-TASK-01"):
        play(env, agent, task="mosaic-l1/none")


def test_play_all_keeps_the_order(bundled: Bundled) -> None:
    env = bundled("InterLV-L1-v0")
    keys = list(env.unwrapped.task_keys)[3:0:-1]  # type: ignore[attr-defined]
    assert [episode.task.key for episode in play_all(env, ScriptedAgent([]), keys, seed=2)] == keys


def test_agents_see_what_trainers_see(tiny: Path) -> None:
    class Watching(ScriptedAgent):
        def begin(self, env: Any, observation: dict[str, Any], info: dict[str, Any]) -> None:
            super().begin(env, observation, info)
            self.seen = [(observation["text"], info["phase"])]

        def act(self, observation: dict[str, Any], info: dict[str, Any]) -> Any:
            self.seen.append((observation["text"], info["phase"]))
            return super().act(observation, info)

    env = gym.make("InterLV-L2-v0", snapshot=str(tiny))
    agent = Watching(["<query>Ashgrove</query>", "- found it", "<done>blue</done>"])
    episode = play(env, agent, seed=0)
    assert episode.success and [phase for _, phase in agent.seen] == ["act", "act", "memory", "act"]
    texts = [episode.first.text, episode.first.text, *(step.observation.text for step in episode.steps[:-1])]
    assert [text for text, _ in agent.seen] == texts


def test_agents_by_name() -> None:
    assert list(AGENTS) == ["null", "oracle", "random"]
    assert AGENTS.get("oracle") is OracleAgent and AGENTS.get("null") is NullAgent
    with pytest.raises(RegistryError, match=r"Nearest: oracle.*ME-REGISTRY-01"):
        AGENTS.get("orcale")


def test_gold_stays_with_the_oracle(bundled: Bundled) -> None:
    """What the oracle writes and sees holds the chain's words, never the notes of the gold."""
    env = bundled("InterLV-L2-v0")
    inner: Any = env.unwrapped
    episode = play(env, OracleAgent(inner), seed=0, task=inner.task_keys[0])
    gold = inner.setup.source.get(episode.task.key)[1]
    line = episode.to_line()
    assert gold.notes and not any(note in line for note in gold.notes.values())
    assert json.dumps(gold.notes["ask"]) not in line
