"""Musical instruments, each standing on the floor: strings, winds, keyboards, percussion."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from mosaic_env.world.drawing import shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.paints import Gradient
from mosaic_env.world.drawing.palette import GOLD, Colour, darker, lighter

#: What can be counted on each, and how many of it there are: at least, at most.
PARTS: dict[str, tuple[str, int, int]] = {
    "violin": ("string", 3, 5), "guitar": ("string", 3, 6), "banjo": ("string", 3, 5), "harp": ("string", 4, 9),
    "trumpet": ("valve", 2, 4), "pan flute": ("pipe", 4, 9), "organ": ("pipe", 3, 8), "piano": ("white key", 5, 10),
    "drum": ("drumstick", 2, 4), "xylophone": ("bar", 4, 9), "tambourine": ("jingle", 4, 8),
}  # fmt: skip

_STEEL: Colour = (236, 232, 222)
_WOOD: Colour = (96, 66, 48)


def _strings(canvas: Canvas, x: float, top: float, low: float, count: int, spread: float) -> None:
    for i in range(count):
        u = (i - (count - 1) / 2) * spread
        canvas.line([(x + u * 0.72, top), (x + u, low)], _STEEL, 1.1)


def _stand(canvas: Canvas, x: float, foot: float) -> None:
    for lean in (-26, 26):
        canvas.line([(x, foot - 30), (x + lean, foot)], (60, 58, 66), 3.4)


def _body(tone: Colour) -> Gradient:
    return Gradient(lighter(tone, 0.2), darker(tone, 0.2), 20)


def _fretted(
    canvas: Canvas, x: float, foot: float, tone: Colour, count: int, body: Sequence[shapes.Point]
) -> None:
    """Draw a body with a long neck and strings; the body's points are relative to the middle of its foot."""
    _stand(canvas, x, foot)
    outline = shapes.smooth([(x + u, foot - 10 + v) for u, v in body])
    canvas.shadow(outline, 2, 4, blur=3)
    canvas.fill(outline, _body(tone))
    canvas.line(outline, darker(tone, 0.4), 1.4, closed=True)
    canvas.fill(shapes.rectangle(x - 9, foot - 142, x + 9, foot - 50), _WOOD)
    canvas.fill(
        [(x - 14, foot - 160), (x + 14, foot - 160), (x + 10, foot - 140), (x - 10, foot - 140)],
        darker(tone, 0.3),
    )


def _guitar(canvas: Canvas, x: float, foot: float, tone: Colour, count: int) -> None:
    body = [(0, -88), (26, -90), (33, -70), (24, -54), (44, -26), (30, 0), (-30, 0), (-44, -26), (-24, -54),
            (-33, -70), (-26, -90)]  # fmt: skip
    _fretted(canvas, x, foot, tone, count, body)
    canvas.fill(shapes.ellipse(x, foot - 58, 15), (46, 36, 36))
    canvas.fill(shapes.rectangle(x - 18, foot - 32, x + 18, foot - 26), (56, 42, 38))
    _strings(canvas, x, foot - 156, foot - 29, count, 4.6)


def _violin(canvas: Canvas, x: float, foot: float, tone: Colour, count: int) -> None:
    body = [(0, -86), (22, -84), (28, -66), (17, -52), (19, -44), (33, -24), (24, 0), (-24, 0), (-33, -24), (-19, -44),
            (-17, -52), (-28, -66), (-22, -84)]  # fmt: skip
    _fretted(canvas, x, foot, tone, count, body)
    for side in (-1, 1):
        hole = [
            (x + side * 15, foot - 64),
            (x + side * 12, foot - 54),
            (x + side * 17, foot - 44),
            (x + side * 14, foot - 36),
        ]
        canvas.line(shapes.smooth(hole, closed=False), (46, 36, 36), 2.4)
    canvas.fill(
        [(x - 9, foot - 38), (x + 9, foot - 38), (x + 5, foot - 14), (x - 5, foot - 14)], (46, 36, 36)
    )
    _strings(canvas, x, foot - 156, foot - 34, count, 4.2)
    canvas.line([(x + 44, foot - 2), (x + 58, foot - 140)], (70, 50, 40), 2.4)
    canvas.line([(x + 47, foot - 6), (x + 61, foot - 138)], (238, 232, 216), 1.4)


