"""What an agent's step costs besides the model: prompt, request with its pictures as data URIs, reply, env.step.

Level 2 of the bundled world with pictures in every request; the model is a script, and what the client would
send is built and encoded as JSON.
"""

from __future__ import annotations

import itertools
import json
import statistics
import time
from collections.abc import Iterator
from typing import Any

import gymnasium as gym

import mosaic_env  # noqa: F401 - registers the ids
from benchmarks.timing import Line, at_most
from mosaic_env.agents.model_agent import agent_options, make_agent
from mosaic_env.agents.models.base import NativeCall, Reply, Request
from mosaic_env.agents.models.scripted import ScriptedModel
from mosaic_env.agents.models.wire import body_of

EPISODES = 30
_CALLS = (
    ("local_text_to_image_search", {"query": "a red bridge over a river", "top_k": 5}),
    ("local_text_search", {"query": "city twinned with a harbour city"}),
    ("local_image_search", {"image": "kb_1", "top_k": 3}),
)


class _Watch:
    """Sums the time between ``start`` and ``stop``."""

    def __init__(self) -> None:
        self.pictures: list[int] = []
        self.turn = itertools.cycle(_CALLS)

    def reply(self, request: Request) -> Reply:
        body = body_of(request, vision=True)
        self.pictures.append(json.dumps(body).count('"image_url": {"url"'))
        name, arguments = next(self.turn)
        text = json.dumps(arguments)
        if request.tools:
            return Reply("I look further.", (NativeCall(name, text),))
        return Reply(f'<think>I look further.</think><tool name="{name}">{text}</tool>')


def _steps(name: str, context: str) -> tuple[list[float], float]:
    """Return the seconds of each act and step, and the mean number of pictures in a request."""
    watch = _Watch()
    env: Any = gym.make("InterLV-L2-v0", **agent_options(name))
    agent = make_agent(name, ScriptedModel(watch.reply), context=context)(env.unwrapped)
    seconds = []
    for seed in range(EPISODES + 1):
        observation, info = env.reset(seed=seed)
        agent.begin(env.unwrapped, observation, info)
        ended = False
        while not ended:
            acts, start = info["phase"] == "act", time.perf_counter()
            observation, _, terminated, truncated, info = env.step(agent.act(observation, info))
            if seed and acts:  # the first episode warms caches up; memory turns run no tool
                seconds.append(time.perf_counter() - start)
            ended = terminated or truncated
    return seconds, statistics.mean(watch.pictures)


def lines() -> Iterator[Line]:
    """Yield a line for each agent and context."""
    for name, context in (("interlv", "paper"), ("interlv", "chat"), ("interlv", "repo"), ("react", "")):
        seconds, pictures = _steps(name, context)
        label = f"{name} {context}".strip()
        median = statistics.median(seconds) * 1000
        yield at_most(f"{label}: act and step, p50, {pictures:.1f} pictures a request", median, 5.0, "ms")


if __name__ == "__main__":
    for line in lines():
        print(line, flush=True)
