"""Accuracy: by level and shape of chain, by type of question and tag, and what tools add to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mosaic_env.evals.metrics.budget import in_extra_turn
from mosaic_env.evals.metrics.groups import Groups, by_task, distinct, standard_groups
from mosaic_env.evals.quality.difference import Paired, bounds, paired
from mosaic_env.evals.records import Scored
from mosaic_env.evals.tables import Cell, Rate, Table

MAIN_NOTE = (
    "Right answers over all played tasks, with 95 % intervals (Wilson). An answer that stays unsure counts as not "
    "right. Within the budget: answers given in the extra turn after the last interaction count as not right. The "
    "constant guess gives each type of question the answer that fits most of this run's references, in "
    "hindsight: high where a type has few tasks."
)
_PAIRS_NOTE = (
    " Δ is paired over the tasks of both runs ({}); its interval is Newcombe's for paired rates, 95 %."
)


def accuracy(scored: Sequence[Scored]) -> Rate:
    """Return the share of right answers."""
    return Rate.of(one.right for one in scored)


def main_table(
    scored: Sequence[Scored], constant: Sequence[bool], direct: Sequence[Scored] | None = None
) -> Table:
    """Return accuracy with its baselines: one column for all tasks, each level and each shape of chain.

    Args:
        scored: Of the run, sorted.
        constant: For each of them, whether the best constant guess is right.
        direct: The same tasks answered without tools.
    """
    groups = standard_groups(scored)
    guessed = {id(one): right for one, right in zip(scored, constant, strict=True)}
    rows: list[tuple[Cell, ...]] = [
        _row("Accuracy" if direct is None else "With tools", groups, accuracy),
        _row(
            "Within the budget",
            groups,
            lambda ones: Rate.of(one.right and not in_extra_turn(one) for one in ones),
        ),
        _row("Best constant guess", groups, lambda ones: Rate.of(guessed[id(one)] for one in ones)),
        _row("Unsure", groups, lambda ones: sum(one.judged.value == "unsure" for one in ones)),
        _row("Tasks", groups, len),
        _row("Without repeats", groups, lambda ones: len(distinct(ones))),
        _row("Accuracy without repeats", groups, lambda ones: accuracy(distinct(ones))),
    ]
    if all(len(distinct(ones)) == len(ones) for ones in groups.values()):
        del rows[-1]
    note = MAIN_NOTE
    if direct is not None:
        rows[:0] = [_row("Direct", standard_groups(direct), accuracy, tuple(groups))]
        rows.insert(2, _row("Δ", groups, lambda ones: change(ones, direct)))
        note += _PAIRS_NOTE.format(pairs(scored, direct).n)
    return Table("accuracy", "Accuracy", ("", *groups), tuple(rows), note)


def _row(
    name: str, groups: Groups, cell: Callable[[Sequence[Scored]], Cell], columns: Sequence[str] | None = None
) -> tuple[Cell, ...]:
    """Return a row: one cell a group, and none where the other run has no such group."""
    return (name, *(cell(groups[column]) if column in groups else None for column in columns or groups))


def pairs(first: Sequence[Scored], second: Sequence[Scored]) -> Paired:
    """Return how often two runs were right about the tasks that both played."""
    ones, others = by_task(first), by_task(second)
    return paired((ones[key].right, others[key].right) for key in sorted(ones.keys() & others.keys()))


def change(first: Sequence[Scored], second: Sequence[Scored]) -> str:
    """Return by how much the first run is better than the second over their common tasks, for people.

    Returns: Percentage points with the 95 % interval: ``+12.0 (+3.1 to +20.2)``; ``–`` without common tasks.
    """
    found = pairs(first, second)
    return points(found) if found.n else "–"


def points(found: Paired) -> str:
    """Return a difference in percentage points with its two-sided 95 % interval."""
    low, high = bounds(found, 0.975)
    return f"{signed(found.difference)} ({signed(low)} to {signed(high)})"


def signed(share: float) -> str:
    """Return a share in percentage points with its sign: ``+12.0``, ``−3.1``, ``0.0``."""
    text = f"{abs(100 * share):.1f}"
    return text if float(text) == 0 else f"{'+' if share > 0 else '−'}{text}"


def kind_table(scored: Sequence[Scored], constant: Sequence[bool]) -> Table:
    """Return accuracy by type of question, beside the best constant guess."""
    places: dict[str, list[int]] = {}
    for place, one in enumerate(scored):
        places.setdefault(one.gold.kind or "(unknown)", []).append(place)
    rows = tuple(
        (
            kind,
            len(found),
            accuracy([scored[place] for place in found]),
            Rate.of(constant[place] for place in found),
        )
        for kind, found in sorted(places.items())
    )
    columns = ("Type of question", "Tasks", "Accuracy", "Best constant guess")
    return Table("accuracy_by_kind", "Accuracy by type of question", columns, rows)


def tag_table(scored: Sequence[Scored]) -> Table:
    """Return accuracy by public tag of the tasks; a task with several tags counts under each."""
    tagged: dict[str, list[Scored]] = {}
    for one in scored:
        for tag in dict.fromkeys(one.episode.task.tags):
            if tag != one.gold.kind:
                tagged.setdefault(tag, []).append(one)
    rows = tuple((tag, len(found), accuracy(found)) for tag, found in sorted(tagged.items()))
    note = "A task counts under each of its tags."
    return Table("accuracy_by_tag", "Accuracy by tag", ("Tag", "Tasks", "Accuracy"), rows, note)
