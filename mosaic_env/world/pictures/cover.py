"""Album covers: bold shapes, prints and patterns with a name and sometimes a sticker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from mosaic_env.core.seeds import python_random
from mosaic_env.world import lettering
from mosaic_env.world.drawing import scenery, shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.icons import draw_icon
from mosaic_env.world.drawing.paints import Glow, Gradient
from mosaic_env.world.drawing.palette import INK, Colour, darker, is_light, lighter, pick, pick_on, shade
from mosaic_env.world.pictures import PictureKind
from mosaic_env.world.scene import About, Scene, Thing, find, scene, text_at, the, the_part, thing

_GROUNDS = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "black", "white")
_FIGURES = ("circle", "triangle", "square", "hexagon", "star", "diamond")
_PRINTS = (
    "heart",
    "leaf",
    "bird",
    "fish",
    "star",
    "flower",
    "butterfly",
    "key",
    "acorn",
    "feather",
    "lightning bolt",
    "crescent",
)
_SIDE = 300.0


@dataclass(frozen=True)
class _Layout:
    sample: Callable[[Random], tuple[list[Thing], dict[str, Any]]]
    paint: Callable[[Canvas, Scene, Random], None]


def _sample(rng: Random, about: About) -> dict[str, Any]:
    layout = rng.choice(sorted(_LAYOUTS))
    things, look = _LAYOUTS[layout].sample(rng)
    words = {"title": about.label.upper()}
    if rng.random() < 0.65:
        words["sticker"] = lettering.sticker(rng)
        colour = pick_on(rng, things[0]["colour"], ("red", "yellow", "blue", "green", "black", "orange"))
        things.append(thing("sticker", colour=colour, shape=rng.choice(("round", "star-shaped"))))
    return scene("cover", rng, things, words, layout=layout, **look)


def _paint(canvas: Canvas, shown: Scene) -> None:
    rng = python_random(shown["seed"], "paint")
    _LAYOUTS[shown["look"]["layout"]].paint(canvas, shown, rng)
    _print(canvas, shown)


def _ground(canvas: Canvas, shown: Scene) -> Colour:
    tone = shade(the(shown, "background")["colour"])
    canvas.fill(shapes.rectangle(0, 0, _SIDE, _SIDE), Gradient(lighter(tone, 0.1), darker(tone, 0.12)))
    return tone


# --- layouts --------------------------------------------------------------------------------------


def _figure_sample(rng: Random) -> tuple[list[Thing], dict[str, Any]]:
    ground = pick(rng, _GROUNDS)
    colour = pick_on(rng, ground)
    inner = pick_on(rng, colour, besides=(ground,))
    first, second = rng.sample(_FIGURES, 2)
    return [
        thing("background", colour=ground),
        thing(first, colour=colour, count=1, role="large shape", at=[500, 480]),
        thing(second, colour=inner, count=1, role="small shape", at=[500, 480]),
    ], {}


def _figure_shape(name: str, x: float, y: float, radius: float) -> shapes.Shape:
    if name == "circle":
        return shapes.ellipse(x, y, radius)
    if name == "star":
        return shapes.star(x, y + radius * 0.08, radius * 1.16, 5, 0.42)
    if name == "square":
        return shapes.rectangle(x - radius * 0.84, y - radius * 0.84, x + radius * 0.84, y + radius * 0.84)
    corners = {"triangle": 3, "hexagon": 6, "diamond": 4}[name]
    return shapes.regular(x, y + (radius * 0.16 if corners == 3 else 0), radius * 1.08, corners)


def _figure(canvas: Canvas, shown: Scene, rng: Random) -> None:
    tone = _ground(canvas, shown)
    pale = lighter(tone, 0.12) if not is_light(tone) else darker(tone, 0.07)
    for i in range(7):
        canvas.line([(-20, 40 + 46 * i), (320, -20 + 46 * i)], pale, 6)
    outer, inner = the_part(shown, "large shape"), the_part(shown, "small shape")
    for entry, radius in ((outer, 92.0), (inner, 36.0)):
        figure = _figure_shape(entry["name"], 150, 140, radius)
        colour = shade(entry["colour"])
        canvas.shadow(figure, 3, 6, blur=6, alpha=0.35)
        canvas.fill(figure, Gradient(lighter(colour, 0.12), darker(colour, 0.14), 50))


def _rings_sample(rng: Random) -> tuple[list[Thing], dict[str, Any]]:
    ground = pick(rng, _GROUNDS)
    ring = pick_on(rng, ground)
    core = pick_on(rng, ground, besides=(ring,))
    return [
        thing("background", colour=ground),
        thing("ring", count=rng.randint(2, 6), colour=ring, at=[500, 460]),
        thing("dot", colour=core, count=1, at=[500, 460]),
    ], {}


def _rings(canvas: Canvas, shown: Scene, rng: Random) -> None:
    _ground(canvas, shown)
    ring, dot = the(shown, "ring"), the(shown, "dot")
    colour = shade(ring["colour"])
    step = 92 / ring["count"]
    for i in range(ring["count"]):
        canvas.line(shapes.ellipse(150, 138, 26 + step * (i + 0.75)), colour, step * 0.5, closed=True)
    canvas.fill(
        shapes.ellipse(150, 138, 22),
        Glow(142, 130, 34, lighter(shade(dot["colour"]), 0.2), shade(dot["colour"])),
    )


def _print_sample(rng: Random) -> tuple[list[Thing], dict[str, Any]]:
    ground = pick(rng, _GROUNDS)
    colour = pick_on(rng, ground)
    return [
        thing("background", colour=ground),
        thing(
            rng.choice(_PRINTS),
            colour=colour,
            count=rng.choice((2, 3, 4, 5, 6, 7, 8)),
            role="print",
            at=[500, 470],
        ),
    ], {"frame": rng.random() < 0.5}


_ROWS = {2: (2,), 3: (3,), 4: (2, 2), 5: (3, 2), 6: (3, 3), 7: (4, 3), 8: (4, 4)}


def _printed(canvas: Canvas, shown: Scene, rng: Random) -> None:
    tone = _ground(canvas, shown)
    entry = the_part(shown, "print")
    colour = shade(entry["colour"])
    if shown["look"]["frame"]:
        canvas.line(shapes.rectangle(22, 22, 278, 252), colour, 4, closed=True)
    rows = _ROWS[entry["count"]]
    size = 38.0 if len(rows) == 1 else 34.0 if max(rows) < 4 else 27.0
    for r, across in enumerate(rows):
        y = 142 + (r - (len(rows) - 1) / 2) * size * 2.5
        for i in range(across):
            x = 150 + (i - (across - 1) / 2) * size * 2.25
            draw_icon(canvas, entry["name"], x + 2, y + 3, size, darker(tone, 0.3))
            draw_icon(canvas, entry["name"], x, y, size, colour)


def _sunset_sample(rng: Random) -> tuple[list[Thing], dict[str, Any]]:
    ground = pick(rng, ("blue", "purple", "green", "black", "pink"))
    sun = pick_on(rng, ground, ("red", "orange", "yellow", "white", "pink"))
    return [
        thing("sky", colour=ground),
        thing("sun", colour=sun, count=1, pattern=rng.choice(("striped", "plain")), at=[500, 440]),
        thing("palm tree", count=rng.randint(1, 4), at=[500, 700]),
    ], {}


def _sunset(canvas: Canvas, shown: Scene, rng: Random) -> None:
    tone = shade(the(shown, "sky")["colour"])
    canvas.fill(shapes.rectangle(0, 0, _SIDE, 200), Gradient(darker(tone, 0.3), lighter(tone, 0.35)))
    sun = the(shown, "sun")
    disc = shapes.ellipse(150, 132, 72)
    colour = shade(sun["colour"])
    canvas.fill(disc, Gradient(lighter(colour, 0.2), darker(colour, 0.06)))
    if sun["pattern"] == "striped":
        with canvas.clip(disc):
            for i in range(5):
                canvas.fill(shapes.rectangle(70, 128 + 15 * i, 230, 131 + 16.6 * i), lighter(tone, 0.12))
    scenery.water(canvas, rng, 192, darker(tone, 0.35))
    palms = the(shown, "palm tree")["count"]
    shore = darker(tone, 0.82)
    canvas.fill(shapes.smooth([(-20, 250), (70, 226), (170, 236), (320, 222), (330, 320), (-20, 320)]), shore)
    for i in range(palms):
        _palm(canvas, _SIDE * (i + 0.5) / palms + rng.uniform(-10, 10), 240, rng.uniform(84, 104), shore)


def _palm(canvas: Canvas, x: float, foot: float, height: float, colour: Colour) -> None:
    lean = 10.0
    trunk = shapes.smooth(
        [(x, foot), (x + lean * 0.2, foot - height * 0.5), (x + lean, foot - height)], closed=False
    )
    canvas.fill(shapes.thick(trunk, [6 - 3 * i / len(trunk) for i in range(len(trunk))]), colour)
    for turn in (-168, -140, -105, -70, -35, -8, 20, 160):
        frond = shapes.smooth([(0, 0), (0.24, -0.1), (0.44, 0.06), (0.22, 0.0)])
        canvas.fill(shapes.placed(frond, x + lean, foot - height, height, turn=turn), colour)


def _stack_sample(rng: Random) -> tuple[list[Thing], dict[str, Any]]:
    ground = pick(rng, _GROUNDS)
    names = rng.sample(("circle", "triangle", "square", "hexagon", "star"), 3)
    colours: list[str] = []
    for _ in names:
        colours.append(pick_on(rng, ground, besides=tuple(colours)))
    places = (190, 500, 810)
    things = [
        thing(n, colour=c, count=1, at=[x, 470], line="shapes")
        for n, c, x in zip(names, colours, places, strict=True)
    ]
    return [thing("background", colour=ground), *things], {"lift": [rng.randint(-8, 30) for _ in names]}


def _stack(canvas: Canvas, shown: Scene, rng: Random) -> None:
    tone = _ground(canvas, shown)
    pale = lighter(tone, 0.14) if not is_light(tone) else darker(tone, 0.07)
    scenery.ridge(canvas, rng, 301, 92, pale, bumps=3)
    canvas.fill(shapes.ellipse(150, 148, 118), pale, 0.5)
    line = [entry for entry in shown["things"] if entry.get("line") == "shapes"]
    for entry, lift in zip(line, shown["look"]["lift"], strict=True):
        figure = _figure_shape(entry["name"], entry["at"][0] * 0.3, 140 + lift, 42)
        colour = shade(entry["colour"])
        canvas.shadow(figure, 3, 5, blur=5)
        canvas.fill(figure, Gradient(lighter(colour, 0.14), darker(colour, 0.16), 50))


_LAYOUTS = {
    "figure": _Layout(_figure_sample, _figure),
    "rings": _Layout(_rings_sample, _rings),
    "print": _Layout(_print_sample, _printed),
    "sunset": _Layout(_sunset_sample, _sunset),
    "stack": _Layout(_stack_sample, _stack),
}


def _print(canvas: Canvas, shown: Scene) -> None:
    """Write the title, and draw the sticker in a corner when there is one."""
    ink, title = canvas.ink_at(150, 280), text_at(shown, "title")
    canvas.write(title, 150, 276, 22, ink, width=272, bold=0.4, spacing=0.06)
    sticker = find(shown, "sticker")
    if not sticker:
        return
    x, y, colour = 260.0, 38.0, shade(sticker["colour"])
    edge = shapes.ellipse(x, y, 30) if sticker["shape"] == "round" else shapes.star(x, y, 36, 14, 0.82)
    canvas.shadow(edge, 1.5, 2.5, blur=2.5, alpha=0.4)
    canvas.fill(edge, Gradient(lighter(colour, 0.12), darker(colour, 0.08)))
    ink = INK if is_light(colour) else (254, 252, 244)
    canvas.line(shapes.ellipse(x, y, 26), ink, 1.0, closed=True)
    words = text_at(shown, "sticker").split()
    for i, word in enumerate(words):
        canvas.write(word, x, y + (i - (len(words) - 1) / 2) * 13, 12, ink, width=46, bold=0.3)


COVER = PictureKind((300, 300), _sample, _paint)
