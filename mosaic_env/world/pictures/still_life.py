"""Paintings: a still life in a frame, things in a row on a table."""

from __future__ import annotations

from random import Random
from typing import Any

from mosaic_env.core.seeds import python_random
from mosaic_env.world.drawing import shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.paints import Glow, Gradient, Paint, Pattern
from mosaic_env.world.drawing.palette import GOLD, Colour, darker, lighter, pick, pick_on, shade
from mosaic_env.world.pictures import PictureKind
from mosaic_env.world.pictures.objects import OBJECTS
from mosaic_env.world.scene import About, Scene, Thing, scene, the, thing

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
    names = rng.sample(sorted(OBJECTS), rng.choice((2, 3)))
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
                OBJECTS[entry["name"]](canvas, entry["at"][0] * 0.32, _TABLE, shade(entry["colour"]), shown)
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
