"""Crests of teams: a divided shield with a charge, stars above, a motto on a ribbon."""

from __future__ import annotations

from random import Random
from typing import Any

from mosaic_env.world import lettering
from mosaic_env.world.drawing import shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.icons import draw_icon
from mosaic_env.world.drawing.paints import Gradient
from mosaic_env.world.drawing.palette import (
    GOLD,
    INK,
    Colour,
    brightness,
    darker,
    is_light,
    lighter,
    pick,
    pick_on,
    shade,
)
from mosaic_env.world.pictures import PictureKind
from mosaic_env.world.scene import About, Scene, Thing, scene, text_at, the, the_part, thing

_DYES = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "black", "white")
_CHARGES = (
    "tower",
    "anchor",
    "bird",
    "tree",
    "crown",
    "ship",
    "bell",
    "wheel",
    "fish",
    "leaf",
    "key",
    "sun",
    "mountain",
    "acorn",
    "lightning bolt",
    "butterfly",
)
_DIVISIONS = ("striped", "halved", "quartered", "diagonal band", "checked", "plain")
_X, _Y = 120.0, 150.0


def _sample(rng: Random, about: About) -> dict[str, Any]:
    first = pick(rng, _DYES)
    second = pick_on(rng, first, _DYES)
    division = rng.choice(_DIVISIONS)
    disc = pick(rng, _DYES, besides=(first, second))
    things: list[Thing] = [
        thing(
            "shield",
            pattern=division,
            colour=first if division == "plain" else None,
            shape=rng.choice(("pointed", "round")),
        ),
        thing(rng.choice(_CHARGES), colour=pick_on(rng, disc, _DYES), count=1, role="charge", at=[500, 460]),
        thing("disc", colour=disc),
        thing(
            "star",
            colour=pick(rng, ("yellow", "white", "red", "orange")),
            count=rng.randint(1, 5),
            at=[500, 90],
        ),
        thing(
            "ribbon", colour=pick(rng, ("red", "blue", "green", "yellow", "white", "purple")), at=[500, 850]
        ),
    ]
    return scene(
        "crest",
        rng,
        things,
        {"name": about.label.upper(), "ribbon": lettering.motto(rng)},
        colours=[first, second],
    )


def _shield(shape: str, grow: float = 1.0) -> shapes.Shape:
    if shape == "round":
        return shapes.ellipse(_X, _Y - 4, 82 * grow, 86 * grow)
    points = [
        (-80, -84),
        (-40, -80),
        (0, -92),
        (40, -80),
        (80, -84),
        (82, 0),
        (60, 56),
        (0, 98),
        (-60, 56),
        (-82, 0),
    ]
    return shapes.smooth([(_X + x * grow, _Y + y * grow) for x, y in points], steps=8)


def _paint(canvas: Canvas, shown: Scene) -> None:
    shield, disc = the(shown, "shield"), the(shown, "disc")
    first, second = (shade(name) for name in shown["look"]["colours"])
    wall = _wall(first, second)
    canvas.fill(shapes.rectangle(0, 0, 240, 320), Gradient(lighter(wall, 0.4), wall))
    outer = _shield(shield["shape"], 1.08)
    canvas.shadow(outer, 2, 6, blur=6, alpha=0.45)
    canvas.fill(outer, Gradient(lighter(GOLD, 0.45), darker(GOLD, 0.3), 50))
    canvas.fill(_shield(shield["shape"], 1.02), darker(GOLD, 0.5))
    inner = _shield(shield["shape"])
    canvas.fill(inner, first)
    with canvas.clip(inner):
        _divide(canvas, shield["pattern"], second)
        canvas.fill(shapes.ellipse(_X - 46, _Y - 70, 70, 52), (255, 255, 255), 0.14)
    tone = shade(disc["colour"])
    canvas.shadow(shapes.ellipse(_X, 146, 46), 0, 2, blur=2.5)
    canvas.fill(shapes.ellipse(_X, 146, 46), Gradient(lighter(GOLD, 0.45), darker(GOLD, 0.2), 50))
    canvas.fill(shapes.ellipse(_X, 146, 42), Gradient(lighter(tone, 0.1), darker(tone, 0.14), 60))
    charge = the_part(shown, "charge")
    draw_icon(canvas, charge["name"], _X, 146, 30, shade(charge["colour"]))
    stars = the(shown, "star")
    for i in range(stars["count"]):
        x, y = _X + (i - (stars["count"] - 1) / 2) * 30, 32 + abs(i - (stars["count"] - 1) / 2) ** 2 * 2
        draw_icon(canvas, "star", x, y + 1, 14, darker(shade(stars["colour"]), 0.55))
        draw_icon(canvas, "star", x, y, 12, shade(stars["colour"]))
    _ribbon(canvas, shade(the(shown, "ribbon")["colour"]), text_at(shown, "ribbon"))
    canvas.write(
        text_at(shown, "name"),
        _X,
        306,
        14,
        INK if is_light(wall) else (254, 252, 246),
        width=220,
        bold=0.4,
        spacing=0.1,
    )


def _wall(first: Colour, second: Colour) -> Colour:
    """Return a calm ground on which a crest in two colours stands out."""
    return (206, 214, 222) if brightness(first) + brightness(second) < 300 else (96, 112, 134)


def _divide(canvas: Canvas, division: str, second: Colour) -> None:
    if division == "striped":
        for i in range(4):
            canvas.fill(shapes.rectangle(36 + 42 * i, 40, 57 + 42 * i, 260), second)
    elif division == "halved":
        canvas.fill(shapes.rectangle(_X, 40, 220, 260), second)
    elif division == "quartered":
        canvas.fill(shapes.rectangle(_X, 40, 220, _Y - 4), second)
        canvas.fill(shapes.rectangle(20, _Y - 4, _X, 260), second)
    elif division == "diagonal band":
        canvas.fill(shapes.thick([(10, 44), (230, 250)], 62), second)
    elif division == "checked":
        for row in range(7):
            for column in range(7):
                if (row + column) % 2:
                    left, top = 36 + 24 * column, 54 + 28 * row
                    canvas.fill(shapes.rectangle(left, top, left + 24, top + 28), second)


def _ribbon(canvas: Canvas, tone: Colour, text: str) -> None:
    for side in (-1, 1):
        tail = [
            (_X + side * 84, 258),
            (_X + side * 114, 254),
            (_X + side * 104, 271),
            (_X + side * 114, 288),
            (_X + side * 84, 286),
        ]
        canvas.fill(tail, darker(tone, 0.28))
    band = [
        *shapes.arc(_X, 246, 98, 14, 0, 180, 20),
        *[(x, y + 32) for x, y in shapes.arc(_X, 246, 98, 14, 180, 0, 20)],
    ]
    canvas.shadow(band, 0, 3, blur=3, alpha=0.35)
    canvas.fill(band, Gradient(lighter(tone, 0.16), darker(tone, 0.08)))
    canvas.line(band, darker(tone, 0.4), 1.2, closed=True)
    canvas.write(
        text, _X, 275, 15, INK if is_light(tone) else (254, 252, 246), width=160, bold=0.4, spacing=0.04
    )


CREST = PictureKind((240, 320), _sample, _paint)
