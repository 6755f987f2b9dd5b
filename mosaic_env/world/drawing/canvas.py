"""A canvas that draws at four times the size and reduces: soft edges from hard polygons.

Paints are colours, gradients and patterns. Everything is integer or float arithmetic of Pillow and NumPy on
fixed inputs: the same drawing gives the same pixels in every process.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from mosaic_env.world.drawing.palette import INK, PAPER, Colour, is_light
from mosaic_env.world.drawing.shapes import Point, Shape, bounds

SCALE = 4
Floats = NDArray[np.float64]


class Paint(Protocol):
    """Fills an area: colours for a grid of picture coordinates."""

    def colours(self, x: Floats, y: Floats, box: tuple[float, float, float, float]) -> Floats:
        """Return float colours, shape (height, width, 3).

        Args:
            x: shape (1, width); y: shape (height, 1); picture units.
            box: Bounds of what is filled.
        """
        ...


@dataclass(frozen=True)
class Gradient:
    """A linear gradient across the bounds of what is filled.

    Args:
        angle: Degrees: 0 from left to right, 90 from top to bottom.
    """

    start: Colour
    end: Colour
    angle: float = 90.0

    def colours(self, x: Floats, y: Floats, box: tuple[float, float, float, float]) -> Floats:
        """Return the colours of a grid."""
        left, top, right, bottom = box
        cos, sin = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        reach = abs(cos) * (right - left) / 2 + abs(sin) * (bottom - top) / 2 or 1.0
        along = (x - (left + right) / 2) * cos + (y - (top + bottom) / 2) * sin
        return _mixed(self.start, self.end, np.clip(along / reach / 2 + 0.5, 0, 1))


@dataclass(frozen=True)
class Glow:
    """A radial gradient around a point."""

    x: float
    y: float
    radius: float
    inner: Colour
    outer: Colour

    def colours(self, x: Floats, y: Floats, box: tuple[float, float, float, float]) -> Floats:
        """Return the colours of a grid."""
        return _mixed(self.inner, self.outer, np.clip(np.hypot(x - self.x, y - self.y) / self.radius, 0, 1))


PatternName = Literal["striped", "checked", "dotted", "zigzag"]


@dataclass(frozen=True)
class Pattern:
    """A two-colour pattern.

    Args:
        size: Period in picture units.
        angle: Degrees the stripes or checks are turned.
    """

    name: str
    ground: Colour
    figure: Colour
    size: float = 16.0
    angle: float = 0.0

    def colours(self, x: Floats, y: Floats, box: tuple[float, float, float, float]) -> Floats:
        """Return the colours of a grid."""
        cos, sin = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        u = ((x - box[0]) * cos + (y - box[1]) * sin) / self.size
        v = ((y - box[1]) * cos - (x - box[0]) * sin) / self.size
        if self.name == "striped":
            figure = (u + 0 * v) % 1 < 0.5
        elif self.name == "checked":
            figure = (np.floor(u * 2) + np.floor(v * 2)) % 2 < 1
        elif self.name == "zigzag":
            figure = (v + 0.5 * np.abs((u % 1) - 0.5)) % 1 < 0.45
        else:  # dotted: every second row is moved by half a period
            shifted = u + 0.5 * (np.floor(v) % 2)
            figure = np.hypot(shifted % 1 - 0.5, v % 1 - 0.5) < 0.27
        return _mixed(self.ground, self.figure, figure.astype(np.float64))


def _mixed(first: Colour, second: Colour, share: Floats) -> Floats:
    start, end = np.asarray(first, np.float64), np.asarray(second, np.float64)
    mixed: Floats = start + (end - start) * share[..., None]
    return mixed


class Canvas:
    """A picture being drawn. All coordinates and sizes are in pixels of the finished picture.

    Args:
        width, height: Size of the finished picture.
        ground: What fills it at first.
    """

    def __init__(self, width: int, height: int, ground: Colour | Paint = (255, 255, 255)) -> None:
        self.width, self.height = width, height
        self.image = Image.new("RGB", (width * SCALE, height * SCALE), (255, 255, 255))
        self.fill([(0, 0), (width, 0), (width, height), (0, height)], ground)

    def fill(self, shape: Sequence[Point], paint: Colour | Paint, alpha: float = 1.0) -> None:
        """Fill a shape.

        Args:
            alpha: 0 (nothing) to 1 (opaque).
        """
        if isinstance(paint, tuple) and alpha >= 1:
            ImageDraw.Draw(self.image).polygon(_scaled(shape), fill=paint)
            return
        area = self._area(bounds(shape))
        if area is None:
            return
        left, top, right, bottom = area
        mask = Image.new("L", (right - left, bottom - top), 0)
        ImageDraw.Draw(mask).polygon(_scaled(shape, left, top), fill=round(255 * alpha))
        if isinstance(paint, tuple):
            self.image.paste(paint, (left, top), mask)
            return
        x = (np.arange(left, right)[None, :] + 0.5) / SCALE
        y = (np.arange(top, bottom)[:, None] + 0.5) / SCALE
        colours = paint.colours(x, y, bounds(shape))
        full = np.broadcast_to(colours, (bottom - top, right - left, 3))
        self.image.paste(Image.fromarray(np.rint(full).astype(np.uint8)), (left, top), mask)

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
            draw.polygon(_scaled(shape, area[0], area[1]), fill=round(255 * alpha))
        self.image.paste(colour, area[:2], mask)

    def line(
        self, points: Sequence[Point], colour: Colour, width: float = 2.0, *, closed: bool = False
    ) -> None:
        """Draw a line with round joints and ends."""
        draw = ImageDraw.Draw(self.image)
        path = _scaled([*points, points[0]] if closed else points)
        pixels = max(1, round(width * SCALE))
        draw.line(path, fill=colour, width=pixels, joint="curve")
        r = pixels / 2
        for x, y in (path[0], path[-1]):
            draw.ellipse((x - r, y - r, x + r, y + r), fill=colour)

    def outlined(
        self, shape: Sequence[Point], paint: Colour | Paint, outline: Colour, width: float = 2.0
    ) -> None:
        """Fill a shape and draw its outline."""
        self.fill(shape, paint)
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
        left, top, right, bottom = bounds(shape)
        reach = blur * 3
        area = self._area((left + dx - reach, top + dy - reach, right + dx + reach, bottom + dy + reach))
        if area is None:
            return
        mask = Image.new("L", (area[2] - area[0], area[3] - area[1]), 0)
        moved = [(x + dx, y + dy) for x, y in shape]
        ImageDraw.Draw(mask).polygon(_scaled(moved, area[0], area[1]), fill=round(255 * alpha))
        self.image.paste((20, 18, 40), area[:2], mask.filter(ImageFilter.GaussianBlur(blur * SCALE)))

    @contextmanager
    def clip(self, shape: Sequence[Point]) -> Iterator[None]:
        """Keep what is drawn inside the block within a shape."""
        before = self.image.copy()
        yield
        mask = Image.new("L", self.image.size, 255)
        ImageDraw.Draw(mask).polygon(_scaled(shape), fill=0)
        self.image.paste(before, (0, 0), mask)

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
        font = _font(round(size * SCALE))
        thick = round(bold * SCALE)
        draw = ImageDraw.Draw(self.image)
        cursor = (x - line_width(text, size, spacing) / 2) * SCALE
        for letter in text:
            if outline is not None:
                rim = thick + round(max(1.0, size / 12) * SCALE)
                draw.text(
                    (cursor, y * SCALE), letter, outline, font, "lm", stroke_width=rim, stroke_fill=outline
                )
            cursor += font.getlength(letter) + spacing * size * SCALE
        cursor = (x - line_width(text, size, spacing) / 2) * SCALE
        for letter in text:
            draw.text((cursor, y * SCALE), letter, colour, font, "lm", stroke_width=thick, stroke_fill=colour)
            cursor += font.getlength(letter) + spacing * size * SCALE

    def ink_at(self, x: float, y: float) -> Colour:
        """Return dark ink where the canvas is light at a point, and paper white where it is dark."""
        pixel = np.asarray(self.image)[round(y * SCALE), round(x * SCALE)]
        return INK if is_light((int(pixel[0]), int(pixel[1]), int(pixel[2]))) else PAPER

    def finish(self) -> Image.Image:
        """Return the finished picture, RGB."""
        return self.image.reduce(SCALE)

    def _area(self, box: tuple[float, float, float, float]) -> tuple[int, int, int, int] | None:
        """Return a box in canvas pixels cut to the canvas, or None when nothing is left."""
        left, top = max(0, math.floor(box[0] * SCALE)), max(0, math.floor(box[1] * SCALE))
        right = min(self.image.width, math.ceil(box[2] * SCALE) + 1)
        bottom = min(self.image.height, math.ceil(box[3] * SCALE) + 1)
        return (left, top, right, bottom) if left < right and top < bottom else None


def _scaled(shape: Sequence[Point], left: int = 0, top: int = 0) -> Shape:
    return [(x * SCALE - left, y * SCALE - top) for x, y in shape]


def line_width(text: str, size: float, spacing: float = 0.0) -> float:
    """Return how wide a line of text becomes, in picture units."""
    font = _font(round(size * SCALE))
    return sum(font.getlength(letter) for letter in text) / SCALE + spacing * size * max(0, len(text) - 1)


@lru_cache(maxsize=256)
def _font(size: int) -> ImageFont.FreeTypeFont:
    # Pillow's own face; the basic layout does not depend on libraries that happen to be installed.
    font = ImageFont.load_default(max(4, size))
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise RuntimeError("Pillow was built without FreeType, which lettering needs")
    return font.font_variant(layout_engine=ImageFont.Layout.BASIC)
