"""What all command groups share."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any

Handler = Callable[[argparse.Namespace], int]


class HelpFormatter(argparse.HelpFormatter):
    """Fills paragraphs, and leaves a text with line ends of its own as it is written."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if "\n" in text else super()._fill_text(text, width, indent)


def add_command(
    commands: Any, name: str, handler: Handler, help: str, description: str = "", epilog: str = ""
) -> argparse.ArgumentParser:
    """Add a command whose long help starts with its short one."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=help,
        description=f"{help[:1].upper()}{help[1:]}. {description}".strip(),
        epilog=epilog or None,
        formatter_class=HelpFormatter,
    )
    parser.set_defaults(handler=handler)
    return parser


def add_group(parser: argparse.ArgumentParser, title: str, metavar: str) -> Any:
    """Return what commands are added to; without a command the parser's whole help goes to standard error.

    The exit code is then 2, as argparse has it for a missing word.
    """

    def explain(arguments: argparse.Namespace) -> int:
        parser.print_help(sys.stderr)
        return 2

    parser.set_defaults(handler=explain)
    return parser.add_subparsers(title=title, metavar=metavar)


def whole(least: int) -> Callable[[str], int]:
    """Return the type of an argument: a whole number from ``least`` on."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least:
            raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number of at least {least}")
        return number

    return read


def minutes(text: str) -> float:
    """Return the minutes an argument says."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a number of minutes, 0 or more")
    return number
