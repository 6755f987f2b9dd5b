"""Hats of a portrait."""

from __future__ import annotations

from collections.abc import Callable

from mosaic_env.world.drawing import shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.paints import Gradient
from mosaic_env.world.drawing.palette import Colour, darker, lighter
from mosaic_env.world.pictures.portrait_sitter import X


def _brim(canvas: Canvas, y: float, half: float, thick: float, colour: Colour) -> None:
    canvas.fill(shapes.ellipse(X, y, half, thick), Gradient(lighter(colour, 0.14), darker(colour, 0.3)))


def _top_hat(canvas: Canvas, colour: Colour) -> None:
    _brim(canvas, 96, 66, 11, colour)
    crown = [(80, 94), (76, 18), (164, 18), (160, 94)]
    canvas.fill(
        [
            *crown[:2],
            *shapes.arc(120, 18, 44, 8, 180, 360, 20),
            *crown[2:],
            *shapes.arc(120, 92, 40, 8, 0, 180, 20),
        ],
        Gradient(lighter(colour, 0.18), darker(colour, 0.22), 0),
    )
    canvas.fill(
        [(79, 74), (161, 74), (160, 92), *shapes.arc(120, 90, 40, 8, 0, 180, 16)], darker(colour, 0.5)
    )


def _bowler(canvas: Canvas, colour: Colour) -> None:
    _brim(canvas, 97, 64, 10, colour)
    canvas.fill([*shapes.arc(120, 90, 50, 56, 180, 360, 40), *shapes.arc(120, 90, 50, 8, 0, 180, 16)],
                Gradient(lighter(colour, 0.2), darker(colour, 0.2), 30))  # fmt: skip
    canvas.fill(
        [(70, 80), (170, 80), (170, 90), *shapes.arc(120, 90, 50, 8, 0, 180, 16), (70, 90)],
        darker(colour, 0.5),
    )


def _straw_hat(canvas: Canvas, colour: Colour) -> None:
    straw = (234, 200, 124)
    _brim(canvas, 96, 82, 15, straw)
    canvas.fill(
        [*shapes.arc(120, 88, 46, 46, 180, 360, 40), *shapes.arc(120, 88, 46, 8, 0, 180, 16)],
        Gradient(lighter(straw, 0.2), darker(straw, 0.16), 30),
    )
    for y in (56, 66):
        canvas.line(shapes.arc(120, y - 4, 36 + (y - 56) * 0.5, 8, 20, 160, 16), darker(straw, 0.2), 1.0)
    canvas.fill(
        [
            (75, 72),
            *shapes.arc(120, 72, 45, 7, 180, 0, 16),
            (166, 88),
            *shapes.arc(120, 88, 46, 8, 0, 180, 16),
        ],
        colour,
    )


def _beret(canvas: Canvas, colour: Colour) -> None:
    disc = shapes.smooth(
        [(66, 96), (62, 70), (96, 48), (150, 46), (188, 66), (178, 88), (150, 94), (120, 90), (92, 94)]
    )
    canvas.fill(disc, Gradient(lighter(colour, 0.18), darker(colour, 0.24), 60))
    canvas.line([(128, 48), (132, 38)], darker(colour, 0.25), 4)
    canvas.line(
        shapes.smooth([(70, 98), (92, 94), (120, 91), (150, 94), (170, 96)], closed=False),
        darker(colour, 0.4),
        5,
    )


def _flat_cap(canvas: Canvas, colour: Colour) -> None:
    crown = shapes.smooth([(68, 98), (70, 72), (98, 54), (140, 54), (170, 72), (172, 98), (120, 92)])
    canvas.fill(crown, Gradient(lighter(colour, 0.16), darker(colour, 0.16), 50))
    peak = shapes.smooth([(70, 98), (120, 88), (170, 98), (160, 110), (120, 104), (80, 110)])
    canvas.fill(peak, Gradient(darker(colour, 0.2), darker(colour, 0.4)))
    for x in (96, 120, 144):
        canvas.line(
            shapes.smooth([(120, 55), (x, 70), (x + (x - 120) * 0.5, 90)], closed=False),
            darker(colour, 0.3),
            1.2,
        )
    canvas.fill(shapes.ellipse(120, 55, 4, 3), darker(colour, 0.3))


HATS: dict[str, Callable[[Canvas, Colour], None]] = {
    "top hat": _top_hat, "beret": _beret, "flat cap": _flat_cap, "straw hat": _straw_hat, "bowler hat": _bowler,
}  # fmt: skip
