"""Exchanges with an agent's model: recorded beside the golden, answered from there when it exists.

The seam is a callable: whatever the agent calls, wrapped once by ``Mosaic.model``. Nothing is patched.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mosaic_env.core.canon import MAX_JSON_INT, digest, digest_bytes
from mosaic_env.core.errors import shorten
from mosaic_env.testing.errors import HarnessError, ModelMiss

#: ``play`` of an exchange that no episode was waiting for.
OUTSIDE = -1


@dataclass(frozen=True)
class Exchange:
    """One call of a model.

    Args:
        model: The name it was wrapped under.
        play: Number of the episode in the test, from 0; ``OUTSIDE`` when none was being played.
        step: Number of the step that was being decided, from 1; 0 before the first.
        input: ``{"args": […], "kwargs": {…}}`` as JSON data, bytes by digest.
        output: What it returned, as JSON data.
    """

    model: str
    play: int
    step: int
    input: Mapping[str, Any]
    output: Any

    @cached_property
    def key(self) -> str:
        """The digest of model and input."""
        return digest([self.model, self.input])


class Recording:
    """The exchanges of one test: those recorded before, and those of this run.

    Args:
        recorded: The golden's exchanges; None when there is no golden or its models are called for real.
    """

    def __init__(self, recorded: Sequence[Exchange] | None) -> None:
        self.made: list[Exchange] = []
        self.miss: Exchange | None = None
        self.play, self.step = OUTSIDE, 0
        self._recorded = recorded
        self._names: list[str] = []
        self._asked: dict[tuple[int, str], int] = {}

    def wrap(self, function: Callable[..., Any], name: str | None) -> Callable[..., Any]:
        """Return a callable that records, or answers for, ``function``."""
        named = name or (f"model_{len(self._names) + 1}" if self._names else "model")
        if named in self._names:
            raise HarnessError(
                "ME-TESTING-01", f"two models are wrapped as {named!r}", expected="another name=…"
            )
        self._names.append(named)

        def ask(*args: Any, **kwargs: Any) -> Any:
            given = {"args": plain(args, "args"), "kwargs": plain(kwargs, "kwargs")}
            if self._recorded is not None:
                output = self._answer(named, given)
            else:
                output = plain(function(*args, **kwargs), "output")
            self.made.append(Exchange(named, self.play, self.step, given, output))
            return output

        return ask

    def _answer(self, model: str, given: Mapping[str, Any]) -> Any:
        """Return the recorded output: the n-th time of an input gives its n-th output in this episode."""
        question = Exchange(model, self.play, self.step, given, None)
        key = question.key
        same = [exchange for exchange in self._recorded or () if exchange.key == key]
        here = [exchange for exchange in same if exchange.play == self.play] or same
        if not here:
            self.miss = self.miss or question
            raise ModelMiss(
                f"the model {model!r} was asked something that is not in the recording; run with "
                "--mosaic-update to record it, or with --mosaic-live to ask the real model"
            )
        time = self._asked.get((self.play, key), 0)
        self._asked[(self.play, key)] = time + 1
        return plain(here[min(time, len(here) - 1)].output, "output")


def plain(value: Any, where: str) -> Any:
    """Return a copy of a value as JSON data; bytes become their digest and size.

    Raises: HarnessError (ME-TESTING-01) naming the place of a value that is not JSON data.
    """
    if isinstance(value, bytes):
        return {"bytes": digest_bytes(value), "size": len(value)}
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {key: plain(item, f"{where}.{key}") for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, f"{where}[{number}]") for number, item in enumerate(value)]
    finite = not isinstance(value, float) or math.isfinite(value)
    small = not isinstance(value, int) or abs(value) <= MAX_JSON_INT
    if isinstance(value, (str, int, float, type(None))) and finite and small:
        return value
    raise HarnessError(
        "ME-TESTING-01", f"a wrapped model has {shorten(value, 60)} as {where}",
        expected="JSON data (text, numbers, lists, dicts with text keys) or bytes",
        fix="Wrap the function that takes the prompt and returns the text",
    )  # fmt: skip
