"""Hair and beards of a portrait: what lies behind the head, and what lies before it."""

from __future__ import annotations

from collections.abc import Callable

from mosaic_env.core.seeds import python_random
from mosaic_env.world.drawing import shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.paints import Glow, Gradient
from mosaic_env.world.drawing.palette import darker, lighter
from mosaic_env.world.pictures.portrait_sitter import RX, RY, Sitter, X, Y


def _gloss(sitter: Sitter) -> Gradient:
    return Gradient(lighter(sitter.hair, 0.16), darker(sitter.hair, 0.22), 70)


def _cap(canvas: Canvas, sitter: Sitter, hairline: list[shapes.Point]) -> None:
    """Draw hair on the top of the head down to a hairline given from left to right."""
    crown = shapes.arc(X, Y - 6, RX + 6, RY + 8, 180, 360, 40)
    canvas.fill(crown + shapes.smooth(hairline[::-1], closed=False), _gloss(sitter))


def _short(canvas: Canvas, sitter: Sitter) -> None:
    _cap(canvas, sitter, [(72, 132), (79, 112), (92, 98), (120, 92), (148, 98), (161, 112), (168, 132)])
    for x in (96, 112, 128, 144):
        canvas.line(
            shapes.smooth([(x, 78), (x + 5, 86), (x + 4, 95)], closed=False), darker(sitter.hair, 0.3), 1.4
        )


def _side_parting(canvas: Canvas, sitter: Sitter) -> None:
    _cap(
        canvas,
        sitter,
        [(71, 140), (78, 112), (88, 94), (100, 88), (122, 106), (150, 108), (164, 118), (169, 140)],
    )
    canvas.line(shapes.smooth([(97, 73), (98, 81), (101, 90)], closed=False), lighter(sitter.hair, 0.4), 1.8)
    for y in (78, 88):
        canvas.line(
            shapes.smooth([(106, y), (130, y + 12), (156, y + 18)], closed=False),
            darker(sitter.hair, 0.28),
            1.4,
        )


def _spiky(canvas: Canvas, sitter: Sitter) -> None:
    tips = [
        (70, 128),
        (66, 100),
        (78, 104),
        (74, 76),
        (92, 86),
        (94, 58),
        (110, 76),
        (122, 50),
        (132, 76),
        (148, 58),
        (150, 86),
        (168, 76),
        (163, 104),
        (175, 100),
        (170, 128),
    ]
    line = [(163, 114), (150, 100), (136, 104), (120, 96), (104, 104), (90, 100), (77, 114)]
    canvas.fill(tips + line, _gloss(sitter))


def _curls(canvas: Canvas, sitter: Sitter, *, front: bool) -> None:
    rng = python_random(7, "curls")
    if not front:
        drop = 46 if sitter.woman else 4
        for x, y in shapes.arc(X, Y - 14 + drop / 3, RX + 12, RY + 6 + drop / 3, 160 - drop, 380 + drop, 24):
            canvas.fill(shapes.ellipse(x, y, 15), darker(sitter.hair, 0.14))
        return
    for radius, low, high in ((RX + 2, 188, 352), (RX - 12, 206, 334)):
        for x, y in shapes.arc(X, Y - 22, radius, radius + 4, low, high, 11):
            canvas.fill(
                shapes.ellipse(x, y, 12.5),
                Glow(x - 4, y - 5, 18, lighter(sitter.hair, 0.2), darker(sitter.hair, 0.12)),
            )
            canvas.line(
                shapes.arc(x, y, 7, 7, rng.randrange(360), rng.randrange(360, 560), 10),
                darker(sitter.hair, 0.34),
                1.3,
            )


def _fringe(canvas: Canvas, sitter: Sitter) -> None:
    _cap(
        canvas,
        sitter,
        [
            (70, 160),
            (76, 118),
            (86, 108),
            (104, 112),
            (120, 109),
            (136, 112),
            (154, 108),
            (164, 118),
            (170, 160),
        ],
    )
    for x in (92, 106, 120, 134, 148):
        canvas.line(
            shapes.smooth([(x + (120 - x) * 0.5, 76), (x, 92), (x, 107)], closed=False),
            darker(sitter.hair, 0.26),
            1.3,
        )


def _bob_back(canvas: Canvas, sitter: Sitter) -> None:
    back = [
        (120, 68),
        (164, 86),
        (178, 130),
        (180, 190),
        (150, 204),
        (90, 204),
        (60, 190),
        (62, 130),
        (76, 86),
    ]
    canvas.fill(shapes.smooth(back), darker(sitter.hair, 0.12))


