"""What is checked about an output before any work is done for it."""

from __future__ import annotations

import argparse
import errno
import os
from pathlib import Path


def output_file(path: Path) -> None:
    """Make the folder of an output file, check that the file can be written, and say when one is replaced.

    Raises: OSError naming the path; SnapshotError (ME-SNAP-07) inside a snapshot.
    """
    from mosaic_env import console
    from mosaic_env.snapshot.output import check_outside

    check_outside(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a folder; give the name of a file", str(path))
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise PermissionError(errno.EACCES, "cannot be written", str(path))
    if path.is_file():
        console.note(f"{path} exists and is replaced")


def add_replace(command: argparse.ArgumentParser) -> None:
    """Add the option that lets a command replace a snapshot of another world."""
    command.add_argument(
        "--replace",
        action="store_true",
        help="replace a snapshot of another world too; one of the same world is replaced anyway",
    )


def output_snapshot(folder: Path, world: str, *, replace: bool) -> None:
    """Check that a snapshot can be written into a folder, and say when one is replaced.

    Args:
        world: The world it will be of.
        replace: Whether the folder may hold a snapshot of another one.

    Raises: SnapshotError (ME-SNAP-04, ME-SNAP-07).
    """
    from mosaic_env import console
    from mosaic_env.snapshot.manifest import MANIFEST_NAME
    from mosaic_env.snapshot.output import check_output, check_world

    check_output(folder)
    if not replace:
        check_world(folder, world)
    if (folder / MANIFEST_NAME).is_file():
        console.note(f"the snapshot in {folder} is replaced")
