"""Names inside a manifest or archive, and regular files on disk.

Must not: follow a link, wait on a pipe, or read more than it was told to.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from mosaic_env.core.errors import CorruptError, SnapshotError, shorten

MAX_NAME_BYTES = 200
MAX_NAME_PARTS = 8

#: The most that ``read_regular`` takes into memory unless told otherwise.
READ_LIMIT = 2**28

_ALLOWED = re.compile(r"[a-z0-9._/-]+")
_DEVICES = {"con", "prn", "aux", "nul"} | {f"{port}{digit}" for port in ("com", "lpt") for digit in range(10)}
# Absent on some systems; there the checks before and after opening have to do.
_OPEN_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)


def check_name(name: str) -> str:
    """Return a name from a manifest or archive unchanged, or refuse it.

    Allowed: ``a-z 0-9 . _ / -``, at most 200 bytes and 8 parts. No part is empty, begins or ends
    with a dot, or is a device name on Windows (``con``, ``lpt1.txt``). So there are no absolute
    names, drives, ``..``, control characters, and no twins by case or Unicode form.

    Raises: SnapshotError (ME-SNAP-06).
    """
    if not isinstance(name, str):
        raise _refused(name, f"is a {type(name).__name__}, not text")
    if len(name) > MAX_NAME_BYTES:
        raise _refused(name, f"has {len(name)} characters")
    if not _ALLOWED.fullmatch(name):
        raise _refused(name, "is empty or has characters that are not allowed")
    parts = name.split("/")
    if len(parts) > MAX_NAME_PARTS:
        raise _refused(name, f"has {len(parts)} parts")
    for part in parts:
        if not part or part.startswith(".") or part.endswith("."):
            raise _refused(name, "has a part that is empty or begins or ends with a dot")
        if part.split(".")[0] in _DEVICES:
            raise _refused(name, f"has the part {part!r}, a device on Windows")
    return name


def check_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return names in their order after checking each, and all against each other.

    No name stands twice, and none is also the folder of another (``a`` beside ``a/b``).

    Raises: SnapshotError (ME-SNAP-06).
    """
    checked = tuple(check_name(name) for name in names)
    seen: set[str] = set()
    for name in checked:
        if name in seen:
            raise _refused(name, "stands twice")
        seen.add(name)
    for name in checked:
        parts = name.split("/")
        folder = next((f for f in ("/".join(parts[:n]) for n in range(1, len(parts))) if f in seen), None)
        if folder is not None:
            raise _refused(folder, f"is a file and the folder of {shorten(name)}")
    return checked


def inside(root: str | os.PathLike[str], name: str) -> Path:
    """Return the path of ``name`` below ``root``; links on the way must not lead out of it.

    Raises: SnapshotError (ME-SNAP-06).
    """
    base = Path(root).resolve()
    path = base / check_name(name)
    if not path.resolve().is_relative_to(base):
        raise _refused(name, "leads out of its folder through a link")
    return path


def check_replaceable(path: str | os.PathLike[str]) -> None:
    """Refuse a target that a rename must not take the place of: a device, pipe, link or folder.

    Raises: SnapshotError (ME-SNAP-05) unless the path is absent or a regular file, in an existing folder.
    """
    target = Path(path)
    try:
        mode = os.lstat(target).st_mode
        what = "" if stat.S_ISREG(mode) else f"is a {_kind(mode)}"
    except FileNotFoundError:
        what = "" if target.parent.is_dir() else "has no folder to stand in"
    except (OSError, ValueError) as error:
        what = f"cannot be written ({_reason(error)})"
    if what:
        raise SnapshotError(
            "ME-SNAP-05",
            f"the output {shorten(target.name or os.fspath(target))} {what}",
            expected="the name of a new file, or of a regular file to replace, in an existing folder",
            fix="Choose another name for the output",
        )


def open_regular(
    path: str | os.PathLike[str], *, size: int | None = None, name: str = ""
) -> tuple[BinaryIO, int]:
    """Open a regular file for reading; return it with its length.

    Links, pipes, sockets, folders and devices are refused and never waited for. Hard links are
    regular files: package managers install with them, and a digest finds a change.

    Args:
        size: The length the file must have, in bytes.
        name: What errors call the file; without it the last part of the path, never the whole.
    Raises: CorruptError (ME-CORRUPT-01).
    """
    shown = name or Path(path).name
    try:
        # Opening some devices has effects, so look before.
        before = os.lstat(path)
        if not stat.S_ISREG(before.st_mode):
            raise _not_as_listed(shown, f"is a {_kind(before.st_mode)}", "a regular file")
        descriptor = os.open(path, _OPEN_FLAGS)
    except (OSError, ValueError) as error:
        raise _not_as_listed(shown, f"cannot be opened ({_reason(error)})", "a readable file") from None
    file = os.fdopen(descriptor, "rb")
    try:
        after = os.fstat(descriptor)
        if not stat.S_ISREG(after.st_mode) or (before.st_dev, before.st_ino) != (after.st_dev, after.st_ino):
            raise _not_as_listed(shown, "was replaced while it was opened", "a file that stays")
        if size is not None and after.st_size != size:
            raise _not_as_listed(shown, f"has {after.st_size} bytes", f"{size} bytes")
    except BaseException:
        file.close()
        raise
    return file, after.st_size


def read_regular(
    path: str | os.PathLike[str], *, size: int | None = None, limit: int = READ_LIMIT, name: str = ""
) -> bytes:
    """Read a regular file whole; its length is checked before a byte is read.

    Args:
        size: The length the file must have, in bytes; None for any.
        limit: The largest length that is read at all, in bytes.
        name: What errors call the file; without it the last part of the path, never the whole.
    Raises: CorruptError (ME-CORRUPT-01): missing, not a regular file, short, long, above the limit.
    """
    shown = name or Path(path).name
    file, length = open_regular(path, size=size, name=shown)
    with file:
        if length > limit:
            raise _not_as_listed(shown, f"has {length} bytes", f"at most {limit} bytes")
        data = file.read(length + 1)
    if len(data) != length:
        raise _not_as_listed(shown, f"changed from {length} bytes while it was read", "a file that stays")
    return data


def _refused(name: object, why: str) -> SnapshotError:
    return SnapshotError(
        "ME-SNAP-06",
        f"the name {shorten(name)} {why}",
        expected=f"lower-case a-z, 0-9 and ._-/ in at most {MAX_NAME_PARTS} parts and {MAX_NAME_BYTES} bytes",
        fix="Take the snapshot from its source again; do not edit it by hand",
    )


def _reason(error: OSError | ValueError) -> str:
    """Return the reason of an error without the path that its text repeats."""
    return str(error.strerror) if isinstance(error, OSError) else str(error)


def _not_as_listed(name: str, what: str, expected: str) -> CorruptError:
    return CorruptError(
        "ME-CORRUPT-01",
        f"the file {shorten(name)} {what}",
        expected=expected,
        fix="Restore the file from its source, or build the snapshot again",
    )


def _kind(mode: int) -> str:
    kinds = (
        (stat.S_ISLNK, "link"), (stat.S_ISDIR, "folder"), (stat.S_ISFIFO, "pipe"),
        (stat.S_ISSOCK, "socket"), (stat.S_ISCHR, "device"), (stat.S_ISBLK, "device"),
    )  # fmt: skip
    return next((name for test, name in kinds if test(mode)), "special file")
