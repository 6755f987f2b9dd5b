"""The person in a portrait: what every piece of the drawing needs to know."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from mosaic_env.world.drawing.palette import Colour, darker, mix

#: Middle of the face, half its width and height, in pixels.
X, Y, RX, RY = 120.0, 136.0, 43.0, 54.0


@dataclass(frozen=True)
class Sitter:
    """What all pieces need to know of the person."""

    skin: Colour
    hair: Colour
    style: str
    woman: bool
    rng: Random

    @property
    def blush(self) -> Colour:
        """The colour of cheeks."""
        return mix(self.skin, (222, 92, 84), 0.28)

    @property
    def line(self) -> Colour:
        """The colour of features drawn on the skin."""
        return darker(mix(self.skin, (120, 50, 40), 0.35), 0.3)
