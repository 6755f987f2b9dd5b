"""What stands behind and around things: skies, hills, water, trees, clouds, boats, balloons, birds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from mosaic_env.world.drawing import shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.paints import Glow, Gradient, Paint
from mosaic_env.world.drawing.palette import Colour, darker, lighter, mix

#: Top and bottom colour of the sky by the time of day.
SKIES: dict[str, tuple[Colour, Colour]] = {
    "day": ((120, 182, 226), (222, 240, 246)),
    "dawn": ((250, 200, 170), (255, 238, 206)),
    "dusk": ((92, 76, 140), (248, 158, 118)),
    "night": ((20, 26, 62), (70, 84, 134)),
    "overcast": ((168, 182, 194), (226, 230, 230)),
}


def sky(canvas: Canvas, name: str, horizon: float | None = None) -> None:
    """Fill the sky of a time of day down to the horizon."""
    top, bottom = SKIES[name]
    height = canvas.height if horizon is None else horizon
    canvas.fill(shapes.rectangle(0, 0, canvas.width, height), Gradient(top, bottom))


def stars(canvas: Canvas, rng: Random, horizon: float, count: int = 30) -> None:
    """Scatter small lights over a night sky."""
    for _ in range(count):
        x, y, r = rng.uniform(0, canvas.width), rng.uniform(0, horizon), rng.choice((0.7, 0.9, 1.2))
        canvas.fill(shapes.ellipse(x, y, r), (236, 236, 214))


def disc(
    canvas: Canvas, x: float, y: float, radius: float, colour: Colour, glow: Colour | None = None
) -> None:
    """Draw a sun or a full moon, with a halo when a glow colour is given."""
    if glow is not None:
        for step, alpha in ((2.0, 0.16), (1.5, 0.22)):
            canvas.fill(shapes.ellipse(x, y, radius * step), glow, alpha)
    canvas.fill(
        shapes.ellipse(x, y, radius),
        Glow(x - radius / 3, y - radius / 3, radius * 2, lighter(colour), colour),
    )


def cloud(
    canvas: Canvas, x: float, y: float, size: float, colour: Colour = (255, 255, 255), alpha: float = 0.9
) -> None:
    """Draw a flat-bottomed cloud; ``size`` is half its width."""
    puffs = ((-0.56, 0.0, 0.3), (-0.18, -0.2, 0.4), (0.26, -0.1, 0.36), (0.62, 0.06, 0.24))
    parts = [shapes.ellipse(x + u * size, y + v * size, r * size) for u, v, r in puffs]
    parts.append(shapes.rounded(x - size, y, x + size, y + 0.3 * size, 0.15 * size))
    canvas.fill_together(parts, colour, alpha)


def ridge(
    canvas: Canvas,
    rng: Random,
    base: float,
    height: float,
    paint: Colour | Paint,
    *,
    bumps: int = 4,
    sharp: bool = False,
) -> None:
    """Draw a range of hills, or of mountains when ``sharp``, across the canvas.

    Args:
        base: y of its foot; everything between is filled.
    """
    step = canvas.width / bumps
    tops: list[shapes.Point] = []
    for i in range(-1, bumps + 2):
        tops.append((i * step + rng.uniform(-0.2, 0.2) * step, base - height * rng.uniform(0.55, 1.0)))
        tops.append(((i + 0.5) * step + rng.uniform(-0.1, 0.1) * step, base - height * rng.uniform(0.1, 0.4)))
    line = tops if sharp else shapes.smooth(tops, closed=False)
    canvas.fill([(-step * 2, base + 1), *line, (canvas.width + step * 2, base + 1)], paint)


def water(canvas: Canvas, rng: Random, top: float, colour: Colour, bottom: float | None = None) -> None:
    """Fill the lower part with water and short waves."""
    low = canvas.height if bottom is None else bottom
    canvas.fill(
        shapes.rectangle(0, top, canvas.width, low), Gradient(lighter(colour, 0.25), darker(colour, 0.2))
    )
    for _ in range(int((low - top) * canvas.width / 900)):
        y = rng.uniform(top + 3, low - 2)
        x, half = rng.uniform(0, canvas.width), rng.uniform(4, 8) * (0.6 + (y - top) / (low - top + 1))
        canvas.line(shapes.arc(x, y, half, 1.6, 180, 360, 8), lighter(colour, 0.5), 1.0)


def ground(canvas: Canvas, rng: Random, top: float, colour: Colour, *, tufts: int = 26) -> None:
    """Fill the lower part with grass or sand and a few strokes."""
    canvas.fill(
        [(0, top), *shapes.smooth([(0, top + 2), (canvas.width * 0.4, top - 2), (canvas.width, top + 3)], closed=False),
         (canvas.width, canvas.height), (0, canvas.height)],
        Gradient(lighter(colour, 0.12), darker(colour, 0.14)),
    )  # fmt: skip
    for _ in range(tufts):
        x, y = rng.uniform(0, canvas.width), rng.uniform(top + 6, canvas.height)
        for lean in (-2.5, 0, 2.5):
            canvas.line([(x, y), (x + lean, y - 5)], darker(colour, 0.3), 0.9)


def round_tree(canvas: Canvas, x: float, foot: float, height: float, colour: Colour) -> None:
    """Draw a broad tree."""
    canvas.fill(
        [
            (x - height * 0.06, foot),
            (x - height * 0.04, foot - height * 0.5),
            (x + height * 0.04, foot - height * 0.5),
            (x + height * 0.06, foot),
        ],
        (104, 72, 50),
    )
    for u, v, r, tone in (
        (0.0, 0.62, 0.36, darker(colour, 0.15)),
        (-0.16, 0.55, 0.25, colour),
        (0.14, 0.7, 0.24, lighter(colour, 0.14)),
    ):
        canvas.fill(shapes.ellipse(x + u * height, foot - v * height, r * height), tone)


def fir_tree(canvas: Canvas, x: float, foot: float, height: float, colour: Colour) -> None:
    """Draw a fir."""
    canvas.fill(
        shapes.rectangle(x - height * 0.04, foot - height * 0.16, x + height * 0.04, foot), (96, 66, 46)
    )
    for low, high, half in ((0.12, 0.55, 0.27), (0.34, 0.78, 0.21), (0.58, 1.0, 0.14)):
        canvas.fill(
            [
                (x - half * height, foot - low * height),
                (x, foot - high * height),
                (x + half * height, foot - low * height),
            ],
            Gradient(lighter(colour, 0.15), darker(colour, 0.2), 0),
        )


def sailboat(canvas: Canvas, x: float, y: float, size: float, colour: Colour) -> None:
    """Draw a sailing boat whose sails have the colour; ``size`` is its height."""
    canvas.fill(
        [
            (x - 0.5 * size, y - 0.16 * size),
            (x + 0.52 * size, y - 0.16 * size),
            (x + 0.32 * size, y),
            (x - 0.36 * size, y),
        ],
        Gradient((136, 92, 60), (88, 58, 42)),
    )
    canvas.line([(x, y - 0.16 * size), (x, y - size)], (82, 58, 44), max(1.0, size * 0.04))
    canvas.fill(
        [
            (x + 0.05 * size, y - 0.96 * size),
            (x + 0.05 * size, y - 0.22 * size),
            (x + 0.46 * size, y - 0.22 * size),
        ],
        Gradient(lighter(colour, 0.1), darker(colour, 0.14), 0),
    )
    canvas.fill(
        [
            (x - 0.05 * size, y - 0.82 * size),
            (x - 0.05 * size, y - 0.22 * size),
            (x - 0.38 * size, y - 0.22 * size),
        ],
        Gradient(lighter(colour, 0.2), darker(colour, 0.05), 0),
    )


def balloon(
    canvas: Canvas, x: float, y: float, radius: float, colour: Colour, second: Colour | None = None
) -> None:
    """Draw a hot-air balloon around (x, y), striped when a second colour is given."""
    skin = shapes.smooth(
        [
            (x, y - radius),
            (x + 0.86 * radius, y - 0.45 * radius),
            (x + 0.8 * radius, y + 0.25 * radius),
            (x + 0.22 * radius, y + 1.05 * radius),
            (x - 0.22 * radius, y + 1.05 * radius),
            (x - 0.8 * radius, y + 0.25 * radius),
            (x - 0.86 * radius, y - 0.45 * radius),
        ]
    )
    for side in (-0.2, 0.2):
        canvas.line(
            [(x + side * radius, y + radius), (x + side * 0.7 * radius, y + 1.45 * radius)], (80, 60, 50), 0.9
        )
    canvas.fill(
        shapes.rounded(x - 0.2 * radius, y + 1.4 * radius, x + 0.2 * radius, y + 1.7 * radius, 2),
        (126, 88, 56),
    )
    canvas.fill(skin, Gradient(lighter(colour, 0.2), darker(colour, 0.2), 0))
    if second is not None:
        with canvas.clip(skin):
            for u in (-0.62, 0.0, 0.62):
                canvas.fill(shapes.ellipse(x + u * radius, y, 0.16 * radius, 1.2 * radius), second)


def gull(canvas: Canvas, x: float, y: float, size: float, colour: Colour = (70, 72, 88)) -> None:
    """Draw a far bird in flight."""
    for side in (-1, 1):
        wing = [(x, y), (x + side * 0.5 * size, y - 0.42 * size), (x + side * size, y - 0.1 * size)]
        canvas.line(shapes.smooth(wing, closed=False), colour, max(1.2, size * 0.16))


def rays(
    canvas: Canvas, x: float, y: float, count: int, colour: Colour, alpha: float = 1.0, turn: float = 0
) -> None:
    """Draw rays from a point over the whole canvas."""
    reach = canvas.width + canvas.height
    for i in range(count):
        a, b = (math.radians(turn + 360 * (i + d) / count) for d in (0.0, 0.5))
        canvas.fill(
            [
                (x, y),
                (x + reach * math.cos(a), y + reach * math.sin(a)),
                (x + reach * math.cos(b), y + reach * math.sin(b)),
            ],
            colour,
            alpha,
        )


def speckle(
    canvas: Canvas, rng: Random, box: Sequence[float], colour: Colour, count: int, alpha: float = 0.25
) -> None:
    """Scatter faint dots over a box (left, top, right, bottom): a hint of paper or plaster."""
    for _ in range(count):
        x, y = rng.uniform(box[0], box[2]), rng.uniform(box[1], box[3])
        canvas.fill(shapes.ellipse(x, y, rng.uniform(0.6, 1.3)), colour, alpha)


def haze(far: Colour, sky_name: str, share: float) -> Colour:
    """Return a colour as it looks through the air of a sky."""
    return mix(far, SKIES[sky_name][1], share)
