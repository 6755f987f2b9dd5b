"""Clothes of a portrait: the body in a garment, and what is worn around the neck."""

from __future__ import annotations

from collections.abc import Callable

from mosaic_env.world.drawing import shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.paints import Gradient, Paint, Pattern
from mosaic_env.world.drawing.palette import Colour, darker, lighter, shade
from mosaic_env.world.pictures.portrait_sitter import Sitter
from mosaic_env.world.scene import Thing

_SHOULDERS = [
    (6, 322),
    (14, 276),
    (44, 246),
    (92, 232),
    (120, 236),
    (148, 232),
    (196, 246),
    (226, 276),
    (234, 322),
]


def draw_body(canvas: Canvas, garment: Thing, sitter: Sitter) -> None:
    """Draw neck and shoulders in a garment."""
    outline = shapes.smooth(_SHOULDERS, closed=False, steps=8)
    canvas.shadow(outline, 0, -2, blur=6, alpha=0.28)
    neck = [(100, 176), (140, 176), (142, 222), (152, 240), (120, 262), (88, 240), (98, 222)]
    if "pattern" in garment:
        ground, figure = garment["style"].split("/")
        paint: Paint | Colour = Pattern(garment["pattern"], shade(ground), shade(figure), 22)
    else:
        tone = shade(garment["colour"])
        paint = Gradient(lighter(tone, 0.1), darker(tone, 0.22), 60)
    canvas.fill(outline, paint)
    canvas.fill(neck, Gradient(darker(sitter.skin, 0.16), sitter.skin))
    _GARMENTS[garment["name"]](canvas, garment, sitter)


def _tone(garment: Thing) -> Colour:
    return shade(garment["colour"] if "colour" in garment else garment["style"].split("/")[0])


def _jumper(canvas: Canvas, garment: Thing, sitter: Sitter) -> None:
    tone = darker(_tone(garment), 0.16)
    collar = [(90, 236), (96, 214), (120, 222), (144, 214), (150, 236), (120, 258)]
    canvas.fill(shapes.smooth(collar), tone)
    for x in range(98, 146, 8):
        canvas.line([(x, 222), (x + (120 - x) * 0.12, 244)], darker(tone, 0.2), 1.0)


def _shirt(canvas: Canvas, garment: Thing, sitter: Sitter) -> None:
    tone = _tone(garment)
    rim = darker(tone, 0.3)
    for side in (-1, 1):
        flap = [(120, 262), (120 + side * 34, 224), (120 + side * 46, 246), (120 + side * 22, 278)]
        canvas.outlined(flap, lighter(tone, 0.16), rim, 1.2)
    canvas.line([(120, 264), (120, 320)], rim, 1.2)
    for y in (284, 306):
        canvas.fill(
            shapes.ellipse(126, y, 3), lighter(tone, 0.5) if garment["colour"] != "white" else (180, 180, 186)
        )


def _jacket(canvas: Canvas, garment: Thing, sitter: Sitter) -> None:
    tone = _tone(garment)
    canvas.fill([(88, 238), (152, 238), (128, 322), (112, 322)], Gradient((252, 252, 248), (216, 218, 226)))
    for side in (-1, 1):
        collar = [(120, 258), (120 + side * 26, 226), (120 + side * 34, 238), (120 + side * 16, 268)]
        canvas.outlined(collar, (250, 250, 246), (176, 178, 190), 1.0)
        lapel = [
            (120 + side * 32, 236),
            (120 + side * 58, 246),
            (120 + side * 46, 268),
            (120 + side * 52, 276),
            (120 + side * 10, 322),
        ]
        canvas.outlined(lapel, lighter(tone, 0.1), darker(tone, 0.34), 1.2)


def _coat(canvas: Canvas, garment: Thing, sitter: Sitter) -> None:
    tone = _tone(garment)
    for side in (-1, 1):
        collar = [(120, 280), (120 + side * 30, 218), (120 + side * 62, 240), (120 + side * 40, 296)]
        canvas.outlined(shapes.smooth(collar), darker(tone, 0.12), darker(tone, 0.36), 1.2)
    canvas.line([(120, 280), (120, 320)], darker(tone, 0.4), 1.6)
    for x, y in ((108, 294), (134, 294), (108, 314), (134, 314)):
        canvas.fill(shapes.ellipse(x, y, 4), (226, 190, 104))


_GARMENTS: dict[str, Callable[[Canvas, Thing, Sitter], None]] = {
    "jumper": _jumper, "shirt": _shirt, "jacket": _jacket, "coat": _coat,
}  # fmt: skip


def _scarf(canvas: Canvas, entry: Thing) -> None:
    tone = shade(entry["colour"])
    wrap = shapes.smooth([(82, 226), (120, 216), (158, 226), (164, 246), (120, 262), (76, 246)])
    tail = shapes.smooth([(132, 244), (164, 242), (172, 318), (140, 322)])
    if entry["pattern"] == "striped":
        second = (252, 248, 240) if entry["colour"] != "white" else (150, 154, 170)
        canvas.fill(tail, Pattern("striped", tone, second, 18, 80))
        canvas.fill(wrap, Pattern("striped", tone, second, 20, 14))
    else:
        canvas.fill(tail, Gradient(tone, darker(tone, 0.24)))
        canvas.fill(wrap, Gradient(lighter(tone, 0.16), darker(tone, 0.14)))
    canvas.line(wrap, darker(tone, 0.35), 1.2, closed=True)
    for x, y in ((92, 246), (108, 254)):
        canvas.line(
            shapes.smooth([(x - 8, y - 14), (x + 14, y - 8), (x + 40, y - 10)], closed=False),
            darker(tone, 0.28),
            1.2,
        )
    canvas.line(tail, darker(tone, 0.35), 1.2, closed=True)
    for x in range(142, 172, 6):
        canvas.line([(x, 318), (x, 322)], darker(tone, 0.3), 1.4)


def _tie(canvas: Canvas, entry: Thing) -> None:
    tone = shade(entry["colour"])
    canvas.fill([(113, 250), (127, 250), (124, 264), (116, 264)], lighter(tone, 0.12))
    canvas.outlined(
        [(116, 264), (124, 264), (134, 320), (106, 320)],
        Gradient(tone, darker(tone, 0.2), 0),
        darker(tone, 0.4),
        1.0,
    )


def _bow_tie(canvas: Canvas, entry: Thing) -> None:
    tone = shade(entry["colour"])
    for side in (-1, 1):
        wing = shapes.smooth(
            [(120, 252), (120 + side * 28, 240), (120 + side * 32, 254), (120 + side * 28, 268), (120, 258)]
        )
        canvas.outlined(wing, Gradient(lighter(tone, 0.1), darker(tone, 0.2)), darker(tone, 0.4), 1.0)
    canvas.outlined(shapes.rounded(113, 247, 127, 263, 4), tone, darker(tone, 0.4), 1.0)


def _necklace(canvas: Canvas, entry: Thing) -> None:
    tone = shade(entry["colour"])
    for x, y in shapes.arc(120, 226, 36, 50, 18, 162, 12):
        canvas.fill(shapes.ellipse(x, y, 4.6), darker(tone, 0.25))
        canvas.fill(shapes.ellipse(x - 0.4, y - 0.5, 3.9), tone)
        canvas.fill(shapes.ellipse(x - 1.3, y - 1.5, 1.2), lighter(tone, 0.7))


NECKWEAR: dict[str, Callable[[Canvas, Thing], None]] = {
    "scarf": _scarf, "tie": _tie, "bow tie": _bow_tie, "necklace": _necklace,
}  # fmt: skip
