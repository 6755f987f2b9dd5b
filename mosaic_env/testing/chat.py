"""Driving any callable ``messages -> text`` as an agent.

The callable gets the whole chat so far: the messages of ``info["messages"]``, put together, as plain
dicts that it may change. A picture is a part ``{"type": "image", "handle", "digest", "media_type",
"data"}`` with the encoded file in ``data``.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from typing import Any

from mosaic_env.agents.base import Agent
from mosaic_env.core.errors import shorten
from mosaic_env.core.types import Shown
from mosaic_env.envs.core import SearchEnv
from mosaic_env.testing.errors import HarnessError

Chat = list[dict[str, Any]]


class ChatAgent:
    """An agent made of a callable.

    Args:
        function: Takes the chat, returns the next text (or tool calls as dicts).
    """

    def __init__(self, function: Callable[[Chat], Any]) -> None:
        self._function = function
        self._chat: Chat = []
        self._env: SearchEnv | None = None

    def begin(self, env: SearchEnv, observation: dict[str, Any], info: dict[str, Any]) -> None:
        """Start a new chat."""
        self._env, self._chat = env, []

    def act(self, observation: dict[str, Any], info: dict[str, Any]) -> Any:
        """Add the new messages and ask the callable."""
        if self._env is not None:
            episode = self._env.episode
            seen = episode.steps[-1].observation if episode.steps else episode.first
            self._chat += with_pictures(info["messages"], seen.shown, observation["images"])
        return self._function(copy.deepcopy(self._chat))


def with_pictures(messages: Chat, shown: tuple[Shown, ...], files: tuple[bytes, ...]) -> Chat:
    """Return messages whose picture parts hold the pictures' files."""
    data = {item.handle: (item.picture.media_type, file) for item, file in zip(shown, files, strict=True)}
    filled = copy.deepcopy(messages)
    for part in (part for message in filled for part in message["content"] if part["type"] == "image"):
        part["media_type"], part["data"] = data[part["handle"]]
    return filled


def as_agent(agent: Any, env: SearchEnv, seed: int) -> Agent:
    """Return what was given as an agent: an ``Agent``, a class of agents, or a callable.

    Raises: HarnessError (ME-TESTING-01).
    """
    if isinstance(agent, type) and hasattr(agent, "act"):
        made: Agent = agent(env, seed)
        return made
    if hasattr(agent, "act") and hasattr(agent, "begin"):
        given: Agent = agent
        return given
    if callable(agent) and not inspect.iscoroutinefunction(agent):
        return ChatAgent(agent)
    raise HarnessError(
        "ME-TESTING-01", f"{shorten(agent, 60)} is not an agent",
        expected="a callable that takes the chat and returns text, or an object with begin() and act()",
        fix="An async function is wrapped as lambda chat: asyncio.run(agent(chat))",
    )  # fmt: skip
