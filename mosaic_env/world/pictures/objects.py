"""Things that stand on tables and shelves: vases, jugs, candles, bottles, teapots, books."""

from __future__ import annotations

from collections.abc import Callable

from mosaic_env.world.drawing import shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.paints import Gradient
from mosaic_env.world.drawing.palette import Colour, darker, lighter, shade
from mosaic_env.world.scene import Scene, find


def _resting(canvas: Canvas, x: float, y: float, half: float) -> None:
    canvas.shadow(shapes.ellipse(x + half * 0.3, y + 1, half * 1.15, half * 0.28), 0, 0, blur=2.5, alpha=0.5)


def _vase(canvas: Canvas, x: float, y: float, tone: Colour, shown: Scene) -> None:
    flowers = find(shown, "flower") or {"count": 0, "colour": "red"}
    count, petal = flowers["count"], shade(flowers["colour"])
    for i in range(count):
        lean = (i - (count - 1) / 2) * (15 if count < 5 else 13)
        top = (x + lean * 1.35, y - 100 - 15 * (i % 2) + abs(lean) * 0.35)
        canvas.line(
            shapes.smooth([(x + lean * 0.15, y - 50), (x + lean * 0.6, y - 76), top], closed=False),
            (66, 124, 66),
            2.2,
        )
        for turn in range(0, 360, 60):
            canvas.fill(shapes.placed(shapes.ellipse(0, -6.4, 4.4, 5.6), *top, turn=turn), petal)
        canvas.fill(
            shapes.ellipse(*top, 3.4), darker(petal, 0.45) if flowers["colour"] != "white" else (236, 190, 70)
        )
    _resting(canvas, x, y, 24)
    body = shapes.smooth(
        [
            (x - 9, y - 58),
            (x - 8, y - 48),
            (x - 26, y - 26),
            (x - 15, y),
            (x + 15, y),
            (x + 26, y - 26),
            (x + 8, y - 48),
            (x + 9, y - 58),
        ]
    )
    canvas.fill(body, Gradient(lighter(tone, 0.3), darker(tone, 0.3), 0))
    canvas.fill(shapes.ellipse(x, y - 58, 11, 3), darker(tone, 0.35))
    canvas.fill(shapes.ellipse(x - 12, y - 28, 3, 9), (255, 255, 255), 0.55)


def _jug(canvas: Canvas, x: float, y: float, tone: Colour, shown: Scene) -> None:
    _resting(canvas, x, y, 22)
    canvas.line(
        shapes.smooth([(x + 14, y - 52), (x + 34, y - 48), (x + 30, y - 22), (x + 16, y - 14)], closed=False),
        darker(tone, 0.2),
        5,
    )
    body = shapes.smooth(
        [
            (x - 16, y - 62),
            (x - 12, y - 46),
            (x - 22, y - 20),
            (x - 14, y),
            (x + 14, y),
            (x + 22, y - 20),
            (x + 12, y - 46),
            (x + 14, y - 60),
        ]
    )
    canvas.fill(body, Gradient(lighter(tone, 0.26), darker(tone, 0.28), 0))
    canvas.fill(shapes.ellipse(x - 1, y - 60, 14, 3.6), darker(tone, 0.4))
    canvas.fill(shapes.rectangle(x - 21, y - 26, x + 21, y - 20), lighter(tone, 0.5), 0.6)


def _candle(canvas: Canvas, x: float, y: float, tone: Colour, shown: Scene) -> None:
    _resting(canvas, x, y, 20)
    for radius, alpha in ((34, 0.16), (22, 0.22)):
        canvas.fill(shapes.ellipse(x, y - 84, radius), (255, 228, 150), alpha)
    canvas.fill(
        shapes.rectangle(x - 7, y - 72, x + 7, y - 10), Gradient(lighter(tone, 0.2), darker(tone, 0.2), 0)
    )
    canvas.line([(x, y - 72), (x, y - 77)], (50, 40, 40), 1.4)
    canvas.fill(shapes.smooth([(x, y - 97), (x + 5, y - 84), (x, y - 76), (x - 5, y - 84)]), (255, 196, 70))
    canvas.fill(
        shapes.smooth([(x, y - 90), (x + 2.6, y - 82), (x, y - 77), (x - 2.6, y - 82)]), (255, 244, 200)
    )
    canvas.fill(
        shapes.smooth([(x - 20, y - 8), (x + 20, y - 8), (x + 14, y), (x - 14, y)]),
        Gradient((236, 196, 104), (166, 122, 48)),
    )


