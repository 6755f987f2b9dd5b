"""Animals of a breed where they live: cats, dogs and rabbits on a meadow, ducks on a pond, fish in the sea.

``animal_parts`` draws the animals.
"""

from __future__ import annotations

from random import Random
from typing import Any

from mosaic_env.core.seeds import python_random
from mosaic_env.world.drawing import scenery, shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.icons import draw_icon
from mosaic_env.world.drawing.paints import Gradient
from mosaic_env.world.drawing.palette import Colour, darker, lighter, pick, shade
from mosaic_env.world.pictures import PictureKind
from mosaic_env.world.pictures.animal_parts import COATS, draw_animal
from mosaic_env.world.scene import About, Scene, Thing, find, scene, the, the_part, thing

_SPECIES = ("cat", "dog", "rabbit", "duck", "fish")
_SCALES = ("red", "orange", "yellow", "blue", "purple", "pink", "white")
_MARKS = ("plain", "striped", "spotted")


def _sample(rng: Random, about: About) -> dict[str, Any]:
    species = next((name for name in _SPECIES if name in about.noun), rng.choice(_SPECIES))
    coat = pick(rng, _SCALES) if species == "fish" else rng.choice(tuple(COATS))
    animal = thing(
        species,
        colour=coat,
        pattern=rng.choice(_MARKS),
        count=rng.choice((1, 1, 2, 3)),
        role="animal",
        at=[500, 640],
    )
    if species == "fish":
        return scene("animal", rng, [animal, *_sea(rng, coat)], place="sea")
    if species == "duck":
        return scene("animal", rng, [animal, *_pond(rng)], place="pond")
    return scene(
        "animal",
        rng,
        [animal, *_meadow(rng, coat, room=animal["count"] < 3)],
        place="meadow",
        sky=rng.choice(("day", "dawn", "overcast")),
    )


def _meadow(rng: Random, coat: str, *, room: bool) -> list[Thing]:
    things = [
        thing(
            "collar", colour=pick(rng, ("red", "blue", "green", "yellow", "purple", "pink"), besides=(coat,))
        )
    ]
    things.append(
        thing(
            rng.choice(("tulip", "mushroom")),
            colour=pick(rng, ("red", "yellow", "purple", "pink", "orange")),
            count=rng.randint(2, 7),
            at=[500, 900],
        )
    )
    if room and rng.random() < 0.75:
        side = rng.choice((140, 860))
        things.append(
            thing(
                "ball",
                colour=pick(rng, ("red", "blue", "yellow", "purple", "orange")),
                count=1,
                pattern=rng.choice(("striped", "plain")),
                at=[side, 820],
            )
        )
    if rng.random() < 0.6:
        things.append(
            thing(
                "butterfly",
                colour=pick(rng, ("purple", "orange", "yellow", "red", "pink")),
                count=rng.randint(1, 4),
                at=[500, 250],
            )
        )
    return things


def _pond(rng: Random) -> list[Thing]:
    return [
        thing(
            "water lily",
            colour=pick(rng, ("pink", "white", "yellow", "red", "purple")),
            count=rng.randint(1, 5),
            at=[500, 860],
        ),
        thing("reed", count=rng.randint(2, 6), at=[rng.choice((120, 880)), 500]),
        thing(
            "house",
            colour=pick(rng, ("red", "yellow", "blue", "white", "orange")),
            count=1,
            at=[rng.choice((250, 750)), 330],
        ),
    ]


def _sea(rng: Random, coat: str) -> list[Thing]:
    return [
        thing(
            "starfish",
            colour=pick(rng, ("red", "orange", "yellow", "purple", "pink"), besides=(coat,)),
            count=rng.randint(1, 5),
            at=[500, 900],
        ),
        thing("bubble", count=rng.randint(2, 7), at=[700, 300]),
        thing(
            "seaweed",
            colour=pick(rng, ("green", "red", "purple", "brown"), besides=(coat,)),
            count=rng.randint(2, 5),
        ),
    ]


def _paint(canvas: Canvas, shown: Scene) -> None:
    rng = python_random(shown["seed"], "paint")
    _PLACES[shown["look"]["place"]](canvas, rng, shown)


def _crowd(canvas: Canvas, shown: Scene, foot: float, height: float, spread: float) -> None:
    animal, collar = the_part(shown, "animal"), find(shown, "collar")
    count = animal["count"]
    band = shade(collar["colour"]) if collar else None
    size = height * (1.0, 0.84, 0.72)[count - 1]
    for i in range(count):
        x = 160 + (i - (count - 1) / 2) * spread
        draw_animal(canvas, animal, x, foot - (6 if i % 2 else 0), size, band)


