"""What a failing test prints: short, aligned, hostile text made visible, and how to go on."""

from __future__ import annotations

from collections.abc import Sequence

from mosaic_env.core.words import counted
from mosaic_env.testing.blame import Verdict
from mosaic_env.testing.match import Change, shown, table
from mosaic_env.testing.recording import Exchange
from mosaic_env.testing.trials import Flips


def mismatch(title: str, change: Change, verdict: Verdict, accept: str) -> str:
    """Return the report of a run that differs from its golden."""
    recorded, now = change.steps
    steps = counted(recorded, "step")
    lengths = steps if recorded == now else f"{steps} recorded, {now} now"
    head = f"{shown(title)} differs from its golden at step {change.step} ({lengths})"
    return "\n".join([head, str(verdict), "", table(change), "", _accept(accept)])


def missed(title: str, miss: Exchange, change: Change | None, verdict: Verdict, accept: str) -> str:
    """Return the report of a question to a model that is not in the recording."""
    head = (
        f"{shown(title)} asks the model {miss.model!r} something at step {miss.step} that is not in the "
        "recording"
    )
    calls = ["", table(change)] if change else []
    live = "to ask the real model: --mosaic-live"
    return "\n".join([head, str(verdict), *calls, "", live, _accept(accept)])


def missing(title: str, file: str, known: Sequence[str], accept: str) -> str:
    """Return the report of a golden that does not exist."""
    there = f"goldens/{file} " + (
        "holds " + ", ".join(map(repr, known)) if known else "does not exist or is empty"
    )
    return (
        f"{shown(title)} has no golden: {there}\nto make it, look at what the agent does, then run: {accept}"
    )


def flipped(title: str, flips: Flips, verdict: Verdict, accept: str) -> str:
    """Return the report of trials in which the agent got worse, or tasks are missing."""
    found = []
    if flips.lost:
        found.append(f"solved in every trial before and in none now: {counted(len(flips.lost), 'task')}")
    if flips.noisy and (flips.lost or flips.fell):
        found.append(f"as few solved trials come by chance with probability {flips.chance:.2g}")
    if flips.gone:
        found.append(f"not tried any more: {counted(len(flips.gone), 'task')}")
    return "\n".join(
        [f"{shown(title)}: {'; '.join(found)}", str(verdict), "", str(flips), "", _accept(accept)]
    )


def _accept(command: str) -> str:
    return f"to accept what came now: {command}"
