"""Listing the pictures an episode knows."""

from __future__ import annotations

from mosaic_env.core.types import ToolResult
from mosaic_env.tools.base import Tool, ToolArguments, ToolContext, register_tool

_MAX_LISTED = 200


@register_tool
class ListImages(Tool):
    """Handles, sizes and origins of all pictures seen so far; nothing is attached."""

    name = "list_images"
    description = "List the handles of all pictures found so far."

    class Arguments(ToolArguments):
        """No arguments."""

    def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Return one row a picture, in the order in which they were found."""
        entries = list(context.handles.pictures.items())
        rows = [
            {
                "image": handle,
                "width": entry.picture.width,
                "height": entry.picture.height,
                "interaction": entry.origin,
                **({"entity": context.handles.entity(entry.row)} if entry.row >= 0 else {}),
                **({"cut_from": entry.parent} if entry.parent else {}),
            }
            for handle, entry in entries[:_MAX_LISTED]
        ]
        if len(entries) > _MAX_LISTED:
            context.warnings.append(f"only the first {_MAX_LISTED} of {len(entries)} pictures are listed")
        return ToolResult({"images": rows})
