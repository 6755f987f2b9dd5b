"""Verdicts that are others than when the episodes were played: what scoring old episodes anew has changed."""

from __future__ import annotations

from collections.abc import Sequence

from mosaic_env.evals.judge.judge import recorded
from mosaic_env.evals.records import Judged, Scored
from mosaic_env.evals.tables import Table


def rescored_table(scored: Sequence[Scored]) -> Table:
    """Return the tasks whose verdict or reason by the rules is another one than the episode recorded."""
    rows = tuple(
        (one.episode.task.key, _shown(was), _shown(one.judged))
        for one in scored
        if (was := recorded(one.episode)) is not None and _changed(was, one.judged)
    )
    note = "Verdicts by rules of when the episodes were played, and those that count now."
    return Table("rescored", "Scored anew", ("Task", "Was", "Now"), rows, note)


def _changed(was: Judged, now: Judged) -> bool:
    """Tell whether the rules say something else; a model that decides what was unsure is no change of rules."""
    if now.by == "model":
        return was.value != "unsure" or was.reason != now.reason
    return (was.value, was.reason) != (now.value, now.reason)


def _shown(judged: Judged) -> str:
    return f"{judged.value}: {judged.reason}" + (" (judge)" if judged.by == "model" else "")
