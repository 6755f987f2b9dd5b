"""The action grammar: what a model wrote, read as calls and answers.

One pass over the text, left to right; the outermost tag wins and nothing nests. ``parse`` is
total: every string gives an action, in linear time, and what cannot be read becomes a
``Malformed`` item with a stable code (``ISSUES``). Defects in ``REPAIRS`` are mended and recorded.

    <query>WORDS or {"query": …}</query>    the default tool, or the one under "skill" or "tool";
                                            <search> is the same
    <tool name="TOOL">{…}</tool>            any tool; an empty body is {}
    <code>PYTHON</code>                     python_eval
    <clip>HANDLE or {…}</clip>              image_crop
    <done>TEXT</done>                       the answer; <answer> and <final_answer> are the same
    <tool_call>{"name": …, "arguments": {…}}</tool_call>      <function_call> is the same
    <tool_call><function=TOOL><parameter=KEY>VALUE</parameter></function></tool_call>
                                            or {…} in place of the parameters
    {"name": …, "arguments": {…}} or {"answer": …}            the whole text, or a list of them

The end of JSON content is found by reading it: an end tag in one of its strings is text. A tag
without its end swallows the rest, except after a complete object and for an answer.

Thinking (``<think>``, ``<thinking>``, ``<reasoning>``, ``<thought>``) is never read; a thinking end
tag outside a block means that everything before it was thinking. Only the model's own text may be
given to ``parse``: never tool output.

Must not: validate arguments, know which tools exist beyond their names, or run anything.
"""

from __future__ import annotations

import re
from typing import Any

from mosaic_env.core.types import Action, Answer, Malformed
from mosaic_env.envs.action_format import format_answer, format_call
from mosaic_env.envs.action_items import (
    ISSUES,
    MAX_ITEMS,
    REPAIRS,
    Item,
    call_with,
    looks_like_action,
    make_call,
    malformed,
    problem_item,
    read_item,
)
from mosaic_env.envs.action_values import read_structured
from mosaic_env.envs.action_xml import read_function, unquoted
from mosaic_env.envs.json_repair import JsonProblem
from mosaic_env.envs.lenient_json import Allowance, all_same, only, read_all, skip

__all__ = ["ISSUES", "MAX_ITEMS", "REPAIRS", "format_answer", "format_call", "parse", "parse_structured"]

_FLAGS = re.IGNORECASE | re.ASCII | re.DOTALL
_THINK_TAGS = ("think", "thinking", "reasoning", "thought")
_CALL_TAGS = ("tool_call", "function_call")
_ANSWER_TAGS = ("done", "answer", "final_answer")
_OPENING = (*_THINK_TAGS, *_CALL_TAGS, *_ANSWER_TAGS, "query", "search", "clip", "code", "tool")
_TAG_NAMES = (*_OPENING, "function")
_NULLS = ("null", "None")

# Group 1: name of a tag that opens; 2: its attributes; 3: name of a thinking tag that closes.
# The look-ahead fails fast on text full of "<".
_find_tag = re.compile(
    r"<(?=[acdfqrst][ehilnou]|/[rt][eh])(?:"
    rf"({'|'.join(_OPENING)}|function(?=\s*+=))([\s/=][^<>]*+)?>"
    rf"|/({'|'.join(_THINK_TAGS)})\s*+>)",
    _FLAGS,
).search
_END = {name: re.compile(rf"</{name}\s*+>", _FLAGS) for name in _TAG_NAMES}
_END_HERE = {name: re.compile(rf"\s*+(?:```\s*+)?</{name}\s*+>", _FLAGS) for name in _TAG_NAMES}
_object_here = re.compile(r"\s*+(?:```[\w+-]*+\s*+)?(?=\{)", _FLAGS).match
_value_here = re.compile(r"\s*+(?:```[\w+-]*+\s*+)?(?=[{\[\"'])", _FLAGS).match
_function_here = re.compile(r"\s*+<function\s*+=([^<>]*+)>", _FLAGS).match
_list_here = re.compile(r"\s*+(?:```[\w+-]*+\s*+)?(?=[{\[])", _FLAGS).match
_bare_end = re.compile(r"[\s`\"'}\])]*+\Z", _FLAGS).match
#: A text that opens like this is read as JSON only: tags in its strings are not tags.
_opens_like_action = re.compile(
    r"[\[\s]*+\{\s*+[\"'](?:name|tool|function|type|id|call_id|arguments|parameters|answer|final_answer"
    r"|done)[\"']\s*+:",
    re.ASCII,
).match
_tool_name = re.compile(r"""(?:\A|\s)name\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'/]++))""", _FLAGS).search
_fence_line = re.compile(r"```[\w+-]*+[ \t]*+\r?\n", _FLAGS).match
#: Tags read in one text, those that turn out to be thinking included: bounds the work.
_MAX_TAGS = 1_024


