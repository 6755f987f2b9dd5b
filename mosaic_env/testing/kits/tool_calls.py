"""Calling one tool the way an environment does, with everything that could go wrong made visible."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import GeneratorType
from typing import Any, get_args

from mosaic_env.core.errors import shorten
from mosaic_env.core.types import Hits, Search, Source, ToolResult
from mosaic_env.envs.observe import envelope
from mosaic_env.index.world import World
from mosaic_env.testing.kits.base import Broken, expect
from mosaic_env.tools.base import Tool, ToolContext, ToolError, ToolSettings
from mosaic_env.tools.handles import Handles

_CODE = re.compile(r"[a-z][a-z0-9_]{1,39}")
_MAX_MESSAGE = 1200
#: Pictures and entities that an episode of the kit knows from the start.
_KNOWN = 3


@dataclass(frozen=True)
class Outcome:
    """What a call gave.

    Args:
        line: The line a model would see.
        result: The result.
    """

    line: str
    result: ToolResult


def episode_handles(world: World) -> Handles:
    """Return the handles of an episode that knows some entities and their pictures."""
    handles = Handles()
    pictured = sorted(world.kb.pictures)[:_KNOWN]
    for row in pictured or range(min(_KNOWN, len(world.kb))):
        handles.entity(row)
        handles.picture_of(row, world)
    return handles


def call(
    tool: Tool, arguments: Mapping[str, Any], world: World, settings: ToolSettings | None = None
) -> Outcome:
    """Call a tool in a fresh episode and check what comes back.

    Raises: Broken when anything but a ToolError is raised, or the result is not one.
    """
    given = copy.deepcopy(dict(arguments))
    context = ToolContext(world, episode_handles(world), settings or ToolSettings(), [], [])
    try:
        result = _run(tool, given, context)
    except ToolError as error:
        result = error.result()
    except Broken:
        raise
    except Exception as error:
        raise Broken(
            f"{shorten(dict(arguments), 80)} raised {type(error).__name__}: {shorten(str(error), 100)}",
            "Raise ToolError for what a model wrote; validate() makes it from the argument model",
        ) from error
    expect(
        repr(given) == repr(dict(arguments)), f"the call changed its arguments {shorten(dict(arguments), 80)}"
    )
    check_result(result, context, arguments)
    return Outcome(envelope(1, tool.name, result, context.warnings), result)


def _run(tool: Tool, arguments: Mapping[str, Any], context: ToolContext) -> ToolResult:
    answer = tool.run(tool.validate(arguments, context), context)
    if not isinstance(answer, GeneratorType):
        result: Any = answer
    else:
        hits: Hits | None = None
        try:
            while True:
                search = answer.send(hits)
                if not isinstance(search, Search):
                    raise Broken(f"run() yielded {shorten(search, 60)}", "Yield Search objects")
                hits = context.world.search((search,))[0]
        except StopIteration as done:
            result = done.value
    if not isinstance(result, ToolResult):
        raise Broken(f"run() returned {shorten(result, 60)}", "Return a ToolResult")
    return result


def check_result(result: ToolResult, context: ToolContext, arguments: Mapping[str, Any]) -> None:
    """Check that a result is one a model and an episode can hold."""
    where = f"for {shorten(dict(arguments), 80)}"
    expect(
        (result.data is None) != (result.error is None), f"{where} there are both data and error, or neither"
    )
    if result.error is not None:
        _check_error(result.error, where)
    else:
        _check_data(result.data, where)
    for handle in result.show:
        expect(
            handle in context.handles.pictures, f"{where} it shows {handle!r}, which is no handle of the episode",
            "Name pictures through context.handles",
        )  # fmt: skip
    expect(
        all(isinstance(key, str) for key in result.ranked),
        f"{where} ranked holds something that is not a key",
    )
    expect(result.source in get_args(Source), f"{where} the source is {result.source!r}")
    for warning in context.warnings:
        expect(isinstance(warning, str) and _encodes(warning), f"{where} a warning is not a plain text")


def _check_error(error: Mapping[str, str], where: str) -> None:
    expect(set(error) == {"code", "message", "hint"}, f"{where} the error has the fields {sorted(error)}")
    code, message, hint = error["code"], error["message"], error["hint"]
    expect(
        isinstance(code, str) and _CODE.fullmatch(code),
        f"{where} the code is {code!r}",
        "Use a code like bad_box",
    )
    told = isinstance(message, str) and 0 < len(message) <= _MAX_MESSAGE and _encodes(message)
    expect(
        told,
        f"{where} the message is {shorten(message, 60)}",
        "Write one short sentence, quoting through clean()",
    )
    expect(
        isinstance(hint, str) and _encodes(hint),
        f"{where} the hint is {shorten(hint, 60)}",
        "Write a short text",
    )


def _check_data(data: Any, where: str) -> None:
    expect(isinstance(data, Mapping), f"{where} the data is {shorten(data, 60)}", "Return a dict")
    bad = _not_json(data, "data")
    expect(not bad, f"{where} {bad}", "Return text, finite numbers, booleans, lists and dicts with text keys")


def _not_json(value: Any, where: str) -> str:
    """Return where a value is not JSON data, or ``""``."""
    if isinstance(value, Mapping):
        odd = next((key for key in value if not isinstance(key, str)), None)
        if odd is not None:
            return f"{where} has the key {odd!r}"
        return next((bad for key, item in value.items() if (bad := _not_json(item, f"{where}.{key}"))), "")
    if isinstance(value, (list, tuple)):
        return next((bad for n, item in enumerate(value) if (bad := _not_json(item, f"{where}[{n}]"))), "")
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, str):
        return "" if _encodes(value) else f"{where} holds a lone surrogate"
    if type(value) in (int, float):
        try:
            json.dumps(value, allow_nan=False)
        except ValueError:
            return f"{where} is {value!r}"
        return ""
    return f"{where} is a {type(value).__name__}"


def _encodes(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
