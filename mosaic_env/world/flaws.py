"""Flaws: some pictures are blurred, noisy, cropped or faded, as pictures in the wild are.

A flaw is mild: whatever the scene answers can still be seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import numpy as np
from PIL import Image, ImageFilter

from mosaic_env.core.errors import ConfigError, nearest
from mosaic_env.core.seeds import python_random

#: Share of pictures that have a flaw.
FLAWED = 0.06
#: The flaw of a picture that shows something else than its entity: the generator makes it, nothing is drawn.
MISLABELLED = "mislabelled"
#: The paper that a faded picture comes nearer to, and how much of the way.
_BLEACHED, _FADING = (236, 230, 216), 46
#: Widest blur, in pixels of the picture at its full size.
_BLUR = 1.25


def flaw_of(seed: int, key: str) -> str | None:
    """Return the flaw of an entity's picture, or None: six pictures in a hundred have one.

    Args:
        seed: Of the world.
        key: The entity's.
    Determinism: pure.
    """
    rng = python_random(seed, "flaw", key)
    return rng.choice(tuple(FLAWS)) if rng.random() < FLAWED else None


def flawed(image: Image.Image, scene: Mapping[str, Any], full_height: int) -> Image.Image:
    """Return a finished picture with the flaw of its scene, if it has one.

    Args:
        image: RGB, at its full size or smaller.
        full_height: Its height at its full size.

    Returns: RGB; of the same size unless it is cropped.
    Raises: ConfigError (ME-CONFIG-02) for an unknown flaw.
    Determinism: pure; the seed of the scene says where noise and cuts are.
    """
    name = scene.get("flaw")
    if name in (None, MISLABELLED):
        return image
    if name not in FLAWS:
        raise ConfigError(
            "ME-CONFIG-02",
            f"there is no flaw called {name!r}",
            expected=f"one of {', '.join(FLAWS)}, or none",
            nearest=nearest(str(name), list(FLAWS)),
            fix="Name a flaw that exists, or leave the flaw out of the scene",
        )
    return FLAWS[name](image, python_random(scene["seed"], "flaw"), image.height / full_height)


def _blurred(image: Image.Image, rng: Random, scale: float) -> Image.Image:
    return image.filter(ImageFilter.GaussianBlur(rng.uniform(0.75, 1.0) * _BLUR * scale))


def _noisy(image: Image.Image, rng: Random, scale: float) -> Image.Image:
    """Strew light and dark specks, and a few level scratches."""
    pixels = np.array(image).astype(np.int16)
    height, width = pixels.shape[:2]
    side = max(1, round(2 * scale))
    for _ in range(rng.randint(420, 620)):
        x, y, change = rng.randrange(width), rng.randrange(height), rng.choice((-64, -40, 40, 64))
        pixels[y : y + side, x : x + side] += change
    for _ in range(rng.randint(2, 4)):
        x, y, length = rng.randrange(width // 2), rng.randrange(height), rng.randint(width // 4, width // 2)
        pixels[y : y + side, x : x + length] += 46
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))


def _cropped(image: Image.Image, rng: Random, scale: float) -> Image.Image:
    """Cut three to five hundredths off one upright and one level side."""
    across, down = (length * rng.randint(3, 5) // 100 for length in image.size)
    left, top = rng.choice((0, across)), rng.choice((0, down))
    return image.crop((left, top, left + image.width - across, top + image.height - down))


def _faded(image: Image.Image, rng: Random, scale: float) -> Image.Image:
    levels = [level + (paper - level) * _FADING // 255 for paper in _BLEACHED for level in range(256)]
    return image.point(levels)


FLAWS: dict[str, Callable[[Image.Image, Random, float], Image.Image]] = {
    "blurred": _blurred, "noisy": _noisy, "cropped": _cropped, "faded": _faded,
}  # fmt: skip
