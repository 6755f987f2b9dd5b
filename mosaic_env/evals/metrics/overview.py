"""The table that is read first: how well, how long, how clean; one row a level, and one for each further run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mosaic_env.evals.metrics.accuracy import accuracy
from mosaic_env.evals.metrics.budget import interactions
from mosaic_env.evals.metrics.groups import level_groups
from mosaic_env.evals.records import Scored
from mosaic_env.evals.tables import Cell, Rate, Table

_COLUMNS = ("Tasks", "Played", "Accuracy", "Best guess", "Used", "Invalid", "No answer")
_NOTE = (
    "Accuracy with its 95 % interval (Wilson). Best guess: the best constant guess of each type of question. "
    "Used: interactions of an episode, on average. Invalid: the share of steps in which an action or a call of the "
    "agent could not be used."
)


def overview_table(
    scored: Sequence[Scored],
    constant: Sequence[bool],
    direct: Sequence[Scored] | None = None,
    ablations: Mapping[str, Sequence[Scored]] | None = None,
) -> Table:
    """Return the main numbers of a run.

    Args:
        scored: Of the run, sorted.
        constant: For each of them, whether the best constant guess is right.
        direct: The same tasks answered without tools.
        ablations: Further runs of the same tasks, by what their rows are called: ``no image search``.
    """
    guessed = {id(one): right for one, right in zip(scored, constant, strict=True)}
    rows = [
        _row(level, ones, Rate.of(guessed[id(one)] for one in ones))
        for level, ones in level_groups(scored).items()
    ]
    if direct is not None:
        rows.append(_row("Direct", direct, None))
    rows += [_row(name, ones, None) for name, ones in (ablations or {}).items()]
    return Table("overview", "Overview", _COLUMNS, tuple(rows), _NOTE)


def _row(name: str, ones: Sequence[Scored], guess: Rate | None) -> tuple[Cell, ...]:
    steps = [step for one in ones for step in one.episode.steps]
    invalid = sum(step.failure[1] == "policy" for step in steps)
    return (
        name,
        len(ones),
        accuracy(ones),
        None if guess is None or guess.share is None else f"{100 * guess.share:.1f} %",
        f"{sum(map(interactions, ones)) / len(ones):.2f}" if ones else None,
        f"{100 * invalid / len(steps):.1f} %" if steps else None,
        sum(one.episode.answer is None for one in ones),
    )