def _paint_meadow(canvas: Canvas, rng: Random, shown: Scene) -> None:
    sky = shown["look"]["sky"]
    scenery.sky(canvas, sky, 150)
    scenery.disc(canvas, rng.choice((52, 268)), 46, 17, (255, 236, 150), (255, 246, 206))
    for _ in range(3):
        scenery.cloud(canvas, rng.uniform(20, 300), rng.uniform(24, 70), rng.uniform(22, 40), alpha=0.7)
    scenery.ridge(canvas, rng, 152, 46, scenery.haze((92, 142, 132), sky, 0.35), bumps=3)
    for _ in range(4):
        scenery.round_tree(
            canvas,
            rng.choice((rng.uniform(6, 80), rng.uniform(240, 314))),
            158,
            rng.uniform(36, 54),
            scenery.haze((70, 134, 84), sky, 0.2),
        )
    scenery.ground(canvas, rng, 150, (126, 182, 96))
    _crowd(canvas, shown, 208, 132, 98)
    ball = find(shown, "ball")
    if ball:
        _ball(canvas, ball["at"][0] * 0.32, 206, 17, ball)
    for name, paint in (("tulip", _tulip), ("mushroom", _mushroom)):
        row = find(shown, name) or {"count": 0, "colour": "white"}
        for i in range(row["count"]):
            x = 320 * (i + 0.5) / row["count"] + rng.uniform(-6, 6)
            paint(canvas, x, rng.uniform(231, 236), shade(row["colour"]))
    flutter = find(shown, "butterfly") or {"count": 0, "colour": "white"}
    for x in (46, 274, 92, 226)[: flutter["count"]]:
        draw_icon(
            canvas, "butterfly", x + rng.uniform(-8, 8), rng.uniform(58, 84), 12, shade(flutter["colour"])
        )


def _ball(canvas: Canvas, x: float, foot: float, radius: float, ball: Thing) -> None:
    tone = shade(ball["colour"])
    circle = shapes.ellipse(x, foot - radius, radius)
    canvas.fill(shapes.ellipse(x, foot, radius, 4), (40, 60, 40), 0.35)
    canvas.fill(circle, Gradient(lighter(tone, 0.25), darker(tone, 0.25), 50))
    if ball["pattern"] == "striped":
        with canvas.clip(circle):
            for turn in (-1, 1):
                canvas.line(
                    shapes.arc(x + turn * radius * 1.25, foot - radius, radius, radius * 1.3, 90, 270)
                    if turn > 0
                    else shapes.arc(x - radius * 1.25, foot - radius, radius, radius * 1.3, -90, 90),
                    (252, 250, 244),
                    4,
                )


def _tulip(canvas: Canvas, x: float, foot: float, tone: Colour) -> None:
    canvas.line([(x, foot), (x, foot - 17)], (58, 122, 62), 2)
    canvas.fill(shapes.smooth([(x, foot), (x + 9, foot - 9), (x + 3, foot - 3)]), (74, 142, 74))
    canvas.fill(
        shapes.smooth(
            [
                (x - 6, foot - 27),
                (x - 2, foot - 23),
                (x, foot - 29),
                (x + 2, foot - 23),
                (x + 6, foot - 27),
                (x + 5, foot - 16),
                (x, foot - 13),
                (x - 5, foot - 16),
            ]
        ),
        tone,
    )


def _mushroom(canvas: Canvas, x: float, foot: float, tone: Colour) -> None:
    canvas.fill(shapes.rounded(x - 3.4, foot - 12, x + 3.4, foot, 2), (246, 238, 220))
    canvas.fill(shapes.pie(x, foot - 10, 11, 12, 180, 360), tone)
    for dx, dy in ((-5, -13), (1, -17), (6, -13)):
        canvas.fill(shapes.ellipse(x + dx, foot + dy, 1.7), (252, 250, 246))


def _paint_pond(canvas: Canvas, rng: Random, shown: Scene) -> None:
    scenery.sky(canvas, "day", 120)
    for _ in range(3):
        scenery.cloud(canvas, rng.uniform(20, 300), rng.uniform(20, 56), rng.uniform(22, 40), alpha=0.75)
    scenery.ridge(canvas, rng, 112, 40, (146, 184, 150), bumps=3)
    scenery.ground(canvas, rng, 96, (130, 184, 104), tufts=14)
    house = the(shown, "house")
    _cottage(canvas, house["at"][0] * 0.32, 108, shade(house["colour"]))
    scenery.water(canvas, rng, 118, (96, 160, 186))
    lilies, reeds = the(shown, "water lily"), the(shown, "reed")
    for i in range(reeds["count"]):
        x = reeds["at"][0] * 0.32 + (i - (reeds["count"] - 1) / 2) * 12
        canvas.line(shapes.smooth([(x, 168), (x + 2, 130), (x + 5, 96)], closed=False), (84, 130, 70), 2)
        canvas.fill(shapes.placed(shapes.rounded(-3, -11, 3, 11, 3), x + 4.6, 100, turn=6), (116, 74, 48))
    _crowd(canvas, shown, 196, 96, 100)
    for i in range(lilies["count"]):
        _lily(
            canvas,
            320 * (i + 0.5) / lilies["count"] + rng.uniform(-10, 10),
            rng.uniform(220, 230),
            shade(lilies["colour"]),
        )


