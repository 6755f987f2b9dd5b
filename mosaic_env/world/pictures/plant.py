"""Plants in pots: shrubs, herbs, climbers and grasses beside a shelf of things, one above the other."""

from __future__ import annotations

import math
from random import Random
from typing import Any

from mosaic_env.core.seeds import python_random
from mosaic_env.world import lettering
from mosaic_env.world.drawing import shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.icons import draw_icon
from mosaic_env.world.drawing.paints import Gradient, Paint, Pattern
from mosaic_env.world.drawing.palette import INK, PAPER, Colour, darker, lighter, mix, pick, pick_on, shade
from mosaic_env.world.pictures import PictureKind
from mosaic_env.world.pictures.objects import OBJECTS
from mosaic_env.world.scene import About, Scene, Thing, find, scene, text_at, the, thing

_FORMS = ("shrub", "herb", "climber", "grass")
_WALLS = ("white", "grey", "yellow", "blue", "pink")
_PETALS = ("red", "orange", "yellow", "blue", "purple", "pink", "white")
_POTS = ("red", "orange", "yellow", "blue", "purple", "brown", "black", "white")
_SHELVED = ("jug", "teapot", "stack of books", "bell", "lantern", "ship", "anchor")
#: Middle of the pot, its rim, and the floor.
_X, _RIM, _FLOOR = 88.0, 236.0, 300.0
#: Middle of the shelf, and its boards.
_SHELF, _BOARDS = 206.0, (106.0, 200.0, 294.0)


def _sample(rng: Random, about: About) -> dict[str, Any]:
    form = next((name for name in _FORMS if name in about.noun), rng.choice(_FORMS))
    wall = pick(rng, _WALLS)
    petal = pick(rng, _PETALS, besides=(wall,))
    pot = pick(rng, _POTS, besides=(wall, petal))
    things: list[Thing] = [
        thing("wall", colour=wall),
        thing("pot", colour=pot, pattern=rng.choice(("plain", "striped", "dotted", "zigzag")), count=1),
    ]
    if form == "grass":
        things.append(
            thing("ear", count=rng.randint(2, 7), colour=pick_on(rng, wall, ("red", "purple", "brown")))
        )
    else:
        leaf = "green" if rng.random() < 0.6 else pick(rng, ("red", "purple"), besides=(petal, wall))
        things.append(thing("leaf", colour=leaf, shape=rng.choice(("pointed", "round", "heart-shaped"))))
        petal = petal if petal != leaf else "yellow" if wall != "yellow" else "white"
        things.append(thing("flower", count=rng.randint(2, 7), colour=petal))
    if rng.random() < 0.5:
        things.append(
            thing("butterfly", count=rng.randint(1, 3), colour=pick_on(rng, wall, _PETALS, besides=(petal,)))
        )
    taken = [wall]
    for name, y in zip(rng.sample(_SHELVED, 3), (260, 560, 850), strict=True):
        colour = pick_on(rng, wall, _POTS, besides=tuple(taken))
        taken.append(colour)
        things.append(thing(name, count=1, colour=colour, at=[790, y], column="shelf"))
    return scene("plant", rng, things, {"tag": lettering.plant_tag(rng)}, form=form)


def _paint(canvas: Canvas, shown: Scene) -> None:
    rng = python_random(shown["seed"], "paint")
    wall = shade(the(shown, "wall")["colour"])
    canvas.fill(shapes.rectangle(0, 0, 260, 320), Gradient(lighter(wall, 0.12), darker(wall, 0.1)))
    canvas.fill(shapes.rectangle(0, _FLOOR - 14, 260, 320), Gradient((186, 148, 108), (150, 114, 82)))
    _shelf(canvas, shown)
    canvas.shadow(shapes.ellipse(_X, _FLOOR, 44, 7), 3, 3, blur=3, alpha=0.45)
    _GROWN[shown["look"]["form"]](canvas, rng, shown)
    _pot(canvas, the(shown, "pot"))
    _tag(canvas, text_at(shown, "tag"))
    visitors = find(shown, "butterfly")
    for i in range(visitors["count"] if visitors else 0):
        draw_icon(
            canvas,
            "butterfly",
            26 + 62 * i,
            24 + 8 * (i % 2),
            13,
            shade(visitors["colour"] if visitors else ""),
        )


