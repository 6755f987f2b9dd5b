"""Why tasks were not solved: one reason for each, the first of a fixed order that fits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from mosaic_env.core.types import Plain
from mosaic_env.evals.metrics.groups import level_name
from mosaic_env.evals.metrics.retrieval import found_any, found_final, retrieval_steps
from mosaic_env.evals.records import Scored, Unplayed
from mosaic_env.evals.tables import Cell, Table

#: Kind of failure with its meaning, in the order in which they are asked.
KINDS: dict[str, str] = {
    "not_played": "no episode: an exception, a timeout or a process that died; not counted in any rate",
    "environment": "a fault of the environment in some step, or one that was put in on purpose",
    "unfinished": "the episode stops before its end",
    "unsure": "rules cannot decide, and no judge was asked",
    "unread_verdict": "the judge's reply could not be read; counted as wrong",
    "malformed": "no answer, and no call that ran: nothing the model wrote could be used",
    "no_answer": "no final answer, or an empty one",
    "gave_up": "the answer says that it does not know",
    "wrong_retrieved": "a wrong answer though the final search step found the target",
    "wrong_lost": "a wrong answer though an earlier search step, not the final one, found the target",
    "no_search": "a wrong answer without any search",
    "not_retrieved": "a wrong answer, and no search found the target",
    "wrong": "a wrong answer; what should have been found is not known",
}


@dataclass(frozen=True)
class Failure(Plain):
    """A task that was not solved.

    Args:
        task: Its key.
        level: For people.
        kind: A key of ``KINDS``.
        detail: A stable code that says more: of the verdict, the call or the fault.
    """

    task: str
    level: str
    kind: str
    detail: str


def failures(scored: Sequence[Scored], unplayed: Sequence[Unplayed] = ()) -> list[Failure]:
    """Return every task that was not solved, with one reason each, by task key; unplayed ones first."""
    ones = [Failure(one.task, "", "not_played", one.code or one.status) for one in unplayed]
    others = [Failure(one.episode.task.key, level_name(one), *_why(one)) for one in scored if not one.right]
    return sorted(ones, key=lambda one: one.task) + others


def _why(one: Scored) -> tuple[str, str]:
    """Return kind and detail of an episode that was not right."""
    steps = one.episode.steps
    faults = [kind for step in steps for kind, by in (step.failure,) if by in ("env", "injected")]
    if faults:
        return "environment", faults[0]
    if not one.episode.finished:
        return "unfinished", f"{len(steps)} steps"
    if one.judged.value == "unsure":
        return "unsure", one.judged.reason
    if not one.judged.parsed:
        return "unread_verdict", one.judged.reason
    if not (one.episode.answer or "").strip():
        return _silent(one)
    if one.judged.reason == "refused":
        return "gave_up", one.judged.reason
    return _wrong(one), one.judged.reason


def _silent(one: Scored) -> tuple[str, str]:
    calls = [call for step in one.episode.steps for call in step.calls]
    codes = Counter(call.code for call in calls if call.status == "error")
    if codes and not any(call.status == "ok" for call in calls):
        return "malformed", min(codes, key=lambda code: (-codes[code], code))
    return "no_answer", one.judged.reason


def _wrong(one: Scored) -> str:
    if not one.gold.target:
        return "wrong"
    if found_final(one):
        return "wrong_retrieved"
    if found_any(one):
        return "wrong_lost"
    return "not_retrieved" if retrieval_steps(one) else "no_search"


def failure_counts(found: Sequence[Failure]) -> Table:
    """Return how many tasks failed for each reason, in the order of ``KINDS``."""
    counts = Counter(one.kind for one in found)
    rows = tuple((kind, counts[kind], meaning) for kind, meaning in KINDS.items() if counts[kind])
    note = "Each task that was not solved once, under the first reason that fits."
    return Table("failure_counts", "Why tasks were not solved", ("Reason", "Tasks", "Meaning"), rows, note)


def failure_list(found: Sequence[Failure]) -> Table:
    """Return every task that was not solved."""
    rows = tuple((one.task, one.level, one.kind, one.detail) for one in found)
    return Table("failures", "Tasks that were not solved", ("Task", "Level", "Reason", "Detail"), rows)


def step_failures(scored: Sequence[Scored]) -> Table:
    """Return what went wrong in single steps, whether or not the task was solved in the end."""
    steps: Counter[tuple[str, str]] = Counter()
    tasks: Counter[tuple[str, str]] = Counter()
    for one in scored:
        met = [step.failure for step in one.episode.steps if step.failure[0]]
        steps.update(met)
        tasks.update(set(met))
    rows: list[tuple[Cell, ...]] = [
        (kind, by, steps[kind, by], tasks[kind, by]) for kind, by in sorted(steps)
    ]
    columns = ("Failure", "By", "Steps", "Episodes")
    note = "Steps in which something failed, in solved tasks too."
    return Table("step_failures", "What failed in single steps", columns, tuple(rows), note)
