"""The goldens of one test: kept, compared, explained, saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mosaic_env
from mosaic_env.envs.core import SearchEnv
from mosaic_env.envs.setup import Setup
from mosaic_env.testing import report
from mosaic_env.testing.blame import (
    Verdict,
    blame,
    compare_circumstances,
    compare_exchanges,
    compare_library,
)
from mosaic_env.testing.errors import GoldenError, GoldenMismatch, GoldenMissing
from mosaic_env.testing.golden import (
    Circumstances,
    Golden,
    GoldenRun,
    GoldenTrials,
    read_golden,
    write_golden,
)
from mosaic_env.testing.match import Match, check_match, first_change
from mosaic_env.testing.recording import Exchange, Recording

if TYPE_CHECKING:
    from mosaic_env.testing.run import Run
    from mosaic_env.testing.trials import Trials


class GoldenStore:
    """Keeps the goldens of one test.

    Args:
        path: The test's golden file.
        test: The test's name, stored in the file.
        update: Write goldens instead of comparing.
        live: Call wrapped models for real although recorded outputs exist.
        command: What runs this test, for messages.

    Raises: GoldenError for a damaged file.
    """

    def __init__(
        self, path: Path, test: str, *, update: bool = False, live: bool = False, command: str = ""
    ) -> None:
        self._path, self._test, self._update = path, test, update
        self._command = command or f"the test {test} with"
        self._golden = None if update else read_golden(path, test)
        offline = self._golden is not None and not live
        self.recording = Recording(self._golden.exchanges if self._golden and offline else None)
        self._runs: dict[str, GoldenRun] = {}
        self._trials: dict[str, GoldenTrials] = {}

    def compare_run(self, run: Run, name: str, match: Match) -> None:
        """Compare a run with its golden, or keep it for ``save``; see ``Run.check_golden``."""
        __tracebackhide__ = True
        check_match(match)
        self._claim(self._runs, name)
        self._runs[name] = GoldenRun(run.play, match, run.circumstances, run.episode)
        if self._update:
            return
        golden: GoldenRun = self._recorded("runs", name)
        change = first_change(golden.episode, run.episode, match)
        if change is not None:
            verdict = self._blame(golden, run.circumstances, run.setup, change.step)
            raise GoldenMismatch(report.mismatch(self._title(name, match), change, verdict, self._accept()))

    def compare_trials(self, trials: Trials, name: str, confidence: float = 0.95) -> None:
        """Compare trials with their golden, or keep them for ``save``; see ``Trials.check_golden``."""
        __tracebackhide__ = True
        self._claim(self._trials, name)
        self._trials[name] = GoldenTrials(trials.plays, trials.circumstances, trials.successes)
        if self._update:
            return
        golden = self.recorded_trials(name)
        flips = trials.flips(golden.successes)
        if flips.worse(confidence) or flips.gone:
            verdict = self._blame_trials(golden, trials.circumstances, trials.first_lost(golden.successes))
            raise GoldenMismatch(report.flipped(self._title(name), flips, verdict, self._accept()))

    def recorded_trials(self, name: str) -> GoldenTrials:
        """Return recorded trials.

        Raises: GoldenMissing.
        """
        __tracebackhide__ = True
        found: GoldenTrials = self._recorded("trials", name)
        return found

    def missed(self, miss: Exchange, env: SearchEnv, now: Circumstances, play: int) -> GoldenMismatch:
        """Return the failure of a question to a model that is not in the recording.

        Args:
            miss: The question.
            env: The environment, in the middle of the episode.
            now: What the episode depends on.
            play: Its number.
        """
        self.recording.made.append(miss)
        for name, run in self._known.runs.items():
            if run.play == play:
                begun = replace(run.episode, steps=run.episode.steps[: len(env.episode.steps)])
                change = first_change(begun, env.episode, "calls")
                verdict = self._blame(run, now, env.setup, change.step if change else miss.step)
                return GoldenMismatch(report.missed(self._title(name), miss, change, verdict, self._accept()))
        for name, trials in self._known.trials.items():
            if trials.plays[0] <= play < trials.plays[1]:
                alike = replace(now, asked=trials.circumstances.asked, task=trials.circumstances.task)
                verdict = self._blame_trials(trials, alike, play)
                return GoldenMismatch(report.missed(self._title(name), miss, None, verdict, self._accept()))
        verdict = Verdict("test", (f"the golden holds no episode number {play + 1} of this test",))
        return GoldenMismatch(report.missed(self._test, miss, None, verdict, self._accept()))

    def explain(self, env: SearchEnv, now: Circumstances, play: int) -> str:
        """Say which side moved, for an episode that failed; empty without a golden."""
        for run in self._known.runs.values():
            if run.play == play:
                return f"\n{self._blame(run, now, env.setup, self.recording.step)}"
        return ""

    def save(self) -> None:
        """Write the golden file of a test that passed; nothing when not updating."""
        if self._update and (self._runs or self._trials or self.recording.made):
            exchanges = tuple(self.recording.made)
            write_golden(
                self._path,
                Golden(self._test, mosaic_env.__version__, self._runs, self._trials, exchanges),
            )

    # --- inside -------------------------------------------------------------------------------------

    def _claim(self, taken: Mapping[str, Any], name: str) -> None:
        if name in taken:
            raise GoldenError(
                "ME-GOLDEN-02", f"check_golden is called twice with the name {name!r} in {self._test}",
                expected="one name each", fix="Give a name: check_golden('second')",
            )  # fmt: skip

    def _recorded(self, kind: str, name: str) -> Any:
        __tracebackhide__ = True
        known = getattr(self._golden, kind) if self._golden else {}
        if name not in known:
            raise GoldenMissing(
                report.missing(self._title(name), self._path.name, sorted(known), self._accept())
            )
        return known[name]

    @property
    def _known(self) -> Golden:
        return self._golden or Golden(self._test, "")

    def _blame(self, golden: GoldenRun, now: Circumstances, setup: Setup, step: int) -> Verdict:
        release = self._known.version, mosaic_env.__version__
        return blame(golden, now, setup, self._exchanges(golden.play), step=step, release=release)

    def _blame_trials(self, golden: GoldenTrials, now: Circumstances, play: int) -> Verdict:
        """Return the side that moved; trials keep no episodes, so nothing can be replayed."""
        then = golden.circumstances
        found = compare_circumstances(then, now) or compare_library(then, now)
        if found is not None:
            return found
        recorded, made = self._exchanges(play)
        verdict = compare_exchanges(recorded, made, step=max((e.step for e in made), default=0))
        note = "world, configuration and prompt are the recorded ones (trials keep no episode to replay)"
        return Verdict(verdict.side, (note, *verdict.evidence))

    def _exchanges(self, play: int) -> tuple[list[Exchange], list[Exchange]]:
        """Return the recorded exchanges of an episode, and those of this run."""
        recorded = [exchange for exchange in self._known.exchanges if exchange.play == play]
        return recorded, [exchange for exchange in self.recording.made if exchange.play == play]

    def _title(self, name: str, match: str = "") -> str:
        return f"{self._test} ({name!r}" + (f", match={match!r})" if match else ")")

    def _accept(self) -> str:
        return f"{self._command} --mosaic-update"
