"""Repeated episodes: how often an agent solves its tasks, and which tasks changed sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from mosaic_env.core.words import counted
from mosaic_env.evals.stats import pass_at_k, pass_hat_k, wilson
from mosaic_env.testing.errors import HarnessError
from mosaic_env.testing.golden import Circumstances
from mosaic_env.testing.match import columns, shown

if TYPE_CHECKING:
    from mosaic_env.testing.run import Run
    from mosaic_env.testing.store import GoldenStore

Successes = Mapping[str, Sequence[bool]]
#: A task, its successes before, and now.
Row = tuple[str, str, str]
#: Most rows of tasks that got worse, and of those that got better, in a report.
_ROWS = 10


def chance_of_loss(pairs: Sequence[tuple[Sequence[bool], Sequence[bool]]]) -> float:
    """Return how likely chance alone makes the trials of now solve as few as they do, or fewer.

    An exact permutation test: if nothing changed, the trials of a task, then and now, could as well be
    exchanged. So each task's successes of now are hypergeometric given its successes of both times, and
    the sum over tasks is compared with what came. Tasks whose trials are all alike say nothing.

    Args:
        pairs: For each task its trials before and now.
    """
    spread, least, total = np.ones(1), 0, 0
    for before, now in pairs:
        right, n, m = sum(before) + sum(now), len(before), len(now)
        low, high = max(0, right - n), min(m, right)
        ways = [comb(m, x) * comb(n, right - x) / comb(n + m, right) for x in range(low, high + 1)]
        spread, least, total = np.convolve(spread, ways), least + low, total + sum(now)
    return min(float(spread[: total - least + 1].sum()), 1.0)


@dataclass(frozen=True)
class Flips:
    """What changed between two sets of trials; each row is (task, successes before, now) as ``"3 of 4"``.

    Args:
        lost: Tasks solved in every trial before and in none now.
        gained: Tasks solved in no trial before and in every one now.
        fell: Further tasks that are solved in a smaller share of trials, largest loss first.
        rose: Further tasks that are solved in a larger share, largest gain first.
        gone: Tasks that were tried before and not now.
        new: Tasks that were not tried before.
        noisy: Some task is solved in some trials and not in others, then or now.
        chance: See ``chance_of_loss``.
    """

    lost: tuple[Row, ...]
    gained: tuple[Row, ...]
    fell: tuple[Row, ...]
    rose: tuple[Row, ...]
    gone: tuple[str, ...]
    new: tuple[str, ...]
    noisy: bool
    chance: float

    def __bool__(self) -> bool:
        return bool(self.lost or self.gained)

    def worse(self, confidence: float = 0.95) -> bool:
        """Tell whether the agent has got worse.

        When trials of one task differ, only a loss beyond chance tells: ``chance`` of at most
        ``1 - confidence``. When no task's trials differ (one trial a task, a deterministic agent), there
        is no noise to allow for, and each lost task tells.
        """
        if self.noisy:
            return self.chance <= 1.0 - confidence + 1e-9
        return bool(self.lost)

    def __str__(self) -> str:
        failed = [("lost", *row) for row in self.lost] + [("fell", *row) for row in self.fell]
        failed += [("gone", task, "", "-") for task in self.gone]
        better = [("gained", *row) for row in self.gained] + [("rose", *row) for row in self.rose]
        better += [("new", task, "-", "") for task in self.new]
        rows = [*_few(failed), *_few(better)]
        return columns(
            [("", "task", "recorded", "now"), *((what, shown(task, 60), *of) for what, task, *of in rows)]
        )


def compare(before: Successes, now: Successes) -> Flips:
    """Return what changed from earlier trials to these."""
    both = [(key, before[key], now[key]) for key in now if before.get(key)]
    moved = sorted(both, key=lambda row: fmean(row[2]) - fmean(row[1]))
    kinds: dict[str, list[Row]] = {"lost": [], "fell": [], "rose": [], "gained": []}
    for key, old, new in moved:
        step = fmean(new) - fmean(old)
        kind = "lost" if step == -1 else "gained" if step == 1 else "fell" if step < 0 else "rose"
        if step:
            kinds[kind].append((key, _of(old), _of(new)))
    return Flips(
        lost=tuple(kinds["lost"]),
        gained=tuple(kinds["gained"]),
        fell=tuple(kinds["fell"]),
        rose=tuple(reversed(kinds["rose"])),
        gone=tuple(key for key in before if key not in now),
        new=tuple(key for key in now if key not in before),
        noisy=any(len(set(trials)) > 1 for _, *pair in both for trials in pair),
        chance=chance_of_loss([(old, new) for _, old, new in both]),
    )


def _few(rows: list[tuple[str, str, str, str]]) -> list[tuple[str, str, str, str]]:
    """Return the first rows, and one that counts the rest."""
    rest = len(rows) - _ROWS
    return rows if rest <= 0 else [*rows[:_ROWS], ("…", f"{counted(rest, 'more task')}", "", "")]


class Trials:
    """The runs of ``Mosaic.trials``.

    Args:
        runs: By task key, one run a trial.
        circumstances: What they depended on beside the agent.
        plays: Numbers of the first episode and of the one after the last.
        store: Where goldens are kept.
    """

    def __init__(
        self, runs: Mapping[str, tuple[Run, ...]], circumstances: Circumstances, plays: tuple[int, int],
        store: GoldenStore,
    ) -> None:  # fmt: skip
        self.runs = runs
        self.circumstances = circumstances
        self.plays = plays
        self._store = store

    @property
    def successes(self) -> dict[str, tuple[bool, ...]]:
        """By task key, whether each trial succeeded."""
        return {key: tuple(run.success for run in runs) for key, runs in self.runs.items()}

    def pass_at(self, n: int) -> float:
        """Return pass@n: the mean over tasks of the chance that one of n trials succeeds.

        Raises: ConfigError (ME-STATS-01) when n is more than the trials made.
        """
        return fmean(pass_at_k(len(trials), sum(trials), n) for trials in self.successes.values())

    def pass_hat(self, n: int) -> float:
        """Return pass^n: the mean over tasks of the chance that all of n trials succeed.

        Raises: ConfigError (ME-STATS-01) when n is more than the trials made.
        """
        return fmean(pass_hat_k(len(trials), sum(trials), n) for trials in self.successes.values())

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return the Wilson interval of the success rate over task-trials.

        Every trial of every task counts as one attempt. Trials of one task are not independent, so
        the true interval over *tasks* is wider.
        """
        every = [success for trials in self.successes.values() for success in trials]
        return wilson(sum(every), len(every), confidence)

    def flips(self, golden: Trials | Successes | str = "trials") -> Flips:
        """Return the tasks that changed sides, every trial against none, and further changes.

        Args:
            golden: Earlier trials, their successes by task, or the name of a golden.

        Raises: GoldenMissing.
        """
        if isinstance(golden, str):
            golden = self._store.recorded_trials(golden).successes
        return compare(golden.successes if isinstance(golden, Trials) else golden, self.successes)

    def first_lost(self, golden: Successes) -> int:
        """Return the number of the first episode that succeeded before and fails now."""
        for key, runs in self.runs.items():
            for before, run in zip(golden.get(key, ()), runs, strict=False):
                if before and not run.success:
                    return run.play
        return self.plays[0]

    def check_golden(self, name: str = "trials", confidence: float = 0.95) -> None:
        """Fail when the agent has got worse than its golden, or a task is not tried any more.

        Sampling noise is no failure. When trials of one task differ, then or now, the test fails only
        when the solved trials of all tasks together are fewer than chance explains (an exact
        permutation test within tasks). When no task's trials differ, as with ``k=1`` or a deterministic
        agent, each task that went from every trial solved to none fails it.

        Args:
            name: Tells several goldens of one test apart.
            confidence: How sure a loss has to be; at 0.95 an unchanged agent fails one time in twenty.

        Raises: GoldenMismatch listing what changed in both directions, GoldenMissing, GoldenError;
            HarnessError (ME-TESTING-01) for a confidence that is not between 0 and 1.
        """
        __tracebackhide__ = True
        if not 0.0 < confidence < 1.0:
            raise HarnessError(
                "ME-TESTING-01", f"confidence={confidence!r}", expected="a number between 0 and 1"
            )
        self._store.compare_trials(self, name, confidence)

    def __str__(self) -> str:
        rows = [("task", "solved", "reward", "steps")]
        for key, runs in self.runs.items():
            reward, steps = fmean(run.reward for run in runs), fmean(run.steps for run in runs)
            rows.append((shown(key, 60), _of(self.successes[key]), f"{reward:.2f}", f"{steps:.1f}"))
        least = min(len(runs) for runs in self.runs.values())
        low, high = self.interval()
        attempts = sum(len(runs) for runs in self.runs.values())
        numbers = [f"pass@1 {self.pass_at(1):.3f}"]
        if least > 1:
            numbers += [f"pass@{least} {self.pass_at(least):.3f}", f"pass^{least} {self.pass_hat(least):.3f}"]
        interval = f"Wilson 95% {low:.3f} to {high:.3f} over {counted(attempts, 'task-trial')}"
        return columns(rows) + "\n  " + " · ".join([*numbers, interval])


def _of(trials: Sequence[bool]) -> str:
    return f"{sum(trials)} of {len(trials)}"
