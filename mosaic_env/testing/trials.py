"""Repeated episodes: how often an agent solves its tasks, and which tasks changed sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from mosaic_env.evals.stats import pass_at_k, pass_hat_k, wilson
from mosaic_env.testing.golden import Circumstances
from mosaic_env.testing.match import columns, shown

if TYPE_CHECKING:
    from mosaic_env.testing.run import Run
    from mosaic_env.testing.store import GoldenStore

Successes = Mapping[str, Sequence[bool]]


def solved(trials: Sequence[bool]) -> bool:
    """Tell whether a task counts as solved: more than half of its trials succeeded."""
    return 2 * sum(trials) > len(trials)


@dataclass(frozen=True)
class Flips:
    """Tasks that changed sides between two sets of trials.

    Args:
        lost: Solved before, not now: (task, successes before, now) as ``"3 of 4"``.
        gained: Not solved before, solved now.
        gone: Tasks that were tried before and not now.
        new: Tasks that were not tried before.
    """

    lost: tuple[tuple[str, str, str], ...]
    gained: tuple[tuple[str, str, str], ...]
    gone: tuple[str, ...]
    new: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.lost or self.gained)

    def __str__(self) -> str:
        rows = [("", "task", "recorded", "now")]
        rows += [("lost", shown(task, 60), before, now) for task, before, now in self.lost]
        rows += [("gained", shown(task, 60), before, now) for task, before, now in self.gained]
        rows += [("gone", shown(task, 60), "", "-") for task in self.gone]
        rows += [("new", shown(task, 60), "-", "") for task in self.new]
        return columns(rows)


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
        """Return the tasks that changed sides; solved means more than half of a task's trials.

        Args:
            golden: Earlier trials, their successes by task, or the name of a golden.

        Raises: GoldenMissing.
        """
        if isinstance(golden, str):
            golden = self._store.recorded_trials(golden).successes
        before = golden.successes if isinstance(golden, Trials) else golden
        now = self.successes
        changed = [
            (key, _of(before[key]), _of(now[key]), solved(now[key]))
            for key in now
            if key in before and solved(before[key]) != solved(now[key])
        ]
        return Flips(
            tuple((key, old, new) for key, old, new, good in changed if not good),
            tuple((key, old, new) for key, old, new, good in changed if good),
            tuple(key for key in before if key not in now),
            tuple(key for key in now if key not in before),
        )

    def first_lost(self, golden: Successes) -> int:
        """Return the number of the first episode that succeeded before and fails now."""
        for key, runs in self.runs.items():
            for before, run in zip(golden.get(key, ()), runs, strict=False):
                if before and not run.success:
                    return run.play
        return self.plays[0]

    def check_golden(self, name: str = "trials") -> None:
        """Fail when a task that was solved is not any more, or is not tried any more.

        Raises: GoldenMismatch listing the flips in both directions, GoldenMissing, GoldenError.
        """
        __tracebackhide__ = True
        self._store.compare_trials(self, name)

    def __str__(self) -> str:
        rows = [("task", "solved", "reward", "steps")]
        for key, runs in self.runs.items():
            reward, steps = fmean(run.reward for run in runs), fmean(run.steps for run in runs)
            rows.append((shown(key, 60), _of(self.successes[key]), f"{reward:.2f}", f"{steps:.1f}"))
        least = min(len(runs) for runs in self.runs.values())
        low, high = self.interval()
        count = sum(len(runs) for runs in self.runs.values())
        numbers = [f"pass@1 {self.pass_at(1):.3f}"]
        if least > 1:
            numbers += [f"pass@{least} {self.pass_at(least):.3f}", f"pass^{least} {self.pass_hat(least):.3f}"]
        interval = f"Wilson 95% {low:.3f} to {high:.3f} over {count} task-trials"
        return columns(rows) + "\n  " + " · ".join([*numbers, interval])


def _of(trials: Sequence[bool]) -> str:
    return f"{sum(trials)} of {len(trials)}"
