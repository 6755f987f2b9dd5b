"""Readers of outside files: every anomaly of the real files by a small invented row, and what is counted."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mosaic_env.core.errors import DataError
from mosaic_env.guard.images import decode_rgb
from mosaic_env.record.importers import (
    Report,
    _entity,
    read_kgdb,
    read_pictures,
    read_relations,
    read_triples,
)
from mosaic_env.snapshot.kb import Entity
from tests.guard import corpus
from tests.snapshot.small import picture_of

KEYS = [f"Q{number}" for number in range(1, 6)]


def text(label: str, what: str, description: str | None = None) -> str:
    """Return the text of a row in the released form."""
    return (
        f"label: {label} ; what is it: {what} ; description: {what if description is None else description}"
    )


def read_rows(folder: Path, *rows: Any) -> tuple[list[Entity], dict[str, str], Report]:
    """Write rows as JSON lines and read them."""
    path = folder / "kb.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    report = Report()
    return *read_kgdb(path, report), report


# --- the knowledge base -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "label", "description", "extra", "noted"),
    [
        (text("Gold Cobra", "an album"), "Gold Cobra", "an album", "", ()),
        (text("", "an album"), "", "an album", "", ()),
        (text("Nothing", ""), "Nothing", "", "", ("empty description",)),
        (text("Q1", "a thing"), "", "a thing", "", ("label is the key",)),
        (text("Q2", "a thing"), "Q2", "a thing", "", ()),
        (text("Love ; Hate", "an album"), "Love ; Hate", "an album", "", ("separator inside a field",)),
        (text("Canal;", "a song"), "Canal;", "a song", "", ("separator inside a field",)),
        (text("One", "a ; b ; c"), "One", "a ; b ; c", "", ("separator inside a field",)),
        (
            text("A ; what is it: B", "a film"), "A ; what is it: B", "a film", "",
            ("separator inside a field",),
        ),
        (
            text("A", "x ; description: y"), "A", "x ; description: y", "", ("separator inside a field",),
        ),
        (text("Two\nlines", "a\nb"), "Two\nlines", "a\nb", "", ()),
        (text("漢字 – ñ", "émigré"), "漢字 – ñ", "émigré", "", ()),
        (
            text("Both", "a film", "a drama of 1987"), "Both", "a drama of 1987", "a film. a drama of 1987",
            ("text with two different descriptions",),
        ),
        ("only words", "only words", "", "", ("text without fields", "empty description")),
        ("", "", "", "", ("text without fields", "empty description")),
        (text("Half \ud800", "a thing"), "Half ?", "a thing", "", ("text with lone surrogates",)),
        (text("  Wide ", " a thing "), "Wide", "a thing", "", ()),
    ],
)  # fmt: skip
def test_texts(
    tmp_path: Path, given: str, label: str, description: str, extra: str, noted: tuple[str, ...]
) -> None:
    (entity,), paths, report = read_rows(tmp_path, {"qid": "Q1", "text": given})
    assert entity == Entity("Q1", label, description, extra) and paths == {}
    counts = {"entities": 1, "entities with a picture path": 0, **dict.fromkeys(noted, 1)}
    assert report.as_dict()["counts"] == counts
    assert report.as_dict()["examples"] == {name: ["'Q1'"] for name in sorted(noted)}


def test_keys_and_picture_paths(tmp_path: Path) -> None:
    entities, paths, report = read_rows(
        tmp_path,
        {"qid": "Q10", "id": "Q7", "text": text("Ten", "x"), "local_image_path": "d/1.jpg", "image_path": "d/Q10.png"},
        {"id": "Q2", "text": text("Two", "x"), "local_image_path": "d/Q2.jpg"},
        {"qid": "Q1", "text": text("One", "x"), "local_image_path": None},
        {"qid": "Q3", "image_path": 5},
    )  # fmt: skip
    assert [entity.key for entity in entities] == ["Q1", "Q10", "Q2", "Q3"]  # by code point, as in the files
    assert paths == {"Q10": "d/Q10.png", "Q2": "d/Q2.jpg"}
    assert report.counts["entities"] == 4 and report.counts["entities with a picture path"] == 2


def test_plain_and_gzip_read_the_same(tmp_path: Path) -> None:
    rows = [{"qid": key, "text": text(key.lower(), "x")} for key in KEYS]
    plain = read_rows(tmp_path, *rows)
    packed = tmp_path / "kb.jsonl.gz"
    packed.write_bytes(gzip.compress(b"\n".join(json.dumps(row).encode() for row in rows) + b"\n\n \n"))
    report = Report()
    assert (*read_kgdb(packed, report), report) == plain


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"text": "x"}', "no qid"),
        ('{"qid": "", "text": "x"}', "no qid"),
        ('{"qid": 5, "text": "x"}', "no qid"),
        ('{"qid": null, "id": "Q1", "text": "x"}', "no qid"),
        ('{"qid": "Q\\ud800", "text": "x"}', "no qid"),
        ('{"qid": "Q1", "text": ["x"]}', "its text is not text"),
        ('["Q1"]', "not an object"),
        ('{"qid": "Q1"', "not JSON"),
        ('{"qid": "Q1", "score": NaN}', "NaN"),
        ('{"qid": "Q9", "text": "x"}', "stands twice"),
        ("[" * 200, "nested too deeply"),
    ],
)
def test_rows_that_are_refused_name_their_line(tmp_path: Path, line: str, says: str) -> None:
    path = tmp_path / "kb.jsonl"
    path.write_text('{"qid": "Q9", "text": "x"}\n\n' + line + "\n")
    with pytest.raises(DataError, match=says) as caught:
        read_kgdb(path, Report())
    assert caught.value.code == "ME-DATA-02" and "line 3 of kb.jsonl" in str(caught.value).lower()


@pytest.mark.parametrize(
    ("name", "content"), [("kb.jsonl", b""), ("kb.jsonl", b"\n \n"), ("kb.gz", gzip.compress(b"", mtime=0))]
)
def test_files_without_a_row(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match="ME-DATA-04"):
        read_kgdb(tmp_path / name, Report())


def test_texts_full_of_separators_take_no_time(tmp_path: Path) -> None:
    begin = time.process_time()
    read_rows(tmp_path, {"qid": "Q1", "text": "label: " + " ; what is it: x ; description: y" * 500})
    assert time.process_time() - begin < 2.0


def test_reports_keep_few_and_short_examples() -> None:
    report = Report()
    for number in range(20):
        report.note("odd", "x" * 500 + str(number))
    plain = report.as_dict()
    assert plain["counts"] == {"odd": 20} and len(plain["examples"]["odd"]) == 5
    assert all(len(example) <= 160 for example in plain["examples"]["odd"])
    report.note("without an example")
    assert "without an example" not in report.as_dict()["examples"]


# --- triples ----------------------------------------------------------------------------------------------------

URI = "http://www.wikidata.org/entity/"


def triples_of(folder: Path, **files: bytes | str) -> tuple[list[tuple[str, str, str]], dict[str, Any]]:
    """Write files (``a_txt`` is ``a.txt``) and read the folder."""
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        data = content.encode() if isinstance(content, str) else content
        (folder / name.replace("_", ".")).write_bytes(data)
    report = Report()
    return read_triples(folder, KEYS, report), report.as_dict()


@pytest.mark.parametrize(
    "line",
    [
        "Q1 P57 Q2",
        "Q1\tP57\tQ2",
        "  Q1   P57 \t Q2  ",
        "Q1 P57 Q2\r",
        "Q1 P57 Q2 .",
        "Q1\tP57\tQ2\t.",
        f"{URI}Q1 {URI}P57 {URI}Q2 .",
        f"<{URI}Q1> <{URI}P57> <{URI}Q2> .",
        f"<{URI}Q1> <http://www.wikidata.org/prop/direct/P57> <{URI}Q2>.",
        "\ufeffQ1 P57 Q2",
    ],
)
def test_forms_of_a_triple(tmp_path: Path, line: str) -> None:
    found, report = triples_of(tmp_path, a_txt=line + "\n")
    assert found == [("Q1", "P57", "Q2")]
    assert report["counts"] == {"triples": 1, "triples read": 1, "triples from a thing to itself": 0}


def test_every_triple_is_counted(tmp_path: Path) -> None:
    found, report = triples_of(
        tmp_path,
        train_txt="Q2 P57 Q1\nQ1 P57 Q2\n\nQ1 P57 Q2\nQ3 P190 Q3\nQ1 P57 Q99\nQ98 P57 Q1\n",
        valid_txt_gz=gzip.compress(b"Q1 P57 Q2\nQ4 P190 Q5\n"),
        entity2id_txt="Q1 0\nQ2 1\n",
        relation2id_txt_gz=gzip.compress(b"P57 0\nP190 1"),
        notes_md="not a triple file\n",
        old_txt_part="Q5 P57 Q1\n",
    )
    assert found == [("Q1", "P57", "Q2"), ("Q2", "P57", "Q1"), ("Q3", "P190", "Q3"), ("Q4", "P190", "Q5")]
    assert report["counts"] == {
        "triples read": 8, "triples": 4, "triples that stand twice": 2, "triples that leave the knowledge base": 2,
        "triples from a thing to itself": 1, "id tables": 2,
    }  # fmt: skip
    assert report["examples"] == {"id tables": ["'entity2id.txt'", "'relation2id.txt.gz'"]}


def test_one_file_is_enough(tmp_path: Path) -> None:
    (tmp_path / "facts.tsv").write_text("Q1\tP57\tQ2\n")
    assert read_triples(tmp_path / "facts.tsv", KEYS, Report()) == [("Q1", "P57", "Q2")]


def test_the_order_of_lines_and_files_decides_nothing(tmp_path: Path) -> None:
    one, _ = triples_of(tmp_path / "one", a_txt="Q1 P1 Q2\nQ3 P1 Q4\n", b_txt="Q2 P1 Q3\n")
    other, _ = triples_of(tmp_path / "other", z_txt="Q2 P1 Q3\nQ3 P1 Q4\n", c_txt="Q1 P1 Q2\n")
    assert one == other


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("Q1 P57 Q2\nQ1 P57\n", "line 2 of a.txt is not valid: it has 2 columns"),
        ("Q1 P57 Q2 Q3\n", "line 1 of a.txt is not valid: it has 4 columns"),
        ('Q1 P1476 "a title"@en .\n', "4 columns"),
        ("15000\n", "1 column "),
    ],
)
def test_lines_that_are_no_triple(tmp_path: Path, content: str, says: str) -> None:
    with pytest.raises(DataError) as caught:
        triples_of(tmp_path, a_txt=content)
    assert caught.value.code == "ME-DATA-02" and says in str(caught.value).replace("Line", "line")
    assert "Expected head, relation and tail" in str(caught.value)


def test_no_triple_file(tmp_path: Path) -> None:
    (tmp_path / "folder.txt").mkdir()
    (tmp_path / "a.tsv").write_text("Q1 P57 Q2\n")
    with pytest.raises(DataError, match=r"No triple files.*ME-DATA-01"):
        read_triples(tmp_path, KEYS, Report())


def test_relations_get_the_names_people_use() -> None:
    known, unknown = read_relations([("Q1", "P57", "Q2"), ("Q1", "P99999999", "Q2"), ("Q3", "P57", "Q2")])
    assert (known.id, known.label) == ("P57", "director") and known.inverse
    assert (unknown.id, unknown.label, unknown.inverse, unknown.aliases) == ("P99999999", "P99999999", "", ())


# --- pictures -----------------------------------------------------------------------------------------------------

PNG = picture_of("Q1")
JPEG = corpus.save(corpus.photo(), "JPEG")
WEBP = corpus.save(corpus.photo(), "WEBP")


class Folder:
    """A folder of pictures and what became of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.stored: dict[str, bytes] = {}
        self.report = Report()

    def add(self, **files: bytes) -> Folder:
        """Write files; ``__`` in a name is a dot."""
        for name, data in files.items():
            path = self.folder / name.replace("__", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return self

    def put(self, data: bytes, media_type: str) -> str:
        digest = "sha256:" + hashlib.sha256(data).hexdigest()
        self.stored[digest] = data
        return digest

    def read(self, progress: Callable[[str, int, int], None] | None = None) -> list[tuple[str, int, str]]:
        """Return (entity, number, media type) of every picture read."""
        found = read_pictures(self.folder, KEYS, self.put, self.report, progress)
        for stored in found:
            data = self.stored[stored.picture.digest]
            pixels = decode_rgb(data, digest=stored.pixels)
            assert (
                pixels.shape == (stored.picture.height, stored.picture.width, 3) and len(data) == stored.size
            )
        return [(p.entity, p.number, p.picture.media_type) for p in found]


@pytest.fixture
def pictures(tmp_path: Path) -> Folder:
    (tmp_path / "images").mkdir()
    return Folder(tmp_path / "images")


def test_the_bytes_say_what_a_picture_is(pictures: Folder) -> None:
    """And not the name: the released downloader saves PNG bytes under .svg, .jpg and the like."""
    pictures.add(Q1__jpg=PNG, Q2__png=JPEG, Q3__JPEG=WEBP, Q4__webp=PNG)
    kinds = [kind for _, _, kind in pictures.read()]
    assert kinds == ["image/png", "image/jpeg", "image/webp", "image/png"]
    assert pictures.report.as_dict() == {
        "counts": {"pictures": 4, "entities with a picture": 4}, "examples": {},
    }  # fmt: skip


def test_several_pictures_of_an_entity(pictures: Folder) -> None:
    """The one whose name is the key alone is the main one."""
    pictures.add(
        **{"Q1-2__jpg": JPEG, "Q1__png": PNG, "Q1_3__webp": WEBP, "Q1 four__png": PNG, "more/Q1__jpg": JPEG}
    )
    pictures.add(**{"Q2.old__png": PNG, "Q10__png": PNG, "Q22-1__png": PNG})
    found = pictures.read()
    assert [f for f in found if f[0] == "Q1"] == [
        ("Q1", 0, "image/png"), ("Q1", 1, "image/png"), ("Q1", 2, "image/jpeg"), ("Q1", 3, "image/webp"),
        ("Q1", 4, "image/jpeg"),
    ]  # fmt: skip
    assert [f for f in found if f[0] != "Q1"] == [("Q2", 0, "image/png")]
    assert pictures.report.counts["files that belong to no entity"] == 2
    assert pictures.report.counts["entities with a picture"] == 2


def test_refused_pictures_are_counted(pictures: Folder) -> None:
    pictures.add(Q1__png=b"", Q2__jpg=b"GIF89a" + b"\0" * 50, Q3__png=PNG[:-30], Q4__png=PNG)
    pictures.add(Q5__png=corpus.png_rgb(np.zeros((1, 9000, 3), np.uint8)))
    assert pictures.read() == [("Q4", 0, "image/png")]
    assert pictures.report.as_dict() == {
        "counts": {
            "pictures": 1, "entities with a picture": 1, "pictures refused (ME-IMAGE-01)": 2,
            "pictures refused (ME-IMAGE-02)": 1, "pictures refused (ME-IMAGE-03)": 1,
        },
        "examples": {
            "pictures refused (ME-IMAGE-01)": ["'Q1.png'", "'Q2.jpg'"],
            "pictures refused (ME-IMAGE-02)": ["'Q5.png'"],
            "pictures refused (ME-IMAGE-03)": ["'Q3.png'"],
        },
    }  # fmt: skip


def test_a_file_too_large_to_read_is_counted_too(pictures: Folder) -> None:
    pictures.add(Q1__png=PNG, Q2__png=PNG)
    os.truncate(pictures.folder / "Q1.png", 2**31)  # sparse: takes no room
    assert pictures.read() == [("Q2", 0, "image/png")]
    refused = [name for name in pictures.report.counts if name.startswith("pictures refused")]
    assert len(refused) == 1 and pictures.report.counts[refused[0]] == 1


def test_files_that_are_no_pictures(pictures: Folder) -> None:
    """Among them ``.part`` files, which the released downloader took for pictures for ever."""
    pictures.add(
        Q1__png__part=PNG,
        Q2__svg=b"<svg/>",
        Q3__gif=b"GIF89a",
        Q4=PNG,
        notes__txt=b"x",
        __Q1__png=PNG,
        q5__png=PNG,
    )
    (pictures.folder / "Q5.png").mkdir()
    assert pictures.read() == [] and pictures.stored == {}
    assert pictures.report.counts["files that belong to no entity"] == 7


def test_links_and_pipes_are_never_followed(pictures: Folder, tmp_path: Path) -> None:
    pictures.add(Q1__png=PNG)
    (tmp_path / "secret.png").write_bytes(JPEG)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "Q4.png").write_bytes(PNG)
    (pictures.folder / "Q2.png").symlink_to(tmp_path / "secret.png")
    (pictures.folder / "Q3.png").symlink_to(tmp_path / "nowhere.png")
    (pictures.folder / "sub").symlink_to(tmp_path / "elsewhere")
    os.link(pictures.folder / "Q1.png", pictures.folder / "Q3-2.png")  # hard links are files
    if hasattr(os, "mkfifo"):
        os.mkfifo(pictures.folder / "Q5.png")
    assert pictures.read() == [("Q1", 0, "image/png"), ("Q3", 0, "image/png")]
    assert pictures.report.counts["symbolic links, which are never followed"] == 1
    assert len(pictures.stored) == 1


