"""A summary as Markdown: the same tables, for files and pull requests.

Must not: count or judge, or write a clock.
"""

from __future__ import annotations

import re

from mosaic_env.evals.tables import Cell, Summary, Table, shown
from mosaic_env.guard.html import visible

#: Characters that mean something in Markdown or HTML, wherever they stand.
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~#&])")


def markdown(summary: Summary, title: str = "Evaluation") -> str:
    """Return a document: facts, warnings, tables."""
    parts = [f"# {_text(title)}"]
    if summary.facts:
        parts.append(
            "\n".join(f"- **{_text(name)}**: {_text(value)}" for name, value in summary.facts.items())
        )
    parts += [f"> {_text(warning)}" for warning in summary.warnings]
    parts += [_table(table) for table in summary.tables]
    return "\n\n".join(parts) + "\n"


def _table(table: Table) -> str:
    if not table.rows:
        return f"## {_text(table.title)}\n\nNone."
    rows = [
        "| " + " | ".join(_text(name) for name in table.columns) + " |",
        "|" + "|".join(_rule(table, place) for place in range(len(table.columns))) + "|",
        *("| " + " | ".join(_text(shown(cell)) for cell in row) + " |" for row in table.rows),
    ]
    parts = [f"## {_text(table.title)}", "\n".join(rows)]
    return "\n\n".join([*parts, _text(table.note)] if table.note else parts)


def _rule(table: Table, place: int) -> str:
    """Return the line under a heading: columns of numbers stand on the right."""
    cells: list[Cell] = [row[place] for row in table.rows]
    return "---:" if cells and all(isinstance(cell, (int, float, type(None))) for cell in cells) else "---"


def _text(value: str) -> str:
    """Return text that shows as it is written, in one line."""
    return _SPECIAL.sub(r"\\\1", visible(" ".join(value.split())))
