"""Cropping a picture: explicit coordinates, cut from the original pixels, never guessed.

Source of the 0 to 1000 convention: both papers' agents. Clamping and swapping are reported; what
cannot be meant (NaN, nested lists, no area, fractions) is an error with a hint.
"""

from __future__ import annotations

import math
from typing import Any, Literal

from pydantic import Field

from mosaic_env.core.types import ToolResult
from mosaic_env.tools.base import Tool, ToolArguments, ToolContext, ToolError, register_tool
from mosaic_env.tools.handles import MAX_CROP_DEPTH
from mosaic_env.tools.rows import find_picture

_HINT = "bbox is [left, top, right, bottom] in thousandths of the picture, for example [0, 0, 500, 1000]"
_PIXEL_HINT = "with coords='pixel', bbox is [left, top, right, bottom] in pixels of the picture"


@register_tool
class ImageCrop(Tool):
    """A part of a picture under a new handle, attached to the observation."""

    name = "image_crop"
    description = (
        "Cut a part out of a picture and look at it. Crops of crops are cut from the original picture."
    )

    class Arguments(ToolArguments):
        """A picture and a box."""

        image: str = Field(description="Handle of a picture, for example kb_1.")
        bbox: list[Any] = Field(
            description="Box [left, top, right, bottom], each from 0 to 1000 (thousandths).",
            json_schema_extra={"items": {"type": "number"}, "minItems": 4, "maxItems": 4},
        )
        coords: Literal["norm1000", "pixel"] = Field(
            "norm1000", description="norm1000 (thousandths) or pixel (pixels of the picture)."
        )

    def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Cut the box out and name it."""
        entry = find_picture(arguments.image, context)
        if arguments.image.count("_crop") >= MAX_CROP_DEPTH:
            raise ToolError(
                "crop_depth", "this picture is a crop of too many crops", "crop an earlier picture"
            )
        pixels = arguments.coords == "pixel"
        width, height = entry.picture.width, entry.picture.height
        limits = (width, height) if pixels else (1000, 1000)
        numbers = _numbers(arguments.bbox, fractions_allowed=pixels)
        box = _ordered(numbers, limits, context)
        if not pixels:
            box = [_scale(value, size) for value, size in zip(box, (width, height) * 2, strict=True)]
        left, top, right, bottom = (int(value) for value in box)
        if right <= left or bottom <= top:
            raise ToolError("bad_bbox", "the box has no area", _PIXEL_HINT if pixels else _HINT)
        picture = context.world.images.crop(entry.picture, (left, top, right, bottom))
        handle, new = context.handles.crop(arguments.image, picture)
        if not new:
            context.warnings.append("this crop exists already under the same handle")
        data = {
            "image": handle,
            "parent": arguments.image,
            "bbox_pixels": [left, top, right, bottom],
            "width": picture.width,
            "height": picture.height,
        }
        return ToolResult(data, show=(handle,))


def _numbers(bbox: list[Any], *, fractions_allowed: bool) -> list[float]:
    if len(bbox) != 4:
        raise ToolError("bad_bbox", f"the box has {len(bbox)} values, not 4", _HINT)
    numbers: list[float] = []
    for value in bbox:
        try:
            number = (
                float(value)
                if isinstance(value, (int, float, str)) and not isinstance(value, bool)
                else math.nan
            )
        except (ValueError, OverflowError):
            number = math.nan
        if not math.isfinite(number):
            raise ToolError("bad_bbox", "the box holds something that is not a finite number", _HINT)
        numbers.append(number)
    if not fractions_allowed and max(map(abs, numbers)) <= 1.0 and any(n != int(n) for n in numbers):
        raise ToolError("bad_bbox", "the box looks like fractions from 0 to 1", _HINT)
    return numbers


def _ordered(box: list[float], limits: tuple[int, int], context: ToolContext) -> list[float]:
    """Clamp to the picture and put the corners in order; say so when that changed anything."""
    clamped = [min(max(value, 0.0), float(limit)) for value, limit in zip(box, limits * 2, strict=True)]
    left, top, right, bottom = clamped
    ordered = [min(left, right), min(top, bottom), max(left, right), max(top, bottom)]
    if clamped != box:
        context.warnings.append(f"the box was cut to the picture (0 to {limits[0]}, 0 to {limits[1]})")
    if ordered != clamped:
        context.warnings.append("the corners were put in order")
    return ordered


def _scale(value: float, size: int) -> float:
    # floor(x + 1/2) of one product and one division: the same on every IEEE machine.
    return math.floor(value * size / 1000.0 + 0.5)
