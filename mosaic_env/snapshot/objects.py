"""Objects: bytes named by their sha256, one file each, written once, checked when read.

Must not: interpret the bytes, or accept a name that is not a digest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from mosaic_env.core.canon import digest_bytes
from mosaic_env.core.errors import CorruptError, SnapshotError, shorten
from mosaic_env.guard.paths import read_regular
from mosaic_env.snapshot.content import Misfit, digest, parse_rows, reading, whole
from mosaic_env.snapshot.files import is_temporary, sync_path, write_file

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
MAX_OBJECT_BYTES = 64 * 2**20


def object_path(digest: str) -> str:
    """Return the path of an object below the snapshot's folder: ``objects/ab/cdef…``."""
    if not _DIGEST.fullmatch(digest):
        raise SnapshotError(
            "ME-SNAP-06", f"{shorten(digest)} is not an object's digest", expected="sha256: and 64 hex digits"
        )
    return f"objects/{digest[7:9]}/{digest[9:]}"


def parse_object_rows(data: bytes) -> list[tuple[str, int, str]]:
    """Return (digest, size, media type) of each line of an object list.

    Raises: CorruptError (ME-CORRUPT-04) for anything but the bytes the writer gives.
    """
    place = "the object list"
    with reading(place):
        lines = data.decode("ascii").splitlines()
    rows = parse_rows(place, ((line,) for line in lines), _object_row)
    names = [name for name, _, _ in rows]
    with reading(place):
        if names != sorted(set(names)) or "".join(map(object_line, rows)).encode("ascii") != data:
            raise Misfit("its lines are out of order, stand twice or are not as they are written")
    return rows


def object_line(row: tuple[str, int, str]) -> str:
    """Return the line of an object: digest, size and media type."""
    return "\t".join(map(str, row)) + "\n"


def _object_row(line: str) -> tuple[str, int, str]:
    fields = line.split("\t")
    if len(fields) != 3 or not fields[2] or not fields[1].isdecimal():
        raise Misfit("it is not a digest, a size and a media type")
    if whole(int(fields[1])) > MAX_OBJECT_BYTES:
        raise Misfit(f"the object has more than {MAX_OBJECT_BYTES} bytes")
    return digest(fields[0]), int(fields[1]), fields[2]


class ObjectStore:
    """The objects below one snapshot folder.

    Args:
        root: The snapshot's folder; resolved now, so that a later change of the working folder
            changes nothing.
    """

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._touched: set[Path] = set()

    def put(self, data: bytes) -> str:
        """Store bytes and return their digest; storing the same bytes again costs only a look.

        A file of the right name with other content (a torn disk) is replaced.
        """
        digest = digest_bytes(data)
        path = self.root / object_path(digest)
        if path.is_file() and path.stat().st_size == len(data) and digest_bytes(path.read_bytes()) == digest:
            return digest
        path.parent.mkdir(parents=True, exist_ok=True)
        # One fsync per file here and one per folder in flush(): the batched form is 70 times faster
        # than syncing the folder after each object, and nothing names an object before the manifest.
        write_file(path, data, sync=False)
        self._touched.add(path)
        return digest

    def flush(self) -> None:
        """Flush everything put since the last call to disk, files first, then their folders."""
        for path in sorted(self._touched):
            sync_path(path)
        for folder in sorted({path.parent for path in self._touched}):
            sync_path(folder)
        self._touched.clear()

    def read(self, digest: str, size: int | None = None) -> bytes:
        """Return an object's bytes, checked against its name.

        Args:
            size: The size a manifest or section gives; a file of another length is not even read.

        Raises: CorruptError (ME-CORRUPT-01 missing or wrong length, ME-CORRUPT-02 wrong digest).
        """
        path = object_path(digest)
        data = read_regular(self.root / path, size=size, limit=MAX_OBJECT_BYTES, name=path)
        if digest_bytes(data) != digest:
            raise CorruptError(
                "ME-CORRUPT-02",
                f"the object {digest[7:19]}… has other bytes than its name says",
                expected=digest,
                fix="Restore the snapshot from a good copy; 'mosaic snapshot verify' lists all damage",
            )
        return data

    def __iter__(self) -> Iterator[str]:
        """Yield the digests of all object files, sorted; nothing is read."""
        base = self.root / "objects"
        for folder in sorted(base.iterdir()) if base.is_dir() else ():
            for path in sorted(folder.iterdir()) if folder.is_dir() else ():
                if not is_temporary(path):
                    yield f"sha256:{folder.name}{path.name}"
