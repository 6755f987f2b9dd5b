"""Agents of a stranger for runs in worker processes: some behave, some do the worst a process can do."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

from mosaic_env.agents.models.base import Reply, Request, Usage
from mosaic_env.envs.actions import format_answer
from mosaic_env.evals.judge.judge import NOTE, write_note
from mosaic_env.evals.records import Judged

#: Names a file; agents misbehave while it exists.
TROUBLE = "MOSAIC_TEST_TROUBLE"
#: What ``Trouble`` does, by the place of the task among the environment's tasks.
DEEDS = ("exit", "_exit", "kill", "segfault", "loop", "ask", "raise", "close everything", "recursion")


class Blind:
    """Searches like anybody, never looks at a picture, and answers with the colour that is right most often."""

    def __init__(self, env: Any, seed: int = 0) -> None:
        self._said = False

    def begin(self, env: Any, observation: dict[str, Any], info: dict[str, Any]) -> None:
        self._question = observation["text"].split("\n")[0]
        self._said = False

    def act(self, observation: dict[str, Any], info: dict[str, Any]) -> str:
        if self._said or info["phase"] != "act":
            return format_answer("2" if "how many" in self._question.lower() else "red")
        self._said = True
        return f"<query>{self._question[:80]}</query>"


class Trouble(Blind):
    """Answers at once, after it did its deed."""

    def begin(self, env: Any, observation: dict[str, Any], info: dict[str, Any]) -> None:
        super().begin(env, observation, info)
        place = list(env.task_keys).index(info["task"])
        self._deed = DEEDS[place] if place < len(DEEDS) and Path(os.environ[TROUBLE]).exists() else ""

    def act(self, observation: dict[str, Any], info: dict[str, Any]) -> str:
        print("what agents print is no result")
        if self._deed == "exit":
            sys.exit(3)
        elif self._deed == "_exit":
            os._exit(0)
        elif self._deed == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        elif self._deed == "segfault":
            ctypes.string_at(0)
        elif self._deed == "loop":
            while True:
                pass
        elif self._deed == "ask":
            input("whom? ")
        elif self._deed == "raise":
            raise ValueError("secret-in-a-message")
        elif self._deed == "close everything":
            os.closerange(3, 256)  # the pipes to the parent, too
        elif self._deed == "recursion":
            self.act(observation, info)
        return format_answer("red")


class Slow(Blind):
    """Takes a moment for everything."""

    def act(self, observation: dict[str, Any], info: dict[str, Any]) -> str:
        time.sleep(0.05)
        return super().act(observation, info)


class Vague(Blind):
    """Gives an answer that rules leave open where 3 is right."""

    def act(self, observation: dict[str, Any], info: dict[str, Any]) -> str:
        return format_answer("about 3")


class Forks(Blind):
    """Leaves a second process behind that goes on as if it were the first."""

    def act(self, observation: dict[str, Any], info: dict[str, Any]) -> str:
        os.fork()
        return format_answer("red")


class Forges(Blind):
    """Writes into every pipe it finds what a worker might say."""

    def act(self, observation: dict[str, Any], info: dict[str, Any]) -> str:
        line = os.environ[TROUBLE].encode() + b"\n"
        for number in range(3, 64):
            with contextlib.suppress(OSError):
                os.write(number, line)
        return format_answer("red")


class Halves(Blind):
    """Answers with half a surrogate pair: a model may write one as an escape of JSON."""

    def act(self, observation: dict[str, Any], info: dict[str, Any]) -> str:
        return format_answer("red \ud800 é")


class Judges(Blind):
    """Says in its notes that a judge found it right."""

    def notes(self) -> dict[str, str]:
        verdict = Judged("yes", "model", "", "me", "mine")
        return {NOTE: write_note(verdict), "part": "another", "mood": "good"}


class Fails(Blind):
    """Never acts."""

    def act(self, observation: dict[str, Any], info: dict[str, Any]) -> str:
        raise OSError("the server is down")


class Unmade:
    """Cannot be made either, and says so."""

    def __init__(self, env: Any, seed: int = 0) -> None:
        sys.exit("secret-in-a-message")


class NoAgent:
    """Cannot be made."""

    def __init__(self, env: Any, seed: int = 0) -> None:
        os._exit(7)


def say(request: Request) -> Reply:
    """Answer as a model would: the first time with a search, then with an answer."""
    asked = sum(message["role"] == "assistant" for message in request.messages)
    text = (
        "<query>a city</query>"
        if asked == 0 and "<query>" in str(request.messages[0])
        else "<done>red</done>"
    )
    return Reply(text, usage=Usage(100, 10, 0.001))
