"""What metrics and reports read: an episode, its gold, and how its answer was judged.

Must not: play, or open anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from mosaic_env.core.types import Gold, Plain
from mosaic_env.envs.episode import Episode

Verdict = Literal["yes", "no", "unsure"]


@dataclass(frozen=True)
class Judged(Plain):
    """A verdict on a final answer.

    Args:
        value: ``unsure`` only where rules cannot decide and no judge was asked.
        by: ``rules`` or ``model``.
        reason: Stable code; never quotes the gold.
        model, prompt: Of a model judge: its name and the version of its prompt; empty for rules.
        parsed: False when a model judge's answer could not be read; the verdict is ``no`` then.
    """

    value: Verdict
    by: Literal["rules", "model"] = "rules"
    reason: str = ""
    model: str = ""
    prompt: str = ""
    parsed: bool = True


@dataclass(frozen=True)
class Scored:
    """One finished task of a run.

    Args:
        episode: What was played.
        gold: The reference.
        judged: The verdict that counts.
        notes: What the run noted: agent, model, tokens, cost.
    """

    episode: Episode
    gold: Gold
    judged: Judged
    notes: Mapping[str, str] = field(default_factory=dict)

    @property
    def right(self) -> bool:
        """Whether the answer counts as right."""
        return self.judged.value == "yes"

    @property
    def in_budget(self) -> bool:
        """Whether the answer was given before the budget of interactions was spent."""
        steps = self.episode.steps
        return bool(steps) and steps[-1].answer is not None and steps[-1].phase == "act"


@dataclass(frozen=True)
class Unplayed(Plain):
    """A task of a run that gave no episode: an infrastructure fault, never a failure of the policy.

    Args:
        status: ``error`` (an exception), ``timeout`` or ``crashed`` (its process died).
        code: A stable code, or the exception's type.
        message: One line without paths, keys or gold.
        part: The part of a suite it belongs to; see ``run.suite``.
    """

    task: str
    status: Literal["error", "timeout", "crashed"]
    code: str = ""
    message: str = ""
    part: str = ""
