"""A portrait from back to front: wall, hair, clothes, face, jewels, glasses, hat."""

from __future__ import annotations

from mosaic_env.world.drawing import shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.icons import draw_icon
from mosaic_env.world.drawing.paints import Gradient, Pattern
from mosaic_env.world.drawing.palette import darker, lighter, mix, shade
from mosaic_env.world.pictures.portrait_clothes import NECKWEAR, draw_body
from mosaic_env.world.pictures.portrait_hair import BACK_HAIR, BEARDS, FRONT_HAIR, draw_moustache
from mosaic_env.world.pictures.portrait_hats import HATS
from mosaic_env.world.pictures.portrait_sitter import RX, RY, Sitter, X, Y
from mosaic_env.world.scene import Scene, Thing, find, part, the, the_part


def paint_portrait(canvas: Canvas, shown: Scene, sitter: Sitter) -> None:
    """Draw a portrait scene."""
    _wall(canvas, the(shown, "wall"), sitter)
    if sitter.style in BACK_HAIR:
        BACK_HAIR[sitter.style](canvas, sitter)
    garment = the_part(shown, "garment")
    draw_body(canvas, garment, sitter)
    brooch = part(shown, "brooch")
    if brooch:
        draw_icon(canvas, brooch["name"], 164, 274, 14, shade(brooch["colour"]))
    _face(canvas, sitter)
    beard = find(shown, "facial hair")
    if beard:
        BEARDS[beard["style"]](canvas, sitter)
    _features(canvas, sitter)
    if beard and beard["style"] in ("moustache", "goatee", "full beard"):
        draw_moustache(canvas, sitter)
    hat = part(shown, "headgear")
    if sitter.style in FRONT_HAIR and not (hat and sitter.style in ("spiky hair",)):
        FRONT_HAIR[sitter.style](canvas, sitter)
    _jewels(canvas, shown)
    neckwear = part(shown, "neckwear")
    if neckwear:
        NECKWEAR[neckwear["name"]](canvas, neckwear)
    glasses = part(shown, "eyewear")
    if glasses:
        _glasses(canvas, glasses)
    if hat:
        band = find(shown, "hat band")
        HATS[hat["name"]](canvas, shade((band or hat)["colour"]))


def _wall(canvas: Canvas, wall: Thing, sitter: Sitter) -> None:
    tone = shade(wall["colour"], 1)
    soft = mix(tone, (255, 255, 255), 0.08)
    whole = shapes.rectangle(0, 0, 240, 320)
    if wall["pattern"] == "striped":
        canvas.fill(
            whole,
            Pattern(
                "striped", tone, lighter(tone, 0.16) if wall["colour"] != "white" else darker(tone, 0.07), 32
            ),
        )
    elif wall["pattern"] == "dotted":
        canvas.fill(
            whole,
            Pattern(
                "dotted", tone, lighter(tone, 0.22) if wall["colour"] != "white" else darker(tone, 0.09), 22
            ),
        )
    else:
        canvas.fill(whole, Gradient(lighter(soft, 0.16), darker(tone, 0.14)))


def _face(canvas: Canvas, sitter: Sitter) -> None:
    for side in (-1, 1):
        canvas.fill(shapes.ellipse(X + side * (RX + 1), Y + 4, 8, 12), darker(sitter.skin, 0.06))
        canvas.fill(shapes.ellipse(X + side * (RX + 1), Y + 4, 4, 7), darker(sitter.skin, 0.16))
    jaw = 0.66 if sitter.woman else 0.78
    outline = [
        (0, -RY),
        (RX * 0.7, -RY * 0.78),
        (RX, -RY * 0.1),
        (RX * 0.93, RY * 0.4),
        (RX * jaw, RY * 0.78),
        (0, RY * 1.06),
    ]
    face = shapes.smooth([(X + x, Y + y) for x, y in outline] + [(X - x, Y + y) for x, y in outline[-2:0:-1]])
    with canvas.clip([(100, 170), (140, 170), (141, 222), (146, 240), (94, 240), (99, 222)]):
        canvas.shadow(face, 0, 8, blur=3, alpha=0.22)
    canvas.fill(face, Gradient(lighter(sitter.skin, 0.1), darker(sitter.skin, 0.1), 20))
    for side in (-1, 1):
        canvas.fill(shapes.ellipse(X + side * 25, Y + 20, 9, 6.5), sitter.blush, 0.55)


