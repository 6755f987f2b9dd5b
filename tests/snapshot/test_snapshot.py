"""Writing, opening and checking snapshots."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from mosaic_env.core import errors
from mosaic_env.core.errors import CorruptError, FormatError, SnapshotError
from mosaic_env.snapshot.locate import find_snapshot
from mosaic_env.snapshot.manifest import Manifest, parse_manifest, read_manifest, render
from mosaic_env.snapshot.objects import ObjectStore, object_path
from mosaic_env.snapshot.opened import PublicSnapshot, Snapshot
from mosaic_env.snapshot.pack import collect_garbage, pack, unpack
from mosaic_env.snapshot.verify import verify
from tests.snapshot import small


@pytest.fixture
def copy(tiny: Path, tmp_path: Path) -> Path:
    target = tmp_path / "copy"
    shutil.copytree(tiny, target)
    return target


def test_what_was_written_is_read(tiny: Path) -> None:
    snapshot = Snapshot(tiny)
    kb = snapshot.public.kb
    assert kb.keys == tuple(f"Q{n}" for n in range(1, 9)) and kb.world == small.WORLD
    assert kb.entity(4) == small.ENTITIES[4]
    assert [(kb.keys[h], r, kb.keys[t]) for h, r, t in kb.triples] == sorted(small.TRIPLES)
    assert {kb.keys[row] for row in kb.pictures} == set(small.PICTURED)
    assert [(e.relation, kb.keys[e.row], e.inverse) for e in kb.edges[2]] == [
        ("P190", "Q6", False),
        ("P190", "Q6", True),
    ]
    assert snapshot.private.gold("tiny/2") == small.TASKS[1][1]
    assert [row.task for row in snapshot.public.tasks.select("tiny", "interlv-l2")] == [small.TASKS[1][0]]
    stored = kb.pictures[0]
    assert snapshot.public.objects.read(stored.picture.digest, stored.size) == small.picture_of("Q1")
    assert verify(tiny) == []


def test_same_input_same_id_in_another_process(tiny: Path, tmp_path: Path) -> None:
    code = (
        "import sys, pathlib; from tests.snapshot.small import build; "
        "print(build(pathlib.Path(sys.argv[1])).id)"
    )
    env = {**os.environ, "PYTHONHASHSEED": "1", "OMP_NUM_THREADS": "1", "LC_ALL": "C", "TZ": "Asia/Tokyo"}
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "b")], env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == read_manifest(tiny).id
    assert (tmp_path / "b" / "manifest.json").read_bytes() == (tiny / "manifest.json").read_bytes()


def test_world_id_ignores_tasks_and_gold(tiny: Path, tmp_path: Path) -> None:
    other = small.build(tmp_path / "other", tasks=small.TASKS[:1])
    here = read_manifest(tiny)
    assert other.id != here.id
    assert other.root(("kb", "objects", "index")) == here.root(("kb", "objects", "index"))


def test_a_public_snapshot_has_no_way_to_gold(tiny: Path) -> None:
    public = Snapshot(tiny).public
    assert isinstance(public, PublicSnapshot)
    assert not public.has("private")
    with pytest.raises(SnapshotError, match="ME-SNAP-03"):
        public.section("private")
    assert not any("private" in name for name in dir(public))


def test_every_flipped_bit_is_found(copy: Path) -> None:
    """Also F01, F14: hash first, load second. The acceptance test samples 2,000 bits of a larger one."""
    files = sorted(path for path in copy.rglob("*") if path.is_file())
    for path in files:
        data = path.read_bytes()
        for position in range(0, len(data), max(1, len(data) // 12)):
            damaged = bytearray(data)
            damaged[position] ^= 1 << (position % 8)
            path.chmod(0o644)
            path.write_bytes(damaged)
            assert verify(copy), f"{path.name} byte {position}"
        path.write_bytes(data)
    assert verify(copy) == []


@pytest.mark.parametrize("keep", [0, 1, 100, -1])
def test_truncated_and_grown_files_are_refused_when_opened(copy: Path, keep: int) -> None:
    section = next((copy / "sections").glob("kb-*"))
    data = section.read_bytes()
    section.write_bytes(data[:keep] if keep >= 0 else data + b"\0")
    with pytest.raises(CorruptError, match="ME-CORRUPT-01"):
        _ = Snapshot(copy).public.kb


def test_an_object_is_checked_when_first_read(copy: Path) -> None:
    digest, size, _ = next(Snapshot(copy).public.object_rows())
    path = copy / object_path(digest)
    data = bytearray(path.read_bytes())
    data[20] ^= 1
    path.write_bytes(data)
    snapshot = Snapshot(copy)  # opening hashes no object
    with pytest.raises(CorruptError, match="ME-CORRUPT-02"):
        snapshot.public.objects.read(digest, size)
    with pytest.raises(CorruptError, match="ME-CORRUPT-01"):
        snapshot.public.objects.read(digest, size + 1)


def test_missing_extra_and_linked_files_are_reported(copy: Path) -> None:
    (copy / "sections" / "surprise.sqlite").write_bytes(b"x")
    (copy / "note.txt").write_text("x")
    digest, _, _ = next(Snapshot(copy).public.object_rows())
    (copy / object_path(digest)).unlink()
    (copy / object_path(digest)).symlink_to("/etc/hostname")
    found = {problem.path: problem.leftover for problem in verify(copy)}
    assert found == {"sections/surprise.sqlite": True, "note.txt": True, object_path(digest): False}


def test_garbage_is_collected_and_nothing_else(copy: Path) -> None:
    (copy / "sections" / ".tmp-1-x").write_bytes(b"x")
    before = Snapshot(copy).id
    assert collect_garbage(copy) == []  # too young: somebody may be about to publish it
    assert collect_garbage(copy, min_age_seconds=0) == ["sections/.tmp-1-x"]
    assert Snapshot(copy).id == before and verify(copy) == []


def test_a_folder_that_cannot_be_written_stays_as_it_is(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (copy / "sections" / ".tmp-1-x").write_bytes(b"x")
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "sections")
    for change in (lambda: collect_garbage(copy, min_age_seconds=0), lambda: small.build(copy)):
        with pytest.raises(SnapshotError, match=r"cannot be written.*ME-SNAP-04"):
            change()
    assert (copy / "sections" / ".tmp-1-x").exists()


def test_manifest_prefixes_and_foreign_bytes_are_refused(copy: Path) -> None:
    data = (copy / "manifest.json").read_bytes()
    for length in range(0, len(data), 97):
        with pytest.raises(SnapshotError):
            parse_manifest(data[:length])
    for changed in (data + b" ", data.replace(b"tiny world", b"tidy world"), data.replace(b"\n", b"\r\n")):
        with pytest.raises(SnapshotError):
            parse_manifest(changed)


def test_a_foreign_format_version_is_one_clear_error(copy: Path) -> None:
    data = (copy / "manifest.json").read_bytes().replace(b"mosaic-snapshot/1", b"mosaic-snapshot/9")
    with pytest.raises(FormatError, match=r"mosaic-snapshot/9.*mosaic-snapshot/1.*ME-FORMAT-01"):
        parse_manifest(data)


@pytest.mark.parametrize(
    "name", ["../kb.sqlite", "/etc/passwd", "sections/..", "con", "a//b", "sections/\\u0000"]
)
def test_names_in_a_manifest_cannot_leave_the_folder(tiny: Path, name: str) -> None:
    manifest = read_manifest(tiny)
    path, entry = next(iter(manifest.files.items()))
    moved = Manifest(**{**manifest.__dict__, "files": {**manifest.files, name: entry}})
    assert path in moved.files
    with pytest.raises(SnapshotError):
        parse_manifest(render(moved))


def test_output_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("important")
    with pytest.raises(SnapshotError, match="ME-SNAP-04"):
        small.build(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_building_again_into_the_same_folder_gives_the_same_snapshot(tmp_path: Path) -> None:
    first = small.build(tmp_path / "s")
    second = small.build(tmp_path / "s", pictured=("Q1",))
    third = small.build(tmp_path / "s")
    assert first.id == third.id != second.id
    left = verify(tmp_path / "s")
    assert left and all(problem.leftover and "older build" in problem.what for problem in left)
    assert pack(tmp_path / "s", tmp_path / "s.mosaic")


def test_objects_are_named_by_content(tmp_path: Path) -> None:
    store = ObjectStore(tmp_path)
    digest = store.put(b"hello")
    assert store.put(b"hello") == digest and list(store) == [digest]
    (tmp_path / object_path(digest)).write_bytes(b"HELLO")  # a torn disk: the right length, other bytes
    assert store.put(b"hello") == digest and store.read(digest) == b"hello"
    for name in ("../x", "sha256:XYZ", "", "sha256:" + "a" * 63):
        with pytest.raises(SnapshotError):
            store.read(name)


def test_pack_and_unpack(tiny: Path, tmp_path: Path) -> None:
    pack(tiny, tmp_path / "a.mosaic")
    pack(tiny, tmp_path / "b.mosaic")
    assert (tmp_path / "a.mosaic").read_bytes() == (tmp_path / "b.mosaic").read_bytes()
    assert unpack(tmp_path / "a.mosaic", tmp_path / "again") == Snapshot(tiny).id
    assert verify(tmp_path / "again") == []
    with pytest.raises(SnapshotError, match="ME-SNAP-04"):
        unpack(tmp_path / "a.mosaic", tmp_path / "again")


def test_a_damaged_pack_leaves_nothing(tiny: Path, tmp_path: Path) -> None:
    pack(tiny, tmp_path / "a.mosaic")
    data = bytearray((tmp_path / "a.mosaic").read_bytes())
    for number, position in enumerate(range(600, len(data), len(data) // 9)):
        damaged = bytearray(data)
        damaged[position] ^= 64
        (tmp_path / "bad.mosaic").write_bytes(damaged)
        target = tmp_path / f"out{number}"
        try:
            unpack(tmp_path / "bad.mosaic", target)
        except errors.MosaicError:
            assert not target.exists()
        else:
            assert verify(target) == []  # the bit was in padding
    assert not list(tmp_path.glob(".tmp-*"))


def test_finding_a_snapshot(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_snapshot(tiny) == find_snapshot(tiny / "manifest.json") == tiny
    monkeypatch.setenv("MOSAIC_SNAPSHOT_DIR", str(tiny))
    assert find_snapshot() == tiny
    monkeypatch.setenv("MOSAIC_SNAPSHOT_DIR", str(tiny.parent))
    assert find_snapshot(tiny.name) == tiny
    with pytest.raises(SnapshotError, match="ME-SNAP-01"):
        find_snapshot(tmp_path)
    with pytest.raises(SnapshotError, match="Nearest: snapshot"):
        find_snapshot("snapsho")


def test_a_section_that_is_another_database_is_found(copy: Path) -> None:
    path = next((copy / "sections").glob("kb-*"))
    path.unlink()
    sqlite3.connect(path).close()
    assert any(problem.path == f"sections/{path.name}" for problem in verify(copy))
