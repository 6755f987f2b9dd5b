"""One played episode, with assertions that read like sentences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mosaic_env.core.errors import nearest, shorten
from mosaic_env.core.types import CallRecord
from mosaic_env.envs.actions import ISSUES
from mosaic_env.envs.episode import Episode
from mosaic_env.envs.setup import Setup
from mosaic_env.testing.errors import HarnessError
from mosaic_env.testing.golden import Circumstances
from mosaic_env.testing.match import Match
from mosaic_env.tools.base import TOOLS

if TYPE_CHECKING:
    from mosaic_env.testing.store import GoldenStore

#: Codes of calls that were written and never carried out.
_NOT_RUN = frozenset((*ISSUES, "unknown_tool", "tool_budget"))


class Run:
    """An episode that an agent played; ``Mosaic.play`` makes it.

    Args:
        episode: The whole record.
        circumstances: What it depended on beside the agent.
        setup: World, tasks and tools it was played with.
        play: Number of the episode in the test, from 0.
        interactions: Interactions used.
        store: Where goldens are kept.
    """

    def __init__(
        self, episode: Episode, circumstances: Circumstances, setup: Setup, *, play: int, interactions: int,
        store: GoldenStore,
    ) -> None:  # fmt: skip
        self.episode = episode
        self.circumstances = circumstances
        self.setup = setup
        self.play = play
        self.interactions = interactions
        self._store = store

    def __repr__(self) -> str:
        return f"Run({self.episode.task.key}, answer={shorten(self.answer, 60)}, reward={self.reward})"

    @property
    def answer(self) -> str | None:
        """The final answer, or None."""
        return self.episode.answer

    @property
    def success(self) -> bool:
        """True when the answer was judged right."""
        return self.episode.success

    @property
    def reward(self) -> float:
        """The sum of all rewards."""
        return self.episode.reward

    @property
    def steps(self) -> int:
        """Texts the agent wrote, memory turns included."""
        return len(self.episode.steps)

    @property
    def pictures(self) -> int:
        """Pictures the agent was shown, each time counted."""
        seen = (self.episode.first, *(step.observation for step in self.episode.steps))
        return sum(len(observation.shown) for observation in seen)

    def calls(self, tool: str | None = None) -> int:
        """Return how many calls were carried out, with or without success.

        Args:
            tool: Only calls of this tool; None counts all. Dropped, unreadable and refused calls
                were not carried out.

        Raises: HarnessError (ME-TESTING-01) for a name that no tool has.
        """
        ran = [call.tool for call in self._calls() if call.status != "dropped" and call.code not in _NOT_RUN]
        if tool is None:
            return len(ran)
        known = {*self.setup.engine.tools, *TOOLS, *ran}
        if tool not in known:
            raise _unknown("tool", tool, known)
        return ran.count(tool)

    def saw(self, entity: str) -> bool:
        """Tell whether any result row of a tool showed an entity.

        Args:
            entity: Its key, or its label (then any entity of that label counts).

        Raises: HarnessError (ME-TESTING-01) when the world has no such entity.
        """
        kb = self.setup.world.kb
        keys = (
            {entity}
            if entity in kb.rows
            else {k for k, x in zip(kb.keys, kb.labels, strict=True) if x == entity}
        )
        if not keys:
            raise _unknown("entity", entity, kb.labels)
        return any(key in keys for call in self._calls() for key in call.ranked)

    def check_golden(self, name: str = "run", match: Match = "calls") -> None:
        """Compare with the golden, or write it with ``--mosaic-update``.

        Args:
            name: Tells several goldens of one test apart.
            match: ``text`` (every action), ``calls`` (tools, arguments, answer) or ``outcome``
                (verdict, reward).

        Raises: GoldenMismatch naming the side that moved, GoldenMissing, GoldenError.
        """
        __tracebackhide__ = True
        self._store.compare_run(self, name, match)

    def _calls(self) -> Iterable[CallRecord]:
        return (call for step in self.episode.steps for call in step.calls)


def _unknown(kind: str, name: str, known: Iterable[str]) -> HarnessError:
    choices = sorted({choice for choice in known if choice})
    listed = ", ".join(choices) if len(choices) <= 20 else f"one of {len(choices)} {kind} names"
    return HarnessError(
        "ME-TESTING-01", f"there is no {kind} {shorten(name, 60)}", expected=listed,
        nearest=nearest(name, choices),
    )  # fmt: skip
