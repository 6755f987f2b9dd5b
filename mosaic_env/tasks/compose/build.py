"""Putting a task and its gold together from steps, path, ask and question."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from mosaic_env.core.canon import canonical_bytes
from mosaic_env.core.seeds import python_random
from mosaic_env.core.types import Gold, Task
from mosaic_env.tasks.compose.chain import build_chain, least_interactions
from mosaic_env.tasks.compose.composed import Composed, Probe
from mosaic_env.tasks.compose.graph import Graph
from mosaic_env.tasks.compose.phrases import ALIASES
from mosaic_env.tasks.compose.scene_query import Ask, answer
from mosaic_env.tasks.compose.steps import Cue, Shown, Step, as_plain

#: Share of the area that a question picture keeps, in thousandths of each side.
_KEPT = (730, 830)
_PERCENT = (84, 88, 92, 96)


def build(
    graph: Graph,
    world: str,
    level: str,
    steps: Sequence[Step],
    path: Sequence[str],
    ask: Ask,
    question: str,
    template: str,
    split: str,
    key: str = "",
) -> Composed:
    """Return a composed task, not yet proved.

    Args:
        key: The task's key; by default a hash of what it asks, so it never moves.
    """
    target = path[-1]
    key = key or _key(world, level, steps, path, ask)
    gold = gold_of(graph, key, steps, path, ask, template)
    if gold is None:
        raise ValueError(f"the picture of {target} does not answer what is asked")
    probe = _probe(key, path[0]) if isinstance(steps[0], Shown) else None
    tags = (ask["type"], *_kinds(level, steps))
    task = Task(key, question, world=world, level=level, split=split, tags=tags)
    return Composed(task, gold, tuple(steps), tuple(path), dict(ask), probe)


def gold_of(
    graph: Graph, key: str, steps: Sequence[Step], path: Sequence[str], ask: Ask, template: str
) -> Gold | None:
    """Return the gold of a task, read from the graph, or None when the last picture has no answer."""
    target = path[-1]
    value = answer(graph.scenes[target], ask)
    if value is None:
        return None
    return Gold(
        key=key,
        answer=value,
        aliases=ALIASES.get(value, ()),
        kind=ask["type"],
        target=target,
        chain=build_chain(graph, steps, path),
        min_interactions=least_interactions(graph, steps, path),
        notes={
            "ask": json.dumps({**ask, "of": target}, sort_keys=True),
            "steps": json.dumps(as_plain(steps), sort_keys=True),
            "template": template,
        },
    )


def _key(world: str, level: str, steps: Sequence[Step], path: Sequence[str], ask: Ask) -> str:
    identity = [world, level, as_plain(steps), list(path), dict(ask)]
    name = hashlib.sha256(canonical_bytes(["mosaic-task", identity])).hexdigest()[:10]
    return f"mosaic-{level.removeprefix('interlv-')}/{name}"


def _kinds(level: str, steps: Sequence[Step]) -> tuple[str, ...]:
    if level == "interlv-l1":
        return ("search_to_vqa",)
    names = []
    if isinstance(steps[0], Shown):
        names.append("initial_visual_probed")
    if any(isinstance(step, Cue) for step in steps):
        names.append("intermediate_visual_probed")
    return tuple(names)


def _probe(key: str, entity: str) -> Probe:
    """Return where the question picture is cut: about 60 percent of the area, anywhere."""
    rng = python_random(0, "probe", key)
    width = rng.randint(*_KEPT)
    height = 600_000 // width
    left, top = rng.randint(0, 1000 - width), rng.randint(0, 1000 - height)
    return Probe(entity, (left, top, left + width, top + height), rng.choice(_PERCENT))
