"""What fills a shape besides one colour: gradients, glows and patterns. Each mixes two colours.

A paint gives the share of its second colour for a grid of places; the canvas turns shares into pixels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from mosaic_env.world.drawing.palette import Colour

Floats = NDArray[np.float32]
Box = tuple[float, float, float, float]


class Paint(Protocol):
    """A mixture of two colours that changes from place to place."""

    @property
    def ends(self) -> tuple[Colour, Colour]:
        """The first and the second colour."""
        ...

    @property
    def smooth(self) -> bool:
        """Whether it changes so slowly that one sample a finished pixel is enough."""
        ...

    def shares(self, x: Floats, y: Floats, box: Box) -> Floats:
        """Return the share of the second colour, 0 to 1, in a shape that broadcasts to (height, width).

        Args:
            x: shape (1, width); y: shape (height, 1); picture units.
            box: Bounds of what is filled: left, top, right, bottom.
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

    smooth = True

    @property
    def ends(self) -> tuple[Colour, Colour]:
        """The first and the second colour."""
        return self.start, self.end

    def shares(self, x: Floats, y: Floats, box: Box) -> Floats:
        """Return the shares of a grid; along an axis one row or column of them is enough."""
        left, top, right, bottom = box
        if self.angle == 0:
            return _within((x - left) / ((right - left) or 1.0))
        if self.angle == 90:
            return _within((y - top) / ((bottom - top) or 1.0))
        cos, sin = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        reach = abs(cos) * (right - left) + abs(sin) * (bottom - top) or 1.0
        along = (x - (left + right) / 2) * (cos / reach) + ((y - (top + bottom) / 2) * (sin / reach) + 0.5)
        return _within(along)


@dataclass(frozen=True)
class Glow:
    """A radial gradient around a point."""

    x: float
    y: float
    radius: float
    inner: Colour
    outer: Colour

    smooth = True

    @property
    def ends(self) -> tuple[Colour, Colour]:
        """The first and the second colour."""
        return self.inner, self.outer

    def shares(self, x: Floats, y: Floats, box: Box) -> Floats:
        """Return the shares of a grid."""
        return np.minimum(np.sqrt((x - self.x) ** 2 + (y - self.y) ** 2) / self.radius, 1)


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

    smooth = False

    @property
    def ends(self) -> tuple[Colour, Colour]:
        """The first and the second colour."""
        return self.ground, self.figure

    def shares(self, x: Floats, y: Floats, box: Box) -> Floats:
        """Return the shares of a grid: 0 or 1."""
        cos, sin = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        turned = self.angle % 90 != 0
        u = (x - box[0]) * (cos / self.size) + ((y - box[1]) * (sin / self.size) if turned else 0)
        v = (y - box[1]) * (cos / self.size) - ((x - box[0]) * (sin / self.size) if turned else 0)
        if self.angle % 180 == 90:
            u, v = (y - box[1]) * (sin / self.size), (x - box[0]) * (-sin / self.size)
        if self.name == "striped":
            return _as_shares(_within_period(u) < 0.5)
        if self.name == "checked":
            return _as_shares((_within_period(u) < 0.5) == (_within_period(v) < 0.5))
        if self.name == "zigzag":
            return _as_shares(_within_period(v + 0.5 * np.abs(_within_period(u) - 0.5)) < 0.45)
        # Dotted: every second row is moved by half a period.
        across = _within_period(u + np.float32(0.5) * (np.floor(v) % 2)) - 0.5
        return _as_shares(across**2 + (_within_period(v) - 0.5) ** 2 < 0.27**2)


def _within(shares: Floats) -> Floats:
    return np.clip(shares, np.float32(0), np.float32(1))


def _within_period(u: Floats) -> Floats:
    return u - np.floor(u)


def _as_shares(figure: NDArray[np.bool_]) -> Floats:
    return figure.astype(np.float32)
