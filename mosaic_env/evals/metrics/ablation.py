"""Several runs side by side: what switching something off costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mosaic_env.evals.metrics.accuracy import accuracy, change, pairs
from mosaic_env.evals.metrics.groups import ordered, split_groups, standard_groups
from mosaic_env.evals.metrics.retrieval import found_final
from mosaic_env.evals.records import Scored
from mosaic_env.evals.tables import Cell, Rate, Table

BASELINE = "Baseline"


def ablation_table(scored: Sequence[Scored], ablations: Mapping[str, Sequence[Scored]]) -> Table:
    """Return one row a run: the baseline first, then the ablations in the order given.

    Args:
        ablations: Runs by what their rows are called: ``no image search``.
    """
    names = tuple(split_groups(scored))
    rows = [_row(BASELINE, scored, names, None, None)]
    for name, other in ablations.items():
        listed = ordered(other)
        rows.append(_row(name, listed, names, change(listed, scored), pairs(listed, scored).n))
    note = (
        "Accuracy of runs that lack something. Δ against the baseline is paired over the tasks of both runs, with its "
        "95 % interval (Newcombe)."
    )
    columns = ("Run", *names, "Δ", "Common tasks", "R@5 final")
    return Table("ablations", "Ablations", columns, tuple(rows), note)


def _row(
    name: str, scored: Sequence[Scored], names: Sequence[str], delta: str | None, common: int | None
) -> tuple[Cell, ...]:
    groups = standard_groups(scored)
    cells = [accuracy(groups[column]) if column in groups else None for column in names]
    retrieved = Rate.of(found_final(one) for one in scored if one.gold.target)
    return (name, *cells, delta, common, retrieved)
