"""Content that is wrong although every file has the digest the manifest gives: refused, never a traceback."""

from __future__ import annotations

import os
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mosaic_env.core.errors import CorruptError, SnapshotError
from mosaic_env.core.types import Search
from mosaic_env.index.world import World, open_world
from mosaic_env.snapshot.locate import find_snapshot
from mosaic_env.snapshot.objects import object_path
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.snapshot.pack import collect_garbage, pack
from mosaic_env.snapshot.verify import verify
from tests.snapshot import resigned, small
from tests.snapshot.resigned import Edit, array, content, index_bytes, manifest, sql

ENDLESS = (
    "CREATE VIEW entities AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
    "SELECT x AS key, x AS label, x AS description, x AS text FROM c"
)


@pytest.fixture
def copy(tiny: Path, tmp_path: Path) -> Path:
    target = tmp_path / "copy"
    shutil.copytree(tiny, target)
    return target


def everything(folder: Path) -> None:
    """Open a snapshot, read all of it and search it."""
    snapshot = Snapshot(folder)
    world = World(snapshot.public)
    _ = world.kb.triples, snapshot.public.tasks, list(snapshot.public.object_rows())
    snapshot.private.golds()
    snapshot.private.scenes()
    picture = next(iter(world.kb.pictures.values())).picture
    world.search([Search("text", "port city", 3), Search("image", picture, 3)])


def section(name: str, **changes: Any) -> Callable[[resigned.Manifest], None]:
    return lambda plain: plain["sections"][name].update(changes)


