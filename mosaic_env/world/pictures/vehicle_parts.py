"""Vehicles seen from the side, heading right; wheels stand on y = 208."""

from __future__ import annotations

from collections.abc import Callable

from mosaic_env.world.drawing import shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.paints import Gradient
from mosaic_env.world.drawing.palette import INK, Colour, darker, lighter, shade
from mosaic_env.world.scene import Scene, Thing, find, part, the, the_part

_GLASS = Gradient((206, 234, 246), (134, 180, 208), 50)
_ROAD = 208.0


def draw_vehicle(canvas: Canvas, shown: Scene, plate: str) -> None:
    """Draw the vehicle of a scene."""
    vehicle = the_part(shown, "vehicle")
    body, stripe = shade(vehicle["colour"]), shade(the(shown, "stripe")["colour"])
    if vehicle["name"] != "steamer":
        canvas.fill(shapes.ellipse(160, _ROAD + 1, 136, 6), (30, 28, 44), 0.4)
    _MODELS[vehicle["name"]](canvas, shown, body, stripe, plate)


def _skin(tone: Colour) -> Gradient:
    return Gradient(lighter(tone, 0.2), darker(tone, 0.18))


def _wheel(canvas: Canvas, x: float, radius: float) -> None:
    y = _ROAD - radius
    canvas.fill(shapes.ellipse(x, y, radius), (38, 36, 44))
    canvas.fill(shapes.ellipse(x, y, radius * 0.6), Gradient((224, 226, 232), (150, 154, 166)))
    for turn in range(0, 180, 36):
        canvas.line(
            shapes.placed([(-radius * 0.5, 0), (radius * 0.5, 0)], x, y, turn=turn), (120, 124, 138), 1.4
        )
    canvas.fill(shapes.ellipse(x, y, radius * 0.2), (70, 70, 84))


def _sign(canvas: Canvas, x: float, y: float, plate: str, width: float = 62) -> None:
    canvas.fill(shapes.rounded(x - width / 2, y - 9, x + width / 2, y + 9, 2.5), (252, 250, 240))
    canvas.line(shapes.rounded(x - width / 2, y - 9, x + width / 2, y + 9, 2.5), INK, 1.2, closed=True)
    canvas.write(plate, x, y, 14, INK, width=width - 6, bold=0.4)


def _luggage(canvas: Canvas, shown: Scene, left: float, right: float, roof: float) -> None:
    cargo = part(shown, "luggage")
    if not cargo:
        return
    canvas.line([(left - 6, roof - 4), (right + 6, roof - 4)], (90, 92, 104), 2.4)
    for x in (left, right):
        canvas.line([(x, roof), (x, roof - 4)], (90, 92, 104), 2.4)
    tone, count = shade(cargo["colour"]), cargo["count"]
    for i in range(count):
        _piece(canvas, cargo, left + (right - left) * (i + 0.5) / count, roof - 5, tone)


def _piece(canvas: Canvas, cargo: Thing, x: float, y: float, tone: Colour) -> None:
    if cargo["name"] == "suitcase":
        canvas.line(shapes.arc(x, y - 17, 5, 5, 180, 360, 8), darker(tone, 0.5), 2)
        canvas.fill(shapes.rounded(x - 13, y - 17, x + 13, y, 3), _skin(tone))
        for side in (-1, 1):
            canvas.fill(
                shapes.rectangle(x + side * 7 - 1.2, y - 17, x + side * 7 + 1.2, y), darker(tone, 0.4)
            )
        return
    canvas.fill(
        shapes.smooth(
            [(x - 9, y - 20), (x + 9, y - 20), (x + 12, y - 10), (x + 9, y), (x - 9, y), (x - 12, y - 10)],
            steps=6,
        ),
        Gradient(lighter(tone, 0.2), darker(tone, 0.25), 0),
    )
    for v in (15, 5):
        canvas.line([(x - 10.5, y - v), (x + 10.5, y - v)], darker(tone, 0.5), 1.6)


def _count(shown: Scene, name: str) -> int:
    found = find(shown, name)
    return int(found["count"]) if found else 0


def _panes(canvas: Canvas, count: int, left: float, right: float, top: float, bottom: float) -> None:
    step = (right - left) / count
    gap = min(8.0, step * 0.16)
    for i in range(count):
        pane = shapes.rounded(left + i * step + gap / 2, top, left + (i + 1) * step - gap / 2, bottom, 4)
        canvas.fill(pane, _GLASS)
        x = left + i * step + gap
        canvas.line([(x + 4, bottom - 5), (x + min(14, step * 0.4), top + 5)], (240, 250, 254), 1.6)


