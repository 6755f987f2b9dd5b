"""What agents around a language model share: prompt in, reply out, reply to action; and their registry.

    env ─► messages() ─► Request ─► Model ─► Reply ─► action ─► env.step

Nothing a model writes raises here or in the environment: what cannot be read costs an interaction and is
answered by an observation. Only ``ModelError`` passes through: no answer could be had.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from mosaic_env.agents.base import AgentFactory
from mosaic_env.agents.models.base import Model, NativeCall, Reply, Request, Usage
from mosaic_env.core.errors import ConfigError, nearest
from mosaic_env.core.registry import Registry
from mosaic_env.core.types import Picture
from mosaic_env.envs.core import SearchEnv
from mosaic_env.envs.messages import Message


class ModelAgent:
    """Base of agents that ask a model once for each action.

    A subclass says what the model sees (``messages``, ``tools``) and may change how its reply is read
    (``action``). Usage is counted for each episode.

    Args:
        env: The environment.
        seed: Number of the trial: equal requests of other trials are samples of their own in recordings.
        model: Answers.
        context: What a request shows of the episode, one of ``contexts``; empty is the first of them.
        settings: Sampling settings that every request carries.

    Raises: ConfigError (ME-CONFIG-02) for a context that the agent does not know.
    """

    #: What the registry calls it; stands in the episodes' notes.
    name: ClassVar[str] = "model"
    contexts: ClassVar[tuple[str, ...]] = ("chat",)
    #: Arguments of ``gym.make`` that the agent is meant to be played with.
    env_options: ClassVar[Mapping[str, Any]] = {}

    def __init__(
        self,
        env: SearchEnv,
        seed: int = 0,
        *,
        model: Model,
        context: str = "",
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        if context and context not in self.contexts:
            raise ConfigError(
                "ME-CONFIG-02", f"the agent {self.name!r} has no context {context!r}",
                expected="one of " + ", ".join(self.contexts), nearest=nearest(context, self.contexts),
            )  # fmt: skip
        self.env = env
        self.model = model
        self.context = context or self.contexts[0]
        self.settings = dict(settings or {})
        self.usage = Usage()
        self._seed = seed
        self._forget()

    def _forget(self) -> None:
        self.usage = Usage()
        self._asked: Counter[str] = Counter()
        self._finishes: Counter[str] = Counter()
        self._pictures: dict[str, Picture] = {}
        self._calls = 0

    # --- the agent protocol -----------------------------------------------------------------------

    def begin(self, env: SearchEnv, observation: dict[str, Any], info: dict[str, Any]) -> None:
        """Start an episode."""
        self.env = env
        self._forget()

    def act(self, observation: dict[str, Any], info: dict[str, Any]) -> Any:
        """Ask the model and return its action: text, or an assistant message with tool calls.

        Raises: ModelError (ME-MODEL-*) when no answer could be had.
        """
        episode, phase = self.env.episode, info["phase"]
        seen = episode.steps[-1].observation if episode.steps else episode.first
        self._pictures.update({shown.picture.digest: shown.picture for shown in seen.shown})
        return self.action(self._ask(self.messages(info), phase), phase)

    def notes(self) -> dict[str, str]:
        """Return what the episode's record notes of the model: name, requests, tokens, cost."""
        return {
            "agent": self.name,
            "model": self.model.name,
            "context": self.context,
            "requests": str(self._finishes.total()),
            "cut": str(self._finishes["length"]),
            "prompt_tokens": str(self.usage.prompt),
            "completion_tokens": str(self.usage.completion),
            "cost": f"{self.usage.cost:.6f}",
        }

    # --- what a subclass decides --------------------------------------------------------------------

    def messages(self, info: dict[str, Any]) -> list[Message]:
        """Return what the model sees now. Called once for each action."""
        raise NotImplementedError

    def tools(self) -> list[dict[str, Any]]:
        """Return the schemas of native tools; none by default."""
        return []

    def action(self, reply: Reply, phase: str) -> Any:
        """Return a reply as an action.

        A memory and a last answer are text whatever else the reply holds. Native calls make an assistant
        message, numbered anew: a provider's own ids are random, may be missing and may stand there twice.
        """
        if not reply.calls or phase == "memory" or (phase == "answer_only" and reply.text.strip()):
            return reply.text
        return {
            "role": "assistant",
            "content": reply.text,
            "tool_calls": [self._numbered(call) for call in reply.calls],
        }

    # --- asking -------------------------------------------------------------------------------------

    def _ask(self, messages: list[Message], phase: str) -> Reply:
        tools = self.tools()
        settings = self.settings if phase == "act" or not tools else {**self.settings, "tool_choice": "none"}
        request = Request(messages, tools, settings, self._picture)
        time = self._asked[request.digest]
        self._asked[request.digest] += 1
        reply = self.model.complete(Request(messages, tools, settings, self._picture, f"{self._seed}/{time}"))
        text: Any = reply.text
        if text is None:  # a model of someone's own that passes on a provider's null
            reply = replace(reply, text="")
        self.usage += reply.usage
        self._finishes[reply.finish] += 1
        return reply

    def _picture(self, digest: str) -> tuple[str, bytes]:
        picture = self._pictures[digest]
        return picture.media_type, self.env.world.images.encoded(picture)

    def _numbered(self, call: NativeCall) -> dict[str, Any]:
        # Nine letters and digits: the one form of an id that every provider takes back.
        self._calls += 1
        function = {"name": call.name, "arguments": call.arguments}
        return {"id": f"call{self._calls:05d}", "type": "function", "function": function}


#: Agents around a model, by name, for ``mosaic eval --agent``.
MODEL_AGENTS: Registry[type[ModelAgent]] = Registry("model agent")
MODEL_AGENTS.add("interlv", "mosaic_env.agents.interlv:InterLVAgent")
MODEL_AGENTS.add("react", "mosaic_env.agents.react:ReActAgent")
MODEL_AGENTS.add("direct", "mosaic_env.agents.direct:DirectAgent")


def make_agent(
    name: str, model: Model, *, context: str = "", settings: Mapping[str, Any] | None = None
) -> AgentFactory:
    """Return a factory ``(env, seed=0)`` of the agent with this name around a model.

    Args:
        name: ``interlv``, ``react``, ``direct`` or a registered one.
        model: See ``mosaic_env.agents.models.open.open_model``.
        context: ``paper``, ``chat`` or ``repo`` for ``interlv``; empty is the agent's own.
        settings: Sampling settings that every request carries, usually ``spec.settings``.

    Raises: RegistryError (ME-REGISTRY-01), ConfigError (ME-CONFIG-02) for a context, when an agent is made.
    """
    return functools.partial(MODEL_AGENTS.get(name), model=model, context=context, settings=settings)


def agent_options(name: str) -> dict[str, Any]:
    """Return the arguments of ``gym.make`` that an agent is meant to be played with.

    Raises: RegistryError (ME-REGISTRY-01).
    """
    return dict(MODEL_AGENTS.get(name).env_options)
