"""Stages of bands: curtain, drum kit, guitars and microphones under the lights."""

from __future__ import annotations

from random import Random
from typing import Any

from mosaic_env.world.drawing import shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.icons import draw_icon
from mosaic_env.world.drawing.paints import Glow, Gradient
from mosaic_env.world.drawing.palette import GOLD, Colour, darker, lighter, pick, pick_on, shade
from mosaic_env.world.pictures import PictureKind
from mosaic_env.world.scene import About, Scene, find, scene, the, the_part, thing

_DYES = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "white", "black")
_EMBLEMS = (
    "star",
    "crescent",
    "lightning bolt",
    "bird",
    "heart",
    "sun",
    "crown",
    "butterfly",
    "anchor",
    "feather",
    "wheel",
    "leaf",
)


def _sample(rng: Random, about: About) -> dict[str, Any]:
    curtain = pick(rng, ("red", "green", "blue", "purple", "orange", "pink"))
    drum = pick(rng, _DYES, besides=(curtain,))
    guitar = pick(rng, ("red", "orange", "yellow", "green", "blue", "white", "pink"), besides=(curtain, drum))
    head = pick(rng, ("white", "yellow", "black", "orange"))
    things = [
        thing("curtain", colour=curtain),
        thing("drum kit", colour=drum, at=[500, 640]),
        thing(
            rng.choice(_EMBLEMS), colour=pick_on(rng, head, _DYES), count=1, role="drum emblem", at=[500, 700]
        ),
        thing("guitar", colour=guitar, count=rng.randint(1, 4)),
        thing("microphone", count=rng.randint(1, 4)),
        thing(
            "lamp",
            count=rng.randint(2, 5),
            colour=pick(rng, ("yellow", "pink", "green", "blue", "orange")),
            at=[500, 60],
        ),
    ]
    if rng.random() < 0.4:
        keys = pick(rng, _DYES, besides=(curtain, drum, guitar))
        things.append(thing("piano", colour=keys, count=1, at=[rng.choice((150, 850)), 760]))
    return scene("stage", rng, things, head=head)


