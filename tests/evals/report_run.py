"""A small run for tests of the page: the oracle, and a script that crops, fails and is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import gymnasium as gym

import mosaic_env
from mosaic_env.agents.base import play
from mosaic_env.agents.oracle import OracleAgent
from mosaic_env.envs.actions import format_answer, format_call
from mosaic_env.envs.core import SearchEnv
from mosaic_env.evals.records import Scored, Unplayed
from mosaic_env.evals.report.page import Run
from mosaic_env.evals.report.viewer import Item
from mosaic_env.evals.tables import Rate, Summary, Table
from mosaic_env.index.world import World

BOX = [350, 100, 650, 700]
SUMMARY = Summary(
    {"environment": "InterLV-L2-v0", "agent": "scripted"},
    (
        Table(
            "accuracy",
            "Accuracy",
            ("Tasks", "All", "n"),
            (("Level 2", Rate(1, 3), 3), ("Direct", Rate(0, 0), None)),
            "Shares.",
        ),
    ),
    ("One task could not be played.",),
)
LOST = Unplayed("mosaic-l2/lost", "timeout", "ME-EVAL-03", "no answer within 300 s")


class Cropper:
    """Thinks, crops twice, searches, makes mistakes, and answers wrong."""

    def begin(self, *args: Any) -> None:
        self._acts: Iterator[str] = iter(
            (
                "The tower first.\n" + format_call("image_crop", {"image": "img_1", "bbox": BOX}),
                "<think>Who is it?</think>"
                + format_call("local_image_search", {"image": "img_1_crop", "top_k": 3}),
                format_call("image_crop", {"image": "img_1_crop", "bbox": [0, 0, 500, 500]})
                + "<tool name='x'>{",
                format_answer("surely not this"),
            )
        )

    def act(self, observation: dict[str, Any], info: dict[str, Any]) -> str:
        return "- a memory" if info["phase"] == "memory" else next(self._acts)


@dataclass(frozen=True)
class Sample:
    """Two runs of the same tasks, and their world."""

    cropper: Run
    oracle: Run
    worlds: dict[str, World]
    keys: tuple[str, ...]


def sample() -> Sample:
    """Play three tasks that start from a picture, with both agents."""
    mosaic_env.register_all()
    env = gym.make("InterLV-L2-v0")
    inner: SearchEnv = env.unwrapped  # type: ignore[assignment]
    pairs = map(inner.setup.source.get, inner.task_keys)
    keys = tuple(task.key for task, gold in pairs if task.pictures and len(gold.chain) <= 4)[:3]

    def scored(agent: Any) -> list[Scored]:
        episodes = [play(env, agent, seed=0, task=key) for key in keys]
        golds = [inner.setup.source.get(key)[1] for key in keys]
        return [Scored(one, gold, Item.alone(one).judged) for one, gold in zip(episodes, golds, strict=True)]

    cropper = Run.of("scripted", scored(Cropper()), {("", LOST.task): LOST})
    return Sample(cropper, Run.of("oracle", scored(OracleAgent(inner))), {inner.world.id: inner.world}, keys)
