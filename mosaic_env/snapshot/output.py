"""Where a snapshot may be written, and what is said when writing fails.

Must not: write anything.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
from collections.abc import Iterator
from pathlib import Path

from mosaic_env.core.errors import MosaicError, SnapshotError, shorten
from mosaic_env.snapshot.files import TEMP_PREFIX, is_temporary
from mosaic_env.snapshot.manifest import FORMAT, MANIFEST_NAME, read_manifest

#: The folders of a snapshot.
FOLDERS = ("objects", "sections", "index")
#: What stands directly in them, besides temporary files.
_CONTENT = {
    "objects": re.compile(r"[0-9a-f]{2}"),
    "sections": re.compile(r"[a-z_]+-[0-9a-f]{12}\.(sqlite|tsv)"),
    "index": re.compile(r"[a-z_]+-[0-9a-f]{12}\.safetensors"),
}
#: What every manifest of this package begins with, also one that was cut.
_BEGINNING = b'{\n "check": "sha256:'
_HEAD = 2**16


def check_output(out: Path) -> None:
    """Refuse a folder that cannot be written, or holds more than a snapshot or an interrupted build's remains.

    Raises: SnapshotError (ME-SNAP-04, or ME-SNAP-07 inside another snapshot).
    """
    if out.is_symlink() and not out.exists():
        raise _not_an_output(out, "is a link that leads nowhere")
    if out.exists() and not out.is_dir():
        raise _not_an_output(out, "is a file")
    for name in sorted(path.name for path in out.iterdir()) if out.is_dir() else ():
        if not _belongs(out / name):
            raise _not_an_output(out, f"holds {name!r} and is not a snapshot")
    if out.is_dir() and not (out / MANIFEST_NAME).exists():
        for name in FOLDERS:
            strange = next((path for path in _files(out / name) if not _is_content(name, path)), None)
            if strange is not None:
                raise _not_an_output(out, f"holds '{name}/{strange.name}' and is not a snapshot")
    check_outside(out)
    check_writable(out)


def check_outside(path: Path) -> None:
    """Refuse an output below the folder of a snapshot: it would be taken for a part of it, or for garbage.

    What a build puts there under a temporary name of its own is garbage when the build has ended.

    Raises: SnapshotError (ME-SNAP-07).
    """
    place = Path(os.path.realpath(path))
    for folder in place.parents:
        own = place.relative_to(folder).parts[0].startswith(TEMP_PREFIX)
        if not own and is_manifest(folder / MANIFEST_NAME):
            raise SnapshotError(
                "ME-SNAP-07",
                f"the output {shorten(path.name)} would stand inside the snapshot {str(folder)!r}",
                expected="a place outside of every snapshot",
                fix="Choose another output, for example beside that folder",
            )


def check_world(folder: Path, world: str) -> None:
    """Refuse to replace a snapshot of another world, or one that cannot be read.

    Args:
        world: The name of the world that is about to be written.

    Raises: SnapshotError (ME-SNAP-07).
    """
    if not (folder / MANIFEST_NAME).exists():
        return
    try:
        there = f"a snapshot of the world {shorten(read_manifest(folder).world)}"
    except MosaicError:
        there = "a damaged snapshot"
    if there != f"a snapshot of the world {shorten(world)}":
        raise SnapshotError(
            "ME-SNAP-07",
            f"the folder {folder.name!r} holds {there}",
            expected=f"a new folder, or a snapshot of the world {shorten(world)}",
            fix="Choose another --out, or replace it with --replace",
        )


def is_manifest(path: Path) -> bool:
    """Tell whether a file is a manifest of this package, in whatever state; an empty one counts."""
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as stream:
        head = stream.read(_HEAD)
    return (
        not head or head.startswith(_BEGINNING) or f'"format": "{FORMAT.partition("/")[0]}/'.encode() in head
    )


def check_writable(folder: Path) -> None:
    """Refuse a snapshot folder that cannot be written, or could not be made.

    Raises: SnapshotError (ME-SNAP-04).
    """
    places = [path for path in (folder, *(folder / name for name in FOLDERS)) if path.is_dir()]
    nearest_there = next((path for path in (folder, *folder.absolute().parents) if path.exists()), folder)
    for place in places or [nearest_there]:
        if not place.is_dir():
            raise _not_an_output(folder, f"would stand below the file {place.name!r}")
        if not os.access(place, os.W_OK):
            raise SnapshotError(
                "ME-SNAP-04",
                f"the snapshot folder {folder.name!r} cannot be written",
                expected="a folder that you may write",
                fix="An installed snapshot stays as it is: write to a folder of your own, or copy it first",
            )


@contextlib.contextmanager
def writing(out: Path) -> Iterator[None]:
    """Say of a failed write which snapshot it was for.

    Raises: SnapshotError (ME-SNAP-08) for an OSError below ``out``, or one that names no file.
    """
    try:
        yield
    except OSError as error:
        if error.filename is not None and not _is_below(os.fsdecode(error.filename), out):
            raise  # an input
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        raise SnapshotError(
            "ME-SNAP-08",
            f"the snapshot in {str(out)!r} could not be written: {error.strerror or type(error).__name__}",
            expected="a disk with enough space" if full else "a folder that can be written to the end",
            fix="Run it again when this is mended; no half of a snapshot is there, and one that stood there is whole",
        ) from None


def _is_below(path: str, folder: Path) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _belongs(path: Path) -> bool:
    """Tell whether something directly in an output folder is a part of a snapshot, or was left by a build."""
    if path.name == MANIFEST_NAME:
        return is_manifest(path)
    if path.name in FOLDERS:
        return path.is_dir() and not path.is_symlink()
    return path.name.startswith(TEMP_PREFIX)


def _files(folder: Path) -> Iterator[Path]:
    yield from sorted(folder.iterdir()) if folder.is_dir() else ()


def _is_content(folder: str, path: Path) -> bool:
    return is_temporary(path) or _CONTENT[folder].fullmatch(path.name) is not None


def _not_an_output(out: Path, what: str) -> SnapshotError:
    return SnapshotError(
        "ME-SNAP-04",
        f"the folder {out.name!r} {what}",
        expected="a folder that is absent, empty or a snapshot",
        fix="Choose another --out",
    )
