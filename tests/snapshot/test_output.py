"""Where a snapshot may be written: never over, into or around what somebody else keeps."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mosaic_env.cli import main
from mosaic_env.core.errors import SnapshotError
from mosaic_env.snapshot import writer as writing_module
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.snapshot.output import check_output
from mosaic_env.snapshot.pack import collect_garbage, pack, unpack
from mosaic_env.snapshot.verify import verify
from tests.snapshot import small


@pytest.fixture
def copy(tiny: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny, tmp_path / "copy"))


@pytest.mark.parametrize("inside", ["inner", "objects/inner", "sections/a/b"])
def test_nothing_is_written_inside_a_snapshot(copy: Path, tmp_path: Path, inside: str) -> None:
    pack(copy, tmp_path / "s.mosaic")
    link = tmp_path / "link"
    link.symlink_to(copy)
    for out in (copy / inside, link / inside):
        for write in (small.build, lambda out: unpack(tmp_path / "s.mosaic", out)):
            with pytest.raises(SnapshotError, match=r"inside the snapshot.*ME-SNAP-07"):
                write(out)
    assert verify(copy) == []


def test_files_are_not_written_inside_a_snapshot(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (copy / "manifest.json").read_bytes()
    for words in (["world", "gallery", str(copy), "--out"], ["snapshot", "pack", str(copy)]):
        assert main([*words, str(copy / "manifest.json")]) == 2
        assert "ME-SNAP-07" in capsys.readouterr().err
    assert (copy / "manifest.json").read_bytes() == before


def test_garbage_is_what_builds_leave(copy: Path) -> None:
    shutil.copytree(copy, copy / "inner")
    (copy / "notes.txt").write_text("mine")
    (copy / "index" / "text-000000000000.safetensors").write_bytes(b"left over")
    assert collect_garbage(copy, min_age_seconds=0) == ["index/text-000000000000.safetensors"]
    assert verify(copy / "inner") == [] and (copy / "notes.txt").read_text() == "mine"


def _foreign_manifest(out: Path) -> None:
    out.mkdir()
    (out / "manifest.json").write_text('{"name": "my web app", "icons": []}')


def _foreign_objects(out: Path) -> None:
    (out / "objects").mkdir(parents=True)
    (out / "objects" / "teapot.obj").write_text("v 1 2 3")


def _dangling(out: Path) -> None:
    out.symlink_to(out.parent / "nowhere")


def _loop(out: Path) -> None:
    out.symlink_to(out)


def _file_within(out: Path) -> None:
    out.mkdir()
    (out / "index").write_text("a file")


def _link_within(out: Path) -> None:
    out.mkdir()
    (out.parent / "elsewhere").mkdir()
    (out / "objects").symlink_to(out.parent / "elsewhere")


@pytest.mark.parametrize(
    "make", [_foreign_manifest, _foreign_objects, _dangling, _loop, _file_within, _link_within]
)
def test_what_only_looks_like_a_snapshot_is_left_alone(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "out")
    before = sorted((path, path.is_symlink() or path.stat().st_mtime_ns) for path in tmp_path.rglob("*"))
    with pytest.raises(SnapshotError, match="ME-SNAP-04"):
        small.build(tmp_path / "out")
    assert before == sorted(
        (path, path.is_symlink() or path.stat().st_mtime_ns) for path in tmp_path.rglob("*")
    )


def test_remains_of_builds_are_built_upon(copy: Path) -> None:
    (copy / "manifest.json").unlink()
    (copy / "sections" / ".tmp-1-x").write_bytes(b"x")
    check_output(copy)
    for cut in (0, 20, 900):
        (copy / "manifest.json").write_bytes(b'{\n "check": "sha256:' + b"0" * 2000)
        os.truncate(copy / "manifest.json", cut)
        check_output(copy)
        assert small.build(copy).id == Snapshot(copy).id


def test_another_world_is_replaced_only_when_asked(
    copy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "kb.jsonl").write_text('{"qid": "Q64", "text": "label: Berlin ; description: city"}\n')
    build = ["snapshot", "build", "--kgdb", str(tmp_path / "kb.jsonl"), "--out", str(copy)]
    make = ["world", "make", "--entities", "60", "--out", str(copy)]
    before = Snapshot(copy).id
    for words in (build, make):
        assert main(words) == 2
        error = capsys.readouterr().err
        assert all(said in error for said in ("tiny", "--replace", "ME-SNAP-07"))
        assert Snapshot(copy).id == before
    assert main([*build, "--world", "tiny"]) == 0, "the same world is replaced anyway"
    assert main([*build, "--replace"]) == 0 and Snapshot(copy).manifest.world == "mmkg-w"
    os.truncate(copy / "manifest.json", 300)
    assert main(build) == 2 and "a damaged snapshot" in capsys.readouterr().err
    assert main([*build, "--replace"]) == 0 and Snapshot(copy).manifest.world == "mmkg-w"


class _Full:
    """Lets so many writes succeed, and says then that the disk is full."""

    def __init__(self, patch: pytest.MonkeyPatch, left: int) -> None:
        self._left = left
        for place, name in ((Path, "write_bytes"), (writing_module, "write_tables"), (os, "fsync")):
            patch.setattr(place, name, self._counted(getattr(place, name)))

    def _counted(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any) -> Any:
            if self._left <= 0:
                raise OSError(errno.ENOSPC, "No space left on device")
            self._left -= 1
            return real(*given)

        return call


def test_a_full_disk_at_any_write_keeps_the_old_snapshot(copy: Path, tmp_path: Path) -> None:
    new, seen = small.build(tmp_path / "new", pictured=("Q1",)).id, [Snapshot(copy).id]
    while True:
        with pytest.MonkeyPatch.context() as patch:
            _Full(patch, len(seen) - 1)
            try:
                small.build(copy, pictured=("Q1",))
                break
            except SnapshotError as error:
                assert (
                    error.code == "ME-SNAP-08" and "No space left" in str(error) and str(copy) in str(error)
                )
        assert not list(copy.rglob(".tmp-*"))
        assert [problem for problem in verify(copy) if not problem.leftover] == []
        seen.append(Snapshot(copy).id)
    # Only the flush of the folder comes after the manifest was put in its place.
    assert len(seen) > 10 and set(seen[:-1]) == {seen[0]} and seen[-1] == new == Snapshot(copy).id


def test_sqlite_says_a_full_disk_as_everybody_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = sqlite3.connect

    def small_disk(*given: Any, **named: Any) -> sqlite3.Connection:
        connection = real(*given, **named)
        connection.execute("PRAGMA max_page_count = 3")  # SQLite's own SQLITE_FULL
        return connection

    monkeypatch.setattr("mosaic_env.snapshot.tables.sqlite3.connect", small_disk)
    with pytest.raises(SnapshotError, match=r"No space left.*no half of a snapshot.*ME-SNAP-08"):
        small.build(tmp_path / "s")
    assert not (tmp_path / "s" / "manifest.json").exists() and not list(tmp_path.rglob(".tmp-*"))


def test_what_a_killed_build_tried_is_garbage(copy: Path) -> None:
    """``world make --filtered`` makes its candidates so, within the folder that it is asked for."""
    before = Snapshot(copy).id
    small.build(copy / ".tmp-1-x" / "candidates")
    assert [problem for problem in verify(copy) if not problem.leftover] == []
    small.build(copy)
    assert collect_garbage(copy) == [] and collect_garbage(copy, min_age_seconds=0)
    assert verify(copy) == [] and Snapshot(copy).id == before