def _shelf(canvas: Canvas, shown: Scene) -> None:
    wood = (132, 92, 62)
    for side in (-46, 46):
        canvas.fill(shapes.rectangle(_SHELF + side - 3, 34, _SHELF + side + 3, _FLOOR), darker(wood, 0.15))
    pile = sorted((e for e in shown["things"] if e.get("column") == "shelf"), key=lambda e: int(e["at"][1]))
    for board, entry in zip(_BOARDS, pile, strict=True):
        canvas.shadow(shapes.rectangle(_SHELF - 48, board, _SHELF + 48, board + 7), 0, 3, blur=2)
        canvas.fill(
            shapes.rectangle(_SHELF - 48, board, _SHELF + 48, board + 7), Gradient(lighter(wood, 0.16), wood)
        )
        tone = shade(entry["colour"])
        if entry["name"] in OBJECTS:
            OBJECTS[entry["name"]](canvas, _SHELF, board, tone, shown)
        else:
            draw_icon(canvas, entry["name"], _SHELF, board - 30, 30, tone)


def _pot(canvas: Canvas, pot: Thing) -> None:
    tone = shade(pot["colour"])
    body = [(_X - 36, _RIM), (_X + 36, _RIM), (_X + 26, _FLOOR + 2), (_X - 26, _FLOOR + 2)]
    paint: Paint = Gradient(lighter(tone, 0.16), darker(tone, 0.2), 0)
    if pot["pattern"] != "plain":
        second = lighter(tone, 0.68) if pot["colour"] != "white" else (150, 170, 200)
        paint = Pattern(pot["pattern"], tone, second, 18 if pot["pattern"] != "dotted" else 15)
    canvas.fill(body, paint)
    canvas.fill(
        shapes.rounded(_X - 41, _RIM - 8, _X + 41, _RIM + 7, 3),
        Gradient(lighter(tone, 0.1), darker(tone, 0.2), 0),
    )


def _tag(canvas: Canvas, words: str) -> None:
    """Draw a sign on a stick before the pot."""
    canvas.fill(shapes.rectangle(_X - 2, 262, _X + 2, 276), (150, 116, 84))
    canvas.shadow(shapes.rounded(_X - 50, 272, _X + 50, 294, 3), 1, 2, blur=1.5)
    canvas.fill(shapes.rounded(_X - 50, 272, _X + 50, 294, 3), PAPER)
    canvas.write(words, _X, 283, 13, INK, width=92, bold=0.35, spacing=0.04)


def _leaf(canvas: Canvas, x: float, y: float, size: float, turn: float, entry: Thing) -> None:
    """Draw a leaf whose stalk is at (x, y); at turn 0 it points upwards."""
    tone = shade(entry["colour"])
    if entry["shape"] == "pointed":
        outline = [*shapes.smooth([(0, 0), (0.26, -0.4), (0.2, -0.75)], closed=False), (0.0, -1.25)]
        blade = outline + [(-u, v) for u, v in reversed(outline[:-1])]
    elif entry["shape"] == "round":
        blade = shapes.ellipse(0, -0.52, 0.44, 0.46)
    else:
        half = shapes.smooth([(0, -0.12), (0.3, 0.06), (0.5, -0.3), (0.3, -0.75), (0, -1.08)], closed=False)
        blade = half + [(-u, v) for u, v in reversed(half)]
    canvas.fill(shapes.placed(blade, x, y, size, turn=turn), tone)
    canvas.line(shapes.placed([(0, 0), (0, -0.75)], x, y, size, turn=turn), darker(tone, 0.35), 1.0)


def _flower(canvas: Canvas, x: float, y: float, tone: Colour) -> None:
    heart: Colour = (238, 190, 66) if tone != shade("yellow") else (150, 92, 48)
    for turn in range(0, 360, 60):
        petal = shapes.placed(shapes.ellipse(0, -7.6, 4.8, 6.4), x, y, turn=turn)
        canvas.fill(petal, tone)
        canvas.line(petal, darker(tone, 0.28), 0.7, closed=True)
    canvas.fill(shapes.ellipse(x, y, 4.4), heart)


def _shrub(canvas: Canvas, rng: Random, shown: Scene) -> None:
    """Draw a round head of leaves on a short trunk, flowers spread over it."""
    leaf, flower = the(shown, "leaf"), the(shown, "flower")
    for lean in (-22, 0, 22):
        branch = shapes.smooth([(_X, _RIM), (_X + lean * 0.5, 206), (_X + lean, 160)], closed=False)
        canvas.fill(
            shapes.thick(branch, [7 - 4 * i / len(branch) for i in range(len(branch))]), (112, 78, 54)
        )
    deep = {**leaf, "colour": leaf["colour"]}
    for ring, (reach, count) in enumerate(((62.0, 15), (44.0, 11), (24.0, 7))):
        for i in range(count):
            turn = 360 * (i + 0.5 * (ring % 2)) / count + rng.uniform(-6, 6)
            a = math.radians(turn - 90)
            x, y = _X + reach * 0.72 * math.cos(a), 130 + reach * math.sin(a)
            _leaf(canvas, x, y, 25, turn + rng.uniform(-12, 12), deep)
    count = flower["count"]
    for i in range(count):
        a = math.radians(360 * i / max(1, count - 1) - 90)
        reach = 0.0 if i == count - 1 and count > 3 else 1.0
        if count <= 3:
            a = math.radians(360 * i / count - 90)
        _flower(
            canvas, _X + 38 * reach * math.cos(a), 128 + 50 * reach * math.sin(a), shade(flower["colour"])
        )


