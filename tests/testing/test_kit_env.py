"""``check_mosaic_env`` finds what is planted in small broken environments."""

from __future__ import annotations

import dataclasses
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
import pytest

import mosaic_env  # noqa: F401
from mosaic_env.envs.core import SearchEnv
from mosaic_env.testing import CheckFailed, check_mosaic_env
from mosaic_env.testing.errors import HarnessError

TOY = "tests.envs.toy:toy-hundred"


def test_a_fresh_environment_without_a_spec_passes(tiny: Path) -> None:
    done = check_mosaic_env(SearchEnv("interlv-l1", snapshot=str(tiny), tasks=TOY))
    assert "steps before reset" in done and "null agent (20 tasks)" in done
    begun = SearchEnv("interlv-l1", snapshot=str(tiny))
    begun.reset(seed=0)
    assert check_mosaic_env(begun)[0].startswith("steps before reset (left out")


def test_something_else_is_refused() -> None:
    with pytest.raises(CheckFailed, match="is no SearchEnv"):
        check_mosaic_env(gym.make("CartPole-v1"))


class Shared(SearchEnv):
    """Draws from a counter that all environments share."""

    drawn: ClassVar[list[int]] = [0]

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        if seed is not None:
            self.drawn[0] = seed * 1037
        self.drawn[0] += 1
        key = (options or {}).get("task_id") or self.task_keys[self.drawn[0] % len(self.task_keys)]
        return super().reset(seed=seed, options={"task_id": key})


class Added(SearchEnv):
    """Adds the number of the reset to the seed."""

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        base = seed if seed is not None else self._base_seed or 0
        number = 0 if seed is not None else self._drawn
        key = (options or {}).get("task_id") or self.task_keys[(base + number) % len(self.task_keys)]
        return super().reset(seed=seed, options={"task_id": key})


class Global(SearchEnv):
    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        random.random()
        return super().reset(seed=seed, options=options)


class NoZero(SearchEnv):
    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        return super().reset(seed=seed or None, options=options)


class Silent(SearchEnv):
    """Resets itself when it is stepped at the wrong time."""

    def step(self, action: Any) -> Any:
        if self._closed or self._state is None or self._state.phase == "done":
            self._closed = False
            self.reset(seed=0)
        return super().step(action)


class SilentAfterEnd(SearchEnv):
    def step(self, action: Any) -> Any:
        if self._state is not None and self._state.phase == "done":
            self.reset(seed=0)
        return super().step(action)


class OpenAfterClose(SearchEnv):
    def close(self) -> None:
        """Forget to close."""


class Raises(SearchEnv):
    def step(self, action: Any) -> Any:
        if isinstance(action, set):
            raise TypeError("a set")
        return super().step(action)


class Changed(SearchEnv):
    """Notes something that a replay will not."""

    def step(self, action: Any) -> Any:
        result = super().step(action)
        steps = self._state.steps  # type: ignore[union-attr]
        steps[-1] = dataclasses.replace(steps[-1], reason="because")
        return result


class Keeps(SearchEnv):
    """Goes on using what it has returned."""

    kept: ClassVar[list[Any]] = []

    def step(self, action: Any) -> Any:
        result = super().step(action)
        result[4]["memory"] = str(len(self.kept))
        Keeps.kept = result[4]["messages"]
        return result

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        Keeps.kept = []
        return super().reset(seed=seed, options=options)


class Forgets(SearchEnv):
    """Loses the attached pictures when it is restored."""

    def set_state(self, state: Any) -> None:
        super().set_state(state)
        self._state.attached.clear()  # type: ignore[union-attr]


class ForksItself(SearchEnv):
    def fork(self, n: int = 1) -> list[SearchEnv]:
        if self._state is not None and self._state.steps:
            return [self] * n
        return super().fork(n)


def spoiled(change: Callable[[SearchEnv, list[Any]], Any]) -> type[SearchEnv]:
    """Return an environment whose ``step`` results are changed."""

    class Spoiled(SearchEnv):
        def step(self, action: Any) -> Any:
            result = list(super().step(action))
            change(self, result)
            return tuple(result)

    return Spoiled


def setting(**changes: Any) -> type[SearchEnv]:
    """Return an environment whose infos have other values."""
    return spoiled(
        lambda env, result: result[4].update({k: v() if callable(v) else v for k, v in changes.items()})
    )


def only_at_the_end(env: SearchEnv, result: list[Any]) -> None:
    if result[2]:
        result[4]["extra"] = 1


def later(**changes: Any) -> Callable[[SearchEnv, list[Any]], None]:
    """Return a change of infos from the second interaction on, where Gymnasium's checker does not look."""

    def change(env: SearchEnv, result: list[Any]) -> None:
        if result[4]["interaction"] > 1:
            result[4].update({key: value() if callable(value) else value for key, value in changes.items()})

    return change


