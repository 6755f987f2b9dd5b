"""The official InterLV-Search level files: plain JSON or ``.json.enc``, corrected by errata.

Source: the released files and their format (AES-256-GCM; key by PBKDF2-HMAC-SHA256 with 390,000
rounds; 4-byte magic, version byte, 16-byte salt, 12-byte nonce). Raw files are never changed:
corrections are data in ``errata/interlv.json``. Must not: decide what is playable.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from mosaic_env.core.canon import strict_loads
from mosaic_env.core.errors import CanonError, DataError, shorten
from mosaic_env.core.types import Gold, Task
from mosaic_env.guard.paths import read_regular

MAGIC = b"ILVD"
_ROUNDS = 390_000
_HEADER = 4 + 1 + 16 + 12
_MAX_FILE = 256 * 2**20
#: Where corrections put their tags; a file cannot set it.
_TAGS = "_tags"
#: The world the official questions are about, and the only one whose errata are applied.
WORLD = "mmkg-w"


def read_levels(
    path: Path, *, password: str | None = None, level: int | None = None, world: str = WORLD
) -> list[tuple[Task, Gold]]:
    """Read one official level file.

    Args:
        path: ``level1.json``, ``level2.json.enc`` or the like.
        password: For encrypted files.
        level: 1, 2 or 3; None takes it from the file's name.
        world: The world that the tasks are about; corrections are for the official one only.

    Returns: Tasks with keys ``interlv-l1/0001`` and their gold, in file order.
    Raises: DataError (ME-DATA-01, -02, -03).
    """
    number = level or _level_of(path)
    read = _rows(_plain_bytes(path, password), path.name)
    rows: list[Mapping[str, Any]] = [{k: v for k, v in row.items() if k != _TAGS} for row in read]
    if world == WORLD:
        rows = [_corrected(row, number) for row in rows]
    for place, row in enumerate(rows, start=1):
        _check_row(row, f"row {place} of {path.name}")
    return [_convert(row, number, world) for row in rows]


def decrypt(data: bytes, password: str) -> bytes:
    """Return the plain bytes of an encrypted level file.

    Raises: DataError (ME-DATA-03) for a wrong password or damaged data: the two look the same.
    Cost: about 0.2 s, for the key.
    """
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC

    if data[:4] != MAGIC or len(data) < _HEADER + 16:
        raise _locked(
            f"the file starts with {data[:4]!r} and has {len(data)} bytes", f"{MAGIC!r} and a whole file"
        )
    if data[4] != 1:
        raise _locked(f"the encrypted file has version {data[4]}", "version 1")
    salt, nonce = data[5:21], data[21:33]
    key = PBKDF2HMAC(hashes.SHA256(), 32, salt, _ROUNDS).derive(os.fsencode(password))
    try:
        return AESGCM(key).decrypt(nonce, data[_HEADER:], None)
    except InvalidTag:
        raise _locked("the password is wrong, or the file is damaged", "the published password") from None


def _locked(what: str, expected: str) -> DataError:
    return DataError(
        "ME-DATA-03", what, expected=expected,
        fix="Give the password with --password or MOSAIC_TASK_PASSWORD, or download the file again",
    )  # fmt: skip


def _plain_bytes(path: Path, password: str | None) -> bytes:
    if not path.is_file():
        raise DataError("ME-DATA-01", f"the task file {path.name!r} does not exist", expected="a level file")
    data = read_regular(path, limit=_MAX_FILE)
    if data[:4] != MAGIC and path.suffix != ".enc":
        return data
    if password is None:
        raise _locked(f"{path.name} is encrypted and no password was given", "a password")
    return decrypt(data, password)


def _rows(data: bytes, name: str) -> list[Mapping[str, Any]]:
    try:
        rows = strict_loads(data, max_bytes=_MAX_FILE)
    except CanonError as error:
        raise DataError(
            "ME-DATA-01", f"{name} is not a level file: {error.what}", expected="a JSON list"
        ) from None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise DataError("ME-DATA-01", f"{name} is not a level file", expected="a JSON list of objects")
    return rows


def _level_of(path: Path) -> int:
    found = re.search(r"level[_-]?([123])", path.name)
    if found is None:
        raise DataError(
            "ME-DATA-01",
            f"the name {path.name!r} does not say which level it is",
            expected="level1, level2 or level3 in the name",
            fix="Rename the file, or write --tasks 2=FILE",
        )
    return int(found.group(1))


def _check_row(row: Mapping[str, Any], where: str) -> None:
    """Refuse a row whose fields are missing or of another type, naming the field and what it holds."""
    number = row.get("id")
    wrong = "" if _is_id(number) else f"its id is {shorten(number, 40)}" if "id" in row else "it has no id"
    texts = {"question": row.get("question", row.get("question_en")), "answer": row.get("answer")}
    for name, value in texts.items():
        if not wrong and not isinstance(value, str):
            wrong = f"it has no {name}" if value is None else f"its {name} is {shorten(value, 40)}, not text"
    for name, value in texts.items():
        if not wrong and not value.strip():
            wrong = f"its {name} is empty"
        if not wrong and not _is_unicode(value):
            wrong = f"its {name} holds half a character (a lone surrogate)"
    for name in ("entity_qid", "chain_type"):
        if not wrong and not isinstance(row.get(name) or "", str):
            wrong = f"its {name} is {shorten(row[name], 40)}, not text"
    if wrong:
        raise DataError(
            "ME-DATA-02",
            f"{where} is not valid: {wrong} ({shorten(dict(row))})",
            expected="an integer id (0 or more, without quotation marks), and question, answer and entity_qid as texts",
        )


def _is_unicode(text: str) -> bool:
    return text == text.encode("utf-8", "replace").decode("utf-8")


def _is_id(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _convert(row: Mapping[str, Any], level: int, world: str) -> tuple[Task, Gold]:
    key = f"interlv-l{level}/{row['id']:04d}"
    tags = tuple(sorted(tag for tag in (row.get("chain_type", ""), *row.get(_TAGS, ())) if tag))
    chain = str(row.get("search_chain", "")).encode("utf-8", "replace").decode("utf-8")
    notes = {"search_chain": chain} if row.get("search_chain") else {}
    question = row.get("question", row.get("question_en"))
    task = Task(key, str(question), world=world, level=f"interlv-l{level}", split="test", tags=tags)
    return task, Gold(key, row["answer"], target=row.get("entity_qid") or "", notes=notes)


def _corrected(row: Mapping[str, Any], level: int) -> Mapping[str, Any]:
    corrected = dict(row)
    for item in _errata():
        if (item["level"], item["id"]) == (level, row.get("id")) and _applies(item.get("when", {}), row):
            corrected.update(item.get("set", {}))
            if "tag" in item:
                corrected[_TAGS] = (*corrected.get(_TAGS, ()), item["tag"])
    return corrected


def _applies(when: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
    """Tell whether a correction still fits the row: a release that fixed it must not be changed."""
    seen = {
        **row,
        "answer_lines": "\n" in str(row.get("answer", "")),
        "question_sha256": hashlib.sha256(
            str(row.get("question", row.get("question_en", ""))).encode("utf-8", "replace")
        ).hexdigest()[:16],
    }
    return all(seen.get(name) == value for name, value in when.items())


@cache
def _errata() -> tuple[Mapping[str, Any], ...]:
    text = resources.files("mosaic_env.tasks").joinpath("errata/interlv.json").read_text("utf-8")
    return tuple(json.loads(text)["items"])


def errata_items() -> Iterator[Mapping[str, Any]]:
    """Yield every correction: level, id, what is set or tagged, and why."""
    yield from _errata()