def _car(canvas: Canvas, shown: Scene, body: Colour, stripe: Colour, plate: str) -> None:
    cabin = shapes.smooth(
        [(84, 146), (104, 108), (128, 100), (184, 100), (208, 110), (236, 146)], closed=False
    )
    canvas.fill([*cabin, (236, 150), (84, 150)], _skin(body))
    with canvas.clip(
        [
            *shapes.smooth(
                [(94, 146), (110, 114), (130, 107), (182, 107), (202, 115), (224, 146)], closed=False
            ),
            (224, 147),
            (94, 147),
        ]
    ):
        _panes(canvas, _count(shown, "window"), 90, 226, 104, 147)
    canvas.fill(
        shapes.smooth(
            [(36, 188), (34, 156), (70, 144), (160, 142), (240, 144), (284, 158), (290, 188), (160, 192)]
        ),
        _skin(body),
    )
    canvas.fill(shapes.rectangle(38, 163, 288, 172), stripe)
    canvas.line([(158, 146), (158, 186)], darker(body, 0.35), 1.4)
    canvas.line([(140, 158), (150, 158)], darker(body, 0.5), 2.4)
    canvas.fill(shapes.ellipse(281, 163, 7, 6), (255, 240, 170))
    canvas.fill(shapes.rectangle(34, 158, 40, 168), (196, 50, 50))
    canvas.fill(shapes.rounded(28, 184, 296, 192, 4), (172, 176, 188))
    for x in (88, 236):
        canvas.fill(shapes.ellipse(x, _ROAD - 22, 27), darker(body, 0.6))
        _wheel(canvas, x, 22)
    _luggage(canvas, shown, 112, 202, 101)
    _sign(canvas, 162, 186, plate)


def _van(canvas: Canvas, shown: Scene, body: Colour, stripe: Colour, plate: str) -> None:
    canvas.fill(shapes.rounded(34, 84, 214, 192, 10), _skin(body))
    canvas.fill(
        shapes.smooth([(204, 92), (236, 98), (264, 140), (290, 150), (292, 192), (204, 192)], steps=6),
        _skin(body),
    )
    canvas.fill([(218, 104), (236, 106), (256, 140), (218, 140)], _GLASS)
    _panes(canvas, _count(shown, "window") - 1, 52, 200, 98, 134)
    canvas.fill(shapes.rectangle(34, 146, 290, 156), stripe)
    canvas.line([(206, 92), (206, 190)], darker(body, 0.35), 1.4)
    canvas.fill(shapes.ellipse(285, 166, 6, 6), (255, 240, 170))
    canvas.fill(shapes.rounded(28, 186, 298, 193, 3), (172, 176, 188))
    for x in (82, 244):
        canvas.fill(shapes.ellipse(x, _ROAD - 21, 26), darker(body, 0.6))
        _wheel(canvas, x, 21)
    _luggage(canvas, shown, 60, 190, 84)
    _sign(canvas, 162, 174, plate)


def _bus(canvas: Canvas, shown: Scene, body: Colour, stripe: Colour, plate: str) -> None:
    canvas.fill(shapes.rounded(20, 82, 304, 192, 14), _skin(body))
    _panes(canvas, _count(shown, "window"), 32, 296, 96, 138)
    canvas.fill(shapes.rectangle(20, 146, 304, 158), stripe)
    canvas.fill(shapes.ellipse(296, 172, 6, 6), (255, 240, 170))
    canvas.fill(shapes.rounded(16, 186, 308, 193, 3), (172, 176, 188))
    for x in (82, 244):
        canvas.fill(shapes.ellipse(x, _ROAD - 21, 26), darker(body, 0.6))
        _wheel(canvas, x, 21)
    _luggage(canvas, shown, 70, 220, 82)
    _sign(canvas, 162, 174, plate)