def parse(text: str, *, default_tool: str, known_tools: frozenset[str] = frozenset()) -> Action:
    """Read a model's text as an action.

    Args:
        text: What the model wrote; any string, lone surrogates and NUL included.
        default_tool: The tool of a ``<query>`` that names none.
        known_tools: Names used to recognise a name written twice; other names are kept as written.

    Returns: the items in the order of the text; at most ``MAX_ITEMS`` and one ``too_many_calls``.
    Cost: linear in the length; about 10 µs for a thinking block and one call.
    Determinism: pure. Raises nothing.
    """
    if type(text) is not str:
        text = str.__str__(text)
    return Action(text, _Parser(text, default_tool, known_tools).run())


def parse_structured(
    value: object, *, default_tool: str, known_tools: frozenset[str] = frozenset()
) -> Action:
    """Read an action given as a Python value.

    Args:
        value: A call ``{"tool" | "name": NAME, "arguments": {…} | "JSON text"}``, an OpenAI tool
            call or assistant message, an answer ``{"answer": TEXT}`` or ``{"done": TEXT}``, a list
            of these, or text. Anything else gives one ``Malformed`` item.
        default_tool, known_tools: As in ``parse``.

    Returns: the action; its ``text`` is canonical JSON of bounded length (the text itself when
        the value was text or a message without tool calls).
    Determinism: pure. Raises nothing: no method of a foreign object is called.
    """
    try:
        action = read_structured(value, known_tools)
    except Exception:  # a key's __eq__ or a list changed by another thread: still not an error
        action = read_structured(None, known_tools)
    if isinstance(action, str):
        return parse(action, default_tool=default_tool, known_tools=known_tools)
    return action


