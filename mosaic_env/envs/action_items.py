"""From JSON values to calls and answers, and the codes that say what was wrong or repaired.

Text and structured actions meet here: whatever brought the object, the same object means the same
call. Must not: know tags, or run anything.
"""

from __future__ import annotations

import json
from typing import Any

from mosaic_env.core.canon import MAX_JSON_DEPTH
from mosaic_env.core.types import Answer, Malformed, ToolCall
from mosaic_env.envs.json_repair import REPAIRS as JSON_REPAIRS
from mosaic_env.envs.json_repair import JsonProblem
from mosaic_env.envs.lenient_json import read_document

Item = ToolCall | Answer | Malformed

#: The most items of one action; a further one is reported as ``too_many_calls``.
MAX_ITEMS = 64
#: The most characters of a name or id that a malformed part carries on.
_MAX_ECHO = 100

#: Every repair with its meaning; ``ToolCall.repairs`` holds these codes.
REPAIRS: dict[str, str] = {
    **JSON_REPAIRS,
    "empty_arguments": "blank, empty or null arguments were read as {}",
    "string_arguments": "arguments given as a JSON string were read as the object in it",
    "doubled_name": "a tool name written twice in a row was read once",
    "unclosed_tag": "an end tag was missing after complete content",
    "unclosed_parameter": "</parameter> was missing; the value ends at the next tag",
    "missing_wrapper": "<function=NAME> stood outside <tool_call>",
}

_FORMS = (
    'Call a tool with <tool name="TOOL">{"argument": "value"}</tool>, or answer with <done>ANSWER</done>.'
)
_OBJECT = 'Write the arguments as one JSON object, for example {"query": "red bridge"}.'
_CALL = 'Write {"name": "TOOL", "arguments": {"argument": "value"}}.'

#: Every code of a malformed part: what the model is told, and how to write it right.
ISSUES: dict[str, str] = {
    "empty": "The text is empty",
    "no_action": "The text has no action",
    "unclosed_think": "The thinking block was not closed, so nothing after it counts",
    "unclosed_tag": "A tag was not closed",
    "bad_json": "The JSON of the call is not valid",
    "bad_number": "A number is not finite or is beyond 2^53",
    "bad_xml": "The <function> block is not valid",
    "bad_call": "The object is not a tool call",
    "bad_answer": "The answer is not text",
    "bad_type": "The action holds something that is not text, numbers, lists or objects",
    "no_name": "The call names no tool",
    "not_an_object": "The arguments are not a JSON object",
    "several_objects": "One call holds several different objects",
    "too_deep": f"Brackets are nested deeper than {MAX_JSON_DEPTH}",
    "too_large": "A part of the action is too large",
    "too_many_calls": f"More than {MAX_ITEMS} calls were written at once; the rest is ignored",
}

_HINTS: dict[str, str] = {
    "empty": _FORMS,
    "no_action": _FORMS,
    "unclosed_think": "Close thinking with its end tag, then act. " + _FORMS,
    "unclosed_tag": "Close each tag, for example <query>...</query>.",
    "bad_json": _OBJECT,
    "bad_number": "Write large numbers as text, in quotes.",
    "bad_xml": "Write <tool_call><function=TOOL><parameter=KEY>VALUE</parameter></function></tool_call>.",
    "bad_call": _CALL,
    "bad_answer": 'Write {"answer": "TEXT"}.',
    "bad_type": _CALL,
    "no_name": _CALL,
    "not_an_object": _OBJECT,
    "several_objects": "Write one object in each call.",
    "too_deep": "Use flat arguments.",
    "too_large": "Send a shorter action.",
    "too_many_calls": "Write fewer calls at once.",
}

_NAME_KEYS = ("name", "tool", "function")
_ARGUMENT_KEYS = ("arguments", "parameters")
_ANSWER_KEYS = ("answer", "final_answer", "done")
_ID_KEYS = ("id", "call_id", "tool_call_id")
_CALL_KEYS = frozenset((*_NAME_KEYS, *_ID_KEYS, "type", "index", "status"))


def malformed(code: str, reason: str = "", *, tool: str = "", call_id: str = "", count: int = 1) -> Malformed:
    """Return the item for a part that could not be read.

    Args:
        code: A key of ``ISSUES``.
        reason: A clause that says what exactly is wrong, for the model.
        count: How many parts it stands for.
    """
    message = f"{ISSUES[code]}: {reason}." if reason else f"{ISSUES[code]}."
    return Malformed(code, message, _HINTS[code], tool[:_MAX_ECHO], call_id[:_MAX_ECHO], count)


