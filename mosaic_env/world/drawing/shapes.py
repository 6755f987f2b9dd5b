"""Shapes as lists of points, in picture units (pixels of the finished picture, y downwards)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

Point = tuple[float, float]
Shape = list[Point]

_CIRCLE = tuple((math.cos(math.tau * i / 64), math.sin(math.tau * i / 64)) for i in range(64))


def rectangle(left: float, top: float, right: float, bottom: float) -> Shape:
    """Return a rectangle."""
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def rounded(left: float, top: float, right: float, bottom: float, radius: float) -> Shape:
    """Return a rectangle with round corners."""
    r = min(radius, (right - left) / 2, (bottom - top) / 2)
    corners = (
        (right - r, top + r, -90),
        (right - r, bottom - r, 0),
        (left + r, bottom - r, 90),
        (left + r, top + r, 180),
    )
    return [p for x, y, start in corners for p in arc(x, y, r, r, start, start + 90, 8)]


def arc(x: float, y: float, rx: float, ry: float, start: float, end: float, steps: int = 40) -> Shape:
    """Return the points of an arc; angles in degrees, 0 to the right, clockwise on the screen."""
    angles = (math.radians(start + (end - start) * i / steps) for i in range(steps + 1))
    return [(x + rx * math.cos(a), y + ry * math.sin(a)) for a in angles]


def ellipse(x: float, y: float, rx: float, ry: float | None = None) -> Shape:
    """Return an ellipse, or a circle when only one radius is given."""
    ry = rx if ry is None else ry
    return [(x + rx * cos, y + ry * sin) for cos, sin in _CIRCLE]


def pie(x: float, y: float, rx: float, ry: float, start: float, end: float) -> Shape:
    """Return a sector of an ellipse."""
    return [(x, y), *arc(x, y, rx, ry, start, end)]


def regular(x: float, y: float, radius: float, corners: int, turn: float = 0) -> Shape:
    """Return a regular polygon, one corner up when ``turn`` is 0."""
    return star(x, y, radius, corners, math.cos(math.pi / corners), turn)


def star(x: float, y: float, radius: float, points: int = 5, inner: float = 0.4, turn: float = 0) -> Shape:
    """Return a star with one point up.

    Args:
        inner: Inner radius over outer radius.
        turn: Degrees, clockwise.
    """
    shape = []
    for i in range(points * 2):
        angle = math.radians(turn - 90 + 180 * i / points)
        r = radius if i % 2 == 0 else radius * inner
        shape.append((x + r * math.cos(angle), y + r * math.sin(angle)))
    return shape


def smooth(points: Sequence[Point], *, closed: bool = True, steps: int = 10) -> Shape:
    """Return a smooth curve through the points (centripetal in spirit, Catmull-Rom in form)."""
    n = len(points)
    curve: Shape = []
    for i in range(n if closed else n - 1):
        if closed:
            p0, p1, p2, p3 = (points[(i + k) % n] for k in (-1, 0, 1, 2))
        else:
            p0, p1, p2, p3 = (points[min(max(i + k, 0), n - 1)] for k in (-1, 0, 1, 2))
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = p0, p1, p2, p3
        curve += [
            (a * ax + b * bx + c * cx + d * dx, a * ay + b * by + c * cy + d * dy)
            for a, b, c, d in _weights(steps)
        ]
    return curve if closed else [*curve, points[-1]]


@lru_cache(maxsize=16)
def _weights(steps: int) -> tuple[tuple[float, float, float, float], ...]:
    """Return the weights of four neighbouring points at each step between the second and the third."""
    return tuple(
        (
            0.5 * (-t + 2 * t**2 - t**3),
            0.5 * (2 - 5 * t**2 + 3 * t**3),
            0.5 * (t + 4 * t**2 - 3 * t**3),
            0.5 * (t**3 - t**2),
        )
        for t in (step / steps for step in range(steps))
    )


def placed(
    shape: Sequence[Point], x: float, y: float, size: float = 1.0, *, turn: float = 0.0, flip: bool = False
) -> Shape:
    """Return a shape drawn around (0, 0) moved to (x, y), scaled, turned (degrees) and mirrored."""
    cos, sin = math.cos(math.radians(turn)) * size, math.sin(math.radians(turn)) * size
    sign = -1.0 if flip else 1.0
    return [(x + sign * px * cos - py * sin, y + sign * px * sin + py * cos) for px, py in shape]


def bounds(shape: Sequence[Point]) -> tuple[float, float, float, float]:
    """Return (left, top, right, bottom)."""
    xs, ys = [p[0] for p in shape], [p[1] for p in shape]
    return min(xs), min(ys), max(xs), max(ys)


def thick(points: Sequence[Point], width: float | Sequence[float]) -> Shape:
    """Return the outline of a line as wide as given, at each point its own width if there are many."""
    widths = [width] * len(points) if isinstance(width, (int, float)) else list(width)
    left, right = [], []
    for i, (x, y) in enumerate(points):
        (ax, ay), (bx, by) = points[max(i - 1, 0)], points[min(i + 1, len(points) - 1)]
        length = math.hypot(bx - ax, by - ay) or 1.0
        nx, ny = -(by - ay) / length * widths[i] / 2, (bx - ax) / length * widths[i] / 2
        left.append((x + nx, y + ny))
        right.append((x - nx, y - ny))
    return left + right[::-1]
