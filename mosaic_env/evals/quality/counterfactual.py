"""Counterfactual pairs: the same task in two worlds that differ in what a picture shows.

Who gets both right looked at the picture: who answers from the question or from texts says the same
twice, and is wrong at least once. A pair is two setups whose sources know one key; ``overlaid`` makes the
changed one from a world, or an overlay of one. ``pairs`` makes them from generated tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from mosaic_env.agents.base import Agent
from mosaic_env.core.errors import TaskError
from mosaic_env.core.types import Gold, Task
from mosaic_env.envs.engine import Engine
from mosaic_env.envs.setup import Setup
from mosaic_env.evals.quality.difference import Paired, paired
from mosaic_env.evals.quality.play import play_tasks
from mosaic_env.evals.stats import wilson
from mosaic_env.index.world import World
from mosaic_env.scoring.score import score
from mosaic_env.tasks.source import TaskSource, get_pair

#: Returns for each key of a setup whether it was solved.
Solver = Callable[[Setup, Sequence[str]], Sequence[bool]]


@dataclass(frozen=True)
class Pair:
    """A task in its original world and in a changed one.

    Args:
        key: The task's key, in both sources.
        original, changed: World, tasks and rules before and after the change.
        kind: What was changed: ``attribute`` or ``cue``; empty when nobody says.
    """

    key: str
    original: Setup
    changed: Setup
    kind: str = ""


class OneTask:
    """A source of one task: one side of a pair.

    Args:
        task, gold: The task after the change.
        scenes: By picture digest, what the changed pictures show.
        source: Knows what the other pictures show.
    """

    def __init__(self, task: Task, gold: Gold, scenes: Mapping[str, Any], source: TaskSource) -> None:
        self._pair, self._scenes, self._source = (task, gold), scenes, source
        self.world = source.world

    def keys(self) -> Sequence[str]:
        """Return the one key."""
        return (self._pair[0].key,)

    def get(self, key: str) -> tuple[Task, Gold]:
        """Return the task and its gold.

        Raises: TaskError (ME-TASK-01).
        """
        if key != self._pair[0].key:
            raise TaskError("ME-TASK-01", f"there is no task {key!r}", expected=self._pair[0].key)
        return self._pair

    def scene(self, digest: str) -> Any:
        """Return what a picture shows, or None."""
        if digest in self._scenes:
            return self._scenes[digest]
        read = getattr(self._source, "scene", None)
        return None if read is None else read(digest)


def overlaid(setup: Setup, world: World, source: TaskSource) -> Setup:
    """Return a setup with the same rules and tools in another world.

    Args:
        world: Has everything of ``World``; an overlay may answer for the changed picture itself and leave the
            rest to the original.
    """
    engine = Engine(setup.config, world, setup.engine.tools)
    return replace(setup, world=world, source=source, engine=engine)


@dataclass(frozen=True)
class PairReport:
    """How often both tasks of a pair were solved.

    Args:
        counts: Pairs solved both times, only before the change, only after it, never.
        low, high: The 95 % interval (Wilson) of the share that was solved both times.
        kinds: The counts of each kind of pair.
    """

    counts: Paired
    low: float
    high: float
    kinds: Mapping[str, Paired] = field(default_factory=dict)

    @property
    def share(self) -> float:
        """The share of pairs that were solved both times, 0.0 without pairs."""
        return self.counts.both / self.counts.n if self.counts.n else 0.0


def both_right(
    pairs: Iterable[Pair], solver: Solver, say: Callable[[int, int], None] | None = None
) -> PairReport:
    """Let a solver play both tasks of each pair.

    Args:
        solver: See ``by_agent`` and ``by_answer``.
        say: Called with (done, total) in pairs.

    Raises: TaskError (ME-TASK-05) when the change leaves the right answer as it was: such a pair shows nothing.
    """
    listed = list(pairs)
    for pair in listed:
        check_pair(pair)
    outcomes = []
    for done, pair in enumerate(listed, start=1):
        before, after = (solver(setup, [pair.key])[0] for setup in (pair.original, pair.changed))
        outcomes.append((before, after))
        if say is not None:
            say(done, len(listed))
    counts = paired(outcomes)
    named = list(zip((pair.kind for pair in listed), outcomes, strict=True))
    kinds = {
        kind: paired(found for name, found in named if name == kind)
        for kind in sorted({pair.kind for pair in listed})
    }
    return PairReport(counts, *wilson(counts.both, counts.n), kinds)


def check_pair(pair: Pair) -> None:
    """Check that the question stayed the same and that neither right answer is right for the other.

    Raises: TaskError (ME-TASK-05).
    """
    if wrong := fault_of(pair):
        raise TaskError(
            "ME-TASK-05", f"the counterfactual pair {pair.key} {wrong}",
            expected="one question with two answers",
        )  # fmt: skip


def fault_of(pair: Pair) -> str:
    """Return what is wrong with a pair, or ``""``; the scorer says which answers are right."""
    before, after = (get_pair(setup.source, pair.key) for setup in (pair.original, pair.changed))
    if before[0].question != after[0].question:
        return "asks two questions"
    sides = ((before[1], after[1]), (after[1], before[1]))
    if any(score(one.answer, other, before[0].question).value == "yes" for one, other in sides):
        return "has one answer that is right both times"
    return ""


def by_agent(agent: Callable[[Any], Agent]) -> Solver:
    """Return a solver that plays with an agent; it has solved a task whose answer is right within budget."""

    def solve(setup: Setup, keys: Sequence[str]) -> list[bool]:
        played = play_tasks(setup, keys, agent)
        return [played[key].solved for key in keys]

    return solve


def by_answer(answers: Callable[[Setup, str], Sequence[str]]) -> Solver:
    """Return a solver that answers without playing: a constant guess or another attacker.

    Args:
        answers: Returns the answers to the task of a key; one right one is enough.
    """

    def solve(setup: Setup, keys: Sequence[str]) -> list[bool]:
        solved = []
        for key in keys:
            task, gold = get_pair(setup.source, key)
            given = answers(setup, key)
            solved.append(any(score(one, gold, task.question).value == "yes" for one in given))
        return solved

    return solve
