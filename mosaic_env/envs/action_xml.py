"""Tool calls in the XML form of Qwen3-Coder: ``<function=NAME><parameter=KEY>VALUE</parameter>…``.

Must not: know other forms, or the tags around a function.
"""

from __future__ import annotations

import json
import re
from typing import Any

from mosaic_env.core.canon import MAX_JSON_INT
from mosaic_env.envs.action_items import Item, make_call, malformed
from mosaic_env.envs.json_repair import JsonProblem
from mosaic_env.envs.lenient_json import MAX_DOCUMENT_CHARS, read_strictly

_FLAGS = re.IGNORECASE | re.ASCII
_find_token = re.compile(
    r"<(?:parameter\s*+=([^<>]*+)>|/(parameter|function|tool_call|function_call)\s*+>)", _FLAGS
).search
_looks_numeric = re.compile(r"-?[0-9]++(?:\.[0-9]++)?(?:e[+-]?[0-9]++)?\Z", re.ASCII).match
_find_end = re.compile(r"</function\s*+>", _FLAGS).search
_LITERALS: dict[str, Any] = {"true": True, "false": False}


def read_function(
    text: str, pos: int, tool: str, known_tools: frozenset[str], repairs: tuple[str, ...]
) -> tuple[Item, int]:
    """Read the parameters of a function whose opening tag ends at ``pos``.

    Returns: the call, or what is wrong with it, and the index after its end tag. A function
        without an end swallows the rest of the text.
    Cost: linear.
    """
    arguments: dict[str, Any] = {}
    notes = dict.fromkeys(repairs)
    broken = False
    limit = pos + MAX_DOCUMENT_CHARS
    while pos < limit and (token := _find_token(text, pos)):
        broken = broken or not _is_blank(text, pos, token.start())
        pos = token.end()
        if token[1] is not None:
            after = _find_token(text, pos)
            if after is None:
                break
            key = unquoted(token[1])
            if key in arguments:
                notes["duplicate_keys"] = None
            arguments[key] = read_value(text[pos : after.start()])
            if (after[2] or "").lower() == "parameter":
                pos = after.end()
            else:
                notes["unclosed_parameter"] = None
                pos = after.start()
        elif token[2].lower() != "parameter":
            if broken:
                return malformed("bad_xml", "there is text outside the parameters", tool=tool), pos
            return make_call(tool, arguments, known_tools, tuple(notes)), pos
    if pos >= limit:
        end = _find_end(text, pos)
        return malformed("too_large", tool=tool), end.end() if end else len(text)
    return malformed("unclosed_tag", "</function> is missing", tool=tool), len(text)


def unquoted(name: str) -> str:
    """Return a name without white space and quotes around it."""
    return name.strip().strip("\"'")


def read_value(text: str) -> Any:
    """Return a parameter's value: numbers, booleans, lists and objects as such, otherwise text.

    Only numbers in their shortest form become numbers (``5``, ``0.25``, not ``007`` or ``3.10``),
    so that an argument which is meant as text can be turned back into exactly that text.
    """
    text = text.removeprefix("\n").removesuffix("\n")
    bare = text.strip()
    if bare in _LITERALS:
        return _LITERALS[bare]
    if bare[:1] in ("{", "["):
        try:
            return read_strictly(bare)
        except JsonProblem:
            return text
    number = _number(bare)
    return text if number is None else number


def _number(text: str) -> int | float | None:
    if len(text) > 24 or not _looks_numeric(text):
        return None
    value = float(text) if "." in text or "e" in text else int(text)
    return value if abs(value) <= MAX_JSON_INT and json.dumps(value) == text else None


def _is_blank(text: str, start: int, end: int) -> bool:
    return start == end or text[start:end].isspace()
