"""The one seam between agents and language models: a request goes in, a reply comes out.

A request holds the messages of ``env.render_prompt`` as they are. Pictures in it are named by handle and digest;
their bytes are fetched only by a client that sends them, so a request is small and has a digest that says
everything the model was asked: what replay finds an answer by.

Must not: know a provider, an agent or a game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from mosaic_env.core.canon import digest
from mosaic_env.core.types import Plain

Message = Mapping[str, Any]
#: Returns media type and encoded bytes of a picture by its digest.
Pictures = Callable[[str], tuple[str, bytes]]


def no_pictures(digest: str) -> tuple[str, bytes]:
    """Return nothing: for requests without pictures.

    Raises: KeyError.
    """
    raise KeyError(digest)


@dataclass(frozen=True)
class Request:
    """What a model is asked.

    Args:
        messages: ``role``, ``content`` (a text, or parts ``{"type": "text", "text"}`` and ``{"type": "image",
            "handle", "digest"}``), with ``tool_calls`` and ``tool_call_id`` as in the OpenAI format.
        tools: Schemas of native tools, OpenAI form; empty for none.
        settings: ``temperature``, ``max_tokens``, ``seed``, ``stop`` and what else a provider takes.
        pictures: Where the pictures' bytes are; not covered by the digest, because their own digests are.
        sample: Tells apart equal requests that each want an answer of their own (another trial, the same
            prompt a second time). Not sent and not covered by the digest; recordings keep one answer for each.
    """

    messages: Sequence[Message]
    tools: Sequence[Mapping[str, Any]] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    pictures: Pictures = field(default=no_pictures, repr=False, compare=False)
    sample: str = ""

    @cached_property
    def digest(self) -> str:
        """The digest of messages, tools and settings; who wrote a message does not count, what it says does."""
        messages = [
            {name: value for name, value in message.items() if name not in ("source", "trainable")}
            for message in self.messages
        ]
        return digest({"messages": messages, "tools": list(self.tools), "settings": dict(self.settings)})


@dataclass(frozen=True)
class NativeCall(Plain):
    """A tool call in the provider's own form.

    Args:
        arguments: JSON as the model wrote it, which may be broken; the environment's parser reads it.
    """

    name: str
    arguments: str
    id: str = ""


@dataclass(frozen=True)
class Usage(Plain):
    """What a reply took.

    Args:
        prompt, completion: Tokens as the provider counts them, 0 when it does not say.
        cost: US dollars, 0.0 when no price is known.
    """

    prompt: int = 0
    completion: int = 0
    cost: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        """Return the sum."""
        return Usage(self.prompt + other.prompt, self.completion + other.completion, self.cost + other.cost)


@dataclass(frozen=True)
class Reply(Plain):
    """What a model answered.

    Args:
        text: May be empty.
        calls: Native tool calls, in order.
        usage: Tokens and cost.
        finish: Why it stopped: ``stop``, ``length``, ``tool_calls`` or the provider's own word.
    """

    text: str
    calls: tuple[NativeCall, ...] = ()
    usage: Usage = Usage()
    finish: str = "stop"


class Model(Protocol):
    """Answers requests. Safe to call from several threads."""

    @property
    def name(self) -> str:
        """What reports and recordings call it; never a key, never an address with one."""
        ...

    def complete(self, request: Request) -> Reply:
        """Answer.

        Raises: ModelError: no answer could be had (ME-MODEL-*). Never for what a model wrote.
        """
        ...
