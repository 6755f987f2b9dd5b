"""Which side moved: the test, the world, the library, the model or the agent. Decided by evidence.

In this order: was something else asked for; is the world another one; do the recorded actions, replayed
here, give the same bytes; did the model get the same input; did it give the same output. A version that
changed while every byte stayed the same explains nothing and is only mentioned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from mosaic_env.core.errors import EpisodeError, TaskError
from mosaic_env.envs.replay import differences, replay
from mosaic_env.envs.setup import Setup
from mosaic_env.testing.golden import Circumstances, GoldenRun
from mosaic_env.testing.match import first_changed_value, shown
from mosaic_env.testing.recording import Exchange

Side = Literal["test", "world", "library", "model", "agent", "agent or model"]

WRAP = "agent (or the model it calls; wrap it with mosaic.model to tell them apart)"


@dataclass(frozen=True)
class Verdict:
    """The side that moved.

    Args:
        side: Its name.
        evidence: What shows it, one sentence each.
    """

    side: Side
    evidence: tuple[str, ...]

    def __str__(self) -> str:
        side = WRAP if self.side == "agent or model" else self.side
        return "\n".join([f"moved: {side}", *(f"  because {reason}" for reason in self.evidence)])


def compare_circumstances(recorded: Circumstances, now: Circumstances) -> Verdict | None:
    """Return the side that moved when it shows without playing: test, world, configuration."""
    if dict(recorded.asked) != dict(now.asked):
        return Verdict("test", (f"the test asks for another episode: {_changed(recorded.asked, now.asked)}",))
    if recorded.world != now.world:
        ids = f"the golden was recorded in the world {recorded.world[:19]}…, this one is {now.world[:19]}…"
        return Verdict("world", (ids,))
    if recorded.task != now.task:
        return Verdict("world", (f"the same arguments draw the task {now.task}, before {recorded.task}",))
    if dict(recorded.config) != dict(now.config):
        what = _changed(recorded.config, now.config)
        return Verdict("library", (f"the same arguments give another configuration: {what}",))
    return None


def compare_library(recorded: Circumstances, now: Circumstances) -> Verdict | None:
    """Return ``library`` when the agent is told something else by the same configuration."""
    if recorded.prompt == now.prompt:
        return None
    return Verdict(
        "library", ("the system prompt of the same configuration has changed", *versions(recorded, now))
    )


def versions(recorded: Circumstances, now: Circumstances) -> tuple[str, ...]:
    """Return a sentence for each tool whose version changed."""
    names = sorted({*recorded.tools, *now.tools})
    pairs = [(name, recorded.tools.get(name), now.tools.get(name)) for name in names]
    return tuple(
        f"{name} had version {old or 'none'}, now {new or 'none'}" for name, old, new in pairs if old != new
    )


def blame(
    golden: GoldenRun, now: Circumstances, setup: Setup, exchanges: tuple[Sequence[Exchange], Sequence[Exchange]],
    *, step: int, release: tuple[str, str],
) -> Verdict:  # fmt: skip
    """Return the side that moved.

    Args:
        golden: The recorded run.
        now: What this run depended on.
        setup: The environment of this run.
        exchanges: The model's recorded exchanges of this episode, and those of this run.
        step: Number of the first step that differs.
        release: The versions of mosaic_env, then and now.

    Cost: one replay of the recorded episode.
    """
    recorded = golden.circumstances
    found = compare_circumstances(recorded, now)
    if found is not None and found.side == "test":
        return found
    replayed = _replay(golden, setup)
    if found is not None:
        return Verdict(found.side, (*found.evidence, *([replayed[1]] if replayed else ())))
    changed = versions(recorded, now)
    if release[0] != release[1]:
        changed = (*changed, f"mosaic_env was {release[0]}, now {release[1]}")
    if replayed is not None:
        return Verdict(replayed[0], (replayed[1], *changed))
    told = compare_library(recorded, now)
    if told is not None:
        return told
    same = "the recorded actions, replayed here, give the same bytes: neither world nor library moved"
    innocent = tuple(f"{change}, which changes no byte of this episode" for change in changed)
    verdict = compare_exchanges(*exchanges, step=step)
    return Verdict(verdict.side, (same, *verdict.evidence, *innocent))


def _replay(golden: GoldenRun, setup: Setup) -> tuple[Side, str] | None:
    """Replay the recorded actions; return the side that moved and why, or None when no byte differs."""
    try:
        again = replay(golden.episode, setup)
    except (EpisodeError, TaskError) as error:
        return "world", f"the recorded task is not here any more: {error.what}"
    # What the agent saw says more than what was noted about it.
    order = sorted(differences(golden.episode, again), key=lambda d: (d.step, "observation" not in d.part))
    if not order:
        return None
    first = order[0]
    unsteady = [n for n, s in enumerate(golden.episode.steps[: first.step], start=1) if not s.reproducible]
    note = f"; step {unsteady[0]} had hit a wall-clock limit" if unsteady else ""
    return "library", f"the recorded actions, replayed here, differ at {shown(str(first), 240)}{note}"


def compare_exchanges(recorded: Sequence[Exchange], now: Sequence[Exchange], *, step: int) -> Verdict:
    """Tell agent and model apart by what the model was asked and what it said, up to a step.

    Args:
        recorded, now: The exchanges of one episode, in order.
        step: Number of the first step that differs; what was said later is a consequence.
    """
    recorded = [exchange for exchange in recorded if exchange.step <= step]
    now = [exchange for exchange in now if exchange.step <= step]
    if not now:
        gone = ("the agent asks no wrapped model any more",) if recorded else ()
        return Verdict("agent" if recorded else "agent or model", gone)
    if not recorded:
        return Verdict("agent or model", ("the golden holds no exchanges of this episode with a model",))
    earlier = _first_divergence(recorded, now)
    told = _told(now, step)
    if told and told == _told(recorded, step):
        same = (
            f"what the model was asked and said for step {step} is what was recorded; the action is another"
        )
        note = (f"before it, {earlier.evidence[0]}",) if earlier else ()
        return Verdict("agent", (same, *note))
    if earlier is not None:
        return earlier
    return Verdict("agent", ("every question to the model and every answer is the recorded one",))


def _first_divergence(recorded: Sequence[Exchange], now: Sequence[Exchange]) -> Verdict | None:
    for number, (old, new) in enumerate(zip(recorded, now, strict=False), start=1):
        where = f"question {number} to the model (step {new.step})"
        if old.model != new.model:
            return Verdict("agent", (f"{where} goes to {new.model!r}, before to {old.model!r}",))
        if old.input != new.input:
            change = _changed(old.input, new.input)
            return Verdict("agent", (f"{where} is another one: {change}",))
        if old.output != new.output:
            _, was, is_ = first_changed_value(old.output, new.output)
            same = f"{where} is the recorded one and its answer is not: was {was}, now {is_}"
            return Verdict("model", (same,))
    if len(recorded) == len(now):
        return None
    return Verdict("agent", (f"questions to the model: {len(recorded)} recorded, {len(now)} now",))


def _told(exchanges: Sequence[Exchange], step: int) -> list[tuple[str, Any]]:
    return [(exchange.key, exchange.output) for exchange in exchanges if exchange.step == step]


def _changed(recorded: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    where, was, is_ = first_changed_value(dict(recorded), dict(now))
    return f"{where} was {was}, now {is_}"
