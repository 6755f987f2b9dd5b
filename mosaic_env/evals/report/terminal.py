"""A summary in a terminal.

Must not: count or judge.
"""

from __future__ import annotations

from mosaic_env import console
from mosaic_env.evals.tables import Summary, Table, shown


def print_summary(summary: Summary) -> None:
    """Print facts, warnings and tables."""
    console.fields(summary.facts)
    for warning in summary.warnings:
        console.note(warning)
    for table in summary.tables:
        _print(table)


def _print(table: Table) -> None:
    rows: list[tuple[object, ...]] = [
        tuple(cell if isinstance(cell, int) else shown(cell) for cell in row) for row in table.rows
    ]
    console.out.print()
    console.table(table.title, table.columns, rows)
    if table.note:
        console.out.print(console.safe(table.note), style="dim")
