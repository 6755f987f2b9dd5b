"""Buildings one remembers a city by: one function a landmark, one decorator to register it.

Each is drawn upright on a ground line in one main colour, lit from the left.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mosaic_env.core.registry import Registry
from mosaic_env.world.drawing import shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.paints import Gradient
from mosaic_env.world.drawing.palette import Colour, darker, lighter, mix
from mosaic_env.world.drawing.shapes import Point


@dataclass(frozen=True)
class Landmark:
    """How a landmark is drawn.

    Args:
        width: Its width over its height.
        height: Its usual height over that of the tallest.
    """

    draw: Callable[[Site], None]
    width: float
    height: float


LANDMARKS: Registry[Landmark] = Registry("landmark")


def _landmark(
    name: str, width: float, height: float
) -> Callable[[Callable[[Site], None]], Callable[[Site], None]]:
    def register(draw: Callable[[Site], None]) -> Callable[[Site], None]:
        LANDMARKS.add(name, Landmark(draw, width, height))
        return draw

    return register


class Site:
    """Draws one landmark: coordinates are in units of its height, (0, 0) is the middle of its foot, y upwards.

    Args:
        colour: Main colour of its walls.
    """

    def __init__(self, canvas: Canvas, x: float, ground: float, height: float, colour: Colour) -> None:
        self.canvas, self.x, self.ground, self.height = canvas, x, ground, height
        self.wall = colour
        self.dark = darker(colour, 0.3)
        self.deep = darker(colour, 0.62)
        self.light = lighter(colour, 0.35)
        self.glass: Colour = (255, 232, 160)

    def place(self, points: Sequence[Point]) -> shapes.Shape:
        """Return points in picture coordinates."""
        return [(self.x + u * self.height, self.ground - v * self.height) for u, v in points]

    def fill(self, points: Sequence[Point], colour: Colour | None = None, *, flat: bool = False) -> None:
        """Fill a shape, lighter on the left than on the right unless ``flat``."""
        tone = colour or self.wall
        paint = tone if flat else Gradient(lighter(tone, 0.16), darker(tone, 0.16), 0)
        self.canvas.fill(self.place(points), paint)

    def line(self, points: Sequence[Point], width: float, colour: Colour) -> None:
        """Draw a line; the width is in units of the height."""
        self.canvas.line(self.place(points), colour, width * self.height)

    def window(self, u: float, v: float, width: float, height: float, colour: Colour | None = None) -> None:
        """Draw an arched window around (u, v)."""
        left, right, top, low = u - width / 2, u + width / 2, v + height / 2, v - height / 2
        arch = shapes.arc(u, top - width / 2, width / 2, -width / 2, 180, 360, 10)
        self.fill([(left, low), *arch, (right, low)], colour or self.deep, flat=True)


def draw_landmark(canvas: Canvas, name: str, x: float, ground: float, height: float, colour: Colour) -> None:
    """Draw a registered landmark standing at x on the ground line.

    Args:
        height: In pixels.
    """
    LANDMARKS.get(name).draw(Site(canvas, x, ground, height, colour))


@_landmark("clock tower", 0.26, 1.0)
def _clock_tower(site: Site) -> None:
    site.fill(shapes.rectangle(-0.11, 0, 0.11, 0.72))
    site.fill(shapes.rectangle(-0.135, 0.66, 0.135, 0.72), site.dark)
    site.fill(shapes.rectangle(-0.12, 0.48, 0.12, 0.67), site.light)
    site.fill([(-0.14, 0.72), (0, 1.0), (0.14, 0.72)], site.dark)
    site.fill(shapes.ellipse(0, 0.575, 0.085), site.deep, flat=True)
    site.fill(shapes.ellipse(0, 0.575, 0.072), (252, 248, 232), flat=True)
    site.line([(0, 0.575), (0, 0.625)], 0.014, (40, 36, 50))
    site.line([(0, 0.575), (0.035, 0.56)], 0.014, (40, 36, 50))
    for v in (0.36, 0.22):
        site.window(-0.045, v, 0.04, 0.08)
        site.window(0.045, v, 0.04, 0.08)
    site.window(0, 0.05, 0.08, 0.12)


@_landmark("lighthouse", 0.3, 0.9)
def _lighthouse(site: Site) -> None:
    site.canvas.fill(site.place([(0, 0.885), (0.8, 1.02), (0.8, 0.75)]), (255, 244, 190), 0.35)
    site.fill([(-0.15, 0), (-0.085, 0.8), (0.085, 0.8), (0.15, 0)])
    for low, high in ((0.16, 0.3), (0.46, 0.6)):
        reach = [0.15 - 0.081 * v for v in (low, high)]
        site.fill([(-reach[0], low), (-reach[1], high), (reach[1], high), (reach[0], low)], (250, 248, 240))
    site.fill(shapes.rectangle(-0.12, 0.79, 0.12, 0.83), site.deep)
    site.fill(shapes.rectangle(-0.065, 0.83, 0.065, 0.93), site.glass, flat=True)
    site.line([(0, 0.83), (0, 0.93)], 0.012, site.deep)
    site.fill(shapes.pie(0, 0.93, 0.085, -0.085, 180, 360), site.dark)
    site.window(0, 0.07, 0.07, 0.12)
    site.window(0, 0.39, 0.04, 0.07)
    site.window(0, 0.69, 0.04, 0.07)


@_landmark("domed hall", 1.0, 0.62)
def _dome(site: Site) -> None:
    site.fill(shapes.rectangle(-0.5, 0, 0.5, 0.36))
    site.fill(shapes.rectangle(-0.54, 0.34, 0.54, 0.4), site.dark)
    site.fill(shapes.rectangle(-0.3, 0.4, 0.3, 0.5), site.light)
    site.fill(shapes.pie(0, 0.5, 0.29, -0.36, 180, 360))
    for u in (-0.17, 0, 0.17):
        site.line(
            shapes.arc(0, 0.5, abs(u) * 1.2, -0.35, 180 if u < 0 else 360, 270, 16)
            if u
            else [(0, 0.5), (0, 0.85)],
            0.012,
            site.dark,
        )
    site.fill(shapes.rectangle(-0.04, 0.84, 0.04, 0.92), site.light)
    site.fill([(-0.05, 0.92), (0, 1.02), (0.05, 0.92)], site.dark)
    for u in (-0.4, -0.24, -0.08, 0.08, 0.24, 0.4):
        site.window(u, 0.16, 0.07, 0.2)
    for u in (-0.2, -0.07, 0.07, 0.2):
        site.fill(shapes.rectangle(u - 0.025, 0.42, u + 0.025, 0.48), site.deep, flat=True)


@_landmark("windmill", 0.7, 0.78)
def _windmill(site: Site) -> None:
    site.fill([(-0.2, 0), (-0.12, 0.58), (0.12, 0.58), (0.2, 0)])
    site.fill(shapes.pie(0, 0.58, 0.14, -0.15, 180, 360), site.dark)
    site.window(0, 0.07, 0.09, 0.14)
    site.window(-0.03, 0.3, 0.05, 0.08)
    for i in range(4):
        turn = 38 + 90 * i
        site.line(shapes.placed([(0, 0), (0.44, 0)], 0, 0.62, turn=turn), 0.022, site.deep)
        sail = shapes.placed(shapes.rectangle(0.12, 0.012, 0.43, 0.12), 0, 0.62, turn=turn)
        site.fill(sail, (250, 246, 232), flat=True)
        for step in (0.2, 0.28, 0.36):
            site.line(shapes.placed([(step, 0.012), (step, 0.12)], 0, 0.62, turn=turn), 0.008, site.deep)
    site.fill(shapes.ellipse(0, 0.62, 0.035), site.deep)


@_landmark("Ferris wheel", 0.86, 0.84)
def _ferris_wheel(site: Site) -> None:
    for u in (-0.24, 0.24):
        site.line([(u, 0), (0, 0.54)], 0.03, site.deep)
    for i in range(12):
        site.line(shapes.placed([(0, 0), (0.4, 0)], 0, 0.54, turn=30 * i), 0.009, site.dark)
    for radius, width in ((0.41, 0.026), (0.33, 0.014)):
        site.line(shapes.arc(0, 0.54, radius, radius, 0, 360, 70), width, site.wall)
    for i in range(12):
        a = math.radians(30 * i + 10)
        u, v = 0.41 * math.cos(a), 0.54 + 0.41 * math.sin(a)
        site.fill(
            shapes.rounded(u - 0.032, v - 0.07, u + 0.032, v - 0.005, 0.02),
            site.light if i % 2 else site.dark,
            flat=True,
        )
    site.fill(shapes.ellipse(0, 0.54, 0.05), site.deep)


@_landmark("castle", 1.0, 0.62)
def _castle(site: Site) -> None:
    site.fill(shapes.rectangle(-0.4, 0, 0.4, 0.5))
    _battlements(site, -0.4, 0.4, 0.5, 7, site.wall)
    for u, top in ((-0.42, 0.72), (0.42, 0.72)):
        site.fill(shapes.rectangle(u - 0.11, 0, u + 0.11, top), site.light)
        _battlements(site, u - 0.13, u + 0.13, top, 3, site.light)
        site.window(u, 0.5, 0.05, 0.12)
    site.fill(shapes.rectangle(-0.13, 0.4, 0.13, 0.82), site.light)
    site.fill([(-0.17, 0.82), (0, 1.04), (0.17, 0.82)], site.dark)
    site.window(0, 0.64, 0.06, 0.13)
    site.window(0, 0.14, 0.2, 0.28)
    for u in (-0.23, 0.23):
        site.window(u, 0.28, 0.05, 0.1)


def _battlements(site: Site, left: float, right: float, v: float, count: int, colour: Colour) -> None:
    step = (right - left) / (2 * count - 1)
    site.fill(shapes.rectangle(left, v - 0.02, right, v + 0.03), colour)
    for i in range(count):
        u = left + 2 * i * step
        site.fill(shapes.rectangle(u, v + 0.02, u + step, v + 0.09), colour)


@_landmark("church", 0.72, 0.88)
def _church(site: Site) -> None:
    site.fill([(-0.06, 0), (-0.06, 0.3), (0.17, 0.44), (0.4, 0.3), (0.4, 0)])
    site.fill([(-0.1, 0.28), (0.17, 0.47), (0.44, 0.28), (0.44, 0.33), (0.17, 0.52), (-0.1, 0.33)], site.dark)
    site.fill(shapes.rectangle(-0.3, 0, -0.06, 0.58), site.light)
    site.fill([(-0.33, 0.58), (-0.18, 0.95), (-0.03, 0.58)], site.dark)
    site.line([(-0.18, 0.94), (-0.18, 1.05)], 0.014, site.deep)
    site.line([(-0.215, 1.01), (-0.145, 1.01)], 0.014, site.deep)
    site.window(-0.18, 0.46, 0.08, 0.14)
    site.window(-0.18, 0.07, 0.1, 0.15)
    site.fill(shapes.ellipse(0.17, 0.32, 0.055), site.deep, flat=True)
    for u in (0.04, 0.17, 0.3):
        site.window(u, 0.14, 0.06, 0.15)


@_landmark("pagoda", 0.62, 0.92)
def _pagoda(site: Site) -> None:
    for level in range(5):
        low, half = 0.17 * level, 0.2 - 0.028 * level
        site.fill(shapes.rectangle(-half, low, half, low + 0.12), site.light)
        for u in (-half * 0.55, 0, half * 0.55):
            site.window(u, low + 0.055, 0.034, 0.08, site.dark)
        roof = [(-half - 0.11, low + 0.125), (-half - 0.02, low + 0.11), (half + 0.02, low + 0.11),
                (half + 0.11, low + 0.125), (half - 0.03, low + 0.18), (-half + 0.03, low + 0.18)]  # fmt: skip
        site.fill(roof)
    site.line([(0, 0.86), (0, 1.0)], 0.018, site.deep)
    site.fill(shapes.ellipse(0, 0.93, 0.028), site.dark)


@_landmark("obelisk", 0.24, 0.86)
def _obelisk(site: Site) -> None:
    site.fill(shapes.rectangle(-0.13, 0, 0.13, 0.07), site.dark)
    site.fill(shapes.rectangle(-0.1, 0.07, 0.1, 0.13))
    site.fill([(-0.075, 0.13), (-0.045, 0.88), (0.045, 0.88), (0.075, 0.13)])
    site.fill([(0.012, 0.13), (0.008, 0.88), (0.045, 0.88), (0.075, 0.13)], darker(site.wall, 0.14))
    site.fill([(-0.045, 0.88), (0, 1.0), (0.045, 0.88)], site.light)


@_landmark("water tower", 0.52, 0.74)
def _water_tower(site: Site) -> None:
    for u in (-0.2, -0.07, 0.07, 0.2):
        site.line([(u * 1.1, 0), (u, 0.54)], 0.026, site.deep)
    for v in (0.18, 0.36):
        site.line([(-0.21, v), (0.21, v)], 0.016, site.deep)
    site.line([(-0.21, 0.18), (0.2, 0.36)], 0.012, site.deep)
    site.line([(0.21, 0.18), (-0.2, 0.36)], 0.012, site.deep)
    site.fill(shapes.rounded(-0.25, 0.5, 0.25, 0.82, 0.06))
    for v in (0.58, 0.74):
        site.fill(shapes.rectangle(-0.25, v - 0.012, 0.25, v + 0.012), site.dark)
    site.fill([(-0.28, 0.82), (0, 1.0), (0.28, 0.82)], site.dark)


@_landmark("triumphal arch", 0.95, 0.56)
def _arch(site: Site) -> None:
    site.fill(shapes.rectangle(-0.46, 0, 0.46, 0.82))
    site.fill(shapes.rectangle(-0.5, 0.62, 0.5, 0.67), site.dark)
    site.fill(shapes.rectangle(-0.5, 0.82, 0.5, 0.9), site.dark)
    site.fill(shapes.rectangle(-0.42, 0.9, 0.42, 1.0), site.light)
    site.window(0, 0.29, 0.3, 0.58)
    for u in (-0.33, 0.33):
        site.window(u, 0.2, 0.13, 0.4)
    for u in (-0.44, -0.21, 0.21, 0.44):
        site.fill(shapes.rectangle(u - 0.022, 0, u + 0.022, 0.62), site.light)


@_landmark("skyscraper", 0.32, 1.0)
def _skyscraper(site: Site) -> None:
    site.fill(shapes.rectangle(-0.16, 0, 0.16, 0.66))
    site.fill(shapes.rectangle(-0.115, 0.66, 0.115, 0.8))
    site.fill(shapes.rectangle(-0.06, 0.8, 0.06, 0.88), site.dark)
    site.line([(0, 0.88), (0, 1.0)], 0.014, site.deep)
    pane = mix(site.light, (255, 255, 255), 0.5)
    for row in range(11):
        for column in range(5):
            u, v = -0.12 + 0.06 * column, 0.05 + 0.055 * row
            lit = (row * 7 + column * 5) % 4
            site.fill(
                shapes.rectangle(u - 0.019, v, u + 0.019, v + 0.03), pane if lit else site.deep, flat=True
            )
    for column in range(3):
        u = -0.06 + 0.06 * column
        site.fill(shapes.rectangle(u - 0.019, 0.7, u + 0.019, 0.76), pane, flat=True)
