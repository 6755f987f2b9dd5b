"""Reverse image search: entities whose picture looks like a given one."""

from __future__ import annotations

from pydantic import Field

from mosaic_env.core.types import Search
from mosaic_env.tools.base import Asking, Tool, ToolArguments, ToolContext, register_tool
from mosaic_env.tools.rows import DEFAULT_ROWS, DEFAULT_TEXT_CHARS, clamp_rows, find_picture, search_result


@register_tool
class LocalImageSearch(Tool):
    """Ranked pictures for a picture; a stored picture is searched with its stored vector."""

    name = "local_image_search"
    description = "Find pictures that look like a given picture (also a crop), and the entities they show."
    routes = ("image",)

    class Arguments(ToolArguments):
        """A picture to search with."""

        image: str = Field(description="Handle of a picture, for example kb_1 or kb_1_crop.")
        top_k: int = Field(DEFAULT_ROWS, description="How many results, 1 to 50.")
        exclude_self: bool = Field(False, description="Leave out the entity that the picture belongs to.")
        max_text_chars: int = Field(
            DEFAULT_TEXT_CHARS, description="Longest text of a result in characters; 0 is no limit."
        )

    def run(self, arguments: Arguments, context: ToolContext) -> Asking:
        """Ask the image route and return the rows."""
        entry = find_picture(arguments.image, context)
        own = context.world.kb.keys[entry.row] if arguments.exclude_self and entry.row >= 0 else ""
        hits = yield Search("image", entry.picture, clamp_rows(arguments.top_k, context), exclude=own)
        return search_result(hits, context, modality="image", attach=True, max_chars=arguments.max_text_chars)