def test_metadata_is_dropped_and_rotations_applied(pictures: Folder) -> None:
    turned = corpus.jpeg_with(JPEG, corpus.jpeg_segment(0xE1, corpus.exif(6)))
    upright = corpus.jpeg_with(JPEG, corpus.jpeg_segment(0xE1, corpus.exif(1)))
    assert corpus.CANARY in turned
    pictures.add(Q1__jpg=turned, Q2__jpg=upright)
    assert pictures.read() == [("Q1", 0, "image/png"), ("Q2", 0, "image/jpeg")]
    first, second = (decode_rgb(data) for data in pictures.stored.values())
    assert first.shape == (32, 24, 3) and second.shape == (24, 32, 3)
    assert np.array_equal(first, np.rot90(second, -1))
    assert not any(corpus.CANARY in data for data in pictures.stored.values())


def test_progress_counts_every_file(pictures: Folder) -> None:
    seen: list[tuple[str, int, int]] = []
    pictures.add(Q1__png=PNG, notes__txt=b"x", Q2__png=b"")
    pictures.read(lambda *said: seen.append(said))
    assert seen == [("pictures", done, 3) for done in (1, 2, 3)]


def test_no_folder(tmp_path: Path) -> None:
    for wrong in (tmp_path / "nowhere", tmp_path / "file"):
        (tmp_path / "file").write_bytes(PNG)
        with pytest.raises(DataError, match="ME-DATA-01"):
            Folder(wrong).read()