def _banjo(canvas: Canvas, x: float, foot: float, tone: Colour, count: int) -> None:
    ring = [(42 * math.cos(math.radians(a)), -38 + 42 * math.sin(math.radians(a))) for a in range(0, 360, 20)]
    _fretted(canvas, x, foot, tone, count, ring)
    canvas.fill(shapes.ellipse(x, foot - 48, 33), (246, 240, 226))
    canvas.fill(shapes.rectangle(x - 9, foot - 110, x + 9, foot - 76), _WOOD)
    canvas.fill(shapes.rectangle(x - 16, foot - 32, x + 16, foot - 28), (70, 52, 44))
    for i in range(count):
        u = (i - (count - 1) / 2) * 5
        canvas.line(
            [(x + u * 0.72, foot - 156), (x + u, foot - 30)], (128, 118, 108) if count else _STEEL, 1.2
        )


def _harp(canvas: Canvas, x: float, foot: float, tone: Colour, count: int) -> None:
    neck = shapes.smooth(
        [(x - 44, foot - 146), (x - 18, foot - 156), (x + 10, foot - 128), (x + 44, foot - 132)], closed=False
    )
    sound = [(x + 44, foot - 132), (x + 50, foot - 126), (x - 26, foot - 4), (x - 44, foot - 4)]
    for i in range(count):
        share = (i + 1) / (count + 1)
        top = neck[round(share * (len(neck) - 1))]
        low = (x - 38 + 84 * share, foot - 10 - 118 * share)
        canvas.line([top, low], (92, 84, 80), 1.3)
    canvas.fill(sound, _body(tone))
    canvas.line([(x - 42, foot - 146), (x - 42, foot - 4)], darker(tone, 0.16), 8)
    canvas.line(neck, tone, 9)
    canvas.fill(shapes.rounded(x - 56, foot - 10, x - 6, foot, 4), darker(tone, 0.3))
    canvas.fill(shapes.ellipse(x - 42, foot - 150, 9), lighter(tone, 0.25))


def _trumpet(canvas: Canvas, x: float, foot: float, tone: Colour, count: int) -> None:
    _table(canvas, x, foot)
    y = foot - 92
    canvas.line(shapes.arc(x + 4, y + 13, 52, 17, 0, 360, 48), darker(tone, 0.12), 6)
    canvas.line([(x - 66, y - 4), (x + 50, y - 4)], tone, 7)
    bell = shapes.smooth(
        [
            (x + 42, y - 9),
            (x + 64, y - 14),
            (x + 84, y - 32),
            (x + 84, y + 24),
            (x + 64, y + 6),
            (x + 42, y + 1),
        ]
    )
    canvas.fill(bell, Gradient(lighter(tone, 0.24), darker(tone, 0.2)))
    canvas.fill(shapes.ellipse(x + 84, y - 4, 6, 29), darker(tone, 0.35))
    canvas.fill(shapes.rounded(x - 76, y - 9, x - 64, y + 1, 3), lighter(tone, 0.3))
    for i in range(count):
        u = x + (i - (count - 1) / 2) * 17
        canvas.fill(
            shapes.rounded(u - 5.5, y - 14, u + 5.5, y + 31, 3),
            Gradient(lighter(tone, 0.4), darker(tone, 0.2), 0),
        )
        canvas.line([(u, y - 14), (u, y - 23)], (90, 86, 92), 2.4)
        canvas.fill(shapes.ellipse(u, y - 25, 6.5, 3.2), (248, 246, 240))


