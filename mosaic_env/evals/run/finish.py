"""From a run folder to what people read: verdicts, rows, tables, pages.

Reports are made from the suite, its episodes and failures alone: a run that was killed and continued gives
the same bytes as one that was not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from mosaic_env.core.canon import canonical_text, short
from mosaic_env.core.words import counted
from mosaic_env.envs.episode import Episode
from mosaic_env.envs.setup import Setup
from mosaic_env.evals.judge.judge import NOTE, Judge, write_note
from mosaic_env.evals.load import read_scored, score_episodes
from mosaic_env.evals.metrics.summary import summarise
from mosaic_env.evals.records import Scored, Unplayed
from mosaic_env.evals.report.markdown import markdown
from mosaic_env.evals.report.page import Run, render_page
from mosaic_env.evals.run.folder import (
    EPISODES,
    PAGE,
    PART,
    REPORT,
    RESULTS,
    Job,
    RunFolder,
    write_rows,
    write_whole,
)
from mosaic_env.evals.run.plan import setups_of
from mosaic_env.evals.run.player import SECONDS
from mosaic_env.evals.run.results import rows
from mosaic_env.evals.run.suite import Suite
from mosaic_env.evals.tables import Summary
from mosaic_env.index.world import identity
from mosaic_env.tasks.source import TaskSource


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
    """Judge what was played and write ``results.jsonl``, ``report.md`` and ``report.html``.

    Args:
        setups: By part; their task sources know gold.
        judge: Asked where the rules are unsure; its verdicts are noted in the episodes.
        rescore: Ask the rules of this release instead of taking the recorded verdicts.

    Raises: EvalError, EpisodeError, ModelError when the judge gives no answer.
    """
    episodes = folder.episodes(suite)
    scored = dict(zip(episodes, _scored(episodes, setups, judge, rescore), strict=True))
    if judge is not None:
        scored = _note(folder, scored)
    unplayed = folder.failures(suite, episodes)
    finished = Finished(suite, scored, unplayed, _summary(suite, setups, scored, unplayed))
    write_rows(folder.path / RESULTS, rows(suite, scored, unplayed))
    write_whole(folder.path / REPORT, markdown(finished.summary, _title(suite)))
    write_whole(folder.path / PAGE, _page(finished, setups))
    return finished


def _page(finished: Finished, setups: Mapping[str, Setup]) -> str:
    """Return the page with the tables and every episode."""
    title = _title(finished.suite)
    run = Run.of(title, map(_without_clock, finished.scored.values()), finished.unplayed)
    worlds = {setup.world.id: setup.world for setup in setups.values()}
    return render_page(run, worlds=worlds, summary=finished.summary, title=title)


def read_main(
    path: Path, *, snapshot: str | None = None, tasks: str | None = None, rescore: bool = False
) -> list[Scored]:
    """Return the scored episodes of a run folder, without direct answering and ablations, or of an episodes file.

    Args:
        tasks: Task source of an episodes file; a run folder names its own.

    Raises: EvalError, EpisodeError, SnapshotError, TaskError.
    """
    if not path.is_dir():
        return read_scored(path, snapshot=snapshot, tasks=tasks, rescore=rescore)
    folder = RunFolder(path)
    suite = folder.suite()
    mains = {part.name for part in suite.parts if not part.variant}
    episodes = {job: episode for job, episode in folder.episodes(suite).items() if job[0] in mains}
    return _scored(episodes, setups_of(suite, snapshot), None, rescore)


def _scored(
    episodes: Mapping[Job, Episode], setups: Mapping[str, Setup], judge: Judge | None, rescore: bool
) -> list[Scored]:
    def source(episode: Episode) -> TaskSource:
        return setups[episode.notes[PART]].source

    return score_episodes(episodes.values(), source, judge=judge, rescore=rescore)


def _note(folder: RunFolder, scored: Mapping[Job, Scored]) -> dict[Job, Scored]:
    """Write the judge's verdicts into the notes of the episodes; a report needs no judge after that."""
    noted = {job: _noted(one) for job, one in scored.items()}
    lines = (one.episode.to_line() + "\n" for one in noted.values())
    write_whole(folder.path / EPISODES, "".join(lines))
    return noted


def _noted(one: Scored) -> Scored:
    if one.judged.by != "model":
        return one
    notes = {**one.notes, NOTE: write_note(one.judged)}
    return replace(one, episode=replace(one.episode, notes=notes), notes=notes)


def _without_clock(one: Scored) -> Scored:
    notes = {name: text for name, text in one.notes.items() if name != SECONDS}
    return replace(one, episode=replace(one.episode, notes=notes), notes=notes)


# --- the summary --------------------------------------------------------------------------------------


def _summary(
    suite: Suite,
    setups: Mapping[str, Setup],
    scored: Mapping[Job, Scored],
    unplayed: Mapping[Job, Unplayed],
) -> Summary:
    variants = {part.name: part.variant for part in suite.parts}
    grouped: dict[str, list[Scored]] = {part.variant: [] for part in suite.parts}
    for (part, _), one in scored.items():
        grouped[variants[part]].append(one)
    main, direct = grouped.pop("", []), grouped.pop("direct", None)
    lost = [failure for (part, _), failure in unplayed.items() if not variants[part]]
    summary = summarise(main, lost, _facts(suite, setups), direct=direct, ablations=grouped)
    elsewhere = len(unplayed) - len(lost)
    if not elsewhere:
        return summary
    said = f"{counted(elsewhere, 'task')} of direct answering or of ablations could not be played."
    return replace(summary, warnings=(*summary.warnings, said))


def _title(suite: Suite) -> str:
    names = [part.env for part in suite.parts if not part.variant]
    return f"{suite.model or suite.parts[0].agent} on {' and '.join(names)}"


def _facts(suite: Suite, setups: Mapping[str, Setup]) -> dict[str, str]:
    """Return what was run, as people name it."""
    first = suite.parts[0]
    facts = {
        "environment": ", ".join(part.env for part in suite.parts if not part.variant),
        "preset": setups[first.name].config.preset,
        **identity(setups[first.name].world.snapshot.manifest),
        "agent": first.agent,
        "context": first.context,
        "model": suite.model,
        "settings": canonical_text(dict(suite.settings)) if suite.settings else "",
        "pictures": "" if suite.vision else "not sent to the model",
        "seed": str(suite.seed),
        "suite": short(suite.digest),
        "not playable": "; ".join(_unplayable(suite, setups)),
    }
    return {name: value for name, value in facts.items() if value}


def _unplayable(suite: Suite, setups: Mapping[str, Setup]) -> Iterator[str]:
    """Yield how many tasks of a set this world lacks the pictures for."""
    for part in suite.parts:
        count = sum(getattr(setups[part.name].source, "unplayable", {}).values())
        if count and not part.variant:
            yield f"{counted(count, 'task')} of {part.env} cannot be played in this world and are left out"
