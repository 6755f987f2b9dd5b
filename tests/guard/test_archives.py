"""Archives: the same bytes everywhere, and everything but plain members is refused."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from mosaic_env.core.errors import ArchiveError, CorruptError
from mosaic_env.guard import archives

MEMBERS: list[tuple[str, bytes]] = [
    ("manifest.json", b"{}"),
    ("objects/ab/cd", bytes(range(256)) * 5),
    ("empty", b""),
    ("block", b"x" * 512),
    ("/".join(["p" * 60] * 3), b"long"),
]


def read(path: Path, *, max_members: int = 100, max_bytes: int = 2**20) -> list[tuple[str, bytes]]:
    found = archives.read_archive(path, max_members=max_members, max_bytes=max_bytes)
    return [(name, stream.read()) for name, stream in found]


def plain(path: Path) -> bytes:
    archives.write_archive(path, MEMBERS)
    return path.read_bytes()


def crafted(*members: tarfile.TarInfo | tuple[str, bytes], form: int = tarfile.USTAR_FORMAT) -> bytes:
    """An archive by the standard library's writer, members given as headers or as name and content."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w", format=form) as archive:
        for member in members:
            if isinstance(member, tarfile.TarInfo):
                archive.addfile(member, io.BytesIO(bytes(member.size)))
            else:
                info = tarfile.TarInfo(member[0])
                info.size = len(member[1])
                archive.addfile(info, io.BytesIO(member[1]))
    return target.getvalue()


def special(kind: bytes, name: str = "a", link: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, link
    return info


def with_field(data: bytes, start: int, value: bytes) -> bytes:
    """Change a field of the first header and make its checksum right again."""
    block = bytearray(data[:512])
    block[start : start + len(value)] = value
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block) + data[512:]


ONE = crafted(("a", b"data"))
END = bytes(1024)
BODY = ONE[:1024]

