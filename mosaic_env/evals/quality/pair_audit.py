"""The audit of sight: which agents get both halves of counterfactual pairs right.

An honest agent with pictures does. Who guesses, or reads texts only, answers both halves of a pair alike, and
the right answer is another one: chance alone would get both with the square of its rate. That square, of the
best constant guess, is the bar for agents without sight.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from mosaic_env.agents.base import Agent, play
from mosaic_env.agents.oracle import OracleAgent
from mosaic_env.envs.core import SearchEnv
from mosaic_env.envs.setup import Setup
from mosaic_env.evals.quality.attackers import Strategy, no_search, text_only
from mosaic_env.evals.quality.cases import Case, KeptSource, Sight, gather
from mosaic_env.evals.quality.counterfactual import Pair, Solver, both_right, by_agent, by_answer
from mosaic_env.evals.quality.difference import Paired
from mosaic_env.evals.quality.knowledge import Knowledge, example
from mosaic_env.evals.quality.play import Progress
from mosaic_env.evals.quality.report import SURE, Verdict
from mosaic_env.evals.stats import wilson
from mosaic_env.tasks.source import get_pair

#: The least share of pairs that the oracle has to get right.
ORACLE = 0.99


@dataclass(frozen=True)
class PairLine:
    """What one agent got right.

    Args:
        name, what: For people.
        counts: Pairs solved both times, only before the change, only after it, never.
        kinds: The same for each kind of pair.
        low, high: The 95 % interval (Wilson) of the share solved both times.
        bar: What the share has to be, as text; empty for an agent that is only measured.
        verdict: Whether it is; empty without a bar.
    """

    name: str
    what: str
    counts: Paired
    kinds: Mapping[str, Paired]
    low: float
    high: float
    bar: str
    verdict: Verdict | Literal[""]

    @property
    def share(self) -> float:
        """The share of pairs solved both times, 0.0 without pairs."""
        return self.counts.both / self.counts.n if self.counts.n else 0.0


@dataclass(frozen=True)
class PairAudit:
    """An audit of sight.

    Args:
        environment: Environment id.
        world, snapshot: The world's name and the snapshot's id.
        pairs: How many pairs of each kind were played.
        chance: The share of single tasks, before and after the change, that the best constant guess of each
            type of question gets right, in hindsight.
        lines: The agents.
    """

    environment: str
    world: str
    snapshot: str
    pairs: Mapping[str, int]
    chance: float
    lines: tuple[PairLine, ...]

    @property
    def failed(self) -> tuple[str, ...]:
        """Names of the agents whose check fails."""
        return tuple(line.name for line in self.lines if line.verdict == "fail")

    @property
    def unclear(self) -> tuple[str, ...]:
        """Names of the agents whose check too few pairs leave open."""
        return tuple(line.name for line in self.lines if line.verdict == "unclear")

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        lines = [{**asdict(line), "share": line.share} for line in self.lines]
        return {**asdict(self), "lines": lines}


def audit_pairs(
    pairs: Sequence[Pair],
    *,
    agents: Mapping[str, Callable[[Any], Agent]] | None = None,
    environment: str = "",
    progress: Progress | None = None,
) -> PairAudit:
    """Let the oracle, agents without sight and agents of one's own play pairs.

    The oracle passes with 99 % of the pairs. An agent without sight passes when the upper one-sided 95 % bound
    of its share is at most ``chance`` squared, fails when the lower 99 % bound is above that, and is
    ``unclear`` between the two: there are too few pairs to tell. Agents of one's own are measured, not judged.

    Args:
        pairs: At least one; see ``make_pairs``.
        agents: By name: makes an agent for an environment.
        environment: The environment's id, for the report.
        progress: Called with (what, done, total).

    Determinism: a pure function of the pairs, and of the agents.
    Cost: two episodes a pair and agent; agents without sight make some searches instead.
    """
    say = progress or (lambda what, done, total: None)
    oracle = _line("oracle", "knows the chain, searches and looks", pairs, by_agent(OracleAgent), say)
    known = _hindsight(pairs)
    blind = [_line(name, what, pairs, _blind(known, how), say) for name, what, how in _BLIND]
    chance = _single(blind[0].counts)
    own = [_line(name, "", pairs, by_playing(make), say) for name, make in (agents or {}).items()]
    setup, kinds = pairs[0].original, sorted({pair.kind for pair in pairs})
    return PairAudit(
        environment, setup.world.name, setup.snapshot_id,
        {kind: sum(pair.kind == kind for pair in pairs) for kind in kinds}, chance,
        (_sighted(oracle), *(by_chance(line, chance) for line in blind), *own),
    )  # fmt: skip


def by_playing(make: Callable[[Any], Agent]) -> Solver:
    """Return a solver that plays with a new agent in a real environment each time: an agent may ask it anything."""

    def solve(setup: Setup, keys: Sequence[str]) -> list[bool]:
        solved = []
        for key in keys:
            env = SearchEnv(setup)
            solved.append(play(env, make(env), seed=0, task=key).success)
        return solved

    return solve


# --- verdicts ---------------------------------------------------------------------------------------


def _line(name: str, what: str, pairs: Sequence[Pair], solver: Solver, say: Progress) -> PairLine:
    """Return what an agent got right, not yet judged."""
    report = both_right(pairs, solver, lambda done, total: say(name, done, total))
    return PairLine(name, what, report.counts, report.kinds, report.low, report.high, "", "")


def _sighted(line: PairLine) -> PairLine:
    verdict: Verdict = "pass" if line.counts.both >= ORACLE * line.counts.n else "fail"
    return replace(line, bar=f"≥ {ORACLE:.0%}", verdict=verdict)


def by_chance(line: PairLine, chance: float) -> PairLine:
    """Return the line of an agent without sight, judged by the square of chance."""
    bar, both, n = chance**2, line.counts.both, line.counts.n
    upper, lower = wilson(both, n, 0.9)[1], wilson(both, n, 2 * SURE - 1)[0]
    verdict: Verdict = "pass" if upper <= bar else "fail" if lower > bar else "unclear"
    return replace(line, bar=f"≤ {100 * bar:.2f} %", verdict=verdict)


def _single(counts: Paired) -> float:
    """Return the share of single tasks that were solved, before and after the change."""
    return (2 * counts.both + counts.first + counts.second) / (2 * counts.n) if counts.n else 0.0


# --- agents without sight ---------------------------------------------------------------------------


def _constant(case: Case, known: Knowledge, sight: Sight) -> tuple[str, ...]:
    return ()


_BLIND: tuple[tuple[str, str, Strategy], ...] = (
    ("constant guess", "the best constant guess of each type of question", _constant),
    ("question only", "a possible answer that stands in the question", no_search),
    ("text only", "a possible answer in the texts at the chain's end, or of one search", text_only),
)


def _hindsight(pairs: Sequence[Pair]) -> Knowledge:
    """Return what may be learnt from both halves of all pairs: the best constants there are."""
    setups = [(pair.key, setup) for pair in pairs for setup in (pair.original, pair.changed)]
    return Knowledge([example(*get_pair(setup.source, key)) for key, setup in setups])


def _blind(known: Knowledge, strategy: Strategy) -> Solver:
    """Return a solver that follows a strategy; where it finds no answer, it guesses the constant."""

    def answers(setup: Setup, key: str) -> Sequence[str]:
        (case,) = gather(setup, [key], pictures=False)
        found = strategy(case, known, Sight(setup.world.kb, KeptSource(setup.source)))
        return found or known.guesses(case.kind)

    return by_answer(answers)
