"""Reverse image search on 1,000 held-out renders: an edited copy of a picture finds its source.

The scenes have another seed than those the encoder is trained on, and styles that training never sees. They are
drawn at full size and indexed like the pictures of a snapshot; see ``mosaic_env.index.descriptor``. The joint
encoder is measured in ``joint_recall``, photographs in ``image_recall``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from PIL import Image

from benchmarks.image_recall import EDITS, Rgb, build, ranks
from benchmarks.timing import Line, at_least
from mosaic_env.core.seeds import python_random
from mosaic_env.guard.images import decode_rgb
from mosaic_env.index.descriptor import describe
from mosaic_env.index.vectors import VectorIndex
from mosaic_env.train.renders import sample_scenes
from mosaic_env.world.drawn import WORKERS, drawn
from mosaic_env.world.scene import Scene
from mosaic_env.world.styles import HELD_OUT

#: Not the seed of training; see ``mosaic_env.train.joint``.
SEED, COUNT = 1_001, 1_000
#: The edits of ``image_recall`` that have a bar, and the share of copies that find their source first.
BARS = {
    "JPEG q50": 0.99, "half, bilinear": 0.99, "double, bicubic": 0.99,
    "crop 50 %, same shape": 0.97, "crop 50 %, any shape": 0.97,
}  # fmt: skip
#: Two pictures, or the same part of two, show the same when they differ by less than this, on average over pixels
#: and channels, of 255 levels. JPEG at quality 50 changes a drawn picture by 3 to 11.
TOLERANCE = 4.0


def lines() -> Iterator[Line]:
    """Yield the share of edited copies that find their source first, or a picture that shows the same there.

    Pictures with a near-duplicate are counted apart. Takes about half a minute.
    """
    scenes = list(sample_scenes(SEED, COUNT, tuple(HELD_OUT)))
    pictures = _pictures(scenes)
    index = build(pictures)
    doubles = _near_duplicates(index, pictures)
    print(f"     {len(pictures)} pictures, {len(doubles)} of them with a near-duplicate: counted apart")
    alone = [number for number in range(len(pictures)) if number not in doubles]
    for name, bar in BARS.items():
        own, same, missed = _searched(index, pictures, alone, name)
        print(f"     {name}: {own} own, {same} the same in the box, missed: {_kinds(scenes, missed)}")
        yield at_least(f"source first, {name}", (own + same) / len(alone), bar)
        if doubles:
            own, same, _ = _searched(index, pictures, sorted(doubles), name)
            print(f"     {name}, with a near-duplicate: {own} own, {same} the other, of {len(doubles)}")


def _pictures(scenes: Sequence[Scene]) -> list[Rgb]:
    named = {str(number): scene for number, scene in enumerate(scenes)}
    return [decode_rgb(picture.data) for _, picture in drawn(named, WORKERS)]


def _near_duplicates(index: VectorIndex, pictures: Sequence[Rgb]) -> set[int]:
    """Return the pictures that show the same as one of the four nearest."""
    found, _ = index.search(np.stack([describe(picture) for picture in pictures]), 5)
    return {
        number
        for number, row in enumerate(found.tolist())
        if any(other != number and _alike(pictures[number], pictures[other]) for other in row)
    }


def _searched(
    index: VectorIndex, pictures: list[Rgb], chosen: list[int], name: str
) -> tuple[int, int, Mapping[int, int]]:
    """Return how many edited copies find their source first, how many find the same, and what others find."""
    first = [row[0] for row in ranks(index, pictures, chosen, name, SEED)]
    others = {number: other for number, other in zip(chosen, first, strict=True) if other != number}
    missed = {
        number: other for number, other in others.items() if not _same_there(pictures, number, other, name)
    }
    return len(chosen) - len(others), len(others) - len(missed), missed


def _same_there(pictures: Sequence[Rgb], number: int, other: int, name: str) -> bool:
    """Tell whether another picture, edited with the same draws (so: cropped to the same box), shows the same."""
    if pictures[number].shape != pictures[other].shape:
        return False
    one, two = (
        np.asarray(EDITS[name](Image.fromarray(pictures[place]), python_random(SEED, name, number)))
        for place in (number, other)
    )
    return _alike(one, two)


def _alike(one: Rgb, two: Rgb) -> bool:
    return one.shape == two.shape and float(np.abs(one.astype(int) - two).mean()) < TOLERANCE


def _kinds(scenes: Sequence[Scene], missed: Mapping[int, int]) -> str:
    counts = Counter(str(scenes[number]["kind"]) for number in missed)
    return ", ".join(f"{count} {kind}" for kind, count in counts.most_common()) or "none"
