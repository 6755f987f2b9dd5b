"""Crash-safe writing: a unique temporary file in the same folder, fsync, rename.

Must not: know what the bytes mean. Readers see the old file or the new one, never a part of it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from mosaic_env.guard.paths import check_replaceable

#: Temporary files carry this prefix; they are never read and ``mosaic snapshot gc`` removes them.
TEMP_PREFIX = ".tmp-"
_CHUNK = 2**20


@contextlib.contextmanager
def replacing(path: Path, *, sync: bool = True) -> Iterator[Path]:
    """Yield a temporary path that replaces ``path`` atomically when the block ends well.

    Args:
        path: The final path; its folder must exist.
        sync: Flush the file and its folder to disk before returning.

    Raises: SnapshotError (ME-SNAP-05) when ``path`` is a device, pipe, link or folder.
    """
    check_replaceable(path)
    # The name is unique per process and call: two writers never share a temporary file.
    temporary = path.with_name(f"{TEMP_PREFIX}{os.getpid()}-{secrets.token_hex(6)}")
    try:
        yield temporary
        if sync:
            sync_path(temporary)
        temporary.replace(path)
        if sync:
            sync_path(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def write_file(path: Path, data: bytes, *, sync: bool = True) -> None:
    """Write bytes so that ``path`` holds all of them or what it held before."""
    with replacing(path, sync=sync) as temporary:
        temporary.write_bytes(data)


@contextlib.contextmanager
def output(path: Path) -> Iterator[Path]:
    """Yield where to write a file that a person asked for; it is whole, or what it was before.

    A link is followed; a device or a pipe is written as it is.

    Raises: OSError, which names ``path`` where the system names nothing.
    """
    target = Path(os.path.realpath(path))
    try:
        if target.exists() and not (target.is_file() and os.access(target.parent, os.W_OK)):
            yield target
        else:
            with replacing(target, sync=False) as temporary:
                yield temporary
                if target.exists():
                    temporary.chmod(stat.S_IMODE(target.stat().st_mode))
    except OSError as error:
        if error.filename is not None and not os.fsdecode(error.filename).startswith(str(target.parent)):
            raise  # an input
        raise OSError(error.errno, error.strerror or type(error).__name__, str(path)) from None


def sync_path(path: Path) -> None:
    """Flush a file or a folder entry to disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def hash_file(path: Path) -> tuple[str, int]:
    """Return (``sha256:…``, size in bytes) of a file. Cost: about 1 s for 1.7 GB."""
    with path.open("rb") as stream:
        return hash_stream(stream)


def hash_stream(stream: BinaryIO) -> tuple[str, int]:
    """Return (``sha256:…``, size in bytes) of what is left of a stream."""
    total, size = hashlib.sha256(), 0
    while chunk := stream.read(_CHUNK):
        total.update(chunk)
        size += len(chunk)
    return "sha256:" + total.hexdigest(), size


def is_temporary(path: Path) -> bool:
    """Tell whether a path is one of our temporary files."""
    return path.name.startswith(TEMP_PREFIX)
