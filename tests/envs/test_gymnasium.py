"""What Gymnasium asks of an environment, and states, forks and vectors."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from mosaic_env.core.errors import ConfigError, EpisodeError, TaskError
from mosaic_env.envs.wrappers import DecodeImages
from tests.envs.conftest import Make

SEARCH = "<query>album by Marrow</query>"
LOOK = '<tool name="local_text_search_with_image">{"query": "album by Marrow"}</tool>'
SCRIPT = [LOOK, '<clip>{"image": "kb_1", "bbox": [0, 0, 500, 500]}</clip>', "<done>red</done>"]


@pytest.mark.parametrize("env_id", ["InterLV-L1-v0", "InterLV-L2-v0"])
@pytest.mark.parametrize("options", [{}, {"preset": "repo"}, {"preset": "infomosaic"}, {"corpus": "closed"}])
def test_check_env_passes_without_warnings(make: Make, env_id: str, options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(make(env_id, **options).unwrapped)


def test_info_has_the_same_keys_and_types_in_every_step(make: Make) -> None:
    env = make("InterLV-L2-v0")
    _, info = env.reset(seed=0)
    shapes = [{key: type(value) for key, value in info.items()}]
    inner = [{key: type(value) for key, value in info["reward_terms"].items()}]
    for action in (SEARCH, "memory", "junk", "memory", 7, "memory", "<done>blue</done>"):
        info = env.step(action)[4]
        shapes.append({key: type(value) for key, value in info.items()})
        inner.append({key: type(value) for key, value in info["reward_terms"].items()})
    assert all(shape == shapes[0] for shape in shapes) and all(shape == inner[0] for shape in inner)


def test_seeds(make: Make) -> None:
    """Public report OpenEnv#1102: reset(seed=1234) gave another word each time."""
    env, other = make(preset="repo"), make(preset="repo")
    first = [env.reset(seed=1234)[0]["text"], env.reset()[0]["text"], env.reset()[0]["text"]]
    assert first == [other.reset(seed=1234)[0]["text"], other.reset()[0]["text"], other.reset()[0]["text"]]
    env.reset(seed=0)
    assert env.unwrapped.episode.seed == (0, 0)


def test_colon_form_in_a_fresh_interpreter(tiny: Path) -> None:
    code = (
        "import gymnasium as gym, sys\n"
        "env = gym.make('mosaic_env:InterLV-L1-v0', snapshot=sys.argv[1])\n"
        "env.reset(seed=0); print(env.step('<done>red</done>')[1])\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tiny)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1.0"]


def test_importing_loads_nothing_heavy() -> None:
    heavy = "{'torch', 'faiss', 'pydantic', 'PIL', 'diskcache', 'rich'}"
    code = f"import sys, mosaic_env; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def play(env: gym.Env[Any, Any], actions: list[str] = SCRIPT) -> str:
    env.reset(seed=3)
    for action in actions:
        env.step(action)
    return str(env.unwrapped.episode.digest)


def test_state_and_fork_continue_to_the_same_digest(make: Make) -> None:
    whole = play(make())
    env = make()
    env.reset(seed=3)
    env.step(SCRIPT[0])
    saved = pickle.loads(pickle.dumps(env.unwrapped.get_state()))
    assert b"crimson" not in pickle.dumps(env.unwrapped.get_state())  # an alias of the gold
    forks = env.unwrapped.fork(3)
    for fork in forks:
        for action in SCRIPT[1:]:
            fork.step(action)
        assert fork.episode.digest == whole
    assert env.unwrapped.episode.digest != whole
    fresh = make().unwrapped
    fresh.set_state(saved)
    for action in SCRIPT[1:]:
        fresh.step(action)
    assert fresh.episode.digest == whole


def test_forks_are_independent(make: Make) -> None:
    env = make()
    env.reset(seed=3)
    env.step(SEARCH)
    one, other = env.unwrapped.fork(2)
    one.step('<clip>{"image": "kb_1", "bbox": [0, 0, 500, 500]}</clip>')
    assert "kb_1_crop" in one.get_state()["state"].handles.pictures
    assert "kb_1_crop" not in other.get_state()["state"].handles.pictures
    assert other.step("<done>red</done>")[1] == 1.0 and env.step(SEARCH)[4]["interaction"] == 2


def test_a_state_of_another_configuration_is_refused(make: Make) -> None:
    env = make()
    env.reset(seed=3)
    with pytest.raises(EpisodeError, match="another configuration"):
        make(interactions=9).unwrapped.set_state(env.unwrapped.get_state())
    with pytest.raises(EpisodeError, match="is not a state"):
        make().unwrapped.set_state({"format": 1})


def make_vec(tiny: Path, **options: Any) -> Any:
    return gym.make_vec("InterLV-L1-v0", snapshot=str(tiny), **options)


def test_vector_and_single_and_sync_give_the_same(make: Make, tiny: Path) -> None:
    vector = make_vec(tiny, num_envs=3)
    sync = SyncVectorEnv([lambda: make() for _ in range(3)])
    singles = [make() for _ in range(3)]
    got, info = vector.reset(seed=5)
    want, wanted_info = sync.reset(seed=5)
    for single, number in zip(singles, range(3), strict=True):
        single.reset(seed=5 + number)
    compare(got, want)
    compare(info, wanted_info)
    for actions in ([LOOK, "junk", "<done>red</done>"], [SEARCH, SEARCH, SEARCH], ["<done>red</done>"] * 3):
        steps = vector.step(actions), sync.step(actions)
        for one, other in zip(*steps, strict=True):
            compare(one, other)
    assert vector.episodes[0].digest == sync.envs[0].unwrapped.episode.digest


