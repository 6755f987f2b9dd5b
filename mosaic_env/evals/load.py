"""From episodes to what metrics read: each with its gold, looked up by task key, and its verdict.

Metrics need episodes and golds only: no index, no tools, no encoder. A gold counts when its digest is the one the
episode carries, so that no run is scored against another reference by mistake.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from mosaic_env.core.canon import canonical_text
from mosaic_env.core.errors import EvalError
from mosaic_env.core.types import Gold
from mosaic_env.envs.episode import Episode, read_episodes
from mosaic_env.evals.judge.judge import Judge, judge_episode
from mosaic_env.evals.records import Scored
from mosaic_env.snapshot.locate import find_snapshot
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.tasks.open import open_source
from mosaic_env.tasks.source import SourceContext, TaskSource, get_pair

#: Returns the task source that an episode's task comes from.
Sources = Callable[[Episode], TaskSource]


def read_scored(
    path: Path,
    *,
    snapshot: str | os.PathLike[str] | None = None,
    tasks: str | None = None,
    judge: Judge | None = None,
    rescore: bool = False,
) -> list[Scored]:
    """Return the episodes of a file with gold and verdict, in the order of the file.

    Args:
        path: Episodes, one a line; a last line that a crash cut short is left out.
        snapshot: Where the tasks are; None searches as ``gym.make`` does.
        tasks: The task source (``generated``, a set, ``module:name``); None is the snapshot's default set.
        judge, rescore: See ``score_episodes``.

    Raises: EpisodeError, SnapshotError, and what ``score_episodes`` raises.
    """
    episodes = read_episodes(path, repair=True)
    return score_episodes(episodes, sources(snapshot, tasks), judge=judge, rescore=rescore)


def sources(snapshot: str | os.PathLike[str] | None = None, tasks: str | None = None) -> Sources:
    """Return a function that opens the task source of an episode, each source once."""
    opened = Snapshot(find_snapshot(snapshot))
    known: dict[str, TaskSource] = {}

    def source(episode: Episode) -> TaskSource:
        family, difficulty = str(episode.config.get("family")), episode.config.get("difficulty")
        options = {} if difficulty is None else {"difficulty": tuple(difficulty)}
        key = canonical_text([family, difficulty])
        if key not in known:
            known[key] = open_source(tasks, SourceContext(opened, family, None, options))
        return known[key]

    return source


def score_episodes(
    episodes: Iterable[Episode],
    source: TaskSource | Sources,
    *,
    judge: Judge | None = None,
    rescore: bool = False,
) -> list[Scored]:
    """Return episodes with gold and verdict.

    Args:
        source: Has their tasks, or returns for each episode the source that has.
        judge: Decides what the rules leave unsure.
        rescore: Ask the rules and references of this release instead of taking the recorded verdicts; what that
            changes stands in the table ``rescored`` of a summary.

    Raises: TaskError (ME-TASK-01) for an unknown task; EvalError (ME-EVAL-02) when a task is another one now, or,
        unless ``rescore``, its gold; ModelError and EvalError of a judge.
    """
    scored = []
    for episode in episodes:
        gold = _gold(episode, source(episode) if callable(source) else source, rescore)
        verdict = judge_episode(episode, gold, judge, rescore=rescore)
        scored.append(Scored(episode, gold, verdict, dict(episode.notes)))
    return scored


def _gold(episode: Episode, source: TaskSource, rescore: bool) -> Gold:
    task, gold = get_pair(source, episode.task.key)
    if task.digest != episode.task.digest:
        raise EvalError(
            "ME-EVAL-02", f"the task {task.key} is another one than the episode played",
            expected="the snapshot that the episode was played on", fix="Give it with --snapshot",
        )  # fmt: skip
    if gold.digest != episode.gold and not rescore:
        raise EvalError(
            "ME-EVAL-02", f"the reference of {task.key} is another one than when the episode was played",
            expected=episode.gold, fix="Give that snapshot, or score the episodes anew (rescore=True)",
        )  # fmt: skip
    return gold
