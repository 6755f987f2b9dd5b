"""The picture descriptor against exact fractions, and against real photographs."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from benchmarks.image_recall import STAMPS, is_photo, load
from mosaic_env.core.errors import ImageError
from mosaic_env.core.seeds import python_random
from mosaic_env.index.descriptor import (
    DESCRIPTOR,
    DIMENSIONS,
    WINDOWS,
    _probe_digest,
    describe,
    describe_windows,
    identity,
    query_vector,
)
from mosaic_env.index.vectors import VectorIndex

ROOT = Path(__file__).resolve().parents[2]
#: The vectors of version 1. Other vectors are another version, and every snapshot's index is built again.
PROBE = "sha256:9bedcd3da467449eb029b9e5429a187e91101da754b24575cc582c229932ea71"

Rgb = npt.NDArray[np.uint8]


def noise(height: int, width: int, seed: int = 0, low: int = 0, high: int = 256) -> Rgb:
    return np.random.Generator(np.random.PCG64(seed)).integers(low, high, (height, width, 3), np.uint8)


def scene(seed: int, height: int = 90, width: int = 120) -> Rgb:
    """Draw smooth colours with a few shapes."""
    coarse = Image.fromarray(noise(5, 6, seed))
    return np.asarray(coarse.resize((width, height), Image.Resampling.BICUBIC))


# --- the same computation, with fractions ---------------------------------------------------------


def _shares(low: Fraction, high: Fraction) -> list[tuple[int, Fraction]]:
    """Return (pixel, part covered) of an interval."""
    pixels = range(int(low), -int(-high // 1))
    parts = [(p, min(high, Fraction(p + 1)) - max(low, Fraction(p))) for p in pixels]
    return [(p, part) for p, part in parts if part > 0]


def _grid(rgb: list[list[list[int]]], window: tuple[int, int, int, int]) -> list[list[tuple[int, ...]]]:
    """Return the 6 x 6 block means of a window, in 16ths, rounded down."""
    height, width = len(rgb), len(rgb[0])
    left, top, right, bottom = (Fraction(edge, 24) for edge in window)
    step_x, step_y = width * (right - left) / 6, height * (bottom - top) / 6
    x = [_shares(width * left + step_x * i, width * left + step_x * (i + 1)) for i in range(6)]
    y = [_shares(height * top + step_y * i, height * top + step_y * (i + 1)) for i in range(6)]
    rows = []
    for down in y:
        row = []
        for across in x:
            area = sum(a for _, a in down) * sum(b for _, b in across)
            total = [sum(rgb[r][c][n] * a * b for r, a in down for c, b in across) for n in range(3)]
            row.append(tuple(int(16 * t / area // 1) for t in total))
        rows.append(row)
    return rows


def reference(rgb: Rgb, window: tuple[int, int, int, int]) -> tuple[list[int], int]:
    """Return the 55 compared components of a window, and half their squared length."""
    grid = _grid(rgb.tolist(), window)
    luma = [[(77 * r + 150 * g + 29 * b) // 256 for r, g, b in row] for row in grid]
    vector = [((y - 2040) * 45 + 1024) // 2048 for row in luma for y in row]
    for channel in (2, 0):
        for i in (0, 2, 4):
            for j in (0, 2, 4):
                cells = [(i, j), (i, j + 1), (i + 1, j), (i + 1, j + 1)]
                total = sum(grid[a][b][channel] - luma[a][b] for a, b in cells)
                size = Fraction(128 * abs(total), 4096 + abs(total))
                vector.append((1 if total > 0 else -1) * int((size + Fraction(1, 2)) // 1))
    vector.append(sum(v * v for v in vector) % 2)
    return vector, sum(v * v for v in vector) // 2


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (4, 1), (6, 6), (7, 11), (13, 4), (25, 24)])
@pytest.mark.parametrize("seed", [0, 1])
def test_vectors_equal_exact_fractions(shape: tuple[int, int], seed: int) -> None:
    rgb = noise(*shape, seed=seed)
    vectors = describe_windows(rgb).tolist()
    for number, (window, vector) in enumerate(zip(WINDOWS, vectors, strict=True)):
        features, half = reference(rgb, window)
        assert vector[:55] == features
        assert 127 * sum(vector[55:63]) + vector[63] == half + (64 if number else 0)
        assert all(part >= 0 for part in vector[55:]) and vector[63] < 127
    assert describe(rgb).tolist() == reference(rgb, WINDOWS[0])[0] + [-127] * 8 + [-1]


@pytest.mark.parametrize("shape", [(1, 700), (1100, 2), (577, 3)])
def test_long_pictures_equal_exact_fractions(shape: tuple[int, int]) -> None:
    rgb = noise(*shape, seed=1)
    vectors = describe_windows(rgb)
    for number in (0, 17, 63):
        assert vectors[number, :55].tolist() == reference(rgb, WINDOWS[number])[0]


def test_large_pictures_do_not_overflow() -> None:
    white = np.full((1, 1, 3), 255, np.uint8)
    large = np.broadcast_to(white, (70_000, 40, 3))
    assert np.array_equal(describe_windows(large), describe_windows(white))
    assert np.array_equal(describe_windows(large.swapaxes(0, 1)), describe_windows(white))


@given(
    st.lists(st.sampled_from([0, 1, 127, 128, 254, 255]), min_size=108, max_size=108),
    st.integers(0, 2**32),
)
def test_scores_are_exact_squared_distances(values: list[int], seed: int) -> None:
    one, other = np.array(values, np.uint8).reshape(6, 6, 3), noise(6, 6, seed) // 128 * 255
    query, vectors = describe(one).astype(np.int64), describe_windows(other).astype(np.int64)
    assert np.abs(vectors).max() <= 127
    distances = ((query[:55] - vectors[:, :55]) ** 2).sum(axis=1)
    preference = np.where(np.arange(64) > 0, 64, 0)
    assert (2 * (vectors @ query) == (query[:55] ** 2).sum() - distances - 2 * preference).all()


def test_the_longest_vectors_there_are_fit() -> None:
    corners = np.array(list(np.ndindex(2, 2, 2)), np.uint8) * 255
    pictures = [np.full((6, 6, 3), colour, np.uint8) for colour in corners]
    # Extreme lightness in three of four blocks, extreme colour in the fourth.
    for colour in corners:
        for ground in (0, 255):
            picture = np.full((6, 6, 3), ground, np.uint8)
            picture[::2, ::2] = colour
            pictures.append(picture)
    for picture in pictures:
        vectors = describe_windows(picture).astype(np.int64)
        half = 127 * vectors[:, 55:63].sum(axis=1) + vectors[:, 63]
        assert (half - np.where(np.arange(64) > 0, 64, 0) == (vectors[:, :55] ** 2).sum(axis=1) // 2).all()


# --- what it promises -----------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(1, 1), (1, 500), (500, 1), (3, 2), (200, 300)])
def test_sizes_and_stored_vectors(shape: tuple[int, int]) -> None:
    rgb = noise(*shape)
    query, vectors = describe(rgb), describe_windows(rgb)
    assert (query.dtype, query.shape) == (np.int8, (DIMENSIONS,))
    assert (vectors.dtype, vectors.shape) == (np.int8, (len(WINDOWS), DIMENSIONS))
    assert query.min() >= -127 and vectors.min() >= -127
    assert np.array_equal(query_vector(vectors[0]), query)
    assert vectors.nbytes <= 4096


@pytest.mark.parametrize("view", [np.s_[::2, ::3], np.s_[::-1], np.s_[:, :, ::-1]])
def test_memory_layout_does_not_matter(view: Any) -> None:
    rgb = noise(700, 90)[view]
    assert not rgb.flags.c_contiguous
    assert np.array_equal(describe_windows(rgb), describe_windows(np.ascontiguousarray(rgb)))
    rgb.setflags(write=False)
    assert np.array_equal(describe(rgb), describe(rgb.copy()))


def test_scaling_by_whole_factors_changes_nothing() -> None:
    rgb = scene(1)
    larger = rgb.repeat(3, axis=0).repeat(2, axis=1)
    assert np.array_equal(describe_windows(larger), describe_windows(rgb))


def test_flat_pictures_stay_distinct() -> None:
    levels = [np.full((40, 30, 3), level, np.uint8) for level in range(0, 256, 3)]
    tints = []
    for channel in range(3):
        for level in range(112, 145, 2):
            tint = np.full((40, 30, 3), 128, np.uint8)
            tint[..., channel] = level
            tints.append(tint)
    unique = {picture.tobytes(): picture for picture in levels + tints}
    assert len({describe(picture).tobytes() for picture in unique.values()}) == len(unique)
    index, pictures = _index(list(unique.values())), list(unique.values())
    found, _ = index.search(np.stack([describe(picture) for picture in pictures]), 1)
    assert found[:, 0].tolist() == list(range(len(pictures)))


def _index(pictures: list[Rgb]) -> VectorIndex:
    vectors = np.concatenate([describe_windows(picture) for picture in pictures])
    return VectorIndex(vectors, groups=np.repeat(np.arange(len(pictures), dtype=np.int32), len(WINDOWS)))


def test_nothing_scores_higher_than_an_equal_picture() -> None:
    pictures = [scene(seed) for seed in range(40)]
    mirrored = [np.ascontiguousarray(picture[:, ::-1]) for picture in pictures]
    index = _index(mirrored + pictures)
    queries = np.stack([describe(picture) for picture in pictures])
    found, scores = index.search(queries, 2)
    assert found[:, 0].tolist() == list(range(40, 80))
    assert (scores[:, 0] > scores[:, 1]).all()
    lengths = (queries[:, :55].astype(np.int64) ** 2).sum(axis=1)
    assert (2 * scores[:, 0] == lengths).all()


def test_one_small_object_tells_scenes_apart() -> None:
    # 512 x 512 with one 24 x 24 object whose place or colour differs: drawn worlds look like this.
    ground = np.asarray(Image.fromarray(scene(3)).resize((512, 512)))
    pictures = []
    for colour in ((200, 30, 30), (30, 30, 200)):
        for x, y in ((40, 40), (240, 300)):
            picture = ground.copy()
            picture[y : y + 24, x : x + 24] = colour
            pictures.append(picture)
    copies = [np.asarray(_jpeg(Image.fromarray(picture))) for picture in pictures]
    found, _ = _index(pictures).search(np.stack([describe(copy) for copy in copies]), 1)
    assert found[:, 0].tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    "rgb",
    [
        np.zeros((0, 4, 3), np.uint8),
        np.zeros((4, 0, 3), np.uint8),
        np.zeros((4, 4), np.uint8),
        np.zeros((4, 4, 4), np.uint8),
        np.zeros((4, 4, 3), np.float32),
        [[[0, 0, 0]]],
        None,
    ],
)
def test_what_is_not_a_picture_is_refused(rgb: Any) -> None:
    for call in (describe, describe_windows):
        with pytest.raises(ImageError) as caught:
            call(rgb)
        assert caught.value.code == "ME-IMAGE-01"


# --- identity and machines ------------------------------------------------------------------------


def test_identity_names_the_vectors() -> None:
    assert identity() == {"name": "grid", "version": 1, "dimensions": 64, "windows": 64, "probe": PROBE}
    changed = identity()
    changed["version"] = 2
    assert identity()["version"] == DESCRIPTOR["version"] == 1


def test_simd_changes_nothing() -> None:
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    groups = [name for name in __cpu_dispatch__ if __cpu_features__[name]]
    if not groups:
        pytest.skip("NumPy has one code path on this processor")
    script = (
        "import sys\n"
        "from mosaic_env.index.descriptor import identity\n"
        "from numpy._core._multiarray_umath import __cpu_features__ as features\n"
        "print(identity()['probe'], sum(features[name] for name in sys.argv[1:]))"
    )
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "7"}
    for disabled, left in (("", len(groups)), (" ".join(groups), 0)):
        done = subprocess.run(
            [sys.executable, "-c", script, *groups],
            env={**variables, "NPY_DISABLE_CPU_FEATURES": disabled},
            capture_output=True, text=True, timeout=60, check=True,
        )  # fmt: skip
        assert done.stdout.split() == [PROBE, str(left)]


def test_threads_change_nothing() -> None:
    results: list[str] = []
    threads = [threading.Thread(target=lambda: results.append(_probe_digest.__wrapped__())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [PROBE] * 4


def test_speed_is_of_the_right_order() -> None:
    rgb = noise(500, 500)
    vectors = np.random.Generator(np.random.PCG64(0)).integers(-60, 61, (12_000 * 64, 64), np.int8)
    index = VectorIndex(vectors, groups=np.repeat(np.arange(12_000, dtype=np.int32), 64))
    query = describe(rgb)[None]

    def best(call: Any) -> float:
        spent = []
        for _ in range(7):
            begin = time.process_time()
            call()
            spent.append(time.process_time() - begin)
        return 1000 * min(spent)

    # Ten times what one quiet core needs: only another order of growth fails.
    assert best(lambda: describe(rgb)) < 5
    assert best(lambda: describe_windows(rgb)) < 40
    assert best(lambda: index.search(query, 10)) < 40


# --- real photographs -----------------------------------------------------------------------------


def _jpeg(picture: Image.Image) -> Image.Image:
    data = io.BytesIO()
    picture.save(data, "JPEG", quality=50)
    return Image.open(data).convert("RGB")


@pytest.mark.skipif(not STAMPS.is_dir(), reason=f"no photographs: {STAMPS} (Debian: tuxpaint-stamps-default)")
def test_sources_of_edited_photographs_are_found() -> None:
    photos = [picture for picture in load(STAMPS)[1] if is_photo(picture)]
    assert len(photos) >= 300
    index = _index(photos)
    chosen = range(0, len(photos), 4)

    def recall(edit: Any) -> float:
        queries = np.stack([describe(np.asarray(edit(n, Image.fromarray(photos[n])))) for n in chosen])
        return float(np.mean(index.search(queries, 1)[0][:, 0] == np.array(chosen)))

    def crop(n: int, picture: Image.Image) -> Image.Image:
        random = python_random(5, "crop", n)
        across = random.uniform(0.5, 1)
        width, height = max(1, round(picture.width * across)), max(1, round(picture.height * 0.5 / across))
        left, top = random.randint(0, picture.width - width), random.randint(0, picture.height - height)
        return picture.crop((left, top, left + width, top + height))

    def scaled(picture: Image.Image, factor: float) -> Image.Image:
        return picture.resize((max(1, round(picture.width * factor)), max(1, round(picture.height * factor))))

    assert recall(lambda n, picture: _jpeg(picture)) >= 0.99
    assert recall(lambda n, picture: scaled(picture, 0.5)) >= 0.99
    assert recall(lambda n, picture: scaled(picture, 2)) >= 0.99
    assert recall(crop) >= 0.95
    assert recall(lambda n, picture: _jpeg(crop(n, picture))) >= 0.95