def _table(canvas: Canvas, x: float, foot: float) -> None:
    for side in (-40, 40):
        canvas.line([(x + side, foot - 44), (x + side, foot)], (84, 60, 46), 5)
    canvas.fill(
        shapes.rounded(x - 60, foot - 50, x + 60, foot - 40, 3), Gradient((132, 94, 66), (98, 68, 50))
    )


def _pan_flute(canvas: Canvas, x: float, foot: float, tone: Colour, count: int) -> None:
    _table(canvas, x, foot)
    width = min(16.0, 118 / count)
    for i in range(count):
        left = x + (i - count / 2) * width
        low = foot - 54 - 58 * i / max(1, count - 1) * 0.62
        canvas.fill(
            shapes.rounded(left + 0.8, foot - 138, left + width - 0.8, low, 4),
            Gradient(lighter(tone, 0.22), darker(tone, 0.22), 0),
        )
        canvas.fill(shapes.ellipse(left + width / 2, foot - 137, width / 2 - 1.6, 3), darker(tone, 0.66))
    half = count * width / 2
    for side in (-1, 1):
        canvas.line([(x + side * (half + 3), foot - 50), (x + side * (half + 3), foot - 112)], _WOOD, 3.4)
    canvas.fill(shapes.rounded(x - half - 3, foot - 116, x + half + 3, foot - 106, 3), darker(tone, 0.4))


def _organ(canvas: Canvas, x: float, foot: float, tone: Colour, count: int) -> None:
    width = 96 / count
    for i in range(count):
        left, rise = x - 48 + width * i, 1 - abs(i - (count - 1) / 2) / count
        top = foot - 92 - 62 * rise
        canvas.fill(
            shapes.rounded(left + 1.5, top, left + width - 1.5, foot - 76, 3),
            Gradient((250, 244, 222), (164, 158, 150), 0),
        )
        canvas.fill(shapes.ellipse(left + width / 2, foot - 88, width * 0.2, 4), (60, 56, 62))
    _keyed(canvas, x, foot, tone, 14, 60)


def _piano(canvas: Canvas, x: float, foot: float, tone: Colour, count: int) -> None:
    _keyed(canvas, x, foot, tone, count, 60)
    canvas.fill(
        shapes.rectangle(x - 60, foot - 124, x + 60, foot - 74),
        Gradient(lighter(tone, 0.1), darker(tone, 0.12)),
    )
    canvas.fill(shapes.rectangle(x - 65, foot - 130, x + 65, foot - 122), darker(tone, 0.3))
    canvas.fill(shapes.rectangle(x - 26, foot - 114, x + 26, foot - 84), (250, 248, 240))
    for y in (-106, -100, -94):
        canvas.line([(x - 20, foot + y), (x + 20, foot + y)], (120, 116, 120), 1.0)


def _keyed(canvas: Canvas, x: float, foot: float, tone: Colour, keys: int, half: float) -> None:
    """Draw a case with white keys, and black ones between them."""
    canvas.shadow(shapes.rectangle(x - half, foot - 78, x + half, foot), 1, 4, blur=3)
    canvas.fill(
        shapes.rectangle(x - half, foot - 78, x + half, foot), Gradient(lighter(tone, 0.1), darker(tone, 0.2))
    )
    canvas.fill(shapes.rectangle(x - half + 10, foot - 42, x + half - 10, foot), darker(tone, 0.5))
    canvas.fill(shapes.rectangle(x - half - 4, foot - 76, x + half + 4, foot - 44), darker(tone, 0.32))
    step = (2 * half - 4) / keys
    for i in range(keys):
        left = x - half + 2 + step * i
        canvas.fill(shapes.rectangle(left + 0.6, foot - 72, left + step - 0.6, foot - 48), (250, 248, 242))
    for i in range(1, keys):
        if i % 7 not in (3, 0):
            left = x - half + 2 + step * i - step * 0.25
            canvas.fill(shapes.rectangle(left, foot - 72, left + step * 0.5, foot - 59), (34, 32, 40))


