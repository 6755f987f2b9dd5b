"""``check_mosaic_env``: Gymnasium's ``check_env`` and everything this package promises beyond it."""

from __future__ import annotations

import random
import threading
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.utils.env_checker import check_env

from mosaic_env.agents.base import AGENTS
from mosaic_env.core.errors import shorten
from mosaic_env.envs.core import SearchEnv
from mosaic_env.envs.episode import Episode
from mosaic_env.envs.replay import check_replay
from mosaic_env.testing.errors import HarnessError
from mosaic_env.testing.kits.base import Broken, CheckFailed, expect, pickled, run_checks
from mosaic_env.testing.kits.env_play import (
    LONGEST,
    Seen,
    check_budget,
    check_info,
    check_messages,
    check_pictures,
    check_returns,
    digest,
    looking_actions,
    play,
    random_actions,
)
from mosaic_env.testing.kits.hostile import TEXTS, VALUES

_TASKS = 20
_SEED = 11


def check_mosaic_env(env: gym.Env[Any, Any] | str) -> list[str]:
    """Check that an environment keeps the contract of ``mosaic_env.envs``.

    Args:
        env: An environment of this package or of a subclass, or an id for ``gym.make``; from
            ``gym.make`` all is checked, without a spec the parts that need a second one are left out. It
            is closed afterwards.

    Returns: What was checked.
    Raises: CheckFailed saying what to fix; HarnessError (ME-TESTING-01) for what is no environment.
    Cost: about 300 steps.
    """
    made = gym.make(env) if isinstance(env, str) else env
    if isinstance(made, type) or not isinstance(made, gym.Env):
        raise HarnessError(
            "ME-TESTING-01", f"check_mosaic_env got {shorten(made, 60)}", expected="an environment or its id",
            fix="Register the class and pass gym.make(ID), or the id",
        )  # fmt: skip
    inner = made.unwrapped
    if not isinstance(inner, SearchEnv):
        raise CheckFailed("check_mosaic_env", f"{shorten(made, 60)} is no SearchEnv", "Subclass SearchEnv")
    kit = _EnvKit(inner)
    return run_checks(
        f"check_mosaic_env({inner.spec.id if inner.spec else type(inner).__name__})",
        [
            ("steps before reset", kit.before_reset),
            ("gymnasium's check_env", kit.gymnasium),
            ("seeds", kit.seeds),
            ("another environment meanwhile", kit.meanwhile),
            ("infos and observations", kit.contents),
            ("messages", kit.messages),
            ("nothing returned is shared", kit.sharing),
            ("state, pickle and fork", kit.state),
            ("replay", kit.replays),
            ("hostile actions", kit.hostile),
            ("null agent", kit.null_agent),
            ("steps after the end", kit.after_end),
        ],
    )


