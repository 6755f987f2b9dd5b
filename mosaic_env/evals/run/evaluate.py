"""A run from its plan to a folder full of episodes.

Must not: read what the episodes say beyond what a progress bar shows.
"""

from __future__ import annotations

import contextlib
import functools
import json
from collections.abc import Callable
from dataclasses import dataclass

from mosaic_env.agents.models.spec import ModelSpec
from mosaic_env.core.errors import EpisodeError, EvalError
from mosaic_env.core.words import counted
from mosaic_env.envs.episode import Episode
from mosaic_env.evals.records import Unplayed
from mosaic_env.evals.run.folder import PART, RunFolder
from mosaic_env.evals.run.pool import Job, Pool
from mosaic_env.evals.run.suite import Suite

#: Tasks that may fail one after another, from the first on, before a run gives up: the server is down, then.
HOPELESS = 10


@dataclass
class Tally:
    """How a run stands.

    Args:
        total: Tasks of the suite.
        played, right: Episodes, and right answers by the rules, those of earlier sittings included.
        failed: Tasks of this sitting that gave no episode.
        tokens: Tokens of this and earlier sittings.
    """

    total: int
    played: int = 0
    right: int = 0
    failed: int = 0
    tokens: int = 0

    def __str__(self) -> str:
        """Return ``62.5 % right, 1 error, 12,000 tokens``."""
        parts = [f"{100 * self.right / self.played:.1f} % right"] if self.played else []
        parts += [counted(self.failed, "error")] if self.failed else []
        parts += [f"{self.tokens:,} tokens"] if self.tokens else []
        return ", ".join(parts)


def evaluate(
    suite: Suite,
    folder: RunFolder,
    *,
    snapshot: str | None,
    model: ModelSpec | None,
    workers: int,
    timeout: float,
    say: Callable[[Tally], None],
) -> Tally:
    """Play what the folder does not hold yet; return how the run stands.

    Args:
        suite: What is played; the folder was begun with it.
        snapshot: A path that worker processes find.
        workers: Processes at a time.
        timeout: Seconds a task may take.
        say: Called after each task.

    Raises: MosaicError: nothing can be played. KeyboardInterrupt leaves a folder that can be continued.
    Determinism: which episode a task gives depends on the suite alone, whatever the order and the workers.
    """
    tally, missing = _standing(suite, folder)
    say(tally)
    spec = {
        "suite": {**suite.as_dict(), "parts": [{**part.as_dict(), "tasks": []} for part in suite.parts]},
        "snapshot": snapshot,
        "model": None if model is None else model.as_dict(),
    }
    check = functools.partial(_is_episode, suite)
    outcomes = Pool(spec, workers=workers, timeout=timeout, check=check).play(missing)
    begun = tally.played
    last: Unplayed | None = None
    with contextlib.closing(outcomes):
        for outcome in outcomes:
            if outcome.failure is None:
                folder.add_episode(outcome.line)
                _count(tally, outcome.line)
            else:
                folder.add_failure(outcome.failure)
                tally.failed += 1
            say(tally)
            last = outcome.failure or last
            if last and tally.played == begun and tally.failed >= HOPELESS:
                raise _hopeless(last, tally.failed)
    if last and not tally.played:
        raise _hopeless(last, tally.failed)  # a report about nothing would hide why
    return tally


def _standing(suite: Suite, folder: RunFolder) -> tuple[Tally, list[Job]]:
    """Return how a folder stands, and the tasks without an episode."""
    jobs = suite.jobs
    played = folder.episodes(suite)
    tally = Tally(len(jobs), len(played))
    for episode in played.values():
        tally.right += episode.success
        tally.tokens += _tokens(episode.notes)
    return tally, [job for job in jobs if job not in played]


def _is_episode(suite: Suite, job: Job, line: bytes) -> bool:
    """Tell whether a line is a whole episode of a job: what is written into the folder can be read again."""
    part = suite.part(job[0])
    try:
        episode = Episode.from_line(line)
    except EpisodeError:
        return False
    found = (episode.notes.get(PART), episode.task.key, episode.world, episode.config_digest)
    return found == (*job, part.world, part.config)


def _count(tally: Tally, line: bytes) -> None:
    data = json.loads(line)
    tally.played += 1
    tally.right += bool(data["steps"]) and data["steps"][-1].get("verdict") == "yes"
    tally.tokens += _tokens(data["notes"])


def _tokens(notes: object) -> int:
    """Return the tokens that an episode's notes name; an agent of a stranger may write what it likes there."""
    found = (
        [notes.get(name, "") for name in ("prompt_tokens", "completion_tokens")]
        if isinstance(notes, dict)
        else []
    )
    return sum(int(text) for text in found if text.isascii() and text.isdigit())


def _hopeless(last: Unplayed, count: int) -> EvalError:
    why = f"{last.code}: {last.message}" if last.message else last.code
    return EvalError(
        "ME-EVAL-03", f"none of the first {count} tasks could be played; the last one: {last.status}, {why}",
        fix="Put that right, then continue with the same command and --resume",
    )  # fmt: skip