def _drum(canvas: Canvas, x: float, foot: float, tone: Colour, count: int) -> None:
    body = shapes.rectangle(x - 52, foot - 78, x + 52, foot - 12)
    canvas.shadow(shapes.ellipse(x, foot - 6, 54, 10), 1, 3, blur=3)
    canvas.fill(shapes.ellipse(x, foot - 12, 52, 12), darker(tone, 0.3))
    canvas.fill(body, Gradient(lighter(tone, 0.2), darker(tone, 0.24), 0))
    laces = [(x - 52 + 13 * i, foot - (72 if i % 2 else 14)) for i in range(9)]
    canvas.line(laces, (250, 246, 232), 2.2)
    for y in (-78, -12):
        canvas.line(shapes.arc(x, foot + y, 52, 12, 0, 180, 24), GOLD, 5)
    canvas.fill(shapes.ellipse(x, foot - 78, 52, 12), (248, 242, 228))
    canvas.line(shapes.ellipse(x, foot - 78, 52, 12), GOLD, 3, closed=True)
    for i in range(count):
        u = (i - (count - 1) / 2) * 26
        canvas.line([(x + u * 0.7, foot - 80), (x + u * 1.2, foot - 132)], (150, 106, 70), 4)
        canvas.fill(shapes.ellipse(x + u * 1.22, foot - 136, 6, 7), (150, 106, 70))


def _xylophone(canvas: Canvas, x: float, foot: float, tone: Colour, count: int) -> None:
    for side in (-46, 46):
        canvas.line([(x + side, foot - 52), (x + side * 1.16, foot)], (84, 60, 46), 5)
    for slope in (-1.0, 1.0):
        canvas.line([(x - 66, foot - 72 + slope * 22), (x + 66, foot - 72 + slope * 12)], (84, 60, 46), 4)
    width = 134 / count
    for i in range(count):
        left = x - 67 + width * i
        reach = 40.0 - 20 * i / max(1, count - 1)
        bar = shapes.rounded(left + 1.6, foot - 72 - reach, left + width - 1.6, foot - 72 + reach, 3)
        canvas.fill(bar, Gradient(lighter(tone, 0.22), darker(tone, 0.18)))
        for slope in (-0.55, 0.55):
            canvas.fill(shapes.ellipse(left + width / 2, foot - 72 + reach * slope, 1.8), darker(tone, 0.6))
    for side in (-1, 1):
        canvas.line([(x + side * 8, foot - 116), (x + side * 42, foot - 138)], (120, 86, 60), 2.6)
        canvas.fill(shapes.ellipse(x + side * 43, foot - 139, 6), (244, 238, 224))


def _tambourine(canvas: Canvas, x: float, foot: float, tone: Colour, count: int) -> None:
    _table(canvas, x, foot)
    y = foot - 98
    canvas.fill(shapes.ellipse(x, y, 48), _body(tone))
    canvas.fill(shapes.ellipse(x, y, 37), (248, 242, 228))
    canvas.line(shapes.ellipse(x, y, 37), darker(tone, 0.3), 1.6, closed=True)
    for i in range(count):
        a = 2 * math.pi * (i + 0.5) / count - math.pi / 2
        u, v = x + 43 * math.cos(a), y + 43 * math.sin(a)
        canvas.fill(shapes.ellipse(u, v, 8.5), (84, 70, 56))
        canvas.fill(shapes.ellipse(u, v, 7), (248, 226, 150))
        canvas.fill(shapes.ellipse(u, v, 2), (150, 116, 60))


#: Each draws itself around x, standing on the floor, in its colour, with so many of what can be counted.
INSTRUMENTS: dict[str, Callable[[Canvas, float, float, Colour, int], None]] = {
    "violin": _violin, "guitar": _guitar, "banjo": _banjo, "harp": _harp, "trumpet": _trumpet,
    "pan flute": _pan_flute, "organ": _organ, "piano": _piano, "drum": _drum, "xylophone": _xylophone,
    "tambourine": _tambourine,
}  # fmt: skip
