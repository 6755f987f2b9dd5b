"""Everything a report says about a run, made from its episodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mosaic_env.core.words import counted
from mosaic_env.evals.metrics.ablation import ablation_table
from mosaic_env.evals.metrics.accuracy import kind_table, main_table, tag_table
from mosaic_env.evals.metrics.budget import budget_table, spending_table
from mosaic_env.evals.metrics.constant import constant_right
from mosaic_env.evals.metrics.failures import failure_counts, failure_list, failures, step_failures
from mosaic_env.evals.metrics.groups import by_task, distinct, ordered
from mosaic_env.evals.metrics.overview import overview_table
from mosaic_env.evals.metrics.pivots import Confirm, pivot_table
from mosaic_env.evals.metrics.rescoring import rescored_table
from mosaic_env.evals.metrics.retrieval import retrieval_table
from mosaic_env.evals.metrics.tools import modality_table, tool_table
from mosaic_env.evals.records import Scored, Unplayed
from mosaic_env.evals.tables import Summary, Table


def summarise(
    scored: Sequence[Scored],
    unplayed: Sequence[Unplayed] = (),
    facts: Mapping[str, str] | None = None,
    *,
    direct: Sequence[Scored] | None = None,
    ablations: Mapping[str, Sequence[Scored]] | None = None,
    confirm: Confirm | None = None,
) -> Summary:
    """Return everything a report says about a run.

    Args:
        scored: Its finished tasks, in any order.
        unplayed: Tasks that gave no episode; counted in no rate.
        facts: What was run, for the head of a report; the number of tasks and who judged are added.
        direct: A run of the same tasks without tools.
        ablations: Further runs of the same tasks that lack something, by what their rows are called.
        confirm: Confirms visual pivots: see ``pivots.Confirm``.

    Determinism: a pure function of its arguments; the order of the episodes does not matter.
    Cost: a few milliseconds an episode.
    """
    ones = ordered(scored)
    others = None if direct is None else ordered(direct)
    constant = constant_right(ones)
    lost = failures(ones, unplayed)
    tables = [
        overview_table(ones, constant, others, ablations),
        main_table(ones, constant, others),
        kind_table(ones, constant),
        tag_table(ones),
        retrieval_table(ones),
        tool_table(ones),
        modality_table(ones),
        pivot_table(ones, confirm),
        budget_table(ones),
        spending_table(ones),
        ablation_table(ones, ablations) if ablations else None,
        rescored_table(ones),
        failure_counts(lost),
        step_failures(ones),
        failure_list(lost),
    ]
    told = {**(facts or {}), "tasks": _tasks(ones, unplayed), "judged by": _judges(ones)}
    return Summary(
        told, tuple(filter(_has_rows, filter(None, tables))), tuple(_warnings(ones, unplayed, others))
    )


def _has_rows(table: Table) -> bool:
    return bool(table.rows)


def _tasks(scored: Sequence[Scored], unplayed: Sequence[Unplayed]) -> str:
    text = f"{len(scored):,} played"
    repeats = len(scored) - len(distinct(scored))
    text += f", {counted(repeats, 'repeat')} among them" if repeats else ""
    return text + (f", {len(unplayed):,} not played" if unplayed else "")


def _judges(scored: Sequence[Scored]) -> str:
    asked: dict[str, int] = {}
    for one in scored:
        if one.judged.by == "model":
            name = f"{one.judged.model} ({one.judged.prompt})"
            asked[name] = asked.get(name, 0) + 1
    return "; ".join(["rules", *(f"{count:,} by {name}" for name, count in sorted(asked.items()))])


def _warnings(
    scored: Sequence[Scored], unplayed: Sequence[Unplayed], direct: Sequence[Scored] | None
) -> Iterator[str]:
    """Yield what must be seen before any number is believed."""
    if unplayed:
        yield f"{counted(len(unplayed), 'task')} could not be played: in no rate, but in the list of failures."
    unsure = sum(one.judged.value == "unsure" for one in scored)
    if unsure:
        low = sum(one.right for one in scored)
        first, last = (f"{100 * right / len(scored):.1f}" for right in (low, low + unsure))
        yield (
            f"{counted(unsure, 'answer')} of {len(scored):,} stayed unsure, which is not right: accuracy is between "
            f"{first} and {last} %. A judge can decide them."
        )
    unread = sum(not one.judged.parsed for one in scored)
    if unread:
        yield f"The judge's reply could not be read {counted(unread, 'time')}, which counts as wrong."
    faulty = sum(any(step.failure[1] == "env" for step in one.episode.steps) for one in scored)
    if faulty:
        yield f"The environment itself failed in {counted(faulty, 'episode')}."
    loose = sum(any(not step.reproducible for step in one.episode.steps) for one in scored)
    if loose:
        yield f"A limit of wall-clock time cut something short in {counted(loose, 'episode')}: not repeatable."
    if len(by_task(scored)) < len(scored):
        again = counted(len(scored) - len(by_task(scored)), "episode")
        yield f"{again} of tasks that were played before: intervals are too narrow."
    if direct is not None and by_task(direct).keys() != by_task(scored).keys():
        yield "The direct run is about other tasks; Δ is over the tasks of both."
