"""Buildings seen from the front: roof, columns, windows, door, flags, and a banner."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from mosaic_env.core.seeds import python_random
from mosaic_env.world import lettering
from mosaic_env.world.drawing import scenery, shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.paints import Gradient
from mosaic_env.world.drawing.palette import INK, Colour, darker, is_light, lighter, pick, pick_on, shade
from mosaic_env.world.pictures import PictureKind
from mosaic_env.world.scene import About, Scene, Thing, find, scene, text_at, the, thing

_WALLS = ("white", "yellow", "orange", "pink", "red", "grey", "green", "blue", "brown")
_ROOFS = ("domed", "flat", "pointed", "stepped")
_WINDOWS = ("round", "square", "arched", "pointed")
#: Distances of windows from the middle by how many there are on each side, and of columns by both numbers.
_WINDOW_SLOTS: dict[int, tuple[float, ...]] = {1: (70,), 2: (52, 92), 3: (44, 70, 96)}
_COLUMN_SLOTS: dict[int, tuple[float, ...]] = {1: (29, 91, 110), 2: (29, 72, 110), 3: (29, 57, 110)}
_LEFT, _RIGHT, _TOP, _FOOT = 44.0, 276.0, 104.0, 206.0


def _sample(rng: Random, about: About) -> dict[str, Any]:
    wall = pick(rng, _WALLS)
    roof = pick(rng, ("red", "green", "blue", "brown", "black", "purple", "orange"), besides=(wall,))
    banner = pick(rng, ("red", "blue", "green", "yellow", "purple", "white"), besides=(wall, roof))
    things: list[Thing] = [
        thing("wall", colour=wall),
        thing("roof", colour=roof, shape=rng.choice(_ROOFS), at=[500, 330]),
        thing("window", shape=rng.choice(_WINDOWS), count=rng.choice((2, 4, 6))),
        thing(
            "door",
            colour=pick_on(
                rng, wall, ("red", "green", "blue", "yellow", "black", "purple", "white"), besides=(banner,)
            ),
            at=[500, 780],
        ),
        thing("banner", colour=banner, at=[500, 500]),
        thing(
            "flag",
            colour=pick(rng, ("red", "yellow", "green", "blue", "orange", "purple", "pink")),
            count=rng.randint(1, 4),
            at=[500, 140],
        ),
    ]
    if rng.random() < 0.55:
        things.append(thing("column", count=rng.choice((2, 4, 6))))
    things.append(
        thing(
            rng.choice(("potted tree", "lamp post", "bench")),
            count=rng.randint(1, 4),
            role="forecourt",
            at=[500, 880],
        )
    )
    return scene(
        "facade",
        rng,
        things,
        {"banner": lettering.sign(rng)},
        sky=rng.choice(("day", "dawn", "dusk", "overcast", "night")),
    )


def _paint(canvas: Canvas, shown: Scene) -> None:
    rng = python_random(shown["seed"], "paint")
    sky = shown["look"]["sky"]
    scenery.sky(canvas, sky, 208)
    if sky == "night":
        scenery.stars(canvas, rng, 120, 26)
    else:
        for _ in range(4):
            scenery.cloud(canvas, rng.uniform(10, 310), rng.uniform(24, 96), rng.uniform(24, 44), alpha=0.65)
    scenery.ridge(canvas, rng, 208, 60, scenery.haze((96, 120, 128), sky, 0.45), bumps=3)
    _square(canvas, sky)
    wall = shade(the(shown, "wall")["colour"])
    _flags(canvas, the(shown, "flag"), the(shown, "roof"))
    roof = the(shown, "roof")
    _ROOF_SHAPES[roof["shape"]](canvas, shade(roof["colour"]))
    canvas.shadow(shapes.rectangle(_LEFT, _TOP, _RIGHT, _FOOT), 5, 2, blur=4)
    canvas.fill(
        shapes.rectangle(_LEFT, _TOP, _RIGHT, _FOOT), Gradient(lighter(wall, 0.14), darker(wall, 0.14), 20)
    )
    for y in (_TOP, 148.0):
        canvas.fill(shapes.rectangle(_LEFT - 4, y - 3, _RIGHT + 4, y + 2), darker(wall, 0.25))
    _windows(canvas, the(shown, "window"), wall, lit=sky in ("night", "dusk"))
    _door(canvas, shade(the(shown, "door")["colour"]), wall)
    columns = find(shown, "column")
    if columns:
        _columns(canvas, columns["count"], the(shown, "window")["count"] // 2, wall)
    _banner(canvas, shade(the(shown, "banner")["colour"]), text_at(shown, "banner"))
    for i in range(3):
        canvas.fill(
            shapes.rectangle(118 - 8 * i, 204 + 4 * i, 202 + 8 * i, 209 + 4 * i),
            ((220, 214, 206), (206, 198, 190), (190, 182, 176))[i],
        )
    _forecourt(canvas, next(entry for entry in shown["things"] if entry.get("role") == "forecourt"))


def _square(canvas: Canvas, sky: str) -> None:
    stone = scenery.haze((182, 174, 166), sky, 0.1) if sky != "night" else (96, 98, 120)
    canvas.fill(shapes.rectangle(0, 205, 320, 240), Gradient(lighter(stone, 0.1), darker(stone, 0.16)))
    for i in range(11):
        x = i * 32.0
        canvas.line([(160 + (x - 160) * 0.9, 206), (160 + (x - 160) * 1.35, 240)], darker(stone, 0.16), 0.9)
    for y in (214, 226):
        canvas.line([(0, y), (320, y)], darker(stone, 0.16), 0.9)


# --- roofs: all stand on the wall's upper edge --------------------------------------------------------


def _pointed(canvas: Canvas, tone: Colour) -> None:
    canvas.fill(
        [(_LEFT - 10, _TOP), (160, 54), (_RIGHT + 10, _TOP)],
        Gradient(lighter(tone, 0.12), darker(tone, 0.16), 0),
    )
    canvas.fill([(_LEFT + 30, _TOP - 5), (160, 66), (_RIGHT - 30, _TOP - 5)], lighter(tone, 0.2))
    canvas.line([(_LEFT - 10, _TOP), (160, 54), (_RIGHT + 10, _TOP)], lighter(tone, 0.3), 1.6)


def _domed(canvas: Canvas, tone: Colour) -> None:
    canvas.fill(shapes.rectangle(_LEFT - 6, 92, _RIGHT + 6, _TOP), darker(tone, 0.2))
    canvas.fill(shapes.rectangle(104, 82, 216, 94), lighter(tone, 0.24))
    canvas.fill(shapes.pie(160, 84, 54, 44, 180, 360), Gradient(lighter(tone, 0.3), darker(tone, 0.26), 0))
    for share in (-0.6, 0.0, 0.6):
        canvas.line(
            shapes.arc(160, 84, abs(share) * 54 or 0.1, 44, 180 if share < 0 else 360, 270, 12),
            darker(tone, 0.3),
            1.2,
        )
    canvas.fill(shapes.ellipse(160, 39, 5), darker(tone, 0.3))


def _flat(canvas: Canvas, tone: Colour) -> None:
    canvas.fill(
        shapes.rectangle(_LEFT - 8, 88, _RIGHT + 8, _TOP), Gradient(lighter(tone, 0.12), darker(tone, 0.2))
    )
    for i in range(15):
        canvas.fill(shapes.rectangle(_LEFT - 4 + i * 16.4, 92, _LEFT + 4 + i * 16.4, 99), darker(tone, 0.3))


def _stepped(canvas: Canvas, tone: Colour) -> None:
    for i, half in enumerate((122, 92, 62, 32)):
        low = _TOP - 13 * i
        canvas.fill(
            shapes.rectangle(160 - half, low - 14, 160 + half, low),
            Gradient(lighter(tone, 0.16), darker(tone, 0.14), 0),
        )
        canvas.line([(160 - half, low - 14), (160 + half, low - 14)], lighter(tone, 0.4), 1.4)


_ROOF_SHAPES: dict[str, Callable[[Canvas, Colour], None]] = {
    "pointed": _pointed, "domed": _domed, "flat": _flat, "stepped": _stepped,
}  # fmt: skip


def _flags(canvas: Canvas, flags: Thing, roof: Thing) -> None:
    places = {1: (160,), 2: (70, 250), 3: (70, 160, 250), 4: (62, 118, 202, 258)}[flags["count"]]
    tone = shade(flags["colour"])
    for x in places:
        top = 18.0 if roof["shape"] != "flat" or x != 160 else 34.0
        canvas.line([(x, 104), (x, top)], (96, 92, 100), 2)
        cloth = shapes.smooth(
            [
                (x, top),
                (x + 12, top + 3),
                (x + 25, top),
                (x + 25, top + 14),
                (x + 12, top + 17),
                (x, top + 14),
            ],
            steps=6,
        )
        canvas.fill(cloth, Gradient(lighter(tone, 0.1), darker(tone, 0.14), 0))


def _windows(canvas: Canvas, windows: Thing, wall: Colour, *, lit: bool) -> None:
    half = windows["count"] // 2
    pane = Gradient((255, 240, 190), (250, 214, 130)) if lit else Gradient((190, 222, 238), (106, 150, 184))
    for x in _mirrored(_WINDOW_SLOTS[half]):
        _window(canvas, windows["shape"], x, 180, (13.0, 11.5, 8.5)[half - 1], wall, pane)


def _mirrored(distances: tuple[float, ...]) -> list[float]:
    return [160 + side * distance for side in (-1, 1) for distance in distances]


def _window(canvas: Canvas, shape: str, x: float, y: float, r: float, wall: Colour, pane: Gradient) -> None:
    outlines = {
        "round": shapes.ellipse(x, y - 4, r * 1.15),
        "square": shapes.rectangle(x - r, y - r * 1.15, x + r, y + r * 0.85),
        "arched": [
            (x - r, y + r),
            (x - r, y - r * 0.5),
            *shapes.arc(x, y - r * 0.5, r, r, 180, 360, 16),
            (x + r, y + r),
        ],
        "pointed": [
            (x - r, y + r),
            (x - r, y - r * 0.4),
            (x, y - r * 1.6),
            (x + r, y - r * 0.4),
            (x + r, y + r),
        ],
    }
    outline = outlines[shape]
    canvas.fill(outline, pane)
    canvas.line(outline, darker(wall, 0.5), 2.2, closed=True)
    left, top, right, bottom = shapes.bounds(outline)
    canvas.line([(x, top), (x, bottom)], darker(wall, 0.5), 1.3)
    canvas.line([(left, (top + bottom) / 2), (right, (top + bottom) / 2)], darker(wall, 0.5), 1.3)


def _door(canvas: Canvas, tone: Colour, wall: Colour) -> None:
    frame = [(140, _FOOT), (140, 176), *shapes.arc(160, 176, 20, 18, 180, 360, 20), (180, _FOOT)]
    canvas.fill(frame, darker(wall, 0.45))
    door = [(144, _FOOT), (144, 177), *shapes.arc(160, 177, 16, 15, 180, 360, 20), (176, _FOOT)]
    canvas.fill(door, Gradient(lighter(tone, 0.14), darker(tone, 0.16), 0))
    canvas.line([(160, 163), (160, _FOOT)], darker(tone, 0.5), 1.4)
    for side in (-1, 1):
        canvas.fill(shapes.ellipse(160 + side * 4, 188, 1.8), (246, 214, 110))


def _columns(canvas: Canvas, count: int, half: int, wall: Colour) -> None:
    stone = lighter(wall, 0.4) if not is_light(wall) else darker(wall, 0.08)
    slots = _COLUMN_SLOTS[half]
    for x in _mirrored({2: slots[:1], 4: (slots[0], slots[2]), 6: slots}[count]):
        canvas.fill(
            shapes.rectangle(x - 4.5, 150, x + 4.5, _FOOT),
            Gradient(lighter(stone, 0.3), darker(stone, 0.22), 0),
        )
        for y in (150, _FOOT - 5):
            canvas.fill(shapes.rectangle(x - 6.5, y, x + 6.5, y + 5), darker(stone, 0.12))


def _banner(canvas: Canvas, tone: Colour, text: str) -> None:
    cloth = shapes.rectangle(64, 112, 256, 140)
    canvas.shadow(cloth, 1, 3, blur=2.5)
    canvas.fill(cloth, Gradient(lighter(tone, 0.1), darker(tone, 0.1)))
    for x in (64, 256):
        canvas.line([(x, 110), (x, 142)], (96, 80, 66), 2.4)
    canvas.write(
        text, 160, 126.5, 18, INK if is_light(tone) else (254, 252, 246), width=178, bold=0.5, spacing=0.06
    )


def _forecourt(canvas: Canvas, row: Thing) -> None:
    near, far = (14, 34) if row["name"] == "lamp post" else (20, 60)
    for x in (near, 320 - near, far, 320 - far)[: row["count"]]:
        _FURNITURE[row["name"]](canvas, x)


def _potted_tree(canvas: Canvas, x: float) -> None:
    canvas.fill(shapes.rectangle(x - 8, 226, x + 8, 237), (166, 104, 74))
    canvas.fill(shapes.ellipse(x, 213, 14, 15), Gradient((110, 176, 96), (50, 120, 72), 50))


def _lamp_post(canvas: Canvas, x: float) -> None:
    canvas.line([(x, 236), (x, 180)], (58, 58, 70), 3)
    canvas.fill(shapes.ellipse(x, 236, 8, 3), (58, 58, 70))
    canvas.fill(shapes.ellipse(x, 176, 7.5), (255, 236, 164))
    canvas.fill(shapes.pie(x, 172, 8.5, 6, 180, 360), (58, 58, 70))


def _bench(canvas: Canvas, x: float) -> None:
    for y in (216, 222):
        canvas.fill(shapes.rounded(x - 16, y, x + 16, y + 4, 1.5), (146, 98, 62))
    for dx in (-12, 12):
        canvas.line([(x + dx, 214), (x + dx, 236)], (58, 58, 70), 2.4)
    canvas.fill(shapes.rounded(x - 18, 227, x + 18, 231, 1.5), (124, 82, 52))


_FURNITURE: dict[str, Callable[[Canvas, float], None]] = {
    "potted tree": _potted_tree, "lamp post": _lamp_post, "bench": _bench,
}  # fmt: skip


FACADE = PictureKind((320, 240), _sample, _paint)