def _bottle(canvas: Canvas, x: float, y: float, tone: Colour, shown: Scene) -> None:
    _resting(canvas, x, y, 15)
    body = [
        (x - 5, y - 92),
        (x + 5, y - 92),
        (x + 5, y - 66),
        *shapes.arc(x + 1, y - 52, 14, 14, 290, 360, 8),
        (x + 15, y),
        (x - 15, y),
        *shapes.arc(x - 1, y - 52, 14, 14, 180, 250, 8),
        (x - 5, y - 66),
    ]
    canvas.fill(body, Gradient(lighter(tone, 0.26), darker(tone, 0.3), 0))
    canvas.fill(shapes.rectangle(x - 4, y - 100, x + 4, y - 91), (170, 122, 80))
    canvas.fill(shapes.rectangle(x - 15, y - 38, x + 15, y - 14), (250, 244, 226))
    canvas.line([(x - 9, y - 29), (x + 9, y - 29)], (150, 130, 110), 1.4)
    canvas.line([(x - 6, y - 22), (x + 6, y - 22)], (150, 130, 110), 1.4)
    canvas.fill(shapes.rounded(x - 11, y - 56, x - 8, y - 6, 1.5), (255, 255, 255), 0.4)


def _teapot(canvas: Canvas, x: float, y: float, tone: Colour, shown: Scene) -> None:
    _resting(canvas, x, y, 28)
    canvas.line(shapes.arc(x + 26, y - 24, 15, 15, -80, 90, 16), darker(tone, 0.2), 5)
    canvas.fill(
        shapes.smooth([(x - 22, y - 20), (x - 40, y - 40), (x - 46, y - 40), (x - 30, y - 8)]),
        darker(tone, 0.1),
    )
    canvas.fill(shapes.ellipse(x, y - 24, 29, 24), Gradient(lighter(tone, 0.3), darker(tone, 0.28), 30))
    canvas.fill(shapes.pie(x, y - 42, 18, 9, 180, 360), darker(tone, 0.2))
    canvas.fill(shapes.ellipse(x, y - 52, 4), darker(tone, 0.35))
    canvas.fill(shapes.ellipse(x - 13, y - 32, 4, 8), (255, 255, 255), 0.5)


def _book(canvas: Canvas, x: float, y: float, tone: Colour, shown: Scene) -> None:
    _resting(canvas, x, y, 30)
    for i, width in enumerate((33, 28)):
        low = y - 15 * i
        canvas.fill(shapes.rectangle(x - width, low - 13, x + width, low - 2), (250, 244, 228))
        for dy in (5, 8, 11):
            canvas.line([(x - width, low - dy + 1), (x + width, low - dy + 1)], (214, 204, 182), 0.7)
        for top in (low - 15, low - 3):
            canvas.fill(
                shapes.rounded(x - width - 2, top, x + width, top + 3, 1),
                tone if i == 0 else lighter(tone, 0.18),
            )
        canvas.fill(shapes.rounded(x - width - 3, low - 15, x - width + 5, low, 2), darker(tone, 0.12))


#: Each draws itself standing on (x, y), the middle of its foot, in a colour.
OBJECTS: dict[str, Callable[[Canvas, float, float, Colour, Scene], None]] = {
    "vase": _vase, "jug": _jug, "candle": _candle, "bottle": _bottle, "teapot": _teapot, "stack of books": _book,
}  # fmt: skip
