"""The Gymnasium environment: one episode at a time over a shared world.

import gymnasium as gym, mosaic_env
env = gym.make("InterLV-L2-v0")
observation, info = env.reset(seed=0)
observation, reward, terminated, truncated, info = env.step("<query>a lighthouse</query>")
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium as gym
import numpy as np

from mosaic_env.core.errors import ConfigError, EpisodeError, TaskError, nearest, shorten
from mosaic_env.core.seeds import derive
from mosaic_env.core.types import Observation, Step
from mosaic_env.envs import messages, prompts, spaces
from mosaic_env.envs.config import EnvConfig
from mosaic_env.envs.copying import NotCopied
from mosaic_env.envs.engine import Play, shown_bytes
from mosaic_env.envs.episode import Episode
from mosaic_env.envs.overflow import count_dropped
from mosaic_env.envs.reward import Reward
from mosaic_env.envs.setup import Setup, open_setup
from mosaic_env.envs.state import EpisodeState
from mosaic_env.index.world import World
from mosaic_env.tasks.source import get_pair, keys_of

#: Version of what get_state() returns.
STATE_FORMAT = 1


class SearchEnv(NotCopied, gym.Env[dict[str, Any], str]):
    """An episode of search with words and pictures.

    Args:
        family: ``interlv-l1`` or ``interlv-l2``, set by the environment id; or a ``Setup``, alone.
        snapshot: Path or name of a snapshot; None is the bundled one.
        tasks: A stored task set, a registered source, or ``"module:name"``; None is the default set.
        split: ``train``, ``val``, ``test``; None is all.
        encoders: ``{"text": "sentence-transformers:FOLDER"}`` for routes built with such encoders.
        render_mode: ``ansi`` or None.
        options: See ``mosaic_env.envs.config.EnvConfig``; all of them are hashed into episodes.

    The action space is text. ``step`` takes structured actions (dicts, lists of them) as well, although
    ``action_space.contains`` says no to them.

    Raises: ConfigError, SnapshotError, CorruptError, TaskError.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - Gymnasium's protocol

    def __init__(
        self,
        family: str | Setup,
        *,
        snapshot: str | os.PathLike[str] | None = None,
        tasks: str | None = None,
        split: str | None = None,
        encoders: Mapping[str, str] | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self._setup = open_setup(
            family, snapshot=snapshot, tasks=tasks, split=split, encoders=encoders, **options
        )
        self.observation_space = spaces.observation_space()
        self.action_space = spaces.action_space()
        self.render_mode = render_mode
        self._base_seed: int | None = None
        self._drawn = 0
        self._state: EpisodeState | None = None
        self._reward: Reward | None = None
        self._first = Observation("")
        self._closed = False

    # --- what stays the same ----------------------------------------------------------------------

    @property
    def config(self) -> EnvConfig:
        """The frozen configuration."""
        return self._setup.config

    @property
    def setup(self) -> Setup:
        """What environments with the same arguments share; its task source knows gold (evaluators only)."""
        return self._setup

    @property
    def world(self) -> World:
        """The world, shared by all environments of the process."""
        return self._setup.world

    @property
    def task_keys(self) -> Sequence[str]:
        """Keys of all playable tasks. Raises: TaskError (ME-TASK-05)."""
        return keys_of(self._setup.source)

    def prompt(self, format: prompts.PromptFormat = "interlv") -> str:
        """Return the system prompt (``interlv`` tags, or ``openai`` for native tool calls)."""
        return prompts.system_prompt(self._setup.config, self._setup.engine.tools, format)

    def tool_schemas(self, format: prompts.PromptFormat = "openai") -> list[dict[str, Any]]:
        """Return the schemas of the tools."""
        return prompts.tool_schemas(self._setup.engine.tools, format)

    # --- Gymnasium ----------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode.

        Args:
            seed: Base seed; the tasks of this and the following resets depend on it alone.
            options: ``{"task_id": key}`` plays that task.

        Raises: TaskError (ME-TASK-01), gymnasium.error.ClosedEnvironmentError.
        """
        if self._closed:
            raise gym.error.ClosedEnvironmentError(
                "reset() was called on a closed environment; make a new one"
            )
        seed = int(seed) if isinstance(seed, np.integer) else seed
        super().reset(seed=seed)
        if seed is not None:
            self._base_seed, self._drawn = int(seed), 0
        elif self._base_seed is None:
            self._base_seed, self._drawn = int(self.np_random.integers(2**62)), 0
        number = self._drawn
        begun = self.begin(
            draw_task(self._setup, self._base_seed, number, options), (self._base_seed, number)
        )
        self._drawn = number + 1  # only now: a reset that failed has used up no task
        return begun

    def begin(self, key: str, seed: tuple[int, int]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode of a given task; ``reset`` draws the task and calls this."""
        task, gold = get_pair(self._setup.source, key)
        self._state, self._first, self._reward = self._setup.engine.begin(task, gold, seed)
        return (
            make_observation(self._setup, self._state, self._first),
            make_info(self._state, None, messages.opening(self.prompt(), self._first)),
        )

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Play one interaction: the model's text, a tool call as a dict, or a list of them.

        Any value gives an observation; only calling it at the wrong time raises.

        Raises: gymnasium.error.ResetNeeded, gymnasium.error.ClosedEnvironmentError.
        """
        state, reward = self._running()
        step = drive(self._setup.engine.play(state, reward, action), self._setup.world)
        return step_result(self._setup, state, step)

    def _running(self) -> tuple[EpisodeState, Reward]:
        if self._closed:
            raise gym.error.ClosedEnvironmentError(
                "step() was called on a closed environment; make a new one"
            )
        if self._state is None or self._reward is None or self._state.phase == "done":
            raise gym.error.ResetNeeded("step() was called without a running episode; call reset() first")
        return self._state, self._reward

    def render(self) -> str | None:
        """Return the episode so far as text (``render_mode="ansi"``)."""
        if self.render_mode != "ansi" or self._state is None:
            return None
        parts = [self._first.text]
        for step in self._state.steps:
            parts += [f">>> {step.action}", step.observation.text]
        return "\n".join(parts)

    def close(self) -> None:
        """Forget the episode; the world stays open for other environments."""
        self._closed = True
        self._state = self._reward = None

    # --- what was played ----------------------------------------------------------------------------

    @property
    def episode(self) -> Episode:
        """The episode so far: an immutable record with a digest.

        Raises: gymnasium.error.ResetNeeded before the first reset.
        """
        if self._state is None:
            raise gym.error.ResetNeeded("there is no episode yet; call reset() first")
        return Episode.of(self._setup, self._state, self._first, env_id=self.spec.id if self.spec else "")

    def render_prompt(self, context: messages.Context = "chat") -> list[messages.Message]:
        """Return a model's whole input, rebuilt from the episode.

        Args:
            context: ``chat``, ``paper`` (one prompt with memory and the last rounds) or ``repo``.
        """
        state, _ = self._running()
        return messages.render(
            context, self.prompt(), self._first, state.steps, self._setup.config, state.memory
        )

    # --- saving, restoring, forking -----------------------------------------------------------------

    def get_state(self) -> dict[str, Any]:
        """Return the episode's state: small, picklable, without gold.

        Cost: proportional to the episode, not to the world.
        """
        if self._state is None:
            raise gym.error.ResetNeeded("there is no episode yet; call reset() first")
        return {
            "format": STATE_FORMAT,
            "world": self._setup.world.id,
            "config": self._setup.digest,
            "drawn": (self._base_seed, self._drawn),
            "first": self._first,
            "state": self._state.copy(),
        }

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Continue from a state of this environment, of another one, or of another process.

        Raises: EpisodeError (ME-EPISODE-02) when world, configuration or gold differ.
        """
        saved, first, drawn = _saved_parts(state)
        given, own = (state["world"], state["config"]), (self._setup.world.id, self._setup.digest)
        if given != own:
            what, wanted = ("world", own[0]) if given[0] != own[0] else ("configuration", own[1])
            raise EpisodeError(
                "ME-EPISODE-02", f"the state belongs to another {what}", expected=f"{wanted[:19]}…",
                fix="Make the environment with the same arguments and snapshot",
            )  # fmt: skip
        task, gold = get_pair(self._setup.source, saved.task.key)
        if gold.digest != saved.gold or task.digest != saved.task.digest:
            raise EpisodeError(
                "ME-EPISODE-02", f"the task {task.key} is not the one of the state", expected=saved.gold
            )
        reward = Reward(task, gold, self._setup.config.reward)
        self._state, self._first, self._reward = saved.copy(), first, reward
        self._base_seed, self._drawn = drawn

    def fork(self, n: int = 1) -> list[SearchEnv]:
        """Return ``n`` environments that stand where this one stands and share its world.

        Raises: ConfigError (ME-CONFIG-02) for n below 1.
        """
        if n < 1:
            raise ConfigError("ME-CONFIG-02", f"fork({n!r}) gives no environment", expected="n of at least 1")
        saved = self.get_state()
        forks: list[SearchEnv] = []
        for _ in range(n):
            child = object.__new__(type(self))
            child.__dict__.update(self.__dict__)
            child._np_random = None
            child.set_state(saved)
            forks.append(child)
        return forks


def _saved_parts(state: Any) -> tuple[EpisodeState, Observation, tuple[int | None, int]]:
    """Return what a saved state holds.

    Raises: EpisodeError (ME-EPISODE-02) for anything that get_state() does not return.
    """
    wrong = ""
    if not isinstance(state, Mapping) or state.get("format") != STATE_FORMAT:
        found = state.get("format") if isinstance(state, Mapping) else state
        wrong = f"its format is {shorten(found)}, not {STATE_FORMAT}"
    elif not isinstance(state.get("state"), EpisodeState) or not state["state"].sound:
        wrong = "the episode in it is damaged"
    elif not isinstance(state.get("first"), Observation):
        wrong = "its first observation is missing"
    elif not _is_drawn(state.get("drawn")) or not {"world", "config"} <= state.keys():
        wrong = "its seed, world or configuration is missing"
    if wrong:
        raise EpisodeError(
            "ME-EPISODE-02", f"this is not a state: {wrong}", expected="what get_state() returned"
        )
    return state["state"], state["first"], state["drawn"]


def _is_drawn(value: Any) -> bool:
    return (
        isinstance(value, tuple)
        and len(value) == 2
        and (value[0] is None or type(value[0]) is int)
        and type(value[1]) is int
        and value[1] >= 0
    )


def draw_task(setup: Setup, base: int, number: int, options: Mapping[str, Any] | None) -> str:
    """Return the key of the ``number``-th task since a base seed, or the one asked for.

    Raises: TaskError (ME-TASK-01) for unknown options or keys, (ME-TASK-04) when there are no tasks.
    """
    if options is not None and not isinstance(options, Mapping):
        raise TaskError("ME-TASK-01", f"reset() got options={shorten(options)}", expected="{'task_id': key}")
    asked = dict(options or {})
    key = asked.pop("task_id", None)
    if asked:
        name = sorted(map(str, asked))[0]
        raise TaskError(
            "ME-TASK-01", f"reset() got an unknown option {name!r}", expected="task_id",
            nearest=nearest(name, ["task_id"]),
        )  # fmt: skip
    if key is not None:
        if not isinstance(key, (str, int)):
            raise TaskError("ME-TASK-01", f"reset() got task_id={shorten(key)}", expected="a key as text")
        return str(key)
    keys = keys_of(setup.source)
    if not keys:
        raise TaskError(
            "ME-TASK-04",
            f"the task source {type(setup.source).__name__} has no keys",
            expected="at least one",
        )
    return keys[derive(base, "task", number) % len(keys)]


def drive(play: Play, world: World) -> Step:
    """Answer a play's searches one by one and return its step.

    An error of a search is thrown into the play, which turns it into an observation.
    """
    try:
        search = next(play)
        while True:
            try:
                hits = world.search((search,))[0]
            except Exception as error:
                search = play.throw(error)
            else:
                search = play.send(hits)
    except StopIteration as done:
        step: Step = done.value
        return step


def step_result(
    setup: Setup, state: EpisodeState, step: Step
) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
    """Return what ``Env.step`` returns for a step."""
    seen = make_observation(setup, state, step.observation)
    info = make_info(state, step, messages.step_messages(step))
    return seen, step.reward, step.terminated, step.truncated, info


def make_observation(setup: Setup, state: EpisodeState, seen: Observation) -> dict[str, Any]:
    """Return an observation as the space describes it; every object is fresh."""
    return {
        "text": seen.text,
        "images": shown_bytes(setup.world, seen.shown),
        "image_ids": tuple(shown.handle for shown in seen.shown),
        "budget": np.array(budget_left(setup.config, state), np.int64),
    }


def budget_left(config: EnvConfig, state: EpisodeState) -> tuple[int, int, int]:
    """Return interactions left, calls of an interaction, pictures left; -1 is no limit."""
    left = -1 if config.interactions is None else max(config.interactions - state.interactions, 0)
    calls = -1 if config.calls_per_interaction is None else config.calls_per_interaction
    pictures = -1 if config.max_total is None else max(config.max_total - sum(state.attached.values()), 0)
    return left, calls, pictures


def make_info(state: EpisodeState, step: Step | None, new: list[messages.Message]) -> dict[str, Any]:
    """Return the info of a reset or a step: always the same keys, each with one type."""
    calls = () if step is None else step.calls
    return {
        "task": state.task.key,
        "phase": state.phase,
        "interaction": state.interactions,
        "messages": new,
        "calls": [{"tool": call.tool, "status": call.status, "code": call.code} for call in calls],
        "dropped": count_dropped(calls),
        "tool_calls": sum(state.tool_calls.values()),
        "memory": state.memory,
        "answer": "" if step is None or step.answer is None else step.answer,
        "verdict": "" if step is None else step.verdict,
        "reason": "" if step is None else step.reason,
        "confident": True if step is None else step.verdict != "unsure",
        "success": step is not None and step.verdict == "yes",
        "reward_terms": dict(step.terms) if step is not None else dict(_NO_TERMS),
        "failure": {"kind": "", "by": ""}
        if step is None
        else dict(zip(("kind", "by"), step.failure, strict=True)),
        "reproducible": True if step is None else step.reproducible,
    }


_NO_TERMS = {"outcome": 0.0, "evidence_recall": 0.0, "hop_progress": 0.0, "format": 0.0, "cost": 0.0}
