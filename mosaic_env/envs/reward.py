"""Rewards: the only part of an environment that holds gold.

Deterministic: the scorer's verdict on the final-answer channel, and further terms that weigh nothing
until asked for. Nothing here quotes gold: reasons are codes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mosaic_env.core.types import CallRecord, Gold, Task
from mosaic_env.envs.state import EpisodeState
from mosaic_env.scoring.score import Verdict, score
from mosaic_env.scoring.terms import evidence_recall, hop_progress


@dataclass(slots=True)
class Judged:
    """The reward of one step.

    Args:
        reward: The weighted sum.
        terms: Every term, unweighted.
        verdict: The scorer's verdict, or None when no answer was given.
    """

    reward: float
    terms: Mapping[str, float]
    verdict: Verdict | None


class Reward:
    """Judges the steps of one episode.

    Args:
        task, gold: The task and its gold.
        weights: Weight of each term.
    """

    def __init__(self, task: Task, gold: Gold, weights: Mapping[str, float]) -> None:
        self._task = task
        self._gold = gold
        self._weights = weights

    def judge(
        self, state: EpisodeState, calls: Sequence[CallRecord], answer: str | None, *, ended: bool
    ) -> Judged:
        """Return the reward of a step and note in the state which keys were seen.

        Args:
            calls: The calls of the step.
            answer: The final answer given in it, or None.
            ended: The episode ends with this step.
        """
        before, chain = state.progress, self._gold.chain
        known = len(state.seen)
        for call in calls:
            state.seen.update(dict.fromkeys(call.ranked))
        if chain and len(state.seen) > known:
            state.progress = hop_progress(list(state.seen), chain)
        verdict = None if answer is None else score(answer, self._gold, self._task.question)
        right = verdict is not None and verdict.value == "yes"
        terms = {
            "outcome": 1.0 if right else 0.0,
            "evidence_recall": evidence_recall([list(state.seen)], chain) if ended and chain else 0.0,
            # A difference of potentials: shaping that leaves the best policy the best one.
            "hop_progress": state.progress - before,
            "format": 1.0 if right and not state.malformed else 0.0,
            "cost": 0.0 - sum(call.cost for call in calls),
        }
        total = sum(self._weights[name] * value for name, value in terms.items())
        return Judged(float(total), terms, verdict)
