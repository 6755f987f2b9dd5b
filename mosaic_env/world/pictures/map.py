"""Maps of regions and countries: land in the sea, rivers and a road, signs with names, a compass."""

from __future__ import annotations

import math
from random import Random
from typing import Any

from mosaic_env.core.seeds import python_random
from mosaic_env.world import lettering
from mosaic_env.world.drawing import scenery, shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.icons import draw_icon
from mosaic_env.world.drawing.palette import INK, Colour, darker, lighter, mix, pick, pick_on, shade
from mosaic_env.world.pictures import PictureKind
from mosaic_env.world.scene import About, Scene, Thing, find, scene, text_at, the, thing

_LANDS = ("green", "yellow", "orange", "pink", "white", "brown")
_INKS = ("red", "blue", "purple", "black", "green", "brown")
_SIGNS = ("anchor", "tower", "tree", "mountain", "bell", "wheel", "fish", "flower", "key", "crown")
#: Middle and radii of the land.
_X, _Y, _RX, _RY = 150.0, 116.0, 122.0, 88.0
#: Rivers run in some of so many directions, from this share of the way to the coast.
_DIRECTIONS, _SPRING = 14, 0.55


def _sample(rng: Random, about: About) -> dict[str, Any]:
    land = pick(rng, _LANDS)
    road = pick_on(rng, land, ("red", "black", "purple", "blue"))
    things: list[Thing] = [thing("land", colour=land, at=[470, 480])]
    rows = list(rng.choice(((350, 600, 460), (600, 330, 480), (440, 620, 330), (330, 470, 620))))
    ink = pick_on(rng, land, _INKS, besides=(road,))
    for name, x, y in zip(rng.sample(_SIGNS, 3), (270, 480, 680), rows, strict=True):
        things.append(thing(name, count=1, colour=ink, at=[x, y], line="map"))
    things.append(thing("road", colour=road, pattern=rng.choice(("plain", "dashed"))))
    signs = [(x * 0.32, y * 0.24) for x, y in zip((270, 480, 680), rows, strict=True)]
    rivers = _free_directions(rng, signs)[: rng.randint(1, 4)]
    things.append(thing("river", count=len(rivers)))
    if rng.random() < 0.7:
        things.append(thing("small island", count=rng.randint(1, 4), at=[500, 930]))
    things.append(
        thing("sailing boat", count=rng.randint(1, 3), colour=pick(rng, ("red", "yellow", "purple", "white")))
    )
    rose = pick(rng, ("red", "black", "purple", "orange"))
    things.append(thing("compass", colour=rose, shape=rng.choice(("round", "star-shaped")), at=[900, 160]))
    north, south = lettering.place_names(rng, 2)
    words = {"northern town": north, "southern town": south}
    return scene("map", rng, things, words, sea=rng.choice(("blue", "pale", "teal")), rivers=rivers)


_SEAS: dict[str, Colour] = {"blue": (124, 178, 214), "pale": (190, 212, 222), "teal": (120, 182, 184)}


def _paint(canvas: Canvas, shown: Scene) -> None:
    rng = python_random(shown["seed"], "paint")
    sea = _SEAS[shown["look"]["sea"]]
    canvas.fill(shapes.rectangle(0, 0, 320, 240), sea)
    for x in range(40, 320, 40):
        canvas.line([(x, 0), (x, 240)], lighter(sea, 0.22), 0.8)
    for y in range(40, 240, 40):
        canvas.line([(0, y), (320, y)], lighter(sea, 0.22), 0.8)
    land = the(shown, "land")
    tone = lighter(shade(land["colour"]), 0.12)
    coast = _coast(rng)
    for grow, share in ((1.07, 0.18), (1.035, 0.36)):
        canvas.fill([(_X + (x - _X) * grow, _Y + (y - _Y) * grow) for x, y in coast], lighter(sea, share))
    canvas.fill(coast, tone)
    canvas.line(coast, darker(tone, 0.45), 1.6, closed=True)
    _rivers(
        canvas,
        rng,
        coast,
        shown["look"]["rivers"][: the(shown, "river")["count"]],
        mix(sea, (40, 100, 180), 0.6),
    )
    _road(canvas, shown)
    _signs(canvas, shown, tone)
    _sea_things(canvas, rng, shown, tone)
    _compass(canvas, the(shown, "compass"))
    canvas.line(shapes.rectangle(3, 3, 317, 237), (74, 62, 56), 2.4, closed=True)


def _coast(rng: Random) -> shapes.Shape:
    points = []
    for i in range(18):
        angle, reach = 2 * math.pi * i / 18, rng.uniform(0.86, 1.08)
        points.append((_X + _RX * reach * math.cos(angle), _Y + _RY * reach * math.sin(angle)))
    return shapes.smooth(points, steps=6)


