"""Vehicles on their way: cars, vans, buses, trams, locomotives and steamers.

``vehicle_parts`` draws the vehicles.
"""

from __future__ import annotations

from random import Random
from typing import Any

from mosaic_env.core.seeds import python_random
from mosaic_env.world import lettering
from mosaic_env.world.drawing import scenery, shapes
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.paints import Gradient
from mosaic_env.world.drawing.palette import darker, pick, pick_on
from mosaic_env.world.pictures import PictureKind
from mosaic_env.world.pictures.vehicle_parts import draw_vehicle
from mosaic_env.world.scene import About, Scene, Thing, scene, text_at, the, thing

_MODELS = ("car", "van", "bus", "tram", "locomotive", "steamer")
_PAINTS = ("red", "orange", "yellow", "green", "blue", "purple", "white", "black")
_WINDOWS = {
    "car": (2, 3),
    "van": (2, 3),
    "bus": (4, 5, 6),
    "tram": (4, 6),
    "locomotive": (1, 2),
    "steamer": (3, 4, 5, 6, 7),
}


def _sample(rng: Random, about: About) -> dict[str, Any]:
    model = next((name for name in _MODELS if name in about.noun.split()), rng.choice(_MODELS))
    body = pick(rng, _PAINTS)
    stripe = pick_on(rng, body, _PAINTS)
    things: list[Thing] = [
        thing(model, colour=body, count=1, role="vehicle", at=[500, 620]),
        thing("stripe", colour=stripe),
        thing("porthole" if model == "steamer" else "window", count=rng.choice(_WINDOWS[model])),
    ]
    if model in ("car", "van", "bus"):
        things.append(
            thing(
                rng.choice(("suitcase", "barrel")),
                count=rng.randint(1, 4),
                colour=pick(rng, _PAINTS, besides=(body, stripe)),
                role="luggage",
            )
        )
    elif model == "steamer":
        things.append(
            thing(
                "funnel",
                count=rng.randint(1, 3),
                colour=pick(rng, ("red", "yellow", "black", "green", "orange"), besides=(body,)),
            )
        )
    elif model == "locomotive":
        things.append(thing("puff of smoke", count=rng.randint(2, 5)))
    else:
        things.append(
            thing("door", count=rng.randint(1, 2), colour=pick_on(rng, body, _PAINTS, besides=(stripe,)))
        )
    if model == "steamer":
        things.append(thing("gull", count=rng.randint(2, 6), at=[500, 200]))
    sky = rng.choice(("day", "dawn", "dusk", "overcast"))
    wayside = rng.choice(("fir tree", "lamp post"))
    return scene(
        "vehicle", rng, things, {"number plate": lettering.plate(rng)}, model=model, sky=sky, wayside=wayside
    )


def _paint(canvas: Canvas, shown: Scene) -> None:
    rng = python_random(shown["seed"], "paint")
    look = shown["look"]
    scenery.sky(canvas, look["sky"], 190)
    scenery.disc(canvas, rng.uniform(50, 270), rng.uniform(34, 56), 16, (255, 236, 160), (255, 244, 206))
    for _ in range(0 if look["model"] == "locomotive" else 3):
        scenery.cloud(canvas, rng.uniform(10, 310), rng.uniform(22, 80), rng.uniform(22, 42), alpha=0.7)
    if look["model"] == "steamer":
        scenery.ridge(canvas, rng, 168, 30, scenery.haze((88, 128, 138), look["sky"], 0.35), bumps=3)
        scenery.water(canvas, rng, 166, (58, 128, 170))
        gulls = the(shown, "gull")
        for i in range(gulls["count"]):
            x, feathers = (
                320 * (i + 0.5) / gulls["count"] + rng.uniform(-8, 8),
                (250, 250, 250) if look["sky"] == "dusk" else (54, 56, 74),
            )
            scenery.gull(canvas, x, rng.uniform(22, 48), rng.uniform(10, 12), feathers)
    else:
        _country(canvas, rng, shown)
    draw_vehicle(canvas, shown, text_at(shown, "number plate"))


def _country(canvas: Canvas, rng: Random, shown: Scene) -> None:
    sky = shown["look"]["sky"]
    scenery.ridge(
        canvas, rng, 172, 58, scenery.haze((96, 132, 136), sky, 0.4), bumps=2, sharp=rng.random() < 0.5
    )
    scenery.ridge(canvas, rng, 174, 32, scenery.haze((100, 150, 112), sky, 0.25), bumps=4)
    scenery.ground(canvas, rng, 168, (134, 182, 102), tufts=10)
    # The vehicle hides some of them, so nobody is asked how many there are.
    for i in range(rng.randint(2, 5)):
        x = 80 * i + rng.uniform(-30, 30)
        if shown["look"]["wayside"] == "fir tree":
            scenery.fir_tree(canvas, x, 186, rng.uniform(96, 108), scenery.haze((44, 116, 76), sky, 0.1))
        else:
            canvas.line([(x, 188), (x, 84)], (70, 70, 84), 3)
            canvas.line(shapes.arc(x + 8, 86, 8, 8, 180, 300, 8), (70, 70, 84), 3)
            canvas.fill(shapes.ellipse(x + 14, 82, 7, 5), (255, 232, 150))
    road = (112, 112, 122)
    canvas.fill(shapes.rectangle(0, 188, 320, 226), Gradient(road, darker(road, 0.2)))
    if shown["look"]["model"] in ("tram", "locomotive"):
        canvas.fill(shapes.rectangle(0, 188, 320, 226), Gradient((170, 156, 140), (128, 116, 108)))
        for i in range(17):
            canvas.fill(shapes.rectangle(i * 20 + 2, 210, i * 20 + 12, 218), (112, 82, 62))
        canvas.line([(0, 211), (320, 211)], (90, 92, 104), 2.4)
    else:
        for i in range(8):
            canvas.fill(shapes.rectangle(i * 44 + 4, 217, i * 44 + 28, 220), (244, 240, 226))


VEHICLE = PictureKind((320, 240), _sample, _paint)
