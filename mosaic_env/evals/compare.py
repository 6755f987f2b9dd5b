"""Two runs over the same tasks: the difference of their accuracy, and the tasks that changed sides."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from mosaic_env.core.errors import EvalError, shorten
from mosaic_env.core.types import Plain
from mosaic_env.core.words import counted
from mosaic_env.evals.metrics.accuracy import accuracy, points
from mosaic_env.evals.metrics.groups import by_task, ordered, standard_groups
from mosaic_env.evals.quality.difference import Paired, bounds, paired
from mosaic_env.evals.records import Scored
from mosaic_env.evals.tables import Cell, Summary, Table

_NAMED = 3


@dataclass(frozen=True)
class Flip(Plain):
    """A task that one run got right and the other wrong.

    Args:
        task: Its key.
        first, second: Why each verdict is what it is, as ``value: reason``.
    """

    task: str
    first: str
    second: str


@dataclass(frozen=True)
class Comparison:
    """The second run against the first, over the tasks of both.

    Args:
        names: What the runs are called.
        pairs: Counts over the common tasks; in it ``first`` is the second run's gain, so that the difference is
            the second's rate minus the first's.
        lost, won: Tasks that went from right to wrong, and from wrong to right, by key.
        only: Tasks that only the first, and only the second, played.
        table: Accuracy of both by level and chain, with paired differences.
    """

    names: tuple[str, str]
    pairs: Paired
    lost: tuple[Flip, ...]
    won: tuple[Flip, ...]
    only: tuple[tuple[str, ...], tuple[str, ...]]
    table: Table
    warnings: tuple[str, ...] = ()

    @property
    def difference(self) -> float:
        """The second's rate minus the first's."""
        return self.pairs.difference

    @property
    def interval(self) -> tuple[float, float]:
        """The two-sided 95 % interval of the difference (Newcombe)."""
        return bounds(self.pairs, 0.975)

    @property
    def p(self) -> float:
        """The exact two-sided p of McNemar's test."""
        return mcnemar(len(self.lost), len(self.won))

    def summary(self) -> Summary:
        """Return it as tables for reports."""
        first, second = self.names
        facts = {
            "first": first,
            "second": second,
            "tasks": f"{self.pairs.n:,} of both",
            "difference": f"{points(self.pairs)} points",
            "McNemar, exact": f"p = {self.p:.3g}",
        }
        flips = (
            _flips("lost", f"Right in {first}, wrong in {second}", self.lost, self.names),
            _flips("won", f"Wrong in {first}, right in {second}", self.won, self.names),
        )
        return Summary(facts, (self.table, *flips), self.warnings)


def compare_runs(
    first: Sequence[Scored],
    second: Sequence[Scored],
    *,
    names: tuple[str, str] = ("A", "B"),
    intersection: bool = False,
) -> Comparison:
    """Compare two runs, paired by task; of a task played several times the first episode counts.

    Args:
        intersection: Compare over the tasks of both when the runs are about different ones.

    Raises: EvalError (ME-EVAL-02) for different tasks, unless ``intersection``, for none in common, and for tasks
        that have the same key and are not the same.
    """
    ones, others = by_task(ordered(first)), by_task(ordered(second))
    common = sorted(ones.keys() & others.keys())
    only = tuple(sorted(ones.keys() - others.keys())), tuple(sorted(others.keys() - ones.keys()))
    if any(only) and not intersection:
        raise _different(names, only)
    if not common:
        raise EvalError(
            "ME-EVAL-02", "the runs have no task in common", expected="two runs of the same tasks"
        )
    for key in common:
        _check_same(ones[key], others[key])
    a, b = [ones[key] for key in common], [others[key] for key in common]
    return Comparison(
        names,
        _pairs(a, b),
        _changed(a, b, was=True),
        _changed(a, b, was=False),
        only,
        _table(a, b, names),
        _warnings(a, b, names, only),
    )


def mcnemar(lost: int, won: int) -> float:
    """Return the exact two-sided p of McNemar's test: as many flips or more on one side, by a fair coin.

    Args:
        lost, won: Flips each way, at least 0; without any, p is 1.
    """
    flips, least = lost + won, min(lost, won)
    tail = sum(math.comb(flips, count) for count in range(least + 1))
    return float(min(2 * tail / 2**flips, 1.0))


def _pairs(first: Sequence[Scored], second: Sequence[Scored]) -> Paired:
    return paired((other.right, one.right) for one, other in zip(first, second, strict=True))


def _changed(first: Sequence[Scored], second: Sequence[Scored], *, was: bool) -> tuple[Flip, ...]:
    return tuple(
        Flip(one.episode.task.key, _why(one), _why(other))
        for one, other in zip(first, second, strict=True)
        if one.right is was and other.right is not was
    )


def _why(one: Scored) -> str:
    return f"{one.judged.value}: {one.judged.reason}"


def _table(first: Sequence[Scored], second: Sequence[Scored], names: tuple[str, str]) -> Table:
    groups, others = standard_groups(first), standard_groups(second)
    rows: tuple[tuple[Cell, ...], ...] = (
        (names[0], *(accuracy(ones) for ones in groups.values())),
        (names[1], *(accuracy(others[name]) for name in groups)),
        ("Δ", *(points(_pairs(ones, others[name])) for name, ones in groups.items())),
        ("Tasks", *(len(ones) for ones in groups.values())),
    )
    note = "Over the tasks of both. Δ is paired, in percentage points, with its 95 % interval (Newcombe)."
    return Table("comparison", "Accuracy", ("", *groups), rows, note)


def _flips(key: str, title: str, flips: Sequence[Flip], names: tuple[str, str]) -> Table:
    rows = tuple((flip.task, flip.first, flip.second) for flip in flips)
    return Table(key, title, ("Task", *names), rows)


def _warnings(
    first: Sequence[Scored],
    second: Sequence[Scored],
    names: tuple[str, str],
    only: tuple[tuple[str, ...], tuple[str, ...]],
) -> tuple[str, ...]:
    said = [
        f"{counted(len(keys), 'task')} only in {name}: left out."
        for name, keys in zip(names, only, strict=True)
        if keys
    ]
    for name, ones in zip(names, (first, second), strict=True):
        unsure = sum(one.judged.value == "unsure" for one in ones)
        if unsure:
            said.append(f"{counted(unsure, 'answer')} of {name} stayed unsure, which is not right.")
    if first[0].episode.world != second[0].episode.world:
        said.append("The runs were played in different worlds.")
    return tuple(said)


def _check_same(one: Scored, other: Scored) -> None:
    mine, theirs = one.episode, other.episode
    if mine.task.digest != theirs.task.digest or one.gold.digest != other.gold.digest:
        raise EvalError(
            "ME-EVAL-02", f"the task {mine.task.key} is not the same in both runs",
            expected="runs of the same snapshot's tasks, scored against the same references",
            fix="Play one of them again, or score both anew",
        )  # fmt: skip


def _different(names: tuple[str, str], only: tuple[tuple[str, ...], tuple[str, ...]]) -> EvalError:
    parts = [
        f"{counted(len(keys), 'task')} only in {name} ({', '.join(map(shorten, keys[:_NAMED]))}"
        + (", …)" if len(keys) > _NAMED else ")")
        for name, keys in zip(names, only, strict=True)
        if keys
    ]
    return EvalError(
        "ME-EVAL-02", "the runs are about different tasks: " + "; ".join(parts), expected="the same tasks in both",
        fix="Compare over the tasks of both with intersection=True (--intersection)",
    )  # fmt: skip
