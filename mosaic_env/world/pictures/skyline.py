"""Skylines of cities: landmarks in a row before hills and houses, at some time of day."""

from __future__ import annotations

from random import Random
from typing import Any

from mosaic_env.core.seeds import python_random
from mosaic_env.world.drawing import scenery, shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.landmarks import LANDMARKS, draw_landmark
from mosaic_env.world.drawing.paints import Gradient
from mosaic_env.world.drawing.palette import darker, lighter, mix, pick, shade
from mosaic_env.world.pictures import PictureKind
from mosaic_env.world.scene import About, Scene, Thing, find, scene, the, thing

_WALLS = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "white")
_GROUND = 186.0
_MARGIN = 10.0


def _sample(rng: Random, about: About) -> dict[str, Any]:
    sky = rng.choice(("day", "day", "dawn", "dusk", "night", "overcast"))
    names = rng.sample(sorted(LANDMARKS), rng.choice((3, 3, 4)))
    heights = _heights(rng, names)
    things: list[Thing] = []
    taken: list[str] = ["blue"] if sky == "night" else []
    for name, x in zip(names, _places(rng, names, heights), strict=True):
        colour = pick(rng, _WALLS, besides=tuple(taken))
        taken.append(colour)
        things.append(thing(name, count=1, colour=colour, at=[round(x / 320 * 1000), 600], line="skyline"))
    front = rng.choice(("water", "water", "park"))
    colour = pick(rng, ("red", "orange", "yellow", "green", "purple", "pink", "white"))
    if front == "water":
        things.append(thing("sailing boat", count=rng.randint(1, 5), colour=colour, at=[500, 900]))
    else:
        things.append(thing("fir tree", count=rng.randint(2, 7), at=[500, 880]))
    if rng.random() < 0.5:
        colour = pick(rng, ("red", "orange", "yellow", "green", "purple", "pink"))
        pattern = rng.choice(("striped", "plain"))
        things.append(
            thing("balloon", count=rng.randint(1, 4), colour=colour, pattern=pattern, at=[500, 200])
        )
    return scene("skyline", rng, things, sky=sky, front=front, heights=[round(h) for h in heights])


def _heights(rng: Random, names: list[str]) -> list[float]:
    tallest = 132.0 if len(names) == 3 else 116.0
    heights = [tallest * LANDMARKS.get(name).height * rng.uniform(0.92, 1.08) for name in names]
    widths = sum(LANDMARKS.get(name).width * height for name, height in zip(names, heights, strict=True))
    shrink = min(1.0, (320 - 2 * _MARGIN - 12 * len(names)) / widths)
    return [height * shrink for height in heights]


def _places(rng: Random, names: list[str], heights: list[float]) -> list[float]:
    """Return the middles of the landmarks, from left to right with uneven gaps."""
    widths = [LANDMARKS.get(name).width * height for name, height in zip(names, heights, strict=True)]
    free = 320 - 2 * _MARGIN - sum(widths)
    shares = [rng.uniform(0.6, 1.4) for _ in range(len(names) + 1)]
    x, middles = _MARGIN, []
    for width, share in zip(widths, shares, strict=False):
        x += free * share / sum(shares)
        middles.append(x + width / 2)
        x += width
    return middles


def _paint(canvas: Canvas, shown: Scene) -> None:
    rng = python_random(shown["seed"], "paint")
    look = shown["look"]
    sky = look["sky"]
    scenery.sky(canvas, sky, _GROUND)
    _heaven(canvas, rng, sky)
    scenery.ridge(canvas, rng, _GROUND, rng.uniform(50, 84), scenery.haze((70, 96, 128), sky, 0.45),
                  bumps=rng.choice((2, 3)), sharp=rng.random() < 0.5)  # fmt: skip
    scenery.ridge(canvas, rng, _GROUND, 40, scenery.haze((66, 98, 98), sky, 0.25), bumps=4)
    _houses(canvas, rng, sky)
    row = [entry for entry in shown["things"] if entry.get("line") == "skyline"]
    for entry, height in zip(row, look["heights"], strict=True):
        draw_landmark(canvas, entry["name"], entry["at"][0] * 0.32, _GROUND, height, shade(entry["colour"]))
    _front(canvas, rng, shown)
    balloons = find(shown, "balloon")
    if balloons:
        for i in range(balloons["count"]):
            x = 320 * (i + 0.5) / balloons["count"] + rng.uniform(-18, 18)
            tone = shade(balloons["colour"])
            second = (250, 246, 236) if balloons["pattern"] == "striped" else None
            scenery.balloon(canvas, x, rng.uniform(24, 40), rng.uniform(13, 16), tone, second)


