"""An edited picture finds its source: on real photographs and on the bundled pictures, within 10 ms a query."""

from __future__ import annotations

import importlib.util
import io
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from PIL import Image

from mosaic_env.index import descriptor
from mosaic_env.index.vectors import VectorIndex
from mosaic_env.index.world import open_world
from mosaic_env.snapshot.locate import find_snapshot
from mosaic_env.snapshot.opened import Snapshot

ROOT = Path(__file__).resolve().parents[2]
STAMPS = Path("/usr/share/tuxpaint/stamps")
Edit = Callable[[Image.Image, Random], Image.Image]


def recompressed(image: Image.Image, draw: Random) -> Image.Image:
    data = io.BytesIO()
    image.save(data, "JPEG", quality=50)
    return Image.open(io.BytesIO(data.getvalue())).convert("RGB")


def halved(image: Image.Image, draw: Random) -> Image.Image:
    return image.resize((max(1, image.width // 2), max(1, image.height // 2)), Image.Resampling.BILINEAR)


def doubled(image: Image.Image, draw: Random) -> Image.Image:
    return image.resize((image.width * 2, image.height * 2), Image.Resampling.BICUBIC)


def half_area(image: Image.Image, draw: Random) -> Image.Image:
    """A random crop of half the area, each side between half and all of the picture's."""
    share = draw.uniform(0.5, 1.0)
    width, height = max(1, round(image.width * share)), max(1, round(image.height * 0.5 / share))
    left, top = draw.randint(0, image.width - width), draw.randint(0, image.height - height)
    return image.crop((left, top, left + width, top + height))


BARS: dict[str, tuple[Edit, float]] = {
    "JPEG q50": (recompressed, 0.99), "0.5 x": (halved, 0.99), "2 x": (doubled, 0.99), "50 % crop": (half_area, 0.90),
}  # fmt: skip


def photographs() -> list[np.ndarray[Any, Any]]:
    """Return the photographic stamps: many colours, no exact duplicates."""
    spec = importlib.util.spec_from_file_location("image_recall", ROOT / "benchmarks" / "image_recall.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    _, pictures = module.load(STAMPS)
    return [
        picture
        for picture in pictures
        if len(np.unique(picture.reshape(-1, 3) >> 4, axis=0)) > module.PHOTO_COLOURS
    ]


def bundled() -> list[np.ndarray[Any, Any]]:
    world = open_world(Snapshot(find_snapshot("bundled")).public)
    return [world.images.pixels(world.kb.pictures[row].picture) for row in sorted(world.kb.pictures)]


def check(pictures: list[np.ndarray[Any, Any]], name: str) -> None:
    windows = [descriptor.describe_windows(picture) for picture in pictures]
    groups = np.repeat(np.arange(len(pictures), dtype=np.int32), len(windows[0]))
    index = VectorIndex(np.concatenate(windows), groups=groups)
    draw, slowest = Random(4), 0.0
    shares = {}
    for what, (edit, bar) in BARS.items():
        right = 0
        for number, picture in enumerate(pictures):
            query = np.asarray(edit(Image.fromarray(picture), draw))
            start = time.perf_counter()
            found, _ = index.search(descriptor.describe(query)[None], 5)
            slowest += time.perf_counter() - start
            right += int(found[0, 0]) == number
        shares[what] = right / len(pictures)
        assert shares[what] >= bar, (what, shares[what])
    mean = 1000 * slowest / (len(pictures) * len(BARS))
    print(
        f"\n{len(pictures)} {name}: "
        + ", ".join(f"{k} {v:.3f}" for k, v in shares.items())
        + f"; {mean:.2f} ms a query"
    )
    assert mean <= 10.0


@pytest.mark.skipif(not STAMPS.is_dir(), reason="Debian's tuxpaint-stamps-default is not installed")
def test_real_photographs() -> None:
    pictures = photographs()
    assert len(pictures) >= 300
    check(pictures, "photographs")


@pytest.mark.skipif(not (ROOT / "snapshots" / "bundled").is_dir(), reason="the bundled snapshot is not here")
def test_bundled_pictures() -> None:
    check(bundled(), "bundled pictures")
