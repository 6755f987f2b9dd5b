"""The story that the demo tells: one Level 2 episode of the oracle, with words for every hop."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import gymnasium as gym

import mosaic_env
from mosaic_env.agents.base import play
from mosaic_env.agents.oracle import OracleAgent
from mosaic_env.core.types import Gold, Step
from mosaic_env.envs.core import SearchEnv
from mosaic_env.envs.episode import Episode

ENV_ID = "InterLV-L2-v0"


@dataclass(frozen=True)
class Story:
    """An episode made ready for showing.

    Args:
        episode: What was played.
        env: The environment it was played in.
        gold: The reference answer, shown at the end.
        hops: For each step, which edge of the gold chain it walks.
    """

    episode: Episode
    env: SearchEnv
    gold: str
    hops: tuple[str, ...]


def tell(task: str | None = None) -> Story:
    """Play one task with the oracle; None takes one that starts from a picture and compares others."""
    mosaic_env.register_all()
    env = gym.make(ENV_ID, memory="none")
    inner: SearchEnv = env.unwrapped  # type: ignore[assignment]
    key = task or _good_task(inner)
    episode = play(env, OracleAgent(inner), seed=0, task=key)
    gold = inner.setup.source.get(key)[1]
    return Story(episode, inner, gold.answer, (*_hops(inner, gold), "reads the answer off the last picture"))


def _hops(env: SearchEnv, gold: Gold) -> list[str]:
    """Say in words which edge each hop of a chain walks, and what a picture decides on the way."""
    kb = env.world.kb
    cues = _cues(gold)
    told = []
    for hop in gold.chain:
        head, tail = (kb.labels[kb.rows[key]] if key in kb.rows else "" for key in (hop.head, hop.tail))
        relation = kb.relations.get(hop.via)
        if hop.via == "picture":
            told.append(f"finds whose picture it is: {tail}")
            continue
        if relation is None or not head:
            told.append(f"looks up {tail}")
            continue
        walked = (
            f"{tail} has the {relation.label} {head}"
            if hop.inverse
            else f"{head} has the {relation.label} {tail}"
        )
        cue = cues.pop(0) if cues else ""
        told.append(f"{walked}{f', chosen by its picture: {cue}' if cue else ''}")
    return told


def _cues(gold: Gold) -> list[str]:
    """Return for each relation of a question what a picture has to show, or an empty text."""
    cues: list[str] = []
    for step in json.loads(gold.notes.get("steps", "[]")):
        if "relation" in step:
            cues.append("")
        elif "cue" in step and cues:
            cues[-1] = _cue(step["cue"], str(step["value"]))
    return cues


def _cue(ask: dict[str, str], value: str) -> str:
    """Return what a picture shows: "black coat", "curly hair", "3 × window"."""
    thing = ask.get("thing", "")
    if ask["type"] == "count":
        return f"{value} × {thing}"
    return value if not thing or value.endswith(thing) else f"{value} {thing}"


def _good_task(env: SearchEnv) -> str:
    source = env.setup.source
    keys = source.keys()
    for key in keys:
        task, gold = source.get(key)
        if {"initial_visual_probed", "intermediate_visual_probed"} <= set(task.tags) and len(gold.chain) <= 4:
            return key
    return keys[0]


def result_rows(step: Step) -> list[dict[str, Any]]:
    """Return the result rows of a step's calls, as the agent saw them."""
    rows: list[dict[str, Any]] = []
    for line in step.observation.text.split("\n"):
        if line.startswith('{"call"'):
            data = json.loads(line).get("data", {})
            rows += data.get("results", data.get("facts", []))
    return rows
