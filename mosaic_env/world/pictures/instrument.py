"""Musical instruments in a room, between two pieces of furniture, on a patterned rug.

``instrument_parts`` draws the instruments.
"""

from __future__ import annotations

from random import Random
from typing import Any

from mosaic_env.world import lettering
from mosaic_env.world.drawing import shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.paints import Gradient, Paint, Pattern
from mosaic_env.world.drawing.palette import (
    INK,
    PAPER,
    Colour,
    darker,
    is_light,
    lighter,
    pick,
    pick_on,
    shade,
)
from mosaic_env.world.pictures import PictureKind
from mosaic_env.world.pictures.instrument_parts import INSTRUMENTS, PARTS
from mosaic_env.world.scene import About, Scene, Thing, scene, text_at, the, the_part, thing

_WALLS = ("green", "blue", "grey", "yellow", "pink", "white", "purple")
_DYES = ("red", "orange", "yellow", "green", "blue", "purple", "white", "brown", "black")
_BY_FAMILY = {
    "string": ("violin", "guitar", "harp", "banjo"),
    "wind": ("trumpet", "pan flute"),
    "keyboard": ("organ", "piano"),
    "percussion": ("drum", "xylophone", "tambourine"),
}
#: Lowest line of the wall, and where things stand.
_SKIRTING, _FLOOR = 176.0, 208.0


def _sample(rng: Random, about: About) -> dict[str, Any]:
    family = next((name for name in _BY_FAMILY if name in about.noun), rng.choice(tuple(_BY_FAMILY)))
    name = rng.choice(_BY_FAMILY[family])
    wall = pick(rng, _WALLS)
    body = pick_on(rng, wall, _DYES)
    counted, low, high = PARTS[name]
    rug = pick(rng, ("red", "blue", "green", "purple", "orange"), besides=(wall, body))
    board = pick_on(
        rng, wall, ("red", "blue", "green", "yellow", "purple", "black", "white"), besides=(body,)
    )
    taken = [wall, body]
    sides: list[Thing] = []
    for side, x in zip(rng.sample(sorted(_FURNITURE), 2), (128, 872), strict=True):
        colour = pick_on(rng, wall, _DYES, besides=tuple(taken))
        taken.append(colour)
        sides.append(thing(side, count=1, colour=colour, at=[x, 700], line="room"))
    things = [
        thing("wall", colour=wall),
        thing("rug", colour=rug, pattern=rng.choice(("plain", "striped", "checked", "dotted"))),
        thing(name, count=1, colour=body, role="instrument", at=[500, 650], line="room"),
        thing(counted, count=rng.randint(low, high)),
        thing("notice board", colour=board),
        *sides,
    ]
    return scene("instrument", rng, things, {"notice board": lettering.sticker(rng)})


def _paint(canvas: Canvas, shown: Scene) -> None:
    wall = shade(the(shown, "wall")["colour"])
    canvas.fill(shapes.rectangle(0, 0, 320, _SKIRTING), Gradient(lighter(wall, 0.14), darker(wall, 0.06)))
    canvas.fill(shapes.rectangle(0, _SKIRTING, 320, 240), Gradient((178, 134, 94), (138, 98, 70)))
    canvas.fill(shapes.rectangle(0, _SKIRTING - 5, 320, _SKIRTING), (246, 242, 232))
    for x in range(-20, 320, 44):
        canvas.line([(x + 20, _SKIRTING), (x, 240)], (128, 92, 66), 1.0)
    _rug(canvas, the(shown, "rug"))
    _board(canvas, shade(the(shown, "notice board")["colour"]), text_at(shown, "notice board"))
    for entry in shown["things"]:
        if entry.get("line") == "room" and entry.get("role") != "instrument":
            _FURNITURE[entry["name"]](canvas, entry["at"][0] * 0.32, _FLOOR, shade(entry["colour"]))
    played = the_part(shown, "instrument")
    counted = the(shown, PARTS[played["name"]][0])["count"]
    INSTRUMENTS[played["name"]](canvas, 160, _FLOOR, shade(played["colour"]), counted)


def _rug(canvas: Canvas, rug: Thing) -> None:
    tone = shade(rug["colour"])
    paint: Paint = Gradient(lighter(tone, 0.06), darker(tone, 0.12))
    if rug["pattern"] != "plain":
        paint = Pattern(rug["pattern"], tone, lighter(tone, 0.62), 15)
    shape = [(70, 196), (250, 196), (282, 232), (38, 232)]
    canvas.shadow(shape, 0, 2, blur=2)
    canvas.fill(shape, paint)
    canvas.line(shape, darker(tone, 0.3), 2.0, closed=True)


