"""Readers of outside files: the InterLV knowledge base, MKG-W triples, a folder of pictures.

Each reads everything, keeps what is right, and counts what is not in a report: nothing is skipped
silently. Files ending in ``.gz`` are read as they are.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mosaic_env.core.canon import strict_loads
from mosaic_env.core.errors import CanonError, CorruptError, DataError, ImageError, shorten
from mosaic_env.core.types import Picture
from mosaic_env.core.words import counted
from mosaic_env.guard.images import canonicalise
from mosaic_env.guard.paths import read_regular
from mosaic_env.snapshot.kb import Entity, StoredPicture

PICTURE_SUFFIXES = {".jpg", ".jpeg", ".png", ".webp"}
_MAX_LINE = 2**20
_MAX_PICTURE = 20 * 2**20
_MAX_EXAMPLES = 5
_BOM = b"\xef\xbb\xbf"
_LABEL, _WHAT, _DESCRIPTION = "label: ", " ; what is it: ", " ; description: "
#: Places where a label may end that are tried; a text with more is no label but an attack on the reader.
_MAX_PLACES = 32

Progress = Callable[[str, int, int], None]


@dataclass
class Report:
    """Counts of what a reader saw, and a few examples of what it refused."""

    counts: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=dict)

    def note(self, name: str, example: str = "") -> None:
        """Count one occurrence; keep the first few examples."""
        self.counts[name] += 1
        if example and len(self.examples.setdefault(name, [])) < _MAX_EXAMPLES:
            self.examples[name].append(shorten(example, 160))

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for the manifest."""
        return {
            "counts": dict(sorted(self.counts.items())),
            "examples": {k: v for k, v in sorted(self.examples.items()) if v},
        }


def _open_lines(path: Path) -> Iterator[bytes]:
    if not path.is_file():
        raise DataError("ME-DATA-01", f"the file {path.name!r} does not exist", expected="a readable file")
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as stream:
            number = 0
            while line := stream.readline(_MAX_LINE + 1):
                number += 1
                if len(line) > _MAX_LINE:
                    raise _bad_row(path.name, number, "it is longer than 1 MiB", line, "a shorter line")
                yield line.removeprefix(_BOM) if number == 1 else line
    except (EOFError, gzip.BadGzipFile, OSError) as error:
        raise DataError(
            "ME-DATA-01",
            f"{path.name} is damaged ({error})",
            expected="a whole file",
            fix="Download it again",
        ) from None


def read_kgdb(path: Path, report: Report) -> tuple[list[Entity], dict[str, str]]:
    """Read a knowledge base in the InterLV form: one JSON object a line.

    Returns: Entities sorted by key, and the picture path the file names for each key that has one.
    Raises: DataError (ME-DATA-01, -02).
    """
    entities: dict[str, Entity] = {}
    picture_paths: dict[str, str] = {}
    for number, line in enumerate(_open_lines(path), start=1):
        if not line.strip():
            continue
        row = _json_object(line, path.name, number)
        key = row.get("qid", row.get("id"))
        text = row.get("text", "")
        if not isinstance(key, str) or not key or not isinstance(text, str) or _valid(key) != key:
            raise _bad_row(path.name, number, "it has no qid or its text is not text", line)
        if key in entities:
            raise _bad_row(path.name, number, f"the entity {key} stands twice", line)
        entities[key] = _entity(key, text, report)
        image = row.get("image_path") or row.get("local_image_path")
        if isinstance(image, str) and image:
            picture_paths[key] = image
    if not entities:
        raise DataError("ME-DATA-04", f"{path.name} holds no entity", expected="one JSON object a line")
    report.counts["entities"] = len(entities)
    report.counts["entities with a picture path"] = len(picture_paths)
    return [entities[key] for key in sorted(entities)], picture_paths


def _entity(key: str, text: str, report: Report) -> Entity:
    """Split the text of a row into label and description (which the file gives twice)."""
    clean = _valid(text)
    if clean != text:
        report.note("text with lone surrogates", key)
    split = _twice(clean)
    if split is None:
        split = _loosely(clean)
        report.note("text with two different descriptions" if split else "text without fields", key)
    label, extra, description = split or (clean, "", "")
    label, description = label.strip(), description.strip()
    if label == key:
        report.note("label is the key", key)
        label = ""  # Wikidata had no label; the key would tell the agent an identifier
    if not description:
        report.note("empty description", key)
    if " ; " in label or " ; " in description or label.endswith(";"):
        report.note("separator inside a field", key)
    return Entity(key, label, description, f"{extra.strip()}. {description}" if extra.strip() else "")


def _twice(text: str) -> tuple[str, str, str] | None:
    """Split a text that gives its description twice; some fields hold " ; ", so only that says where the label ends."""
    end = len(text)
    for _ in range(_MAX_PLACES):
        end = text.rfind(_WHAT, len(_LABEL), end)
        if end < 0 or not text.startswith(_LABEL):
            return None
        rest = text[end + len(_WHAT) :]
        half = (len(rest) - len(_DESCRIPTION)) // 2
        if half >= 0 and rest == rest[:half] + _DESCRIPTION + rest[:half]:
            return text[len(_LABEL) : end], "", rest[:half]
    return None


def _loosely(text: str) -> tuple[str, str, str] | None:
    """Split a text at the first of each separator: label, what it is, description."""
    label, found, rest = text.removeprefix(_LABEL).partition(_WHAT)
    what, found_too, description = rest.partition(_DESCRIPTION)
    return (label, what, description) if text.startswith(_LABEL) and found and found_too else None


