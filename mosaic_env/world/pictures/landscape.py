"""Landscapes of regions and reserves: mountains, sights in a row, and a lake or a field before them."""

from __future__ import annotations

from random import Random
from typing import Any

from mosaic_env.core.seeds import python_random
from mosaic_env.world.drawing import scenery, shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.landmarks import LANDMARKS, draw_landmark
from mosaic_env.world.drawing.paints import Gradient, Pattern
from mosaic_env.world.drawing.palette import Colour, darker, lighter, mix, pick, shade
from mosaic_env.world.pictures import PictureKind
from mosaic_env.world.scene import About, Scene, Thing, find, scene, the, thing

_ROCKS = ("purple", "blue", "grey", "brown", "red")
_SIGHTS = ("lighthouse", "windmill", "castle", "church", "obelisk", "pagoda", "water tower", "clock tower")
_WALLS = ("red", "orange", "yellow", "blue", "purple", "pink", "white")
_DYES = ("red", "orange", "yellow", "purple", "pink", "blue", "white")
#: Where the mountains stand, where the sights stand, and where the front begins.
_FOOT, _GROUND, _FRONT = 142.0, 166.0, 178.0


def _sample(rng: Random, about: About) -> dict[str, Any]:
    rock = pick(rng, _ROCKS)
    things: list[Thing] = [thing("mountain", count=rng.randint(1, 5), colour=rock, at=[500, 400])]
    count = rng.choice((2, 3, 3))
    taken = [rock]
    for name, x in zip(
        rng.sample(_SIGHTS, count), (260, 740) if count == 2 else (180, 500, 820), strict=True
    ):
        colour = pick(rng, _WALLS, besides=tuple(taken))
        taken.append(colour)
        at = [x + rng.randint(-40, 40), 600]
        things.append(thing(name, count=1, colour=colour, at=at, line="landscape"))
    front = (
        "lake" if "lake" in about.noun or "island" in about.noun else rng.choice(("lake", "field", "camp"))
    )
    things += _FRONTS[front](rng)
    if rng.random() < 0.5:
        things.append(thing("balloon", count=rng.randint(1, 3), colour=pick(rng, _DYES[:5]), at=[500, 120]))
    else:
        things.append(thing("gull", count=rng.randint(2, 6), at=[500, 120]))
    return scene(
        "landscape", rng, things, front=front, sky=rng.choice(("day", "day", "dawn", "dusk", "overcast"))
    )


def _lake_sample(rng: Random) -> list[Thing]:
    boat = thing("sailing boat", count=rng.randint(1, 5), colour=pick(rng, _DYES), at=[500, 860])
    return [boat]


def _field_sample(rng: Random) -> list[Thing]:
    crop = pick(rng, ("yellow", "purple", "red", "pink", "orange", "white"))
    return [
        thing(
            "field", colour=crop, pattern=rng.choice(("striped", "dotted", "checked", "plain")), at=[300, 860]
        ),
        thing("sheep", count=rng.randint(1, 5), at=[800, 860]),
    ]


def _camp_sample(rng: Random) -> list[Thing]:
    return [
        thing("tent", count=rng.randint(1, 5), colour=pick(rng, _DYES), at=[420, 860]),
        thing("campfire", count=1, at=[890, 880]),
    ]


_FRONTS = {"lake": _lake_sample, "field": _field_sample, "camp": _camp_sample}


def _paint(canvas: Canvas, shown: Scene) -> None:
    rng = python_random(shown["seed"], "paint")
    sky = shown["look"]["sky"]
    scenery.sky(canvas, sky, _FOOT + 10)
    if sky != "overcast":
        scenery.disc(canvas, rng.uniform(40, 280), rng.uniform(26, 40), 13, (255, 236, 150), (255, 244, 200))
    for _ in range(3):
        scenery.cloud(canvas, rng.uniform(10, 310), rng.uniform(30, 70), rng.uniform(18, 34), alpha=0.6)
    _mountains(canvas, rng, the(shown, "mountain"))
    grass = scenery.haze((126, 176, 92), sky, 0.1)
    scenery.ridge(canvas, rng, _FOOT + 16, 18, darker(grass, 0.18), bumps=3)
    scenery.ground(canvas, rng, _FOOT + 8, grass, tufts=8)
    for entry in shown["things"]:
        if entry.get("line") == "landscape":
            height = 74 * LANDMARKS.get(entry["name"]).height
            draw_landmark(
                canvas, entry["name"], entry["at"][0] * 0.32, _GROUND, height, shade(entry["colour"])
            )
    _FRONT_PAINTS[shown["look"]["front"]](canvas, rng, shown)
    _sky_things(canvas, rng, shown)


