"""What a picture is printed on: tone, grain and worn edges, laid over the finished drawing.

Every texture is made once for a size of picture. Smaller drawings of the same picture get the same texture made
smaller, so that a thing looks alike in both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from random import Random

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mosaic_env.core.seeds import python_random
from mosaic_env.world.drawing.palette import Colour

Texture = NDArray[np.int16]
Size = tuple[int, int]
#: Side of the tile that rough paper repeats, in pixels.
_TILE = 96


@dataclass(frozen=True)
class Surface:
    """Paper, or whatever else a picture is on.

    Args:
        white, black: What pure white and pure black become; everything between follows.
        grain: A name in ``GRAINS``, or ``""``.
        strength: How many of 255 levels the grain lightens or darkens at most.
        in_the_dark: The grain lies only where the picture is dark, as hatching does.
        worn: How many levels the edges are darker than the middle.
    """

    white: Colour = (255, 255, 255)
    black: Colour = (0, 0, 0)
    grain: str = ""
    strength: int = 0
    in_the_dark: bool = False
    worn: int = 0

    def printed(self, image: Image.Image, full: Size) -> Image.Image:
        """Return a drawing on this surface.

        Args:
            image: RGB; of the full size or smaller.
            full: Width and height of the picture at its full size.
        """
        if self == Surface():
            return image
        toned = image.point(_tones(self.black, self.white))
        if not self.strength and not self.worn:
            return toned
        change = np.zeros((image.height, image.width), np.int16)
        if self.strength:
            change += _fitted(self.grain, full, image.size) * self.strength // 127
            if self.in_the_dark:
                light = np.asarray(toned.convert("L")).astype(np.int16)
                change = change * np.clip(216 - light, 0, 96) // 96
        if self.worn:
            change -= _fitted("edges", full, image.size) * self.worn // 127
        pixels = np.asarray(toned) + change[:, :, None]
        return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))


@lru_cache(maxsize=32)
def _tones(black: Colour, white: Colour) -> list[int]:
    """Return what each level of each channel becomes."""
    return [
        low + (high - low) * level // 255
        for low, high in zip(black, white, strict=True)
        for level in range(256)
    ]


def _chalk(size: Size) -> Texture:
    """Return short level gaps between the strokes of a soft stick, where the paper shows."""
    return _strewn(size, python_random(1, "chalk"), 180, (3, 12), (127, 60, 60))


def _dots(size: Size) -> Texture:
    """Return the raster of a cheap press."""
    x, y = _grid(size)
    return np.where(((x + y) % 4 == 0) & ((x - y) % 4 == 0), -127, 0).astype(np.int16)


def _fibres(size: Size) -> Texture:
    """Return level fibres of rough paper, light and dark."""
    return _strewn(size, python_random(1, "fibres"), 90, (6, 20), (-127, -60, 90))


def _strewn(
    size: Size, rng: Random, count: int, lengths: tuple[int, int], levels: tuple[int, ...]
) -> Texture:
    """Return a repeated tile of short level strokes; a level run is what compresses well."""
    tile = np.zeros((_TILE, _TILE), np.int16)
    for _ in range(count):
        x, y, length = rng.randrange(_TILE), rng.randrange(_TILE), rng.randint(*lengths)
        tile[y, x : x + length] = rng.choice(levels)
    x_grid, y_grid = _grid(size)
    laid: Texture = tile[y_grid % _TILE, x_grid % _TILE]
    return laid


def _hatching(size: Size) -> Texture:
    """Return the parallel lines of an engraver, one pixel in four."""
    x, y = _grid(size)
    return np.where((x + 2 * y) % 8 < 2, -127, 0).astype(np.int16)


def _edges(size: Size) -> Texture:
    """Return how near the edge a place is, in four steps: 127 at the corners, 0 in the middle."""
    x, y = _grid(size)
    width, height = size
    near = np.maximum(abs(2 * x + 1 - width) * 100 // width, abs(2 * y + 1 - height) * 100 // height)
    return np.select([near > 97, near > 95, near > 93], [127, 84, 42], 0).astype(np.int16)


GRAINS: dict[str, Callable[[Size], Texture]] = {
    "chalk": _chalk, "dots": _dots, "fibres": _fibres, "hatching": _hatching, "edges": _edges,
}  # fmt: skip


def _grid(size: Size) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return x, shape (1, width), and y, shape (height, 1)."""
    return np.arange(size[0])[None, :], np.arange(size[1])[:, None]


@lru_cache(maxsize=64)
def _fitted(grain: str, full: Size, size: Size) -> Texture:
    texture = np.broadcast_to(GRAINS[grain](full), (full[1], full[0]))
    if size == full:
        return np.array(texture)
    levels = Image.fromarray((texture + 128).astype(np.uint8))
    return np.asarray(levels.resize(size, Image.Resampling.BOX)).astype(np.int16) - 128
