"""The difference of two success rates over the same tasks, with its interval.

Must not: read episodes or files, draw random numbers, or round.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mosaic_env.core.errors import ConfigError
from mosaic_env.evals.stats import wilson


@dataclass(frozen=True)
class Paired:
    """How often two strategies were right about the same tasks.

    Args:
        both: Tasks that both got right.
        first, second: Tasks that only the first, or only the second, got right.
        neither: Tasks that neither got right.
    """

    both: int
    first: int
    second: int
    neither: int

    @property
    def n(self) -> int:
        """The number of tasks."""
        return self.both + self.first + self.second + self.neither

    @property
    def difference(self) -> float:
        """The first's rate minus the second's, 0.0 without tasks."""
        return (self.first - self.second) / self.n if self.n else 0.0


def paired(outcomes: Iterable[tuple[bool, bool]]) -> Paired:
    """Return the counts of pairs of outcomes (first was right, second was right)."""
    counts = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for first, second in outcomes:
        counts[bool(first), bool(second)] += 1
    return Paired(*counts.values())


def design_effect(outcomes: Sequence[tuple[bool, bool]], groups: Sequence[str]) -> float:
    """Return how many tasks count for one because tasks of a group are alike, at least 1.0.

    It is the variance of the mean difference with groups as the units of the sample, over the variance with
    tasks as the units. Where all differences are equal there is nothing to estimate it from: groups count.

    Args:
        outcomes: For each task, whether the first and whether the second strategy was right.
        groups: For each task, what it shares with others.

    Source: L. Kish, Survey Sampling (1965), section 8.2.
    """
    differences = [first - second for first, second in outcomes]
    if not differences:
        return 1.0
    mean = sum(differences) / len(differences)
    sums: dict[str, float] = defaultdict(float)
    for difference, group in zip(differences, groups, strict=True):
        sums[group] += difference - mean
    alone = sum((difference - mean) ** 2 for difference in differences)
    if alone == 0 or len(sums) == 1:
        return len(differences) / len(sums)
    grouped = sum(total**2 for total in sums.values()) * len(sums) / (len(sums) - 1)
    return max(grouped / alone, 1.0)


def bounds(pairs: Paired, confidence: float = 0.95, effect: float = 1.0) -> tuple[float, float]:
    """Return the lower and the upper *one-sided* bound of the first's rate minus the second's.

    Args:
        confidence: Of each bound alone; together they hold with ``2 * confidence - 1``.
        effect: So many tasks count for one, see ``design_effect``.

    Returns: (lower, upper) inside [-1, 1]; without tasks (-1.0, 1.0): nothing is known.
    Raises: ConfigError (ME-STATS-01) for a confidence outside (0.5, 1), negative counts or an effect below 1.
    Source: R. G. Newcombe, Statistics in Medicine 17 (1998), 2635-2650, method 10: score intervals of the
        two rates, joined with their correlation; E. L. Korn and B. I. Graubard, Survey Methodology 24 (1998),
        193-201, for the effective number of tasks.
    """
    fewest = min(pairs.both, pairs.first, pairs.second, pairs.neither)
    if not 0.5 < confidence < 1.0 or fewest < 0 or not 1.0 <= effect < math.inf:
        raise ConfigError(
            "ME-STATS-01",
            f"the statistic is not defined for {pairs!r} with confidence={confidence!r}, effect={effect!r}",
            expected="counts of at least 0, a number between 0.5 and 1, and an effect of at least 1",
        )
    n = pairs.n
    if n == 0:
        return -1.0, 1.0
    ones, twos = pairs.both + pairs.first, pairs.both + pairs.second
    low1, high1 = wilson(ones / effect, n / effect, 2 * confidence - 1)
    low2, high2 = wilson(twos / effect, n / effect, 2 * confidence - 1)
    rate1, rate2, phi = ones / n, twos / n, _correlation(pairs)
    below = _joined(rate1 - low1, high2 - rate2, phi)
    above = _joined(high1 - rate1, rate2 - low2, phi)
    return max(pairs.difference - below, -1.0), min(pairs.difference + above, 1.0)


def _joined(one: float, two: float, phi: float) -> float:
    """Return the half-width that two half-widths give together."""
    return math.sqrt(max(one * one - 2 * phi * one * two + two * two, 0.0))


def _correlation(pairs: Paired) -> float:
    """Return the correlation of the two outcomes, corrected for continuity when it is positive."""
    ones, twos = pairs.both + pairs.first, pairs.both + pairs.second
    margins = ones * (pairs.n - ones) * twos * (pairs.n - twos)
    if margins == 0:
        return 0.0
    excess: float = pairs.both * pairs.neither - pairs.first * pairs.second
    if excess > 0:
        excess = max(excess - pairs.n / 2, 0.0)
    return excess / math.sqrt(margins)
