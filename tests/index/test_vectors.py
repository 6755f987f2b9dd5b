"""Exact vector search against sums of Python integers, with ties everywhere."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosaic_env.core.errors import SearchError
from mosaic_env.index.vectors import MAX_DIMENSIONS, VectorIndex, global_scale, quantise

ROOT = Path(__file__).resolve().parents[2]
BACKENDS = ("faiss", "numpy")


def reference(
    vectors: npt.NDArray[np.int8], queries: npt.NDArray[np.int8], k: int, groups: list[int] | None = None
) -> tuple[list[list[int]], list[list[int]]]:
    """Search with Python integers."""
    labels = list(range(len(vectors))) if groups is None else groups
    found, scores = [], []
    for query in queries.tolist():
        best: dict[int, int] = {}
        for label, vector in zip(labels, vectors.tolist(), strict=True):
            score = sum(a * b for a, b in zip(query, vector, strict=True))
            best[label] = max(score, best.get(label, score))
        ordered = sorted(best.items(), key=lambda item: (-item[1], item[0]))[:k]
        found.append([label for label, _ in ordered])
        scores.append([score for _, score in ordered])
    return found, scores


def random_vectors(seed: int, n: int, d: int, limit: int = 127) -> npt.NDArray[np.int8]:
    return np.random.Generator(np.random.PCG64(seed)).integers(-limit, limit + 1, (n, d)).astype(np.int8)


def as_lists(result: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]) -> tuple[Any, Any]:
    found, scores = result
    assert found.dtype == scores.dtype == np.int64
    return found.tolist(), scores.tolist()


@st.composite
def searches(draw: st.DrawFn) -> tuple[Any, Any, list[int], int]:
    """Draw vectors from few values, so that most scores tie."""
    n, d, m = draw(st.integers(0, 90)), draw(st.integers(1, 20)), draw(st.integers(0, 3))
    limit = draw(st.sampled_from([1, 1, 2, 127]))
    values = st.integers(-limit, limit)
    seed = draw(st.integers(0, 2**32))
    vectors = random_vectors(seed, n, d, limit)
    rows = st.lists(values, min_size=d, max_size=d)
    queries = np.array(draw(st.lists(rows, min_size=m, max_size=m)), np.int8).reshape(m, d)
    steps = draw(st.lists(st.sampled_from([0, 0, 0, 1, 3]), min_size=n, max_size=n))
    return vectors, queries, np.cumsum(np.array(steps, np.int64)).tolist(), draw(st.integers(1, 100))


@given(searches())
def test_search_equals_the_reference(case: tuple[Any, Any, list[int], int]) -> None:
    vectors, queries, groups, k = case
    for backend in BACKENDS:
        plain = VectorIndex(vectors, backend=backend)
        assert as_lists(plain.search(queries, k)) == reference(vectors, queries, k)
        grouped = VectorIndex(vectors, groups=np.array(groups, np.int32), backend=backend)
        assert as_lists(grouped.search(queries, k)) == reference(vectors, queries, k, groups)
        assert len(plain) == len(vectors) and len(grouped) == len(set(groups))


@given(searches(), st.integers(1, 30))
def test_fewer_results_are_a_prefix_of_more(case: tuple[Any, Any, list[int], int], fewer: int) -> None:
    vectors, queries, groups, k = case
    small, large = sorted((k, fewer))
    for index in (VectorIndex(vectors), VectorIndex(vectors, groups=np.array(groups, np.int32))):
        short, long = index.search(queries, small), index.search(queries, large)
        for a, b in zip(short, long, strict=True):
            assert np.array_equal(a, b[:, :small])


@pytest.mark.parametrize("k", [1, 5, 10, 50, 150, 3000])
@pytest.mark.parametrize("m", [1, 7])
def test_hundredfold_duplicates(k: int, m: int) -> None:
    base = random_vectors(1, 20, 48)
    vectors = np.ascontiguousarray(base[np.arange(2000) % 20])
    queries = random_vectors(2, m, 48)
    expected = reference(vectors, queries, k)
    for backend in BACKENDS:
        assert as_lists(VectorIndex(vectors, backend=backend).search(queries, k)) == expected


@pytest.mark.parametrize("k", [1, 3, 10])
def test_one_group_may_fill_the_top(k: int) -> None:
    vectors = random_vectors(3, 4000, 16, 40)
    query = random_vectors(4, 1, 16, 60)
    vectors[1500:3500] = query  # 2000 vectors of group 7 that nothing else equals
    sizes = [200, 200, 200, 200, 200, 300, 200, 2000, 100, 100, 150, 150]
    groups = np.repeat(np.arange(12, dtype=np.int32), sizes)
    expected = reference(vectors, query, k, groups.tolist())
    assert expected[0][0][0] == 7
    for backend in BACKENDS:
        assert as_lists(VectorIndex(vectors, groups=groups, backend=backend).search(query, k)) == expected


def test_equal_groups_come_in_order_of_their_number() -> None:
    vectors = np.ascontiguousarray(np.tile(random_vectors(5, 8, 32), (400, 1)))
    groups = np.repeat(np.arange(400, dtype=np.int32) * 2 + 1, 8)
    for backend in BACKENDS:
        index = VectorIndex(vectors, groups=groups, backend=backend)
        found, scores = index.search(vectors[:2], 6)
        assert found.tolist() == [[1, 3, 5, 7, 9, 11]] * 2
        assert (scores == scores[:, :1]).all()


@pytest.mark.parametrize("better", [70, 80, 88, 92, 96, 200])
def test_a_better_group_may_push_out_the_first_of_many_ties(better: int) -> None:
    vectors = np.ones((1000 + better, 16), np.int8)
    vectors[1000:] = 2
    groups = np.concatenate([np.arange(1000), np.full(better, 1000)]).astype(np.int32)
    for backend in BACKENDS:
        index = VectorIndex(vectors, groups=groups, backend=backend)
        found, scores = index.search(np.ones((1, 16), np.int8), 5)
        assert (found.tolist(), scores.tolist()) == ([[1000, 0, 1, 2, 3]], [[32, 16, 16, 16, 16]])


@pytest.mark.parametrize("backend", BACKENDS)
def test_empty_index_no_queries_and_zero_vectors(backend: Any) -> None:
    empty = VectorIndex(np.zeros((0, 5), np.int8), backend=backend)
    assert len(empty) == 0
    assert [part.shape for part in empty.search(np.ones((3, 5), np.int8), 4)] == [(3, 0), (3, 0)]
    no_groups = VectorIndex(np.zeros((0, 5), np.int8), groups=np.zeros(0, np.int32), backend=backend)
    assert [part.shape for part in no_groups.search(np.ones((1, 5), np.int8), 4)] == [(1, 0), (1, 0)]
    index = VectorIndex(np.zeros((3, 5), np.int8), backend=backend)
    assert [part.shape for part in index.search(np.zeros((0, 5), np.int8), 2)] == [(0, 2), (0, 2)]
    assert as_lists(index.search(np.zeros((1, 5), np.int8), 9)) == ([[0, 1, 2]], [[0, 0, 0]])


@pytest.mark.parametrize("width", [1, 15, 100, 384, MAX_DIMENSIONS])
def test_largest_magnitudes_stay_exact(width: int) -> None:
    random = np.random.Generator(np.random.PCG64(width))
    vectors = random.choice(np.array([-127, 127], np.int8), (3000, width))
    queries = random.choice(np.array([-127, 127], np.int8), (65, width))
    # Neighbours of the largest sum there is: one that float32 would round differs from them by 1.
    vectors[10], vectors[20], vectors[21] = queries[0], queries[0], -queries[0]
    vectors[20, 0] -= np.sign(queries[0, 0])
    exact = queries.astype(np.int64) @ vectors.astype(np.int64).T
    assert exact.max() == width * 127**2
    for backend in BACKENDS:
        index = VectorIndex(vectors, backend=backend)
        for part in (queries, queries[:1]):
            found, scores = index.search(part, 3000)
            short = index.search(part, 7)
            assert np.array_equal(scores, np.take_along_axis(exact[: len(part)], found, 1))
            assert np.array_equal(scores, -np.sort(-exact[: len(part)], axis=1))
            assert np.array_equal(short[1], scores[:, :7]) and np.array_equal(short[0], found[:, :7])


def test_the_callers_array_is_copied() -> None:
    vectors = random_vectors(6, 50, 8)
    query = vectors[:1].copy()
    for backend in BACKENDS:
        index = VectorIndex(vectors.copy(), backend=backend)
        mine = vectors.copy()
        other = VectorIndex(mine, backend=backend)
        mine[:] = 0
        assert as_lists(other.search(query, 5)) == as_lists(index.search(query, 5))


# --- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("vectors", "needle"),
    [
        (np.full((2, 3), -128, np.int8), "-128"),
        (np.zeros((2, 3), np.float32), "float32"),
        (np.full((2, 3), np.nan), "float64"),
        (np.zeros((2, 3), np.int16), "int16"),
        (np.zeros(3, np.int8), "shape"),
        (np.zeros((2, 0), np.int8), "0 components"),
        (np.zeros((2, 1041), np.int8), "1041 components"),
        ([[1, 2, 3]], "list"),
    ],
)
def test_vectors_that_do_not_fit(vectors: Any, needle: str) -> None:
    with pytest.raises(SearchError, match=needle) as caught:
        VectorIndex(vectors)
    assert caught.value.code == "ME-INDEX-02"
    index = VectorIndex(np.ones((4, 3), np.int8))
    with pytest.raises(SearchError) as caught:
        index.search(vectors, 1)
    assert caught.value.code == "ME-INDEX-02"


def test_queries_of_another_width_backend_and_k() -> None:
    index = VectorIndex(np.ones((4, 3), np.int8))
    with pytest.raises(SearchError, match="4 components"):
        index.search(np.ones((1, 4), np.int8), 1)
    for k in (0, -1, True, 2.0, "3", None):
        with pytest.raises(SearchError) as caught:
            index.search(np.ones((1, 3), np.int8), k)  # type: ignore[arg-type]
        assert caught.value.code == "ME-INDEX-03"
    with pytest.raises(SearchError, match="annoy"):
        VectorIndex(np.ones((4, 3), np.int8), backend="annoy")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "groups",
    [
        np.array([0, 1, 0, 2], np.int32),
        np.array([-1, 0, 0, 0], np.int32),
        np.arange(4),
        np.arange(3, dtype=np.int32),
        [0, 1, 2, 3],
    ],
)
def test_groups_that_do_not_fit(groups: Any) -> None:
    with pytest.raises(SearchError) as caught:
        VectorIndex(np.ones((4, 3), np.int8), groups=groups)
    assert caught.value.code == "ME-INDEX-02"


# --- quantisation ---------------------------------------------------------------------------------


def test_quantise_rounds_half_to_even_and_cuts() -> None:
    floats = np.array([0.5, 1.5, -0.5, -1.5, 126.6, 500.0, -127.4, -500.0])
    assert quantise(floats, 1.0).tolist() == [0, 2, 0, -2, 127, 127, -127, -127]
    assert quantise(np.array([[0.1, -0.25]], np.float32), 10.0).tolist() == [[1, -2]]
    assert quantise(np.zeros((0, 4)), 3.0).shape == (0, 4)


@given(st.lists(st.floats(-(2**1000), 2**1000), min_size=1, max_size=20), st.floats(1e-300, 1e300))
def test_quantised_vectors_fit_an_index(floats: list[float], scale: float) -> None:
    vector = quantise(floats, scale)
    assert vector.dtype == np.int8 and vector.min() >= -127


@pytest.mark.parametrize("floats", [[np.nan], [np.inf], [[1.0, -np.inf]], ["word"], [None], None])
def test_quantise_refuses_what_is_not_finite(floats: Any) -> None:
    for call in (lambda: quantise(floats, 1.0), lambda: global_scale(floats)):
        with pytest.raises(SearchError) as caught:
            call()
        assert caught.value.code == "ME-INDEX-02"
    for scale in (0.0, -1.0, np.nan, np.inf):
        with pytest.raises(SearchError, match="scale"):
            quantise([1.0], scale)


def test_global_scale_leaves_out_the_largest_ten_thousandth() -> None:
    floats = np.concatenate([np.linspace(-2.0, 2.0, 99_991), np.full(9, 1000.0)])
    scale = global_scale(floats.reshape(-1, 10))
    assert 127 / 2.0 <= scale < 127 / 1.999
    assert global_scale(np.zeros((3, 3))) == global_scale([]) == 1.0
    assert global_scale([5e-324]) == 1.0


# --- threads, processors, forks -------------------------------------------------------------------


def test_threads_change_nothing_and_are_put_back() -> None:
    import faiss

    vectors, queries = random_vectors(7, 12_000, 64, 3), random_vectors(8, 40, 64, 3)
    groups = np.repeat(np.arange(1000, dtype=np.int32), 12)
    before = faiss.omp_get_max_threads()
    results = set()
    try:
        for threads in (1, 2, 4):
            faiss.omp_set_num_threads(threads)
            for index in (VectorIndex(vectors), VectorIndex(vectors, groups=groups)):
                batch = [part.tobytes() for part in index.search(queries, 10)]
                single = [index.search(query[None], 10) for query in queries]
                assert batch == [np.concatenate(parts).tobytes() for parts in zip(*single, strict=True)]
                assert faiss.omp_get_max_threads() == threads
                results.add((index._groups is None, *batch))
    finally:
        faiss.omp_set_num_threads(before)
    assert len(results) == 2


def test_searches_from_several_threads() -> None:
    index = VectorIndex(random_vectors(9, 5000, 32, 3), groups=np.repeat(np.arange(500, dtype=np.int32), 10))
    queries = random_vectors(10, 16, 32, 3)
    expected = [part.tolist() for part in index.search(queries, 5)]
    results: list[Any] = []

    def work() -> None:
        parts = [index.search(query[None], 5) for query in queries]
        results.append([np.concatenate(part).tolist() for part in zip(*parts, strict=True)])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 4


_PROBE = """
import hashlib, faiss, numpy as np
from mosaic_env.index.vectors import VectorIndex
random = np.random.Generator(np.random.PCG64(0))
total = hashlib.sha256()
for n, d, limit in ((3000, 64, 2), (500, 1040, 127), (700, 33, 127)):
    vectors = random.integers(-limit, limit + 1, (n, d)).astype(np.int8)
    groups = (np.arange(n) // 7).astype(np.int32)
    indices = VectorIndex(vectors), VectorIndex(vectors, groups=groups), VectorIndex(vectors, backend="numpy")
    for index in indices:
        for part in (*index.search(vectors[:9], 10), *index.search(vectors[:1], 10)):
            total.update(part.tobytes())
print(faiss.SIMDConfig.get_level_name(), faiss.omp_get_max_threads(), total.hexdigest())
"""


def _probe(**environment: str) -> tuple[str, int, str]:
    variables = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    done = subprocess.run(
        [sys.executable, "-c", _PROBE], env=variables, capture_output=True, text=True, timeout=120, check=True
    )
    level, threads, digest = done.stdout.split()
    return level, int(threads), digest


def test_every_simd_level_and_thread_count_gives_the_same_bytes() -> None:
    import faiss

    names = ("NONE", "AVX2", "AVX512", "AVX512_SPR", "ARM_NEON")
    levels = [n for n in names if faiss.SIMDConfig.is_simd_level_available(faiss.to_simd_level(n))]
    assert len(levels) >= 2, f"only {levels} can run here, so nothing would be compared"
    digests = set()
    for level in levels:
        for threads in (1, 2):
            got, count, digest = _probe(FAISS_SIMD_LEVEL=level, OMP_NUM_THREADS=str(threads))
            assert (got, count) == (level, threads)
            digests.add(digest)
    assert len(digests) == 1


_FORK = """
import os, sys
import numpy as np
from mosaic_env.index.vectors import VectorIndex
vectors = np.random.Generator(np.random.PCG64(0)).integers(-9, 10, (20000, 64)).astype(np.int8)
expected = VectorIndex(vectors).search(vectors[:64], 5)[0].tobytes()
child = os.fork()
if child == 0:
    same = VectorIndex(vectors).search(vectors[:64], 5)[0].tobytes() == expected
    os._exit(0 if same else 3)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_new_index_in_a_forked_child_does_not_hang() -> None:
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "2"}
    process = subprocess.Popen([sys.executable, "-c", _FORK], env=variables, start_new_session=True)
    try:
        assert process.wait(timeout=60) == 0
    finally:
        if process.poll() is None:
            os.killpg(process.pid, 9)
            process.wait()


def test_known_answer() -> None:
    vectors, queries = random_vectors(11, 2000, 48, 4), random_vectors(12, 8, 48, 4)
    found, scores = VectorIndex(vectors).search(queries, 10)
    exact = queries.astype(np.int64) @ vectors.astype(np.int64).T
    order = np.argsort(-exact, axis=1, kind="stable")[:, :10]
    assert np.array_equal(found, order) and np.array_equal(scores, np.take_along_axis(exact, order, 1))
