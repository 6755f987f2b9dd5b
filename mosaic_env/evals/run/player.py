"""One task after another, in a worker process: opens environments and model once, and plays.

Must not: write files (models that record do), or let anything an agent does escape.
"""

from __future__ import annotations

import functools
import sys
import time
import traceback
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

import gymnasium as gym

import mosaic_env  # noqa: F401 - registers the ids
from mosaic_env.agents.base import Agent, play
from mosaic_env.agents.model_agent import MODEL_AGENTS, ModelAgent, make_agent
from mosaic_env.agents.models.base import Model
from mosaic_env.agents.models.open import open_model
from mosaic_env.agents.models.spec import ModelSpec
from mosaic_env.cli.imports import attribute_of, load_agent
from mosaic_env.core.errors import ConfigError, MosaicError, nearest
from mosaic_env.envs.catalogue import CATALOGUE
from mosaic_env.evals.judge.judge import NOTE
from mosaic_env.evals.run.folder import PART
from mosaic_env.evals.run.suite import Part, suite_of
from mosaic_env.guard.redact import environment_secrets, redact

#: The note of an episode that says what was changed for it: see ``suite.Part``.
VARIANT = "variant"
#: The note of an episode that says how long it took: the only clock in a run folder, and in no report.
SECONDS = "seconds"
_LONGEST_MESSAGE = 300


class Player:
    """Plays tasks of a suite.

    Args:
        spec: ``suite`` (as data), ``snapshot`` (a path or None), ``model`` (a ``ModelSpec`` as data, or None).

    Raises: MosaicError: an environment, an agent or the model cannot be had.
    """

    def __init__(self, spec: Mapping[str, Any]) -> None:
        self._suite = suite_of(spec["suite"])
        self._model_spec = None if spec["model"] is None else model_spec(spec["model"])
        self._model = None if self._model_spec is None else open_model(self._model_spec)
        self._parts = {part.name: part for part in self._suite.parts}
        self._envs = {part.name: open_env(part, spec["snapshot"]) for part in self._suite.parts}
        for part in self._suite.parts:
            self._agent(part)  # a wrong name is found before anything is played

    def play(self, part: str, task: str) -> tuple[Literal["episode", "failed"], Any]:
        """Play a task; return its episode as a line, or why there is none.

        Never raises, whatever agent, model or environment do.
        """
        try:
            return "episode", self._episode(self._parts[part], task)
        except MosaicError as error:
            return "failed", _failed(error.code, error.what)
        except BaseException as error:  # exit() in an agent costs one task as well, and not the worker
            traceback.print_exc(file=sys.stderr)
            return "failed", _failed(type(error).__name__, "an exception; its traceback was printed")

    def _episode(self, part: Part, task: str) -> str:
        agent, begun = self._agent(part), time.monotonic()
        episode = play(self._envs[part.name], agent, seed=self._suite.seed, task=task)
        said: Mapping[str, Any] = getattr(agent, "notes", dict)()
        notes = {
            "agent": part.agent,
            **{
                str(name): str(value) for name, value in said.items() if name != NOTE
            },  # no agent judges itself
            PART: part.name,
            VARIANT: part.variant,
            SECONDS: f"{time.monotonic() - begun:.3f}",
        }
        return replace(episode, notes=notes).to_line()

    def _agent(self, part: Part) -> Agent:
        """Return a new agent: nothing of one task may reach another, in whatever order they are played."""
        env, seed = self._envs[part.name].unwrapped, self._suite.seed
        asks = None if self._model is None else self._asking(part, self._model)
        agent: Agent = load_agent(part.agent, env, seed) if asks is None else asks(env, seed=seed)
        return agent

    def _asking(self, part: Part, model: Model) -> Any:
        """Return the factory of an agent around a model, or None when the part's agent is none."""
        settings = self._suite.settings
        if part.agent in MODEL_AGENTS:
            return make_agent(part.agent, model, context=part.context, settings=settings)
        found = attribute_of(part.agent, "--agent") if ":" in part.agent else None
        if isinstance(found, type) and issubclass(found, ModelAgent):
            return functools.partial(found, model=model, context=part.context, settings=settings)
        return None


def open_env(part: Part, snapshot: str | None) -> Any:
    """Return the environment of a part.

    Raises: ConfigError, SnapshotError, CorruptError, TaskError.
    """
    ids = [entry.id for entry in CATALOGUE]
    if part.env not in ids:  # Gymnasium would import the module that ``module:id`` names, whoever wrote it
        raise ConfigError(
            "ME-CONFIG-02", f"there is no environment {part.env!r}", expected="one of " + ", ".join(ids),
            nearest=nearest(part.env, ids),
        )  # fmt: skip
    if "snapshot" in part.arguments:
        raise ConfigError("ME-CONFIG-02", "a run's arguments name a snapshot", expected="--snapshot")
    return gym.make(part.env, snapshot=snapshot, **part.arguments)


def model_spec(data: Mapping[str, Any]) -> ModelSpec:
    """Return the specification that ``as_dict`` described.

    Raises: ModelError (ME-MODEL-01).
    """
    return ModelSpec(**{**data, "prices": tuple(data["prices"])})


def _failed(code: str, message: str) -> dict[str, str]:
    """Return the rest of an ``Unplayed``, in one line and without secrets."""
    line = " ".join(redact(message, environment_secrets()).split())
    return {"status": "error", "code": code[:100], "message": line[:_LONGEST_MESSAGE]}
