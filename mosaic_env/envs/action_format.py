"""Writing calls and answers in the forms that ``actions.parse`` reads: its inverse.

Must not: know models, prompts or tools.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Literal, get_args

from mosaic_env.core.errors import CanonError, ConfigError, nearest, shorten

Format = Literal["interlv", "openai", "hermes"]

_surrogate = re.compile("[\ud800-\udfff]")
_ends_answer = re.compile(r"</(?:done|answer)\s*+>", re.IGNORECASE | re.ASCII).search
_plain_name = re.compile(r"[^\"<>]++").fullmatch


def format_call(tool: str, arguments: Mapping[str, Any], *, format: Format = "interlv") -> str:
    """Return the text of a tool call; ``parse`` gives the same tool and arguments back.

    Args:
        tool: The tool's name, without white space at its ends.
        arguments: Plain data: finite numbers, integers within 2^53, at most 62 levels deep.
        format: ``interlv`` (``<tool name=…>``), ``hermes`` (``<tool_call>``) or ``openai`` (the
            JSON of one tool call, the whole text). A name that cannot stand in a tag is written
            in the ``hermes`` form.

    Raises: ConfigError (ME-CONFIG-02) for a blank name or unknown format, CanonError (ME-CANON-01)
        for arguments that are not plain data.
    """
    _check_format(format)
    if not tool or tool != tool.strip():
        raise ConfigError("ME-CONFIG-02", f"the tool name is {shorten(tool)}", expected="a trimmed name")
    if format == "openai":
        function = {"name": tool, "arguments": _json(dict(arguments))}
        return _json({"type": "function", "function": function})
    if format == "hermes" or _plain_name(tool) is None:
        return f"<tool_call>{_in_tag({'name': tool, 'arguments': dict(arguments)})}</tool_call>"
    return f'<tool name="{tool}">{_in_tag(dict(arguments))}</tool>'


def format_answer(text: str, *, format: Format = "interlv") -> str:
    """Return the text of a final answer; ``parse`` gives it back without white space at its ends.

    Args:
        text: The answer. One that holds the end tag itself is written as JSON, which is read only
            when it is the whole text.
        format: ``interlv`` (``<done>``), ``hermes`` (``<answer>``) or ``openai`` (JSON).

    Raises: ConfigError (ME-CONFIG-02) for an unknown format.
    """
    _check_format(format)
    if format == "openai" or _ends_answer(text):
        return _json({"answer": text})
    tag = "done" if format == "interlv" else "answer"
    return f"<{tag}>{text}</{tag}>"


def _check_format(format: str) -> None:
    known = get_args(Format)
    if format not in known:
        raise ConfigError(
            "ME-CONFIG-02",
            f"the format {shorten(format)} does not exist",
            expected="one of " + ", ".join(known),
            nearest=nearest(format, known),
        )


def _json(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise CanonError(
            "ME-CANON-01",
            f"the arguments are not plain data ({error})",
            expected="dicts with string keys, lists, text, finite numbers, booleans and None",
        ) from None
    # Lone surrogates cannot be encoded; everything else stays readable.
    return _surrogate.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _in_tag(value: Any) -> str:
    # "<\/" is the same JSON, and keeps other readers from taking a quoted end tag for the real one.
    return _json(value).replace("</", "<\\/")
