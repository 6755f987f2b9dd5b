"""A canvas that draws at a multiple of the size and reduces: soft edges from hard polygons.

Everything is integer or float arithmetic of Pillow and NumPy on fixed inputs: the same drawing gives the same
pixels in every process.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, Self

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from mosaic_env.world.drawing.paints import Box, Paint
from mosaic_env.world.drawing.palette import INK, PAPER, Colour, is_light
from mosaic_env.world.drawing.shapes import Point, Shape, bounds

#: Outlines and hard shadows are left off shapes smaller than this, in picture units.
_SMALL = 8.0


@dataclass(frozen=True)
class Fineness:
    """How finely a canvas draws.

    Args:
        scale: Canvas pixels in a picture unit.
        reduce: Canvas pixels in a pixel of the finished picture, along one side.
    """

    scale: float
    reduce: int


FULL = Fineness(3.0, 3)


@dataclass(frozen=True)
class Hand:
    """What a style of drawing does to every stroke.

    Args:
        outline: Width of the line around every opaque shape; 0 for none.
        ink: Its colour.
        bands: Gradients are drawn in so many even steps; 0 for smooth ones.
        shadows: How the shadows of things are drawn.
        lift: How far every opaque shape throws a hard shadow, as if cut out of paper; 0 for none.
    """

    outline: float = 0.0
    ink: Colour = INK
    bands: int = 0
    shadows: Literal["soft", "hard", "none"] = "soft"
    lift: float = 0.0


class Canvas:
    """A picture being drawn. All coordinates and sizes are in pixels of the picture at its full size.

    Args:
        width, height: Size of the picture.
        ground: What fills it at first.
    """

    def __init__(
        self, width: int, height: int, ground: Colour | Paint = (255, 255, 255), *,
        hand: Hand = Hand(), fineness: Fineness = FULL,
    ) -> None:  # fmt: skip
        self.width, self.height = width, height
        self.hand, self.fineness, self.scale = hand, fineness, fineness.scale
        size = (self._whole(width), self._whole(height))
        self.image = Image.new("RGB", size, ground if isinstance(ground, tuple) else (255, 255, 255))
        if not isinstance(ground, tuple):
            self._fill([(0, 0), (width, 0), (width, height), (0, height)], ground, 1.0)

    def sheet(self, width: int, height: int, ground: Colour | Paint) -> Self:
        """Return another canvas that draws in the same way."""
        return type(self)(width, height, ground, hand=self.hand, fineness=self.fineness)

    def fill(self, shape: Sequence[Point], paint: Colour | Paint, alpha: float = 1.0) -> None:
        """Fill a shape.

        Args:
            alpha: 0 (nothing) to 1 (opaque).
        """
        if alpha < 1 or not (self.hand.outline or self.hand.lift):
            self._fill(shape, paint, alpha)
            return
        left, top, right, bottom = bounds(shape)
        large = min(right - left, bottom - top) >= _SMALL
        if large and self.hand.lift:
            lift = min(self.hand.lift, (right - left) / 8, (bottom - top) / 8)
            self._fill([(x + lift, y + lift * 1.3) for x, y in shape], (30, 26, 40), 0.34)
        self._fill(shape, paint, alpha)
        if large and self.hand.outline:
            self.line(
                shape,
                self.hand.ink,
                min(self.hand.outline, (right - left) / 16, (bottom - top) / 10),
                closed=True,
            )

    def wash(self, shape: Sequence[Point], paint: Colour | Paint) -> None:
        """Fill a shape that only gives texture to the ground: no style draws an outline around it."""
        self._fill(shape, paint, 1.0)

    def _fill(self, shape: Sequence[Point], paint: Colour | Paint, alpha: float) -> None:
        if isinstance(paint, tuple) and alpha >= 1:
            ImageDraw.Draw(self.image).polygon(self._scaled(shape), fill=paint)
            return
        area = self._area(bounds(shape))
        if area is None:
            return
        ink = paint if isinstance(paint, tuple) else self._painted(paint, bounds(shape), area)
        if alpha >= 1 and _is_upright(shape) and isinstance(ink, Image.Image):
            box = [round(v * self.scale) for v in bounds(shape)]
            inside = (max(box[0], 0), max(box[1], 0), min(box[2] + 1, area[2]), min(box[3] + 1, area[3]))
            if inside[0] < inside[2] and inside[1] < inside[3]:
                part = ink.crop(tuple(inside[i] - area[i % 2] for i in range(4)))  # type: ignore[arg-type]
                self.image.paste(part, inside[:2])
            return
        mask = Image.new("L", (area[2] - area[0], area[3] - area[1]), 0)
        ImageDraw.Draw(mask).polygon(self._scaled(shape, area[0], area[1]), fill=round(255 * alpha))
        self.image.paste(ink, area[:2] if isinstance(ink, Image.Image) else area, mask)

    def _painted(self, paint: Paint, box: Box, area: tuple[int, int, int, int]) -> Image.Image:
        """Return a paint over an area; smooth ones are sampled once a finished pixel."""
        step = self.fineness.reduce if paint.smooth else 1
        x = (np.arange(area[0], area[2], step, dtype=np.float32)[None, :] + step / 2) / self.scale
        y = (np.arange(area[1], area[3], step, dtype=np.float32)[:, None] + step / 2) / self.scale
        shares = paint.shares(x.astype(np.float32), y.astype(np.float32), box)
        numbers = np.broadcast_to(np.rint(shares * 255).astype(np.uint8), (y.shape[0], x.shape[1]))
        image = Image.fromarray(np.ascontiguousarray(numbers))
        image.putpalette(_ramp(*paint.ends, self.hand.bands if paint.smooth else 0))
        colours = image.convert("RGB")
        if step == 1:
            return colours
        return colours.resize((colours.width * step, colours.height * step), Image.Resampling.NEAREST)

    def fill_together(self, parts: Sequence[Sequence[Point]], colour: Colour, alpha: float = 1.0) -> None:
        """Fill the union of shapes, so that a translucent colour does not add up where they overlap."""
        boxes = [bounds(shape) for shape in parts]
        area = self._area(
            (
                min(b[0] for b in boxes),
                min(b[1] for b in boxes),
                max(b[2] for b in boxes),
                max(b[3] for b in boxes),
            )
        )
        if area is None:
            return
        mask = Image.new("L", (area[2] - area[0], area[3] - area[1]), 0)
        draw = ImageDraw.Draw(mask)
        for shape in parts:
            draw.polygon(self._scaled(shape, area[0], area[1]), fill=round(255 * alpha))
        self.image.paste(colour, area, mask)

    def line(
        self, points: Sequence[Point], colour: Colour, width: float = 2.0, *, closed: bool = False
    ) -> None:
        """Draw a line with round joints and ends."""
        draw = ImageDraw.Draw(self.image)
        path = self._scaled([*points, points[0]] if closed else points)
        pixels = max(1, round(width * self.scale))
        draw.line(path, fill=colour, width=pixels, joint="curve" if pixels > 2 else None)
        r = pixels / 2
        if pixels > 2:
            for x, y in (path[0], path[-1]):
                draw.ellipse((x - r, y - r, x + r, y + r), fill=colour)

    def outlined(
        self, shape: Sequence[Point], paint: Colour | Paint, outline: Colour, width: float = 2.0
    ) -> None:
        """Fill a shape and draw its outline."""
        self._fill(shape, paint, 1.0)
        self.line(shape, outline, width, closed=True)

    def shadow(
        self,
        shape: Sequence[Point],
        dx: float = 2.0,
        dy: float = 3.0,
        *,
        blur: float = 3.0,
        alpha: float = 0.3,
    ) -> None:
        """Draw the soft shadow of a shape that will be drawn on top."""
        moved = [(x + dx, y + dy) for x, y in shape]
        if self.hand.shadows != "soft":
            if self.hand.shadows == "hard":
                self._fill(moved, (20, 18, 40), alpha * 0.7)
            return
        left, top, right, bottom = bounds(moved)
        reach = blur * 3
        area = self._area((left - reach, top - reach, right + reach, bottom + reach))
        if area is None:
            return
        # A blurred edge is smooth: one sample a finished pixel is enough.
        step = self.fineness.reduce
        size = ((area[2] - area[0]) // step, (area[3] - area[1]) // step)
        mask = Image.new("L", size, 0)
        small = [((x * self.scale - area[0]) / step, (y * self.scale - area[1]) / step) for x, y in moved]
        ImageDraw.Draw(mask).polygon(small, fill=round(255 * alpha))
        soft = mask.filter(ImageFilter.GaussianBlur(blur * self.scale / step))
        whole = soft.resize((size[0] * step, size[1] * step), Image.Resampling.NEAREST)
        self.image.paste((20, 18, 40), area, whole)

    @contextmanager
    def clip(self, shape: Sequence[Point]) -> Iterator[None]:
        """Keep what is drawn inside the block within a shape."""
        before, area = self.image, self._area(bounds(shape))
        self.image = before.copy()
        yield
        drawn, self.image = self.image, before
        if area is not None:
            mask = Image.new("L", (area[2] - area[0], area[3] - area[1]), 0)
            ImageDraw.Draw(mask).polygon(self._scaled(shape, area[0], area[1]), fill=255)
            self.image.paste(drawn.crop(area), area[:2], mask)

    def write(
        self, text: str, x: float, y: float, size: float, colour: Colour, *,
        width: float = 0.0, bold: float = 0.0, spacing: float = 0.0, outline: Colour | None = None,
    ) -> None:  # fmt: skip
        """Write one line centred on (x, y).

        Args:
            width: The line is made smaller to fit; 0 is no limit.
            bold: Extra thickness of the strokes.
            spacing: Extra space between letters, as a share of the size.
            outline: Colour of an outline that keeps it readable on busy ground.
        """
        if width:
            size *= min(1.0, width / max(1.0, line_width(text, size, spacing)))
        font = _font(round(size * self.scale))
        thick, gap = round(bold * self.scale), spacing * size * self.scale
        draw = ImageDraw.Draw(self.image)
        start = (x - line_width(text, size, spacing) / 2) * self.scale
        passes = [(colour, thick)]
        if outline is not None:
            passes.insert(0, (outline, thick + round(max(1.0, size / 12) * self.scale)))
        for ink, stroke in passes:
            cursor = start
            for letter in text:
                draw.text(
                    (cursor, y * self.scale), letter, ink, font, "lm", stroke_width=stroke, stroke_fill=ink
                )
                cursor += font.getlength(letter) + gap

    def ink_at(self, x: float, y: float) -> Colour:
        """Return dark ink where the canvas is light at a point, and paper white where it is dark."""
        pixel = self.image.crop((px := round(x * self.scale), py := round(y * self.scale), px + 1, py + 1))
        red, green, blue = pixel.tobytes()
        return INK if is_light((red, green, blue)) else PAPER

    def finish(self) -> Image.Image:
        """Return the finished picture, RGB."""
        return self.image.reduce(self.fineness.reduce)

    def _whole(self, length: float) -> int:
        """Return a length in canvas pixels that makes whole pixels of the finished picture."""
        step = self.fineness.reduce
        return round(length * self.scale / step) * step

    def _area(self, box: Box) -> tuple[int, int, int, int] | None:
        """Return a box in canvas pixels cut to the canvas, or None when nothing is left.

        Its sides are whole pixels of the finished picture.
        """
        step = self.fineness.reduce
        left = max(0, math.floor(box[0] * self.scale / step) * step)
        top = max(0, math.floor(box[1] * self.scale / step) * step)
        right = min(self.image.width, math.ceil((box[2] * self.scale + 1) / step) * step)
        bottom = min(self.image.height, math.ceil((box[3] * self.scale + 1) / step) * step)
        return (left, top, right, bottom) if left < right and top < bottom else None

    def _scaled(self, shape: Sequence[Point], left: int = 0, top: int = 0) -> Shape:
        scale = self.scale
        return [(x * scale - left, y * scale - top) for x, y in shape]


def _is_upright(shape: Sequence[Point]) -> bool:
    """Tell whether a shape is a rectangle with upright sides."""
    if len(shape) != 4:
        return False
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = shape
    return (ay == by and bx == cx and cy == dy and dx == ax) or (
        ax == bx and by == cy and cx == dx and dy == ay
    )


@lru_cache(maxsize=512)
def _ramp(first: Colour, second: Colour, bands: int) -> bytes:
    """Return 256 colours from the first to the second, in so many even steps when there are bands."""
    steps = np.arange(256)[:, None]
    if bands:
        steps = (2 * np.minimum(steps * bands // 255, bands - 1) + 1) * 255 // (2 * bands)
    colours = (np.array(first) * (255 - steps) + np.array(second) * steps + 127) // 255
    return colours.astype(np.uint8).tobytes()


def line_width(text: str, size: float, spacing: float = 0.0) -> float:
    """Return how wide a line of text becomes, in picture units; the same at every fineness."""
    font = _font(round(size * FULL.scale))
    letters = sum(font.getlength(letter) for letter in text) / FULL.scale
    return letters + spacing * size * max(0, len(text) - 1)


@lru_cache(maxsize=256)
def _font(size: int) -> ImageFont.FreeTypeFont:
    # Pillow's own face; the basic layout does not depend on libraries that happen to be installed.
    font = ImageFont.load_default(max(4, size))
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise RuntimeError("Pillow was built without FreeType, which lettering needs")
    return font.font_variant(layout_engine=ImageFont.Layout.BASIC)
