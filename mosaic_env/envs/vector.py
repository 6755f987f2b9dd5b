"""Many episodes at once over one world: every round of searches is one batched search.

Gymnasium's own vector environments step one environment after another, and the asynchronous one
returns blanks for text; this one is made by ``gym.make_vec("InterLV-L2-v0", num_envs=64)`` and gives
the same bytes as single environments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from mosaic_env.core.errors import ConfigError, shorten
from mosaic_env.core.types import Hits, Observation, Search, Step
from mosaic_env.envs import messages, prompts, spaces
from mosaic_env.envs.copying import NotCopied
from mosaic_env.envs.core import draw_task, make_info, make_observation
from mosaic_env.envs.engine import Play
from mosaic_env.envs.episode import Episode
from mosaic_env.envs.reward import Reward
from mosaic_env.envs.setup import Setup, open_setup
from mosaic_env.envs.state import EpisodeState
from mosaic_env.tasks.source import get_pair, keys_of

Infos = dict[str, Any]
Arrays = dict[str, Any]


class SearchVectorEnv(NotCopied, VectorEnv[Arrays, Sequence[Any], npt.NDArray[Any]]):
    """``num_envs`` episodes over one world, made by ``gym.make_vec``.

    Gymnasium's ``vectorization_mode="async"`` makes another one, in processes, which needs
    ``vector_kwargs={"shared_memory": False}``: texts and pictures have no fixed size.

    Args:
        family: Set by the environment id; or a ``Setup``, alone.
        num_envs: How many episodes.
        group_size: Each drawn task is played by this many neighbouring episodes (GRPO groups).
        autoreset_mode: Gymnasium's mode, also by name: ``NextStep``, ``SameStep``, ``Disabled``.
        max_episode_steps: Must be None: budgets end episodes.
        options: As for a single environment.

    Raises: ConfigError (ME-CONFIG-02) and what a single environment raises.
    """

    _instead = "call fork_into(), or save get_state() of single environments and call set_state()"
    metadata: dict[str, Any] = {"render_modes": ["ansi"], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        family: str | Setup,
        num_envs: int = 1,
        *,
        group_size: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        _check_numbers(num_envs, group_size, max_episode_steps)
        self._setup = open_setup(family, **options)
        self.num_envs = num_envs
        self.group_size = group_size
        self.autoreset_mode = _mode(autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": self.autoreset_mode}
        self.render_mode = render_mode
        self.single_observation_space = spaces.observation_space()
        self.single_action_space = spaces.action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._system = prompts.system_prompt(self._setup.config, self._setup.engine.tools)
        self._bases: list[int] = []
        self._drawn = [0] * num_envs
        self._states: list[EpisodeState | None] = [None] * num_envs
        self._rewards: list[Reward | None] = [None] * num_envs
        self._firsts = [Observation("")] * num_envs
        self._last: list[Arrays] = [{}] * num_envs

    # --- Gymnasium ----------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Arrays, Infos]:
        """Begin episodes.

        Args:
            seed: An integer (episode i gets ``seed + i``, the members of a group that of its first),
                or one for each.
            options: ``task_id``: a key, or one for each; ``reset_mask``: bool array of those to reset.

        Raises: TaskError, ConfigError, gymnasium.error.ResetNeeded when the mask leaves an episode out
            that was never begun, gymnasium.error.ClosedEnvironmentError.
        """
        if self.closed:
            raise gym.error.ClosedEnvironmentError(
                "reset() was called on a closed environment; make a new one"
            )
        if options is not None and not isinstance(options, Mapping):
            raise _wrong("options", options, "a dictionary with task_id or reset_mask")
        given = dict(options or {})
        mask = np.asarray(given.pop("reset_mask", np.ones(self.num_envs, np.bool_)))
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise ConfigError("ME-CONFIG-02", f"reset_mask has shape {mask.shape} and type {mask.dtype}",
                              expected=f"a bool array of shape ({self.num_envs},)")  # fmt: skip
        if any(state is None and not begun for state, begun in zip(self._states, mask.tolist(), strict=True)):
            raise gym.error.ResetNeeded("reset_mask leaves out an episode that was never begun")
        asked = given.pop("task_id", None)
        listed = isinstance(asked, (list, tuple))
        wanted = list(asked) if listed else [asked] * self.num_envs
        if len(wanted) != self.num_envs:
            raise ConfigError(
                "ME-CONFIG-02", f"task_id lists {len(wanted)} keys", expected=f"{self.num_envs} keys"
            )
        self._seed(seed, mask)
        infos: list[Infos | None] = [None] * self.num_envs
        for number in np.flatnonzero(mask).tolist():
            infos[number] = self._begin(
                number, {**given, **({} if wanted[number] is None else {"task_id": wanted[number]})}
            )
        return self._batch(), join_infos(infos)

    def _seed(self, seed: int | Sequence[int | None] | None, mask: npt.NDArray[np.bool_]) -> None:
        if seed is None and not self._bases:
            seed = int(self.np_random.integers(2**62))
        if seed is None:
            return
        if isinstance(seed, (int, np.integer)):
            seeds: list[int | None] = [int(seed) + self._first_of_group(n) for n in range(self.num_envs)]
            self._np_random, self._np_random_seed = gym.utils.seeding.np_random(int(seed))
        else:
            seeds = _whole_numbers(seed)
            if len(seeds) != self.num_envs:
                raise ConfigError(
                    "ME-CONFIG-02", f"seed lists {len(seeds)} values", expected=f"{self.num_envs} values"
                )
        self._bases = self._bases or [0] * self.num_envs
        for number in np.flatnonzero(mask).tolist():
            chosen = seeds[number]
            if chosen is not None:
                self._bases[number], self._drawn[number] = int(chosen), 0

    def _first_of_group(self, number: int) -> int:
        return number - number % self.group_size

    def _begin(self, number: int, options: Mapping[str, Any]) -> Infos:
        base, drawn = self._bases[number], self._drawn[number]
        self._drawn[number] = drawn + 1
        key = draw_task(self._setup, base, drawn, options)
        task, gold = get_pair(self._setup.source, key)
        state, first, reward = self._setup.engine.begin(task, gold, (base, drawn))
        self._states[number], self._firsts[number], self._rewards[number] = state, first, reward
        self._last[number] = make_observation(self._setup, state, first)
        return make_info(state, None, messages.opening(self._system, first))

    def step(
        self, actions: Sequence[Any]
    ) -> tuple[Arrays, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], Infos]:
        """Play one step of every episode.

        Args:
            actions: One action each. With ``Disabled`` autoreset, None lets a finished episode rest.

        Raises: gymnasium.error.ResetNeeded, ConfigError (ME-CONFIG-02) for another number of actions.
        """
        running = self._running(actions)
        size = self.num_envs
        rewards = np.zeros(size, np.float64)
        terminated, truncated = np.zeros(size, np.bool_), np.zeros(size, np.bool_)
        infos: list[Infos | None] = [None] * size
        steps = self._play([number for number in range(size) if running[number]], actions)
        for number in range(size):
            step = steps.get(number)
            if step is not None:
                state = self._state(number)
                rewards[number], terminated[number], truncated[number] = (
                    step.reward,
                    step.terminated,
                    step.truncated,
                )
                self._last[number] = make_observation(self._setup, state, step.observation)
                infos[number] = make_info(state, step, messages.step_messages(step))
            elif self.autoreset_mode == AutoresetMode.NEXT_STEP:
                infos[number] = self._begin(number, {})
            else:
                last = self._state(number).steps[-1]
                terminated[number], truncated[number] = last.terminated, last.truncated
        final = self._reset_same_step(terminated | truncated, infos)
        return self._batch(), rewards, terminated, truncated, {**join_infos(infos), **final}

    def _running(self, actions: Sequence[Any]) -> list[bool]:
        if self.closed:
            raise gym.error.ClosedEnvironmentError(
                "step() was called on a closed environment; make a new one"
            )
        if not isinstance(actions, (list, tuple, np.ndarray)) or len(actions) != self.num_envs:
            raise _wrong("the actions of step()", actions, f"a list of {self.num_envs} actions")
        running = []
        for number, state in enumerate(self._states):
            if state is None:
                raise gym.error.ResetNeeded("step() was called before reset(); call reset() first")
            done = state.phase == "done"
            if done and self.autoreset_mode != AutoresetMode.NEXT_STEP and actions[number] is not None:
                raise gym.error.ResetNeeded(
                    f"episode {number} is over: reset it with a reset_mask, or pass None for it"
                )
            running.append(not done)
        return running

    def _play(self, numbers: Sequence[int], actions: Sequence[Any]) -> dict[int, Step]:
        """Play one step of the given episodes, answering each round of searches with one search."""
        steps: dict[int, Step] = {}
        plays: dict[int, Play] = {}
        waiting: list[tuple[int, Search]] = []
        for number in numbers:
            state, reward = self._running_pair(number)
            play = plays[number] = self._setup.engine.play(state, reward, actions[number])
            _advance(play, number, None, waiting, steps)
        while waiting:
            round_, waiting = waiting, []
            for (number, _), hits in zip(round_, self._search([s for _, s in round_]), strict=True):
                _advance(plays[number], number, hits, waiting, steps)
        return steps

    def _search(self, searches: Sequence[Search]) -> Sequence[Hits | Exception]:
        try:
            return self._setup.world.search(searches)
        except Exception:
            return [self._search_alone(search) for search in searches]

    def _search_alone(self, search: Search) -> Hits | Exception:
        try:
            return self._setup.world.search((search,))[0]
        except Exception as error:
            return error

    def _reset_same_step(self, done: npt.NDArray[np.bool_], infos: list[Infos | None]) -> Infos:
        if self.autoreset_mode != AutoresetMode.SAME_STEP or not done.any():
            return {}
        last = np.full(self.num_envs, None, dtype=object)
        ended: list[Infos | None] = [None] * self.num_envs
        for number in np.flatnonzero(done).tolist():
            last[number], ended[number] = self._last[number], infos[number]
            infos[number] = self._begin(number, {})
        return {
            "final_obs": last,
            "_final_obs": done.copy(),
            "final_info": join_infos(ended),
            "_final_info": done.copy(),
        }

    def _state(self, number: int) -> EpisodeState:
        state = self._states[number]
        if state is None:
            raise gym.error.ResetNeeded("there is no episode yet; call reset() first")
        return state

    def _running_pair(self, number: int) -> tuple[EpisodeState, Reward]:
        state, reward = self._states[number], self._rewards[number]
        if state is None or reward is None:
            raise gym.error.ResetNeeded("there is no episode yet; call reset() first")
        return state, reward

    def _batch(self) -> Arrays:
        last = self._last
        return {
            "text": tuple(seen["text"] for seen in last),
            "images": tuple(seen["images"] for seen in last),
            "image_ids": tuple(seen["image_ids"] for seen in last),
            "budget": np.stack([seen["budget"] for seen in last]),
        }

    def render(self) -> tuple[str, ...] | None:
        """Return the last observation's text of each episode (``render_mode="ansi"``)."""
        return tuple(seen.get("text", "") for seen in self._last) if self.render_mode == "ansi" else None

    # --- beyond Gymnasium -----------------------------------------------------------------------------

    @property
    def task_keys(self) -> Sequence[str]:
        """Keys of all playable tasks. Raises: TaskError (ME-TASK-05)."""
        return keys_of(self._setup.source)

    @property
    def episodes(self) -> tuple[Episode, ...]:
        """The records of all episodes so far."""
        env_id = self.spec.id if self.spec else ""
        return tuple(
            Episode.of(self._setup, self._state(number), self._firsts[number], env_id=env_id)
            for number in range(self.num_envs)
        )

    def fork_into(self, source: int, targets: Sequence[int]) -> None:
        """Make other episodes continue from where one stands.

        Cost: proportional to the episode for each target.
        """
        state, reward = self._state(source), self._rewards[source]
        for number in targets:
            self._states[number] = state.copy()
            self._rewards[number] = reward
            self._firsts[number] = self._firsts[source]
            self._last[number] = {**self._last[source], "budget": self._last[source]["budget"].copy()}


