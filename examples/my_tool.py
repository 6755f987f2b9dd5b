"""A tool of a stranger: one class, one line to register it.

    gym.make("InterLV-L2-v0", tools=["local_text_search", "count_results"]) after importing this module.

It asks the index by yielding a ``Search``; a vector environment answers it together with the others.
"""

from __future__ import annotations

from pydantic import Field

from mosaic_env.core.types import Search, ToolResult
from mosaic_env.tools.base import Asking, Tool, ToolArguments, ToolContext, register_tool


@register_tool
class CountResults(Tool):
    """How many entities match a text."""

    name = "count_results"
    description = "Count the entities that match a text, at most 50."
    routes = ("text",)

    class Arguments(ToolArguments):
        """A text query."""

        query: str = Field(description="What to search for.")

    def run(self, arguments: Arguments, context: ToolContext) -> Asking:
        """Ask the text route and count."""
        hits = yield Search("text", arguments.query, 50)
        return ToolResult({"matches": len(hits.rows)}, modality="text")