def _paint(canvas: Canvas, shown: Scene) -> None:
    curtain, lamps = the(shown, "curtain"), the(shown, "lamp")
    _curtain(canvas, shade(curtain["colour"]))
    canvas.fill([(0, 178), (320, 178), (320, 240), (0, 240)], Gradient((150, 106, 72), (98, 66, 50)))
    for y in (190, 204, 220):
        canvas.line([(0, y), (320, y)], (88, 60, 46), 1.0)
    _lamps(canvas, lamps)
    drum, emblem = the(shown, "drum kit"), the_part(shown, "drum emblem")
    piano = find(shown, "piano")
    left, right = 30.0, 290.0
    if piano:
        x = piano["at"][0] * 0.32
        _piano(canvas, x, 216, shade(piano["colour"]))
        left, right = (104.0, right) if x < 160 else (left, 216.0)
    middle = (left + right) / 2
    _drums(canvas, middle, 206, shade(drum["colour"]), shade(shown["look"]["head"]))
    draw_icon(canvas, emblem["name"], middle, 178, 15, shade(emblem["colour"]))
    guitars, microphones = the(shown, "guitar"), the(shown, "microphone")
    for i in range(guitars["count"]):
        side = -1 if i % 2 else 1
        x = middle + side * (78 + 28 * (i // 2)) * (1 if not piano else 0.74)
        _guitar(canvas, x, 226, shade(guitars["colour"]), side)
    for i in range(microphones["count"]):
        side = -1 if i % 2 else 1
        _microphone(canvas, middle + side * (46 + 20 * (i // 2)), 236)


def _curtain(canvas: Canvas, tone: Colour) -> None:
    canvas.fill(shapes.rectangle(0, 0, 320, 180), darker(tone, 0.3))
    for i in range(16):
        canvas.fill(
            shapes.rectangle(i * 20, 0, i * 20 + 20, 180),
            Gradient(lighter(tone, 0.05), darker(tone, 0.42), 0),
        )
    swag = [
        (0, 0),
        (320, 0),
        (320, 26),
        *[p for k in range(4, -1, -1) for p in shapes.arc(k * 64 + 32, 22, 32, 20, 0, 180, 12)],
        (0, 26),
    ]
    canvas.fill(swag, Gradient(lighter(tone, 0.12), darker(tone, 0.2)))
    for k in range(5):
        canvas.line(shapes.arc(k * 64 + 32, 22, 31, 19, 4, 176, 16), GOLD, 2.2)


def _lamps(canvas: Canvas, lamps: Any) -> None:
    colour = shade(lamps["colour"])
    for i in range(lamps["count"]):
        x = 320 * (i + 0.5) / lamps["count"]
        aim = x + (160 - x) * 0.35
        pool = shapes.ellipse(aim, 206, 44, 13)
        canvas.fill_together(
            [[(x - 7, 26), (x + 7, 26), (aim + 43.5, 204), (aim - 43.5, 204)], pool],
            lighter(colour, 0.4),
            0.22,
        )
        canvas.fill(shapes.rounded(x - 9, 6, x + 9, 24, 4), (48, 46, 58))
        canvas.fill(shapes.ellipse(x, 25, 9, 4.5), colour)


def _drums(canvas: Canvas, x: float, y: float, tone: Colour, head: Colour) -> None:
    body = Gradient(lighter(tone, 0.2), darker(tone, 0.26), 0)
    for side in (-1, 1):
        canvas.line([(x + side * 46, y), (x + side * 50, y - 76)], (90, 90, 100), 2)
        canvas.fill(shapes.ellipse(x + side * 50, y - 76, 21, 4.5), Gradient((250, 222, 130), (196, 150, 60)))
        canvas.line([(x + side * 50, y - 16), (x + side * 58, y)], (90, 90, 100), 2)
        canvas.fill(shapes.rounded(x + side * 48 - 15, y - 38, x + side * 48 + 15, y - 12, 3), body)
        canvas.fill(shapes.ellipse(x + side * 48, y - 38, 15, 4), (246, 244, 238))
        canvas.fill(shapes.rounded(x + side * 19 - 15, y - 76, x + side * 19 + 15, y - 54, 3), body)
        canvas.fill(shapes.ellipse(x + side * 19, y - 76, 15, 4), (246, 244, 238))
    canvas.shadow(shapes.ellipse(x, y - 28, 31), 0, 3, blur=3)
    canvas.fill(shapes.ellipse(x, y - 28, 31), body)
    canvas.fill(shapes.ellipse(x, y - 28, 25), Glow(x - 6, y - 34, 40, lighter(head, 0.2), head))
    for side in (-1, 1):
        canvas.line([(x + side * 26, y - 12), (x + side * 33, y + 2)], (90, 90, 100), 2.4)


def _guitar(canvas: Canvas, x: float, foot: float, tone: Colour, side: int) -> None:
    def put(points: list[shapes.Point]) -> shapes.Shape:
        return shapes.placed(points, x, foot, turn=side * 9)

    canvas.fill(put(shapes.rectangle(-2.4, -92, 2.4, -26)), (110, 74, 48))
    canvas.fill(put([(-5, -106), (5, -106), (3.4, -90), (-3.4, -90)]), darker(tone, 0.45))
    body = shapes.smooth(
        [
            (0, -48),
            (12, -50),
            (13, -36),
            (9, -28),
            (17, -14),
            (10, 0),
            (-10, 0),
            (-17, -14),
            (-9, -28),
            (-13, -36),
            (-12, -50),
        ]
    )
    canvas.shadow(put(body), 1, 3, blur=2.5)
    canvas.fill(put(body), Gradient(lighter(tone, 0.16), darker(tone, 0.18), 20))
    canvas.fill(put(shapes.ellipse(0, -25, 5.5)), (44, 34, 36))
    canvas.fill(put(shapes.rectangle(-7, -11, 7, -8)), (52, 40, 38))
    for dx in (-1.2, 1.2):
        canvas.line(put([(dx, -92), (dx, -10)]), (236, 232, 220), 0.5)


def _microphone(canvas: Canvas, x: float, foot: float) -> None:
    canvas.fill(shapes.ellipse(x, foot, 11, 3), (52, 52, 62))
    canvas.line([(x, foot), (x, foot - 66)], (70, 70, 82), 2.2)
    canvas.line([(x, foot - 66), (x - 8, foot - 72)], (70, 70, 82), 2.2)
    canvas.fill(shapes.placed(shapes.rounded(-3, -5, 3, 8, 2), x - 10, foot - 73, turn=-55), (44, 44, 54))
    canvas.fill(
        shapes.ellipse(x - 13.5, foot - 75.5, 5.5),
        Glow(x - 15, foot - 77, 8, (214, 216, 224), (128, 130, 142)),
    )


def _piano(canvas: Canvas, x: float, foot: float, tone: Colour) -> None:
    canvas.shadow(shapes.rectangle(x - 42, foot - 66, x + 42, foot), 0, 4, blur=4)
    canvas.fill(
        shapes.rectangle(x - 42, foot - 66, x + 42, foot), Gradient(lighter(tone, 0.12), darker(tone, 0.2))
    )
    canvas.fill(shapes.rectangle(x - 46, foot - 70, x + 46, foot - 63), darker(tone, 0.3))
    canvas.fill(shapes.rectangle(x - 46, foot - 36, x + 46, foot - 22), (250, 248, 242))
    for i in range(12):
        canvas.line([(x - 42 + i * 7.6, foot - 36), (x - 42 + i * 7.6, foot - 22)], (150, 150, 160), 0.7)
        if i % 7 not in (2, 6):
            canvas.fill(
                shapes.rectangle(x - 40 + i * 7.6, foot - 36, x - 36.4 + i * 7.6, foot - 28), (30, 28, 36)
            )
    canvas.fill(shapes.rectangle(x - 46, foot - 22, x + 46, foot - 17), darker(tone, 0.36))


STAGE = PictureKind((320, 240), _sample, _paint)
