"""TRL: an ``environment_factory`` for ``GRPOTrainer`` (TRL 1.16, transformers 5.13 or later).

    trainer = GRPOTrainer(model, train_dataset=rows, environment_factory=environment_factory("InterLV-L2-v0"))

TRL offers every public method of an environment to the model as a tool and reads its schema from
signature and docstring; so one method is made for each tool of the environment, and one for the answer.
It runs the calls of a message one by one, hence **each call is an interaction**, the answer too. TRL
never says that a rollout ended: the reward is read from the state, so an episode without an answer
has what it earned so far (0 unless other reward terms have weights).
Must not: import torch, transformers or TRL, or hold a rule of the game.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal

from mosaic_env.adapters.shared import content, make_env, tool_prompt
from mosaic_env.core.errors import CanonError, ConfigError, TaskError
from mosaic_env.envs.actions import format_answer, format_call
from mosaic_env.envs.episode import Episode

_OVER = "The episode is over. Nothing runs any more."
_TYPES = {
    "string": str, "integer": int, "number": float, "boolean": bool, "object": dict, "null": type(None),
}  # fmt: skip


def environment_factory(env_id: str, **options: Any) -> type[Rollout]:
    """Return a class whose instances TRL resets, calls and asks for the reward.

    Args:
        env_id: An id of ``gym.make``.
        options: Its arguments; ``memory`` is ``none`` unless given.

    Raises: what ``gym.make`` raises, ConfigError (ME-CONFIG-02) for a memory that the policy writes
        (TRL gives it no turn) and for tools whose names TRL or this adapter use themselves.
    """
    env = make_env(env_id, options)
    if env.config.memory == "policy":
        raise ConfigError(
            "ME-CONFIG-02", "memory='policy' needs turns that TRL does not give", expected="none or agent"
        )
    tools = env.setup.engine.tools
    taken = sorted(tools.keys() & vars(Rollout).keys())
    if taken:
        raise ConfigError(
            "ME-CONFIG-02", f"TRL cannot offer a tool with the name {taken[0]!r}", fix="Rename it"
        )
    methods = {name: _method(name, tool.description, tool.schema()) for name, tool in tools.items()}
    return type("MosaicRollout", (Rollout,), {**methods, "_env_id": env_id, "_options": options})


class Rollout:
    """One rollout at a time; TRL keeps instances and resets them. The tools are methods of its subclasses."""

    _env_id: ClassVar[str]
    _options: ClassVar[Mapping[str, Any]]

    def __init__(self) -> None:
        self._env = make_env(self._env_id, self._options)
        self._over = True

    def reset(self, **row: Any) -> Any:
        """Begin the episode of a dataset row and return the question, which TRL adds to its prompt.

        Args:
            row: ``task_id`` and ``seed``, or one of them: the rollouts of a group get the same row and
                must get the same task. Other columns are not read. The system prompt is put in front
                when the row's ``prompt`` has none.

        Raises: TaskError (ME-TASK-01).
        """
        key, seed = row.get("task_id"), row.get("seed")
        if key is None and seed is None:
            raise TaskError("ME-TASK-01", "the row names no task", expected="a column task_id or seed",
                            fix="Write rows with: mosaic tasks export --format trl")  # fmt: skip
        options = None if key is None else {"task_id": key}
        observation, info = self._env.reset(seed=0 if seed is None else int(seed), options=options)
        self._over = False
        shown = content(info["messages"][-1], observation["images"])
        if any(message["role"] == "system" for message in row.get("prompt", ())):
            return shown
        system = tool_prompt(self._env) + "\n\n"
        return system + shown if isinstance(shown, str) else [{"type": "text", "text": system}, *shown]

    def answer(self, text: str) -> Any:
        """Give the final answer: a name, a colour, a number, a few words. It ends the episode.

        Args:
            text: The answer.
        """
        return self._play(format_answer(text) if isinstance(text, str) else {"answer": text})

    def get_reward(self) -> float:
        """Return the reward of the episode so far: the sum over its steps."""
        return self._env.episode.reward

    @property
    def episode(self) -> Episode:
        """The record of the episode, for reward functions, logs and digests; no tool."""
        return self._env.episode

    def _play(self, action: str | dict[str, Any]) -> Any:
        if self._over:
            return _OVER
        observation, _, terminated, truncated, info = self._env.step(action)
        self._over = terminated or truncated
        return content(info["messages"][-1], observation["images"])


def _method(tool: str, description: str, schema: Mapping[str, Any]) -> Callable[..., Any]:
    """Return a method with the signature of a schema that still takes anything: the environment judges it."""

    def method(self: Rollout, /, **arguments: Any) -> Any:
        # Played as text, so that the record is what the model wrote, and the digest that of the same text elsewhere.
        try:
            return self._play(format_call(tool, arguments, format="hermes"))
        except CanonError:  # NaN and the like: the environment says what is wrong with it
            return self._play({"name": tool, "arguments": arguments})

    fields: Mapping[str, Mapping[str, Any]] = schema["properties"]
    hints = {field: _hint(plain) for field, plain in fields.items()}
    lines = [f"    {field}: {' '.join(plain['description'].split())}" for field, plain in fields.items()]
    method.__name__ = method.__qualname__ = tool
    method.__doc__ = "\n".join([" ".join(description.split()), *(["", "Args:", *lines] if lines else [])])
    method.__annotations__ = hints
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)]
    for field, plain in fields.items():
        default = inspect.Parameter.empty if field in schema["required"] else plain.get("default")
        parameters.append(
            inspect.Parameter(field, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hints[field])
        )
    method.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return method


def _hint(field: Mapping[str, Any]) -> Any:
    """Return the type hint from which TRL makes a field's schema again."""
    if "enum" in field:
        return Literal[tuple(field["enum"])]
    if field.get("type") == "array":
        return list[_hint(field.get("items", {}))]  # type: ignore[misc]
    return _TYPES.get(field.get("type", ""), Any)
