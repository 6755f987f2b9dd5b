"""Faults below an environment, and states that are none: observations and clear errors, never half a step."""

from __future__ import annotations

import copy
import shutil
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import mosaic_env  # noqa: F401
from mosaic_env.core.errors import ConfigError, CorruptError, EpisodeError, TaskError
from mosaic_env.snapshot.locate import find_snapshot

LOOK = '<tool name="local_text_search_with_image">{"query": "Velden"}</tool>'


@pytest.fixture
def broken(tiny: Path, tmp_path: Path) -> Path:
    """A copy of the tiny snapshot; tests take files away while it is open."""
    shutil.copytree(tiny, tmp_path / "broken")
    return tmp_path / "broken"


def take_away(folder: Path) -> None:
    shutil.rmtree(folder / "objects")


def test_a_picture_that_vanished_is_an_observation(broken: Path) -> None:
    env = gym.make("InterLV-L1-v0", snapshot=str(broken))
    env.reset(seed=0)
    take_away(broken)
    observation, reward, terminated, truncated, info = env.step(LOOK)
    assert "pictures that could not be read: " in observation["text"] and observation["images"] == ()
    assert str(broken) not in str(observation) + str(info) and "objects/" not in str(observation)
    assert info["failure"] == {"kind": "picture_fault", "by": "env"} and info["interaction"] == 1
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert env.step("<done>red</done>")[1] == 1.0


def test_one_broken_episode_does_not_lose_the_round(broken: Path) -> None:
    env: Any = gym.make_vec("InterLV-L1-v0", num_envs=3, snapshot=str(broken))
    env.reset(seed=0)
    take_away(broken)
    _, rewards, terminated, _, infos = env.step([LOOK, "<done>red</done>", LOOK])
    assert infos["failure"]["kind"].tolist() == ["picture_fault", "", "picture_fault"]
    assert rewards.tolist() == [0.0, 1.0, 0.0] and terminated.tolist() == [False, True, False]


def test_a_question_without_its_picture_is_not_begun(tmp_path: Path) -> None:
    folder = tmp_path / "bundled"
    shutil.copytree(find_snapshot("bundled"), folder)
    env: Any = gym.make("InterLV-L2-v0", snapshot=str(folder)).unwrapped
    pictured = next(key for key in env.task_keys if env.setup.source.get(key)[0].pictures)
    take_away(folder)
    with pytest.raises(CorruptError, match="picture of the question"):
        env.reset(options={"task_id": pictured})


def test_a_reset_that_failed_uses_up_no_task(tiny: Path) -> None:
    one, other = (gym.make("InterLV-L1-v0", snapshot=str(tiny)) for _ in range(2))
    for env in (one, other):
        env.reset(seed=3)
    for wrong in ({"bogus": 1}, {"task_id": "nothing"}):
        with pytest.raises(TaskError):
            one.reset(options=wrong)
    for _ in range(5):
        assert one.reset()[1]["task"] == other.reset()[1]["task"]


WRONG_STATES: dict[str, Any] = {
    "no episode": {"state": None},
    "another episode": {"state": {"task": 1}},
    "no format": {"format": None},
    "a later format": {"format": 99},
    "no seed": {"drawn": None},
    "half a seed": {"drawn": (1,)},
    "seeds of text": {"drawn": ("a", "b")},
    "a text for the first observation": {"first": "x"},
}


@pytest.mark.parametrize("how", list(WRONG_STATES))
def test_what_is_no_state_changes_nothing(tiny: Path, how: str) -> None:
    env: Any = gym.make("InterLV-L1-v0", snapshot=str(tiny)).unwrapped
    env.reset(seed=0)
    env.step(LOOK)
    before = env.episode.digest
    with pytest.raises(EpisodeError, match="not a state"):
        env.set_state({**env.get_state(), **WRONG_STATES[how]})
    assert env.episode.digest == before and env.step("<done>red</done>")[2]


@pytest.mark.parametrize(
    ("name", "value"),
    [("phase", "banana"), ("interactions", -5), ("handles", None), ("steps", [1]), ("task", 1)],
)
def test_states_with_damaged_parts_are_refused(tiny: Path, name: str, value: Any) -> None:
    env: Any = gym.make("InterLV-L1-v0", snapshot=str(tiny)).unwrapped
    env.reset(seed=0)
    saved = env.get_state()
    state = copy.copy(saved["state"])
    setattr(state, name, value)
    with pytest.raises(EpisodeError, match="damaged"):
        env.set_state({**saved, "state": state})
    env.set_state(saved)


@pytest.mark.parametrize("state", [None, 5, [], "x", {}])
def test_other_things_are_no_states(tiny: Path, state: Any) -> None:
    env: Any = gym.make("InterLV-L1-v0", snapshot=str(tiny)).unwrapped
    env.reset(seed=0)
    with pytest.raises(EpisodeError, match="not a state"):
        env.set_state(state)


@pytest.mark.parametrize("options", ["abc", 5, [1]])
def test_options_that_are_none(tiny: Path, options: Any) -> None:
    with pytest.raises(TaskError, match="options="):
        gym.make("InterLV-L1-v0", snapshot=str(tiny)).reset(options=options)
    with pytest.raises(ConfigError, match="options"):
        gym.make_vec("InterLV-L1-v0", num_envs=1, snapshot=str(tiny)).reset(options=options)


def test_seeds_of_numpy_are_seeds(tiny: Path) -> None:
    one, many = (
        gym.make("InterLV-L1-v0", snapshot=str(tiny)),
        gym.make_vec("InterLV-L1-v0", 2, snapshot=str(tiny)),
    )
    assert one.reset(seed=np.int64(3))[1]["task"] == one.reset(seed=3)[1]["task"]  # type: ignore[arg-type]
    tasks = [many.reset(seed=seed)[1]["task"].tolist() for seed in (np.int64(3), [3, 4], np.array([3, 4]))]
    assert tasks[0] == tasks[1] == tasks[2]


@pytest.mark.parametrize("seed", ["abc", 1.5, [0, "a"], [-1, 0], [0, 1, 2]])
def test_seeds_that_are_none(tiny: Path, seed: Any) -> None:
    with pytest.raises(ConfigError, match=r"(?i)seed"):
        gym.make_vec("InterLV-L1-v0", 2, snapshot=str(tiny)).reset(seed=seed)


@pytest.mark.parametrize(
    "actions", [None, 5, "ab", b"ab", {0: "a", 1: "b"}, (a for a in "ab"), ["a"], {"a", "b"}]
)
def test_actions_of_a_vector_are_a_list(tiny: Path, actions: Any) -> None:
    env = gym.make_vec("InterLV-L1-v0", 2, snapshot=str(tiny))
    env.reset(seed=0)
    with pytest.raises(ConfigError, match="a list of 2 actions"):
        env.step(actions)


@pytest.mark.parametrize(
    "wrong", [{"num_envs": "3"}, {"num_envs": 2, "group_size": "1"}, {"num_envs": 3, "group_size": 1.5}]
)
def test_numbers_of_a_vector_are_integers(tiny: Path, wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="an integer"):
        gym.make_vec("InterLV-L1-v0", snapshot=str(tiny), **wrong)
