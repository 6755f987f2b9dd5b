"""Company logos: a badge with an emblem, the name, and a slogan on a sign or a card."""

from __future__ import annotations

from random import Random
from typing import Any

from mosaic_env.core.seeds import python_random
from mosaic_env.world import lettering
from mosaic_env.world.drawing import scenery, shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.icons import draw_icon
from mosaic_env.world.drawing.paints import Gradient
from mosaic_env.world.drawing.palette import INK, PAPER, darker, lighter, pick, pick_on, shade
from mosaic_env.world.pictures import PictureKind
from mosaic_env.world.scene import About, Scene, Thing, find, scene, text_at, the, the_part, thing

_BADGES = ("circle", "hexagon", "square", "diamond", "shield", "triangle")
_DYES = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "black", "brown")
_EMBLEMS = (
    "gear",
    "leaf",
    "lightning bolt",
    "mountain",
    "bird",
    "fish",
    "acorn",
    "anchor",
    "wheel",
    "lantern",
    "book",
    "feather",
    "sun",
    "tree",
    "ship",
    "crown",
)


def _sample(rng: Random, about: About) -> dict[str, Any]:
    badge = pick(rng, _DYES)
    figure = pick_on(rng, badge, (*_DYES, "white"))
    emblem = rng.choice(_EMBLEMS)
    things: list[Thing] = [
        thing("badge", colour=badge, shape=rng.choice(_BADGES), at=[500, 380]),
        thing(emblem, colour=figure, count=1, role="emblem", at=[500, 380]),
    ]
    if rng.random() < 0.6:
        things.append(
            thing("star", colour=pick(rng, _DYES, besides=("black",)), count=rng.randint(1, 5), at=[500, 90])
        )
        if emblem == "star":
            things.pop()
    rim = pick(rng, _DYES, besides=(badge,))
    things.append(thing("rim", colour=rim))
    words = {"name": about.label.upper(), "slogan": lettering.slogan(rng)}
    return scene("logo", rng, things, words, wall=rng.choice(("paper", "brick", "board")))


def _outline(shape: str, x: float, y: float, radius: float) -> shapes.Shape:
    if shape == "circle":
        return shapes.ellipse(x, y, radius)
    if shape == "square":
        return shapes.rounded(
            x - radius * 0.88, y - radius * 0.88, x + radius * 0.88, y + radius * 0.88, radius * 0.14
        )
    if shape == "shield":
        points = [
            (-0.84, -0.9),
            (0, -1.0),
            (0.84, -0.9),
            (0.86, 0.1),
            (0.52, 0.72),
            (0, 1.08),
            (-0.52, 0.72),
            (-0.86, 0.1),
        ]
        return shapes.smooth([(x + u * radius, y + v * radius) for u, v in points], steps=8)
    corners = {"hexagon": 6, "diamond": 4, "triangle": 3}[shape]
    grow = {"hexagon": 1.06, "diamond": 1.2, "triangle": 1.36}[shape]
    drop = 0.24 if shape == "triangle" else 0.0
    return shapes.regular(x, y + drop * radius, radius * grow, corners)


def _paint(canvas: Canvas, shown: Scene) -> None:
    rng = python_random(shown["seed"], "paint")
    ink = _wall(canvas, rng, shown["look"]["wall"])
    badge, emblem, rim = the(shown, "badge"), the_part(shown, "emblem"), the(shown, "rim")
    colour = shade(badge["colour"])
    x, y, radius = 150.0, 122.0, 70.0
    outer = _outline(badge["shape"], x, y, radius)
    canvas.shadow(outer, 2, 5, blur=5, alpha=0.4)
    canvas.fill(outer, shade(rim["colour"]))
    canvas.fill(_outline(badge["shape"], x, y, radius * 0.9), PAPER)
    canvas.fill(
        _outline(badge["shape"], x, y, radius * 0.86),
        Gradient(lighter(colour, 0.14), darker(colour, 0.14), 50),
    )
    size = {"diamond": 38.0, "triangle": 32.0}.get(badge["shape"], 43.0)
    drop = 0.26 * radius if badge["shape"] == "triangle" else 0.0
    draw_icon(canvas, emblem["name"], x + 2, y + drop + 3, size, darker(colour, 0.3))
    draw_icon(canvas, emblem["name"], x, y + drop, size, shade(emblem["colour"]))
    stars = find(shown, "star") or {"count": 0, "colour": "white"}
    for i in range(stars["count"]):
        draw_icon(canvas, "star", x + (i - (stars["count"] - 1) / 2) * 23, 18, 9, shade(stars["colour"]))
    canvas.write(text_at(shown, "name"), x, 230, 30, ink, width=268, bold=0.9, spacing=0.04)
    canvas.line([(70, 252), (230, 252)], ink, 1.6)
    canvas.write(text_at(shown, "slogan"), x, 270, 15, ink, width=240, spacing=0.16)


def _wall(canvas: Canvas, rng: Random, wall: str) -> tuple[int, int, int]:
    """Draw what the logo is painted on and return the colour of its lettering."""
    whole = shapes.rectangle(0, 0, 300, 300)
    if wall == "brick":
        canvas.wash(whole, (226, 214, 204))
        for row in range(16):
            for column in range(-1, 7):
                left = column * 50 + (25 if row % 2 else 0)
                tone = rng.choice(((238, 230, 222), (234, 224, 214), (242, 236, 230)))
                canvas.wash(shapes.rectangle(left + 1, row * 19 + 1, left + 49, row * 19 + 18), tone)
        return INK
    if wall == "board":
        canvas.wash(whole, (228, 206, 168))
        for i in range(6):
            tone = rng.choice(((236, 216, 180), (230, 208, 170), (240, 222, 190)))
            canvas.wash(shapes.rectangle(0, i * 50 + 1, 300, i * 50 + 49), tone)
            for _ in range(3):
                x, y = rng.uniform(10, 250), i * 50 + rng.uniform(8, 42)
                canvas.line(
                    shapes.smooth([(x, y), (x + 20, y - 2), (x + 46, y + 1)], closed=False),
                    (214, 190, 150),
                    1.2,
                )
        return INK
    canvas.wash(whole, Gradient((253, 251, 246), (236, 232, 222)))
    scenery.speckle(canvas, rng, (0, 0, 300, 300), (150, 140, 120), 40, 0.2)
    return INK


LOGO = PictureKind((300, 300), _sample, _paint)
