"""Ten scripted episodes, as the texts a model would write, and how to play them without an adapter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium as gym

import mosaic_env  # noqa: F401
from mosaic_env.core.types import Answer, Gold, ToolCall
from mosaic_env.envs.actions import format_answer, format_call, parse
from mosaic_env.envs.episode import Episode

#: Level 2, of which half of the tasks come with a picture of their own.
ENV_ID = "InterLV-L2-v0"
OPTIONS: dict[str, Any] = {"memory": "none", "interactions": 3, "max_side": 256, "max_new": 3}


@dataclass(frozen=True)
class Script:
    """What a model writes, turn by turn.

    Args:
        key: The task.
        texts: One text a turn.
        ended: How the episode stands after the last: ``answer``, ``budget``, or ``""`` (it stopped writing).
    """

    key: str
    texts: tuple[str, ...]
    ended: str = "answer"


def call(tool: str, **arguments: Any) -> str:
    return format_call(tool, arguments, format="hermes")


def turns(number: int, gold: Gold) -> tuple[tuple[str, ...], str]:
    """Return the texts of the ``number``-th way to play a task, and how it ends."""
    look = call("local_text_search_with_image", query=gold.chain[-1].query, top_k=2)
    find = call("local_text_search", query=gold.chain[-1].query, top_k=2, max_text_chars=80)
    crop = call("image_crop", image="kb_1", bbox=[0, 0, 500, 500.5])
    right, wrong = format_answer(gold.answer), format_answer("nothing of the kind")
    ways: list[tuple[tuple[str, ...], str]] = [
        ((look, right), "answer"),
        ((find, call("view_image", image="kb_1"), right), "answer"),
        # The budget of three, then the answer it is asked for.
        ((look, crop, call("local_image_search", image="kb_1_crop", top_k=1), right), "answer"),
        # Arguments that are wrong, of another type, missing, unknown.
        ((call("image_crop", image="kb_9", bbox="all"), call("local_text_search", words=1), wrong), "answer"),
        ((call("local_text_search", query=1984, top_k=2, colour=None), right), "answer"),
        # A call instead of the answer, after the budget.
        ((find, find, look, find), "budget"),
        # It stops without an answer.
        ((look,), ""),
        ((wrong,), "answer"),
        ((call("python_eval", code="print(6 * 7)"), call("list_images"), right), "answer"),
        ((call("local_text_search", query="</tool_call> Zoë \u2028 \U0001f984 \\ \"q\"", top_k=1), wrong), "answer"),
    ]  # fmt: skip
    return ways[number]


def ten_scripts() -> list[Script]:
    """Return ten episodes of ten tasks that come with a picture.

    TRL 1.16 fails on a batch in which only some do and no result shows any; docs/train.md says to train on one kind.
    """
    env: Any = gym.make(ENV_ID, **OPTIONS).unwrapped
    pictured = [key for key in env.task_keys if env.setup.source.get(key)[0].pictures]
    scripts = []
    for number, key in enumerate(pictured[:10]):
        texts, ended = turns(number, env.setup.source.get(key)[1])
        scripts.append(Script(key, texts, ended))
    return scripts


def play_plain(script: Script) -> Episode:
    """Play a script with ``gym.make``."""
    env: Any = gym.make(ENV_ID, **OPTIONS)
    env.reset(seed=0, options={"task_id": script.key})
    for text in script.texts:
        env.step(text)
    episode: Episode = env.unwrapped.episode
    return episode


def play_vector(scripts: Sequence[Script]) -> list[Episode]:
    """Play scripts side by side with ``gym.make_vec``."""
    env: Any = gym.make_vec(ENV_ID, num_envs=len(scripts), autoreset_mode="Disabled", **OPTIONS)
    env.reset(seed=[0] * len(scripts), options={"task_id": [script.key for script in scripts]})
    episodes: list[Episode | None] = [None] * len(scripts)
    for turn in range(max(len(script.texts) for script in scripts) + 1):
        for number, episode in enumerate(env.unwrapped.episodes):
            if turn == len(scripts[number].texts):
                episodes[number] = episode
        # An episode whose script is over is played on, and no longer looked at.
        env.step([script.texts[turn] if turn < len(script.texts) else None for script in scripts])
    return [episode for episode in episodes if episode is not None]


def tool_call(text: str) -> tuple[str, dict[str, Any]]:
    """Return the call that a model with native tool calls would make for a text of a script."""
    (item,) = parse(text, default_tool="local_text_search").items
    if isinstance(item, Answer):
        return "answer", {"text": item.text}
    assert isinstance(item, ToolCall)
    return item.tool, dict(item.arguments)
