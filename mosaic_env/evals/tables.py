"""Tables as data: metrics make them, reports show them in a terminal, in Markdown or in HTML.

A reporter knows no metric and a metric no reporter: a new metric is one function that returns tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mosaic_env.core.types import Plain
from mosaic_env.evals.stats import wilson


@dataclass(frozen=True)
class Rate(Plain):
    """A share with its 95 % interval (Wilson).

    Args:
        right, n: Counts; without any, there is no share.
    """

    right: int
    n: int

    @property
    def share(self) -> float | None:
        """The share, or None of nothing."""
        return self.right / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float]:
        """Low and high end."""
        return wilson(self.right, self.n)

    @classmethod
    def of(cls, outcomes: Iterable[bool]) -> Rate:
        """Count outcomes."""
        listed = list(outcomes)
        return cls(sum(listed), len(listed))

    def __str__(self) -> str:
        """Return ``62.0 % (31/50, 48.2–74.1)``."""
        if not self.n:
            return "–"
        low, high = self.interval
        share = 100 * self.right / self.n
        return f"{share:.1f} % ({self.right}/{self.n}, {100 * low:.1f}–{100 * high:.1f})"


#: What stands in a table: a text, a count, a number, a share, or nothing to say.
Cell = str | int | float | Rate | None


def shown(cell: Cell) -> str:
    """Return a cell as text, the same in every report."""
    if cell is None:
        return "–"
    return f"{cell:.3g}" if isinstance(cell, float) else str(cell)


@dataclass(frozen=True)
class Table(Plain):
    """One table of a report.

    Args:
        key: Stable name, for JSON and links.
        title: What people read above it.
        columns: Headings; the first column names the row.
        rows: One cell a column.
        note: A sentence on how to read it, or "".
    """

    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


@dataclass(frozen=True)
class Summary(Plain):
    """Everything a report says about a run.

    Args:
        facts: What was run, in order: environment, world, agent, model, tasks.
        tables: In the order they are read.
        warnings: Sentences that must be seen first: tasks that could not be played, verdicts left unsure.
    """

    facts: Mapping[str, str]
    tables: tuple[Table, ...]
    warnings: tuple[str, ...] = field(default=())