def _advance(
    play: Play,
    number: int,
    hits: Hits | Exception | None,
    waiting: list[tuple[int, Search]],
    steps: dict[int, Step],
) -> None:
    """Push a play on to its next search, or to its step."""
    try:
        if isinstance(hits, Exception):
            waiting.append((number, play.throw(hits)))
        else:
            waiting.append((number, play.send(hits)))  # type: ignore[arg-type]
    except StopIteration as done:
        steps[number] = done.value


def join_infos(infos: Sequence[Infos | None]) -> Infos:
    """Return infos of sub-environments as arrays with masks, the way Gymnasium joins them.

    Plain numbers become arrays of their type, dicts recurse, everything else object arrays; ``_key``
    says which episodes have the key. Mixed outcomes never change a shape: each key has one type.
    """
    size = len(infos)
    joined: Infos = {}
    there = [number for number, info in enumerate(infos) if info is not None]
    first = next((info for info in infos if info is not None), None)
    if first is None:
        return joined
    mask = np.zeros(size, np.bool_)
    mask[there] = True
    for key, example in first.items():
        values = [None if info is None else info[key] for info in infos]
        if isinstance(example, dict):
            joined[key] = join_infos(values)
        elif type(example) in (int, float, bool):
            array = np.zeros(size, type(example))
            array[there] = [values[number] for number in there]
            joined[key] = array
        else:
            objects = np.full(size, None, dtype=object)
            for number in there:
                objects[number] = values[number]
            joined[key] = objects
        joined[f"_{key}"] = mask.copy()
    return joined