def _heaven(canvas: Canvas, rng: Random, sky: str) -> None:
    x, y = rng.uniform(40, 280), rng.uniform(34, 70)
    if sky == "night":
        scenery.stars(canvas, rng, 120)
        scenery.disc(canvas, x, y, 15, (246, 240, 214), (150, 160, 200))
    elif sky == "dusk":
        scenery.disc(canvas, x, 128, 25, (255, 206, 120), (255, 180, 130))
    elif sky != "overcast":
        scenery.disc(canvas, x, y, 17, (255, 236, 150), (255, 244, 200))
    for _ in range(0 if sky == "night" else 4):
        scenery.cloud(canvas, rng.uniform(10, 310), rng.uniform(22, 104), rng.uniform(18, 40), alpha=0.62)


def _houses(canvas: Canvas, rng: Random, sky: str) -> None:
    """Draw pale houses behind the landmarks: they give depth and are too faint to be asked about."""
    x = -6.0
    night = sky in ("night", "dusk")
    while x < 326:
        width, height = rng.uniform(16, 30), rng.uniform(18, 52)
        tone = scenery.haze(rng.choice(((128, 134, 152), (150, 140, 148), (122, 142, 150))), sky, 0.42)
        tone = darker(tone, 0.3) if sky == "night" else tone
        canvas.fill(shapes.rectangle(x, _GROUND - height, x + width, _GROUND), tone)
        if rng.random() < 0.5:
            canvas.fill(
                [
                    (x - 1, _GROUND - height),
                    (x + width / 2, _GROUND - height - 9),
                    (x + width + 1, _GROUND - height),
                ],
                darker(tone, 0.15),
            )
        pane = (250, 226, 150) if night else lighter(tone, 0.4)
        for row in range(int(height / 11)):
            for column in range(int(width / 8)):
                left, top = x + 3 + column * 8, _GROUND - height + 5 + row * 11
                if rng.random() < 0.75:
                    canvas.fill(shapes.rectangle(left, top, left + 3, top + 4.5), pane)
        x += width + rng.choice((0, 0, 3, 6))


def _front(canvas: Canvas, rng: Random, shown: Scene) -> None:
    sky = shown["look"]["sky"]
    dim = 0.45 if sky == "night" else 0.2 if sky == "dusk" else 0.0
    if shown["look"]["front"] == "water":
        canvas.fill(
            shapes.rectangle(0, _GROUND, 320, _GROUND + 8), Gradient((196, 184, 166), (148, 138, 128))
        )
        scenery.water(canvas, rng, _GROUND + 8, mix((66, 140, 178), (20, 30, 70), dim))
        boats = the(shown, "sailing boat")
        for i in range(boats["count"]):
            x = 320 * (i + 0.5) / boats["count"] + rng.uniform(-10, 10)
            scenery.sailboat(canvas, x, rng.uniform(218, 234), rng.uniform(27, 33), shade(boats["colour"]))
        return
    scenery.ground(canvas, rng, _GROUND, mix((132, 178, 92), (20, 30, 60), dim))
    canvas.fill(
        shapes.smooth([(150, 190), (180, 189), (206, 212), (300, 242), (120, 242), (160, 212)]),
        mix((226, 212, 176), (40, 40, 70), dim),
    )
    trees = the(shown, "fir tree")
    for i in range(trees["count"]):
        x = 320 * (i + 0.5) / trees["count"] + rng.uniform(-6, 6)
        scenery.fir_tree(
            canvas, x, rng.uniform(226, 236), rng.uniform(34, 42), mix((44, 120, 76), (14, 24, 50), dim)
        )


SKYLINE = PictureKind((320, 240), _sample, _paint)