class _Parser:
    """One pass over one text; each method that reads a part returns the index to go on from."""

    __slots__ = (
        "_allowance", "_default_tool", "_ignored", "_items", "_known", "_prose", "_text", "_thinks", "_visible",
    )  # fmt: skip

    def __init__(self, text: str, default_tool: str, known_tools: frozenset[str]) -> None:
        self._text = text
        self._default_tool = default_tool
        self._known = known_tools
        self._allowance = Allowance()
        self._items: list[Item] = []
        self._ignored = 0  # parts beyond the most that an action may have
        self._thinks = False  # the text ends inside a thinking block
        self._visible = 0  # where the text after the last thinking starts
        self._prose = False  # there was visible text before that

    def run(self) -> tuple[Item, ...]:
        """Return the items of the text."""
        text, tags = self._text, 0
        pos = self._bare_json(0)
        while found := _find_tag(text, pos):
            name = found[1]
            if name is None:
                pos = self._thinking_ended(found.end())
            elif (name := name.lower()) in _THINK_TAGS:
                pos = self._thinking(found, name)
            elif (tags := tags + 1) > _MAX_TAGS:
                self._ignored += 1
                break
            else:
                pos = self._tag(found, name)
        if self._ignored:
            self._items.append(malformed("too_many_calls", count=self._ignored))
        if not self._items:
            self._items.append(self._nothing())
        return tuple(self._items)

    def _nothing(self) -> Malformed:
        if self._thinks:
            return malformed("unclosed_think")
        return malformed("no_action" if self._text.strip() else "empty")

    def _add(self, item: Item) -> None:
        if len(self._items) < MAX_ITEMS:
            self._items.append(item)
        else:
            self._ignored += 1

    # --- thinking -----------------------------------------------------------------------------

    def _thinking(self, found: re.Match[str], name: str) -> int:
        if self._visible < found.start() and self._text[self._visible : found.start()].strip():
            self._prose = True
        end = _END[name].search(self._text, found.end())
        if end is None:
            self._thinks = True
            return len(self._text)
        self._visible = end.end()
        return self._bare_json(self._visible)

    def _thinking_ended(self, pos: int) -> int:
        self._items.clear()
        self._ignored = 0
        self._prose = False
        self._visible = pos
        return self._bare_json(pos)

    # --- tags ---------------------------------------------------------------------------------

    def _tag(self, found: re.Match[str], name: str) -> int:
        pos = found.end()
        if name == "tool":
            return self._tool(pos, found[2] or "")
        if name in _CALL_TAGS:
            return self._tool_call(pos, name)
        if name == "function":
            return self._function(pos, found[2].lstrip()[1:], ("missing_wrapper",))
        if name == "code":
            return self._code(pos)
        if name in _ANSWER_TAGS:
            return self._answer(pos, name)
        return self._query_or_clip(pos, name)

    def _query_or_clip(self, pos: int, name: str) -> int:
        opened = _object_here(self._text, pos)
        if opened is not None:
            return self._json(opened, name, "image_crop" if name == "clip" else "")
        end = _END[name].search(self._text, pos)
        if end is None:
            return self._unclosed(name)
        words = self._text[pos : end.start()].strip()
        if name == "clip":
            self._add(make_call("image_crop", {"image": words}, self._known))
        else:
            self._add(make_call(self._default_tool, {"query": words}, self._known))
        return end.end()

    def _tool(self, pos: int, attributes: str) -> int:
        named = _tool_name(attributes)
        tool = (named[1] or named[2] or named[3] or "").strip() if named else ""
        if attributes.endswith("/"):
            self._add(make_call(tool, {}, self._known) if tool else malformed("no_name"))
            return pos
        opened = _value_here(self._text, pos)
        if opened is not None:
            return self._json(opened, "tool", tool)
        end = _END["tool"].search(self._text, pos)
        if end is None:
            return self._unclosed("tool", tool)
        words = self._text[pos : end.start()].strip()
        if not tool:
            self._add(malformed("no_name"))
        elif not words:
            self._add(make_call(tool, {}, self._known))
        elif words in _NULLS:
            self._add(call_with(tool, None, self._known))
        else:
            self._add(malformed("not_an_object", tool=tool))
        return end.end()

    def _tool_call(self, pos: int, name: str) -> int:
        header = _function_here(self._text, pos)
        if header is not None:
            return self._function(header.end(), header[1], ())
        opened = _list_here(self._text, pos)
        if opened is not None:
            return self._json(opened, name, "")
        end = _END[name].search(self._text, pos)
        if end is None:
            return self._unclosed(name)
        words = self._text[pos : end.start()].lstrip()
        code = "bad_xml" if words[:9].lower() == "<function" else "bad_json"
        self._add(malformed(code, f"<{name}> has to hold an object or a function"))
        return end.end()

    def _function(self, pos: int, header: str, repairs: tuple[str, ...]) -> int:
        tool = unquoted(header)
        opened = _object_here(self._text, pos)
        if opened is not None:
            return self._json(opened, "function", tool, repairs)
        item, end = read_function(self._text, pos, tool, self._known, repairs)
        self._add(item if tool else malformed("no_name"))
        return end

    def _code(self, pos: int) -> int:
        end = _END["code"].search(self._text, pos)
        if end is None:
            return self._unclosed("code", "python_eval")
        code, repairs = _without_fence(self._text[pos : end.start()])
        self._add(make_call("python_eval", {"code": code}, self._known, repairs))
        return end.end()

    def _answer(self, pos: int, name: str) -> int:
        end = _END[name].search(self._text, pos)
        if end is not None:
            self._add(Answer(self._text[pos : end.start()].strip()))
            return end.end()
        rest = self._text[pos:].strip()
        # Prose that only mentions the tag goes on with other tags; an answer that was cut does not.
        if not rest or _find_tag(self._text, pos):
            return self._unclosed(name)
        self._add(Answer(rest, ("unclosed_tag",)))
        return len(self._text)

    def _unclosed(self, name: str, tool: str = "") -> int:
        self._add(malformed("unclosed_tag", f"</{name}> is missing", tool=tool))
        return len(self._text)

    # --- JSON ---------------------------------------------------------------------------------

    def _json(self, opened: re.Match[str], name: str, tool: str, repairs: tuple[str, ...] = ()) -> int:
        """Read the JSON content of a tag, from its first bracket or quote."""
        pos = opened.end()
        if "`" in opened[0]:
            repairs = (*repairs, "fence")
        try:
            values, end, more = read_all(self._text, pos, _END_HERE[name], self._allowance)
        except JsonProblem as problem:
            return self._broken_json(problem, pos, name, tool)
        fixed, end = self._end_of_tag(name, end)
        repairs = (*repairs, *more, *fixed)
        if name in _CALL_TAGS or (name == "tool" and not tool):
            self._calls(values, repairs)
        else:
            self._add(self._call(tool, values, repairs))
        return end

    def _end_of_tag(self, name: str, pos: int) -> tuple[tuple[str, ...], int]:
        """Find the end tag after complete content; return the repairs it takes and where to go on."""
        here = _END_HERE[name].match(self._text, pos)
        if here is not None:
            return (), here.end()
        following = _find_tag(self._text, pos)
        limit = len(self._text) if following is None else following.start()
        end = _END[name].search(self._text, pos, limit)
        return (("unclosed_tag",), pos) if end is None else (("trailing_text",), end.end())

    def _broken_json(self, problem: JsonProblem, pos: int, name: str, tool: str) -> int:
        inside = skip(self._text, pos, self._allowance)
        end = _END[name].search(self._text, pos if inside is None else inside)
        if end is None and inside is not None:
            end = _END[name].search(self._text, pos)
        if end is None:
            return self._unclosed(name, tool)
        self._add(problem_item(problem, tool=tool))
        return end.end()

    def _call(self, tool: str, values: list[Any], repairs: tuple[str, ...]) -> Item:
        """Return the call of a tag that names its tool, or of a ``<query>``, which need not."""
        try:
            value, repairs = only(values, repairs)
        except JsonProblem as problem:
            return problem_item(problem, tool=tool)
        if tool:
            return call_with(tool, value, self._known, repairs)
        key = next((key for key in ("skill", "tool") if isinstance(value.get(key), str)), "")
        if ("arguments" in value or "parameters" in value) and (key or "name" in value):
            return read_item({**value, "name": value[key]} if key else value, self._known, repairs)
        if not key:
            return make_call(self._default_tool, value, self._known, repairs)
        arguments = {other: value[other] for other in value if other != key}
        return make_call(value[key].strip() or self._default_tool, arguments, self._known, repairs)

    def _calls(self, values: list[Any], repairs: tuple[str, ...]) -> None:
        calls = [call for value in values for call in (value if isinstance(value, list) else [value])]
        if len(values) > 1 and all_same(values):
            calls, repairs = calls[: len(calls) // len(values)], (*repairs, "doubled_object")
        for call in calls[: MAX_ITEMS + 1]:
            self._add(read_item(call, self._known, repairs))
        self._ignored += max(len(calls) - MAX_ITEMS - 1, 0)
        if not calls:
            self._add(malformed("bad_call"))

    def _bare_json(self, pos: int) -> int:
        """Read the visible text from ``pos`` on as JSON without tags, when it is that."""
        opened = None if self._prose else _list_here(self._text, pos)
        if opened is None or self._items:
            return pos
        start = opened.end()
        try:
            values, end, repairs = read_all(self._text, start, None, self._allowance)
        except JsonProblem as problem:
            if _opens_like_action(self._text, start) is None:
                return pos
            self._add(problem_item(problem))
            return len(self._text)
        rest = _bare_end(self._text, end)
        calls = [call for value in values for call in (value if isinstance(value, list) else [value])]
        if rest is None or not calls or not all(looks_like_action(call) for call in calls):
            return end
        fences = ("fence",) if "`" in opened[0] else ()
        junk = ("trailing_text",) if rest[0].strip("` \t\r\n") else ()
        self._calls(values, (*fences, *repairs, *junk))
        return len(self._text)


def _without_fence(code: str) -> tuple[str, tuple[str, ...]]:
    """Return code without a ``` fence around all of it, and the repair that was."""
    body = code.strip()
    opened = _fence_line(body)
    if opened is None or not body.endswith("```") or opened.end() > len(body) - 3:
        return code, ()
    return body[opened.end() : -3].removesuffix("\n"), ("fence",)
