"""Portraits: what a face, its hair, its clothes and the wall behind it may look like.

``portrait_parts`` draws them.
"""

from __future__ import annotations

from random import Random
from typing import Any

from mosaic_env.core.seeds import python_random
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.palette import Colour, brightness, pick, pick_on, shade
from mosaic_env.world.pictures import PictureKind
from mosaic_env.world.pictures.portrait_parts import paint_portrait
from mosaic_env.world.pictures.portrait_sitter import Sitter
from mosaic_env.world.scene import About, Scene, Thing, scene, the, thing

#: Hair colours; all but blond are the plain names.
HAIR: dict[str, Colour] = {
    "black": (38, 34, 40),
    "brown": (104, 66, 42),
    "blond": (232, 192, 104),
    "red": (176, 72, 36),
    "grey": (158, 158, 164),
    "white": (236, 234, 230),
}
SKIN: tuple[Colour, ...] = (
    (250, 218, 190),
    (240, 198, 164),
    (222, 172, 132),
    (192, 136, 96),
    (150, 100, 68),
    (110, 72, 50),
)
_STYLES = {
    True: ("long hair", "bob", "bun", "braid", "curly hair", "short hair"),
    False: ("short hair", "curly hair", "spiky hair", "bald head", "short hair", "side parting"),
}
#: What a hat leaves too little of to be asked about.
_UNDER_HAT = ("short hair", "side parting", "spiky hair", "bald head")
_HATS = ("top hat", "beret", "flat cap", "straw hat", "bowler hat")
_CLOTHES = ("jumper", "shirt", "jacket", "coat")
_DYES = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "black", "white", "grey", "brown")
_WALLS = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "grey", "white", "brown")
_PATTERNS = ("striped", "checked", "dotted", "zigzag")


def _sample(rng: Random, about: About) -> dict[str, Any]:
    wall = pick(rng, _WALLS)
    things: list[Thing] = [
        thing("wall", colour=wall, pattern=rng.choice(("plain", "plain", "striped", "dotted")))
    ]
    style = rng.choice(_STYLES[about.woman])
    level = brightness(shade(wall, 1))
    hair = rng.choice([name for name, tone in HAIR.items() if abs(brightness(tone) - level) > 34])
    hat = _hat(rng, wall, hair) if rng.random() < 0.38 and style != "bun" else []
    hidden = True if hat and style in _UNDER_HAT else None
    things.append(thing("hair", style=style, colour=None if style == "bald head" else hair, hidden=hidden))
    if not about.woman and rng.random() < 0.6:
        things.append(thing("facial hair", style=rng.choice(("moustache", "full beard", "goatee"))))
    if rng.random() < 0.45:
        frame = pick(rng, ("black", "red", "blue", "green", "brown"))
        shape = rng.choice(("round", "square", "half-moon", "star-shaped"))
        things.append(thing("glasses", shape=shape, colour=frame, role="eyewear"))
    things += hat
    things += _clothes(rng, wall, about.woman)
    return scene("portrait", rng, things, woman=about.woman, hair=hair, skin=rng.randrange(len(SKIN)))


def _hat(rng: Random, wall: str, hair: str) -> list[Thing]:
    name, dye = rng.choice(_HATS), pick(rng, _DYES, besides=(wall, hair))
    if name == "straw hat":
        return [thing(name, role="headgear"), thing("hat band", colour=dye)]
    return [thing(name, colour=dye, role="headgear")]


def _clothes(rng: Random, wall: str, woman: bool) -> list[Thing]:
    garment = rng.choice(_CLOTHES)
    dye = pick(rng, _DYES, besides=(wall,))
    pattern = rng.choice(_PATTERNS) if garment == "jumper" and rng.random() < 0.75 else None
    figure = None if pattern is None else pick_on(rng, dye, _DYES)
    found = [thing(garment, colour=dye if pattern is None else None, pattern=pattern, role="garment",
                   style=None if pattern is None else f"{dye}/{figure}")]  # fmt: skip
    accessory = rng.choice(("scarf", "tie", "bow tie", "necklace", "brooch", "none"))
    if accessory in ("tie", "bow tie", "brooch") and garment == "jumper":
        accessory = "scarf"
    tone = pick_on(rng, dye, _DYES, besides=(wall,))
    if accessory == "scarf":
        found.append(thing("scarf", colour=tone, pattern=rng.choice(("striped", "plain")), role="neckwear"))
    elif accessory in ("tie", "bow tie"):
        found.append(thing(accessory, colour=pick(rng, _DYES, besides=(dye, "white")), role="neckwear"))
    elif accessory == "necklace":
        found.append(thing("necklace", colour=tone, role="neckwear"))
    elif accessory == "brooch":
        icon = rng.choice(("star", "heart", "flower", "leaf", "crescent", "butterfly", "anchor", "key"))
        found.append(thing(icon, colour=tone, count=1, role="brooch"))
    if woman and rng.random() < 0.5:
        found.append(
            thing(
                "earring",
                count=2,
                shape=rng.choice(("round", "triangular", "square")),
                colour=pick(rng, ("yellow", "red", "blue", "green", "white")),
            )
        )
    return found


def _paint(canvas: Canvas, shown: Scene) -> None:
    look = shown["look"]
    hair = the(shown, "hair")
    sitter = Sitter(
        skin=SKIN[look["skin"]],
        hair=HAIR[look["hair"]],
        style=hair["style"],
        woman=look["woman"],
        rng=python_random(shown["seed"], "paint"),
    )
    paint_portrait(canvas, shown, sitter)


PORTRAIT = PictureKind((240, 320), _sample, _paint)
