"""An audit's numbers and their verdicts, as plain data.

A rate passes or fails by its bar. An attacker passes when the upper 95 % bound of what it has over the
constant guess is within the margin, fails when the lower 99 % bound is above zero (a dozen attackers seldom
raise a false alarm then), and is ``unclear`` between the two: there are too few tasks to tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from mosaic_env.evals.quality.difference import bounds, design_effect, paired
from mosaic_env.evals.stats import wilson

Verdict = Literal["pass", "fail", "unclear"]
Group = Literal["oracle", "control", "constant", "attacker"]

#: The least share that the oracle has to solve.
ORACLE = 0.97
#: What an attacker may have over the constant guess.
MARGIN = 0.03
#: Confidence with which an attacker has to beat the constant guess to fail.
SURE = 0.99
#: The largest share that constant guesses may get right: what two equal answers would give.
CONSTANT = 0.5


@dataclass(frozen=True)
class Comparison:
    """An attacker against constant guesses over the same tasks.

    Args:
        baseline: Tasks that constant guesses got right, as many guesses as the attacker gave answers.
        difference: The attacker's rate minus theirs.
        lower, upper: One-sided bounds of the difference, of 99 % and of 95 %, with targets as the units of the
            sample: tasks about one picture are not independent.
        effect: So many tasks count for one in them.
    """

    baseline: int
    difference: float
    lower: float
    upper: float
    effect: float


@dataclass(frozen=True)
class Line:
    """One number of an audit.

    Args:
        group: What kind of check it is.
        name, what: For people.
        right, n: Tasks that were solved, of how many.
        low, high: The rate's 95 % interval (Wilson).
        bar: What it has to be, as text.
        verdict: Whether it is.
        against: For attackers, the comparison with constant guesses.
        note: What else to know.
    """

    group: Group
    name: str
    what: str
    right: int
    n: int
    low: float
    high: float
    bar: str
    verdict: Verdict
    against: Comparison | None = None
    note: str = ""

    @property
    def rate(self) -> float:
        """The share that was solved, 0.0 without tasks."""
        return self.right / self.n if self.n else 0.0


@dataclass(frozen=True)
class Kind:
    """A type of question: how many there are, the best constant guess, how often it is right."""

    kind: str
    n: int
    guess: str
    right: int


@dataclass(frozen=True)
class Report:
    """An audit.

    Args:
        environment: Environment id.
        world, snapshot: The world's name and the snapshot's id.
        tasks: How many tasks were audited.
        targets: How many targets they are about.
        asks: How many different questions to their pictures end them.
        fitted: What constant guesses and the classifier were learnt from.
        lines: The numbers.
        kinds: Types of questions.
    """

    environment: str
    world: str
    snapshot: str
    tasks: int
    targets: int
    asks: int
    fitted: str
    lines: tuple[Line, ...]
    kinds: tuple[Kind, ...]

    @property
    def failed(self) -> tuple[str, ...]:
        """Names of the checks that fail."""
        return tuple(line.name for line in self.lines if line.verdict == "fail")

    @property
    def unclear(self) -> tuple[str, ...]:
        """Names of the checks that cannot be decided."""
        return tuple(line.name for line in self.lines if line.verdict == "unclear")

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        plain = asdict(self)
        plain["lines"] = [{**asdict(line), "rate": line.rate} for line in self.lines]
        return plain


def rate_line(
    group: Group, name: str, what: str, outcomes: Sequence[bool], *, least: float | None = None,
    most: float | None = None, sure: bool = False, note: str = "",
) -> Line:  # fmt: skip
    """Return the line of a rate that has to be at least, or at most, something.

    Args:
        outcomes: For each task, whether it was solved.
        sure: It fails only where its interval leaves no doubt, and is unclear otherwise.
    """
    right, n = sum(outcomes), len(outcomes)
    bar = f"≥ {least:.0%}" if least is not None else f"≤ {most or 0.0:.0%}"
    held = right >= (least or 0.0) * n if least is not None else right <= (most or 0.0) * n
    low, high = wilson(right, n)
    doubt = sure and (high >= least if least is not None else low <= (most or 0.0))
    verdict: Verdict = "pass" if n and held else "unclear" if doubt or not n else "fail"
    return Line(group, name, what, right, n, low, high, bar, verdict, note=note)


def attacker_line(
    name: str, what: str, outcomes: Sequence[tuple[bool, bool]], targets: Sequence[str], note: str = ""
) -> Line:
    """Return the line of an attacker.

    Args:
        outcomes: For each task, whether the attacker, and whether the constant guess, was right.
        targets: What each task is about.
    """
    pairs, effect = paired(outcomes), design_effect(outcomes, targets)
    lower, upper = bounds(pairs, SURE, effect)[0], bounds(pairs, effect=effect)[1]
    verdict: Verdict = "pass" if upper <= MARGIN else "fail" if lower > 0 else "unclear"
    against = Comparison(pairs.both + pairs.second, pairs.difference, lower, upper, effect)
    right, n = pairs.both + pairs.first, pairs.n
    bar = f"constant + {MARGIN:.0%}"
    return Line("attacker", name, what, right, n, *wilson(right, n), bar, verdict, against, note)


def rate_rows(report: Report) -> list[tuple[str, ...]]:
    """Return oracle, controls and constant as cells: check, solved, share, interval, bar, verdict."""
    return [
        (line.name, *_counts(line), f"{100 * line.low:.1f} … {100 * line.high:.1f}", line.bar, line.verdict)
        for line in report.lines
        if line.against is None
    ]


def attacker_rows(report: Report) -> list[tuple[str, ...]]:
    """Return attackers as cells: attacker, right, share, constant guess, lead, bound of it, verdict."""
    rows: list[tuple[str, ...]] = []
    for line in report.lines:
        if line.against is not None:
            constant = f"{100 * line.against.baseline / line.n:.1f} %" if line.n else "—"
            lead, most = f"{100 * line.against.difference:+.1f}", f"{100 * line.against.upper:+.1f}"
            rows.append((line.name, *_counts(line), constant, lead, most, line.verdict))
    return rows


def kind_rows(report: Report) -> list[tuple[object, ...]]:
    """Return types of questions as cells: type, tasks, best guess, how often it is right."""
    return [
        (kind.kind or "(none)", kind.n, kind.guess, f"{100 * kind.right / kind.n:.1f} %")
        for kind in report.kinds
    ]


def _counts(line: Line) -> tuple[str, str]:
    return f"{line.right:,}/{line.n:,}", f"{100 * line.rate:.1f} %" if line.n else "—"