def _mode(value: AutoresetMode | str) -> AutoresetMode:
    if isinstance(value, AutoresetMode):
        return value
    wanted = str(value).replace("_", "").replace("-", "").lower()
    for mode in AutoresetMode:
        if mode.value.replace("-", "").lower() == wanted:
            return mode
    names = ", ".join(mode.value for mode in AutoresetMode)
    raise ConfigError("ME-CONFIG-02", f"there is no autoreset mode {value!r}", expected=f"one of {names}")


def _wrong(what: str, value: object, expected: str) -> ConfigError:
    found = f"{len(value)} of them" if isinstance(value, (list, tuple, np.ndarray)) else shorten(value)
    return ConfigError("ME-CONFIG-02", f"{what}: {found}", expected=expected)


def _whole_numbers(seeds: object) -> list[int | None]:
    """Return one seed for each episode as plain integers."""
    listed: list[Any] = list(seeds) if isinstance(seeds, (list, tuple, np.ndarray)) else [seeds]
    if not all(s is None or (isinstance(s, (int, np.integer)) and s >= 0) for s in listed):
        raise _wrong("seed", seeds, "an integer from 0, or a list of them")
    return [None if s is None else int(s) for s in listed]


def _check_numbers(num_envs: int, group_size: int, max_episode_steps: int | None) -> None:
    if type(num_envs) is not int or type(group_size) is not int:
        raise _wrong("num_envs or group_size", (num_envs, group_size)[type(num_envs) is int], "an integer")
    if num_envs < 1 or group_size < 1 or num_envs % group_size:
        raise ConfigError(
            "ME-CONFIG-02", f"num_envs={num_envs} with group_size={group_size}",
            expected="at least 1 each, and num_envs a multiple of group_size",
        )  # fmt: skip
    if max_episode_steps is not None:
        raise ConfigError(
            "ME-CONFIG-02", f"max_episode_steps={max_episode_steps}", expected="None: budgets end episodes",
            fix="Set interactions= instead",
        )  # fmt: skip
