"""One flat row for each task of a run: what a table program reads.

Must not: hold gold, or a clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mosaic_env.evals.records import Scored, Unplayed
from mosaic_env.evals.run.folder import Job
from mosaic_env.evals.run.suite import Part, Suite


def rows(
    suite: Suite, scored: Mapping[Job, Scored], unplayed: Mapping[Job, Unplayed]
) -> Iterator[dict[str, Any]]:
    """Yield a row for each task that was tried, in the order of the suite; every row has every column.

    ``status`` is ``played``, or why there is no episode: ``error``, ``timeout``, ``crashed``. Of a task without an
    episode the columns that an episode fills are None.
    """
    for part in suite.parts:
        for task in part.tasks:
            job = (part.name, task)
            if job in scored:
                yield {**_head(suite, part, task, "played"), **_played(scored[job])}
            elif job in unplayed:
                failure = unplayed[job]
                yield {
                    **_head(suite, part, task, failure.status),
                    **dict.fromkeys(_COLUMNS),
                    "error": failure.code,
                }


def _head(suite: Suite, part: Part, task: str, status: str) -> dict[str, Any]:
    return {
        "part": part.name, "env": part.env, "variant": part.variant, "agent": part.agent, "model": suite.model,
        "task": task, "status": status,
    }  # fmt: skip


_COLUMNS = (
    "verdict", "reason", "judged_by", "right", "in_budget", "answer", "interactions", "calls", "prompt_tokens",
    "completion_tokens", "cost", "digest", "error",
)  # fmt: skip


def _played(scored: Scored) -> dict[str, Any]:
    episode, notes = scored.episode, scored.notes
    values = (
        scored.judged.value, scored.judged.reason, scored.judged.by, scored.right, scored.in_budget, episode.answer,
        sum(step.phase == "act" for step in episode.steps), sum(len(step.calls) for step in episode.steps),
        _whole(notes.get("prompt_tokens")), _whole(notes.get("completion_tokens")), notes.get("cost"),
        episode.digest, "",
    )  # fmt: skip
    return dict(zip(_COLUMNS, values, strict=True))


def _whole(text: str | None) -> int | None:
    return int(text) if text is not None and text.isascii() and text.isdigit() else None
