"""The ``mosaic`` command. Exit codes: 0 fine, 1 a check found problems, 2 wrong input.

Each command imports what it needs when it runs, so ``mosaic --help`` stays quick.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from mosaic_env.cli import evaluating, playing, snapshots, tasks, viewing, worlds
from mosaic_env.cli.command import Handler, add_group
from mosaic_env.cli.imports import search_current_folder
from mosaic_env.core.errors import MosaicError


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    _prepare_streams()
    try:
        try:
            return _run(argv)
        finally:
            sys.stdout.flush()  # here, where a full disk or a reader that went away can be handled
    except BrokenPipeError:
        _silence_stdout()  # the reader went away ("mosaic ... | head"): say nothing
        return 0
    except OSError as error:
        from mosaic_env import console

        where = "the output" if error.filename is None else error.filename  # a path of the command line
        console.fail(f"{where}: {error.strerror or error}")
        _silence_stdout()
        return 2
    except KeyboardInterrupt:
        return 130


def _run(argv: Sequence[str] | None) -> int:
    search_current_folder()
    try:
        arguments = build_parser().parse_args(argv)
        handler: Handler = arguments.handler
        return handler(arguments)
    except MosaicError as error:
        from mosaic_env import console

        console.fail(error)
        return 2


def _prepare_streams() -> None:
    """Make printing safe: a closed stream swallows, and a narrow encoding shows question marks."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - open until the exit
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _silence_stdout() -> None:
    """Keep what cannot be written from failing once more when the interpreter exits."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands; the reference in ``docs/reference`` is made from it."""
    parser = argparse.ArgumentParser(
        prog="mosaic",
        description="A reproducible, offline world for agents that search with words and pictures.",
    )
    parser.add_argument("--version", action="version", version=f"mosaic_env {_version()}")
    commands = add_group(parser, "commands", "COMMAND")
    for group in (playing, evaluating, viewing, snapshots, worlds, tasks):
        group.add_commands(commands)
    return parser


def _version() -> str:
    try:
        return version("mosaic-env")
    except PackageNotFoundError:
        return "(not installed)"
