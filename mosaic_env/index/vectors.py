"""Exact search over integer vectors: the same rows and scores on every machine.

Components lie in [-127, 127] and there are at most 1040 of them, so every partial sum of an inner
product is an integer below 2**24. float32 holds those without rounding; the result then depends
neither on SIMD width nor on threads, batch or BLAS. What is left open by a library, the order of equal
scores, is fixed here: score descending, then row ascending.

Must not: read or write index files, or encode anything. An index opened before a fork must not be
used after it; the owner opens a new one in the child. (FAISS' thread pool does not survive a fork, so
a forked child searches with one thread.)
"""

from __future__ import annotations

import operator
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, Literal, Protocol

import numpy as np
import numpy.typing as npt

from mosaic_env.core.errors import SearchError

Int8Array = npt.NDArray[np.int8]
Int64Array = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float32]
_Arranged = tuple[Int64Array, Int64Array, npt.NDArray[np.bool_]]

#: The most components for which float32 adds products of two components exactly: 1040 * 127**2 < 2**24.
MAX_DIMENSIONS: Final = 1040
LIMIT: Final = 127

_MARGIN = 16
#: How many vectors are fetched for each group asked for: neighbours of the best window score well too.
_PER_GROUP = 16
#: FAISS has no vector code for other widths, and is ten times slower on them.
_WIDTH_STEP = 16
_CHUNK_ROWS = 4096
_BLOCK_SCORES = 2**24

_forked = False


def _mark_forked() -> None:
    global _forked
    _forked = True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_mark_forked)


class Searched(Protocol):
    """What is searched by vectors: a ``VectorIndex``, or one with some other entries."""

    def __len__(self) -> int:
        """Return how many things can be found."""
        ...

    def search(self, queries: Int8Array, k: int) -> tuple[Int64Array, Int64Array]:
        """Return places and scores, as ``VectorIndex.search`` does."""
        ...