def _features(canvas: Canvas, sitter: Sitter) -> None:
    brow = darker(sitter.hair, 0.25) if sitter.hair[0] < 200 else darker(sitter.hair, 0.4)
    iris = sitter.rng.choice(((92, 62, 40), (64, 104, 140), (72, 112, 76), (58, 46, 42)))
    for side in (-1, 1):
        x, y = X + side * 18.5, Y - 2
        canvas.fill(
            shapes.smooth([(x - 10, y + 1), (x, y - 6.4), (x + 10, y + 1), (x, y + 5.6)]), (253, 252, 250)
        )
        canvas.fill(shapes.ellipse(x, y - 0.4, 5.2), iris)
        canvas.fill(shapes.ellipse(x, y - 0.4, 2.7), (24, 20, 26))
        canvas.fill(shapes.ellipse(x - 1.6, y - 2.2, 1.4), (255, 255, 255))
        canvas.line(
            shapes.smooth([(x - 10, y + 1), (x, y - 6.4), (x + 10, y + 1)], closed=False),
            sitter.line,
            2.2 if sitter.woman else 1.6,
        )
        if sitter.woman:
            canvas.line([(x + side * 9, y), (x + side * 13, y - 3.4)], sitter.line, 1.8)
        arch = [(x - side * 11, y - 13), (x + side * 1, y - 17.5), (x + side * 12, y - 13.5)]
        canvas.line(shapes.smooth(arch, closed=False), brow, 2.6 if sitter.woman else 4.0)
    nose = [(X + 1, Y + 4), (X + 6.5, Y + 19), (X + 2, Y + 22.5), (X - 5, Y + 21)]
    canvas.line(shapes.smooth(nose, closed=False), darker(sitter.skin, 0.32), 2.0)
    _mouth(canvas, sitter)


def _mouth(canvas: Canvas, sitter: Sitter) -> None:
    y = Y + 34
    lips = mix(sitter.skin, (196, 48, 62) if sitter.woman else (170, 70, 66), 0.66 if sitter.woman else 0.45)
    smile = sitter.rng.choice((2.0, 3.5, 5.0))
    upper = [
        (X - 15, y - smile * 0.4),
        (X - 5, y - 2.8),
        (X, y - 1.6),
        (X + 5, y - 2.8),
        (X + 15, y - smile * 0.4),
    ]
    lower = [(X + 9, y + smile + 2.6), (X, y + smile + 4.4), (X - 9, y + smile + 2.6)]
    canvas.fill(shapes.smooth(upper + lower), lips)
    canvas.line(
        shapes.smooth([(X - 14, y - smile * 0.3), (X, y + smile), (X + 14, y - smile * 0.3)], closed=False),
        darker(lips, 0.35),
        1.5,
    )


def _jewels(canvas: Canvas, shown: Scene) -> None:
    earring = find(shown, "earring")
    if not earring:
        return
    tone = shade(earring["colour"])
    for side in (-1, 1):
        x, y = X + side * (RX + 3), Y + 24
        corners = {"triangular": 3, "square": 4}.get(earring["shape"])
        gem = (
            shapes.regular(x, y, 9, corners, 45 if corners == 4 else 0)
            if corners
            else shapes.ellipse(x, y, 7.5)
        )
        canvas.outlined(gem, tone, darker(tone, 0.45), 1.2)


def _glasses(canvas: Canvas, entry: Thing) -> None:
    rim = shade(entry["colour"])
    for side in (-1, 1):
        x, y = X + side * 19, Y - 1
        lens = {
            "round": shapes.ellipse(x, y, 15.5),
            "square": shapes.rounded(x - 16, y - 13, x + 16, y + 13, 3),
            "half-moon": [*shapes.arc(x, y - 3, 16, 15, 0, 180, 20)],
            "star-shaped": shapes.star(x, y, 19.5, 5, 0.52),
        }[entry["shape"]]
        canvas.fill(lens, (214, 236, 246), 0.4)
        canvas.line(lens, rim, 3.2, closed=True)
        canvas.line([(x + side * 16, y - 3), (X + side * (RX + 2), y - 6)], rim, 2.6)
    canvas.line(shapes.arc(X, Y - 1, 5, 5, 200, 340, 8), rim, 2.8)
