"""The reader for JSON with defects: a recursive descent that notes each repair it makes.

Must not: be given more text than it may read, or evaluate anything.
"""

from __future__ import annotations

import json.decoder
import math
import re
from typing import Any

from mosaic_env.core.canon import MAX_JSON_DEPTH, MAX_JSON_INT

#: Every repair of JSON text with its meaning.
REPAIRS: dict[str, str] = {
    "fence": "a ``` fence around the content was removed",
    "single_quotes": "text in single quotes was read as a JSON string",
    "python_literals": "True, False and None were read as true, false and null",
    "trailing_comma": "a comma before a closing bracket was ignored",
    "raw_newlines": "unescaped line breaks or tabs inside a string were kept",
    "duplicate_keys": "a key stood twice in one object; the last value counts",
    "unclosed_brace": "closing brackets missing right before the end tag were added",
    "doubled_object": "the same object stood several times in a row and was read once",
    "trailing_text": "text after the complete object was ignored",
}

_decoder: Any = json.decoder
_scan_string = _decoder.scanstring  # the scanner in C; typeshed does not list it

_FLAGS = re.DOTALL | re.ASCII
_space = re.compile(r"[ \t\n\r]*+").match
_number = re.compile(r"-?(?:0|[1-9][0-9]*+)(\.[0-9]++)?([eE][+-]?[0-9]++)?").match
_word = re.compile(r"-?[A-Za-z_]++").match
_single_quoted = re.compile(r"'([^'\\]*+(?:\\.[^'\\]*+)*+)'", _FLAGS).match
_requote = re.compile(r"\\.|\"", _FLAGS).sub
_control = re.compile(r"[\x00-\x1f]").search
_forbidden = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]").search

_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None}
_PYTHON_WORDS: dict[str, Any] = {"True": True, "False": False, "None": None}
_NOT_FINITE = frozenset({"NaN", "nan", "Infinity", "-Infinity", "inf", "-inf"})


class JsonProblem(ValueError):
    """Text that is not JSON even after repairs.

    Args:
        code: ``bad_json``, ``bad_number``, ``too_deep``, ``too_large`` or ``several_objects``.
        reason: What is wrong, as a clause without a full stop.
        at: Characters between the start of the value and the problem.
    """

    def __init__(self, code: str, reason: str, at: int = 0) -> None:
        self.code = code
        self.reason = reason
        self.at = at
        super().__init__(code, reason, at)


class Odd(ValueError):
    """Valid for the scanner, but something the repairing reader has to look at."""


def integer(digits: str) -> int:
    """Return the integer, or raise Odd when it is beyond 2**53."""
    # The length first: int() refuses thousands of digits, or takes quadratic time on them.
    if len(digits) > 17:
        raise Odd
    value = int(digits)
    if not -MAX_JSON_INT <= value <= MAX_JSON_INT:
        raise Odd
    return value


def real(digits: str) -> float:
    """Return the number, or raise Odd when it is not finite."""
    value = float(digits)
    if not math.isfinite(value):
        raise Odd
    return value


def too_deep(pos: int) -> JsonProblem:
    """Return the problem of brackets nested too deeply."""
    return JsonProblem("too_deep", f"brackets are nested deeper than {MAX_JSON_DEPTH}", pos)


