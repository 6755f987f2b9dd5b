"""What an agent is, and the loop that plays one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

import gymnasium as gym

from mosaic_env.core.registry import Registry
from mosaic_env.envs.core import SearchEnv
from mosaic_env.envs.episode import Episode


class Agent(Protocol):
    """Sees observations and infos, writes actions."""

    def begin(self, env: SearchEnv, observation: dict[str, Any], info: dict[str, Any]) -> None:
        """Start a new episode."""
        ...

    def act(self, observation: dict[str, Any], info: dict[str, Any]) -> Any:
        """Return the next action: text, or tool calls as dicts."""
        ...


class AgentFactory(Protocol):
    """Makes an agent for an environment; ``seed`` drives whatever it draws."""

    def __call__(self, env: SearchEnv, seed: int = 0) -> Agent:
        """Return a new agent."""
        ...


#: Agents by name, for ``mosaic run --agent``.
AGENTS: Registry[AgentFactory] = Registry("agent")
AGENTS.add("oracle", "mosaic_env.agents.oracle:OracleAgent")
AGENTS.add("random", "mosaic_env.agents.simple:RandomAgent")
AGENTS.add("null", "mosaic_env.agents.simple:NullAgent")


def play(
    env: gym.Env[Any, Any], agent: Agent, *, seed: int | None = None, task: str | None = None
) -> Episode:
    """Play one episode and return its record.

    Args:
        seed: Passed to ``reset``.
        task: Key of the task to play; None lets the environment draw.

    Returns: The record. What an agent's ``notes()`` says, if it has one, stands in its notes.
    """
    inner: SearchEnv = env.unwrapped  # type: ignore[assignment]
    options = None if task is None else {"task_id": task}
    observation, info = env.reset(seed=seed, options=options)
    agent.begin(inner, observation, info)
    ended = False
    while not ended:
        observation, _, terminated, truncated, info = env.step(agent.act(observation, info))
        ended = bool(terminated or truncated)
    notes = getattr(agent, "notes", None)
    return inner.episode if notes is None else replace(inner.episode, notes=notes())


def play_all(env: gym.Env[Any, Any], agent: Agent, tasks: Sequence[str], *, seed: int = 0) -> list[Episode]:
    """Play the given tasks in order."""
    return [play(env, agent, seed=seed, task=task) for task in tasks]
