"""What the command line prints: tables, progress bars and errors, safe for hostile text.

Must not: decide anything. Everything that came from a file or a model goes through
``guard.html.visible`` before it reaches a terminal.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from mosaic_env.guard.html import visible


class _Console(Console):
    """A console that leaves a reader that went away to ``mosaic_env.cli.main``."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


out = _Console(highlight=False)
err = _Console(stderr=True, highlight=False)


def safe(value: object) -> Text:
    """Return any value as plain terminal text: no markup, no control characters."""
    return Text(visible(str(value)))


#: Seconds from one line of progress to the next where no bars can be drawn.
_EVERY = 10.0


class _Lines:
    """Progress for a log: plain lines on standard error, the first after ten seconds, then at most one in ten."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def say(self, what: str, done: int, total: int, state: str = "") -> None:
        """Print a line when it is time."""
        now = time.monotonic()
        if now - self._last >= _EVERY:
            self._last = now
            err.print(safe(f"{what}: {done:,} of {total:,}{f', {state}' if state else ''}"), soft_wrap=True)


@contextlib.contextmanager
def progress() -> Iterator[Callable[[str, int, int], None]]:
    """Yield ``say(what, done, total)``, which draws one bar for each ``what`` on standard error.

    Where that is no terminal, a plain line says it every ten seconds.
    """
    if not err.is_terminal:
        yield _Lines().say
        return
    columns = (TextColumn("{task.description:<22}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err) as bars:
        tasks: dict[str, Any] = {}

        def say(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(what, total=total)
            bars.update(tasks[what], completed=done)

        yield say


@contextlib.contextmanager
def bar(what: str) -> Iterator[Callable[[int, int, str], None]]:
    """Yield ``say(done, total, state)``, which draws one bar with a text behind it on standard error.

    Where that is no terminal, a plain line says it every ten seconds.
    """
    if not err.is_terminal:
        lines = _Lines()
        yield lambda done, total, state: lines.say(what, done, total, state)
        return
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        TextColumn("{task.fields[state]}", markup=False),
    )  # fmt: skip
    with Progress(*columns, console=err) as bars:
        drawn = bars.add_task(what, total=None, state="")

        def say(done: int, total: int, state: str) -> None:
            bars.update(drawn, completed=done, total=total, state=state)

        yield say


def table(
    title: str, columns: tuple[str, ...], rows: list[tuple[object, ...]], *, one_line: bool = False
) -> None:
    """Print a table; numbers are right-aligned.

    Args:
        one_line: Each row is one line: what does not fit in the last column is cut off.
    """
    drawn = Table(title=safe(title) if title else None, title_justify="left", show_edge=False, pad_edge=False)
    for number, name in enumerate(columns):
        numeric = bool(rows) and all(isinstance(row[number], (int, float)) for row in rows)
        whole = one_line and number < len(columns) - 1
        drawn.add_column(safe(name), justify="right" if numeric else "left", overflow="fold", no_wrap=whole)
    for row in rows:
        cells = [safe(f"{cell:,}" if isinstance(cell, int) else cell) for cell in row]
        if one_line:
            cells = [Text(" ".join(cell.plain.split()), no_wrap=True, overflow="ellipsis") for cell in cells]
        drawn.add_row(*cells)
    out.print(drawn)


def fields(values: Mapping[str, object]) -> None:
    """Print names and values, aligned."""
    width = max((len(name) for name in values), default=0)
    for name, value in values.items():
        line = Text(f"{visible(name):<{width}}  ", style="bold")
        line.append_text(safe(value))
        out.print(line, soft_wrap=True)


def note(message: object) -> None:
    """Print something worth knowing that is no error."""
    out.print(safe(f"note: {message}"), soft_wrap=True)


def fail(message: object) -> None:
    """Print an error to standard error."""
    line = Text("error: ", style="bold red")
    line.append_text(safe(message))
    err.print(line, soft_wrap=True)
