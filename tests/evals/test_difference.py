"""The interval of a paired difference against a calculation by hand, its coverage by enumeration, its symmetry."""

from __future__ import annotations

from math import comb, inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosaic_env.core.errors import ConfigError
from mosaic_env.evals.quality.difference import Paired, bounds, design_effect, paired

CELLS = st.builds(Paired, *[st.integers(0, 60)] * 4)


def test_bounds_by_hand() -> None:
    # 20, 10, 4, 16 of 50, two-sided 95 %. Rates 0.6 and 0.48; Wilson 0.4618 … 0.7239 and 0.3480 … 0.6149.
    # Excess 20 * 16 - 10 * 4 = 280, corrected 280 - 25 = 255; phi = 255 / sqrt(30 * 20 * 24 * 26) = 0.41675.
    # Below: sqrt(0.1382² - 2 * 0.41675 * 0.1382 * 0.1349 + 0.1349²) = 0.1475; above, with 0.1320 and 0.1239: 0.1384.
    lower, upper = bounds(Paired(20, 10, 4, 16), 0.975)
    assert (lower, upper) == pytest.approx((0.12 - 0.1475, 0.12 + 0.1384), abs=2e-4)


def test_no_correlation_without_variation() -> None:
    # 0 of 20 and 5 of 20: one margin is empty, phi = 0. Wilson (95 % two-sided) 0 … 0.1611 and 0.1119 … 0.4687.
    lower, upper = bounds(Paired(0, 0, 5, 15), 0.975)
    assert lower == pytest.approx(-0.25 - (0.2187**2) ** 0.5, abs=2e-4)
    assert upper == pytest.approx(-0.25 + (0.1611**2 + 0.1381**2) ** 0.5, abs=2e-4)


def test_no_tasks_say_nothing() -> None:
    assert bounds(Paired(0, 0, 0, 0)) == (-1.0, 1.0)
    assert paired([(True, True), (True, False), (True, False), (False, False)]) == Paired(1, 2, 0, 1)
    assert Paired(1, 2, 0, 1).difference == 0.5


@pytest.mark.parametrize("confidence", [0.5, 1.0, 0.0])
def test_a_meaningless_confidence_is_refused(confidence: float) -> None:
    with pytest.raises(ConfigError, match="ME-STATS-01"):
        bounds(Paired(1, 1, 1, 1), confidence)


@pytest.mark.parametrize("effect", [0.5, inf, nan])
def test_a_meaningless_effect_is_refused(effect: float) -> None:
    with pytest.raises(ConfigError, match="ME-STATS-01"):
        bounds(Paired(1, 1, 1, 1), effect=effect)


def test_the_design_effect_by_hand() -> None:
    # Differences 1, 1, 0, 0, -1, -1 in three pairs: mean 0, squares 4; sums 2, 0, -2, squares 8, times 3 / 2.
    outcomes = [(True, False)] * 2 + [(True, True)] * 2 + [(False, True)] * 2
    assert design_effect(outcomes, list("aabbcc")) == pytest.approx(8 * 1.5 / 4)
    # Each group has both: sums are 0, and less than the variance of single tasks is never claimed.
    assert design_effect([(True, False), (False, True)] * 3, list("aabbcc")) == 1.0
    # Nothing varies: groups count, as they do where there is one.
    assert design_effect([(False, False)] * 6, list("aabbcc")) == 2.0
    assert design_effect(outcomes, "aaaaaa") == 6.0
    assert design_effect([], []) == 1.0


def test_an_effect_is_fewer_tasks() -> None:
    assert bounds(Paired(20, 10, 4, 16), effect=2.0) == pytest.approx(bounds(Paired(10, 5, 2, 8)), abs=0.01)


def test_the_upper_bound_covers_tasks_that_come_in_groups() -> None:
    """60 groups of 1 to 9 tasks that are mostly alike: the bound holds, the one without the effect does not."""
    rng = np.random.Generator(np.random.PCG64(3))
    held = naive = 0
    for _ in range(400):
        outcomes, groups = [], []
        for group in range(60):
            chances = np.clip(rng.normal(0.2, 0.25, 2), 0, 1)  # the true difference is 0
            for _ in range(int(rng.integers(1, 10))):
                outcomes.append((bool(rng.random() < chances[0]), bool(rng.random() < chances[1])))
                groups.append(str(group))
        pairs = paired(outcomes)
        held += bounds(pairs, effect=design_effect(outcomes, groups))[1] >= 0
        naive += bounds(pairs)[1] >= 0
    assert 0.92 <= held / 400 <= 0.99
    assert naive < held


@given(CELLS)
def test_bounds_hold_the_difference_and_swap(pairs: Paired) -> None:
    lower, upper = bounds(pairs)
    assert -1.0 <= lower <= pairs.difference <= upper <= 1.0
    swapped = bounds(Paired(pairs.both, pairs.second, pairs.first, pairs.neither))
    assert swapped == pytest.approx((-upper, -lower))


@pytest.mark.parametrize("truth", [(0.05, 0.1, 0.1, 0.75), (0.1, 0.03, 0.03, 0.84), (0.2, 0.25, 0.15, 0.4)])
def test_the_upper_bound_covers(truth: tuple[float, float, float, float]) -> None:
    """Over all outcomes of 25 tasks, the true difference is below the bound about 95 % of the time."""
    n, covered = 25, 0.0
    for both in range(n + 1):
        for first in range(n + 1 - both):
            for second in range(n + 1 - both - first):
                cells = (both, first, second, n - both - first - second)
                chance = float(comb(n, both) * comb(n - both, first) * comb(n - both - first, second))
                for share, count in zip(truth, cells, strict=True):
                    chance *= share**count
                covered += chance * (truth[1] - truth[2] <= bounds(Paired(*cells))[1])
    assert 0.93 <= covered <= 0.999
