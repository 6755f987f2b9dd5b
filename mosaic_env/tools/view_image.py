"""Looking at a picture again."""

from __future__ import annotations

from pydantic import Field

from mosaic_env.core.types import ToolResult
from mosaic_env.tools.base import Tool, ToolArguments, ToolContext, register_tool
from mosaic_env.tools.rows import find_picture


@register_tool
class ViewImage(Tool):
    """Attaches a known picture to the observation, also when it was attached before."""

    name = "view_image"
    description = "Look at a picture again by its handle."

    class Arguments(ToolArguments):
        """A picture."""

        image: str = Field(description="Handle of a picture, for example kb_1.")

    def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Return the picture's size and attach it."""
        picture = find_picture(arguments.image, context).picture
        data = {"image": arguments.image, "width": picture.width, "height": picture.height}
        return ToolResult(data, show=(arguments.image,), again=True)
