"""Plain tar archives: written to the same bytes everywhere, read without extracting anything.

An archive is one ustar file of regular members. Reading checks every header, name, length and the
end mark before the first byte is handed out, and hands out streams: where they go is the caller's
business, so no name of an archive ever becomes a path here.

Must not: extract, follow a link, decompress, or keep a member in memory.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import struct
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from mosaic_env.core.errors import ArchiveError, SnapshotError, shorten
from mosaic_env.guard.paths import check_names, check_replaceable, open_regular

_BLOCK = 512
_MAGIC = b"ustar\x0000"
_END = bytes(2 * _BLOCK)
_HEADER = struct.Struct("100s 8s 8s 8s 12s 12s 8s 1s 100s 8s 32s 32s 8s 8s 155s 12x")
_SIZE_FIELD = re.compile(rb"[0-7]{11}[\0 ]")
_CHECKSUM = slice(148, 156)
_MAX_MEMBER = 8**11 - 1  # what eleven octal digits hold: 8 GiB
_MAX_PADDING = 2**20  # writers fill up to a record; some choose large ones
_COPY_BYTES = 2**20


def write_archive(path: str | os.PathLike[str], members: Iterable[tuple[str, Path | bytes]]) -> None:
    """Write a plain tar archive; an existing one is replaced in one step or not at all.

    Args:
        path: Where to; its folder exists.
        members: (name, content), content as bytes or as the path of a regular file.
    Raises: ArchiveError (ME-ARCHIVE-01, ME-ARCHIVE-02); CorruptError (ME-CORRUPT-01) for a file
        that is missing or no regular file; SnapshotError (ME-SNAP-05) when ``path`` is a device,
        link or folder; OSError when the disk fails. Nothing is left behind.
    Determinism: the same bytes for the same members in any order: names sorted, times 0, no owner.
    """
    ordered = sorted(members, key=lambda member: member[0])
    _check_names(name for name, _ in ordered)
    with _replacing(Path(path)) as target:
        for name, content in ordered:
            if isinstance(content, bytes):
                _write_member(target, name, io.BytesIO(content), len(content))
            else:
                source, size = open_regular(content, name=name)
                with source:
                    _write_member(target, name, source, size)
        target.write(_END)


def read_archive(
    path: str | os.PathLike[str], *, max_members: int, max_bytes: int
) -> Iterator[tuple[str, BinaryIO]]:
    """Yield (name, stream) of every member, in the archive's order, after checking all of them.

    Accepted: uncompressed POSIX tar with regular members only, names as ``check_names`` wants
    them, complete to the end mark, nothing behind it. Each stream gives exactly the member's
    bytes and is readable until the iterator goes on or is closed.

    Args:
        max_members: The most members.
        max_bytes: The most bytes of all members together.
    Raises: ArchiveError (ME-ARCHIVE-01 not allowed or damaged, ME-ARCHIVE-02 above a limit), at
        the first ``next()``; CorruptError (ME-CORRUPT-01) when there is no such regular file.
    Cost: one seek and 512 bytes a member before the first is yielded.
    """
    # A link given by the user is the user's wish; inside the archive there are none.
    file, length = open_regular(Path(path).resolve())
    with file:
        found = list(_scan(file, length, max_members, max_bytes))
        _check_names(name for name, _, _ in found)
        for name, start, size in found:
            with io.BufferedReader(_Member(file, start, size)) as stream:
                yield name, stream


class _Member(io.RawIOBase):
    """The bytes of one member, as a read-only stream over the archive."""

    def __init__(self, file: BinaryIO, start: int, size: int) -> None:
        self._file = file
        self._at = start
        self._end = start + size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        want = min(len(buffer), self._end - self._at)
        self._file.seek(self._at)
        data = self._file.read(want)
        if len(data) != want:
            raise _refused("the archive became shorter while it was read")
        buffer[:want] = data
        self._at += want
        return want


def _scan(file: BinaryIO, length: int, max_members: int, max_bytes: int) -> Iterator[tuple[str, int, int]]:
    """Yield (name, start, size) of each member and check the frame around them."""
    at = members = total = 0
    while True:
        block = _block(file, at, length)
        if not any(block):
            break
        name, size = _parse(block, at)
        members += 1
        total += size
        if members > max_members or total > max_bytes:
            raise ArchiveError(
                "ME-ARCHIVE-02",
                f"the archive has at least {members} members with {total} bytes",
                expected=f"at most {max_members} members and {max_bytes} bytes",
                fix="Raise the limits only if you trust where the archive comes from",
            )
        start = at + _BLOCK
        at = start + -(-size // _BLOCK) * _BLOCK
        if at + len(_END) > length:
            raise _refused(f"the archive ends at byte {length}, inside or right after {shorten(name)}")
        file.seek(start + size)
        if any(file.read(at - start - size)):
            raise _refused(f"there are bytes hidden behind the member {shorten(name)}")
        yield name, start, size
    _check_end(file, at, length)


def _block(file: BinaryIO, at: int, length: int) -> bytes:
    file.seek(at)
    block = file.read(_BLOCK)
    if len(block) != _BLOCK:
        raise _refused(f"the archive ends at byte {length}, before its end mark")
    return block


def _parse(block: bytes, at: int) -> tuple[str, int]:
    """Read one header with the standard library's parser, which alone never follows extensions."""
    try:
        member = tarfile.TarInfo.frombuf(block, "ascii", "strict")
    except (tarfile.HeaderError, ValueError) as error:
        raise _refused(f"there is no tar header at byte {at} ({error})") from None
    if block[257:265] != _MAGIC or member.type != tarfile.REGTYPE or member.linkname:
        kind = shorten(member.type.decode("latin-1"))
        raise _refused(f"the member {shorten(member.name)} has type {kind} or is not in POSIX format")
    if not _SIZE_FIELD.fullmatch(block, 124, 136):
        # Binary, signed and underscored numbers: readers disagree about what they mean.
        raise _refused(f"the member {shorten(member.name)} has no octal length")
    return member.name, member.size


