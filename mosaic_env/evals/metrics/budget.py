"""What episodes used: interactions of their budget, calls, the extra turn, tokens and cost."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from mosaic_env.core.types import Step
from mosaic_env.evals.metrics.groups import level_groups
from mosaic_env.evals.records import Scored
from mosaic_env.evals.tables import Cell, Rate, Table

#: What notes of an episode are added up: heading by note. Notes are texts that hold a number.
SPENT: Mapping[str, str] = {
    "prompt_tokens": "Tokens read",
    "completion_tokens": "Tokens written",
    "cost": "Cost in US dollars",
}


def interactions(one: Scored) -> int:
    """Return how many interactions an episode used; one ``env.step`` may use several where calls are carried over."""
    per = one.episode.config.get("calls_per_interaction")
    carries = one.episode.config.get("overflow") == "carry" and isinstance(per, int) and per > 0
    acting = [step for step in one.episode.steps if step.phase == "act"]
    return sum(max(math.ceil(_run(step) / per), 1) if carries and per else 1 for step in acting)


def _run(step: Step) -> int:
    return sum(call.status != "dropped" for call in step.calls)


def allowed(one: Scored) -> int | None:
    """Return the budget of interactions, or None when there is no limit."""
    limit = one.episode.config.get("interactions")
    return limit if isinstance(limit, int) else None


def exhausted(one: Scored) -> bool:
    """Tell whether an episode used its whole budget, and had one."""
    limit = allowed(one)
    return bool(limit) and interactions(one) >= (limit or 0)


def in_extra_turn(one: Scored) -> bool:
    """Tell whether the answer came in the turn after the budget was spent."""
    last = one.episode.steps[-1:]
    return bool(last) and last[0].answer is not None and last[0].phase == "answer_only" and bool(allowed(one))


def budget_table(scored: Sequence[Scored]) -> Table:
    """Return the use of the budget by level."""
    rows: list[tuple[Cell, ...]] = []
    for level, ones in level_groups(scored).items():
        used = sum(map(interactions, ones))
        limits = [limit for limit in map(allowed, ones) if limit is not None]
        budget = sum(limits) if len(limits) == len(ones) else 0
        calls = sum(_run(step) for one in ones for step in one.episode.steps)
        rows.append(
            (
                level,
                _mean(used, len(ones)),
                f"{100 * used / budget:.1f} %" if budget else None,
                Rate.of(map(exhausted, ones)),
                Rate.of(map(in_extra_turn, ones)),
                Rate.of(one.episode.answer is None for one in ones),
                _mean(calls, used),
            )
        )
    columns = ("Tasks", "Used", "Of budget", "Exhausted", "Answered after", "No answer", "Calls")
    note = (
        "Used: interactions of an episode, on average. Exhausted: episodes that spent the whole budget. Answered "
        "after: in the extra turn when it was spent. Calls: run in one interaction, on average."
    )
    return Table("budget", "Use of the budget", columns, tuple(rows), note)


def spending_table(scored: Sequence[Scored]) -> Table | None:
    """Return tokens and cost by level, or None where no episode noted any."""
    noted = [name for name in SPENT if any(name in one.notes for one in scored)]
    if not noted:
        return None
    rows = [
        (level, *(cell for name in noted for cell in _spent(ones, name)))
        for level, ones in level_groups(scored).items()
    ]
    columns = ("Tasks", *(heading for name in noted for heading in (SPENT[name], "each")))
    return Table(
        "spending",
        "Tokens and cost",
        columns,
        tuple(rows),
        "As the provider counts them; an episode without a count adds nothing.",
    )


def _spent(ones: Sequence[Scored], name: str) -> tuple[Cell, Cell]:
    """Return the sum and the mean of a note: whole numbers without a fraction, money with four digits."""
    total = math.fsum(number(one.notes.get(name, "")) for one in ones)
    form: Callable[[float], str] = (
        (lambda value: f"{value:.4f}") if name == "cost" else (lambda value: f"{value:,.0f}")
    )
    return form(total), form(total / len(ones)) if ones else "–"


def number(text: str) -> float:
    """Return the number that a note holds, 0.0 for anything else."""
    try:
        value = float(text)
    except ValueError:
        return 0.0
    return value if math.isfinite(value) and value >= 0 else 0.0


def _mean(total: float, count: int) -> str:
    return f"{total / count:.2f}" if count else "–"