class VectorIndex:
    """An index of integer vectors, searched by inner product; read-only and safe for threads.

    With ``groups``, several vectors stand for one thing (the windows of a picture): a group's score is
    that of its best vector, and groups are found instead of rows.

    Args:
        vectors: int8, shape (n, d), components in [-127, 127]; n may be 0, d is 1 to 1040. Copied.
        groups: The group of each vector, int32, shape (n,), not decreasing, not negative; gaps are allowed.
        backend: ``faiss``, or ``numpy``, which needs no FAISS and gives the same bytes, more slowly.

    Raises: SearchError (ME-INDEX-02) for another type, shape or range.
    Cost: 2 * n * d bytes with FAISS, n * d without; d is rounded up to a multiple of 16.
    """

    def __init__(
        self,
        vectors: Int8Array,
        *,
        groups: npt.NDArray[np.int32] | None = None,
        backend: Literal["faiss", "numpy"] = "faiss",
    ) -> None:
        _check_vectors(vectors, "vectors")
        if backend not in ("faiss", "numpy"):
            raise _misfit(f"the backend is {backend!r}", "faiss or numpy")
        self.rows, self.dimensions = vectors.shape
        self._groups = None if groups is None else _checked_groups(groups, self.rows)
        self._starts = _starts(self._groups)
        self._vectors = _padded(vectors)
        self._faiss: Any = _faiss_index(self._vectors) if backend == "faiss" and self.rows else None

    def __len__(self) -> int:
        """Return how many things can be found: groups, or rows without groups."""
        return self.rows if self._starts is None else len(self._starts)

    def search(self, queries: Int8Array, k: int) -> tuple[Int64Array, Int64Array]:
        """Return the best rows (or groups) for each query, and their scores.

        Args:
            queries: int8, shape (m, d), components in [-127, 127]; m may be 0.
            k: How many to return, at least 1.

        Returns: Rows (or groups) and inner products, both int64 of shape (m, min(k, len(self))), ordered
            by (score descending, row ascending): the result for a smaller k is a prefix of this.
        Raises: SearchError (ME-INDEX-02) for queries that do not fit; (ME-INDEX-03) for k below 1.
        Cost: One pass over the vectors per query, one thread for a single query and all for several;
            a second, slower pass when ties or one group's vectors fill what was fetched.
        Determinism: exact; the same on every machine, backend, thread count and batch.
        """
        _check_vectors(queries, "queries", self.dimensions)
        k = min(_checked_k(k), len(self))
        padded = _padded(queries)
        if self._faiss is None or k == 0:
            return self._full_search(padded, k)
        per_item = 1 if self._starts is None else _PER_GROUP
        fetch = k * per_item + _MARGIN
        if fetch > self.rows // 4 and fetch > 1024:
            return self._full_search(padded, k)
        return self._partial_search(padded, k, min(fetch, self.rows))

    def _full_search(self, queries: Int8Array, k: int) -> tuple[Int64Array, Int64Array]:
        """Score every vector with NumPy, and pick the best."""
        found, scores = np.empty((2, len(queries), k), np.int64)
        if k:
            block = max(1, _BLOCK_SCORES // self.rows)
            for start in range(0, len(queries), block):
                part = slice(start, start + block)
                totals = _scores(self._vectors, queries[part])
                if self._starts is not None:
                    totals = np.maximum.reduceat(totals, self._starts, axis=1)
                for row, total in enumerate(totals, start):
                    found[row], scores[row] = _best(total, k)
        if self._starts is not None and self._groups is not None:
            found = self._groups[self._starts[found]]
        return found, scores

    def _partial_search(self, queries: Int8Array, k: int, fetch: int) -> tuple[Int64Array, Int64Array]:
        """Fetch the best vectors from FAISS; where they do not prove the answer, score every vector."""
        with _threads(len(queries)):
            floats, rows = self._faiss.search(queries.astype(np.float32), fetch)
        totals = floats.astype(np.int64)
        if self._groups is None:
            found, scores, proven = _arranged_rows(rows, totals, k)
        else:
            found, scores, proven = _arranged_groups(self._groups[rows], totals, k)
        if fetch < self.rows and not proven.all():
            open_ = np.flatnonzero(~proven)
            found[open_], scores[open_] = self._full_search(queries[open_], k)
        return found, scores


def quantise(floats: npt.ArrayLike, scale: float) -> Int8Array:
    """Return floats times a scale, rounded to the nearest integer (half to even), cut at +-127.

    One scale serves a whole index: a scale per vector would change the order of results.

    Args:
        floats: Finite numbers, shape (n, d) or (d,).
        scale: Positive and finite; see ``global_scale``.

    Returns: int8 of the same shape.
    Raises: SearchError (ME-INDEX-02) for NaN, infinity or a scale that is not positive.
    Determinism: exact (one IEEE multiplication and a rounding per number).
    """
    array = _finite(floats)
    if not (np.isfinite(scale) and scale > 0):
        raise _misfit(f"the scale is {scale!r}", "a positive finite number")
    with np.errstate(over="ignore"):  # what overflows is cut anyway
        return np.clip(np.rint(array * float(scale)), -LIMIT, LIMIT).astype(np.int8)


def global_scale(floats: npt.ArrayLike) -> float:
    """Return 127 / the 99.99th percentile of the absolute values: the scale of an index.

    Returns: 1.0 when there is nothing to scale (no numbers, or nearly all zero).
    Raises: SearchError (ME-INDEX-02) for NaN or infinity.
    Determinism: exact; the percentile is a value that occurs, the next one up.
    """
    sizes = np.abs(_finite(floats)).ravel()
    top = float(np.percentile(sizes, 99.99, method="higher")) if sizes.size else 0.0
    scale = LIMIT / top if top > 0 else 1.0
    return scale if np.isfinite(scale) else 1.0


# --- checks ---------------------------------------------------------------------------------------


def _misfit(what: str, expected: str, fix: str = "") -> SearchError:
    return SearchError("ME-INDEX-02", what, expected=expected, fix=fix)


def _check_vectors(array: Int8Array, name: str, dimensions: int | None = None) -> None:
    if not isinstance(array, np.ndarray) or array.dtype != np.int8:
        kind = array.dtype if isinstance(array, np.ndarray) else type(array).__name__
        raise _misfit(f"{name} are {kind}", "a NumPy array of int8", "Use quantise() for floats")
    if array.ndim != 2:
        raise _misfit(f"{name} have shape {array.shape}", "two dimensions, (number, components)")
    width = array.shape[1]
    if dimensions is not None and width != dimensions:
        raise _misfit(f"{name} have {width} components", f"{dimensions}, as the index")
    if not 1 <= width <= MAX_DIMENSIONS:
        raise _misfit(f"{name} have {width} components", f"1 to {MAX_DIMENSIONS}, so that sums stay exact")
    if array.size and int(array.min()) < -LIMIT:
        raise _misfit(f"{name} hold -128", "components from -127 to 127, so that sums stay exact")


def _checked_groups(groups: npt.NDArray[np.int32], rows: int) -> Int64Array:
    if not isinstance(groups, np.ndarray) or groups.dtype != np.int32 or groups.shape != (rows,):
        is_array = isinstance(groups, np.ndarray)
        shown = f"{groups.dtype} of shape {groups.shape}" if is_array else type(groups).__name__
        raise _misfit(f"groups are {shown}", f"an int32 array of shape ({rows},)")
    if rows and (int(groups[0]) < 0 or bool((groups[1:] < groups[:-1]).any())):
        raise _misfit("groups decrease or are negative", "groups in order, so that ties are broken by group")
    return groups.astype(np.int64)


def _checked_k(k: int) -> int:
    try:
        number = operator.index(k)
    except TypeError:
        number = 0
    if number < 1 or isinstance(k, bool):
        raise SearchError("ME-INDEX-03", f"k is {k!r}", expected="an integer of at least 1")
    return number


def _finite(floats: npt.ArrayLike) -> npt.NDArray[np.float64]:
    try:
        array = np.asarray(floats, dtype=np.float64)
    except (TypeError, ValueError):
        raise _misfit(f"the floats are of type {type(floats).__name__}", "an array of numbers") from None
    if not np.isfinite(array).all():
        raise _misfit("the floats hold NaN or infinity", "finite numbers")
    return array


# --- arithmetic -----------------------------------------------------------------------------------


def _starts(groups: Int64Array | None) -> Int64Array | None:
    if groups is None:
        return None
    return np.flatnonzero(np.diff(groups, prepend=-1))


def _padded(array: Int8Array) -> Int8Array:
    """Copy vectors and append zeros, which add nothing to a product, up to a width FAISS is fast at."""
    count, width = array.shape
    padded = np.zeros((count, -(-width // _WIDTH_STEP) * _WIDTH_STEP), np.int8)
    padded[:, :width] = array
    return padded


def _scores(vectors: Int8Array, queries: Int8Array) -> FloatArray:
    """Return all inner products, shape (queries, vectors); exact, so chunks do not matter."""
    columns = np.ascontiguousarray(queries.T.astype(np.float32))
    totals = np.empty((len(queries), len(vectors)), np.float32)
    for start in range(0, len(vectors), _CHUNK_ROWS):
        part = slice(start, start + _CHUNK_ROWS)
        totals[:, part] = (vectors[part].astype(np.float32) @ columns).T
    return totals


def _best(totals: FloatArray, k: int) -> tuple[Int64Array, Int64Array]:
    """Return the positions and values of the k largest, ordered by (value descending, position)."""
    least = np.partition(totals, len(totals) - k)[len(totals) - k]
    candidates = np.flatnonzero(totals >= least)
    values = totals[candidates].astype(np.int64)
    order = np.lexsort((candidates, -values))[:k]
    return candidates[order], values[order]


def _arranged_rows(rows: Int64Array, totals: Int64Array, k: int) -> _Arranged:
    """Order what was fetched and keep k; proven where nothing outside can equal the last of them."""
    order = np.lexsort((rows, -totals), axis=1)
    ordered = np.take_along_axis(totals, order, axis=1)
    found = np.take_along_axis(rows, order[:, :k], axis=1)
    return found, ordered[:, :k].copy(), ordered[:, k - 1] > ordered[:, -1]


def _arranged_groups(groups: Int64Array, totals: Int64Array, k: int) -> _Arranged:
    """Do as ``_arranged_rows`` with the best vector of each group; not proven with fewer than k groups."""
    found, scores = np.zeros((2, len(groups), k), np.int64)
    proven = np.zeros(len(groups), np.bool_)
    for n, (labels, values) in enumerate(zip(groups, totals, strict=True)):
        order = np.lexsort((labels, -values))
        firsts = np.unique(labels[order], return_index=True)[1]
        chosen = order[np.sort(firsts)[:k]]
        if len(chosen) == k:
            found[n], scores[n] = labels[chosen], values[chosen]
            proven[n] = scores[n, -1] > values.min()
    return found, scores, proven


# --- FAISS ----------------------------------------------------------------------------------------


def _faiss_index(vectors: Int8Array) -> Any:
    """Build FAISS' signed 8-bit index: the codes are the vectors with the top bit turned over."""
    import faiss

    index = faiss.IndexScalarQuantizer(
        vectors.shape[1], faiss.ScalarQuantizer.QT_8bit_direct_signed, faiss.METRIC_INNER_PRODUCT
    )
    probe = vectors[:1]
    with _threads(1):
        codes = index.sa_encode(probe.astype(np.float32))
    if not np.array_equal(codes, _codes(probe)):
        raise _misfit(
            f"FAISS {faiss.__version__} stores signed 8-bit vectors in another way",
            "each component plus 128",
            "Install a tested version of faiss-cpu, or use backend='numpy'",
        )
    for start in range(0, len(vectors), _CHUNK_ROWS):
        index.add_sa_codes(_codes(vectors[start : start + _CHUNK_ROWS]))
    return index


def _codes(vectors: Int8Array) -> npt.NDArray[np.uint8]:
    return vectors.view(np.uint8) ^ np.uint8(0x80)


@contextmanager
def _threads(queries: int) -> Iterator[None]:
    """Let FAISS use one thread for a single query or in a forked child, else all it is allowed.

    OpenMP keeps this number per calling thread, so other threads are not disturbed.
    """
    import faiss

    if queries > 1 and not _forked:
        yield
        return
    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    try:
        yield
    finally:
        faiss.omp_set_num_threads(before)
