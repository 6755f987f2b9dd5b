"""Which tools were called and how the calls ended, by level, tool and modality."""

from __future__ import annotations

from collections.abc import Sequence

from mosaic_env.core.types import CallRecord
from mosaic_env.evals.metrics.groups import level_groups
from mosaic_env.evals.records import Scored
from mosaic_env.evals.tables import Cell, Table

#: Calls of a name that the environment does not have, and parts that name none: a policy may write anything there.
UNKNOWN = "(no such tool)"
UNREADABLE = "(unreadable)"
_MODALITIES = {
    "text": "words to texts",
    "text_to_image": "words to pictures",
    "image": "picture to pictures",
    "graph": "graph",
}
_STATES = ("ok", "error", "dropped")


def tool_name(one: Scored, call: CallRecord) -> str:
    """Return the name of a call's tool if the environment has it, else what is wrong with it."""
    if not call.tool or call.tool == UNREADABLE:
        return UNREADABLE
    return call.tool if call.tool in one.episode.config.get("tools", ()) else UNKNOWN


def tool_table(scored: Sequence[Scored]) -> Table:
    """Return the calls of each tool: how many, how they ended, their share, and the episodes that use it."""
    rows: list[tuple[Cell, ...]] = []
    for level, ones in level_groups(scored).items():
        calls = [(tool_name(one, call), one, call) for one in ones for call in _calls(one)]
        for tool in sorted({name for name, _, _ in calls}):
            mine = [(one, call) for name, one, call in calls if name == tool]
            ended = [sum(call.status == state for _, call in mine) for state in _STATES]
            users = len({id(one) for one, _ in mine})
            rows.append(
                (level, tool, len(mine), *ended, share(len(mine), len(calls)), share(users, len(ones)))
            )
    note = "Calls as the policy wrote them, dropped ones included. Episodes: the share that has a call of the tool."
    columns = ("Tasks", "Tool", "Calls", "ok", "error", "dropped", "Of calls", "Episodes")
    return Table("tools", "Tool use", columns, tuple(rows), note)


def modality_table(scored: Sequence[Scored]) -> Table:
    """Return which ways to search were used, among searches that returned something."""
    rows: list[tuple[Cell, ...]] = []
    for level, ones in level_groups(scored).items():
        used = [
            call.modality for one in ones for call in _calls(one) if call.status == "ok" and call.modality
        ]
        for modality in [*_MODALITIES, *sorted(set(used) - _MODALITIES.keys())]:
            count = used.count(modality)
            if count:
                rows.append((level, _MODALITIES.get(modality, modality), count, share(count, len(used))))
    columns = ("Tasks", "Search", "Calls", "Of searches")
    return Table("modalities", "Ways to search", columns, tuple(rows))


def share(count: int, total: int) -> str:
    """Return a share of things that depend on each other, so without an interval."""
    return f"{100 * count / total:.1f} %" if total else "–"


def _calls(one: Scored) -> list[CallRecord]:
    return [call for step in one.episode.steps for call in step.calls]
