"""Batches of training: pictures, texts about them, and which text fits which picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from mosaic_env.core.seeds import derive, python_random
from mosaic_env.index.joint_text import text_rows
from mosaic_env.train.renders import Renders
from mosaic_env.world.captions import Caption, caption, facts, phrase

#: Short phrases a picture and batch, beside one caption.
PHRASES = 12
_WHOLE = 0.4
#: Pictures are moved by up to this many pixels, the brightness of each channel by up to this share.
_MOVED = 3
_BRIGHTER = 0.08
#: Contrast is raised or lowered by up to this share, and levels are strewn with noise of up to this deviation.
_CONTRAST = 0.12
_NOISE = 9.0


@dataclass(frozen=True)
class Batch:
    """A step's worth of data.

    Args:
        pictures: shape (n, 96, 96, 3), uint8.
        captions, phrases: Table rows of each text.
        fits_captions, fits_phrases: shape (texts, n), bool.
    """

    pictures: npt.NDArray[np.uint8]
    captions: list[tuple[int, ...]]
    phrases: list[tuple[int, ...]]
    fits_captions: npt.NDArray[np.bool_]
    fits_phrases: npt.NDArray[np.bool_]


def make_batch(renders: Renders, seed: int, step: int, size: int) -> Batch:
    """Return the batch of a step: a pure function of the arguments, so that training can go on after a break."""
    rng = python_random(seed, "train", "batch", step)
    noise = np.random.Generator(np.random.PCG64(derive(seed, "train", "moves", step)))
    chosen = rng.sample(range(len(renders.scenes)), size)
    scenes = [renders.scenes[number] for number in chosen]
    captions = [caption(scene, rng, whole=rng.random() < _WHOLE) for scene in scenes]
    phrases = [phrase(scene, rng) for scene in scenes for _ in range(PHRASES)]
    return Batch(
        _moved(renders.pictures[chosen], noise),
        [text_rows(each.text) for each in captions],
        [text_rows(each.text) for each in phrases],
        fitting(captions, scenes),
        fitting(phrases, scenes),
    )


def fitting(texts: Sequence[Caption], scenes: Sequence[Mapping[str, Any]]) -> npt.NDArray[np.bool_]:
    """Return which texts fit which scenes, shape (texts, scenes)."""
    having: dict[str, npt.NDArray[np.bool_]] = {}
    nothing = np.zeros(len(scenes), np.bool_)
    for number, scene in enumerate(scenes):
        for fact in facts(scene):
            having.setdefault(fact, nothing.copy())[number] = True
    fits = np.ones((len(texts), len(scenes)), np.bool_)
    for row, text in enumerate(texts):
        for claim in text.claims:
            fits[row] &= having.get(claim, nothing)
    return fits


def _moved(pictures: npt.NDArray[np.uint8], noise: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Return pictures moved a little, in other light, on rougher paper."""
    count, height, width = pictures.shape[:3]
    padded = np.pad(pictures, ((0, 0), (_MOVED, _MOVED), (_MOVED, _MOVED), (0, 0)), "edge")
    moved = np.empty_like(pictures)
    for number, (x, y) in enumerate(noise.integers(0, 2 * _MOVED + 1, (count, 2))):
        moved[number] = padded[number, y : y + height, x : x + width]
    light = noise.uniform(1 - _BRIGHTER, 1 + _BRIGHTER, (count, 1, 1, 3)).astype(np.float32)
    contrast = noise.uniform(1 - _CONTRAST, 1 + _CONTRAST, (count, 1, 1, 1)).astype(np.float32)
    rough = noise.uniform(0, _NOISE, (count, 1, 1, 1)).astype(np.float32)
    grain = noise.standard_normal((count, height, width, 1), np.float32) * rough
    levels = (moved * light - 128) * contrast + 128 + grain
    lit: npt.NDArray[np.uint8] = np.clip(np.rint(levels), 0, 255).astype(np.uint8)
    return lit
