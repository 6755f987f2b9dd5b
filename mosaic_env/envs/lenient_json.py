"""JSON as models write it: strict first, then a short list of documented repairs.

Valid JSON is read by the C scanner of the standard library. Only what that refuses is read again,
by a small reader (``json_repair``) that accepts a list of defects and reports which ones it met. Both run
in linear time, and neither evaluates anything.

Must not: know tags, tools or actions.
"""

from __future__ import annotations

import json
import re
from typing import Any

from mosaic_env.core.canon import MAX_JSON_DEPTH, canonical_text
from mosaic_env.envs.json_repair import JsonProblem, Odd, Reader, integer, real, too_deep

#: Characters that may be read with repairs, per ``Allowance``: that reader is pure Python. Longer
#: documents are read strictly or not at all.
MAX_REPAIR_CHARS = 65_536
#: The longest document; longer ones are ``too_large``.
MAX_DOCUMENT_CHARS = 2**20
#: How many documents in a row are read; what follows is left to the caller.
MAX_DOCUMENTS = 65
_WINDOWS = (4_096, 65_536, MAX_DOCUMENT_CHARS)

_FLAGS = re.DOTALL | re.ASCII
_opening_fence = re.compile(r"\s*+```[\w+-]*+\s*+", _FLAGS).match
_tail = re.compile(r"\s*+(?:```\s*+)?\Z", _FLAGS).match
_next_document = re.compile(r"[\s,;]*+(?=[{\[])", _FLAGS).match
_bracket = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[{}\[\]]', _FLAGS).finditer


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise Odd
    return result


def _constant(name: str) -> Any:
    raise Odd


_decoder: Any = json.JSONDecoder(
    object_pairs_hook=_unique, parse_int=integer, parse_float=real, parse_constant=_constant
)
_scan = _decoder.scan_once


class Allowance:
    """How many characters may still be read with repairs; one for each text from a model."""

    __slots__ = ("left",)

    def __init__(self, left: int = MAX_REPAIR_CHARS) -> None:
        self.left = left


def read(
    text: str, pos: int, end_tag: re.Pattern[str] | None, allowance: Allowance
) -> tuple[Any, int, tuple[str, ...]]:
    """Read the JSON value that starts at ``pos``.

    Args:
        text: The text around it.
        pos: Where the value starts, white space skipped.
        end_tag: What ends the content; missing closing brackets right before it are added.

    Returns: the value, the index after it, and the codes of the repairs it took.
    Raises: JsonProblem.
    Cost: linear in what is read.
    """
    try:
        value, end = _strict(text, pos)
    except RecursionError:
        raise too_deep(0) from None
    except JsonProblem:
        raise
    except (StopIteration, ValueError):
        return _read_with_repairs(text, pos, end_tag, allowance)
    brackets = text.count("{", pos, end) + text.count("[", pos, end)
    if brackets > MAX_JSON_DEPTH and _is_deep(value):
        raise too_deep(0)
    return value, end, ()


def _strict(text: str, pos: int) -> tuple[Any, int]:
    # The error of the scanner counts the lines before it, so it must not see the text before
    # ``pos``; and a slice of all the rest for each call would make many calls quadratic.
    for size in _WINDOWS:
        window = text[pos : pos + size]
        try:
            value, end = _scan(window, 0)
            return value, pos + end
        except (StopIteration, json.JSONDecodeError) as error:
            at = error.pos if isinstance(error, json.JSONDecodeError) else len(window)
            cut = at > len(window) - 16 or "Unterminated" in str(error)
            if len(window) < size or not cut:
                raise
    raise JsonProblem("too_large", f"one object has more than {MAX_DOCUMENT_CHARS} characters")


def _read_with_repairs(
    text: str, pos: int, end_tag: re.Pattern[str] | None, allowance: Allowance
) -> tuple[Any, int, tuple[str, ...]]:
    reader = Reader(text[pos : pos + allowance.left], end_tag)
    try:
        value, length, repairs = reader.read()
    except JsonProblem as problem:
        allowance.left -= min(problem.at, allowance.left)
        raise
    allowance.left -= length
    return value, pos + length, repairs


def read_all(
    text: str, pos: int, end_tag: re.Pattern[str] | None, allowance: Allowance
) -> tuple[list[Any], int, tuple[str, ...]]:
    """Read the object or list at ``pos`` and further ones of its kind that follow it directly.

    Returns: 1 to ``MAX_DOCUMENTS`` values, the index after the last, the repairs. Text after the
        first value that only looks like another one is not read.
    Raises: JsonProblem when the first value cannot be read.
    """
    value, end, repairs = read(text, pos, end_tag, allowance)
    values = [value]
    while len(values) < MAX_DOCUMENTS and (found := _next_document(text, end)):
        if text[found.end()] != text[pos]:
            break
        try:
            value, end, more = read(text, found.end(), end_tag, allowance)
        except JsonProblem:
            break
        values.append(value)
        repairs = (*repairs, *(code for code in more if code not in repairs))
    return values, end, repairs


def only(values: list[Any], repairs: tuple[str, ...]) -> tuple[Any, tuple[str, ...]]:
    """Return the one value that the list stands for: the same value several times is one.

    Raises: JsonProblem (several_objects) when they differ.
    """
    if len(values) == 1:
        return values[0], repairs
    if not all_same(values):
        raise JsonProblem("several_objects", "several different objects follow each other")
    return values[0], (*repairs, "doubled_object")


def all_same(values: list[Any]) -> bool:
    """Tell whether all values are the same data; ``1``, ``1.0`` and ``true`` are different."""
    first = canonical_text(values[0])
    return all(canonical_text(value) == first for value in values[1:])


def read_document(text: str) -> tuple[Any, tuple[str, ...]]:
    """Read a whole text as one JSON value: fences, repetition and trailing text are repaired.

    Returns: the value and the codes of the repairs it took.
    Raises: JsonProblem.
    """
    fence = _opening_fence(text)
    start = fence.end() if fence else len(text) - len(text.lstrip())
    values, end, repairs = read_all(text, start, None, Allowance())
    value, repairs = only(values, ("fence", *repairs) if fence else repairs)
    if _tail(text, end) is None:
        repairs = (*repairs, "trailing_text")
    return value, repairs


def read_strictly(text: str) -> Any:
    """Read a whole text as one JSON value without any repair.

    Raises: JsonProblem.
    """
    value, end, _ = read(text, 0, None, Allowance(0))
    if end != len(text):
        raise JsonProblem("bad_json", "text follows the value", end)
    return value


def skip(text: str, pos: int, allowance: Allowance) -> int | None:
    """Return the index after the bracket that matches the one at ``pos``, or None.

    Brackets inside double-quoted strings do not count; nothing else is checked. It finds the end
    of an object that is broken inside, so that tags quoted in it are not taken for real ones.
    """
    depth, limit = 0, pos + allowance.left
    for found in _bracket(text, pos, limit):
        token = found[0]
        if token in ("{", "["):
            depth += 1
        elif token in ("}", "]"):
            depth -= 1
            if depth == 0:
                allowance.left -= found.end() - pos
                return found.end()
    allowance.left -= min(limit, len(text)) - pos
    return None


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_JSON_DEPTH):
        level = [
            child
            for item in level
            for child in (item.values() if isinstance(item, dict) else item)
            if isinstance(child, (dict, list))
        ]
        if not level:
            return False
    return True
