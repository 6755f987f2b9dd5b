"""The ``mosaic`` command. Exit codes: 0 fine, 1 a check found problems, 2 wrong input.

Each command imports what it needs when it runs, so ``mosaic --help`` stays quick.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version

from mosaic_env.cli import playing, snapshots, worlds
from mosaic_env.cli.command import Handler
from mosaic_env.core.errors import MosaicError


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    try:
        return _run(argv)
    except BrokenPipeError:
        # The reader went away ("mosaic ... | head"): say nothing and let the interpreter exit quietly.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def _run(argv: Sequence[str] | None) -> int:
    try:
        arguments = build_parser().parse_args(argv)
        handler: Handler = arguments.handler
        return handler(arguments)
    except MosaicError as error:
        from mosaic_env import console

        console.fail(error)
        return 2
    except (
        FileNotFoundError,
        FileExistsError,
        IsADirectoryError,
        NotADirectoryError,
        PermissionError,
    ) as error:
        from mosaic_env import console

        console.fail(f"{error.filename}: {error.strerror}")  # a path of the command line
        return 2
    finally:
        sys.stdout.flush()  # here, where a reader that went away can be handled, not at the exit


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands; the reference in ``docs/cli.md`` is made from it."""
    parser = argparse.ArgumentParser(
        prog="mosaic",
        description="A reproducible, offline world for agents that search with words and pictures.",
    )
    parser.add_argument("--version", action="version", version=f"mosaic_env {_version()}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for group in (playing, snapshots, worlds):
        group.add_commands(commands)
    return parser


def _version() -> str:
    try:
        return version("mosaic-env")
    except PackageNotFoundError:
        return "(not installed)"
