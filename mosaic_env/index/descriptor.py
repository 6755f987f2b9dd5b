"""Picture descriptors for reverse image search: exact, without trained weights.

A picture is described by small colour grids (6 x 6 luma, 3 x 3 of two chroma differences) of 64 fixed
windows; a query by the grid of its whole area. A crop of a picture looks like one of its windows, so
the nearest window names the source, and pictures of like layout and colour come next. Nearness is the
squared distance between grids, written as an inner product: an index vector carries half its squared
length, a query vector the constants that subtract it.

    score(query, window) = (|query|**2 - |query - window|**2) / 2 - preference

So no picture scores higher than an equal one. Block means are exact areas and all else is integer
arithmetic: the result is the same on every machine.

Must not: decode or open pictures, or search; see ``mosaic_env.guard.images`` and ``index.vectors``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mosaic_env.core.canon import digest_bytes
from mosaic_env.core.errors import ImageError

Rgb = npt.NDArray[np.uint8]
Int8Array = npt.NDArray[np.int8]
Int64Array = npt.NDArray[np.int64]

# fmt: off
#: Windows as (left, top, right, bottom) in 24ths of width and height; the first is the whole picture.
#: Chosen by ``benchmarks/image_recall.py --design``: most crops that keep 25 % to 85 % of a picture, of
#: any position and shape, have one of them near.
WINDOWS: Final[tuple[tuple[int, int, int, int], ...]] = (
    (0, 0, 24, 24),
    (1, 3, 11, 21), (1, 1, 14, 23), (1, 2, 14, 15), (1, 4, 14, 18), (1, 3, 17, 19), (1, 5, 17, 22),
    (1, 1, 18, 17), (1, 1, 19, 23), (1, 2, 22, 23), (1, 6, 22, 20), (1, 9, 22, 23), (1, 1, 23, 14),
    (1, 1, 23, 19), (1, 1, 23, 22), (1, 4, 23, 17), (1, 5, 23, 23), (1, 6, 23, 18), (1, 8, 23, 21),
    (2, 8, 14, 22), (2, 1, 15, 23), (2, 7, 18, 23), (2, 4, 19, 20), (2, 5, 19, 15), (2, 1, 20, 17),
    (2, 2, 23, 16), (2, 2, 23, 23), (2, 12, 23, 22), (3, 1, 17, 14), (3, 1, 17, 22), (3, 11, 18, 22),
    (3, 2, 19, 19), (3, 5, 19, 22), (3, 1, 20, 12), (3, 9, 21, 19), (4, 1, 21, 23), (4, 2, 21, 18),
    (4, 4, 21, 20), (4, 5, 21, 22), (5, 3, 15, 21), (5, 1, 18, 23), (5, 5, 18, 19), (5, 2, 19, 15),
    (5, 8, 19, 22), (5, 2, 22, 20), (5, 7, 22, 23), (5, 1, 23, 23), (6, 13, 21, 23), (6, 1, 22, 17),
    (6, 4, 23, 21), (6, 5, 23, 23), (7, 2, 19, 22), (7, 7, 20, 21), (7, 1, 21, 14), (7, 5, 21, 18),
    (7, 2, 23, 19), (8, 1, 21, 23), (8, 2, 23, 22), (9, 7, 22, 20), (9, 9, 22, 22), (9, 2, 23, 15),
    (10, 4, 22, 18), (10, 2, 23, 23), (13, 3, 23, 21),
)
# fmt: on

_UNITS = 24
_GRID = 6
_LUMA = _GRID**2
_CHROMA = (_GRID // 2) ** 2
#: Components that are compared: the grids, and one that makes the squared length even.
_FEATURES = _LUMA + 2 * _CHROMA + 1
#: Components for half the squared length in units of 127, followed by one for the rest. They hold up to
#: 8 * 127**2 + 126 = 129,158; the most there can be is (36 * 45**2 + 18 * 100**2 + 1) / 2 + 64 = 126,514.
_COARSE = 8
_LIMIT = 127
#: Half the squared distance by which a part must fit better than a whole picture to come before it.
_PREFERENCE = 64

DIMENSIONS: Final = _FEATURES + _COARSE + 1

#: Name, version and sizes of the descriptor; ``identity()`` adds a digest of what it computes.
DESCRIPTOR: Final[dict[str, str | int]] = {
    "name": "grid",
    "version": 1,
    "dimensions": DIMENSIONS,
    "windows": len(WINDOWS),
}


def describe(rgb: Rgb) -> Int8Array:
    """Return the query vector of a picture.

    Args:
        rgb: uint8, shape (height, width, 3), at least one pixel.

    Returns: int8, shape (64,), for inner products with the vectors of ``describe_windows``.
    Raises: ImageError (ME-IMAGE-01) for another type or shape.
    Cost: about 0.4 ms for 512 x 512 on one core, linear in the pixels.
    Determinism: exact.
    """
    pixels = _checked(rgb).size // 3
    means = _block_means(_integral(rgb, _GRID), pixels, np.array([(0, 0, 1, 1)]))
    return query_vector(_index_vectors(means)[0])


def describe_windows(rgb: Rgb) -> Int8Array:
    """Return the index vectors of a picture, one a window, the whole picture first.

    Args:
        rgb: uint8, shape (height, width, 3), at least one pixel.

    Returns: int8, shape (64, 64): (windows, components).
    Raises: ImageError (ME-IMAGE-01) for another type or shape.
    Cost: about 5 ms for 512 x 512 on one core, linear in width and height.
    Determinism: exact.
    """
    pixels = _checked(rgb).size // 3
    means = _block_means(_integral(rgb, _UNITS * _GRID), pixels, np.array(WINDOWS))
    return _index_vectors(means)


def query_vector(window: Int8Array) -> Int8Array:
    """Return the query vector that belongs to an index vector, for pictures already in an index.

    ``query_vector(describe_windows(rgb)[0])`` equals ``describe(rgb)``. Index vectors themselves are not
    queries: their last components mean something else.

    Args:
        window: int8, shape (64,): a row of ``describe_windows``.

    Returns: int8, shape (64,).
    """
    query = np.full(DIMENSIONS, -_LIMIT, np.int8)
    query[:_FEATURES] = window[:_FEATURES]
    query[-1] = -1
    return query


def identity() -> dict[str, str | int]:
    """Return what names this descriptor: its sizes, and a digest of its vectors for fixed pictures.

    Returns: A new dict with the keys of ``DESCRIPTOR`` and ``probe``.
    """
    return {**DESCRIPTOR, "probe": _probe_digest()}


@lru_cache(maxsize=1)
def _probe_digest() -> str:
    parts = []
    for height, width in ((1, 1), (5, 1), (7, 64), (120, 90), (300, 700)):
        y, x, channel = np.ogrid[:height, :width, :3]
        values = (x * y + x * (7 + 5 * channel) + y * (3 * channel + 2) + 40 * channel) // 3 % 256
        rgb = values.astype(np.uint8)
        parts += [describe(rgb).tobytes(), describe_windows(rgb).tobytes()]
    return digest_bytes(b"".join(parts))


def _checked(rgb: Any) -> Rgb:
    if not isinstance(rgb, np.ndarray):
        raise ImageError("ME-IMAGE-01", f"the picture is a {type(rgb).__name__}", expected="a NumPy array")
    if rgb.dtype != np.uint8 or rgb.ndim != 3 or rgb.shape[2] != 3 or 0 in rgb.shape:
        raise ImageError(
            "ME-IMAGE-01",
            f"the picture is {rgb.dtype} of shape {rgb.shape}",
            expected="uint8 of shape (height, width, 3), not empty",
        )
    return rgb


# --- exact areas ----------------------------------------------------------------------------------


def _integral(rgb: Rgb, cells: int) -> Int64Array:
    """Return the sums over the rectangles that begin at the upper left corner, on a grid of cells.

    The grid divides both sides into ``cells`` equal parts. A pixel that a line divides counts on each side
    by its part, in units of 1 / cells**2 of a pixel.

    Returns: int64, shape (cells + 1, cells + 1, 3): (lines across, lines down, colour).
    """
    height, width, _ = rgb.shape
    down = _sums_before(rgb.reshape(height, width * 3), cells)
    columns = down.reshape(cells + 1, width, 3).swapaxes(0, 1).reshape(width, (cells + 1) * 3)
    return _sums_before(columns, cells).reshape(cells + 1, cells + 1, 3).swapaxes(0, 1)


def _sums_before(rows: npt.NDArray[Any], cells: int) -> Int64Array:
    """Return ``cells`` times the sum of the rows before each of cells + 1 lines at equal distances.

    Args:
        rows: Integers, shape (n, m); a line may divide a row.

    Returns: int64, shape (cells + 1, m).
    """
    count = len(rows)
    whole, part = np.divmod(np.arange(cells + 1) * count, cells)
    sums = np.zeros((cells + 1, rows.shape[1]), np.int64)
    # Bands of rows add faster than a running sum over every row; 32 bits hold 16 million rows.
    kind = np.uint32 if rows.dtype == np.uint8 else np.int64
    for line in range(cells):
        band = np.add.reduce(rows[whole[line] : whole[line + 1]], axis=0, dtype=kind)
        np.add(sums[line], band, out=sums[line + 1])
    sums *= cells
    sums += part[:, None] * rows[np.minimum(whole, count - 1)]
    return sums


def _block_means(integral: Int64Array, pixels: int, windows: Int64Array) -> Int64Array:
    """Return the mean colours of the 6 x 6 blocks of each window, in 16ths, rounded down.

    A window of n x m units has blocks of n x m cells: a unit is six cells of the integral's grid.

    Args:
        pixels: How many pixels the picture has.

    Returns: int64, shape (windows, 6, 6, 3), values in [0, 4080].
    """
    steps = np.arange(_GRID + 1)
    left, top, right, bottom = windows.T[:, :, None]
    x = _GRID * left + (right - left) * steps
    y = _GRID * top + (bottom - top) * steps
    corners = integral[y[:, :, None], x[:, None, :]]
    sums = np.diff(np.diff(corners, axis=1), axis=2)
    cells = (right - left) * (bottom - top)
    means: Int64Array = 16 * sums // (cells[:, :, None, None] * pixels)
    return means


# --- vectors --------------------------------------------------------------------------------------


def _index_vectors(means: Int64Array) -> Int8Array:
    """Return the vectors for block means of windows, the whole picture first."""
    count = len(means)
    red, green, blue = np.moveaxis(means, -1, 0)
    luma = (77 * red + 150 * green + 29 * blue) >> 8
    vectors = np.zeros((count, DIMENSIONS), np.int64)
    vectors[:, :_LUMA] = (((luma - 2040) * 45 + 1024) >> 11).reshape(count, _LUMA)
    vectors[:, _LUMA : _LUMA + _CHROMA] = _chroma(blue - luma)
    vectors[:, _LUMA + _CHROMA : _FEATURES - 1] = _chroma(red - luma)
    squares = (vectors**2).sum(axis=1)
    vectors[:, _FEATURES - 1] = squares % 2
    half = (squares + squares % 2) // 2
    half[1:] += _PREFERENCE
    coarse = half[:, None] // _LIMIT - _LIMIT * np.arange(_COARSE)
    vectors[:, _FEATURES:-1] = np.clip(coarse, 0, _LIMIT)
    vectors[:, -1] = half % _LIMIT
    return vectors.astype(np.int8)


def _chroma(difference: Int64Array) -> Int64Array:
    """Return a colour difference on the 3 x 3 grid, compressed: fine near grey, at most +-100.

    Args:
        difference: 16ths, shape (windows, 6, 6).
    """
    count, half = len(difference), _GRID // 2
    total = difference.reshape(count, half, 2, half, 2).sum(axis=(2, 4)).reshape(count, _CHROMA)
    size = np.abs(total)
    compressed: Int64Array = np.sign(total) * ((256 * size + 4096 + size) // (2 * (4096 + size)))
    return compressed
