"""Statistics of repeated attempts: pure functions from counts to numbers.

Must not: read episodes or files, draw random numbers, or round. Every result is a float made by one
correctly rounded division of whole numbers, or by the closed form given under ``Source``.
"""

from __future__ import annotations

import math
from statistics import NormalDist

from mosaic_env.core.errors import ConfigError


def wilson(successes: float, n: float, confidence: float = 0.95) -> tuple[float, float]:
    """Return the Wilson score interval of a success rate.

    Args:
        successes: Number of successes, 0 to n; a fraction where trials count for less than one.
        n: Number of independent trials; 0 gives (0.0, 1.0): nothing is known.
        confidence: Coverage, between 0 and 1.

    Returns: (low, high), inside [0, 1]; never empty, also for 0 or n successes.
    Raises: ConfigError (ME-STATS-01).
    Source: E. B. Wilson, Journal of the American Statistical Association 22 (1927), 209-212.
    """
    _check_counts(n, successes)
    if not 0.0 < confidence < 1.0:
        raise _undefined(f"confidence={confidence!r}", "a number between 0 and 1")
    if n == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.5 + confidence / 2.0)
    rate, z2 = successes / n, z * z
    centre = rate + z2 / (2 * n)
    half = z * math.sqrt(rate * (1.0 - rate) / n + z2 / (4 * n * n))
    scale = 1.0 + z2 / n
    # At the ends the closed form is exactly 0 or 1; rounding must not move it.
    low = 0.0 if successes == 0 else max((centre - half) / scale, 0.0)
    high = 1.0 if successes == n else min((centre + half) / scale, 1.0)
    return low, high


def pass_at_k(n: int, c: int, k: int) -> float:
    """Return the unbiased estimate of pass@k: at least one of k attempts succeeds.

    Args:
        n: Attempts made.
        c: Attempts that succeeded, 0 to n.
        k: Attempts drawn without replacement, 1 to n.

    Returns: ``1 - C(n - c, k) / C(n, k)``.
    Raises: ConfigError (ME-STATS-01).
    Source: M. Chen et al., Evaluating Large Language Models Trained on Code (2021), equation 1.
    """
    _check_draw(n, c, k)
    every = math.comb(n, k)
    return (every - math.comb(n - c, k)) / every


def pass_hat_k(n: int, c: int, k: int) -> float:
    """Return the unbiased estimate of pass^k: all of k attempts succeed.

    Args:
        n, c, k: As in ``pass_at_k``.

    Returns: ``C(c, k) / C(n, k)``.
    Raises: ConfigError (ME-STATS-01).
    Source: S. Yao et al., τ-bench (2024), section 3.
    """
    _check_draw(n, c, k)
    return math.comb(c, k) / math.comb(n, k)


def _check_draw(n: int, c: int, k: int) -> None:
    _check_counts(n, c)
    if not 1 <= k <= n:
        raise _undefined(f"k={k!r} of n={n!r} attempts", "k from 1 to n")


def _check_counts(n: float, c: float) -> None:
    if n < 0 or not 0 <= c <= n:
        raise _undefined(f"{c!r} successes in {n!r} attempts", "0 to n successes in n attempts")


def _undefined(what: str, expected: str) -> ConfigError:
    return ConfigError("ME-STATS-01", f"the statistic is not defined for {what}", expected=expected)
