"""What all command groups share."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

Handler = Callable[[argparse.Namespace], int]


def add_command(
    commands: Any, name: str, handler: Handler, help: str, description: str = ""
) -> argparse.ArgumentParser:
    """Add a command whose long help starts with its short one."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=help, description=f"{help[:1].upper()}{help[1:]}. {description}".strip()
    )
    parser.set_defaults(handler=handler)
    return parser