def _long_back(canvas: Canvas, sitter: Sitter) -> None:
    back = [
        (120, 66),
        (166, 84),
        (182, 140),
        (190, 214),
        (200, 286),
        (150, 276),
        (90, 276),
        (40, 286),
        (50, 214),
        (58, 140),
        (74, 84),
    ]
    canvas.fill(shapes.smooth(back), Gradient(darker(sitter.hair, 0.06), darker(sitter.hair, 0.26)))


def _centre_parting(canvas: Canvas, sitter: Sitter) -> None:
    left = [(120, 72), (82, 84), (70, 130), (68, 184), (76, 176), (82, 128), (100, 104), (120, 90)]
    for flip in (False, True):
        side = [(240 - x, y) for x, y in left] if flip else left
        canvas.fill(shapes.smooth(side), _gloss(sitter))
        for bend in (0.3, 0.6):
            strand = [
                (120, 78 + bend * 8),
                (96 - bend * 10, 96 + bend * 6),
                (80 - bend * 6, 130),
                (76 - bend * 4, 168),
            ]
            path = [(240 - x, y) for x, y in strand] if flip else strand
            canvas.line(shapes.smooth(path, closed=False), darker(sitter.hair, 0.28), 1.3)


def _bun_back(canvas: Canvas, sitter: Sitter) -> None:
    canvas.fill(shapes.ellipse(120, 62, 26, 24), _gloss(sitter))
    for r in (9, 17):
        canvas.line(shapes.arc(120, 62, r, r * 0.9, 200, 480, 20), darker(sitter.hair, 0.3), 1.5)


def _braid(canvas: Canvas, sitter: Sitter) -> None:
    _centre_parting(canvas, sitter)
    for i in range(8):
        x, y = 168 + 2.0 * i - (i * i) * 0.3, 178 + 15 * i
        for side in (-1, 1):
            knot = shapes.placed(shapes.ellipse(0, 0, 8.5, 12), x + side * 5, y, turn=side * 28)
            canvas.outlined(
                knot,
                Gradient(lighter(sitter.hair, 0.14), darker(sitter.hair, 0.16)),
                darker(sitter.hair, 0.36),
                1.0,
            )
    canvas.fill(shapes.rounded(156, 292, 176, 299, 3), (206, 60, 70))
    canvas.fill(shapes.smooth([(158, 299), (174, 299), (178, 318), (166, 322), (154, 318)]), sitter.hair)


BACK_HAIR: dict[str, Callable[[Canvas, Sitter], None]] = {
    "bob": _bob_back,
    "long hair": _long_back,
    "bun": _bun_back,
    "braid": _bob_back,
    "curly hair": lambda canvas, sitter: _curls(canvas, sitter, front=False),
}
FRONT_HAIR: dict[str, Callable[[Canvas, Sitter], None]] = {
    "short hair": _short,
    "side parting": _side_parting,
    "spiky hair": _spiky,
    "bob": _fringe,
    "long hair": _centre_parting,
    "bun": lambda canvas, sitter: _cap(
        canvas, sitter, [(72, 126), (84, 104), (102, 92), (120, 88), (138, 92), (156, 104), (168, 126)]
    ),
    "braid": _braid,
    "curly hair": lambda canvas, sitter: _curls(canvas, sitter, front=True),
}


def _full_beard(canvas: Canvas, sitter: Sitter) -> None:
    outline = [
        (74, 134),
        (80, 156),
        (92, 160),
        (104, 154),
        (120, 158),
        (136, 154),
        (148, 160),
        (160, 156),
        (166, 134),
        (166, 170),
        (152, 198),
        (120, 214),
        (88, 198),
        (74, 170),
    ]
    canvas.fill(shapes.smooth(outline), _gloss(sitter))
    for x in (92, 106, 120, 134, 148):
        canvas.line(
            shapes.smooth([(x, 186), (x + (120 - x) * 0.15, 198)], closed=False),
            darker(sitter.hair, 0.3),
            1.3,
        )


def _goatee(canvas: Canvas, sitter: Sitter) -> None:
    canvas.fill(
        shapes.smooth(
            [(100, 160), (106, 182), (120, 186), (134, 182), (140, 160), (138, 190), (120, 208), (102, 190)]
        ),
        _gloss(sitter),
    )


def draw_moustache(canvas: Canvas, sitter: Sitter) -> None:
    """Draw a moustache; goatees and full beards have one too."""
    y = Y + 27
    for side in (-1, 1):
        half = [
            (X, y - 3),
            (X + side * 12, y - 4),
            (X + side * 27, y + 4),
            (X + side * 12, y + 5),
            (X, y + 3),
        ]
        canvas.fill(shapes.smooth(half), sitter.hair)


BEARDS: dict[str, Callable[[Canvas, Sitter], None]] = {
    "full beard": _full_beard,
    "goatee": _goatee,
    "moustache": lambda canvas, sitter: None,
}
