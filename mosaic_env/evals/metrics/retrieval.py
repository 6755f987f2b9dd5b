"""Whether searches found what the question is about, and what right answers owe to it.

    retrieval step   a step with at least one call that returned a ranking (searches, and neighbours of the graph)
    found            the gold target stands among the first five of any ranking of that step
    R@5 final        found in the last retrieval step of the episode; R@5 any: in any of them
    Acc|Ret          right answers among the tasks whose target was found; Acc|UnRet: among the others
    Corr. from Ret.  tasks whose target was found among the right answers

An episode that never searched did not find it. Tasks whose gold names no target are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mosaic_env.core.types import CallRecord, Step
from mosaic_env.evals.metrics.groups import split_groups
from mosaic_env.evals.records import Scored
from mosaic_env.evals.tables import Cell, Rate, Table

TOP = 5
NOTE = (
    f"Ret. R@{TOP}: the gold target is among the first {TOP} of a ranking of the final (any) retrieval step. Acc|Ret "
    "and Acc|UnRet: accuracy where it was, and was not. Corr. from Ret.: right answers whose target was retrieved. "
    "Tasks without a known target are left out."
)


def is_retrieval(call: CallRecord) -> bool:
    """Tell whether a call returned a ranking, an empty one included."""
    return call.status == "ok" and bool(call.modality)


def retrieval_steps(scored: Scored) -> list[Step]:
    """Return the steps of an episode that retrieved, in order."""
    return [step for step in scored.episode.steps if any(map(is_retrieval, step.calls))]


def found_in(step: Step, target: str) -> bool:
    """Tell whether a step's rankings have the target near their top."""
    return any(target in call.ranked[:TOP] for call in step.calls if is_retrieval(call))


def found_final(scored: Scored) -> bool:
    """Tell whether the last retrieval step found the target."""
    return any(found_in(step, scored.gold.target) for step in retrieval_steps(scored)[-1:])


def found_any(scored: Scored) -> bool:
    """Tell whether any retrieval step found the target."""
    return any(found_in(step, scored.gold.target) for step in retrieval_steps(scored))


def retrieval_table(scored: Sequence[Scored]) -> Table:
    """Return R@5 and the decomposition of accuracy, for each group, by the final step and by any."""
    groups = split_groups([one for one in scored if one.gold.target])
    rows = [
        (name, step, *_decomposed(ones, found))
        for name, ones in groups.items()
        for step, found in (("final", found_final), ("any", found_any))
    ]
    columns = ("Tasks", "Step", "R@5", "Acc|Ret", "Acc|UnRet", "Corr. from Ret.")
    return Table("retrieval", "Retrieval and answers", columns, tuple(rows), NOTE)


def _decomposed(scored: Sequence[Scored], found: Callable[[Scored], bool]) -> tuple[Cell, ...]:
    outcomes = [(found(one), one.right) for one in scored]
    return (
        Rate.of(ret for ret, _ in outcomes),
        Rate.of(right for ret, right in outcomes if ret),
        Rate.of(right for ret, right in outcomes if not ret),
        Rate.of(ret for ret, right in outcomes if right),
    )
