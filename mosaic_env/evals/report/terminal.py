"""A summary in a terminal.

Must not: count or judge.
"""

from __future__ import annotations

from mosaic_env import console
from mosaic_env.core.words import counted
from mosaic_env.evals.tables import Cell, Rate, Summary, Table, shown

#: Columns of a terminal that has room for shares with their intervals in one line.
_WIDE = 140
#: Rows of a table that a terminal shows; files hold all of them.
_ROWS = 20


def print_summary(summary: Summary, *, full: bool = True) -> None:
    """Print facts, warnings and tables.

    Args:
        full: Print every table; otherwise the first one, and how many more there are.
    """
    console.fields(summary.facts)
    for warning in summary.warnings:
        console.note(warning)
    for table in summary.tables if full else summary.tables[:1]:
        _print(table)
    more = 0 if full else len(summary.tables) - 1
    if more > 0:
        console.out.print(f"\n{counted(more, 'more table')} with --full, and in the reports", style="dim")


def _print(table: Table) -> None:
    rows: list[tuple[object, ...]] = [tuple(map(_cell, row)) for row in table.rows[:_ROWS]]
    console.out.print()
    if not rows:
        console.out.print(console.safe(f"{table.title}: none"))
        return
    console.table(table.title, table.columns, rows)
    if len(table.rows) > _ROWS:
        console.out.print(f"… and {counted(len(table.rows) - _ROWS, 'row')} more", style="dim")
    if table.note:
        console.out.print(console.safe(table.note), style="dim")


def _cell(cell: Cell) -> object:
    if isinstance(cell, int):
        return cell
    text = shown(cell)
    if not isinstance(cell, Rate) or not cell.n or console.out.width >= _WIDE:
        return text
    share, _, interval = text.partition(", ")
    return f"{share})\n{interval.rstrip(')')}"
