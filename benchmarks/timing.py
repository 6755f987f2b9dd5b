"""Timing that holds on a noisy machine: the things to compare take turns, medians are compared."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

ROUNDS = 5


@dataclass(frozen=True)
class Line:
    """One measured claim: a name, the number, the bar, and whether it is met."""

    name: str
    value: float
    bar: str
    met: bool
    unit: str = ""

    def __str__(self) -> str:
        mark = "ok  " if self.met else "MISS"
        return f"{mark} {self.name:<66} {self.value:>10.3f} {self.unit:<9} ({self.bar})"


def at_most(name: str, value: float, bar: float, unit: str = "") -> Line:
    """Return a line whose number must not exceed the bar."""
    return Line(name, value, f"at most {bar:g}", value <= bar, unit)


def at_least(name: str, value: float, bar: float, unit: str = "") -> Line:
    """Return a line whose number must reach the bar."""
    return Line(name, value, f"at least {bar:g}", value >= bar, unit)


def in_turn(
    timed: Mapping[str, Callable[[], object]],
    *,
    before: Callable[[str], object] | None = None,
    rounds: int = ROUNDS,
) -> dict[str, float]:
    """Return the median seconds of each callable; in each round every one runs once, after a warm-up round.

    Args:
        before: Called with the name before each run, outside of the measured time.
    """
    seconds: dict[str, list[float]] = {name: [] for name in timed}
    for number in range(rounds + 1):
        for name, run in timed.items():
            if before is not None:
                before(name)
            start = time.perf_counter()
            run()
            if number:
                seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in seconds.items()}