def drops_a_picture(env: SearchEnv, result: list[Any]) -> None:
    result[0]["images"], result[0]["image_ids"] = result[0]["images"][1:], result[0]["image_ids"][1:]


def no_file(env: SearchEnv, result: list[Any]) -> None:
    result[0]["images"] = tuple(b"\x89PNG\r\n\x1a\n" for _ in result[0]["images"])


def trains_on_everything(env: SearchEnv, result: list[Any]) -> None:
    for message in result[4]["messages"]:
        message["trainable"] = True


def tidies(env: SearchEnv, result: list[Any]) -> None:
    for message in result[4]["messages"]:
        if message["source"] == "policy":
            message["content"] = [{"type": "text", "text": message["content"][0]["text"].strip() + "."}]


TERMS = {"outcome": 0.0, "evidence_recall": 0.0, "hop_progress": 0.0, "format": 0.0, "cost": 0.0}


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        (Silent, "steps before reset: step() before reset() goes through"),
        (spoiled(lambda env, result: result[0].pop("budget")), "gymnasium's check_env: "),
        (NoZero, "seeds: reset(seed=0) plays with the seed | gymnasium's check_env: "),
        (Added, "seeds: seeds 0 and 1 give the same episodes, shifted"),
        (Global, "seeds: reset() draws from a global generator"),
        (Shared, "another environment meanwhile: resets of another environment change"),
        (spoiled(only_at_the_end), "infos and observations: info['extra'] is None at reset and int at step"),
        (setting(answer=None), "infos and observations: info['answer'] is str at reset and NoneType"),
        (setting(memory=lambda: "/home/" + "someone/x"), "info or observation holds '/home/someone"),
        (spoiled(later(reward_terms={**TERMS, "cost": float("nan")})), "info['reward_terms']['cost'] is nan"),
        (setting(interaction=lambda: np.int64(1)), "info['interaction'] is int at reset and int64"),
        (spoiled(later(memory=lambda: str(time.perf_counter_ns()))), "info['memory'] differs at step"),
        (spoiled(lambda env, result: result.__setitem__(1, 0)), "the reward is 0"),
        (spoiled(lambda env, result: result.__setitem__(2, np.bool_(result[2]))), "terminated or truncated is not"),
        (spoiled(drops_a_picture), "infos and observations: at step 1 the placeholders are"),
        (spoiled(no_file), "infos and observations: ImageError"),
        (setting(dropped=7), "info['dropped'] is 7"),
        (setting(interaction=1), "left, 1 are used"),
        (setting(tool_calls=9), "info['tool_calls'] is 9"),
        (spoiled(trains_on_everything), "messages: a message of 'env' has trainable=True"),
        (spoiled(tidies), "messages: the policy's message is not what the policy wrote"),
        (setting(messages=list), "messages: 0 messages of a step are the policy's | the messages show []"),
        (spoiled(lambda env, result: result[4].update(reward_terms=TERMS)), "gymnasium's check_env: "),
        (Keeps, "nothing returned is shared: changing what step"),
        (Forgets, "state, pickle and fork: "),
        (ForksItself, "state, pickle and fork: "),
        (Changed, "replay: ReplayError"),
        (Raises, "hostile actions: step(set()) raised TypeError: 'a set'"),
        (spoiled(lambda env, result: result.__setitem__(1, 0.25)), "null agent: writing nothing earns 0.25"),
        (SilentAfterEnd, "steps after the end: step() after the end goes through"),
        (OpenAfterClose, "steps after the end: step() after close() raises ResetNeeded"),
    ],
)  # fmt: skip
def test_faults(tiny: Path, kind: type[SearchEnv], says: str) -> None:
    # The toy tasks are many and have no pictures to find; the stored one has.
    tasks = TOY if kind in (Added, Shared) or "null agent" in says else None
    with pytest.raises(CheckFailed) as caught:
        check_mosaic_env(kind("interlv-l1", snapshot=str(tiny), tasks=tasks))
    assert any(part in str(caught.value) for part in says.split(" | ")), str(caught.value)


def test_an_id_is_made_here() -> None:
    assert check_mosaic_env("InterLV-L1-v0") == check_mosaic_env(gym.make("InterLV-L1-v0"))


@pytest.mark.parametrize("value", [SearchEnv, None, 5])
def test_what_is_no_environment_is_told_what_to_pass(value: Any) -> None:
    with pytest.raises(HarnessError, match=r"check_mosaic_env got .*Expected an environment or its id"):
        check_mosaic_env(value)
