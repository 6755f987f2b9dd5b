"""Sculptures on a pedestal, in a hall or in a park, with an inscription."""

from __future__ import annotations

from random import Random
from typing import Any

from mosaic_env.core.seeds import python_random
from mosaic_env.world import lettering
from mosaic_env.world.drawing import scenery, shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.icons import draw_icon
from mosaic_env.world.drawing.paints import Gradient
from mosaic_env.world.drawing.palette import INK, Colour, darker, is_light, lighter, pick, pick_on, shade
from mosaic_env.world.pictures import PictureKind
from mosaic_env.world.scene import About, Scene, Thing, scene, text_at, the, the_part, thing

_FIGURES = (
    "bird", "fish", "ship", "tree", "crown", "bell", "heart", "anchor", "wheel", "flower", "key", "acorn", "feather",
    "butterfly", "star",
)  # fmt: skip
_FIGURE_DYES = ("brown", "white", "black", "red", "blue", "yellow", "green")
_STONES = ("white", "grey", "brown", "black", "red", "green")
_WALLS = ("red", "blue", "green", "yellow", "grey", "pink", "purple")
_X, _FLOOR = 130.0, 270.0


def _sample(rng: Random, about: About) -> dict[str, Any]:
    place = rng.choice(("hall", "park"))
    wall = pick(rng, _WALLS) if place == "hall" else "blue"
    figure = pick_on(rng, wall, _FIGURE_DYES)
    stone = pick(rng, _STONES, besides=(figure, wall))
    things: list[Thing] = [
        thing(rng.choice(_FIGURES), count=1, colour=figure, role="main motif", at=[500, 300]),
        thing("pedestal", colour=stone, shape=rng.choice(("square", "round", "tapered")), at=[500, 700]),
        thing("step", count=rng.randint(1, 4)),
    ]
    if place == "hall":
        things.append(thing("wall", colour=wall))
        things.append(thing("lamp", count=rng.randint(1, 5), at=[500, 40]))
        things.append(thing("rope", colour=pick(rng, ("red", "blue", "yellow", "purple"), besides=(wall,))))
    else:
        bloom = pick(rng, ("red", "yellow", "pink", "white", "purple", "orange"))
        things.append(thing("tulip", count=rng.randint(2, 8), colour=bloom, at=[500, 940]))
        things.append(thing("fir tree", count=rng.randint(1, 4), at=[500, 500]))
    sky = rng.choice(("day", "dawn", "overcast"))
    return scene("sculpture", rng, things, {"pedestal": lettering.inscription(rng)}, place=place, sky=sky)


def _paint(canvas: Canvas, shown: Scene) -> None:
    rng = python_random(shown["seed"], "paint")
    in_hall = shown["look"]["place"] == "hall"
    (_hall if in_hall else _park)(canvas, rng, shown)
    steps = the(shown, "step")["count"]
    top = _steps(canvas, steps)
    pedestal = the(shown, "pedestal")
    head = _pedestal(canvas, pedestal, top, text_at(shown, "pedestal"))
    _figure(canvas, the_part(shown, "main motif"), head)
    (_ropes if in_hall else _tulips)(canvas, shown)


def _hall(canvas: Canvas, rng: Random, shown: Scene) -> None:
    wall = shade(the(shown, "wall")["colour"])
    canvas.fill(shapes.rectangle(0, 0, 260, 250), Gradient(lighter(wall, 0.1), darker(wall, 0.12)))
    canvas.fill(shapes.rectangle(0, 244, 260, 320), Gradient((206, 196, 184), (168, 158, 150)))
    canvas.fill(shapes.rectangle(0, 238, 260, 245), lighter(wall, 0.45))
    lamps = the(shown, "lamp")["count"]
    for i in range(lamps):
        x = 260 * (i + 0.5) / lamps
        canvas.fill([(x - 6, 24), (x + 6, 24), (x + 20, 90), (x - 20, 90)], (255, 246, 206), 0.2)
        canvas.line([(x, 0), (x, 12)], (60, 58, 66), 2.4)
        canvas.fill([(x - 5, 10), (x + 5, 10), (x + 10, 24), (x - 10, 24)], (60, 58, 66))
        canvas.fill(shapes.ellipse(x, 25, 8, 4), (255, 238, 170))


