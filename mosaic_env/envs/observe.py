"""Observations: the text a model sees after a step, its placeholders, and the pictures they stand for.

Frozen format, version 1. One line of JSON for each executed call, in order; a line for dropped
calls; a placeholder line for each attached picture, in the order of the pictures; the ledger line;
and, when the environment wants something other than an action next, a request.
Must not: know gold, read the clock, or emit anything a model wrote without cleaning it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import orjson

from mosaic_env.core.errors import MosaicError
from mosaic_env.core.types import Observation, Shown, ToolResult
from mosaic_env.envs.config import EnvConfig
from mosaic_env.envs.state import EpisodeState
from mosaic_env.index.world import World
from mosaic_env.tools.rows import clean

OBSERVATION_VERSION = 1
#: The longest line of one call: no model reads more, and observations stay inside their space.
MAX_LINE_BYTES = 2**21

MEMORY_REQUEST = (
    "Write your memory now, as plain text without tags: it replaces the old one and is all that stays of "
    "older rounds. Calls and answers are not read in this turn. Keep it under {lines}: goal, status, what "
    "blocks you, facts found with the evidence, candidates, dead ends, and what the key pictures show. No "
    "plans, only what the results support. This costs no budget."
)
ANSWER_REQUEST = "The budget is spent. No tool runs any more: give your final answer now."


def _encode(line: dict[str, object]) -> str:
    """Return one line of JSON: no spaces, text as it is.

    Raises: TypeError for what JSON cannot hold, ValueError for too much of it (a tool's mistakes).
    """
    data = orjson.dumps(line)
    if len(data) > MAX_LINE_BYTES:
        raise ValueError(f"the line has {len(data)} bytes")
    if b"null" in data and _holds_nan(line):  # which orjson writes as null
        raise TypeError("NaN and infinity are not JSON")
    return data.decode("utf-8")


def _holds_nan(value: object) -> bool:
    if isinstance(value, Mapping):
        return any(map(_holds_nan, value.values()))
    if isinstance(value, (list, tuple)):
        return any(map(_holds_nan, value))
    return isinstance(value, float) and not math.isfinite(value)


def placeholder(handle: str) -> str:
    """Return the line that stands for an attached picture."""
    return f"[image {handle}]"


def envelope(number: int, tool: str, result: ToolResult, warnings: Sequence[str]) -> str:
    """Return the line of one call: number, tool, ok, then data or error, then warnings."""
    line: dict[str, object] = {"call": number, "tool": tool, "ok": result.error is None}
    if result.error is None:
        line["data"] = result.data
    else:
        line["error"] = result.error
    if warnings:
        line["warnings"] = list(warnings)
    return _encode(line)


def issue_line(code: str, message: str, hint: str, tool: str = "") -> str:
    """Return the line of a part of the text that could not be read as a call."""
    error = {"code": code, "message": clean(message, 300), "hint": clean(hint, 300)}
    return _encode(
        {"tool": clean(tool), "ok": False, "error": error} if tool else {"ok": False, "error": error}
    )


def dropped_line(tools: Sequence[str], why: str) -> str:
    """Return the line that reports calls which did not run."""
    return _encode({"dropped": [clean(tool) for tool in tools], "why": why})


def ledger_line(state: EpisodeState, config: EnvConfig) -> str:
    """Return the ledger: interactions used and left, calls allowed in each, pictures left."""
    if config.interactions is None:
        text = f"[budget] interactions used {state.interactions}, no limit"
    else:
        left = max(config.interactions - state.interactions, 0)
        text = f"[budget] interactions used {state.interactions} of {config.interactions}, left {left}"
    calls = config.calls_per_interaction
    text += "; calls each: no limit" if calls is None else f"; calls each: up to {calls}"
    if config.max_total is not None:
        text += f"; pictures left {max(config.max_total - sum(state.attached.values()), 0)}"
    for tool, limit in config.tool_limits.items():
        text += f"; {tool} left {max(limit - state.tool_calls.get(tool, 0), 0)}"
    return text


def question_text(state: EpisodeState, config: EnvConfig, handles: Sequence[str]) -> str:
    """Return the text of the first observation."""
    lines = [f"Question: {state.task.question}", *(placeholder(handle) for handle in handles)]
    lines.append(ledger_line(state, config))
    if state.phase == "answer_only":
        lines.append(ANSWER_REQUEST)
    return "\n".join(lines)


class Attached(NamedTuple):
    """The pictures of an observation.

    Args:
        shown: Each handle at most once.
        left_out: How many the limits left out.
        unreadable: How many could not be read: a fault of the environment.
    """

    shown: tuple[Shown, ...]
    left_out: int = 0
    unreadable: int = 0


def attach(
    wanted: Sequence[tuple[str, bool]], state: EpisodeState, config: EnvConfig, world: World
) -> Attached:
    """Choose the pictures of an observation, in order, under the picture policy, and read them.

    Args:
        wanted: (handle, again): ``again`` attaches a picture that was attached before.
    """
    shown: list[Shown] = []
    if not config.image_obs:
        return Attached((), 0, 0)
    attached, left_out, unreadable = state.attached, 0, 0
    here: set[str] = set()
    total = sum(attached.values()) if config.max_total is not None else 0
    for handle, again in wanted:
        if handle in here or (handle in attached and not again):
            continue
        here.add(handle)
        full = config.max_new is not None and len(shown) >= config.max_new
        if full or (config.max_total is not None and total >= config.max_total):
            left_out += 1
            continue
        picture = state.handles.pictures[handle].picture
        try:  # here, where a damaged or missing file is still an observation; what is read stays in memory
            if config.max_side is not None:
                picture = world.images.reduced(picture, config.max_side)
            world.images.encoded(picture)
        except MosaicError:
            unreadable += 1
            continue
        shown.append(Shown(handle, picture))
        attached[handle] = attached.get(handle, 0) + 1
        total += 1
    return Attached(tuple(shown), left_out, unreadable)


def observation(lines: list[str], pictures: Attached, tail: Sequence[str]) -> Observation:
    """Put an observation together from its lines, pictures and closing lines."""
    shown, left_out = pictures.shown, pictures.left_out
    if shown:
        lines = [*lines, *(placeholder(item.handle) for item in shown)]
    if left_out:
        more = "more picture was" if left_out == 1 else "more pictures were"
        lines = [*lines, f"[{left_out} {more} not attached; view_image shows one by its handle]"]
    if pictures.unreadable:
        lines = [*lines, f"[pictures that could not be read: {pictures.unreadable}; this is not your fault]"]
    return Observation("\n".join([*lines, *tail]), shown)
