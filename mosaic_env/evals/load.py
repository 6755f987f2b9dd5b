"""From episodes to what metrics read: each with its gold, looked up by task key, and its verdict.

Metrics need episodes and golds only: no index, no tools, no encoder. A gold counts when its digest is the one the
episode carries, so that no run is scored against another reference by mistake.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mosaic_env.core.canon import canonical_text, strict_loads
from mosaic_env.core.errors import CanonError, EvalError, shorten
from mosaic_env.core.types import Gold
from mosaic_env.envs.episode import Episode, read_episodes
from mosaic_env.evals.judge.judge import Judge, judge_episode
from mosaic_env.evals.records import Scored, Unplayed
from mosaic_env.snapshot.locate import find_snapshot
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.tasks.open import open_source
from mosaic_env.tasks.source import SourceContext, TaskSource, get_pair

EPISODES, FAILURES, SUITE = "episodes.jsonl", "failures.jsonl", "run.json"
#: Returns the task source that an episode's task comes from.
Sources = Callable[[Episode], TaskSource]


@dataclass(frozen=True)
class Run:
    """What a run folder holds, ready for metrics.

    Args:
        scored: Its episodes, in the order of the file.
        unplayed: Tasks without an episode, by key.
        suite: What ``run.json`` says; empty when there is none.
    """

    scored: tuple[Scored, ...]
    unplayed: tuple[Unplayed, ...]
    suite: Mapping[str, Any]


def read_run(
    folder: Path,
    *,
    snapshot: str | os.PathLike[str] | None = None,
    tasks: str | None = None,
    judge: Judge | None = None,
    rescore: bool = False,
) -> Run:
    """Return what a run folder, or a single episodes file, holds.

    Args:
        folder: A folder with ``episodes.jsonl``, or such a file.
        snapshot: Where the tasks are; None searches as ``gym.make`` does.
        tasks: The task source (``generated``, a set, ``module:name``); None takes the one that ``run.json`` names
            as ``tasks``, else the snapshot's default set.
        judge, rescore: See ``score_episodes``.

    Raises: EvalError (ME-EVAL-01 damaged, ME-EVAL-02 other golds), EpisodeError, SnapshotError, TaskError, ModelError.
    """
    if folder.is_dir() and not any((folder / name).is_file() for name in (EPISODES, FAILURES, SUITE)):
        raise _damaged(f"there is none in {folder.name!r}")
    path = folder / EPISODES if folder.is_dir() else folder
    suite = _suite(path.with_name(SUITE)) if folder.is_dir() else {}
    named = suite.get("tasks")
    opened = sources(snapshot, tasks or (named if isinstance(named, str) else None))
    episodes = list(read_episodes(path, repair=True)) if path.is_file() or not folder.is_dir() else []
    scored = score_episodes(episodes, opened, judge=judge, rescore=rescore)
    played = {one.episode.task.key for one in scored}
    missing = read_unplayed(path.with_name(FAILURES)) if folder.is_dir() else ()
    return Run(tuple(scored), tuple(one for one in missing if one.task not in played), suite)


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


def read_unplayed(path: Path) -> tuple[Unplayed, ...]:
    """Return the last record of each task in a file of unplayed tasks, by key; none when there is no file.

    Raises: EvalError (ME-EVAL-01) naming the line; a last line that a crash cut short is left out.
    """
    found: dict[str, Unplayed] = {}
    lines = path.read_bytes().split(b"\n") if path.is_file() else []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            one = Unplayed(**strict_loads(line))
        except (CanonError, TypeError):
            if number == len(lines):
                break
            raise _damaged(f"line {number} of {path.name} is no record of a task") from None
        found[one.task] = one
    return tuple(found[key] for key in sorted(found))


def _suite(path: Path) -> Mapping[str, Any]:
    if not path.is_file():
        return {}
    try:
        plain = strict_loads(path.read_bytes())
    except CanonError as error:
        raise _damaged(f"{path.name} cannot be read: {error.what}") from None
    if not isinstance(plain, dict):
        raise _damaged(f"{path.name} holds {shorten(plain)}")
    return plain


def _damaged(what: str) -> EvalError:
    return EvalError(
        "ME-EVAL-01", f"the run cannot be read: {what}", expected="a folder that mosaic eval wrote",
        fix="Run it again into a new folder",
    )  # fmt: skip