def _check_end(file: BinaryIO, at: int, length: int) -> None:
    if length - at > _MAX_PADDING:
        raise _refused(f"there are {length - at} bytes behind the last member")
    file.seek(at)
    rest = file.read(length - at)
    if len(rest) < len(_END) or any(rest):
        raise _refused("the end mark is cut off, or bytes follow it")


def _check_names(names: Iterable[str]) -> None:
    try:
        check_names(names)
    except SnapshotError as error:
        raise ArchiveError(
            "ME-ARCHIVE-01", f"in the archive, {error.what}", expected=error.expected, fix=_FIX
        ) from None


_FIX = "Pack the snapshot again with `mosaic snapshot pack`"


def _refused(what: str) -> ArchiveError:
    return ArchiveError(
        "ME-ARCHIVE-01", what, expected="a complete, uncompressed tar file of regular files", fix=_FIX
    )


def _write_member(target: BinaryIO, name: str, source: BinaryIO, size: int) -> None:
    target.write(_header(name, size))
    left = size
    while left:
        piece = source.read(min(left, _COPY_BYTES))
        if not piece:
            raise _refused(f"the file for {shorten(name)} became shorter while it was packed")
        target.write(piece)
        left -= len(piece)
    target.write(bytes(-size % _BLOCK))


def _header(name: str, size: int) -> bytes:
    """Return a ustar header; written out here because Python releases fill unused fields differently."""
    if size > _MAX_MEMBER:
        raise ArchiveError(
            "ME-ARCHIVE-02", f"{shorten(name)} has {size} bytes", expected=f"at most {_MAX_MEMBER}"
        )
    prefix, base = _split(name)
    numbers = (b"0000644\0", b"0000000\0", b"0000000\0", b"%011o\0" % size, b"00000000000\0", b" " * 8)
    header = _HEADER.pack(base, *numbers, b"0", b"", _MAGIC, b"", b"", b"0000000\0", b"0000000\0", prefix)
    checksum = b"%06o\0 " % sum(header)
    return header[: _CHECKSUM.start] + checksum + header[_CHECKSUM.stop :]


def _split(name: str) -> tuple[bytes, bytes]:
    """Split a long name at a slash into ustar's prefix (155 bytes) and name (100 bytes)."""
    data = name.encode("ascii")
    if len(data) <= 100:
        return b"", data
    cut = data.find(b"/", len(data) - 101)
    if cut <= 0 or cut > 155:
        raise _refused(f"the name {shorten(name)} does not fit a tar header: its last part is too long")
    return data[:cut], data[cut + 1 :]


@contextlib.contextmanager
def _replacing(path: Path) -> Iterator[BinaryIO]:
    """Give a temporary file that takes the place of ``path`` when all went well."""
    check_replaceable(path)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o644)
        check_replaceable(path)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make a rename last through a power cut, where folders can be synced."""
    if hasattr(os, "O_DIRECTORY"):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
