"""Flags of countries: stripes, crosses, triangles, discs and emblems on waving cloth."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
from PIL import Image

from mosaic_env.core.seeds import python_random
from mosaic_env.world.drawing import scenery, shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.icons import draw_icon
from mosaic_env.world.drawing.paints import Gradient
from mosaic_env.world.drawing.palette import Colour, pick, pick_on, shade
from mosaic_env.world.pictures import PictureKind
from mosaic_env.world.scene import About, Scene, Thing, find, scene, the_part, thing

_CLOTH = ("red", "orange", "yellow", "green", "blue", "purple", "black", "white")
_LAYOUTS = (
    "horizontal stripes",
    "vertical stripes",
    "cross",
    "diagonal cross",
    "plain",
    "border",
    "quarters",
)
_EMBLEMS = (
    "star", "crescent", "sun", "leaf", "bird", "fish", "anchor", "wheel", "key", "crown", "tower", "tree", "flower",
    "bell", "mountain", "acorn",
)  # fmt: skip
_COUNTS = (1, 1, 2, 3, 3, 4, 5, 6)
#: The cloth in pixels: left, top, width, height.
_LEFT, _TOP, _WIDTH, _HEIGHT = 52, 34, 232, 152


def _sample(rng: Random, about: About) -> dict[str, Any]:
    layout = rng.choice(_LAYOUTS)
    count = rng.randint(2, 5) if layout == "horizontal stripes" else 3
    grounds: list[str] = []
    while len(grounds) < {"horizontal stripes": min(count, 3), "vertical stripes": 3}.get(layout, 2):
        grounds.append(pick(rng, _CLOTH, besides=tuple(grounds)))
    things: list[Thing] = []
    if layout.endswith("stripes"):
        things.append(thing("stripe", count=count, pattern=layout.removesuffix(" stripes")))
    elif layout in ("cross", "diagonal cross"):
        things.append(
            thing("cross", colour=grounds[1], pattern="diagonal" if layout == "diagonal cross" else "upright")
        )
    elif layout == "border":
        things.append(thing("border", colour=grounds[1]))
    if layout in ("plain", "border", "cross", "diagonal cross"):
        things.append(thing("cloth", colour=grounds[0]))
    device, on = _device(rng, layout, grounds, things)
    count = 1 if device == "triangle" else rng.choice(_COUNTS)
    emblem = rng.choice(_EMBLEMS)
    things.append(thing(emblem, count=count, colour=pick_on(rng, on, _CLOTH), role="emblem"))
    sky = rng.choice(("day", "dawn", "overcast", "dusk"))
    return scene("flag", rng, things, layout=layout, grounds=grounds, device=device, sky=sky)


def _device(rng: Random, layout: str, grounds: list[str], things: list[Thing]) -> tuple[str, str]:
    """Choose what the emblem stands on, and return it with its colour."""
    choices = {"plain": ("none", "none", "triangle", "corner field"), "border": ("none", "disc")}
    device = rng.choice(choices.get(layout, ("triangle", "disc", "corner field", "disc")))
    if device == "none":
        return device, grounds[0]
    if layout == "quarters":
        device = "disc"
    colour = pick(rng, _CLOTH, besides=tuple(grounds))
    things.append(thing(device, colour=colour))
    return device, colour


def _paint(canvas: Canvas, shown: Scene) -> None:
    rng = python_random(shown["seed"], "paint")
    scenery.sky(canvas, shown["look"]["sky"])
    for _ in range(3):
        scenery.cloud(canvas, rng.uniform(20, 300), rng.uniform(24, 200), rng.uniform(20, 46), alpha=0.55)
    scenery.ridge(canvas, rng, 241, 26, scenery.haze((76, 104, 96), shown["look"]["sky"], 0.35), bumps=3)
    canvas.fill(shapes.rounded(40, 20, 48, 240, 3), Gradient((232, 226, 214), (140, 130, 122), 0))
    canvas.fill(shapes.ellipse(44, 18, 7), Gradient((250, 220, 130), (190, 140, 50), 0))
    _hang(canvas, _cloth(canvas, shown), rng.uniform(0, 6.28))


def _cloth(canvas: Canvas, shown: Scene) -> Canvas:
    """Return the flag lying flat."""
    look = shown["look"]
    colours = [shade(name) for name in look["grounds"]]
    cloth = canvas.sheet(_WIDTH, _HEIGHT, colours[0])
    _ground(cloth, look["layout"], colours, (find(shown, "stripe") or {"count": 1})["count"])
    tone = shade((find(shown, look["device"]) or {"colour": "white"})["colour"])
    w, h = _WIDTH, _HEIGHT
    x, y, reach = w / 2, h / 2, h * 0.34
    if look["device"] == "triangle":
        cloth.fill([(0, 0), (w * 0.44, h / 2), (0, h)], tone)
        x, reach = w * 0.15, h * 0.17
    elif look["device"] == "corner field":
        cloth.fill(shapes.rectangle(0, 0, w * 0.46, h * 0.54), tone)
        x, y, reach = w * 0.23, h * 0.27, h * 0.22
    elif look["device"] == "disc":
        cloth.fill(shapes.ellipse(x, y, h * 0.38), tone)
        reach = h * 0.32
    emblem = the_part(shown, "emblem")
    _emblems(cloth, emblem, x, y, reach)
    return cloth


def _ground(cloth: Canvas, layout: str, colours: list[Colour], count: int) -> None:
    w, h = _WIDTH, _HEIGHT
    if layout == "horizontal stripes":
        for i in range(count):
            cloth.fill(shapes.rectangle(0, h * i / count, w, h * (i + 1) / count), colours[i % len(colours)])
    elif layout == "vertical stripes":
        for i in range(count):
            cloth.fill(shapes.rectangle(w * i / count, 0, w * (i + 1) / count, h), colours[i])
    elif layout == "cross":
        cloth.fill(shapes.rectangle(w * 0.42, 0, w * 0.58, h), colours[1])
        cloth.fill(shapes.rectangle(0, h * 0.38, w, h * 0.62), colours[1])
    elif layout == "diagonal cross":
        for y0, y1 in ((0, h), (h, 0)):
            cloth.fill(shapes.thick([(-10, y0), (w + 10, y1)], h * 0.2), colours[1])
    elif layout == "border":
        cloth.fill(shapes.rectangle(0, 0, w, h), colours[1])
        cloth.fill(shapes.rectangle(18, 18, w - 18, h - 18), colours[0])
    elif layout == "quarters":
        cloth.fill(shapes.rectangle(w / 2, 0, w, h / 2), colours[1])
        cloth.fill(shapes.rectangle(0, h / 2, w / 2, h), colours[1])


def _emblems(cloth: Canvas, emblem: Thing, x: float, y: float, reach: float) -> None:
    """Draw the emblem once in the middle, two or three in a row, more in a ring."""
    count, tone = emblem["count"], shade(emblem["colour"])
    if count == 1:
        places = [(x, y)]
        size = reach * 0.95
    elif count <= 3:
        size = reach * (0.46 if count == 2 else 0.34)
        places = [(x + (i - (count - 1) / 2) * size * 2.15, y) for i in range(count)]
    else:
        size = reach * (0.36 if count < 6 else 0.3)
        ring = shapes.star(x, y, reach - size * 0.85, count, 1.0)
        places = ring[::2]
    for px, py in places:
        draw_icon(cloth, emblem["name"], px, py, size, tone)


def _hang(canvas: Canvas, cloth: Canvas, phase: float) -> None:
    """Lay the cloth on the canvas in waves that grow away from the pole."""
    flat = np.asarray(cloth.image)
    target = np.array(canvas.image)
    height, width = flat.shape[:2]
    u = np.arange(width) / width
    angle = u * 7.5 + phase
    shift = np.rint((np.sin(angle) - np.sin(phase)) * (2 + 3.4 * u) * canvas.scale).astype(np.int64)
    light = np.rint(128 * (1 + 0.13 * np.cos(angle) * np.minimum(1, 0.35 + u))).astype(np.uint16)
    lit = np.minimum((flat * light[None, :, None]) // 128, 255).astype(np.uint8)
    left, top = round((_LEFT - 4) * canvas.scale), round(_TOP * canvas.scale)
    edges = [0, *(np.flatnonzero(np.diff(shift)) + 1).tolist(), width]
    for start, end in pairwise(edges):
        low = top + int(shift[start])
        target[low : low + height, left + start : left + end] = lit[:, start:end]
    canvas.image = Image.fromarray(target)


FLAG = PictureKind((320, 240), _sample, _paint)
