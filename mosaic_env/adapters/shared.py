"""What all adapters share: how they make an environment, and what they show of it.

Must not: import a trainer.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium as gym
from PIL import Image

import mosaic_env  # noqa: F401 - registers the ids
from mosaic_env.core.errors import ConfigError
from mosaic_env.envs.core import SearchEnv
from mosaic_env.envs.prompts import NATIVE_ANSWER, calls_of_a_message

#: The tool that gives the final answer, for trainers that only see tool calls.
ANSWER_TOOL = "answer"
_BY_TOOL = (
    f"When you know the answer, give it with the tool {ANSWER_TOOL}: that ends it. Write one call in a message: "
    "each call is an interaction."
)


def make_env(env_id: str, options: Mapping[str, Any]) -> SearchEnv:
    """Return an environment for training.

    Args:
        options: Arguments of ``gym.make``. ``memory`` is ``none`` unless they say otherwise: a trainer
            keeps the whole conversation in context, so no turn is spent on rewriting a memory.

    Raises: what ``gym.make`` raises, ConfigError (ME-CONFIG-02) for an unknown id.
    """
    from mosaic_env.envs.catalogue import CATALOGUE

    ids = [entry.id for entry in CATALOGUE]
    if env_id not in ids:
        raise ConfigError(
            "ME-CONFIG-02", f"there is no environment {env_id!r}", expected="one of " + ", ".join(ids)
        )
    env: Any = gym.make(env_id, **{"memory": "none", **options})
    inner: SearchEnv = env.unwrapped
    return inner


def tool_prompt(env: SearchEnv) -> str:
    """Return the system prompt for trainers that only see tool calls: the answer is one as well."""
    prompt = env.prompt("openai").replace(NATIVE_ANSWER, _BY_TOOL)
    return prompt.replace(calls_of_a_message(env.config), "")


def content(message: Mapping[str, Any], encoded: Sequence[bytes] = ()) -> str | list[dict[str, Any]]:
    """Return a message's content as trainers take it.

    Args:
        message: One of ``info["messages"]``.
        encoded: The pictures of the same observation, in order.

    Returns: text, or, when there are pictures, blocks of text and PIL pictures.
    """
    if not encoded:
        return "".join(part["text"] for part in message["content"])
    waiting = iter(encoded)
    return [
        {"type": "image", "image": open_picture(next(waiting))} if part["type"] == "image" else dict(part)
        for part in message["content"]
    ]


def open_picture(data: bytes) -> Image.Image:
    """Return the picture in an encoded file as RGB, transparent parts on white."""
    with Image.open(io.BytesIO(data)) as picture:
        if picture.mode == "RGB":
            return picture.copy()
        plain = picture.convert("RGBA")
    white = Image.new("RGBA", plain.size, "white")
    white.alpha_composite(plain)
    return white.convert("RGB")
