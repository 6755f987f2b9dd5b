"""InterLV-Agent: reason, act, observe in the paper's tags, with the paper's two memories.

``paper`` shows one rewritten prompt: the question, the long memory the model wrote, and the last rounds as
the short memory. ``chat`` shows everything so far, append-only. ``repo`` shows what the reference
implementation shows. Which calls of a message run, when a memory is asked for and how long it may be, and
what the answer-only turn takes are rules of the environment, the same for every agent.
"""

from __future__ import annotations

from typing import Any, ClassVar, cast

from mosaic_env.agents.model_agent import ModelAgent
from mosaic_env.core.words import counted
from mosaic_env.envs.messages import Context, Message
from mosaic_env.envs.observe import ANSWER_REQUEST, MEMORY_REQUEST

_NEXT = (
    "Now decide: think about what you know and what is missing, then write the calls that close the gap, or "
    "the answer in <done> when the evidence is there."
)


class InterLVAgent(ModelAgent):
    """Writes InterLV tags; see ``ModelAgent`` for the arguments."""

    name = "interlv"
    contexts: ClassVar[tuple[str, ...]] = ("paper", "chat", "repo")

    def messages(self, info: dict[str, Any]) -> list[Message]:
        """Return the prompt of this context; a rewritten one ends with what is wanted now."""
        messages = self.env.render_prompt(cast(Context, self.context))
        if self.context == "chat":
            return messages
        memory = MEMORY_REQUEST.format(lines=counted(self.env.config.memory_lines, "line"))
        wanted = {"memory": memory, "answer_only": ANSWER_REQUEST}.get(info["phase"], _NEXT)
        last = messages[-1]
        parts = [_without_requests(part, (memory, ANSWER_REQUEST)) for part in last["content"]]
        return [*messages[:-1], {**last, "content": [*parts, {"type": "text", "text": wanted}]}]


def _without_requests(part: dict[str, Any], requests: tuple[str, ...]) -> dict[str, Any]:
    """Return a part without the request that ends an observation: earlier rounds ask for nothing any more."""
    if part["type"] != "text":
        return part
    text = part["text"]
    for request in requests:
        text = text.removesuffix("\n" + request)
    return {**part, "text": text}
