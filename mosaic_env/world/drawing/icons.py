"""Small emblems for flags, crests, logos and covers: one function an emblem, one decorator to register it.

Each draws itself around (x, y) within a radius, in one main colour with lighter and darker parts of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from mosaic_env.core.registry import Registry
from mosaic_env.world.drawing import shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.palette import Colour, darker, is_light, lighter
from mosaic_env.world.drawing.shapes import Point

Icon = Callable[["Pen"], None]
ICONS: Registry[Icon] = Registry("icon")


class Pen:
    """Draws in the unit circle of one emblem: (-1, -1) is its upper left, (1, 1) its lower right.

    Args:
        x, y, radius: Where the emblem stands on the canvas.
        colour: Its main colour.
    """

    def __init__(self, canvas: Canvas, x: float, y: float, radius: float, colour: Colour) -> None:
        self.canvas, self.x, self.y, self.radius = canvas, x, y, radius
        self.colour = colour
        self.dark = darker(colour, 0.35)
        self.light = lighter(colour, 0.45) if not is_light(colour) else darker(colour, 0.18)

    def fill(self, points: Sequence[Point], colour: Colour | None = None) -> None:
        """Fill a shape given in unit coordinates."""
        self.canvas.fill(shapes.placed(points, self.x, self.y, self.radius), colour or self.colour)

    def line(self, points: Sequence[Point], width: float, colour: Colour | None = None) -> None:
        """Draw a line; the width is in unit coordinates."""
        path = shapes.placed(points, self.x, self.y, self.radius)
        self.canvas.line(path, colour or self.colour, width * self.radius)


def draw_icon(canvas: Canvas, name: str, x: float, y: float, radius: float, colour: Colour) -> None:
    """Draw a registered emblem.

    Args:
        radius: Half the side of the square that it fills, in pixels.
    """
    ICONS.get(name)(Pen(canvas, x, y, radius, colour))


@ICONS.register("star")
def _star(pen: Pen) -> None:
    pen.fill(shapes.star(0, 0.08, 1.0))


@ICONS.register("crescent")
def _crescent(pen: Pen) -> None:
    outer = shapes.arc(0, 0, 0.95, 0.95, 50, 310)
    inner = shapes.arc(0.34, 0, 0.74, 0.74, 282, 78)
    pen.fill(outer + inner)


@ICONS.register("sun")
def _sun(pen: Pen) -> None:
    pen.fill(shapes.star(0, 0, 1.0, 12, 0.66))
    pen.fill(shapes.ellipse(0, 0, 0.6), pen.dark)
    pen.fill(shapes.ellipse(0, 0, 0.53))


@ICONS.register("leaf")
def _leaf(pen: Pen) -> None:
    pen.line([(-0.05, 0.95), (0, 0.4)], 0.12, pen.dark)
    pen.fill(shapes.smooth([(0, -1), (0.5, -0.45), (0.58, 0.1), (0, 0.65), (-0.58, 0.1), (-0.5, -0.45)]))
    pen.line([(0, -0.7), (0, 0.6)], 0.06, pen.dark)
    for y in (-0.3, 0.0, 0.3):
        pen.line([(-0.33, y - 0.22), (0, y), (0.33, y - 0.22)], 0.05, pen.dark)


@ICONS.register("tree")
def _tree(pen: Pen) -> None:
    pen.fill([(-0.13, 1), (-0.09, 0), (0.09, 0), (0.13, 1)], pen.dark)
    for x, y, r in (
        (-0.4, 0.05, 0.42),
        (0.4, 0.05, 0.42),
        (0, -0.1, 0.5),
        (-0.25, -0.42, 0.42),
        (0.26, -0.42, 0.42),
        (0, -0.62, 0.36),
    ):
        pen.fill(shapes.ellipse(x, y, r))
    for x, y in ((-0.25, -0.2), (0.22, -0.38), (0.3, 0.08), (-0.35, 0.12)):
        pen.line(shapes.arc(x, y, 0.14, 0.12, 200, 330, 8), 0.06, pen.dark)


@ICONS.register("fish")
def _fish(pen: Pen) -> None:
    pen.fill([(0.5, 0), (1, -0.48), (0.88, 0), (1, 0.48)], pen.dark)
    pen.fill([(-0.2, -0.35), (0.1, -0.68), (0.35, -0.25)], pen.dark)
    pen.fill(
        shapes.smooth([(-1, 0.02), (-0.5, -0.42), (0.1, -0.4), (0.66, -0.02), (0.1, 0.42), (-0.5, 0.42)])
    )
    pen.line(shapes.arc(-0.62, 0.02, 0.24, 0.36, -70, 70, 10), 0.06, pen.dark)
    pen.fill(shapes.ellipse(-0.66, -0.12, 0.09), pen.dark)
    for x in (-0.05, 0.22):
        pen.line(shapes.arc(x, 0.02, 0.13, 0.22, -70, 70, 8), 0.05, pen.dark)


@ICONS.register("bird")
def _bird(pen: Pen) -> None:
    pen.fill([(0.35, 0.1), (1.0, 0.35), (0.92, 0.62), (0.3, 0.42)], pen.dark)
    pen.fill(
        shapes.smooth(
            [
                (-0.75, -0.3),
                (-0.5, -0.6),
                (-0.15, -0.4),
                (0.3, -0.12),
                (0.55, 0.25),
                (0.1, 0.55),
                (-0.4, 0.4),
                (-0.62, 0.0),
            ]
        )
    )
    pen.fill([(-0.7, -0.45), (-1.0, -0.3), (-0.68, -0.24)], pen.dark)
    pen.fill(shapes.smooth([(-0.2, -0.1), (0.15, -0.98), (0.62, -0.78), (0.5, 0.1), (0.05, 0.18)]), pen.dark)
    pen.fill(shapes.smooth([(-0.1, -0.1), (0.2, -0.8), (0.5, -0.62), (0.38, 0.02), (0.05, 0.08)]))
    pen.fill(shapes.ellipse(-0.5, -0.38, 0.07), pen.dark)
    pen.line([(-0.12, 0.5), (-0.18, 0.85)], 0.06, pen.dark)
    pen.line([(0.08, 0.52), (0.06, 0.86)], 0.06, pen.dark)


@ICONS.register("anchor")
def _anchor(pen: Pen) -> None:
    pen.line(shapes.arc(0, -0.74, 0.18, 0.18, 0, 360, 20), 0.12)
    pen.line([(0, -0.55), (0, 0.8)], 0.18)
    pen.line([(-0.42, -0.3), (0.42, -0.3)], 0.16)
    pen.line(shapes.arc(0, 0.15, 0.72, 0.7, 15, 165, 24), 0.18)
    for side in (-1, 1):
        pen.fill([(side * 0.98, 0.42), (side * 0.44, 0.34), (side * 0.86, -0.1)])


@ICONS.register("wheel")
def _wheel(pen: Pen) -> None:
    pen.line(shapes.arc(0, 0, 0.84, 0.84, 0, 360, 60), 0.2)
    for i in range(4):
        a = math.pi * i / 4
        pen.line([(-0.8 * math.cos(a), -0.8 * math.sin(a)), (0.8 * math.cos(a), 0.8 * math.sin(a))], 0.12)
    pen.fill(shapes.ellipse(0, 0, 0.25))
    pen.fill(shapes.ellipse(0, 0, 0.11), pen.dark)


@ICONS.register("gear")
def _gear(pen: Pen) -> None:
    for i in range(8):
        tooth = shapes.placed(shapes.rectangle(-0.17, -1.0, 0.17, -0.5), 0, 0, turn=45 * i)
        pen.fill(tooth)
    pen.fill(shapes.ellipse(0, 0, 0.74))
    pen.fill(shapes.ellipse(0, 0, 0.36), pen.dark)
    pen.fill(shapes.ellipse(0, 0, 0.26), pen.light)


@ICONS.register("key")
def _key(pen: Pen) -> None:
    pen.line(shapes.arc(0, -0.6, 0.28, 0.28, 0, 360, 30), 0.18)
    pen.line([(0, -0.3), (0, 0.9)], 0.18)
    pen.fill(shapes.rectangle(0, 0.38, 0.42, 0.54))
    pen.fill(shapes.rectangle(0, 0.72, 0.52, 0.9))


@ICONS.register("crown")
def _crown(pen: Pen) -> None:
    pen.fill(
        [(-0.86, 0.62), (-0.98, -0.42), (-0.46, 0.06), (0, -0.72), (0.46, 0.06), (0.98, -0.42), (0.86, 0.62)]
    )
    pen.fill(shapes.rectangle(-0.86, 0.5, 0.86, 0.78), pen.dark)
    for x, y in ((-0.98, -0.46), (0, -0.78), (0.98, -0.46)):
        pen.fill(shapes.ellipse(x, y, 0.14))
    for x in (-0.45, 0, 0.45):
        pen.fill(shapes.ellipse(x, 0.64, 0.08), pen.light)


@ICONS.register("heart")
def _heart(pen: Pen) -> None:
    half = [(0, 0.9), (0.55, 0.38), (0.95, -0.15), (0.85, -0.62), (0.42, -0.78), (0.08, -0.52), (0, -0.34)]
    curve = shapes.smooth(half, closed=False)
    pen.fill(curve + [(-x, y) for x, y in reversed(curve)])


@ICONS.register("bell")
def _bell(pen: Pen) -> None:
    pen.fill(shapes.ellipse(0, -0.82, 0.14))
    pen.fill(shapes.ellipse(0, 0.74, 0.2), pen.dark)
    pen.fill(
        shapes.smooth(
            [
                (0, -0.78),
                (0.42, -0.5),
                (0.5, 0.1),
                (0.85, 0.55),
                (0, 0.62),
                (-0.85, 0.55),
                (-0.5, 0.1),
                (-0.42, -0.5),
            ]
        )
    )
    pen.fill(shapes.rounded(-0.86, 0.5, 0.86, 0.68, 0.1), pen.dark)


@ICONS.register("flower")
def _flower(pen: Pen) -> None:
    for i in range(6):
        pen.fill(shapes.placed(shapes.ellipse(0, -0.6, 0.32, 0.4), 0, 0, turn=60 * i))
    for i in range(6):
        pen.line(shapes.placed([(0, -0.3), (0, -0.6)], 0, 0, turn=60 * i), 0.05, pen.dark)
    pen.fill(shapes.ellipse(0, 0, 0.28), pen.dark)
    pen.fill(shapes.ellipse(0, 0, 0.2), pen.light)


@ICONS.register("mountain")
def _mountain(pen: Pen) -> None:
    pen.fill([(-1, 0.72), (-0.36, -0.3), (0.2, 0.72)], pen.dark)
    pen.fill([(-0.6, 0.72), (0.22, -0.82), (1, 0.72)])
    pen.fill(
        [(0.22, -0.82), (0.52, -0.24), (0.34, -0.36), (0.2, -0.14), (0.06, -0.38), (-0.09, -0.24)], pen.light
    )


@ICONS.register("lightning bolt")
def _bolt(pen: Pen) -> None:
    pen.fill([(0.22, -1), (-0.55, 0.16), (-0.06, 0.16), (-0.26, 1), (0.56, -0.24), (0.06, -0.24), (0.46, -1)])


@ICONS.register("feather")
def _feather(pen: Pen) -> None:
    turned = shapes.placed(
        shapes.smooth([(0, -1), (0.34, -0.5), (0.3, 0.3), (0, 0.62), (-0.3, 0.3), (-0.34, -0.5)]),
        0,
        0,
        turn=28,
    )
    pen.fill(turned)
    pen.line(shapes.placed([(0, -0.8), (0, 1.0)], 0, 0, turn=28), 0.07, pen.dark)
    for y in (-0.45, -0.15, 0.15):
        pen.line(shapes.placed([(-0.3, y - 0.16), (0, y), (0.3, y - 0.16)], 0, 0, turn=28), 0.04, pen.dark)


@ICONS.register("acorn")
def _acorn(pen: Pen) -> None:
    pen.line([(0, -0.9), (0, -0.5)], 0.14, pen.dark)
    pen.fill(shapes.smooth([(-0.52, -0.1), (0.52, -0.1), (0.44, 0.5), (0, 0.98), (-0.44, 0.5)]))
    pen.fill(shapes.pie(0, -0.05, 0.68, 0.6, 180, 360), pen.dark)


@ICONS.register("snowflake")
def _snowflake(pen: Pen) -> None:
    for i in range(6):
        turn = 60 * i
        pen.line(shapes.placed([(0, 0), (0, -0.94)], 0, 0, turn=turn), 0.12)
        pen.line(shapes.placed([(-0.26, -0.84), (0, -0.56), (0.26, -0.84)], 0, 0, turn=turn), 0.1)
    pen.fill(shapes.regular(0, 0, 0.24, 6))


@ICONS.register("butterfly")
def _butterfly(pen: Pen) -> None:
    for side in (-1, 1):
        upper = [(0.04, -0.1), (0.45, -0.86), (0.98, -0.72), (0.85, -0.15), (0.3, 0.12)]
        lower = [(0.04, 0.0), (0.6, 0.12), (0.78, 0.52), (0.42, 0.88), (0.12, 0.4)]
        pen.fill([(side * x, y) for x, y in shapes.smooth(lower)], pen.dark)
        pen.fill([(side * x, y) for x, y in shapes.smooth(upper)])
        pen.fill(shapes.ellipse(side * 0.6, -0.46, 0.15), pen.light)
        pen.line([(side * 0.03, -0.4), (side * 0.22, -0.86)], 0.05, pen.dark)
    pen.fill(shapes.ellipse(0, 0.06, 0.08, 0.52), pen.dark)


@ICONS.register("tower")
def _tower(pen: Pen) -> None:
    pen.fill([(-0.46, 0.92), (-0.4, -0.4), (0.4, -0.4), (0.46, 0.92)])
    pen.fill(shapes.rectangle(-0.56, -0.62, 0.56, -0.34))
    for x in (-0.56, -0.12, 0.32):
        pen.fill(shapes.rectangle(x, -0.9, x + 0.24, -0.6))
    pen.fill(shapes.rectangle(-0.16, 0.52, 0.16, 0.92), pen.dark)
    pen.fill(shapes.ellipse(0, 0.52, 0.16), pen.dark)
    pen.fill(shapes.rounded(-0.09, -0.12, 0.09, 0.2, 0.09), pen.dark)


@ICONS.register("ship")
def _ship(pen: Pen) -> None:
    pen.fill([(-0.95, 0.35), (0.95, 0.35), (0.62, 0.86), (-0.66, 0.86)], pen.dark)
    pen.line([(0.02, 0.36), (0.02, -0.92)], 0.1, pen.dark)
    pen.fill([(0.12, -0.84), (0.12, 0.2), (0.84, 0.2)])
    pen.fill([(-0.1, -0.66), (-0.1, 0.2), (-0.72, 0.2)])


@ICONS.register("lantern")
def _lantern(pen: Pen) -> None:
    pen.line(shapes.arc(0, -0.72, 0.3, 0.26, 180, 360, 14), 0.1)
    pen.fill([(-0.2, -0.78), (0.2, -0.78), (0.6, -0.42), (-0.6, -0.42)])
    pen.fill(shapes.rectangle(-0.46, -0.44, 0.46, 0.66), pen.light)
    pen.fill(shapes.smooth([(0, -0.3), (0.2, 0.16), (0, 0.42), (-0.2, 0.16)]), (250, 186, 62))
    for x in (-0.46, 0.34):
        pen.fill(shapes.rectangle(x, -0.44, x + 0.12, 0.66))
    pen.fill(shapes.rectangle(-0.34, 0.08, 0.34, 0.14))
    pen.fill(shapes.rounded(-0.62, 0.62, 0.62, 0.9, 0.08))


@ICONS.register("book")
def _book(pen: Pen) -> None:
    for side in (-1, 1):
        page = [
            (0, -0.42),
            (side * 0.3, -0.62),
            (side * 0.92, -0.58),
            (side * 0.92, 0.52),
            (side * 0.3, 0.46),
            (0, 0.66),
        ]
        pen.fill(page, pen.colour)
        for y in (-0.3, -0.06, 0.18):
            pen.line([(side * 0.2, y), (side * 0.74, y - 0.03)], 0.06, pen.dark)
    pen.line([(0, -0.42), (0, 0.66)], 0.08, pen.dark)
