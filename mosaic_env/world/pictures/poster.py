"""Film posters: one strong scene, a title, a tagline, and the small print nobody reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from mosaic_env.core.seeds import python_random
from mosaic_env.world import lettering
from mosaic_env.world.drawing import scenery, shapes
from mosaic_env.world.drawing.canvas import Canvas, line_width
from mosaic_env.world.drawing.icons import draw_icon
from mosaic_env.world.drawing.landmarks import draw_landmark
from mosaic_env.world.drawing.paints import Glow, Gradient
from mosaic_env.world.drawing.palette import Colour, darker, is_light, lighter, pick, pick_on, shade
from mosaic_env.world.pictures import PictureKind
from mosaic_env.world.scene import About, Scene, Thing, scene, text_at, the, the_part, thing

_GROUNDS = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "black", "white")
_LANDMARKS = (
    "clock tower",
    "lighthouse",
    "windmill",
    "castle",
    "church",
    "pagoda",
    "skyscraper",
    "Ferris wheel",
)
_EMBLEMS = (
    "key",
    "anchor",
    "crown",
    "bell",
    "lantern",
    "butterfly",
    "feather",
    "wheel",
    "heart",
    "book",
    "flower",
    "snowflake",
)
_W, _H = 240.0, 320.0


@dataclass(frozen=True)
class _Layout:
    sample: Callable[[Random], tuple[list[Thing], dict[str, Any]]]
    paint: Callable[[Canvas, Scene, Random], None]


def _sample(rng: Random, about: About) -> dict[str, Any]:
    layout = rng.choice(sorted(_LAYOUTS))
    things, look = _LAYOUTS[layout].sample(rng)
    words = {"title": about.label.upper(), "tagline": lettering.tagline(rng)}
    return scene("poster", rng, things, words, layout=layout, title_on_top=rng.random() < 0.4, **look)


def _paint(canvas: Canvas, shown: Scene) -> None:
    rng = python_random(shown["seed"], "paint")
    _LAYOUTS[shown["look"]["layout"]].paint(canvas, shown, rng)
    _print(canvas, shown)


# --- layouts --------------------------------------------------------------------------------------


def _voyage_sample(rng: Random) -> tuple[list[Thing], dict[str, Any]]:
    ground = pick(rng, ("red", "orange", "yellow", "pink", "purple", "blue"))
    disc = pick_on(rng, ground, ("red", "orange", "yellow", "white"), besides=(ground,))
    sails = pick(rng, ("red", "yellow", "white", "green", "black", "purple"), besides=(ground, disc))
    return [
        thing("sky", colour=ground),
        thing("sun", colour=disc, count=1, at=[rng.choice((280, 500, 720)), 420]),
        thing("sailing boat", colour=sails, count=rng.randint(1, 4), at=[500, 660]),
        thing("gull", count=rng.randint(2, 6), at=[500, 300]),
    ], {}


def _voyage(canvas: Canvas, shown: Scene, rng: Random) -> None:
    sky, sun = the(shown, "sky"), the(shown, "sun")
    tone = shade(sky["colour"])
    canvas.fill(shapes.rectangle(0, 0, _W, _H), Gradient(lighter(tone, 0.06), lighter(tone, 0.34)))
    scenery.disc(canvas, sun["at"][0] * 0.24, 142, 48, shade(sun["colour"]), lighter(tone, 0.4))
    scenery.ridge(canvas, rng, 200, 36, darker(tone, 0.3), bumps=3)
    scenery.water(canvas, rng, 196, darker(tone, 0.55), 244)
    canvas.fill(shapes.rectangle(0, 243, _W, _H), darker(tone, 0.68))
    boats = the(shown, "sailing boat")
    for i in range(boats["count"]):
        size = 62 if boats["count"] == 1 else 44
        x = _W * (i + 0.5) / boats["count"] + rng.uniform(-5, 5)
        scenery.sailboat(canvas, x, 222 + 10 * (i % 2), size, shade(boats["colour"]))
    gulls = the(shown, "gull")
    for i in range(gulls["count"]):
        scenery.gull(
            canvas,
            26 + 190 * (i + 0.5) / gulls["count"],
            rng.uniform(78, 100),
            rng.uniform(8, 11),
            darker(tone, 0.75),
        )


def _beacon_sample(rng: Random) -> tuple[list[Thing], dict[str, Any]]:
    ground = pick(rng, _GROUNDS)
    wall = pick_on(rng, ground, ("red", "orange", "yellow", "green", "blue", "purple", "white", "black"))
    return [
        thing("background", colour=ground),
        thing(rng.choice(_LANDMARKS), colour=wall, count=1, role="main motif", at=[500, 500]),
        thing("fir tree", count=rng.randint(2, 6), at=[500, 700]),
    ], {"rays": rng.choice((12, 16, 20))}


def _beacon(canvas: Canvas, shown: Scene, rng: Random) -> None:
    tone = shade(the(shown, "background")["colour"])
    pale = lighter(tone, 0.22) if not is_light(tone) else darker(tone, 0.09)
    canvas.fill(shapes.rectangle(0, 0, _W, _H), tone)
    scenery.rays(canvas, 120, 150, shown["look"]["rays"], pale, turn=rng.uniform(0, 20))
    canvas.fill(
        shapes.ellipse(120, 150, 62), lighter(tone, 0.42) if not is_light(tone) else darker(tone, 0.16)
    )
    canvas.fill(
        shapes.smooth([(-20, 260), (40, 224), (120, 212), (200, 224), (260, 260), (240, 330), (0, 330)]),
        darker(tone, 0.62),
    )
    main = the_part(shown, "main motif")
    draw_landmark(
        canvas, main["name"], 120, 224, 146 if main["name"] != "castle" else 118, shade(main["colour"])
    )
    trees = the(shown, "fir tree")
    for i in range(trees["count"]):
        side = -1 if i % 2 == 0 else 1
        scenery.fir_tree(canvas, 120 + side * (56 + 25 * (i // 2)), 234 + 4 * (i // 2), 42, darker(tone, 0.8))


def _symbol_sample(rng: Random) -> tuple[list[Thing], dict[str, Any]]:
    ground = pick(rng, _GROUNDS)
    ring = pick_on(rng, ground)
    figure = pick_on(rng, ring, besides=(ground,))
    return [
        thing("background", colour=ground),
        thing("disc", colour=ring),
        thing(rng.choice(_EMBLEMS), colour=figure, count=1, role="main motif", at=[500, 470]),
        thing("ring", count=rng.randint(1, 4)),
    ], {}


def _symbol(canvas: Canvas, shown: Scene, rng: Random) -> None:
    tone = shade(the(shown, "background")["colour"])
    disc = shade(the(shown, "disc")["colour"])
    canvas.fill(shapes.rectangle(0, 0, _W, _H), Gradient(lighter(tone, 0.12), darker(tone, 0.16)))
    y = 148.0
    for i in range(the(shown, "ring")["count"], 0, -1):
        canvas.line(shapes.ellipse(120, y, 57 + 8 * i), disc, 2.6, closed=True)
    circle = shapes.ellipse(120, y, 56)
    canvas.shadow(circle, 0, 4, blur=5)
    canvas.fill(circle, Glow(100, y - 20, 100, lighter(disc, 0.14), darker(disc, 0.1)))
    main = the_part(shown, "main motif")
    draw_icon(canvas, main["name"], 122, y + 3, 37, darker(disc, 0.32))
    draw_icon(canvas, main["name"], 120, y, 37, shade(main["colour"]))


def _house_sample(rng: Random) -> tuple[list[Thing], dict[str, Any]]:
    sky = rng.choice(("blue", "purple", "green", "black"))
    door = pick(rng, ("red", "yellow", "green", "blue", "white", "orange"), besides=(sky,))
    return [
        thing("moon", colour=pick(rng, ("white", "yellow", "orange", "red")), shape=rng.choice(("round", "crescent")),
              at=[rng.choice((220, 780)), 260]),
        thing("lit window", count=rng.randint(1, 6), at=[500, 580]),
        thing("door", colour=door, at=[500, 690]),
        thing("bat", count=rng.randint(1, 5), at=[500, 330]),
    ], {"sky": sky}  # fmt: skip


def _house(canvas: Canvas, shown: Scene, rng: Random) -> None:
    tone = shade(shown["look"]["sky"])
    canvas.fill(shapes.rectangle(0, 0, _W, _H), Gradient(darker(tone, 0.55), lighter(tone, 0.18)))
    scenery.stars(canvas, rng, 170, 26)
    moon = the(shown, "moon")
    x, colour = moon["at"][0] * 0.24, shade(moon["colour"])
    if moon["shape"] == "round":
        scenery.disc(canvas, x, 92, 28, colour, lighter(tone, 0.3))
    else:
        draw_icon(canvas, "crescent", x, 92, 28, colour)
    canvas.fill(
        shapes.smooth([(-30, 270), (30, 226), (120, 208), (210, 226), (270, 270), (250, 340), (-10, 340)]),
        darker(tone, 0.78),
    )
    wall = darker(tone, 0.5)
    canvas.fill(shapes.rectangle(66, 146, 174, 220), Gradient(lighter(wall, 0.12), wall, 0))
    canvas.fill([(56, 148), (120, 104), (184, 148)], darker(wall, 0.4))
    canvas.fill(shapes.rectangle(148, 104, 162, 134), darker(wall, 0.4))
    lit = the(shown, "lit window")["count"]
    places = [(78, 156), (112, 156), (146, 156), (78, 186), (146, 186), (113, 122)]
    for i, (left, top) in enumerate(places):
        width = 16 if i < 5 else 14
        pane = (255, 216, 110) if i < lit else darker(wall, 0.45)
        canvas.fill(shapes.rectangle(left, top, left + width, top + width + 2), pane)
        canvas.line([(left + width / 2, top), (left + width / 2, top + width + 2)], darker(wall, 0.5), 1.4)
        canvas.line([(left, top + width / 2), (left + width, top + width / 2)], darker(wall, 0.5), 1.4)
    door = shade(the(shown, "door")["colour"])
    canvas.fill([(110, 220), (110, 192), *shapes.arc(120, 192, 10, 8, 180, 360, 10), (130, 220)], door)
    canvas.fill(shapes.ellipse(127, 206, 1.5), darker(door, 0.6))
    for i in range(the(shown, "bat")["count"]):
        _bat(
            canvas,
            44 + 38 * i,
            rng.uniform(118, 128) if i in (0, 4) else rng.uniform(74, 94),
            10,
            lighter(tone, 0.62),
        )
    for i in range(9):
        foot = 40 + 20 * i
        canvas.line([(foot, 246), (foot, 226 + abs(i - 4) * 2)], darker(tone, 0.9), 3)


def _bat(canvas: Canvas, x: float, y: float, size: float, colour: Colour) -> None:
    half = [
        (0.0, -0.2),
        (0.16, -0.5),
        (0.3, -0.24),
        (1.1, -0.5),
        (1.3, 0.24),
        (0.95, 0.1),
        (0.62, 0.36),
        (0.32, 0.14),
        (0.0, 0.55),
    ]
    canvas.fill(shapes.placed(half + [(-u, v) for u, v in half[::-1]], x, y, size), colour)


def _flight_sample(rng: Random) -> tuple[list[Thing], dict[str, Any]]:
    ground = pick(rng, ("blue", "orange", "yellow", "pink", "green", "purple"))
    first = pick_on(rng, ground, ("red", "yellow", "white", "orange", "blue", "purple", "black"))
    return [
        thing("sky", colour=ground),
        thing(
            "balloon",
            colour=first,
            count=rng.randint(1, 5),
            pattern=rng.choice(("striped", "plain")),
            at=[500, 350],
        ),
        thing("mountain", count=rng.randint(2, 4), at=[500, 650]),
    ], {}


def _flight(canvas: Canvas, shown: Scene, rng: Random) -> None:
    tone = shade(the(shown, "sky")["colour"])
    canvas.fill(shapes.rectangle(0, 0, _W, _H), Gradient(tone, lighter(tone, 0.62)))
    for x, y, size in ((40, 120, 30), (196, 92, 36), (150, 172, 26)):
        scenery.cloud(canvas, x + rng.uniform(-14, 14), y, size, alpha=0.75)
    mountains = the(shown, "mountain")["count"]
    for i in range(mountains):
        x, height = _W * (i + 0.5) / mountains, rng.uniform(64, 84)
        half = _W / mountains * 0.62
        rock = darker(tone, 0.42 + 0.12 * (i % 2))
        canvas.fill([(x - half, 246), (x, 246 - height), (x + half, 246)], rock)
        canvas.fill(
            [
                (x, 246 - height),
                (x + half * 0.3, 246 - height * 0.7),
                (x + half * 0.1, 246 - height * 0.76),
                (x, 246 - height * 0.62),
                (x - half * 0.12, 246 - height * 0.76),
                (x - half * 0.3, 246 - height * 0.7),
            ],
            (250, 250, 250),
        )
    canvas.fill(shapes.rectangle(0, 244, _W, _H), darker(tone, 0.66))
    balloons = the(shown, "balloon")
    count, colour = balloons["count"], shade(balloons["colour"])
    second = (252, 250, 244) if balloons["colour"] != "white" else (150, 160, 190)
    places = {
        1: [(120, 112, 38)],
        2: [(76, 116, 26), (164, 96, 26)],
        3: [(56, 122, 21), (122, 92, 21), (188, 124, 21)],
    }
    more = [(44, 98, 16), (98, 84, 16), (150, 94, 16), (202, 84, 16), (122, 146, 16)]
    for x, y, radius in places.get(count, more[:count]):
        scenery.balloon(canvas, x, y, radius, colour, second if balloons["pattern"] == "striped" else None)


_LAYOUTS = {
    "voyage": _Layout(_voyage_sample, _voyage),
    "beacon": _Layout(_beacon_sample, _beacon),
    "symbol": _Layout(_symbol_sample, _symbol),
    "house": _Layout(_house_sample, _house),
    "flight": _Layout(_flight_sample, _flight),
}


# --- lettering ------------------------------------------------------------------------------------


def _print(canvas: Canvas, shown: Scene) -> None:
    """Write title, tagline and small print, and draw the margin of the paper."""
    low, high = canvas.ink_at(120, 280), canvas.ink_at(120, 30)
    title, tag = text_at(shown, "title"), text_at(shown, "tagline")
    if shown["look"]["title_on_top"]:
        _title(canvas, title, 38, high)
        canvas.write(tag, 120, 276, 12, low, width=206, spacing=0.08)
    else:
        canvas.write(tag, 120, 22, 12, high, width=206, spacing=0.08)
        _title(canvas, title, 267, low)
    for y, half in ((295, 78), (302, 64)):
        _small_print(canvas, 120 - half, 120 + half, y, low)
    for edge in ((0, 0, _W, 7), (0, _H - 7, _W, _H), (0, 0, 7, _H), (_W - 7, 0, _W, _H)):
        canvas.fill(shapes.rectangle(*edge), (250, 246, 236))


def _title(canvas: Canvas, title: str, y: float, colour: Colour) -> None:
    """Write a title on one line or two."""
    words = title.split()
    if line_width(title, 25) < 215 or len(words) == 1:
        canvas.write(title, 120, y, 28, colour, width=212, bold=0.7)
        return
    half = min(range(1, len(words)), key=lambda i: abs(len(" ".join(words[:i])) - len(" ".join(words[i:]))))
    for i, line in enumerate((" ".join(words[:half]), " ".join(words[half:]))):
        canvas.write(line, 120, y - 12 + 24 * i, 23, colour, width=212, bold=0.6)


def _small_print(canvas: Canvas, left: float, right: float, y: float, colour: Colour) -> None:
    x = left
    while x < right:
        step = 3 + (x * 7 + y) % 9
        canvas.line([(x, y), (min(x + step, right), y)], colour, 1.4)
        x += step + 3


POSTER = PictureKind((240, 320), _sample, _paint)
