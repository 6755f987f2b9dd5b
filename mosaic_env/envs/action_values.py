"""Actions that arrive as Python values: one call, a list of calls, an answer, a chat message.

Anything may arrive here, so nothing of a foreign object is ever called: values are recognised by
their real type and copied to plain data, or replaced by a mark. Must not: raise.
"""

from __future__ import annotations

import math
from itertools import islice
from typing import Any

import numpy as np

from mosaic_env.core.canon import MAX_JSON_DEPTH, MAX_JSON_INT, canonical_text
from mosaic_env.core.types import Action
from mosaic_env.envs.action_items import ISSUES, MAX_ITEMS, Item, malformed, read_item

#: The largest structured action: its characters, and ``_VALUE_SIZE`` for each value.
MAX_SIZE = 2**20
_VALUE_SIZE = 8
#: In a canonical text, ``{"malformed": code}`` stands for a part that has no plain form. Reading
#: it gives the same item, so that a recorded action replays. ``count`` says how many parts it stands for.
_MARK = "malformed"
_COUNT = "count"


class _NotPlain(Exception):
    """A value without a plain form; the argument is a code of ``ISSUES``."""


def read_structured(value: object, known_tools: frozenset[str]) -> Action | str:
    """Read a structured action, or return the text that it carries.

    Args:
        value: Any Python value.

    Returns: the action, its ``text`` the canonical JSON of what was read; or a string, when the
        value is text or a chat message without tool calls.
    Determinism: ``read_structured(json.loads(action.text), …)`` gives the same items.
    """
    if _is(value, str):
        return str.__str__(value)
    copier = _Copier()
    if _is(value, dict):
        calls = _get(value, "tool_calls")
        parts = copier.parts(calls) if _is_list(calls) else []
        if parts:
            return _action({"tool_calls": parts}, _items(parts, known_tools))
        if _get(value, "role") is not None:
            return _content(_get(value, "content"))
        part = copier.part(value)
        return _action(part, _items([part], known_tools))
    if _is_list(value):
        parts = copier.parts(value)
        items = _items(parts, known_tools)
        return _action(parts, items or (malformed("empty"),))
    return _action({_MARK: "bad_type"}, (malformed("bad_type"),))


def _action(value: Any, items: tuple[Item, ...]) -> Action:
    return Action(canonical_text(value), items, structured=True)


def _items(parts: list[Any], known_tools: frozenset[str]) -> tuple[Item, ...]:
    return tuple(_item(part, known_tools) for part in parts)


def _item(part: Any, known_tools: frozenset[str]) -> Item:
    if _is_rest(part):
        return malformed(part[_MARK], count=part[_COUNT])
    if isinstance(part, dict) and part.keys() == {_MARK} and isinstance(part[_MARK], str):
        code = part[_MARK]
        return malformed(code if code in ISSUES else "bad_call")
    return read_item(part, known_tools, json_text=True)


def _is_rest(part: Any) -> bool:
    """Tell whether a part is the mark of the parts beyond the most that an action may have."""
    marked = isinstance(part, dict) and part.keys() == {_MARK, _COUNT} and part[_MARK] == "too_many_calls"
    return marked and type(part[_COUNT]) is int and part[_COUNT] >= 1


def _content(content: object) -> str:
    """Return the text of a chat message's content: a string, or a list of parts."""
    if _is(content, str):
        return str.__str__(content)
    texts: list[str] = []
    for part in _elements(content) if _is_list(content) else ():
        text = _get(part, "text") if _is(part, dict) else None
        if _is(text, str):
            texts.append(str.__str__(text))
    return "\n".join(texts)


def _is(value: object, kind: type) -> Any:
    # isinstance() would ask the object for its __class__, and a hostile one may raise.
    return issubclass(type(value), kind)


def _get(mapping: Any, key: str) -> Any:
    return dict.get(mapping, key)


def _is_list(value: object) -> Any:
    return _is(value, list) or _is(value, tuple)


def _elements(value: Any) -> Any:
    return list.__iter__(value) if _is(value, list) else tuple.__iter__(value)


class _Copier:
    """Copy values to plain data, with one allowance of depth and size for the whole action."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = MAX_SIZE

    def parts(self, values: Any) -> list[Any]:
        """Copy the elements of a list that an action may hold; one mark stands for the others."""
        elements = _elements(values)
        parts = [self.part(value) for value in islice(elements, MAX_ITEMS)]
        beyond = list(islice(elements, 1))
        if not beyond:
            return parts
        last = self.part(beyond[0])
        rest = sum(1 for _ in elements)
        return [*parts, last if _is_rest(last) and not rest else {_MARK: "too_many_calls", _COUNT: 1 + rest}]

    def part(self, value: object) -> Any:
        """Copy one part, or return its mark."""
        try:
            return self._copy(value, 0)
        except _NotPlain as problem:
            return {_MARK: str(problem)}

    def _copy(self, value: Any, depth: int) -> Any:
        self._spend(_VALUE_SIZE)
        if value is None or value is True or value is False:
            return value
        if _is(value, str):
            self._spend(len(text := str.__str__(value)))
            return text
        if _is(value, dict):
            return self._copy_dict(value, depth + 1)
        if _is_list(value):
            if depth == MAX_JSON_DEPTH:
                raise _NotPlain("too_deep")
            return [self._copy(item, depth + 1) for item in _elements(value)]
        return _number(value)

    def _copy_dict(self, value: Any, depth: int) -> dict[str, Any]:
        if depth > MAX_JSON_DEPTH:
            raise _NotPlain("too_deep")
        result = {}
        for key, item in dict.items(value):
            if not _is(key, str):
                raise _NotPlain("bad_type")
            self._spend(len(name := str.__str__(key)))
            result[name] = self._copy(item, depth)
        return result

    def _spend(self, amount: int) -> None:
        self._left -= amount
        if self._left < 0:
            raise _NotPlain("too_large")


def _number(value: Any) -> int | float | bool:
    if _is(value, np.bool_):
        return bool(np.bool_.__bool__(value))
    if _is(value, int) or _is(value, np.integer):
        whole = int.__int__(value) if _is(value, int) else int(np.generic.item(value))
        if not -MAX_JSON_INT <= whole <= MAX_JSON_INT:
            raise _NotPlain("bad_number")
        return whole
    if _is(value, float) or _is(value, np.floating):
        real = float.__float__(value) if _is(value, float) else float(np.generic.item(value))
        if not math.isfinite(real):
            raise _NotPlain("bad_number")
        return real
    raise _NotPlain("bad_type")
