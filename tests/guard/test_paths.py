"""Names and files: what may be named, and that only regular files are read."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mosaic_env.core.errors import CorruptError, SnapshotError
from mosaic_env.guard import paths

GOOD = [
    "a", "0", "manifest.json", "sections/kb.sqlite", "objects/ab/cdef0123", "a-b_c.d", "a/b/c/d/e/f/g/h",
    "x" * 200, "console", "com", "com10", "lpt", "nulls.txt", "auxiliary/con-1", "a..b", "-a", "_",
]  # fmt: skip

BAD = [
    "",
    ".",
    "..",
    "/",
    "//",
    "a/",
    "/a",
    "/etc/passwd",
    "a//b",
    "./a",
    "a/./b",
    "../a",
    "a/../b",
    "a/..",
    "a/.",
    ".hidden",
    "a/.hidden",
    "a.",
    "a./b",
    "a/b.",
    "...",
    "a\\b",
    "\\a",
    "..\\a",
    "c:",
    "c:/a",
    "c:a",
    "\\\\host\\a",
    "a\0b",
    "a\0",
    "a\n",
    "\na",
    "a\tb",
    "a\rb",
    " a",
    "a ",
    "a b",
    "A",
    "Manifest.json",
    "caf\u00e9",
    "cafe\u0301",
    "\u212a",
    "\uff0e\uff0e/a",
    "a\u202eb",
    "a\u200b",
    "\u0131",
    "\ud800",
    "\u2024\u2024/a",
    "a*",
    "a?",
    "a|b",
    "<a>",
    "~",
    "~root/a",
    "$home",
    "%2e%2e/a",
    "a%00",
    "file:a",
    "con",
    "nul",
    "aux.txt",
    "prn",
    "com1",
    "lpt9.tar.gz",
    "a/con",
    "a/nul.b/c",
    "com0",
    "a" * 201,
    "a/b/c/d/e/f/g/h/i",
    "\u0660",
]


@pytest.mark.parametrize("name", GOOD)
def test_good_names(name: str) -> None:
    assert paths.check_name(name) == name


@pytest.mark.parametrize("name", BAD, ids=[ascii(name)[:40] for name in BAD])
def test_bad_names(name: str, tmp_path: Path) -> None:
    with pytest.raises(SnapshotError) as caught:
        paths.check_name(name)
    assert caught.value.code == "ME-SNAP-06"
    with pytest.raises(SnapshotError):
        paths.inside(tmp_path, name)


def test_there_are_at_least_60_bad_names() -> None:
    assert len(set(BAD)) >= 60


def test_names_are_text() -> None:
    with pytest.raises(SnapshotError, match="is a bytes, not text"):
        paths.check_name(b"a")  # type: ignore[arg-type]


@given(st.one_of(st.text(max_size=30), st.text("abc019._-/\n", max_size=40)))
@settings(max_examples=400, deadline=None, derandomize=True)
def test_an_accepted_name_is_safe_everywhere(name: str) -> None:
    try:
        paths.check_name(name)
    except SnapshotError:
        return
    assert re.fullmatch(r"[a-z0-9_-][a-z0-9._-]*(/[a-z0-9_-][a-z0-9._-]*){0,7}", name)
    assert unicodedata.normalize("NFC", name).casefold() == name
    assert os.path.normpath(f"/root/{name}") == f"/root/{name}"
    assert not any(part.endswith(".") for part in name.split("/"))


def test_names_against_each_other() -> None:
    assert paths.check_names(["b", "a/b", "a/c"]) == ("b", "a/b", "a/c")
    for names, why in ((["a", "b", "a"], "twice"), (["a/b/c", "a/b"], "folder"), (["a", "A"], "not allowed")):
        with pytest.raises(SnapshotError, match=why):
            paths.check_names(names)


def test_inside_gives_the_path_below_the_root(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    assert paths.inside(tmp_path, "a/b.c") == tmp_path.resolve() / "a" / "b.c"
    assert paths.inside(str(tmp_path), "a") == tmp_path.resolve() / "a"


def test_inside_refuses_links_that_lead_out(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "out").symlink_to(tmp_path)
    (root / "file").symlink_to("/etc/passwd")
    (root / "loop").symlink_to(root)
    for name in ("out/secret", "out", "file"):
        with pytest.raises(SnapshotError, match="leads out"):
            paths.inside(root, name)
    assert paths.inside(root, "loop/a") == root.resolve() / "loop" / "a"
    (tmp_path / "alias").symlink_to(root)
    assert paths.inside(tmp_path / "alias", "a") == root.resolve() / "a"


def test_read_regular_checks_the_length_first(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"12345")
    assert paths.read_regular(file) == b"12345"
    assert paths.read_regular(str(file), size=5, limit=5) == b"12345"
    for options, why in (
        ({"size": 4}, "has 5 bytes"),
        ({"size": 6}, "has 5 bytes"),
        ({"limit": 4}, "at most 4"),
    ):
        with pytest.raises(CorruptError, match=why) as caught:
            paths.read_regular(file, **options)
        assert caught.value.code == "ME-CORRUPT-01"


def test_a_file_larger_than_the_limit_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "huge"
    with file.open("wb") as target:
        target.truncate(2**40)
    with pytest.raises(CorruptError, match="1099511627776 bytes"):
        paths.read_regular(file)


def test_empty_files_and_hard_links_are_regular(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"")
    os.link(file, tmp_path / "second")
    assert paths.read_regular(tmp_path / "second", size=0) == b""


def make(kind: str, path: Path) -> None:
    target = path.parent / "target"
    target.write_bytes(b"data")
    if kind == "link":
        path.symlink_to(target)
    elif kind == "dangling":
        path.symlink_to(path.parent / "nothing")
    elif kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(path))


@pytest.mark.parametrize("kind", ["link", "dangling", "folder", "pipe", "socket", "missing"])
def test_only_regular_files_are_read(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    make(kind, path)
    with pytest.raises(CorruptError) as caught:
        paths.read_regular(path)
    assert caught.value.code == "ME-CORRUPT-01"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no /dev/zero")
def test_devices_are_not_read() -> None:
    with pytest.raises(CorruptError, match="is a device"):
        paths.read_regular("/dev/zero")


def test_a_name_with_nul_is_a_clear_error() -> None:
    with pytest.raises(CorruptError, match="cannot be opened"):
        paths.read_regular("a\0b")


def test_a_pipe_put_in_place_after_the_check_does_not_hang(tmp_path: Path) -> None:
    script = """