def make_call(
    tool: str,
    arguments: dict[str, Any],
    known_tools: frozenset[str],
    repairs: tuple[str, ...] = (),
    call_id: str = "",
) -> ToolCall:
    """Return the call; a name written twice in a row is read once when that names a known tool."""
    if tool not in known_tools:
        half = tool[: len(tool) // 2]
        if half in known_tools and half * 2 == tool:
            tool, repairs = half, (*repairs, "doubled_name")
    return ToolCall(tool, arguments, call_id, tuple(dict.fromkeys(repairs)) if repairs else ())


def looks_like_action(value: Any) -> bool:
    """Tell whether a JSON value, found without any tag around it, is a call or an answer."""
    if not isinstance(value, dict):
        return False
    if any(key in value for key in _ANSWER_KEYS):
        return True
    function = value.get("function")
    if isinstance(function, dict):
        return isinstance(function.get("name"), str)
    named = any(isinstance(value.get(key), str) for key in _NAME_KEYS)
    return named and any(key in value for key in _ARGUMENT_KEYS)


def read_item(
    value: Any,
    known_tools: frozenset[str],
    repairs: tuple[str, ...] = (),
    *,
    json_text: bool = False,
) -> Item:
    """Read a JSON value as a call or an answer.

    Args:
        value: Plain data. Calls: ``{"name" | "tool" | "function": NAME, "arguments" | "parameters":
            {…} | "JSON text"}`` or ``{"function": {…}, "id": …}``. Answers: ``{"answer": TEXT}``.
        repairs: Repairs that reading the value took.
        json_text: JSON text is an ordinary form of arguments here, not a repair; it always is
            inside ``{"function": {…}}``.
    """
    if not isinstance(value, dict):
        return malformed("bad_call")
    call_id = next((value[key] for key in _ID_KEYS if isinstance(value.get(key), str)), "")
    nested = value.get("function")
    call = nested if isinstance(nested, dict) else value
    name = next((call[key].strip() for key in _NAME_KEYS if isinstance(call.get(key), str)), "")
    if not name:
        if call is value and any(key in value for key in _ANSWER_KEYS):
            return _read_answer(value)
        return malformed("no_name", call_id=call_id)
    key = _arguments_key(call)
    if not key:
        if call.keys() <= _CALL_KEYS:
            return make_call(name, {}, known_tools, repairs, call_id)
        return malformed("bad_call", '"arguments" is missing', tool=name, call_id=call_id)
    return call_with(name, call[key], known_tools, repairs, call_id, json_text=json_text or call is not value)


def _arguments_key(call: dict[str, Any]) -> str:
    return next((key for key in _ARGUMENT_KEYS if key in call), "")


def _read_answer(value: dict[str, Any]) -> Item:
    given = next(value[key] for key in _ANSWER_KEYS if key in value)
    if isinstance(given, str):
        return Answer(given.strip())
    if given is None or isinstance(given, (bool, dict)):
        return malformed("bad_answer")
    return Answer(json.dumps(given, ensure_ascii=False))


def call_with(
    tool: str,
    raw: Any,
    known_tools: frozenset[str],
    repairs: tuple[str, ...] = (),
    call_id: str = "",
    *,
    json_text: bool = False,
) -> Item:
    """Return the call of a tool whose arguments are an object, or JSON text that holds one.

    Args:
        raw: The arguments as found; blank, ``""`` and null are ``{}``.
        json_text: As in ``read_item``.
    """
    if isinstance(raw, dict):
        return make_call(tool, raw, known_tools, repairs, call_id)
    decoded = 0
    try:
        while isinstance(raw, str) and raw.strip() and decoded < 2:
            raw, more = read_document(raw)
            repairs = (*repairs, *more)
            decoded += 1
    except JsonProblem as problem:
        return problem_item(problem, tool=tool, call_id=call_id)
    if isinstance(raw, dict):
        if decoded > json_text:
            repairs = (*repairs, "string_arguments")
        return make_call(tool, raw, known_tools, repairs, call_id)
    if raw is None or (isinstance(raw, str) and not raw.strip()):
        return make_call(tool, {}, known_tools, (*repairs, "empty_arguments"), call_id)
    return malformed("not_an_object", tool=tool, call_id=call_id)


def problem_item(problem: JsonProblem, *, tool: str = "", call_id: str = "") -> Malformed:
    """Return the item for JSON that could not be read."""
    reason = problem.reason
    if problem.code == "bad_json":
        reason = f"{reason} (character {problem.at + 1})"
    return malformed(problem.code, reason, tool=tool, call_id=call_id)
