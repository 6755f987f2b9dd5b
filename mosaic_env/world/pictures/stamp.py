"""Postage stamps: a motif on a coloured ground in a patterned border, a value, a caption, a postmark."""

from __future__ import annotations

from random import Random
from typing import Any

from mosaic_env.world import lettering
from mosaic_env.world.drawing import shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.icons import draw_icon
from mosaic_env.world.drawing.paints import Gradient, Paint, Pattern
from mosaic_env.world.drawing.palette import (
    INK,
    PAPER,
    Colour,
    darker,
    is_light,
    lighter,
    pick,
    pick_on,
    shade,
)
from mosaic_env.world.pictures import PictureKind
from mosaic_env.world.scene import About, Scene, Thing, scene, text_at, the, the_part, thing

_DYES = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "white")
_MOTIFS = (
    "bird", "fish", "ship", "lantern", "flower", "butterfly", "crown", "bell", "sun", "tree", "tower", "book", "heart",
    "anchor", "acorn", "leaf",
)  # fmt: skip
_MATS = ("green", "blue", "brown", "grey", "purple", "red")
#: The stamp: left, top, right, bottom; its teeth are round holes along the edge.
_LEFT, _TOP, _RIGHT, _BOTTOM = 26.0, 18.0, 234.0, 282.0
_HOLE, _PITCH = 4.2, 13.0


def _sample(rng: Random, about: About) -> dict[str, Any]:
    ground = pick(rng, _DYES)
    border = pick(rng, _DYES, besides=(ground, "white"))
    motif = rng.choice(_MOTIFS)
    count = rng.choice((1, 1, 2, 3, 4))
    things: list[Thing] = [
        thing("background", colour=ground),
        thing(
            "border", colour=border, pattern=rng.choice(("plain", "striped", "checked", "dotted", "zigzag"))
        ),
        thing(
            motif,
            count=count,
            colour=pick_on(rng, ground, (*_DYES, "black")),
            role="main motif",
            at=[500, 420],
        ),
    ]
    if rng.random() < 0.75:
        things.append(thing("wavy line", count=rng.randint(2, 6), at=[760, 840]))
    words = {"value": lettering.value(rng), "caption": lettering.caption(rng)}
    mat = pick(rng, _MATS, besides=(ground, border))
    return scene("stamp", rng, things, words, mat=mat, side=rng.choice(("left", "right")))


def _paint(canvas: Canvas, shown: Scene) -> None:
    mat = lighter(shade(shown["look"]["mat"]), 0.3)
    canvas.fill(shapes.rectangle(0, 0, 260, 300), mat)
    _paper(canvas, mat)
    border, ground = the(shown, "border"), shade(the(shown, "background")["colour"])
    frame = shapes.rectangle(38, 30, 222, 270)
    canvas.fill(frame, _border_paint(border))
    inner = shapes.rectangle(52, 44, 208, 256)
    canvas.fill(inner, PAPER)
    canvas.fill(shapes.rectangle(55, 47, 205, 208), Gradient(lighter(ground, 0.12), darker(ground, 0.12)))
    _motifs(canvas, the_part(shown, "main motif"), darker(ground, 0.3))
    value = text_at(shown, "value")
    x = 74.0 if shown["look"]["side"] == "left" else 186.0
    canvas.write(value, x, 66, 25, INK if is_light(ground) else PAPER, bold=0.8)
    canvas.write(text_at(shown, "caption"), 130, 232, 15, INK, width=144, bold=0.4, spacing=0.06)
    _postmark(canvas, shown)


def _paper(canvas: Canvas, mat: Colour) -> None:
    """Draw the white paper with holes of half a circle all around."""
    canvas.shadow(shapes.rectangle(_LEFT, _TOP, _RIGHT, _BOTTOM), 2, 4, blur=4, alpha=0.4)
    canvas.fill(shapes.rectangle(_LEFT, _TOP, _RIGHT, _BOTTOM), PAPER)
    across, down = round((_RIGHT - _LEFT) / _PITCH), round((_BOTTOM - _TOP) / _PITCH)
    for i in range(across + 1):
        x = _LEFT + (_RIGHT - _LEFT) * i / across
        for y in (_TOP, _BOTTOM):
            canvas.fill(shapes.ellipse(x, y, _HOLE), mat)
    for i in range(1, down):
        y = _TOP + (_BOTTOM - _TOP) * i / down
        for x in (_LEFT, _RIGHT):
            canvas.fill(shapes.ellipse(x, y, _HOLE), mat)


def _border_paint(border: Thing) -> Colour | Paint:
    tone = shade(border["colour"])
    if border["pattern"] == "plain":
        return tone
    size = {"striped": 16.0, "checked": 14.0, "dotted": 7.0, "zigzag": 14.0}[border["pattern"]]
    second = lighter(tone, 0.72)
    return Pattern(border["pattern"], tone, second, size, 45 if border["pattern"] == "striped" else 0)


def _motifs(canvas: Canvas, entry: Thing, shadow: Colour) -> None:
    size, places = {
        1: (52.0, ((130, 134),)),
        2: (32.0, ((94, 136), (166, 136))),
        3: (29.0, ((130, 104), (94, 166), (166, 166))),
        4: (27.0, ((96, 108), (164, 108), (96, 170), (164, 170))),
    }[entry["count"]]
    for x, y in places:
        draw_icon(canvas, entry["name"], x + 1.5, y + 2, size, shadow)
        draw_icon(canvas, entry["name"], x, y, size, shade(entry["colour"]))


def _postmark(canvas: Canvas, shown: Scene) -> None:
    """Draw wavy lines across a lower corner of the paper, where they cover no words."""
    lines = next((entry for entry in shown["things"] if entry["name"] == "wavy line"), None)
    if not lines:
        return
    ink = (58, 52, 66)
    for i in range(lines["count"]):
        y = 262 + (i - (lines["count"] - 1) / 2) * 6.2
        wave = [(130 + 7 * k, y + (1.8 if k % 2 else -1.8)) for k in range(19)]
        canvas.line(shapes.smooth(wave, closed=False, steps=4), ink, 1.5)


STAMP = PictureKind((260, 300), _sample, _paint)