def _board(canvas: Canvas, tone: Colour, words: str) -> None:
    frame = shapes.rounded(86, 7, 234, 39, 4)
    canvas.shadow(frame, 1, 3, blur=2.5)
    canvas.fill(frame, tone)
    canvas.line(shapes.rounded(90, 11, 230, 35, 3), lighter(tone, 0.5), 1.2, closed=True)
    canvas.write(words, 160, 23, 17, INK if is_light(tone) else PAPER, width=130, bold=0.5, spacing=0.05)


def _floor_lamp(canvas: Canvas, x: float, foot: float, tone: Colour) -> None:
    canvas.fill(shapes.ellipse(x, foot, 17, 4.5), (64, 60, 68))
    canvas.line([(x, foot), (x, foot - 96)], (82, 78, 86), 3.2)
    canvas.fill(shapes.ellipse(x, foot - 106, 36, 30), (255, 240, 190), 0.35)
    canvas.fill([(x - 26, foot - 88), (x + 26, foot - 88), (x + 15, foot - 126), (x - 15, foot - 126)],
                Gradient(lighter(tone, 0.2), darker(tone, 0.14), 0))  # fmt: skip


def _stool(canvas: Canvas, x: float, foot: float, tone: Colour) -> None:
    for lean in (-17, 0, 17):
        canvas.line([(x + lean * 0.7, foot - 44), (x + lean, foot)], (104, 74, 52), 4.0)
    canvas.line([(x - 14, foot - 16), (x + 14, foot - 16)], (104, 74, 52), 2.6)
    canvas.fill(
        shapes.rounded(x - 24, foot - 56, x + 24, foot - 42, 6),
        Gradient(lighter(tone, 0.14), darker(tone, 0.2)),
    )


def _armchair(canvas: Canvas, x: float, foot: float, tone: Colour) -> None:
    for side in (-24, 24):
        canvas.line([(x + side, foot - 8), (x + side, foot)], (84, 60, 44), 4.5)
    canvas.fill(
        shapes.rounded(x - 29, foot - 84, x + 29, foot - 12, 14),
        Gradient(lighter(tone, 0.06), darker(tone, 0.24)),
    )
    canvas.fill(shapes.rounded(x - 25, foot - 40, x + 25, foot - 18, 6), lighter(tone, 0.2))
    for side in (-1, 1):
        arm = shapes.rounded(x + side * 31 - 8, foot - 52, x + side * 31 + 8, foot - 6, 7)
        canvas.fill(arm, Gradient(lighter(tone, 0.1), darker(tone, 0.2)))


def _bookcase(canvas: Canvas, x: float, foot: float, tone: Colour) -> None:
    canvas.fill(
        shapes.rectangle(x - 30, foot - 108, x + 30, foot),
        Gradient(lighter(tone, 0.08), darker(tone, 0.16), 0),
    )
    for i in range(3):
        top = foot - 102 + 34 * i
        canvas.fill(shapes.rectangle(x - 25, top, x + 25, top + 29), darker(tone, 0.62))
        for k in range(7):
            height = (24, 20, 26, 22, 25, 19, 23)[(k + 2 * i) % 7]
            spine = ((226, 220, 206), (198, 190, 176), (238, 232, 222))[(k + i) % 3]
            canvas.fill(
                shapes.rectangle(x - 23 + 6.6 * k, top + 29 - height, x - 18 + 6.6 * k, top + 29), spine
            )


def _clock(canvas: Canvas, x: float, foot: float, tone: Colour) -> None:
    paint = Gradient(lighter(tone, 0.14), darker(tone, 0.18), 0)
    canvas.fill(shapes.rectangle(x - 22, foot - 16, x + 22, foot), paint)
    canvas.fill(shapes.rectangle(x - 15, foot - 84, x + 15, foot - 14), paint)
    canvas.fill(shapes.rounded(x - 8, foot - 74, x + 8, foot - 24, 6), darker(tone, 0.6))
    canvas.line([(x, foot - 72), (x, foot - 40)], (222, 178, 80), 1.8)
    canvas.fill(shapes.ellipse(x, foot - 38, 5.5), (232, 190, 84))
    canvas.fill(shapes.rounded(x - 22, foot - 128, x + 22, foot - 82, 16), paint)
    canvas.fill(shapes.ellipse(x, foot - 105, 16), (250, 246, 232))
    canvas.line([(x, foot - 117), (x, foot - 105), (x + 8, foot - 101)], INK, 2.0)


_FURNITURE = {
    "floor lamp": _floor_lamp, "stool": _stool, "armchair": _armchair, "bookcase": _bookcase,
    "grandfather clock": _clock,
}  # fmt: skip


INSTRUMENT = PictureKind((320, 240), _sample, _paint)