def _cottage(canvas: Canvas, x: float, foot: float, tone: Colour) -> None:
    canvas.fill(
        shapes.rectangle(x - 24, foot - 28, x + 24, foot),
        Gradient(lighter(tone, 0.12), darker(tone, 0.12), 0),
    )
    canvas.fill([(x - 30, foot - 26), (x, foot - 48), (x + 30, foot - 26)], darker(tone, 0.45))
    canvas.fill(shapes.rectangle(x - 5, foot - 17, x + 5, foot), darker(tone, 0.6))
    for side in (-1, 1):
        canvas.fill(
            shapes.rectangle(x + side * 15 - 5, foot - 20, x + side * 15 + 5, foot - 10), (255, 240, 190)
        )


def _lily(canvas: Canvas, x: float, y: float, tone: Colour) -> None:
    canvas.fill(shapes.pie(x, y + 4, 21, 7, 20, 340), (70, 136, 88))
    for turn, length in ((-62, 15), (62, 15), (-32, 17), (32, 17), (0, 18)):
        petal = shapes.smooth([(0, 0), (4.2, -0.55 * length), (0, -length), (-4.2, -0.55 * length)])
        canvas.fill(shapes.placed(petal, x, y + 3, turn=turn), tone if turn else lighter(tone, 0.25))
    canvas.fill(shapes.ellipse(x, y, 2.6), (244, 200, 84))


def _paint_sea(canvas: Canvas, rng: Random, shown: Scene) -> None:
    canvas.fill(shapes.rectangle(0, 0, 320, 240), Gradient((112, 196, 212), (22, 86, 136)))
    for beam in (40, 130, 230):
        shaft = [(beam, -4), (beam + 36, -4), (beam - 10, 220), (beam - 70, 220)]
        canvas.fill(shaft, (226, 246, 246), 0.16)
    scenery.ridge(canvas, rng, 222, 66, (40, 110, 150), bumps=3, sharp=False)
    weed = the(shown, "seaweed")
    for i in range(weed["count"]):
        x = (24.0, 296.0, 58.0, 264.0, 8.0)[i]
        path = [(x + (9 if k % 2 else -9), 226 - 21 * k) for k in range(6)]
        canvas.fill(
            shapes.thick(shapes.smooth(path, closed=False), [11 - 9 * j / 51 for j in range(51)]),
            shade(weed["colour"]),
        )
    canvas.fill(
        shapes.smooth([(-20, 222), (80, 208), (200, 216), (340, 206), (340, 260), (-20, 260)]),
        Gradient((240, 218, 166), (206, 176, 122)),
    )
    _crowd(canvas, shown, 158, 100, 96)
    stars, bubbles = the(shown, "starfish"), the(shown, "bubble")
    for i in range(stars["count"]):
        x, y = 320 * (i + 0.5) / stars["count"] + rng.uniform(-12, 12), rng.uniform(222, 228)
        turn = rng.uniform(0, 70)
        canvas.fill(shapes.star(x, y + 1.4, 13, 5, 0.5, turn), darker(shade(stars["colour"]), 0.3))
        canvas.fill(shapes.star(x, y, 12.4, 5, 0.5, turn), shade(stars["colour"]))
    for i in range(bubbles["count"]):
        x, radius = 222.0 + 24 * (i % 3) + rng.uniform(-4, 4), rng.uniform(6.5, 8.5)
        y = 20 + 22 * (i // 3) + rng.uniform(-3, 3)
        canvas.fill(shapes.ellipse(x, y, radius), (236, 250, 252), 0.4)
        canvas.line(shapes.ellipse(x, y, radius), (240, 252, 254), 1.3, closed=True)
        canvas.fill(shapes.ellipse(x - radius / 3, y - radius / 3, 1.8), (255, 255, 255))


_PLACES = {"meadow": _paint_meadow, "pond": _paint_pond, "sea": _paint_sea}

ANIMAL = PictureKind((320, 240), _sample, _paint)