class Reader:
    """Read one value with repairs: recursive descent, at most ``MAX_JSON_DEPTH`` levels."""

    __slots__ = ("_end_tag", "_repairs", "_text")

    def __init__(self, text: str, end_tag: re.Pattern[str] | None) -> None:
        self._text = text
        self._end_tag = end_tag
        self._repairs: dict[str, None] = {}

    def read(self) -> tuple[Any, int, tuple[str, ...]]:
        """Return the value, its length in characters, and the repairs it took."""
        value, end = self._value(0, 0)
        return value, end, tuple(self._repairs)

    def _note(self, repair: str) -> None:
        self._repairs[repair] = None

    def _after_space(self, pos: int) -> int:
        found = _space(self._text, pos)
        return found.end() if found else pos

    def _value(self, pos: int, depth: int) -> tuple[Any, int]:
        pos = self._after_space(pos)
        char = self._text[pos : pos + 1]
        if char == "{" or char == "[":
            if depth == MAX_JSON_DEPTH:
                raise too_deep(pos)
            return (self._object if char == "{" else self._array)(pos + 1, depth + 1)
        if char == '"' or char == "'":
            return self._string(pos)
        return self._atom(pos)

    def _object(self, pos: int, depth: int) -> tuple[dict[str, Any], int]:
        result: dict[str, Any] = {}
        pos = self._after_space(pos)
        if self._text.startswith("}", pos):
            return result, pos + 1
        more = True
        while more:
            if self._text[pos : pos + 1] not in ('"', "'"):
                raise JsonProblem("bad_json", "a key in double quotes is missing", pos)
            key, pos = self._string(pos)
            pos = self._after_space(pos)
            if not self._text.startswith(":", pos):
                raise JsonProblem("bad_json", "a colon is missing", pos)
            if key in result:
                self._note("duplicate_keys")
            result[key], pos = self._value(pos + 1, depth)
            more, pos = self._separator(pos, "}")
        return result, pos

    def _array(self, pos: int, depth: int) -> tuple[list[Any], int]:
        result: list[Any] = []
        pos = self._after_space(pos)
        if self._text.startswith("]", pos):
            return result, pos + 1
        more = True
        while more:
            value, pos = self._value(pos, depth)
            result.append(value)
            more, pos = self._separator(pos, "]")
        return result, pos

    def _separator(self, pos: int, bracket: str) -> tuple[bool, int]:
        """Tell whether another member follows, and where."""
        pos = self._after_space(pos)
        char = self._text[pos : pos + 1]
        if char == bracket:
            return False, pos + 1
        if char == ",":
            pos = self._after_space(pos + 1)
            if self._text.startswith(bracket, pos):
                self._note("trailing_comma")
                return False, pos + 1
            return True, pos
        if self._end_tag is not None and self._end_tag.match(self._text, pos):
            self._note("unclosed_brace")
            return False, pos
        raise JsonProblem("bad_json", f"a comma or {bracket} is missing", pos)

    def _string(self, pos: int) -> tuple[str, int]:
        if self._text[pos] == "'":
            return self._single_quoted(pos)
        try:
            value, end = _scan_string(self._text, pos + 1, False)
        except ValueError:
            raise JsonProblem("bad_json", "a string is not closed or has a wrong escape", pos) from None
        self._check_controls(self._text, pos, end)
        return value, end

    def _single_quoted(self, pos: int) -> tuple[str, int]:
        found = _single_quoted(self._text, pos)
        if found is None:
            raise JsonProblem("bad_json", "a string is not closed", pos)
        quoted = _requote(_to_double_quotes, found[1]) + '"'
        self._check_controls(quoted, 0, len(quoted))
        try:
            value, _ = _scan_string(quoted, 0, False)
        except ValueError:
            raise JsonProblem("bad_json", "a string has a wrong escape", pos) from None
        self._note("single_quotes")
        return value, found.end()

    def _check_controls(self, text: str, start: int, end: int) -> None:
        if _control(text, start, end):
            if _forbidden(text, start, end):
                raise JsonProblem("bad_json", "a string has a control character", start)
            self._note("raw_newlines")

    def _atom(self, pos: int) -> tuple[Any, int]:
        number = _number(self._text, pos)
        if number is not None:
            try:
                whole = number[1] is None and number[2] is None
                return (integer if whole else real)(number[0]), number.end()
            except Odd:
                raise JsonProblem("bad_number", "a number is too large", pos) from None
        found = _word(self._text, pos)
        word = found[0] if found else ""
        if found and word in _WORDS:
            return _WORDS[word], found.end()
        if found and word in _PYTHON_WORDS:
            self._note("python_literals")
            return _PYTHON_WORDS[word], found.end()
        if word in _NOT_FINITE:
            raise JsonProblem("bad_number", f"{word} is not a JSON number", pos)
        raise JsonProblem("bad_json", "a value is missing", pos)


def _to_double_quotes(found: re.Match[str]) -> str:
    char = found[0][-1]
    if char == "'":
        return char
    return '\\"' if char == '"' else found[0]