def _valid(text: str) -> str:
    """Return text with its lone surrogates replaced: no file can hold them."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _json_object(line: bytes, name: str, number: int) -> Mapping[str, Any]:
    try:
        row = strict_loads(line)
    except CanonError as error:
        raise _bad_row(name, number, error.what, line) from None
    if not isinstance(row, dict):
        raise _bad_row(name, number, "it is not an object", line)
    return row


def _bad_row(
    name: str, number: int, what: str, line: bytes, expected: str = "a JSON object with qid and text"
) -> DataError:
    return DataError(
        "ME-DATA-02",
        f"line {number} of {name} is not valid: {what} ({shorten(line[:200])})",
        expected=expected,
    )


def triple_files(path: Path) -> list[Path]:
    """Return the triple files of a folder (``*.txt``, ``*.txt.gz``), sorted, or the file itself."""
    if path.is_file():
        return [path]
    return sorted(p for p in path.glob("*.txt*") if p.suffix in {".txt", ".gz"} and p.is_file())


def read_triples(path: Path, known: Iterable[str], report: Report) -> list[tuple[str, str, str]]:
    """Read triples from a file or from all ``*.txt`` and ``*.txt.gz`` files of a folder.

    A line holds head, relation and tail as URIs or plain ids, separated by white space; files with
    another number of columns (id tables) are counted and left out.

    Args:
        known: Keys of the knowledge base; triples that leave it are counted and left out.

    Returns: Distinct triples, sorted.
    """
    files = triple_files(path)
    if not files:
        raise DataError("ME-DATA-01", f"no triple files in {path.name!r}", expected="*.txt or *.txt.gz files")
    keys, triples = set(known), set()
    for file in files:
        for number, line in enumerate(_open_lines(file), start=1):
            columns = _columns(line)
            if number == 1 and len(columns) == 2:
                report.note("id tables", file.name)
                break
            if not columns:
                continue
            if len(columns) != 3:
                what = f"it has {counted(len(columns), 'column')}"
                raise _bad_row(file.name, number, what, line, "head, relation and tail")
            head, relation, tail = (column.strip("<>").rsplit("/", 1)[-1] for column in columns)
            report.counts["triples read"] += 1
            if head not in keys or tail not in keys:
                report.note("triples that leave the knowledge base")
            elif (head, relation, tail) in triples:
                report.note("triples that stand twice")
            else:
                triples.add((head, relation, tail))
    report.counts["triples"] = len(triples)
    report.counts["triples from a thing to itself"] = sum(head == tail for head, _, tail in triples)
    return sorted(triples)


def _columns(line: bytes) -> list[str]:
    """Split a line at white space; the full stop that ends a statement, apart or not, is left out."""
    columns = line.decode("utf-8-sig", "replace").split()
    if columns[-1:] == ["."]:
        columns.pop()
    elif columns and columns[-1].endswith(">."):
        columns[-1] = columns[-1][:-1]
    return columns


def _picture_order(path: Path) -> tuple[str, str, str]:
    # By stem: "-" sorts before ".", and Q64.jpg is the main picture, not Q64-2.png.
    return path.parent.as_posix(), path.stem, path.name


def read_pictures(
    folder: Path,
    known: Iterable[str],
    put: Callable[[bytes, str], str],
    report: Report,
    progress: Progress | None = None,
) -> list[StoredPicture]:
    """Read a folder of pictures whose file names start with an entity's key (``Q64.jpg``, ``Q64-2.png``).

    The first by name is the entity's main picture. The format is decided from the bytes, never from
    the name; metadata is dropped. Pictures that are refused, files that belong to no entity, and
    symbolic links are counted.

    Args:
        put: Stores bytes with their media type and returns their digest.
    """
    if not folder.is_dir():
        raise DataError(
            "ME-DATA-01", f"the picture folder {folder.name!r} does not exist", expected="a folder"
        )
    keys = set(known)
    files = sorted((p for p in folder.rglob("*") if p.is_file()), key=_picture_order)
    stored: list[StoredPicture] = []
    counts: Counter[str] = Counter()
    for done, file in enumerate(files, start=1):
        if progress is not None:
            progress("pictures", done, len(files))
        if file.is_symlink():
            report.note("symbolic links, which are never followed", file.name)
            continue
        key = re.split(r"[._\- ]", file.name, maxsplit=1)[0]
        if file.suffix.lower() not in PICTURE_SUFFIXES or key not in keys:
            report.note("files that belong to no entity", file.name)
            continue
        try:
            picture = canonicalise(read_regular(file, limit=_MAX_PICTURE))
        except (ImageError, CorruptError) as error:  # the second: larger than is ever read
            report.note(f"pictures refused ({error.code})", file.name)
            continue
        digest = put(picture.data, picture.media_type)
        reference = Picture(digest, picture.media_type, picture.width, picture.height)
        stored.append(StoredPicture(key, counts[key], reference, len(picture.data), picture.pixel_digest))
        counts[key] += 1
    report.counts["pictures"] = len(stored)
    report.counts["entities with a picture"] = len(counts)
    return stored


def read_relations(triples: Iterable[tuple[str, str, str]]) -> list[Any]:
    """Return the relations that triples use, with the names of ``snapshot/properties.json``."""
    from importlib import resources

    from mosaic_env.snapshot.kb import Relation

    table = json.loads(resources.files("mosaic_env.snapshot").joinpath("properties.json").read_text("utf-8"))
    return [
        Relation(rid, entry.get("label", rid), entry.get("inverse", ""), tuple(entry.get("aliases", ())))
        for rid in sorted({relation for _, relation, _ in triples})
        for entry in (table.get(rid, {}),)
    ]