REFUSED: dict[str, Edit] = {
    "kb files": manifest(section("kb", files=[])),
    "objects files": manifest(section("objects", files=[])),
    "index detail": manifest(section("index", detail={})),
    "index file number": manifest(lambda m: m["sections"]["index"]["detail"].update(files={"text": 5})),
    "index file name": manifest(lambda m: m["sections"]["index"]["detail"].update(files={"text": "../x"})),
    "index routes": manifest(lambda m: m["sections"]["index"]["detail"].update(routes={})),
    "index kind": manifest(lambda m: m["sections"]["index"]["detail"]["routes"]["text"].update(kind="no")),
    "counts": manifest(section("tasks", counts={"x": "y"})),
    "counts of no level": manifest(section("tasks", counts={"x": 1})),
    "report": manifest(lambda m: m.update(report={"counts": 5})),
    "digest": manifest(section("kb", digest="sha256:1")),
    "objects garbage": content("objects", b"garbage\n"),
    "objects not ASCII": content("objects", b"\xff\xfe\n"),
    "objects bad digest": content("objects", b"sha256:zz\t5\tx\n"),
    "objects bad size": content("objects", b"sha256:" + b"0" * 64 + b"\t-5\tx\n"),
    "table": sql("kb", "CREATE TABLE extra (x)"),
    "trigger": sql("kb", "CREATE TRIGGER t AFTER INSERT ON entities BEGIN DELETE FROM entities; END"),
    "endless view": sql("kb", "ALTER TABLE entities RENAME TO e2", ENDLESS),
    "no table": sql("kb", "DROP TABLE triples"),
    "other table": sql("private", "ALTER TABLE gold ADD COLUMN x TEXT"),
    "blob": sql("kb", "UPDATE entities SET label = x'ff00' WHERE key = 'Q3'"),
    "no UTF-8": sql("kb", "UPDATE entities SET label = CAST(x'ff80' AS TEXT) WHERE key = 'Q3'"),
    "triple": sql("kb", "UPDATE triples SET tail = 'NOPE' WHERE head = 'Q1'"),
    "picture's entity": sql("kb", "UPDATE pictures SET entity = 'NOPE' WHERE entity = 'Q1'"),
    "picture's width": sql("kb", "UPDATE pictures SET width = 0"),
    "aliases": sql("kb", "UPDATE relations SET aliases = '{'"),
    "aliases no list": sql("kb", """UPDATE relations SET aliases = '"ab"'"""),
    "tags": sql("tasks", "UPDATE tasks SET tags = '{'"),
    "tags of numbers": sql("tasks", "UPDATE tasks SET tags = '[5]'"),
    "deep tags": sql("tasks", f"UPDATE tasks SET tags = '{'[' * 100_000}'"),
    "task's picture": sql("tasks", "UPDATE tasks SET pictures = '[{}]'"),
    "gold list": sql("private", "UPDATE gold SET gold = '[]'"),
    "gold kind": sql("private", """UPDATE gold SET gold = replace(gold, '"kind":', '"kindx":')"""),
    "gold of another": sql("private", """UPDATE gold SET gold = replace(gold, '"tiny/1"', '"tiny/2"')"""),
    "scene": sql("private", "INSERT INTO scenes VALUES ('sha256:1', '{')"),
    "text header": index_bytes("text", lambda data: struct.pack("<Q", 2**60) + data[8:]),
    "text empty": index_bytes("text", lambda data: b""),
    "text truncated": index_bytes("text", lambda data: data[:-9]),
    "image floats": array("image", "vectors", lambda v: v.astype(np.float32)),
    "image -128": array("image", "vectors", lambda v: np.full_like(v, -128)),
    "image rows": array("image", "rows", lambda v: v + 10**6),
    "image truncated": array("image", "vectors", lambda v: v[:-64]),
    "image narrow": array("image", "vectors", lambda v: v[:, :7]),
    "impacts NaN": array("text", "words.impacts", lambda v: np.full(v.shape, np.nan)),
    "impacts negative": array("text", "words.impacts", lambda v: v.astype(np.int8) * 0 - 1),
    "impacts zero": array("text", "words.impacts", lambda v: v * 0),
    "rows out of range": array("text", "words.rows", lambda v: v + 10**6),
    "rows descending": array("text", "words.rows", lambda v: v * 0),
    "offsets": array("text", "words.offsets", lambda v: v[::-1]),
    "offsets short": array("text", "facts.offsets", lambda v: v[:-1]),
    "slots": array("text", "ngrams.names.slots", lambda v: v + 500),
    "vocabulary": array("text", "words.vocabulary", lambda v: v * 0 + 255),
    "n-gram vectors": array("text", "ngrams.vectors", lambda v: v[:-1]),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_wrong_content_is_refused_when_read_and_found_by_verify(copy: Path, name: str) -> None:
    REFUSED[name](copy)
    problems = [problem for problem in verify(copy) if not problem.leftover]
    assert problems
    with pytest.raises(SnapshotError) as caught:
        everything(copy)
    for text in (str(caught.value), *(problem.what for problem in problems)):
        assert str(copy) not in text and "crimson" not in text


def without(name: str) -> Edit:
    def edit(plain: resigned.Manifest) -> None:
        for path in plain["sections"].pop(name)["files"]:
            del plain["files"][path]

    return manifest(edit)


INCOHERENT: dict[str, tuple[Edit, str]] = {
    **{f"no {name}": (without(name), name) for name in ("kb", "objects", "index", "private", "tasks")},
    "gold missing": (sql("private", "DELETE FROM gold WHERE key = 'tiny/1'"), "no gold for the task 'tiny/1'"),
    "task missing": (sql("tasks", "DELETE FROM tasks WHERE key = 'tiny/1'"), "'tiny/1', which is not a task"),
    "picture not listed": (sql("kb", f"UPDATE pictures SET digest = 'sha256:{'0' * 64}'"), "not listed"),
    "another label": (sql("kb", "UPDATE entities SET label = 'Silver Asp' WHERE key = 'Q1'"), "another knowledge"),
    "another fact": (sql("kb", "DELETE FROM triples WHERE head = 'Q1'"), "another knowledge base"),
    "pictures swapped": (array("image", "vectors", lambda v: v[::-1]), "from other pictures"),
    "another world": (manifest(lambda m: m.update(world="other")), "another world"),
}  # fmt: skip


@pytest.mark.parametrize("name", INCOHERENT)
def test_sections_that_do_not_fit_each_other_are_found(copy: Path, name: str) -> None:
    edit, what = INCOHERENT[name]
    edit(copy)
    if not name.startswith("no "):
        _declare_digests(copy)
    assert any(what in problem.what for problem in verify(copy) if not problem.leftover)


def _declare_digests(folder: Path) -> None:
    """Sign the sections' own digests as well, as somebody who knows the format would."""
    from mosaic_env.snapshot.schema import SECTION_TABLES
    from mosaic_env.snapshot.tables import tables_digest
    from mosaic_env.snapshot.writer import index_digest

    def edit(plain: resigned.Manifest) -> None:
        for name in ("kb", "tasks", "private"):
            path = folder / plain["sections"][name]["files"][0]
            plain["sections"][name]["digest"] = tables_digest(path, SECTION_TABLES[name])
        entry, files = plain["sections"]["index"], plain["files"]
        rows = [
            (role, files[path]["size"], files[path]["sha256"])
            for role, path in entry["detail"]["files"].items()
        ]
        entry["digest"] = index_digest(rows, {"routes": entry["detail"]["routes"]})

    resigned.sign(folder, edit)


def test_an_index_of_another_world_is_found(copy: Path, tmp_path: Path) -> None:
    other = small.build(tmp_path / "other", pictured=("Q1", "Q3", "Q5", "Q8"))
    shutil.copytree(tmp_path / "other" / "index", copy / "index", dirs_exist_ok=True)

    def swap(plain: resigned.Manifest) -> None:
        entry = other.sections["index"]
        for path in plain["sections"]["index"]["files"]:
            del plain["files"][path]
        plain["files"].update({p: vars(other.files[p]) for p in entry.files})
        plain["sections"]["index"] = {**vars(entry), "files": list(entry.files)}

    resigned.sign(copy, swap)
    assert any("'image'" in problem.what for problem in verify(copy))


def test_gold_that_is_missing_is_one_clear_error(copy: Path) -> None:
    sql("private", "DELETE FROM gold WHERE key = 'tiny/1'")(copy)
    golds = Snapshot(copy).private.golds()
    for ask in (golds.__getitem__, Snapshot(copy).private.gold):
        with pytest.raises(LookupError, match="no gold for the task 'tiny/1'"):
            ask("tiny/1")


def test_a_path_is_kept_when_the_working_folder_changes(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(copy.parent)
    snapshots = [Snapshot("copy"), Snapshot(find_snapshot("copy"))]
    os.chdir("/")
    for snapshot in snapshots:
        assert len(snapshot.public.kb) == 8 and len(snapshot.private.golds()) == 2
        digest, size, _ = next(snapshot.public.object_rows())
        assert len(snapshot.public.objects.read(digest, size)) == size


@pytest.mark.parametrize(
    ("link", "target"), [("objects/zz", "/etc"), ("note", "/etc"), ("sections/x", "gone")]
)
def test_every_link_is_reported_and_collected(copy: Path, link: str, target: str) -> None:
    (copy / link).symlink_to(target)
    problems = verify(copy)
    assert [(p.path, p.leftover) for p in problems] == [(link, False)]
    assert collect_garbage(copy, min_age_seconds=0) == [link] and verify(copy) == []


@pytest.mark.parametrize("name", ["sections", "objects", "index"])
def test_a_folder_that_is_a_link_is_reported(copy: Path, name: str) -> None:
    (copy / name).rename(copy.parent / "outside")
    (copy / name).symlink_to(copy.parent / "outside")
    assert (name, False) in {(problem.path, problem.leftover) for problem in verify(copy)}
    if name != "objects":
        with pytest.raises(SnapshotError, match="leads out"):
            everything(copy)


@pytest.mark.parametrize("target", ["/dev/full", "/", ".", "link", "pipe", "absent/a.mosaic"])
def test_a_pack_replaces_regular_files_only(tiny: Path, tmp_path: Path, target: str) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "a.mosaic")
    os.mkfifo(tmp_path / "pipe")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(SnapshotError, match="ME-SNAP-05"):
        pack(tiny, tmp_path / target)
    assert sorted(tmp_path.iterdir()) == before


def test_an_object_never_replaces_a_folder(copy: Path) -> None:
    snapshot = Snapshot(copy)
    digest, size, _ = next(snapshot.public.object_rows())
    data = snapshot.public.objects.read(digest, size)
    path = copy / object_path(digest)
    path.unlink()
    path.mkdir()
    with pytest.raises(SnapshotError, match="ME-SNAP-05"):
        snapshot.public.objects.put(data)


def test_files_replaced_in_one_folder_make_another_world(copy: Path) -> None:
    first = open_world(Snapshot(copy).public)
    assert open_world(Snapshot(copy).public) is first
    sql("kb", "UPDATE entities SET text = 'forged'")(copy)
    second = open_world(Snapshot(copy).public)
    assert second is not first and second.id == first.id  # the id is what the manifest declares …
    assert second.kb.texts[0] == "forged"
    assert any("has the digest" in problem.what for problem in verify(copy))  # … and verify compares


def test_errors_name_files_below_the_snapshot(copy: Path) -> None:
    for path in (
        *(copy / "sections").iterdir(),
        copy / object_path(next(Snapshot(copy).public.object_rows())[0]),
    ):
        data = path.read_bytes()
        path.unlink()
        with pytest.raises(CorruptError) as caught:
            everything(copy)
            for digest, size, _ in Snapshot(copy).public.object_rows():
                Snapshot(copy).public.objects.read(digest, size)
        assert path.relative_to(copy).as_posix()[:30] in str(caught.value)
        assert str(copy) not in str(caught.value)
        path.write_bytes(data)