def _tram(canvas: Canvas, shown: Scene, body: Colour, stripe: Colour, plate: str) -> None:
    canvas.line([(0, 46), (320, 46)], (70, 70, 84), 1.4)
    for a, b in (((160, 78), (140, 62)), ((140, 62), (164, 47))):
        canvas.line([a, b], (70, 70, 84), 2.4)
    canvas.fill(shapes.rounded(20, 76, 300, 92, 8), darker(body, 0.4))
    canvas.fill(shapes.rounded(16, 86, 304, 194, 8), _skin(body))
    canvas.fill(shapes.rectangle(16, 146, 304, 157), stripe)
    doors = the(shown, "door")
    tone = shade(doors["colour"])
    panes = _count(shown, "window")
    if doors["count"] == 1:
        _panes(canvas, panes // 2, 26, 138, 100, 138)
        _panes(canvas, panes // 2, 182, 294, 100, 138)
    else:
        _panes(canvas, panes, 60, 260, 100, 138)
    for i in range(doors["count"]):
        x = 160 if doors["count"] == 1 else (38, 282)[i]
        canvas.fill(shapes.rounded(x - 17, 96, x + 17, 192, 3), _skin(tone))
        canvas.line([(x, 98), (x, 190)], darker(tone, 0.45), 1.4)
        for side in (-1, 1):
            canvas.line(
                shapes.rounded(x + side * 8.5 - 5, 102, x + side * 8.5 + 5, 140, 2),
                darker(tone, 0.3),
                1.2,
                closed=True,
            )
            canvas.fill(shapes.ellipse(x + side * 4, 156, 1.8), darker(tone, 0.55))
    for x in (76, 116, 204, 244):
        _wheel(canvas, x, 14)
    _sign(canvas, 206 if doors["count"] == 1 else 160, 174, plate)


def _locomotive(canvas: Canvas, shown: Scene, body: Colour, stripe: Colour, plate: str) -> None:
    puffs = _count(shown, "puff of smoke")
    for i in range(puffs):
        x, y, r = 246 - 44 * i, 58 - 9 * (i % 2) - 3 * i, 15 + 1.6 * i
        canvas.fill_together(
            [
                shapes.ellipse(x + u * r, y + v * r, r * s)
                for u, v, s in ((0, 0, 0.8), (-0.55, 0.2, 0.5), (0.55, 0.2, 0.5))
            ],
            (244, 242, 244),
            0.92,
        )
    canvas.fill(shapes.rounded(28, 84, 112, 186, 4), _skin(body))
    canvas.fill(shapes.rounded(20, 76, 120, 87, 5), darker(body, 0.5))
    _panes(canvas, _count(shown, "window"), 38, 102, 98, 132)
    boiler = shapes.rounded(108, 112, 282, 172, 16)
    canvas.fill(boiler, _skin(body))
    for x in (146, 196, 246):
        canvas.fill(shapes.rectangle(x, 112, x + 9, 172), stripe)
    canvas.fill([(234, 114), (238, 84), (232, 72), (262, 72), (256, 84), (260, 114)], darker(body, 0.55))
    canvas.fill(shapes.pie(172, 114, 16, 18, 180, 360), (222, 178, 78))
    canvas.fill(shapes.rectangle(24, 170, 292, 184), darker(body, 0.55))
    canvas.fill([(286, 184), (306, 206), (276, 206)], (96, 98, 110))
    canvas.fill(shapes.ellipse(286, 128, 8), (255, 240, 170))
    for x, radius in ((66, 24), (130, 24), (194, 24), (250, 16)):
        _wheel(canvas, x, radius)
    canvas.line([(66, 188), (194, 188)], (190, 194, 206), 4)
    _sign(canvas, 70, 150, plate, 66)


def _steamer(canvas: Canvas, shown: Scene, body: Colour, stripe: Colour, plate: str) -> None:
    funnels = the(shown, "funnel")
    tone = shade(funnels["colour"])
    for i in range(funnels["count"]):
        x = 152 + (i - (funnels["count"] - 1) / 2) * 46
        canvas.fill(
            [(x - 12, 104), (x - 10, 56), (x + 12, 56), (x + 14, 104)],
            Gradient(lighter(tone, 0.2), darker(tone, 0.22), 0),
        )
        canvas.fill(shapes.rectangle(x - 10.5, 56, x + 12.5, 66), darker(tone, 0.6))
    canvas.line([(246, 106), (246, 52)], (96, 80, 70), 2.4)
    canvas.fill(shapes.rounded(76, 102, 232, 126, 3), Gradient((252, 252, 250), (214, 218, 226)))
    canvas.fill(shapes.rounded(54, 122, 258, 148, 3), Gradient((250, 250, 248), (206, 210, 220)))
    canvas.fill(shapes.rectangle(76, 108, 232, 115), (120, 160, 190))
    hull = [(18, 146), (306, 142), (288, 176), (262, 204), (52, 204), (28, 176)]
    canvas.fill(hull, _skin(body))
    with canvas.clip(hull):
        canvas.fill(shapes.rectangle(0, 150, 320, 159), stripe)
    count = _count(shown, "porthole")
    for i in range(count):
        x = 64 + 184 * (i + 0.5) / count
        canvas.fill(shapes.ellipse(x, 135, 7.5), (150, 120, 74))
        canvas.fill(shapes.ellipse(x, 135, 5.6), (134, 186, 214))
    _sign(canvas, 250, 172, plate, 60)
    for x in range(-10, 330, 26):
        canvas.fill(shapes.pie(x + 13, 208, 15, 9, 180, 360), (226, 240, 246), 0.8)


_MODELS: dict[str, Callable[[Canvas, Scene, Colour, Colour, str], None]] = {
    "car": _car, "van": _van, "bus": _bus, "tram": _tram, "locomotive": _locomotive, "steamer": _steamer,
}  # fmt: skip