import os, sys
from mosaic_env.core.errors import CorruptError
from mosaic_env.guard import paths
path = sys.argv[1]
real = os.lstat
def swap(name, **options):
    found = real(name, **options)
    os.unlink(path); os.mkfifo(path)
    return found
os.lstat = swap
try:
    paths.read_regular(path)
except CorruptError as error:
    print(error.what)
"""
    file = tmp_path / "file"
    file.write_bytes(b"data")
    done = subprocess.run(
        [sys.executable, "-c", script, str(file)], capture_output=True, text=True, check=True, timeout=20
    )
    assert "was replaced while it was opened" in done.stdout


def test_another_file_put_in_place_after_the_check_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"data")
    (tmp_path / "other").write_bytes(b"evil")
    real = os.lstat

    def swap(path: Path) -> os.stat_result:
        found = real(path)
        (tmp_path / "other").replace(path)
        return found

    monkeypatch.setattr(os, "lstat", swap)
    with pytest.raises(CorruptError, match="was replaced"):
        paths.read_regular(tmp_path / "file")


def test_a_file_that_grows_while_it_is_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"data")
    real = paths.open_regular

    def grow(path: Path, *, size: int | None = None, name: str = "") -> object:
        opened = real(path, size=size, name=name)
        file.write_bytes(b"data and more")
        return opened

    monkeypatch.setattr(paths, "open_regular", grow)
    with pytest.raises(CorruptError, match="changed from 4 bytes"):
        paths.read_regular(file)


def test_errors_show_a_name_and_never_the_whole_path(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"data")
    for name, size in (("gone", None), ("file", 3), (".", None)):
        for shown in ("", "sections/kb"):
            with pytest.raises(CorruptError) as caught:
                paths.read_regular(tmp_path / name, size=size, name=shown)
            assert str(tmp_path.parent) not in str(caught.value)
            assert (shown or (tmp_path / name).name) in str(caught.value)


def test_only_regular_files_and_free_names_are_replaceable(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"data")
    (tmp_path / "link").symlink_to("file")
    os.mkfifo(tmp_path / "pipe")
    for name in ("file", "new"):
        paths.check_replaceable(tmp_path / name)
    for path, why in (
        (tmp_path / "link", "is a link"), (tmp_path / "pipe", "is a pipe"), (tmp_path, "is a folder"),
        (Path("/dev/full"), "is a device"), (Path("/"), "is a folder"), (tmp_path / "no" / "a", "no folder"),
        (tmp_path / "file" / "a", "cannot be written"),
    ):  # fmt: skip
        with pytest.raises(SnapshotError, match=why):
            paths.check_replaceable(path)
