"""Calls that were written and did not run: what their records keep, and how many they are."""

from __future__ import annotations

from collections.abc import Iterable

from mosaic_env.core.types import CallRecord, Malformed, ToolCall

_CODE, _KEPT = "too_many_calls", "ignored"


def ignored(item: ToolCall | Malformed) -> dict[str, int]:
    """Return what the record of too many calls keeps as arguments: how many the parser ignored."""
    return {_KEPT: item.count} if isinstance(item, Malformed) and item.code == _CODE else {}


def count_dropped(calls: Iterable[CallRecord]) -> int:
    """Return how many calls did not run: those beyond the budget, after an answer, or ignored."""
    return sum(map(_dropped, calls))


def _dropped(call: CallRecord) -> int:
    if call.status == "dropped":  # nothing else is kept of a dropped call
        return int(call.arguments.get(_KEPT, 1))
    return int(call.arguments.get(_KEPT, 0)) if call.code == _CODE and not call.tool else 0
