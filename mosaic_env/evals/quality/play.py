"""Playing many tasks at once under the rules of an environment, with room for a fault on purpose.

The rules are ``envs.engine``'s, and every round of searches is one batched search, as in the vector
environment; so every byte is that of ``gym.make`` (a test compares the digests). What this adds is a
``Change``, which sees the task beside each search and may answer it differently, and no change of the agent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mosaic_env.agents.base import Agent
from mosaic_env.core.types import Gold, Hits, Observation, Search, Step
from mosaic_env.envs import messages, prompts
from mosaic_env.envs.config import EnvConfig
from mosaic_env.envs.core import make_info, make_observation
from mosaic_env.envs.engine import Play
from mosaic_env.envs.setup import Setup
from mosaic_env.index.world import World
from mosaic_env.tasks.source import get_pair

#: (gold, number of the search in its episode, search, right hits) -> the hits that the tool gets.
Change = Callable[[Gold, int, Search, Hits], Hits]
Progress = Callable[[str, int, int], None]
#: Episodes played side by side.
BATCH = 64


@dataclass(frozen=True)
class Record:
    """What was played so far: the first observation and the steps."""

    first: Observation
    steps: Sequence[Step]


@dataclass(frozen=True)
class Played:
    """A finished episode.

    Args:
        key: The task's key.
        answer: The final answer, or None.
        right: The answer was judged right.
        in_budget: It was given before the budget of interactions was spent.
        steps: What happened.
    """

    key: str
    answer: str | None
    right: bool
    in_budget: bool
    steps: tuple[Step, ...]

    @property
    def solved(self) -> bool:
        """Whether the task was solved within its budget."""
        return self.right and self.in_budget


class Seat:
    """One running episode: what agents may ask of an environment, without Gymnasium around it.

    Args:
        setup: World, tasks and rules.
        key: The task.
        seed: Base seed.
    """

    def __init__(self, setup: Setup, key: str, seed: int = 0) -> None:
        self.setup = setup
        task, self.gold = get_pair(setup.source, key)
        self.state, self.first, self._reward = setup.engine.begin(task, self.gold, (seed, 0))
        self.searches = 0

    @property
    def world(self) -> World:
        """The world."""
        return self.setup.world

    @property
    def config(self) -> EnvConfig:
        """The frozen configuration."""
        return self.setup.config

    @property
    def episode(self) -> Record:
        """What was played so far."""
        return Record(self.first, self.state.steps)

    def prompt(self, format: prompts.PromptFormat = "interlv") -> str:
        """Return the system prompt."""
        return prompts.system_prompt(self.setup.config, self.setup.engine.tools, format)

    def tool_schemas(self, format: prompts.PromptFormat = "openai") -> list[dict[str, Any]]:
        """Return the schemas of the tools."""
        return prompts.tool_schemas(self.setup.engine.tools, format)

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return self.state.phase == "done"

    def opening(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the first observation and info."""
        info = make_info(self.state, None, messages.opening(self.prompt(), self.first))
        return make_observation(self.setup, self.state, self.first), info

    def latest(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the last step's observation and info."""
        step = self.state.steps[-1]
        info = make_info(self.state, step, messages.step_messages(step))
        return make_observation(self.setup, self.state, step.observation), info

    def start(self, action: object) -> Play:
        """Begin to play an action."""
        return self.setup.engine.play(self.state, self._reward, action)

    def played(self) -> Played:
        """Return the finished episode."""
        last = self.state.steps[-1]
        return Played(
            self.state.task.key,
            last.answer,
            last.verdict == "yes",
            last.answer is not None and last.phase != "answer_only",
            tuple(self.state.steps),
        )


def play_tasks(
    setup: Setup,
    keys: Sequence[str],
    agent: Callable[[Any], Agent],
    *,
    change: Change | None = None,
    say: Callable[[int, int], None] | None = None,
) -> dict[str, Played]:
    """Play tasks to their end, one new agent each.

    Args:
        agent: Makes the agent of a ``Seat``.
        change: A fault on purpose; None plays as it is.
        say: Called with (done, total).

    Returns: By key, in the order given.
    Determinism: exact; the batch changes no byte.
    """
    results: dict[str, Played] = {}
    for start in range(0, len(keys), BATCH):
        seats = [Seat(setup, key) for key in keys[start : start + BATCH]]
        _play_batch(seats, agent, change)
        results.update((seat.state.task.key, seat.played()) for seat in seats)
        if say is not None:
            say(len(results), len(keys))
    return results


def _play_batch(seats: Sequence[Seat], agent: Callable[[Any], Agent], change: Change | None) -> None:
    agents = [agent(seat) for seat in seats]
    actions: dict[int, Any] = {}
    for number, (seat, player) in enumerate(zip(seats, agents, strict=True)):
        observation, info = seat.opening()
        player.begin(seat, observation, info)  # type: ignore[arg-type]  # a seat has what agents ask for
        actions[number] = player.act(observation, info)
    while actions:
        _step(seats, actions, change)
        running = [number for number in actions if not seats[number].over]
        actions = {number: agents[number].act(*seats[number].latest()) for number in running}


def _step(seats: Sequence[Seat], actions: Mapping[int, Any], change: Change | None) -> None:
    """Play one step of each seat that has an action; each round of searches is one search."""
    plays = {number: seats[number].start(action) for number, action in actions.items()}
    waiting = _asked((number, play, None) for number, play in plays.items())
    while waiting:
        answers = _search(seats[0].world, [search for _, search in waiting])
        replies = []
        for (number, search), hits in zip(waiting, answers, strict=True):
            replies.append((number, plays[number], _changed(seats[number], search, hits, change)))
        waiting = _asked(replies)


def _asked(replies: Any) -> list[tuple[int, Search]]:
    """Push plays on and return the searches that they ask next; a finished play asks none."""
    waiting = []
    for number, play, reply in replies:
        try:
            search = play.throw(reply) if isinstance(reply, Exception) else play.send(reply)
        except StopIteration:
            continue
        waiting.append((number, search))
    return waiting


def _changed(seat: Seat, search: Search, hits: Hits | Exception, change: Change | None) -> Hits | Exception:
    seat.searches += 1
    if change is None or isinstance(hits, Exception):
        return hits
    return change(seat.gold, seat.searches, search, hits)


def _search(world: World, searches: Sequence[Search]) -> Sequence[Hits | Exception]:
    """Answer searches at once; when that fails, each alone, so that only the faulty one fails."""
    try:
        return world.search(searches)
    except Exception:
        return [_search_alone(world, search) for search in searches]


def _search_alone(world: World, search: Search) -> Hits | Exception:
    try:
        return world.search((search,))[0]
    except Exception as error:
        return error
