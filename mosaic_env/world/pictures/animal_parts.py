"""Animals: a cat, a dog and a rabbit that sit, a duck and a fish that swim."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mosaic_env.world.drawing import shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.paints import Gradient
from mosaic_env.world.drawing.palette import SHADES, Colour, darker, is_light, lighter
from mosaic_env.world.drawing.shapes import Point, Shape
from mosaic_env.world.scene import Thing

#: Fur and feathers by the colour's name.
COATS: dict[str, Colour] = {
    "white": (244, 240, 232),
    "black": (56, 54, 62),
    "brown": (140, 94, 62),
    "grey": (148, 150, 158),
    "orange": (230, 146, 70),
}


class _Body:
    """Draws one animal: units are its height, (0, 0) is the middle of its foot, y upwards."""

    def __init__(self, canvas: Canvas, x: float, foot: float, height: float, animal: Thing) -> None:
        self.canvas, self.x, self.foot, self.height = canvas, x, foot, height
        self.coat = COATS[animal["colour"]] if animal["name"] != "fish" else SHADES[animal["colour"]][0]
        self.pattern: str = animal["pattern"]
        self.mark = (
            darker(self.coat, 0.5)
            if is_light(self.coat) or animal["colour"] not in ("black", "brown")
            else lighter(self.coat, 0.45)
        )
        self.pale = lighter(self.coat, 0.42) if not is_light(self.coat) else (252, 250, 246)
        self.dark = darker(self.coat, 0.42)

    def place(self, points: Sequence[Point]) -> Shape:
        return [(self.x + u * self.height, self.foot - v * self.height) for u, v in points]

    def fill(self, points: Sequence[Point], colour: Colour | None = None) -> None:
        tone = colour or self.coat
        self.canvas.fill(self.place(points), Gradient(lighter(tone, 0.08), darker(tone, 0.12), 40))

    def flat(self, points: Sequence[Point], colour: Colour) -> None:
        self.canvas.fill(self.place(points), colour)

    def line(self, points: Sequence[Point], width: float, colour: Colour | None = None) -> None:
        self.canvas.line(self.place(points), colour or self.dark, width * self.height)

    def marked(
        self,
        outline: Sequence[Point],
        stripes: Sequence[Sequence[Point]],
        spots: Sequence[Point],
        spot: float,
    ) -> None:
        """Fill an outline and draw the marks of the coat inside it."""
        self.fill(outline)
        if self.pattern == "plain":
            return
        with self.canvas.clip(self.place(outline)):
            if self.pattern == "striped":
                for path in stripes:
                    self.line(path, spot * 0.62, self.mark)
            else:
                for u, v in spots:
                    self.flat(shapes.ellipse(u, v, spot, spot * 0.86), self.mark)

    def eye(self, u: float, v: float, radius: float, iris: Colour) -> None:
        self.flat(shapes.ellipse(u, v, radius, radius * 1.1), iris)
        self.flat(shapes.ellipse(u, v, radius * 0.6, radius * 0.86), (26, 22, 28))
        self.flat(shapes.ellipse(u - radius * 0.3, v + radius * 0.4, radius * 0.28), (255, 255, 255))

    def collar(self, v: float, half: float, colour: Colour | None) -> None:
        if colour is not None:
            self.flat(shapes.thick(shapes.arc(0, v + 0.05, half, 0.09, 0, -180, 20), 0.055), colour)
            self.flat(shapes.ellipse(0, v - 0.055, 0.034), (240, 204, 90))


def draw_animal(
    canvas: Canvas, animal: Thing, x: float, foot: float, height: float, collar: Colour | None
) -> None:
    """Draw an animal standing (or swimming) at x.

    Args:
        animal: Its thing in the scene: name, colour and pattern are drawn.
        collar: Colour of a collar, or None.
    """
    if animal["name"] in ("cat", "dog", "rabbit"):
        canvas.fill(shapes.ellipse(x, foot - 1, height * 0.36, height * 0.06), (40, 66, 44), 0.35)
    _DRAW[animal["name"]](_Body(canvas, x, foot, height, animal), collar)


_SITTING = [
    (-0.1, 0.66),
    (0.1, 0.66),
    (0.2, 0.46),
    (0.29, 0.18),
    (0.24, 0.0),
    (-0.24, 0.0),
    (-0.29, 0.18),
    (-0.2, 0.46),
]
_STRIPES = [[(-0.34, v), (-0.12, v - 0.03)] for v in (0.12, 0.22, 0.32, 0.42)] + [
    [(0.12, v - 0.03), (0.34, v)] for v in (0.12, 0.22, 0.32, 0.42)
]
_SPOTS = [(-0.18, 0.36), (0.17, 0.42), (-0.23, 0.16), (0.24, 0.2), (0.02, 0.5), (0.08, 0.26), (-0.08, 0.08)]


def _cat(body: _Body, collar: Colour | None) -> None:
    tail = shapes.smooth([(0.2, 0.06), (0.42, 0.06), (0.48, 0.24), (0.4, 0.4), (0.48, 0.5)], closed=False)
    body.fill(shapes.thick(tail, 0.085))
    body.marked(shapes.smooth(_SITTING), _STRIPES, _SPOTS, 0.062)
    _paws(body)
    body.collar(0.58, 0.17, collar)
    for side in (-1, 1):
        body.fill([(side * 0.05, 0.9), (side * 0.23, 1.02), (side * 0.235, 0.76)])
        body.flat([(side * 0.1, 0.89), (side * 0.2, 0.96), (side * 0.205, 0.8)], (236, 164, 160))
    head = shapes.ellipse(0, 0.76, 0.235, 0.19)
    stripes = [[(u, 0.97), (u * 0.7, 0.86)] for u in (-0.08, 0.0, 0.08)] + [
        [(s * 0.26, v), (s * 0.15, v)] for s in (-1, 1) for v in (0.7, 0.76)
    ]
    body.marked(head, stripes, [(-0.13, 0.86), (0.16, 0.8), (0.02, 0.92)], 0.05)
    body.flat(shapes.ellipse(0, 0.685, 0.1, 0.07), body.pale)
    for side in (-1, 1):
        body.eye(side * 0.095, 0.785, 0.044, (150, 196, 84))
        for lift in (-0.02, 0.02):
            body.line([(side * 0.08, 0.69), (side * 0.26, 0.69 + lift)], 0.008, (90, 84, 90))
    _snout(body, 0.715, 0.026)


def _paws(body: _Body) -> None:
    for side in (-1, 1):
        body.line([(side * 0.09, 0.36), (side * 0.085, 0.08)], 0.014)
        body.fill(shapes.ellipse(side * 0.085, 0.03, 0.075, 0.042), body.pale)
        for du in (-0.024, 0.024):
            body.line([(side * 0.085 + du, 0.0), (side * 0.085 + du, 0.03)], 0.008)


def _snout(body: _Body, v: float, size: float) -> None:
    body.flat([(-size, v + size * 0.7), (size, v + size * 0.7), (0, v - size * 0.7)], (206, 104, 104))
    for side in (-1, 1):
        body.line(
            shapes.arc(side * size * 0.9, v - size * 0.9, size * 0.9, -size * 0.8, 0, 180, 8),
            0.01,
            (70, 50, 54),
        )


def _dog(body: _Body, collar: Colour | None) -> None:
    tail = shapes.smooth([(0.22, 0.1), (0.36, 0.2), (0.4, 0.38)], closed=False)
    body.fill(shapes.thick(tail, 0.07))
    body.marked(shapes.smooth(_SITTING), _STRIPES, _SPOTS, 0.07)
    body.fill(shapes.smooth([(-0.09, 0.52), (0.09, 0.52), (0.1, 0.3), (0, 0.2), (-0.1, 0.3)]), body.pale)
    _paws(body)
    body.collar(0.57, 0.17, collar)
    body.marked(
        shapes.smooth(
            [(0, 0.98), (0.19, 0.9), (0.2, 0.74), (0.12, 0.62), (-0.12, 0.62), (-0.2, 0.74), (-0.19, 0.9)]
        ),
        [[(u, 1.0), (u * 0.8, 0.88)] for u in (-0.1, 0.0, 0.1)],
        [(0.12, 0.82), (-0.02, 0.95)],
        0.066,
    )
    for side in (-1, 1):
        ear = [
            (side * 0.13, 0.95),
            (side * 0.26, 0.86),
            (side * 0.3, 0.64),
            (side * 0.22, 0.6),
            (side * 0.17, 0.76),
        ]
        body.fill(shapes.smooth(ear), body.dark)
        body.eye(side * 0.085, 0.82, 0.036, (120, 78, 46))
    body.flat(shapes.ellipse(0, 0.69, 0.12, 0.09), body.pale)
    body.flat(
        shapes.smooth([(-0.035, 0.64), (0.035, 0.64), (0.03, 0.56), (0, 0.54), (-0.03, 0.56)]),
        (232, 112, 124),
    )
    body.flat(shapes.ellipse(0, 0.745, 0.046, 0.032), (44, 36, 42))
    for side in (-1, 1):
        body.line(shapes.arc(side * 0.04, 0.675, 0.04, -0.035, 0, 180, 8), 0.011, (60, 46, 50))


def _rabbit(body: _Body, collar: Colour | None) -> None:
    body.flat(shapes.ellipse(0.27, 0.1, 0.075), body.pale)
    body.marked(
        shapes.smooth([(u * 1.08, v * 0.86) for u, v in _SITTING]),
        [[(u, v * 0.86) for u, v in path] for path in _STRIPES],
        [(u, v * 0.86) for u, v in _SPOTS],
        0.06,
    )
    body.fill(shapes.ellipse(0, 0.22, 0.13, 0.17), body.pale)
    _paws(body)
    for side in (-1, 1):
        ear = [
            (side * 0.05, 0.68),
            (side * 0.03, 0.9),
            (side * 0.09, 1.06),
            (side * 0.16, 0.92),
            (side * 0.14, 0.68),
        ]
        body.fill(shapes.smooth(ear))
        body.flat(
            shapes.smooth(
                [
                    (side * 0.075, 0.72),
                    (side * 0.065, 0.88),
                    (side * 0.095, 0.99),
                    (side * 0.13, 0.88),
                    (side * 0.115, 0.72),
                ]
            ),
            (238, 176, 174),
        )
    body.collar(0.46, 0.16, collar)
    body.marked(
        shapes.ellipse(0, 0.62, 0.19, 0.165),
        [[(u, 0.8), (u * 0.7, 0.7)] for u in (-0.07, 0.0, 0.07)],
        [(0.12, 0.7), (-0.1, 0.74)],
        0.05,
    )
    body.flat(shapes.ellipse(0, 0.555, 0.09, 0.06), body.pale)
    for side in (-1, 1):
        body.eye(side * 0.085, 0.64, 0.036, (110, 70, 60))
    _snout(body, 0.585, 0.022)
    body.flat(shapes.rectangle(-0.02, 0.5, 0.02, 0.545), (252, 252, 250))


def _duck(body: _Body, collar: Colour | None) -> None:
    body.canvas.fill(body.place(shapes.ellipse(0, 0.02, 0.5, 0.05)), (226, 242, 246), 0.6)
    hull = shapes.smooth(
        [
            (-0.5, 0.3),
            (-0.56, 0.5),
            (-0.34, 0.34),
            (0.0, 0.38),
            (0.22, 0.36),
            (0.42, 0.28),
            (0.4, 0.06),
            (0.1, -0.02),
            (-0.3, 0.0),
        ]
    )
    body.marked(hull, [[(u, 0.0), (u + 0.06, 0.4)] for u in (-0.4, -0.25, -0.1, 0.05, 0.2, 0.32)],
                [(-0.36, 0.2), (0.3, 0.16), (0.18, 0.06), (-0.2, 0.06), (0.0, 0.1)], 0.06)  # fmt: skip
    body.fill(shapes.smooth([(0.16, 0.3), (0.22, 0.62), (0.42, 0.62), (0.44, 0.3), (0.3, 0.2)]))
    body.fill(shapes.ellipse(0.32, 0.68, 0.17, 0.155))
    body.fill(shapes.smooth([(0.46, 0.7), (0.64, 0.68), (0.66, 0.62), (0.46, 0.6)]), (240, 160, 52))
    body.line([(0.48, 0.65), (0.62, 0.645)], 0.012, (160, 90, 30))
    body.eye(0.36, 0.74, 0.034, (90, 60, 40))
    body.fill(
        shapes.smooth([(-0.36, 0.28), (-0.1, 0.36), (0.14, 0.26), (0.04, 0.1), (-0.2, 0.12)]),
        darker(body.coat, 0.14),
    )
    for v in (0.16, 0.22):
        body.line(shapes.smooth([(-0.28, v + 0.02), (-0.08, v + 0.02), (0.06, v)], closed=False), 0.014)


def _fish(body: _Body, collar: Colour | None) -> None:
    body.fill(shapes.smooth([(0.3, 0.5), (0.62, 0.82), (0.56, 0.5), (0.62, 0.18)]), body.dark)
    body.fill(shapes.smooth([(-0.16, 0.7), (0.02, 0.98), (0.26, 0.9), (0.2, 0.62)]), body.dark)
    body.fill(shapes.smooth([(-0.08, 0.3), (0.04, 0.1), (0.2, 0.14), (0.14, 0.36)]), body.dark)
    outline = shapes.smooth(
        [
            (-0.54, 0.5),
            (-0.34, 0.74),
            (0.0, 0.82),
            (0.26, 0.66),
            (0.4, 0.5),
            (0.26, 0.34),
            (0.0, 0.18),
            (-0.34, 0.26),
        ]
    )
    body.marked(outline, [[(u, 0.1), (u + 0.04, 0.5), (u, 0.9)] for u in (-0.2, -0.02, 0.16, 0.3)],
                [(-0.12, 0.66), (0.1, 0.68), (0.22, 0.5), (0.0, 0.48), (-0.1, 0.32), (0.12, 0.34)], 0.068)  # fmt: skip
    body.line(shapes.arc(-0.3, 0.5, 0.1, 0.2, -70, 70, 12), 0.016)
    body.fill(shapes.smooth([(-0.14, 0.46), (0.06, 0.44), (0.1, 0.3), (-0.08, 0.34)]), body.dark)
    body.flat(shapes.ellipse(-0.37, 0.58, 0.066), (252, 252, 250))
    body.flat(shapes.ellipse(-0.38, 0.58, 0.036), (26, 22, 30))
    body.line(shapes.arc(-0.52, 0.42, 0.06, 0.04, -80, 40, 8), 0.014)


_DRAW: dict[str, Callable[[_Body, Colour | None], None]] = {
    "cat": _cat, "dog": _dog, "rabbit": _rabbit, "duck": _duck, "fish": _fish,
}  # fmt: skip
