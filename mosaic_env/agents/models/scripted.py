"""A model that says what it was told to: for tests, demonstrations and measuring everything else."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from mosaic_env.agents.models.base import Reply, Request
from mosaic_env.core.errors import ModelError

Script = Sequence[str | Reply] | Callable[[Request], str | Reply]


class ScriptedModel:
    """Answers from a list, in order, or by a function of the request.

    Args:
        script: Texts or replies; or a function. A function is called from the threads that ask.
        name: What reports call it.
    """

    def __init__(self, script: Script, *, name: str = "scripted") -> None:
        self._name = name
        self._function = script if callable(script) else None
        self._replies = () if callable(script) else tuple(script)
        self._next = 0
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """What reports call it."""
        return self._name

    def complete(self, request: Request) -> Reply:
        """Answer.

        Raises: ModelError (ME-MODEL-02) when the list has ended.
        """
        given = self._following() if self._function is None else self._function(request)
        return given if isinstance(given, Reply) else Reply(given)

    def _following(self) -> str | Reply:
        with self._lock:
            number, self._next = self._next, self._next + 1
        if number >= len(self._replies):
            raise ModelError(
                "ME-MODEL-02", f"the script of {self._name!r} has ended",
                expected=f"at most {len(self._replies)} requests", fix="Give more replies, or a function",
            )  # fmt: skip
        return self._replies[number]
