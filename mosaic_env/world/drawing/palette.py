"""Colours by name, and what can be done with them.

Twelve names that people tell apart at a glance. Each has a few shades that all deserve the name, so that
pictures differ while answers stay certain.
"""

from __future__ import annotations

from random import Random

Colour = tuple[int, int, int]

#: Shades by colour name, the plainest first.
SHADES: dict[str, tuple[Colour, ...]] = {
    "red": ((204, 42, 46), (190, 34, 54), (214, 54, 44)),
    "orange": ((240, 130, 32), (233, 118, 38), (246, 140, 44)),
    "yellow": ((250, 208, 50), (245, 201, 62), (252, 214, 78)),
    "green": ((46, 140, 76), (62, 150, 70), (34, 124, 82)),
    "blue": ((38, 94, 178), (44, 106, 192), (34, 82, 158)),
    "purple": ((116, 66, 156), (126, 74, 166), (104, 58, 144)),
    "pink": ((240, 138, 172), (244, 150, 180), (236, 126, 162)),
    "brown": ((122, 78, 48), (134, 88, 54), (110, 70, 44)),
    "black": ((34, 34, 40), (40, 38, 44), (28, 30, 36)),
    "white": ((248, 246, 240), (250, 249, 246), (244, 244, 240)),
    "grey": ((140, 144, 150), (150, 152, 158), (130, 136, 142)),
}
COLOURS = tuple(SHADES)
#: The ones that look like paint or cloth, not like wood or stone.
VIVID = ("red", "orange", "yellow", "green", "blue", "purple", "pink")
#: Least difference in brightness between a figure and its ground.
_CONTRAST = 58
INK: Colour = (36, 34, 46)
PAPER: Colour = (249, 245, 234)
GOLD: Colour = (222, 172, 62)


def shade(name: str, variant: int = 0) -> Colour:
    """Return a shade of a named colour.

    Args:
        variant: Any integer; shades repeat.
    """
    shades = SHADES[name]
    return shades[variant % len(shades)]


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """Return the colour that is ``share`` (0 to 1) of the way from the first to the second."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return (red, green, blue)


def lighter(colour: Colour, share: float = 0.25) -> Colour:
    """Return the colour mixed with white."""
    return mix(colour, (255, 255, 255), share)


def darker(colour: Colour, share: float = 0.25) -> Colour:
    """Return the colour mixed with a deep blue: shadows outdoors are blueish."""
    return mix(colour, (22, 20, 48), share)


def is_light(colour: Colour) -> bool:
    """Tell whether dark lettering reads better on a colour than light lettering."""
    return brightness(colour) > 150


def brightness(colour: Colour) -> int:
    """Return how bright a colour looks, 0 to 255."""
    red, green, blue = colour
    return (299 * red + 587 * green + 114 * blue) // 1000


def pick_on(
    rng: Random, ground: str, names: tuple[str, ...] = COLOURS, *, besides: tuple[str, ...] = ()
) -> str:
    """Return a colour name that stands out on a ground colour and is, if possible, none of ``besides``.

    When nothing stands out enough, the one that stands out most is returned.
    """
    level = brightness(shade(ground))
    contrast = {name: abs(brightness(shade(name)) - level) for name in names if name not in besides}
    clear = tuple(name for name in contrast if contrast[name] >= _CONTRAST)
    if clear:
        return rng.choice(clear)
    return max(contrast, key=lambda name: contrast[name]) if contrast else pick_on(rng, ground, names)


def pick(rng: Random, names: tuple[str, ...] = COLOURS, *, besides: tuple[str, ...] = ()) -> str:
    """Return a colour name that is none of those in ``besides``."""
    return rng.choice([name for name in names if name not in besides])
