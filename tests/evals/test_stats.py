"""Intervals and pass@k against published values, brute force, and their own properties."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosaic_env.core.errors import ConfigError
from mosaic_env.evals.stats import pass_at_k, pass_hat_k, wilson

COUNTS = st.integers(0, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        # R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3 (Wilson, no correction).
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_against_published_values(successes: int, n: int, low: float, high: float) -> None:
    assert wilson(successes, n) == pytest.approx((low, high), abs=5e-5)


@given(COUNTS, st.floats(0.01, 0.99))
def test_wilson(counts: tuple[int, int], confidence: float) -> None:
    successes, n = counts
    low, high = wilson(successes, n, confidence)
    assert 0.0 <= low < high <= 1.0 and (n == 0 or low <= successes / n <= high)
    mirrored = wilson(n - successes, n, confidence)
    assert (1 - mirrored[1], 1 - mirrored[0]) == pytest.approx((low, high), abs=1e-12)
    wider = wilson(successes, n, confidence + (1 - confidence) / 2)
    assert wider[0] <= low and wider[1] >= high


@given(st.integers(1, 8).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_pass_at_and_hat_against_counting(case: tuple[int, int, int]) -> None:
    n, c, k = case
    draws = list(itertools.combinations([True] * c + [False] * (n - c), k))
    assert pass_at_k(n, c, k) == pytest.approx(sum(map(any, draws)) / len(draws), abs=1e-15)
    assert pass_hat_k(n, c, k) == pytest.approx(sum(map(all, draws)) / len(draws), abs=1e-15)


def test_large_counts_stay_exact() -> None:
    assert pass_at_k(10_000, 5_000, 1) == pass_hat_k(10_000, 5_000, 1) == 0.5
    assert pass_at_k(2000, 1, 1000) == 0.5 and pass_hat_k(2000, 1999, 1000) == 0.5


@pytest.mark.parametrize(
    "call",
    [
        lambda: wilson(-1, 3), lambda: wilson(4, 3), lambda: wilson(0, -1), lambda: wilson(1, 3, 1.0),
        lambda: wilson(1, 3, float("nan")), lambda: pass_at_k(4, 5, 1), lambda: pass_at_k(4, 2, 0),
        lambda: pass_hat_k(4, 2, 5), lambda: pass_hat_k(0, 0, 1),
    ],
)  # fmt: skip
def test_what_is_not_defined_is_refused(call: object) -> None:
    with pytest.raises(ConfigError, match="ME-STATS-01"):
        call()  # type: ignore[operator]
