"""What is compared of two episodes at each match level, and how a difference is shown.

``text``     every action, byte for byte
``calls``    per step: tools, canonical arguments, answer; thoughts and memory texts do not count
``outcome``  verdict and reward of the episode
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from mosaic_env.core.canon import canonical_arguments
from mosaic_env.core.errors import nearest
from mosaic_env.core.types import Step
from mosaic_env.core.words import counted
from mosaic_env.envs.episode import Episode
from mosaic_env.guard.html import visible
from mosaic_env.testing.errors import HarnessError

Match = Literal["text", "calls", "outcome"]
MATCHES = ("text", "calls", "outcome")
#: One compared step: values by label, in the order in which they are shown.
Parts = Mapping[str, Any]

_CELL = 44
_ROWS = 24
_ABSENT = object()


@dataclass(frozen=True)
class Change:
    """The first step at which two episodes differ.

    Args:
        step: Its number, from 1.
        steps: How many steps were recorded, and how many there are now.
        recorded, now: The step's compared parts; empty when there is no such step.
    """

    step: int
    steps: tuple[int, int]
    recorded: Parts
    now: Parts


def check_match(match: str) -> None:
    """Refuse an unknown match level.

    Raises: HarnessError (ME-TESTING-01).
    """
    if match not in MATCHES:
        raise HarnessError(
            "ME-TESTING-01", f"there is no match level {match!r}", expected="one of " + ", ".join(MATCHES),
            nearest=nearest(match, MATCHES),
        )  # fmt: skip


def first_change(recorded: Episode, now: Episode, match: Match) -> Change | None:
    """Return where two episodes first differ at a level, or None."""
    steps = len(recorded.steps), len(now.steps)
    if match == "outcome":
        one, other = _outcome(recorded), _outcome(now)
        return None if one == other else Change(max(steps[1], 1), steps, one, other)
    read = _text if match == "text" else _calls
    for number in range(max(steps)):
        old = read(recorded.steps[number]) if number < steps[0] else {}
        new = read(now.steps[number]) if number < steps[1] else {}
        if old != new:
            return Change(number + 1, steps, old, new)
    return None


def _outcome(episode: Episode) -> Parts:
    verdict = episode.steps[-1].verdict if episode.steps else ""
    return {"verdict": verdict, "reward": episode.reward}


def _text(step: Step) -> Parts:
    return {"structured": step.structured, "action": step.action}


def _calls(step: Step) -> Parts:
    parts: dict[str, Any] = {"phase": step.phase}
    for number, call in enumerate(step.calls, start=1):
        dropped = " (dropped)" if call.status == "dropped" else ""
        parts[f"call {number}"] = (call.tool or f"({call.code})") + dropped
        for name, value in canonical_arguments(call.arguments).items():
            parts[f"call {number}, {name}"] = value
    if step.answer is not None:
        parts["answer"] = step.answer.strip()
    return parts


# --- showing ------------------------------------------------------------------------------------------


def table(change: Change) -> str:
    """Return a difference as aligned columns, recorded and now; ``*`` marks changes."""
    labels = list(dict.fromkeys([*change.recorded, *change.now]))
    rows = [("", f"step {change.step}", "recorded", "now")]
    for label in sorted(labels, key=_order):
        old, new = change.recorded.get(label, _ABSENT), change.now.get(label, _ABSENT)
        rows.append(("" if old == new else "*", shown(label, 30), *cells(old, new)))
    if len(rows) > _ROWS:
        rows = [*rows[:_ROWS], ("", "…", counted(len(rows) - _ROWS, "more row"), "")]
    return columns(rows)


def _order(label: str) -> tuple[int, int]:
    """Sort calls by number and the answer last, whichever side has them."""
    kind, _, rest = label.partition(" ")
    number = rest.partition(",")[0]
    return (1, int(number)) if kind == "call" and number.isdecimal() else (2 if label == "answer" else 0, 0)


def columns(rows: Iterable[tuple[str, ...]]) -> str:
    """Return rows as text with aligned columns."""
    listed = list(rows)
    widths = [max(len(row[n]) for row in listed) for n in range(len(listed[0]))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in listed)
    return "\n".join("  " + line.rstrip() for line in lines)


def cells(old: Any, new: Any) -> tuple[str, str]:
    """Return two values as short visible texts, cut so that their first difference is shown."""
    mixed = isinstance(old, str) != isinstance(new, str)
    one, other = _written(old, quoted=mixed), _written(new, quoted=mixed)
    if len(one) <= _CELL and len(other) <= _CELL:
        return one, other
    return _window(one, other), _window(other, one)


def _written(value: Any, *, quoted: bool) -> str:
    if value is _ABSENT:
        return "-"
    bare = isinstance(value, str) and value.isprintable() and not quoted
    return visible(value if bare else json.dumps(value, ensure_ascii=False))


def _window(text: str, other: str) -> str:
    start = max(first_difference(text, other) - _CELL // 3, 0)
    part = text[start : start + _CELL]
    return ("…" if start else "") + part + ("…" if start + _CELL < len(text) else "")


def first_difference(one: str, other: str) -> int:
    """Return the position of the first character that differs."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))


def shown(text: str, limit: int = 120) -> str:
    """Return a text fit for one line of a report: controls visible, cut to a length."""
    line = visible(text).replace("\n", "⟨U+000A⟩").replace("\t", "⟨U+0009⟩")
    return line if len(line) <= limit else line[: limit - 1] + "…"


def first_changed_value(recorded: Any, now: Any, where: str = "") -> tuple[str, str, str]:
    """Return where two JSON values first differ: the place, and both values as short texts."""
    if isinstance(recorded, dict) and isinstance(now, dict):
        for key in dict.fromkeys([*recorded, *now]):
            old, new = recorded.get(key, _ABSENT), now.get(key, _ABSENT)
            if old != new:
                return first_changed_value(old, new, f"{where}.{key}" if where else key)
    if isinstance(recorded, list) and isinstance(now, list):
        for number in range(max(len(recorded), len(now))):
            old = recorded[number] if number < len(recorded) else _ABSENT
            new = now[number] if number < len(now) else _ABSENT
            if old != new:
                return first_changed_value(old, new, f"{where}[{number}]")
    return where, *cells(recorded, now)
