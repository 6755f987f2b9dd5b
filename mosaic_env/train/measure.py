"""How well the integer encoder finds held-out pictures, from whole captions and from short queries. No torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mosaic_env.core.seeds import python_random
from mosaic_env.guard.images import decode_rgb
from mosaic_env.index.encoders import Encoder
from mosaic_env.index.vectors import global_scale, quantise
from mosaic_env.train.batches import fitting
from mosaic_env.train.renders import sample_scenes
from mosaic_env.world.captions import FULL, Caption, caption, phrase
from mosaic_env.world.draw import draw
from mosaic_env.world.styles import HELD_OUT

_TOP = 10
#: Short queries that are tried for each picture; those with too few relevant pictures are left out. With 6 the
#: share of the top ten had an error of 0.007, as much as there was between two samples of queries.
_QUERIES_EACH = 30


@dataclass(frozen=True)
class Found:
    """What was measured.

    Args:
        recall_1, recall_10: Share of captions whose own picture comes first, or among the first ten.
        some_1, some_10: The same for captions that leave attributes out, when any picture that fits counts.
        precision: Mean share of the top ten pictures that have what a short query names.
        error: Its standard error, over the queries.
        by_attributes: The same for queries of one attribute, and of two.
    """

    pictures: int
    captions: int
    recall_1: float
    recall_10: float
    some_1: float
    some_10: float
    queries: int
    precision: float
    error: float
    by_attributes: dict[int, float]

    def lines(self) -> list[str]:
        """Return the result as text."""
        each = ", ".join(f"{number}: {value:.3f}" for number, value in sorted(self.by_attributes.items()))
        return [
            f"{self.pictures} held-out pictures, {self.captions} captions of at least {FULL} attributes",
            f"every attribute named: own picture first {self.recall_1:.3f}, in the first ten {self.recall_10:.3f}",
            f"some left out: a fitting picture first {self.some_1:.3f}, own in the first ten {self.some_10:.3f}",
            f"{self.queries} short queries: {self.precision:.3f} ± {self.error:.3f} of the top ten fit "
            f"(by attributes: {each})",
        ]


def measure(encoder: Encoder, seed: int, count: int, styles: Sequence[str] = tuple(HELD_OUT)) -> Found:
    """Draw pictures that training has not seen, full size, and search them.

    Args:
        seed: Not the seed of training.
        count: How many pictures.
        styles: By default those that training never draws in.

    Cost: about 40 s for 1,000.
    """
    scenes = list(sample_scenes(seed, count, styles))
    floats = np.concatenate([encoder.encode_pictures([decode_rgb(draw(scene))]) for scene in scenes])
    scale = global_scale(floats)
    pictures = quantise(floats, scale)
    rng = python_random(seed, "train", "measure")
    own, whole, some = [], [], []
    for number, scene in enumerate(scenes):
        text = caption(scene, rng, whole=True)
        if text.attributes >= FULL:
            own.append(number)
            whole.append(text)
            some.append(caption(scene, rng))
    short = {
        text.text: text for scene in scenes for text in (phrase(scene, rng) for _ in range(_QUERIES_EACH))
    }
    asked = [text for text in short.values() if 1 <= text.attributes <= 2]
    fits = fitting(asked, scenes)
    enough = np.flatnonzero(fits.sum(axis=1) >= _TOP)
    asked, fits = [asked[row] for row in enough], fits[enough]

    def ranked(texts: Sequence[Caption]) -> npt.NDArray[np.int64]:
        """Return the pictures by falling score, ties by their order, as an index does; shape (texts, pictures)."""
        queries = quantise(encoder.encode_texts([text.text for text in texts]), scale)
        scores = queries.astype(np.int32) @ pictures.astype(np.int32).T
        return np.argsort(-scores, axis=1, kind="stable")

    top = ranked(asked)[:, :_TOP]
    shares = np.take_along_axis(fits, top, axis=1).mean(axis=1)
    sizes = np.array([text.attributes for text in asked])
    recall_1, recall_10 = _recall(ranked(whole), own)
    rows = ranked(some)
    first = np.take_along_axis(fitting(some, scenes), rows[:, :1], axis=1)
    return Found(
        count, len(own), recall_1, recall_10, float(first.mean()), _recall(rows, own)[1],
        len(asked), _mean(shares), _error(shares), {n: _mean(shares[sizes == n]) for n in (1, 2)},
    )  # fmt: skip


def _mean(values: npt.NDArray[np.float64]) -> float:
    return float(values.mean()) if len(values) else 0.0


def _error(values: npt.NDArray[np.float64]) -> float:
    return float(values.std() / len(values) ** 0.5) if len(values) else 0.0


def _recall(ranked: npt.NDArray[np.int64], own: Sequence[int]) -> tuple[float, float]:
    hit = ranked == np.array(own)[:, None]
    return float(hit[:, :1].any(axis=1).mean()), float(hit[:, :_TOP].any(axis=1).mean())
