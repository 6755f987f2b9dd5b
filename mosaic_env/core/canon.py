r"""Canonical bytes of a value, and digests of them.

Two values have the same canonical bytes exactly when they are the same data: keys are sorted by
code point, there is no white space, floats take their shortest form, NaN and infinity are
refused, and text is kept as it is (lone surrogates included, as ``\uXXXX`` escapes).

Must not: read files, or know any type of this package.
"""

from __future__ import annotations

import hashlib
import json
import math
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from mosaic_env.core.errors import CanonError, shorten

#: The largest integer that every JSON reader keeps exact.
MAX_JSON_INT = 2**53
#: Deepest nesting of a value inside a call; files that hold such values may nest deeper.
MAX_JSON_DEPTH = 64
_MAX_FILE_DEPTH = 80
MAX_JSON_BYTES = 16 * 2**20

_encoder = json.JSONEncoder(ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":"))


def canonical_text(value: Any) -> str:
    """Return the canonical JSON text of plain data (dict, list, tuple, str, int, float, bool, None).

    Returns: ASCII text.
    Raises: CanonError (ME-CANON-01) for NaN, infinity, other types and mixed key types.
    Determinism: pure.
    """
    try:
        return _encoder.encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise CanonError(
            "ME-CANON-01",
            f"{shorten(value)} has no canonical form ({error})",
            expected="dicts with string keys, lists, text, finite numbers, booleans and None",
        ) from None


def canonical_bytes(value: Any) -> bytes:
    """Return ``canonical_text(value)`` as ASCII bytes."""
    return canonical_text(value).encode("ascii")


def digest_bytes(data: bytes | bytearray | memoryview) -> str:
    """Return ``"sha256:" + 64 hex digits`` of the bytes."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def digest(value: Any) -> str:
    """Return the digest of a value's canonical bytes."""
    return digest_bytes(canonical_bytes(value))


def short(digest: str) -> str:
    """Return the form in which people are shown a digest: ``sha256:2ad53ae41901…``."""
    return f"{digest[:19]}…"


def digest_rows(rows: Iterable[Any]) -> str:
    """Return the digest of many values, streamed: one canonical line each."""
    total = hashlib.sha256()
    for row in rows:
        total.update(canonical_bytes(row))
        total.update(b"\n")
    return "sha256:" + total.hexdigest()


def merkle_root(named: Mapping[str, str]) -> str:
    """Return the root over named digests: the same names and digests give the same root."""
    return digest({"mosaic-root": 1, "parts": dict(named)})


def canonical_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call in the form recorded responses are keyed by.

    Keys sorted, text in NFC, integral floats as integers (``5.0`` is ``5``), tuples as lists.
    Defaults must be filled in already: the tool's argument model does that.

    Raises: CanonError (ME-CANON-01) for NaN, infinity and foreign types.
    """
    return {_nfc(key): _argument(arguments[key]) for key in sorted(arguments)}


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _argument(value: Any) -> Any:
    if isinstance(value, bool) or value is None or isinstance(value, int):
        return value
    if isinstance(value, str):
        return _nfc(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise CanonError("ME-CANON-01", f"{value!r} has no canonical form")
        return int(value) if value.is_integer() else value
    if isinstance(value, Mapping):
        return canonical_arguments({str(key): item for key, item in value.items()})
    if isinstance(value, (list, tuple)):
        return [_argument(item) for item in value]
    raise CanonError("ME-CANON-01", f"{shorten(value)} has no canonical form")


def strict_loads(data: bytes | str, *, max_bytes: int = MAX_JSON_BYTES) -> Any:
    """Read JSON under strict rules, for files that come from outside.

    Refused: more than ``max_bytes``, nesting deeper than 80, duplicate keys, NaN and infinity,
    integers beyond 2**53, bytes that are not UTF-8.

    Raises: CanonError (ME-CANON-02).
    """
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else bytes(data)
    if len(raw) > max_bytes:
        raise _refused(f"the JSON text has {len(raw)} bytes", f"at most {max_bytes}")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _refused(f"the JSON text is not UTF-8 at byte {error.start}", "UTF-8") from None
    _check_depth(text)
    try:
        return json.loads(
            text,
            object_pairs_hook=_unique_keys,
            parse_constant=_no_constant,
            parse_int=_small_int,
            parse_float=_finite_float,
        )
    except json.JSONDecodeError as error:
        raise _refused(
            f"the text is not JSON at line {error.lineno} column {error.colno} ({error.msg})",
            "valid JSON",
        ) from None


def _refused(what: str, expected: str) -> CanonError:
    return CanonError("ME-CANON-02", what, expected=expected)


def _check_depth(text: str) -> None:
    """Refuse deep nesting before the recursive parser meets it; brackets in strings are skipped."""
    depth, in_string, escaped = 0, False, False
    if text.count("[") + text.count("{") <= _MAX_FILE_DEPTH:
        return
    for char in text:
        if in_string:
            if escaped:
                escaped = False
            elif char == "\\":
                escaped = True
            elif char == '"':
                in_string = False
        elif char == '"':
            in_string = True
        elif char in "[{":
            depth += 1
            if depth > _MAX_FILE_DEPTH:
                raise _refused("the JSON text is nested too deeply", f"at most {_MAX_FILE_DEPTH} levels")
        elif char in "]}":
            depth -= 1


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise _refused(f"the key {shorten(twice)} stands twice in one object", "each key once")
    return result


def _no_constant(name: str) -> Any:
    raise _refused(f"{name} is not JSON", "finite numbers")


def _small_int(text: str) -> int:
    if len(text) > 17 or abs(int(text)) > MAX_JSON_INT:
        raise _refused(f"the integer {shorten(text, 40)} is beyond 2**53", "smaller integers")
    return int(text)


def _finite_float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise _refused(f"the number {shorten(text, 40)} is out of range", "finite numbers")
    return value
