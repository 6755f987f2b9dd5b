"""What the fixture ``mosaic`` gives: play episodes, wrap models, repeat.

Nothing here needs pytest: ``Mosaic(GoldenStore(path, name))`` works in any test runner. One harness is
one test; harnesses share nothing that is written, so tests may run in many processes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any

import gymnasium as gym

from mosaic_env.agents.base import Agent
from mosaic_env.core.canon import MAX_JSON_INT, digest
from mosaic_env.core.errors import ConfigError, nearest, shorten
from mosaic_env.core.seeds import derive
from mosaic_env.core.words import counted
from mosaic_env.envs.config import EnvConfig
from mosaic_env.envs.core import SearchEnv
from mosaic_env.tasks.source import some_keys
from mosaic_env.testing.chat import as_agent
from mosaic_env.testing.errors import AgentFailed, HarnessError
from mosaic_env.testing.golden import Circumstances
from mosaic_env.testing.recording import OUTSIDE
from mosaic_env.testing.run import Run
from mosaic_env.testing.store import GoldenStore
from mosaic_env.testing.trials import Trials

DEFAULT_ENV = "InterLV-L2-v0"
DEFAULT_TRIALS = 4
#: Arguments of ``gym.make`` that say where something is and not what it is; goldens never hold them.
_PLACES = ("snapshot", "encoders", "render_mode")


class Mosaic:
    """Plays episodes for one test.

    Args:
        store: The test's goldens.
        trials: Episodes per task when ``trials`` is not told how many.
    """

    def __init__(self, store: GoldenStore, *, trials: int = DEFAULT_TRIALS) -> None:
        self._store = store
        self._trials = trials
        self._plays = 0

    def play(
        self, agent: Any, env: str = DEFAULT_ENV, *, task: str | None = None, seed: int = 0,
        max_steps: int = 1000, **options: Any,
    ) -> Run:  # fmt: skip
        """Play one episode.

        Args:
            agent: A callable that takes the whole chat and returns the next text (see
                ``mosaic_env.testing.chat``), an ``Agent``, or a class of agents.
            env: Environment id.
            task: Key of the task; None lets the seed draw one.
            seed: Passed to ``reset``, and to a class of agents.
            max_steps: Steps after which an episode without an end fails the test.
            options: Arguments of ``gym.make``.

        Raises: AgentFailed naming the step, GoldenMismatch when a wrapped model is asked something
            that is not recorded, and what ``gym.make`` and ``reset`` raise.
        """
        __tracebackhide__ = True
        made = _make(env, options, self.play)
        asked = _asked(env, {"task": task, "seed": seed}, options)
        recording = self._store.recording
        number, self._plays = self._plays, self._plays + 1
        try:
            observation, info = made.reset(seed=seed, options=None if task is None else {"task_id": task})
            game = _Game(made, circumstances(made.unwrapped, asked, info["task"]), number, self._store)
            recording.play, recording.step = number, 0
            interactions = game.run(as_agent(agent, game.inner, seed), observation, info, max_steps)
            return Run(
                game.inner.episode, game.now, game.inner.setup, play=number, interactions=interactions,
                store=self._store,
            )  # fmt: skip
        finally:
            recording.play, recording.step = OUTSIDE, 0
            made.close()

    def model(self, function: Callable[..., Any], *, name: str | None = None) -> Callable[..., Any]:
        """Return a callable that the agent uses in place of its model's.

        Each exchange is recorded beside the golden; when the golden exists, it is answered from
        there, so that the test is offline and deterministic (``--mosaic-live`` calls the real one).

        Args:
            function: Takes JSON data (bytes are recorded by digest), returns text or JSON data.
            name: Tells several models of one test apart.

        Raises: HarnessError (ME-TESTING-01), from the call, for other values.
        """
        return self._store.recording.wrap(function, name)

    def trials(
        self, agent: Any, tasks: Sequence[str] | None = None, k: int | None = None, env: str = DEFAULT_ENV,
        *, seed: int = 0, source: str | None = None, **options: Any,
    ) -> Trials:  # fmt: skip
        """Play every task several times, each time with a seed of its own.

        Args:
            agent: As in ``play``; a class makes a new agent for each episode.
            tasks: Task keys; None is every task of the environment.
            k: Episodes per task; None is ``--mosaic-trials``.
            env, options: As in ``play``.
            seed: Mixed with task and trial by hash.
            source: Where the tasks come from: what ``gym.make`` calls ``tasks``.
        """
        __tracebackhide__ = True
        times = self._trials if k is None else k
        if source is not None:
            options["tasks"] = source
        inner: Any = _make(env, options, self.trials).unwrapped
        listed = inner.task_keys if tasks is None else tuple(tasks)
        keys = some_keys(
            listed, fix="Pass some of them: mosaic.trials(agent, tasks=env.unwrapped.task_keys[:20])"
        )
        if times < 1 or not keys:
            raise HarnessError(
                "ME-TESTING-01",
                f"trials of {counted(len(keys), 'task')}, {counted(times, 'time')} each",
                expected="at least one of each",
            )
        asked = _asked(env, {"tasks": tasks, "k": times, "seed": seed}, options)
        first = self._plays
        runs = {
            key: tuple(
                self.play(agent, env, task=key, seed=derive(seed, "trial", key, n) % 2**31, **options)
                for n in range(times)
            )
            for key in keys
        }
        return Trials(runs, circumstances(inner, asked, ""), (first, self._plays), self._store)


class _Game:
    """One episode being played: the environment, what it depends on, its number, where misses are explained."""

    def __init__(self, env: Any, now: Circumstances, number: int, store: GoldenStore) -> None:
        self.env, self.now, self.number, self._store = env, now, number, store
        self.inner: SearchEnv = env.unwrapped

    def run(self, agent: Agent, observation: Any, info: dict[str, Any], max_steps: int) -> int:
        """Play to the end and return the number of interactions."""
        __tracebackhide__ = True
        self._ask(agent.begin, self.inner, observation, info)
        for step in range(1, max_steps + 1):
            self._store.recording.step = step
            action = self._ask(agent.act, observation, info)
            if not isinstance(action, (str, dict, list)):
                raise AgentFailed(
                    f"the agent returned {shorten(action, 60)} at step {step}; expected a text, or tool "
                    "calls as dicts"
                )
            observation, _, terminated, truncated, info = self.env.step(action)
            if terminated or truncated:
                return int(info["interaction"])
        raise AgentFailed(
            f"the episode has no end after {counted(max_steps, 'step')}; give a budget or max_steps="
        )

    def _ask(self, method: Callable[..., Any], *given: Any) -> Any:
        """Call the agent; name the step when it raises, and the side that moved when its model has no answer."""
        __tracebackhide__ = True
        recording = self._store.recording
        failed: Exception | None = None
        action = None
        try:
            action = method(*given)
        except Exception as error:
            failed = error
        if recording.miss is not None:  # also when the agent swallowed the error
            miss, recording.miss = recording.miss, None
            raise self._store.missed(miss, self.inner, self.now, self.number) from None
        if failed is not None:
            where = f"at step {recording.step}" if recording.step else "before step 1"
            what = f"{type(failed).__name__}: {shorten(str(failed), 300)}"
            why = self._store.explain(self.inner, self.now, self.number)
            raise AgentFailed(f"the agent raised {where}: {what}{why}") from failed
        return action


def circumstances(env: SearchEnv, asked: Mapping[str, Any], task: str) -> Circumstances:
    """Return what a run in an environment depends on beside the agent."""
    setup = env.setup
    tools = {name: tool.version for name, tool in sorted(setup.engine.tools.items())}
    config = setup.config.model_dump(mode="json")
    return Circumstances(asked, task, setup.world.id, config, tools, digest(env.prompt()))


def _make(env: str, options: Mapping[str, Any], caller: Callable[..., Any]) -> Any:
    """Make an environment; an unknown argument is one of the method that was called, too.

    Raises: ConfigError (ME-CONFIG-01) with the parameters of both.
    """
    try:
        return gym.make(env, disable_env_checker=True, **options)
    except ConfigError as error:
        if error.code != "ME-CONFIG-01":
            raise
        own = [name for name in signature(caller).parameters if name != "options"]
        known = {*own, *EnvConfig.model_fields, "snapshot", "tasks", "split", "encoders"} - {"family"}
        unknown = sorted(options.keys() - known)
        raise ConfigError(
            "ME-CONFIG-01",
            f"mosaic.{caller.__name__} got an unknown argument {unknown[0]!r}" if unknown else error.what,
            expected=f"its own ({', '.join(own)}) or one of gym.make ({error.expected})",
            nearest=nearest(unknown[0], known) if unknown else error.nearest,
            fix="tasks= lists the tasks to play and k= says how often" if "tasks" in own else "",
        ) from None


def _asked(env: str, what: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    given = {name: _plain(value) for name, value in sorted(options.items()) if name not in _PLACES}
    return {"env": env, **{name: _plain(value) for name, value in what.items()}, "options": given}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    small = not isinstance(value, int) or abs(value) <= MAX_JSON_INT
    return value if isinstance(value, (str, int, float, type(None))) and small else repr(value)