def _rivers(canvas: Canvas, rng: Random, coast: shapes.Shape, directions: list[int], blue: Colour) -> None:
    """Draw rivers that run straight to the coast but for a few bends."""
    for direction in directions:
        end = coast[round(len(coast) * direction / _DIRECTIONS) % len(coast)]
        start = (_X + (end[0] - _X) * _SPRING, _Y + (end[1] - _Y) * _SPRING)
        along = (end[0] - start[0], end[1] - start[1])
        length, bend = math.hypot(*along), rng.choice((-1, 1)) * rng.uniform(3.5, 5)
        way = []
        for step in range(6):
            share, side = step / 5, bend * math.sin(step * 1.25) / length
            way.append(
                (start[0] + along[0] * share - along[1] * side, start[1] + along[1] * share + along[0] * side)
            )
        canvas.line(shapes.smooth(way, closed=False, steps=6), blue, 3.4)


def _free_directions(rng: Random, signs: list[tuple[float, float]]) -> list[int]:
    """Return directions for rivers, well apart, in which neither signs nor names stand."""
    start, found = rng.randrange(_DIRECTIONS), list[int]()
    for k in range(_DIRECTIONS):
        direction = (start + k) % _DIRECTIONS
        angle = 2 * math.pi * direction / _DIRECTIONS
        stream = [
            (_X + _RX * r * math.cos(angle), _Y + _RY * r * math.sin(angle)) for r in (_SPRING, 0.75, 0.95)
        ]
        blocked = any(abs(x - sx) < 40 and abs(y - sy) < 36 for x, y in stream for sx, sy in signs)
        near = any(min((direction - d) % _DIRECTIONS, (d - direction) % _DIRECTIONS) < 2 for d in found)
        if not blocked and not near:
            found.append(direction)
    return found


def _road(canvas: Canvas, shown: Scene) -> None:
    road = the(shown, "road")
    colour = shade(road["colour"])
    stops = sorted(
        (e["at"][0] * 0.32, e["at"][1] * 0.24 + 15) for e in shown["things"] if e.get("line") == "map"
    )
    way = shapes.smooth(stops, closed=False, steps=24)
    if road["pattern"] == "plain":
        canvas.line(way, colour, 3.0)
        return
    for i in range(0, len(way) - 2, 4):
        canvas.line(way[i : i + 3], colour, 3.0)


def _signs(canvas: Canvas, shown: Scene, land: Colour) -> None:
    """Draw the signs, and the names of the northernmost and southernmost."""
    signs = sorted((e for e in shown["things"] if e.get("line") == "map"), key=lambda e: int(e["at"][1]))
    for entry in signs:
        x, y = entry["at"][0] * 0.32, entry["at"][1] * 0.24
        canvas.fill(shapes.ellipse(x, y, 16), lighter(land, 0.72))
        canvas.line(shapes.ellipse(x, y, 16), darker(land, 0.4), 1.2, closed=True)
        draw_icon(canvas, entry["name"], x, y, 11.5, shade(entry["colour"]))
    for entry, place, below in ((signs[0], "northern town", -24.0), (signs[-1], "southern town", 25.0)):
        x, y = entry["at"][0] * 0.32, entry["at"][1] * 0.24 + below
        canvas.write(
            text_at(shown, place), x, y, 11.5, INK, bold=0.35, spacing=0.05, outline=lighter(land, 0.72)
        )


def _sea_things(canvas: Canvas, rng: Random, shown: Scene, land: Colour) -> None:
    islands, boats = find(shown, "small island"), the(shown, "sailing boat")
    for i in range(islands["count"] if islands else 0):
        x, y = 34 + 42 * i + rng.uniform(-4, 4), 222 + rng.uniform(-3, 3)
        spot = [(x + u * rng.uniform(11, 14), y + v * rng.uniform(6, 8)) for u, v in _AROUND]
        canvas.fill(shapes.smooth(spot), land)
        canvas.line(shapes.smooth(spot), darker(land, 0.45), 1.2, closed=True)
    for i in range(boats["count"]):
        x = 296 - 34 * i
        scenery.sailboat(canvas, x, 226 - 6 * (i % 2), 27, shade(boats["colour"]))


_AROUND = tuple((math.cos(math.radians(a)), math.sin(math.radians(a))) for a in range(0, 360, 60))


def _compass(canvas: Canvas, entry: Thing) -> None:
    x, y, colour = 289.0, 38.0, shade(entry["colour"])
    if entry["shape"] == "round":
        canvas.fill(shapes.ellipse(x, y, 22), (250, 246, 234))
        canvas.line(shapes.ellipse(x, y, 22), colour, 3.0, closed=True)
        canvas.fill([(x, y - 16), (x + 5, y), (x - 5, y)], colour)
        canvas.fill([(x, y + 16), (x + 5, y), (x - 5, y)], (150, 150, 158))
    else:
        canvas.fill(shapes.star(x, y, 17, 4, 0.34, 45), (250, 246, 234))
        canvas.fill(shapes.star(x, y, 25, 4, 0.26), colour)
        canvas.fill(shapes.ellipse(x, y, 3), (250, 246, 234))


MAP = PictureKind((320, 240), _sample, _paint)