def compare(one: Any, other: Any) -> None:
    assert type(one) is type(other)
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for key in one:
            compare(one[key], other[key])
    elif isinstance(one, np.ndarray):
        assert one.dtype == other.dtype and one.shape == other.shape
        for a, b in zip(one.ravel().tolist(), other.ravel().tolist(), strict=True):
            compare(a, b)
    else:
        assert one == other


def test_next_step_autoreset(tiny: Path) -> None:
    env = make_vec(tiny, num_envs=2)
    env.reset(seed=0)
    _, _, terminated, _, _ = env.step(["<done>red</done>", SEARCH])
    assert terminated.tolist() == [True, False]
    observation, rewards, terminated, _, infos = env.step([SEARCH, SEARCH])
    assert terminated.tolist() == [False, False] and rewards.tolist() == [0.0, 0.0]
    assert infos["interaction"].tolist() == [0, 2] and observation["text"][0].startswith("Question")


def test_same_step_autoreset_gives_the_last_observation(tiny: Path) -> None:
    env = make_vec(tiny, num_envs=2, autoreset_mode="SameStep")
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    env.reset(seed=0)
    observation, rewards, terminated, _, infos = env.step(["<done>red</done>", SEARCH])
    assert rewards.tolist() == [1.0, 0.0] and terminated.tolist() == [True, False]
    assert observation["text"][0].startswith("Question")
    assert "[budget]" in infos["final_obs"][0]["text"] and infos["final_obs"][1] is None
    assert infos["final_info"]["success"].tolist() == [True, False] and infos["_final_info"].tolist() == [
        True,
        False,
    ]


def test_disabled_autoreset_rests_and_resets_by_mask(tiny: Path) -> None:
    env = make_vec(tiny, num_envs=2, autoreset_mode=AutoresetMode.DISABLED)
    env.reset(seed=0)
    env.step(["<done>red</done>", SEARCH])
    with pytest.raises(gym.error.ResetNeeded):
        env.step([SEARCH, SEARCH])
    _, _, terminated, _, infos = env.step([None, SEARCH])
    assert terminated.tolist() == [True, False] and infos["_interaction"].tolist() == [False, True]
    options = {"reset_mask": np.array([True, False])}
    observation, infos = env.reset(options=options)
    assert "reset_mask" in options and infos["_task"].tolist() == [True, False]
    assert observation["text"][0].startswith("Question") and "[budget]" in observation["text"][1]


def test_groups_play_the_same_task_and_forks_are_made_in_place(tiny: Path) -> None:
    env = gym.make_vec(
        "InterLV-L1-v0", num_envs=4, group_size=2, snapshot=str(tiny), tasks="tests.envs.toy:toy-hundred"
    )
    _, infos = env.reset(seed=9)
    tasks = infos["task"].tolist()
    assert tasks[0] == tasks[1] and tasks[2] == tasks[3] and tasks[0] != tasks[2]
    env.step([SEARCH] * 4)
    env.fork_into(0, [1])
    assert env.episodes[0].digest == env.episodes[1].digest
    with pytest.raises(ConfigError):
        gym.make_vec("InterLV-L1-v0", num_envs=4, group_size=3, snapshot=str(tiny))


def test_task_lists(tiny: Path) -> None:
    env = gym.make_vec("InterLV-L1-v0", num_envs=2, snapshot=str(tiny), tasks="tests.envs.toy:toy-hundred")
    _, infos = env.reset(seed=1, options={"task_id": ["toy/7", None]})
    assert infos["task"][0] == "toy/7"
    with pytest.raises(ConfigError, match="2 keys"):
        env.reset(options={"task_id": ["toy/7"]})


class _Nameless:
    def __str__(self) -> str:
        raise RuntimeError("no name")

    __repr__ = __str__


@pytest.mark.parametrize(
    "key", [_Nameless(), 1.5, b"toy/1", {"a": 1}, object(), "", "x" * 10_000_000, "\ud800"]
)
def test_hostile_keys_are_one_clear_error(make: Make, tiny: Path, key: Any) -> None:
    for env in (make(), gym.make_vec("InterLV-L1-v0", num_envs=2, snapshot=str(tiny))):
        with pytest.raises(TaskError) as caught:
            env.reset(seed=1, options={"task_id": key})
        assert caught.value.code == "ME-TASK-01" and len(str(caught.value)) < 5_000


def test_seeds_of_different_bases_share_almost_nothing(tiny: Path) -> None:
    """Public report reasoning-gym: seeds 42 and 43 shared 499 of 500 items."""
    env = gym.make("InterLV-L1-v0", snapshot=str(tiny), tasks="tests.envs.toy:toy-million").unwrapped
    drawn = []
    for seed in (42, 43):
        env.reset(seed=seed)
        keys = {env.episode.task.key}
        for _ in range(499):
            env.reset()
            keys.add(env.episode.task.key)
        drawn.append(keys)
    assert len(drawn[0] & drawn[1]) < 5


def test_decode_images(make: Make) -> None:
    env = DecodeImages(make(), size=(32, 48))
    observation, _ = env.reset(seed=0)
    observation = env.step(LOOK)[0]
    assert observation in env.observation_space and observation["images"][0].shape == (32, 48, 3)
    whole = DecodeImages(make())
    whole.reset(seed=0)
    assert whole.step(LOOK)[0]["images"][0].shape == (40, 60, 3)


def test_every_returned_object_is_fresh(make: Make) -> None:
    """Public report Gymnasium#1132: returned data was changed by later calls."""
    env = make()
    observation, info = env.reset(seed=0)
    before = observation["budget"].copy()
    observation["budget"][:] = 99
    info["reward_terms"]["outcome"] = 5.0
    after, _, _, _, info = env.step(SEARCH)
    assert (after["budget"] <= before).all() and info["reward_terms"]["outcome"] == 0.0