def _mountains(canvas: Canvas, rng: Random, entry: Thing) -> None:
    """Draw peaks side by side, each lit from the left, with snow on top."""
    count, tone = entry["count"], shade(entry["colour"])
    step = 320 / count
    half = min(92.0, step * 0.62)
    for i in range(count):
        x, height = step * (i + 0.5) + rng.uniform(-0.06, 0.06) * step, rng.uniform(70, 96)
        top, foot = (x, _FOOT - height), _FOOT + 12
        canvas.fill([(x - half, foot), top, (x + half, foot)], Gradient(lighter(tone, 0.1), tone))
        shadow = [top, (x + half, foot), (x + half * 0.2, foot), (x - half * 0.08, _FOOT - height * 0.45)]
        canvas.fill(shadow, darker(tone, 0.3), 0.75)
        u, v = half * 0.3, height * 0.3
        snow = [top, (x + u, top[1] + v), (x + u * 0.4, top[1] + v * 0.75), (x, top[1] + v * 1.1),
                (x - u * 0.45, top[1] + v * 0.78), (x - u, top[1] + v)]  # fmt: skip
        canvas.fill(snow, (250, 250, 252))


def _lake(canvas: Canvas, rng: Random, shown: Scene) -> None:
    scenery.water(canvas, rng, _FRONT, (66, 140, 178))
    boats = the(shown, "sailing boat")
    for i in range(boats["count"]):
        x = 320 * (i + 0.5) / boats["count"] + rng.uniform(-10, 10)
        scenery.sailboat(canvas, x, rng.uniform(214, 232), rng.uniform(29, 35), shade(boats["colour"]))


def _field(canvas: Canvas, rng: Random, shown: Scene) -> None:
    crop, sheep = the(shown, "field"), the(shown, "sheep")
    tone = shade(crop["colour"])
    second = mix(tone, (92, 132, 66), 0.62)
    plot = [(14, 236), (34, 184), (190, 184), (206, 236)]
    paint: Gradient | Pattern = Gradient(lighter(tone, 0.08), darker(tone, 0.08))
    if crop["pattern"] == "dotted":
        paint = Pattern("dotted", second, tone, 13)
    elif crop["pattern"] != "plain":
        paint = Pattern(crop["pattern"], tone, second, 24)
    canvas.fill(plot, paint)
    canvas.line(plot, (118, 92, 62), 2.0, closed=True)
    for i in range(sheep["count"]):
        _sheep(canvas, 236 + 34 * (i % 3) - 6 * (i // 3), 204 + 26 * (i // 3), rng.uniform(0.95, 1.05))


def _sheep(canvas: Canvas, x: float, y: float, size: float) -> None:
    for u in (-6, -2, 4, 8):
        canvas.line([(x + u * size, y), (x + u * size, y + 9 * size)], (60, 54, 58), 1.8)
    wool = [
        shapes.ellipse(x + u * size, y + v * size, 5.6 * size) for u, v in ((-6, 0), (0, -3), (6, -1), (1, 3))
    ]
    canvas.fill_together(wool, (250, 248, 240))
    canvas.fill(shapes.ellipse(x - 11 * size, y - 3 * size, 4 * size, 3.4 * size), (60, 54, 58))


def _camp(canvas: Canvas, rng: Random, shown: Scene) -> None:
    tents = the(shown, "tent")
    tone: Colour = shade(tents["colour"])
    step = 240 / tents["count"]
    half = min(30.0, step * 0.42)
    for i in range(tents["count"]):
        x, foot = 14 + step * (i + 0.5), 222.0 + rng.uniform(-5, 6)
        top = (x, foot - half * 1.3)
        canvas.fill(
            [(x - half, foot), top, (x + half, foot)], Gradient(lighter(tone, 0.12), darker(tone, 0.1), 0)
        )
        canvas.fill(
            [(x - half * 0.28, foot), (x, foot - half * 0.8), (x + half * 0.28, foot)], darker(tone, 0.55)
        )
        canvas.line([(x, top[1] - 5), top], (92, 70, 52), 1.8)
    for turn in (-24, 24):
        canvas.fill(shapes.placed(shapes.rounded(-15, -3, 15, 3, 3), 286, 226, turn=turn), (112, 78, 52))
    for width, colour in ((10, (236, 110, 42)), (6, (252, 200, 74))):
        flame = [(286, 228 - width * 3), (286 + width, 216), (286 + width * 0.6, 225), (286 - width * 0.6, 225),
                 (286 - width, 214)]  # fmt: skip
        canvas.fill(shapes.smooth(flame), colour)


_FRONT_PAINTS = {"lake": _lake, "field": _field, "camp": _camp}


def _sky_things(canvas: Canvas, rng: Random, shown: Scene) -> None:
    balloons, gulls = find(shown, "balloon"), find(shown, "gull")
    if balloons:
        for i in range(balloons["count"]):
            x = 320 * (i + 0.5) / balloons["count"] + rng.uniform(-20, 20)
            scenery.balloon(canvas, x, rng.uniform(24, 34), rng.uniform(13, 15), shade(balloons["colour"]))
    feathers: Colour = (250, 250, 250) if shown["look"]["sky"] == "dusk" else (48, 48, 66)
    if gulls:
        for i in range(gulls["count"]):
            x = 320 * (i + 0.5) / gulls["count"] + rng.uniform(-8, 8)
            scenery.gull(canvas, x, rng.uniform(18, 38), rng.uniform(10, 12), feathers)


LANDSCAPE = PictureKind((320, 240), _sample, _paint)
