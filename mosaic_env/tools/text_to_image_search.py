"""Text-to-image search: entities that have a picture, ranked for a text, pictures attached."""

from __future__ import annotations

from mosaic_env.core.types import Search
from mosaic_env.tools.base import Asking, Tool, ToolContext, register_tool
from mosaic_env.tools.rows import clamp_rows, search_result
from mosaic_env.tools.text_search import TextSearchArguments


@register_tool
class LocalTextToImageSearch(Tool):
    """Pictures for a text. ``matched_on`` says whether pictures or the text beside them were compared."""

    name = "local_text_to_image_search"
    description = (
        "Find pictures that fit a text. The result says in matched_on whether the pictures themselves "
        "or the text of their entities were compared."
    )
    routes = ("text_to_image",)
    Arguments = TextSearchArguments

    def run(self, arguments: TextSearchArguments, context: ToolContext) -> Asking:
        """Ask the text-to-image route and return the rows."""
        k = clamp_rows(arguments.top_k, context)
        hits = yield Search("text_to_image", arguments.query, k, pictured=True, facts=context.settings.facts)
        return search_result(
            hits, context, modality="text_to_image", attach=True, max_chars=arguments.max_text_chars
        )