def test_texts_split_in_linear_time() -> None:
    """A row of the longest length, made to be tried at every place."""
    started = time.process_time()
    for filler in (" ; what is it: a", " ; what is it: a ; description: ", "label: "):
        entity = _entity("Q1", "label: " + filler * (2**20 // len(filler)), Report())
        assert entity.label or entity.description
    assert time.process_time() - started < 2.0


@pytest.mark.parametrize(
    ("text", "label", "description"),
    [
        ("label: A ; B ; what is it: c ; description: c", "A ; B", "c"),
        ("label: A ; what is it: b ; what is it: b ; description: b", "A ; what is it: b", "b"),
        ("label: A ; what is it: b ; c ; description: b ; c", "A", "b ; c"),
        ("label: A ; what is it:  ; description: ", "A", ""),
        ("label: A ; what is it: b ; description: c", "A", "c"),
    ],
)
def test_texts_are_split_where_the_description_stands_twice(text: str, label: str, description: str) -> None:
    entity = _entity("Q1", text, Report())
    assert (entity.label, entity.description) == (label, description)


def test_lines_that_are_too_long_or_begin_with_a_mark(tmp_path: Path) -> None:
    row = json.dumps({"qid": "Q1", "text": "label: x ; what is it: y ; description: y"})
    (tmp_path / "kb.jsonl").write_bytes(b"\xef\xbb\xbf" + row.encode() + b"\n")
    assert [entity.key for entity in read_kgdb(tmp_path / "kb.jsonl", Report())[0]] == ["Q1"]
    (tmp_path / "kb.jsonl").write_bytes(row.encode() + b" " * 2**20 + b"\n")
    with pytest.raises(DataError, match="it is longer than 1 MiB"):
        read_kgdb(tmp_path / "kb.jsonl", Report())
