"""Paintings: a still life in a frame, things in a row on a table."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from mosaic_env.core.seeds import python_random
from mosaic_env.world.drawing import shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.paints import Glow, Gradient, Paint, Pattern
from mosaic_env.world.drawing.palette import GOLD, Colour, darker, lighter, pick, pick_on, shade
from mosaic_env.world.pictures import PictureKind
from mosaic_env.world.scene import About, Scene, Thing, find, scene, the, thing

_DYES = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "white", "black")
_FRAMES: dict[str, Colour] = {
    "gold": GOLD,
    "black": (44, 40, 46),
    "white": (240, 236, 228),
    "brown": (112, 72, 46),
}
_FRUITS = {
    "apple": ("red", "green", "yellow"),
    "orange": ("orange",),
    "pear": ("green", "yellow"),
    "plum": ("purple",),
    "lemon": ("yellow",),
}
_TABLE = 176.0


def _sample(rng: Random, about: About) -> dict[str, Any]:
    wall = pick(rng, ("green", "blue", "grey", "brown", "red", "purple"))
    cloth = pick(rng, ("white", "red", "blue", "yellow", "green", "pink"), besides=(wall,))
    names = rng.sample(sorted(_OBJECTS), rng.choice((2, 3)))
    things: list[Thing] = [
        thing("wall", colour=wall),
        thing("tablecloth", colour=cloth, pattern=rng.choice(("plain", "striped", "checked", "dotted"))),
        thing("frame", colour=rng.choice(tuple(_FRAMES))),
    ]
    taken = [wall, cloth]
    for name, x in zip(names, (250, 740) if len(names) == 2 else (210, 500, 790), strict=True):
        dyes = {"candle": ("white", "red", "yellow", "green"), "stack of books": _DYES[:-2]}.get(name, _DYES)
        colour = pick_on(rng, wall, dyes, besides=tuple(taken))
        taken.append(colour)
        things.append(thing(name, count=1, colour=colour, at=[x, 600], line="table"))
    if any(entry["name"] == "vase" for entry in things):
        things.append(
            thing(
                "flower",
                count=rng.randint(2, 6),
                colour=pick_on(rng, wall, ("red", "yellow", "pink", "white", "orange", "purple")),
            )
        )
    fruit, skin = rng.choice(
        [(name, skin) for name in sorted(_FRUITS) for skin in _FRUITS[name] if skin != cloth]
    )
    things.append(thing(fruit, count=rng.randint(2, 7), colour=skin, at=[500, 830]))
    return scene("still life", rng, things)


def _paint(canvas: Canvas, shown: Scene) -> None:
    rng = python_random(shown["seed"], "paint")
    frame, wall, cloth = (the(shown, name) for name in ("frame", "wall", "tablecloth"))
    _wood(canvas, _FRAMES[frame["colour"]])
    inside = shapes.rectangle(22, 22, 298, 218)
    tone = shade(wall["colour"])
    with canvas.clip(inside):
        canvas.fill(inside, Glow(90, 70, 270, lighter(tone, 0.26), darker(tone, 0.4)))
        for _ in range(22):
            x, y, size = rng.uniform(10, 290), rng.uniform(22, 150), rng.uniform(16, 34)
            stroke = shapes.smooth(
                [(x, y), (x + size, y - size * 0.25), (x + 2 * size, y + size * 0.1)], closed=False
            )
            widths = [size * 0.34 * (1 - abs(i / len(stroke) - 0.4)) for i in range(len(stroke))]
            canvas.fill(
                shapes.thick(stroke, widths), rng.choice((lighter(tone, 0.2), darker(tone, 0.16))), 0.3
            )
        _table(canvas, cloth)
        for entry in shown["things"]:
            if entry.get("line") == "table":
                _OBJECTS[entry["name"]](canvas, entry["at"][0] * 0.32, _TABLE, shade(entry["colour"]), shown)
        _fruits(canvas, rng, next(entry for entry in shown["things"] if entry["name"] in _FRUITS))
    canvas.line(inside, (60, 48, 40), 1.4, closed=True)


def _wood(canvas: Canvas, tone: Colour) -> None:
    canvas.fill(shapes.rectangle(0, 0, 320, 240), (226, 222, 214))
    outer, inner = (4.0, 4.0, 316.0, 236.0), (22.0, 22.0, 298.0, 218.0)
    canvas.shadow(shapes.rectangle(*outer), 1, 3, blur=3, alpha=0.5)
    corners = ((outer[0], outer[1]), (outer[2], outer[1]), (outer[2], outer[3]), (outer[0], outer[3]))
    inners = ((inner[0], inner[1]), (inner[2], inner[1]), (inner[2], inner[3]), (inner[0], inner[3]))
    for i, share in enumerate((0.28, -0.2, -0.34, 0.1)):
        side = lighter(tone, share) if share > 0 else darker(tone, -share)
        j = (i + 1) % 4
        canvas.fill([corners[i], corners[j], inners[j], inners[i]], side)
    for inset in (9, 15):
        canvas.line(
            shapes.rectangle(inset, inset, 320 - inset, 240 - inset),
            darker(tone, 0.3) if inset == 15 else lighter(tone, 0.34),
            1.2,
            closed=True,
        )


def _table(canvas: Canvas, cloth: Thing) -> None:
    tone = shade(cloth["colour"])
    second = lighter(tone, 0.55) if cloth["colour"] != "white" else (180, 200, 222)
    paint: Paint = Gradient(lighter(tone, 0.1), darker(tone, 0.2))
    if cloth["pattern"] != "plain":
        paint = Pattern(cloth["pattern"], tone, second, 20)
    canvas.fill(shapes.rectangle(22, 158, 298, 220), paint)
    canvas.line([(22, 158), (298, 158)], darker(tone, 0.3), 1.6)


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


_OBJECTS: dict[str, Callable[[Canvas, float, float, Colour, Scene], None]] = {
    "vase": _vase, "jug": _jug, "candle": _candle, "bottle": _bottle, "teapot": _teapot, "stack of books": _book,
}  # fmt: skip


def _fruits(canvas: Canvas, rng: Random, fruit: Thing) -> None:
    count, tone = fruit["count"], shade(fruit["colour"])
    for i in range(count):
        x, y = 160 + (i - (count - 1) / 2) * min(34, 226 / count) + rng.uniform(-3, 3), 203 - 5 * (i % 2)
        canvas.shadow(shapes.ellipse(x + 3, y + 9, 12, 4), 0, 0, blur=2, alpha=0.5)
        skin = Glow(x - 4, y - 4, 18, lighter(tone, 0.36), darker(tone, 0.2))
        if fruit["name"] == "pear":
            canvas.fill(
                shapes.smooth(
                    [
                        (x, y - 17),
                        (x + 5, y - 10),
                        (x + 11, y + 2),
                        (x, y + 11),
                        (x - 11, y + 2),
                        (x - 5, y - 10),
                    ]
                ),
                skin,
            )
        elif fruit["name"] == "lemon":
            canvas.fill(
                shapes.smooth(
                    [(x - 15, y), (x - 7, y - 8), (x + 7, y - 8), (x + 15, y), (x + 7, y + 8), (x - 7, y + 8)]
                ),
                skin,
            )
        else:
            canvas.fill(shapes.ellipse(x, y, 11.5, 10.5), skin)
        if fruit["name"] in ("apple", "pear", "plum"):
            top = y - (17 if fruit["name"] == "pear" else 9)
            canvas.line([(x, top), (x + 2, top - 6)], (90, 62, 44), 1.6)
            canvas.fill(shapes.smooth([(x + 2, top - 4), (x + 7, top - 8), (x + 9, top - 3)]), (86, 150, 70))


STILL_LIFE = PictureKind((320, 240), _sample, _paint)
