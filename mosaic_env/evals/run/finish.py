"""From a run folder to what people read: verdicts, rows, tables, pages.

Reports are made from the suite, its episodes and failures alone: a run that was killed and continued gives
the same bytes as one that was not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from mosaic_env.core.errors import EpisodeError
from mosaic_env.core.types import Gold
from mosaic_env.core.words import counted
from mosaic_env.envs.episode import Episode
from mosaic_env.envs.setup import Setup
from mosaic_env.evals.judge.judge import NOTE, Judge, judge_episode, write_note
from mosaic_env.evals.metrics.summary import summarise
from mosaic_env.evals.records import Judged, Scored, Unplayed
from mosaic_env.evals.report.markdown import markdown
from mosaic_env.evals.run.folder import EPISODES, REPORT, RESULTS, Job, RunFolder, write_rows, write_whole
from mosaic_env.evals.run.results import rows
from mosaic_env.evals.run.suite import Suite
from mosaic_env.evals.tables import Summary
from mosaic_env.tasks.source import get_pair

#: Folder of a judge's verdicts, in the run folder.
JUDGE = "judge"
#: Answers that a judge is asked about at a time.
_JUDGED_AT_ONCE = 8


@dataclass(frozen=True)
class Finished:
    """What came of a run.

    Args:
        suite: What was played.
        scored: By part and task, in the order of the suite.
        unplayed: Tasks without an episode.
        summary: The tables.
    """

    suite: Suite
    scored: Mapping[Job, Scored]
    unplayed: Mapping[Job, Unplayed]
    summary: Summary


def finish(
    folder: RunFolder,
    suite: Suite,
    setups: Mapping[str, Setup],
    *,
    judge: Judge | None = None,
    rescore: bool = False,
) -> Finished:
    """Judge what was played and write ``results.jsonl`` and ``report.md``.

    Args:
        setups: By part; their task sources know gold.
        judge: Asked where the rules are unsure; its verdicts are noted in the episodes.
        rescore: Ask the rules of this release instead of taking the recorded verdicts.

    Raises: EvalError, EpisodeError, ModelError when the judge gives no answer.
    """
    episodes = folder.episodes(suite)
    golds = {job: _gold(episode, setups[job[0]]) for job, episode in episodes.items()}
    verdicts = _judge_all(episodes, golds, judge, rescore)
    if judge is not None:
        episodes = _note(folder, episodes, verdicts)
    scored = {
        job: Scored(episode, golds[job], verdicts[job], episode.notes) for job, episode in episodes.items()
    }
    unplayed = folder.failures(suite, episodes)
    finished = Finished(suite, scored, unplayed, _summary(suite, setups, scored, unplayed))
    write_rows(folder.path / RESULTS, rows(suite, scored, unplayed))
    write_whole(folder.path / REPORT, markdown(finished.summary, _title(suite)))
    return finished


def _gold(episode: Episode, setup: Setup) -> Gold:
    _, gold = get_pair(setup.source, episode.task.key)
    if gold.digest != episode.gold:
        raise EpisodeError(
            "ME-EPISODE-02", f"the gold of {episode.task.key} is not the one the episode was played with",
            expected=f"{episode.gold[:19]}…", fix="Give the run's snapshot with --snapshot",
        )  # fmt: skip
    return gold


def _judge_all(
    episodes: Mapping[Job, Episode], golds: Mapping[Job, Gold], judge: Judge | None, rescore: bool
) -> dict[Job, Judged]:
    def verdict(job: Job) -> Judged:
        return judge_episode(episodes[job], golds[job], judge, rescore=rescore)

    if judge is None:
        return {job: verdict(job) for job in episodes}
    with ThreadPoolExecutor(_JUDGED_AT_ONCE) as threads:
        return dict(zip(episodes, threads.map(verdict, episodes), strict=True))


def _note(
    folder: RunFolder, episodes: Mapping[Job, Episode], verdicts: Mapping[Job, Judged]
) -> dict[Job, Episode]:
    """Write the judge's verdicts into the notes of the episodes; a report needs no judge after that."""
    noted = {
        job: replace(episode, notes={**episode.notes, NOTE: write_note(verdicts[job])})
        if verdicts[job].by == "model"
        else episode
        for job, episode in episodes.items()
    }
    write_whole(folder.path / EPISODES, "".join(episode.to_line() + "\n" for episode in noted.values()))
    return noted


# --- the summary --------------------------------------------------------------------------------------


def _summary(
    suite: Suite,
    setups: Mapping[str, Setup],
    scored: Mapping[Job, Scored],
    unplayed: Mapping[Job, Unplayed],
) -> Summary:
    by_variant: dict[str, list[Scored]] = {part.variant: [] for part in suite.parts}
    variants = {part.name: part.variant for part in suite.parts}
    for (part, _), one in scored.items():
        by_variant[variants[part]].append(one)
    main, direct = by_variant.pop("", []), by_variant.pop("direct", None)
    return summarise(
        main, list(unplayed.values()), _facts(suite, setups), direct=direct, ablations=by_variant
    )


def _title(suite: Suite) -> str:
    names = [part.env for part in suite.parts if not part.variant]
    return f"{suite.model or suite.parts[0].agent} on {' and '.join(names)}"


def _facts(suite: Suite, setups: Mapping[str, Setup]) -> dict[str, str]:
    """Return what was run, as people name it."""
    first = suite.parts[0]
    facts = {
        "environment": ", ".join(part.env for part in suite.parts if not part.variant),
        "preset": setups[first.name].config.preset,
        "world": f"{first.world[:19]}…",
        "agent": first.agent,
        "context": first.context,
        "model": suite.model,
        "settings": json.dumps(suite.settings, sort_keys=True) if suite.settings else "",
        "pictures": "" if suite.vision else "not sent to the model",
        "judge": suite.judge or "rules only",
        "seed": str(suite.seed),
        "tasks": ", ".join(_tasks(suite, setups)),
        "suite": f"{suite.digest[:19]}…",
    }
    return {name: value for name, value in facts.items() if value}


def _tasks(suite: Suite, setups: Mapping[str, Setup]) -> Iterator[str]:
    for part in suite.parts:
        if not part.variant:
            unplayable = sum(getattr(setups[part.name].source, "unplayable", {}).values())
            rest = f" ({unplayable:,} more cannot be played in this world)" if unplayable else ""
            yield f"{part.env}: {len(part.tasks):,}{rest}"