REFUSED: dict[str, bytes] = {
    "empty": b"",
    "no-tar": b"hello" * 300,
    "zip": b"PK\x03\x04" + bytes(1000),
    "gzip": gzip.compress(ONE, mtime=0),
    "slip": crafted(("../a", b"x")),
    "absolute": crafted(("/etc/cron.d/a", b"x")),
    "inner-slip": crafted(("a/../../b", b"x")),
    "backslash": crafted(("..\\a", b"x")),
    "hidden": crafted((".ssh/authorized-keys", b"x")),
    "device-name": crafted(("a/con.txt", b"x")),
    "not-ascii": crafted(("caf\u00e9", b"x")),
    "no-name": with_field(ONE, 0, bytes(100)),
    "twice": crafted(("a", b"1"), ("a", b"2")),
    "case-twin": crafted(("a", b"1"), ("A", b"2")),
    "unicode-twin": crafted(("caf\u00e9", b"1"), ("cafe\u0301", b"2")),
    "file-and-folder": crafted(("a", b"1"), ("a/b", b"2")),
    "symbolic-link": crafted(special(tarfile.SYMTYPE, link="/etc/passwd")),
    "hard-link": crafted(("a", b"x"), special(tarfile.LNKTYPE, "b", "a")),
    "link-chain": crafted(
        *(special(tarfile.SYMTYPE, f"a{n}", f"a{n + 1}") for n in range(9)), ("a0/x", b"x")
    ),
    "link-then-slip": crafted(special(tarfile.SYMTYPE, "a", "."), ("a/../../x", b"x")),
    "link-without-name": crafted(special(tarfile.SYMTYPE, "", ".")),
    "folder": crafted(special(tarfile.DIRTYPE, "a")),
    "character-device": crafted(special(tarfile.CHRTYPE)),
    "block-device": crafted(special(tarfile.BLKTYPE)),
    "pipe": crafted(special(tarfile.FIFOTYPE)),
    "contiguous": crafted(special(tarfile.CONTTYPE)),
    "old-format": with_field(ONE, 156, b"\0"),
    "unknown-type": crafted(special(b"Z")),
    "gnu-sparse": with_field(ONE, 156, b"S"),
    "gnu-long-name": crafted(("a" * 150, b"x"), form=tarfile.GNU_FORMAT),
    "gnu-magic": crafted(("a", b"x"), form=tarfile.GNU_FORMAT),
    "pax-long-name": crafted(("a" * 150, b"x"), form=tarfile.PAX_FORMAT),
    "pax-global": crafted(special(tarfile.XGLTYPE)),
    "pax-own-type": crafted(special(tarfile.SOLARIS_XHDTYPE)),
    "regular-with-link": with_field(ONE, 157, b"/etc/passwd"),
    "size-negative": with_field(ONE, 124, b"-0000000001\0"),
    "size-binary": with_field(ONE, 124, b"\x80" + bytes(10) + b"\4"),
    "size-binary-negative": with_field(ONE, 124, b"\xff" * 12),
    "size-underscore": with_field(ONE, 124, b"0000_00000_4"),
    "size-empty": with_field(ONE, 124, bytes(12)),
    "size-beyond-file": with_field(ONE, 124, b"00000077777\0"),
    "checksum": ONE[:148] + b"0000000\0" + ONE[156:],
    "hidden-in-padding": BODY[:-4] + b"evil" + END,
    "hidden-after-end": BODY + END + b"evil" + bytes(508),
    "hidden-between-ends": BODY + bytes(512) + BODY + END,
    "much-after-end": BODY + bytes(2**21),
    "no-end": BODY,
    "half-end": BODY + bytes(512),
    "end-of-nothing": bytes(512),
}


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_refused_and_nothing_written(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "root"
    root.mkdir()
    monkeypatch.chdir(root)
    file = tmp_path / "a.tar"
    file.write_bytes(REFUSED[name])
    handed_out: list[str] = []
    with pytest.raises(ArchiveError) as caught:
        for member, _ in archives.read_archive(file, max_members=100, max_bytes=2**16):
            handed_out.append(member)
    assert caught.value.code == "ME-ARCHIVE-01"
    assert handed_out == []
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a.tar", "root"]


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    plain(tmp_path / "a.tar")
    assert read(tmp_path / "a.tar") == sorted(MEMBERS)


def test_same_bytes_in_any_order_from_bytes_or_files(tmp_path: Path) -> None:
    expected = plain(tmp_path / "a.tar")
    files: list[tuple[str, Path | bytes]] = []
    for number, (name, content) in enumerate(reversed(MEMBERS)):
        (tmp_path / str(number)).write_bytes(content)
        (tmp_path / str(number)).chmod(0o600 if number % 2 else 0o755)
        files.append((name, tmp_path / str(number)))
    archives.write_archive(tmp_path / "b.tar", iter(files))
    assert (tmp_path / "b.tar").read_bytes() == expected


def test_header_is_pinned(tmp_path: Path) -> None:
    archives.write_archive(tmp_path / "a.tar", [("a/b", b"data")])
    data = (tmp_path / "a.tar").read_bytes()
    expected = (
        b"a/b".ljust(100, b"\0") + b"0000644\0" + b"0000000\0" * 2 + b"00000000004\0" + b"00000000000\0"
    )
    expected += b"%06o\0 " % int(data[148:154], 8) + b"0" + bytes(100) + b"ustar\x0000" + bytes(64)
    expected += b"0000000\0" * 2 + bytes(167)
    assert data == expected + b"data" + bytes(508) + END


def test_other_readers_agree(tmp_path: Path) -> None:
    plain(tmp_path / "a.tar")
    with tarfile.open(tmp_path / "a.tar", "r:") as archive:
        members = archive.getmembers()
        assert [(m.name, archive.extractfile(m).read()) for m in members] == sorted(MEMBERS)  # type: ignore[union-attr]
        assert {(m.mtime, m.mode, m.uid, m.gid, m.uname, m.type) for m in members} == {
            (0, 0o644, 0, 0, "", b"0")
        }
    listed = subprocess.run(
        ["tar", "tf", str(tmp_path / "a.tar")], capture_output=True, text=True, check=True
    )
    assert listed.stdout.split() == sorted(name for name, _ in MEMBERS)


def test_archives_of_the_standard_library_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.tar").write_bytes(crafted(("b", b"2"), ("a", b"1" * 600)))
    assert read(tmp_path / "a.tar") == [("b", b"2"), ("a", b"1" * 600)]


def test_limits(tmp_path: Path) -> None:
    file = tmp_path / "a.tar"
    archives.write_archive(file, [("a", b"1234"), ("b", b"5678")])
    assert len(read(file, max_members=2, max_bytes=8)) == 2
    for limits in ({"max_members": 1}, {"max_bytes": 7}):
        with pytest.raises(ArchiveError) as caught:
            read(file, **limits)
        assert caught.value.code == "ME-ARCHIVE-02"


def test_a_hundred_thousand_members_stop_at_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.tar"
    file.write_bytes(b"".join(archives._header(f"m/{n}", 0) for n in range(100_000)) + END)
    parsed: list[int] = []
    original = archives._parse

    def counting(block: bytes, at: int) -> tuple[str, int]:
        parsed.append(at)
        return original(block, at)

    monkeypatch.setattr(archives, "_parse", counting)
    with pytest.raises(ArchiveError, match="ME-ARCHIVE-02"):
        read(file, max_members=1_000)
    assert len(parsed) == 1_001


def test_a_huge_member_is_refused_by_its_header(tmp_path: Path) -> None:
    file = tmp_path / "a.tar"
    with file.open("wb") as target:
        target.write(archives._header("a", 2**32))
        target.truncate(2**32 + 2048)
    with pytest.raises(ArchiveError, match="ME-ARCHIVE-02"):
        read(file)


def test_a_member_that_no_header_can_describe_is_not_written(tmp_path: Path) -> None:
    with (tmp_path / "huge").open("wb") as target:
        target.truncate(8**11)
    with pytest.raises(ArchiveError, match="ME-ARCHIVE-02"):
        archives.write_archive(tmp_path / "a.tar", [("a", b""), ("huge", tmp_path / "huge")])
    assert [path.name for path in tmp_path.iterdir()] == ["huge"]


def test_truncated_at_every_length(tmp_path: Path) -> None:
    data = plain(tmp_path / "a.tar")
    file = tmp_path / "cut.tar"
    for length in range(0, len(data), 101):
        file.write_bytes(data[:length])
        with pytest.raises(ArchiveError):
            read(file)


def test_streams_are_bounded_and_independent(tmp_path: Path) -> None:
    archives.write_archive(tmp_path / "a.tar", [("a", b"first"), ("b", b"second"), ("c", b"third")])
    found = archives.read_archive(tmp_path / "a.tar", max_members=9, max_bytes=99)
    name, stream = next(found)
    assert (name, stream.read(2), stream.read(99), stream.read(1)) == ("a", b"fi", b"rst", b"")
    assert next(found)[0] == "b"  # skipped without being read
    assert next(found)[1].read() == b"third"
    assert stream.closed


def test_an_archive_cut_while_it_is_read(tmp_path: Path) -> None:
    archives.write_archive(tmp_path / "a.tar", [("a", b"x" * 2**18)])
    found = archives.read_archive(tmp_path / "a.tar", max_members=1, max_bytes=2**20)
    _, stream = next(found)
    os.truncate(tmp_path / "a.tar", 2**12)
    with pytest.raises(ArchiveError, match="became shorter"):
        stream.read()


def test_no_archive_there(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("nothing", "pipe", "."):
        with pytest.raises(CorruptError):
            read(tmp_path / name)


def raises_on_read(tmp_path: Path) -> list[tuple[str, Path | bytes]]:
    return [("a", b"data"), ("b", tmp_path / "missing")]


def link_as_source(tmp_path: Path) -> list[tuple[str, Path | bytes]]:
    (tmp_path / "link").symlink_to("/etc/passwd")
    return [("a", tmp_path / "link")]


@pytest.mark.parametrize("members", [raises_on_read, link_as_source])
def test_a_failed_write_leaves_the_old_archive(
    members: Callable[[Path], list[tuple[str, Path | bytes]]], tmp_path: Path
) -> None:
    given = members(tmp_path)
    before = plain(tmp_path / "a.tar")
    with pytest.raises(CorruptError):
        archives.write_archive(tmp_path / "a.tar", given)
    assert (tmp_path / "a.tar").read_bytes() == before
    assert not list(tmp_path.glob(".*.part"))


@pytest.mark.parametrize("failing", ["fsync", "replace", "chmod"])
def test_a_failing_disk_leaves_the_old_archive(
    failing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = plain(tmp_path / "a.tar")

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, failing, fail)
    with pytest.raises(OSError, match="No space left"):
        archives.write_archive(tmp_path / "a.tar", [("a", b"new")])
    assert (tmp_path / "a.tar").read_bytes() == before
    assert not list(tmp_path.glob(".*.part"))


@pytest.mark.parametrize("names", [["../a"], ["a", "a"], ["a", "a/b"], ["A"], ["a" * 101]])
def test_names_that_could_not_be_read_are_not_written(names: list[str], tmp_path: Path) -> None:
    with pytest.raises(ArchiveError) as caught:
        archives.write_archive(tmp_path / "a.tar", [(name, b"") for name in names])
    assert caught.value.code == "ME-ARCHIVE-01"
    assert list(tmp_path.iterdir()) == []


def test_a_source_that_shrinks_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="became shorter"):
        archives._write_member(io.BytesIO(), "a", io.BytesIO(b"123"), 4)


def test_written_archives_are_readable_by_others(tmp_path: Path) -> None:
    plain(tmp_path / "a.tar")
    assert (tmp_path / "a.tar").stat().st_mode & 0o777 == 0o644