def _park(canvas: Canvas, rng: Random, shown: Scene) -> None:
    scenery.sky(canvas, shown["look"]["sky"], 220)
    for _ in range(3):
        scenery.cloud(canvas, rng.uniform(10, 250), rng.uniform(24, 90), rng.uniform(20, 34), alpha=0.65)
    scenery.ridge(canvas, rng, 232, 40, scenery.haze((96, 146, 112), shown["look"]["sky"], 0.25), bumps=3)
    scenery.ground(canvas, rng, 222, (134, 182, 100), tufts=8)
    trees = the(shown, "fir tree")["count"]
    for i, x in enumerate((32, 228, 72, 188)[:trees]):
        scenery.fir_tree(canvas, x, 240 - 8 * (i // 2), 104 - 26 * (i // 2), (44, 116, 76))


def _steps(canvas: Canvas, count: int) -> float:
    """Draw the steps under the pedestal and return the height of the uppermost."""
    for i in range(count):
        half, top = 46 + 12 * (count - 1 - i), _FLOOR - 9 * (i + 1)
        slab = shapes.rectangle(_X - half, top, _X + half, top + 9)
        if i == 0:
            canvas.shadow(slab, 0, 4, blur=4, alpha=0.4)
        canvas.fill(slab, Gradient((222, 216, 206), (178, 172, 164)))
        canvas.line([(_X - half, top + 9), (_X + half, top + 9)], (120, 114, 110), 1.4)
    return _FLOOR - 9 * count


def _pedestal(canvas: Canvas, entry: Thing, foot: float, words: str) -> float:
    """Draw the pedestal with its inscription and return the height of its upper side."""
    tone, top = shade(entry["colour"]), foot - 84
    paint = Gradient(lighter(tone, 0.12), darker(tone, 0.18), 0)
    if entry["shape"] == "round":
        canvas.fill(shapes.ellipse(_X, foot - 2, 40, 8), darker(tone, 0.25))
        canvas.fill(shapes.rectangle(_X - 40, top, _X + 40, foot - 2), paint)
        canvas.fill(shapes.ellipse(_X, top, 40, 8), lighter(tone, 0.3))
    elif entry["shape"] == "tapered":
        canvas.fill([(_X - 28, top), (_X + 28, top), (_X + 46, foot), (_X - 46, foot)], paint)
        canvas.fill(shapes.rectangle(_X - 33, top - 5, _X + 33, top + 4), darker(tone, 0.2))
    else:
        canvas.fill(shapes.rectangle(_X - 40, top, _X + 40, foot), paint)
        for y in (top, foot - 9):
            canvas.fill(shapes.rectangle(_X - 45, y - 1, _X + 45, y + 9), darker(tone, 0.16))
    plaque = shapes.rounded(_X - 43, foot - 44, _X + 43, foot - 24, 3)
    ink: Colour = (244, 224, 160)
    canvas.fill(plaque, darker(ink, 0.08) if not is_light(tone) else ink)
    canvas.line(plaque, (132, 104, 58), 1.2, closed=True)
    canvas.write(words, _X, foot - 34, 12, INK, width=80, bold=0.35)
    return top - (5 if entry["shape"] == "tapered" else 1)


def _figure(canvas: Canvas, entry: Thing, foot: float) -> None:
    """Draw the figure with its thickness to the right, so that it looks cut from a block."""
    tone = shade(entry["colour"])
    size = min(58.0, (foot - 34) / 2)
    canvas.line([(_X, foot), (_X, foot - size * 0.7)], (88, 84, 92), 5.0)
    for shift in (5, 4, 3, 2, 1):
        draw_icon(
            canvas, entry["name"], _X + shift * 1.1, foot - size + shift * 0.3, size, darker(tone, 0.42)
        )
    draw_icon(canvas, entry["name"], _X, foot - size, size, tone)
    canvas.fill(shapes.rounded(_X - 26, foot - 4, _X + 26, foot + 2, 2), darker(tone, 0.35))


def _ropes(canvas: Canvas, shown: Scene) -> None:
    rope = shade(the(shown, "rope")["colour"])
    posts = (18.0, 92.0, 168.0, 242.0)
    for left, right in ((posts[0], posts[1]), (posts[1], posts[2]), (posts[2], posts[3])):
        canvas.line(shapes.arc((left + right) / 2, 282, (right - left) / 2, 14, 0, 180, 16), rope, 4.4)
    for x in posts:
        canvas.fill(shapes.ellipse(x, 312, 10, 3.6), (150, 118, 56))
        canvas.line([(x, 310), (x, 280)], (206, 168, 84), 4)
        canvas.fill(shapes.ellipse(x, 278, 4.6), (236, 202, 116))


def _tulips(canvas: Canvas, shown: Scene) -> None:
    tulips = the(shown, "tulip")
    tone = shade(tulips["colour"])
    for i in range(tulips["count"]):
        x, y = 260 * (i + 0.5) / tulips["count"], 292 + 4 * (i % 2)
        canvas.line([(x, y), (x, y + 22)], (62, 120, 62), 2.4)
        canvas.fill(shapes.smooth([(x, y + 22), (x + 9, y + 8), (x + 4, y + 20)]), (74, 136, 70))
        cup = ((-7, -9), (-3, -4), (0, -11), (3, -4), (7, -9), (6, 3), (0, 7), (-6, 3))
        bloom = [(x + u, y + v) for u, v in cup]
        canvas.fill(bloom, tone)
        canvas.line(bloom, darker(tone, 0.3), 0.8, closed=True)


SCULPTURE = PictureKind((260, 320), _sample, _paint)
