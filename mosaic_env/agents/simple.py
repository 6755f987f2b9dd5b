"""Agents without knowledge: scripted, random, null. Baselines, fuzzers and regression fixtures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mosaic_env.core.seeds import python_random
from mosaic_env.envs.actions import format_answer, format_call
from mosaic_env.envs.core import SearchEnv


class NullAgent:
    """Writes nothing. Scores 0 everywhere, or something is wrong with the environment."""

    def __init__(self, env: SearchEnv, seed: int = 0) -> None:
        pass

    def begin(self, env: SearchEnv, observation: dict[str, Any], info: dict[str, Any]) -> None:
        """Start an episode."""

    def act(self, observation: dict[str, Any], info: dict[str, Any]) -> str:
        """Return the empty text."""
        return ""


class ScriptedAgent:
    """Writes given actions one after another; then answers with nothing.

    Args:
        actions: Texts or structured actions.
    """

    def __init__(self, actions: Sequence[Any]) -> None:
        self._actions = list(actions)
        self._next = 0

    def begin(self, env: SearchEnv, observation: dict[str, Any], info: dict[str, Any]) -> None:
        """Start the script anew."""
        self._next = 0

    def act(self, observation: dict[str, Any], info: dict[str, Any]) -> Any:
        """Return the next action of the script."""
        action = self._actions[self._next] if self._next < len(self._actions) else "<done></done>"
        self._next += 1
        return action


class RandomAgent:
    """Calls random tools with words of the question and handles it has seen, and guesses an answer.

    Args:
        env: The environment, for its tools.
        seed: Mixed with the task's key, so that every task gets its own stream.
    """

    def __init__(self, env: SearchEnv, seed: int = 0) -> None:
        self._seed = seed
        self._tools: list[str] = []
        self._words: list[str] = []
        self._handles: list[str] = []
        self._draw = python_random(seed, "random agent")

    def begin(self, env: SearchEnv, observation: dict[str, Any], info: dict[str, Any]) -> None:
        """Start an episode."""
        self._tools = [schema["name"] for schema in env.tool_schemas("interlv")]
        self._words = [word.strip(".,?!'\"") for word in observation["text"].split("\n")[0].split()[1:]]
        self._handles = list(observation["image_ids"])
        self._draw = python_random(self._seed, "random agent", info["task"])

    def act(self, observation: dict[str, Any], info: dict[str, Any]) -> str:
        """Return one random call, or an answer when the budget ends or a coin says so."""
        self._handles += [handle for handle in observation["image_ids"] if handle not in self._handles]
        if info["phase"] == "memory":
            return "- nothing certain yet"
        if info["phase"] == "answer_only" or not self._tools or self._draw.random() < 0.1:
            return format_answer(self._draw.choice(self._words or ["unknown"]))
        tool = self._draw.choice(self._tools)
        return format_call(tool, self._arguments(tool))

    def _arguments(self, tool: str) -> dict[str, Any]:
        handle = self._draw.choice(self._handles or ["kb_1"])
        start = self._draw.randrange(max(len(self._words), 1))
        span = " ".join(self._words[start : start + 1 + self._draw.randrange(4)])
        if "search" in tool and tool != "local_image_search":
            return {"query": span}
        if tool == "image_crop":
            left, top = self._draw.randrange(900), self._draw.randrange(900)
            return {"image": handle, "bbox": [left, top, left + 100, top + 100]}
        if tool == "python_eval":
            return {"code": f"print({self._draw.randrange(100)})"}
        if tool == "local_graph_neighbors":
            return {"entity": "e_1"}
        return {"image": handle} if tool != "list_images" else {}