def _herb(canvas: Canvas, rng: Random, shown: Scene) -> None:
    """Draw as many stems as flowers, fanned out, with leaves on both sides."""
    leaf, flower = the(shown, "leaf"), the(shown, "flower")
    count = flower["count"]
    green = (74, 128, 70)
    tops = []
    for i in range(count):
        lean = (i - (count - 1) / 2) * min(27.0, 124 / count)
        top = (_X + lean * 1.12, 92 + 34 * (i % 2) + abs(lean) * 0.22)
        stem = shapes.smooth([(_X + lean * 0.2, _RIM), (_X + lean * 0.55, 190), top], closed=False)
        canvas.line(stem, green, 2.6)
        for share, side in ((0.3, 1), (0.45, -1), (0.62, 1), (0.76, -1)):
            x, y = stem[int(share * len(stem))]
            _leaf(canvas, x, y, 19, side * 62, leaf)
        tops.append(top)
    for x, y in tops:
        _flower(canvas, x, y, shade(flower["colour"]))


def _climber(canvas: Canvas, rng: Random, shown: Scene) -> None:
    """Draw a vine on a trellis."""
    leaf, flower = the(shown, "leaf"), the(shown, "flower")
    wood = (170, 132, 92)
    for side in (-30, 30):
        canvas.line([(_X + side, _RIM), (_X + side, 50)], wood, 3.4)
    for y in range(66, 226, 36):
        canvas.line([(_X - 40, y), (_X + 40, y)], wood, 2.8)
    vine = [(_X + 36 * math.sin((_RIM - y) / 23), float(y)) for y in range(int(_RIM), 52, -4)]
    canvas.line(vine, (74, 128, 70), 3.0)
    for i in range(3, len(vine) - 1, 3):
        _leaf(canvas, *vine[i], 22, (70 if i % 2 else -70) + rng.uniform(-10, 10), leaf)
    count = flower["count"]
    for i in range(count):
        x, y = vine[round((i + 0.5) / count * (len(vine) - 4)) + 3]
        _flower(canvas, x, y, shade(flower["colour"]))


def _grass(canvas: Canvas, rng: Random, shown: Scene) -> None:
    """Draw a tuft of blades, and ears on stalks above it."""
    ears = the(shown, "ear")
    tone, green = shade(ears["colour"]), shade("green")
    for i in range(26):
        lean = (i - 12.5) * 5.4 + rng.uniform(-3, 3)
        height = rng.uniform(70, 104) - abs(lean) * 0.35
        tip, bend = (_X + lean, _RIM - height), (_X + lean * 0.6, _RIM - height * 0.6)
        blade = shapes.smooth([(_X + lean * 0.3, _RIM), bend, tip], closed=False)
        widths = [5.2 * (1 - k / len(blade)) + 0.6 for k in range(len(blade))]
        canvas.fill(shapes.thick(blade, widths), mix(green, (196, 206, 96), rng.uniform(0, 0.4)))
    count = ears["count"]
    for i in range(count):
        lean = (i - (count - 1) / 2) * min(25.0, 132 / count)
        top = (_X + lean * 1.1, 70 + 22 * (i % 2) + abs(lean) * 0.2)
        canvas.line(
            shapes.smooth([(_X + lean * 0.3, _RIM), (_X + lean * 0.7, 150), top], closed=False),
            (124, 146, 78),
            2.0,
        )
        ear = shapes.smooth([(0, -26), (6.5, -10), (4, 14), (0, 18), (-4, 14), (-6.5, -10)])
        canvas.fill(shapes.placed(ear, *top, turn=lean * 0.24), tone)
        for v in (-12, -2, 8):
            canvas.line(
                shapes.placed([(-4, v - 3), (0, v), (4, v - 3)], *top, turn=lean * 0.24),
                darker(tone, 0.35),
                1.1,
            )


_GROWN = {"shrub": _shrub, "herb": _herb, "climber": _climber, "grass": _grass}


PLANT = PictureKind((260, 320), _sample, _paint)
