"""A model that is really served plays through every agent; the same run from its recording, server off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import mosaic_env  # noqa: F401 - registers the ids
from mosaic_env.agents.base import play
from mosaic_env.agents.model_agent import agent_options, make_agent
from mosaic_env.agents.models.open import ModelSpec, open_model
from mosaic_env.core.errors import ModelError
from mosaic_env.envs.episode import Episode, read_episodes, write_episodes
from tests.acceptance.served_model import ServedModel, missing

EPISODES = 20
AGENTS = ("interlv", "react", "direct")
#: Short on purpose: the model reads and writes a few dozen tokens a second on a CPU.
SHORT: dict[str, Any] = {"tools": ["local_text_search"], "interactions": 2}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[ServedModel]:
    if absent := missing():
        pytest.skip(f"no model can be served here; not installed: {absent}")
    server = ServedModel(tmp_path / "server.log")
    yield server
    server.stop()


def run(spec: ModelSpec) -> list[Episode]:
    """Play the first Level 1 tasks with every agent around one model."""
    model, episodes = open_model(spec), []
    for name in AGENTS:
        env: Any = gym.make("InterLV-L1-v0", **{**SHORT, **agent_options(name)})
        agent = make_agent(name, model, settings=spec.settings)(env.unwrapped)
        for task in env.unwrapped.task_keys[:EPISODES]:
            episodes.append(play(env, agent, seed=0, task=task))
    return episodes


@pytest.mark.slow
@pytest.mark.served
def test_a_served_model_plays_and_its_run_replays_with_the_server_off(
    served: ServedModel, tmp_path: Path
) -> None:
    spec = ModelSpec(
        "SmolLM2-135M-Instruct", served.url, vision=False, record_to=str(tmp_path / "answers"),
        settings={"temperature": 0.8, "max_tokens": 24, "seed": 1},
    )  # fmt: skip
    live = run(spec)
    served.stop()
    with pytest.raises(ModelError, match="could not be reached"):
        run(replace(spec, record_to=str(tmp_path / "empty"), attempts=1))
    again = run(replace(spec, record_to="", replay_from=spec.record_to))
    assert [e.digest for e in again] == [e.digest for e in live] and again == live
    write_episodes(tmp_path / "episodes.jsonl", live)
    assert list(read_episodes(tmp_path / "episodes.jsonl")) == live
    print(told(live))
    assert Counter(e.notes["agent"] for e in live) == dict.fromkeys(AGENTS, EPISODES)
    assert all(e.finished for e in live)
    assert all(int(e.notes["prompt_tokens"]) > 0 for e in live)
    failures = Counter(step.failure for e in live for step in e.steps)
    assert not [by for _, by in failures if by == "env"]
    assert failures["bad_action", "policy"] > 0  # malformed outputs were met, and answered


def told(episodes: list[Episode]) -> str:
    """Say what was played: for the log of the test."""
    lines = []
    for name in AGENTS:
        own = [e for e in episodes if e.notes["agent"] == name]
        total = {key: sum(int(e.notes[key]) for e in own) for key in ("requests", "cut", "prompt_tokens")}
        failures = Counter(step.failure[0] or "none" for e in own for step in e.steps)
        lines.append(f"{name}: {sum(e.success for e in own)} right of {len(own)}; {total}; {dict(failures)}")
    return "\n".join(lines)
