"""Text search over entities, without and with their pictures (the papers' two text tools)."""

from __future__ import annotations

from pydantic import Field

from mosaic_env.core.types import Search
from mosaic_env.tools.base import Asking, Tool, ToolArguments, ToolContext, register_tool
from mosaic_env.tools.rows import DEFAULT_ROWS, DEFAULT_TEXT_CHARS, clamp_rows, search_result


class TextSearchArguments(ToolArguments):
    """A text query."""

    query: str = Field(
        description="What to search for: a name, a description, or a relation such as 'capital of X'."
    )
    top_k: int = Field(DEFAULT_ROWS, description="How many results, 1 to 50.")
    max_text_chars: int = Field(
        DEFAULT_TEXT_CHARS, description="Longest text of a result in characters; 0 is no limit."
    )


@register_tool
class LocalTextSearch(Tool):
    """Ranked entities for a text; their pictures are named but not attached."""

    name = "local_text_search"
    description = (
        "Search the knowledge base by text. Returns entities with their text and the handle of their picture."
    )
    routes = ("text",)
    Arguments = TextSearchArguments
    attach = False

    def run(self, arguments: TextSearchArguments, context: ToolContext) -> Asking:
        """Ask the text route and return the rows."""
        k = clamp_rows(arguments.top_k, context)
        hits = yield Search("text", arguments.query, k, facts=context.settings.facts)
        attach = self.attach or context.settings.attach_text_results
        return search_result(
            hits, context, modality="text", attach=attach, max_chars=arguments.max_text_chars
        )


@register_tool
class LocalTextSearchWithImage(LocalTextSearch):
    """The same ranking, with the pictures attached."""

    name = "local_text_search_with_image"
    description = "Search the knowledge base by text and look at the pictures of the results."
    attach = True
