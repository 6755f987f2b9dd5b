"""ReAct by native tool calls: one chat that only grows, the results as ``tool`` messages.

A model that writes tags or plain text in place of native calls is read all the same; the environment takes
both. Play it with ``memory="none"`` (``REACT_OPTIONS``): the chat is the memory.
"""

from __future__ import annotations

from typing import Any

from mosaic_env.agents.model_agent import ModelAgent
from mosaic_env.agents.models.base import Reply
from mosaic_env.envs.core import SearchEnv
from mosaic_env.envs.messages import Message, text_message

#: Arguments of ``gym.make`` for this agent.
REACT_OPTIONS: dict[str, Any] = {"memory": "none"}


class ReActAgent(ModelAgent):
    """Calls native tools; see ``ModelAgent`` for the arguments."""

    name = "react"
    env_options = REACT_OPTIONS

    def begin(self, env: SearchEnv, observation: dict[str, Any], info: dict[str, Any]) -> None:
        """Start a chat."""
        super().begin(env, observation, info)
        self._chat: list[Message] = []
        self._said = ""
        self._schemas = env.tool_schemas("openai")

    def messages(self, info: dict[str, Any]) -> list[Message]:
        """Add what is new and return the chat."""
        new = info["messages"]
        if not self._chat:
            new = [text_message("system", self.env.prompt("openai"), "env"), *new[1:]]
        elif new[0].get("tool_calls") and self._said:
            # The environment's record keeps the calls of a message; what the model thought stays in the chat.
            new = [{**new[0], "content": [{"type": "text", "text": self._said}]}, *new[1:]]
        self._chat.extend(new)
        return list(self._chat)

    def tools(self) -> list[dict[str, Any]]:
        """Return the environment's tools."""
        return self._schemas

    def action(self, reply: Reply, phase: str) -> Any:
        """Return the reply as an action and keep what it says."""
        self._said = reply.text
        return super().action(reply, phase)
