"""What is checked about an output before any work is done for it."""

from __future__ import annotations

import errno
import os
from pathlib import Path


def output_file(path: Path) -> None:
    """Make the folder of an output file, check that the file can be written, and say when one is replaced.

    Raises: OSError naming the path.
    """
    from mosaic_env import console

    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a folder; give the name of a file", str(path))
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise PermissionError(errno.EACCES, "cannot be written", str(path))
    if path.is_file():
        console.note(f"{path} exists and is replaced")


def output_snapshot(folder: Path) -> None:
    """Check that a snapshot can be written into a folder, and say when one is replaced.

    Raises: SnapshotError (ME-SNAP-04).
    """
    from mosaic_env import console
    from mosaic_env.snapshot.manifest import MANIFEST_NAME
    from mosaic_env.snapshot.writer import check_output

    check_output(folder)
    if (folder / MANIFEST_NAME).is_file():
        console.note(f"the snapshot in {folder} is replaced")
