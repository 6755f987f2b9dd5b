"""Direct answering: the question and its pictures, no tools, one answer. The row that tools are compared with.

Make its environment with ``DIRECT_OPTIONS``: it begins in the answer-only turn, so that the episode is
one request and its record says that there were no tools. In any other environment the agent answers in the
first turn as well.
"""

from __future__ import annotations

from typing import Any

from mosaic_env.agents.model_agent import ModelAgent
from mosaic_env.agents.models.base import Reply
from mosaic_env.envs.actions import format_answer
from mosaic_env.envs.messages import Message, text_message
from mosaic_env.scoring.extract import final_answer

#: Arguments of ``gym.make`` for this agent.
DIRECT_OPTIONS: dict[str, Any] = {"tools": (), "graph": False, "interactions": 0, "memory": "none"}

_SYSTEM = (
    "You answer a question from what you know and from the pictures that come with it, if any do. You have no "
    "tools and one turn. Think first if it helps, inside <think>...</think>. Then write the answer in "
    "<done>...</done>: short, a name, a colour, a number or a few words, and one answer, not alternatives. When "
    "you are not sure, give the likeliest."
)


class DirectAgent(ModelAgent):
    """Answers at once; see ``ModelAgent`` for the arguments."""

    name = "direct"
    env_options = DIRECT_OPTIONS

    def messages(self, info: dict[str, Any]) -> list[Message]:
        """Return the question with its pictures under a prompt of its own."""
        return [text_message("system", _SYSTEM, "env"), *self.env.render_prompt("chat")[1:]]

    def action(self, reply: Reply, phase: str) -> str:
        """Return the text, which is read as the answer; where tools could run it is marked as the answer."""
        return format_answer(final_answer(reply.text)) if phase == "act" else reply.text