class _EnvKit:
    """The checks; each begins with a reset of its own."""

    def __init__(self, env: SearchEnv) -> None:
        self.env = env
        self.keys = env.task_keys  # of some sources without end: never listed
        self.folder = str(env.world.snapshot.objects.root.parent)
        self._scripts: list[tuple[str, list[Any]]] = []

    def sibling(self) -> SearchEnv:
        """Return another environment over the same world."""
        self.env.reset(seed=1)
        return self.env.fork(1)[0]

    def scripts(self) -> list[tuple[str, list[Any]]]:
        """Return (task, actions) of a few episodes: random ones, and one that looks at pictures."""
        if not self._scripts:
            key = self.keys[0]
            question = self.env.reset(seed=_SEED, options={"task_id": key})[0]["text"].splitlines()[0]
            self._scripts = [(key, looking_actions(self.env, question))]
            for seed in range(3):
                task = self.keys[seed % len(self.keys)]
                self._scripts.append((task, random_actions(self.env, seed=seed, task=task)))
        return self._scripts

    # --- protocol -----------------------------------------------------------------------------------

    def before_reset(self) -> str | None:
        """Check that ``step`` and ``episode`` need a reset."""
        fresh: Any = self.env.spec.make(disable_env_checker=True).unwrapped if self.env.spec else self.env
        if self.env.spec is None and _begun(fresh):
            return "left out: the environment has no spec and was reset already"
        _raises(gym.error.ResetNeeded, lambda: fresh.episode, "episode before reset()")
        _raises(gym.error.ResetNeeded, lambda: fresh.step("x"), "step() before reset()")
        return None

    def gymnasium(self) -> None:
        """Run Gymnasium's own checker; its warnings are errors here."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            check_env(self.env, skip_render_check=self.env.spec is None)
        # SWIG and others warn about their own types when first imported.
        said = [str(item.message) for item in caught if not issubclass(item.category, DeprecationWarning)]
        expect(not said, shorten(said[0] if said else "", 300))

    def after_end(self) -> None:
        """Check that ``step`` after the end or after ``close`` raises Gymnasium's errors."""
        self.env.reset(seed=_SEED)
        for _ in range(LONGEST):
            _, _, terminated, truncated, _ = self.env.step("<done>x</done>")
            if terminated or truncated:
                break
        _raises(gym.error.ResetNeeded, lambda: self.env.step("x"), "step() after the end")
        self.env.close()
        self.env.close()
        _raises(gym.error.ClosedEnvironmentError, lambda: self.env.step("x"), "step() after close()")
        _raises(gym.error.ClosedEnvironmentError, self.env.reset, "reset() after close()")

    # --- seeds --------------------------------------------------------------------------------------

    def seeds(self) -> None:
        """Check that 0 is a seed, that a seed decides everything, that neighbours share nothing."""
        other = self.sibling()
        state = random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[index]
        for seed in (0, 1, 2**40):
            first = _draws(self.env, seed, 4)
            expect(
                self.env.episode.seed == (seed, 3),
                f"reset(seed={seed}) plays with the seed {self.env.episode.seed}",
            )
            expect(
                first == _draws(other, seed, 4) == _draws(self.env, seed, 4),
                f"reset(seed={seed}) and the resets after it give other episodes the second time",
                "Derive every draw from the seed and a count",
            )  # fmt: skip
        after = random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[index]
        expect(state == after, "reset() draws from a global generator", "Use the environment's seed only")
        if len(self.keys) >= _TASKS:
            one, two = _draws(self.env, 0, _TASKS), _draws(self.env, 1, _TASKS)
            expect(
                one != two and one[1:] != two[:-1],
                "seeds 0 and 1 give the same episodes, shifted",
                "Mix seeds, never add",
            )

    def meanwhile(self) -> None:
        """Check that resets of another environment, in between and in a thread, change nothing."""
        other, alone = self.sibling(), _draws(self.env, _SEED, 6)
        between = [_draw(self.env, _SEED if n == 0 else None, other) for n in range(6)]
        expect(
            alone == between,
            "resets of another environment change which tasks are drawn",
            "Share no generator",
        )
        stop = threading.Event()

        def disturb() -> None:
            while not stop.is_set():
                _draws(other, 5, 3)

        thread = threading.Thread(target=disturb)
        thread.start()
        try:
            same = all(_draws(self.env, _SEED, 6) == alone for _ in range(10))
        finally:
            stop.set()
            thread.join()
        expect(
            same,
            "resets in another thread change which tasks are drawn",
            "Share no state between environments",
        )

    # --- contents -----------------------------------------------------------------------------------

    def contents(self) -> str:
        """Check that what comes back is plain, complete, reproducible and within the budget."""
        pictures = 0
        for task, actions in self.scripts():
            seen = list(play(self.env, actions, seed=_SEED, task=task))
            check_info(seen, self.folder)
            for item in seen[1:]:
                check_returns(self.env, item)
            pictures += check_pictures(seen)
            check_budget(self.env, seen)
            self._again(seen, actions, task)
        return f"{pictures} pictures"

    def _again(self, seen: Sequence[Seen], actions: Sequence[Any], task: str) -> None:
        again = list(play(self.env, actions, seed=_SEED, task=task))
        for number, (one, other) in enumerate(zip(seen, again, strict=True)):
            keys = [key for key in one.info if one.info[key] != other.info[key]]
            expect(
                not keys, f"info[{keys[0] if keys else ''!r}] differs at step {number} of the same episode",
                "Keep clocks, counters and addresses out",
            )  # fmt: skip
            same = one.observation["text"] == other.observation["text"] and one.reward == other.reward
            expect(same, f"observation or reward differs at step {number} of the same episode")

    def messages(self) -> None:
        """Check that messages are append-only, and trainable exactly where the policy wrote."""
        for task, actions in self.scripts():
            check_messages(self.env, actions, seed=_SEED, task=task)

    def sharing(self) -> None:
        """Check that whoever changes what was returned changes nothing else."""
        for task, actions in self.scripts():
            clean = digest(self.env, actions, seed=_SEED, task=task)
            infos = [item.info for item in play(self.env, actions, seed=_SEED, task=task)]
            for number, item in enumerate(play(self.env, actions, seed=_SEED, task=task)):
                expect(
                    item.info == infos[number],
                    f"changing what step {number - 1} returned changes step {number}",
                )
                item.observation["budget"][:] = 99
                _spoil(item.info)
                _spoil(item.observation)
            expect(
                self.env.episode.digest == clean,
                "changing what was returned changes the episode",
                "Return fresh objects",
            )

    # --- state and replay -----------------------------------------------------------------------------

    def state(self) -> str:
        """Check that saved states and forks of every step continue to the same digest."""
        count = 0
        for task, actions in self.scripts()[:2]:
            whole = digest(self.env, actions, seed=_SEED, task=task)
            for number, item in enumerate(play(self.env, actions, seed=_SEED, task=task)):
                if item.ended:
                    break
                saved = pickled(self.env.get_state())
                other, before = self.env.fork(1)[0], self.env.episode.digest
                restored = self.env.fork(1)[0]
                restored.reset(seed=99)
                restored.set_state(saved)
                for way, child in (("a fork", other), ("a restored state", restored)):
                    _continue(child, actions[number:])
                    expect(
                        child.episode.digest == whole, f"{way} of step {number} continues to another digest"
                    )
                    expect(
                        self.env.episode.digest == before, f"playing {way} changes the episode it came from"
                    )
                count += 1
        return f"{count} states"

    def replays(self) -> None:
        """Check that episodes come back from their file and replay byte for byte."""
        for task, actions in self.scripts():
            digest(self.env, actions, seed=_SEED, task=task)
            self._check_replay()

    def _check_replay(self) -> None:
        episode = self.env.episode
        check_replay(Episode.from_line(episode.to_line()), self.env.setup)

    def hostile(self) -> str:
        """Check that any value gives an observation, and that what was played replays."""
        values = [*TEXTS, *VALUES]
        running = False
        for number, value in enumerate(values):
            if not running:
                self.env.reset(seed=number)
            try:
                item = Seen(value, *self.env.step(value))
            except Exception as error:
                raise Broken(
                    f"step({shorten(value, 80)}) raised {type(error).__name__}: {shorten(str(error), 120)}",
                    "Turn what cannot be read into an observation",
                ) from error
            check_returns(self.env, item)
            running = not item.ended
            if not running:
                self._check_replay()
        self._check_replay()
        return f"{len(values)} values"

    def null_agent(self) -> str:
        """Check that writing nothing earns nothing."""
        step = max(len(self.keys) // _TASKS, 1)
        tried = [self.keys[place] for place in range(0, len(self.keys), step)[:_TASKS]]
        for key in tried:
            agent = AGENTS.get("null")(self.env)
            observation, info = self.env.reset(seed=0, options={"task_id": key})
            for _ in range(LONGEST):
                observation, reward, terminated, truncated, info = self.env.step(agent.act(observation, info))
                good = {name: value for name, value in info["reward_terms"].items() if value > 0}
                free = reward <= 0.0 and not info["success"] and not good
                expect(
                    free,
                    f"writing nothing earns {reward} on {key} ({good})",
                    "Pay only for what an agent did",
                )
                if terminated or truncated:
                    break
        return f"{len(tried)} tasks"


def _begun(env: SearchEnv) -> bool:
    try:
        return bool(env.episode)
    except gym.error.ResetNeeded:
        return False


def _raises(kind: type[Exception], action: Callable[[], Any], what: str) -> None:
    try:
        action()
    except kind:
        return
    except Exception as error:
        raise Broken(
            f"{what} raises {type(error).__name__}", f"Raise gymnasium.error.{kind.__name__}"
        ) from error
    raise Broken(f"{what} goes through", f"Raise gymnasium.error.{kind.__name__}")


def _draws(env: SearchEnv, seed: int, count: int) -> list[tuple[str, str]]:
    return [_draw(env, seed if number == 0 else None) for number in range(count)]


def _draw(env: SearchEnv, seed: int | None, other: SearchEnv | None = None) -> tuple[str, str]:
    observation, info = env.reset(seed=seed)
    if other is not None:
        other.reset(seed=seed)
        other.reset()
    return info["task"], observation["text"]


def _continue(env: SearchEnv, actions: Sequence[Any]) -> None:
    for action in actions:
        _, _, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            return


def _spoil(value: Any) -> None:
    """Empty every list and dict inside."""
    if isinstance(value, dict):
        for item in value.values():
            _spoil(item)
        value.clear()
    elif isinstance(value, list):
        for item in value:
            _spoil(item)
        value.clear()
