"""Making counterfactual pairs from generated tasks: composed, drawn again, laid over the world.

from mosaic_env.envs.core import SearchEnv
setup = gym.make("InterLV-L2-v0", tasks="generated", split="train").unwrapped.setup
for pair in make_pairs(setup, 1000):
    before, after = SearchEnv(pair.original), SearchEnv(pair.changed)   # each has one task, pair.key
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from mosaic_env.core.canon import canonical_text
from mosaic_env.core.errors import TaskError
from mosaic_env.core.seeds import python_random
from mosaic_env.envs.setup import Setup
from mosaic_env.evals.quality.counterfactual import OneTask, Pair, fault_of, overlaid
from mosaic_env.guard.images import canonicalise
from mosaic_env.index.overlay import OverlayWorld
from mosaic_env.tasks.compose import Composed
from mosaic_env.tasks.compose.counterfactual import Counterfactual, Kind, attribute_changed, cue_changed
from mosaic_env.tasks.generated import GeneratedTasks
from mosaic_env.world.draw import draw

#: A kind has no more pairs when so many draws in a row gave no new one.
_PATIENCE = 100
_KINDS: dict[str, tuple[Kind, ...]] = {
    "attribute": ("attribute",), "cue": ("cue",), "both": ("attribute", "cue"),
}  # fmt: skip


def make_pairs(
    setup: Setup, count: int, kind: Literal["attribute", "cue", "both"] = "both", seed: int = 0
) -> Iterator[Pair]:
    """Yield different pairs: the same question in the setup's world and in one with other pictures.

    Args:
        setup: World, generated tasks and rules: ``gym.make(…, tasks="generated").unwrapped.setup``. Nothing of
            it is changed.
        count: How many; fewer when there are no more.
        kind: ``attribute`` changes what the target's picture shows, ``cue`` which candidate's picture has the
            cue, ``both`` takes turns. Level 1 has no cues, nor have small splits pairs with them.
        seed: Another one gives other pairs.

    Raises: TaskError (ME-TASK-04) when the tasks are not generated, or there is no such pair.
    Determinism: a pure function of the world and the arguments; fewer pairs are the first of more.
    Cost: about 35 ms a pair, most of it drawing; a pair keeps its new pictures and shares all else.
    """
    source = _generated(setup)
    vain: dict[Kind, int] = dict.fromkeys(_KINDS[kind], 0)
    known: set[str] = set()
    for number in itertools.count():
        kinds = [one for one, times in vain.items() if times < _PATIENCE]
        for each in kinds:
            pair = None if len(known) == count else _pair(setup, source, each, seed, number, known)
            vain[each] = vain[each] + 1 if pair is None else 0
            if pair is not None:
                yield pair
        if not kinds or len(known) == count:
            break
    if count and not known:
        raise TaskError(
            "ME-TASK-04", f"no counterfactual pair of the kind {kind!r} was found among these tasks",
            expected="tasks with a cue whose other candidates lead on" if kind == "cue" else "other tasks",
            fix="Choose kind='attribute', split='train' or a larger world",
        )  # fmt: skip


def _pair(
    setup: Setup, source: GeneratedTasks, kind: Kind, seed: int, number: int, known: set[str]
) -> Pair | None:
    """Return a pair that is not known yet, and note it, or None."""
    found = (_attribute if kind == "attribute" else _cue)(source, seed, number)
    if found is None:
        return None
    made, other = found
    content = canonical_text([made.task.question, made.gold.target, kind, dict(other.scenes)])
    if content in known:
        return None
    drawn = {key: canonicalise(draw(scene)) for key, scene in other.scenes.items()}
    world = OverlayWorld(setup.world, drawn)
    shown = {new.picture.digest: other.scenes[new.entity] for new in world.changed}
    if any(digest in setup.world.kb.by_digest for digest in shown):  # it looks as something did before
        return None
    task, gold = source.pictured(made)
    after = OneTask(task, replace(other.made.gold, key=task.key), shown, source)
    before = replace(setup, source=OneTask(task, gold, {}, source))
    pair = Pair(task.key, before, overlaid(setup, world, after), kind)
    if fault_of(pair):  # the scorer takes one answer for the other
        return None
    known.add(content)
    return pair


def _attribute(source: GeneratedTasks, seed: int, number: int) -> tuple[Composed, Counterfactual] | None:
    """Return a task of the source, drawn from all, with its other half."""
    keys = source.keys()
    key = keys[python_random(seed, "pair", number).randrange(len(keys))]
    made = source.composed(key)
    other = attribute_changed(source.graph, made, seed)
    return None if other is None else (made, other)


def _cue(source: GeneratedTasks, seed: int, number: int) -> tuple[Composed, Counterfactual] | None:
    """Return a task with a cue that has another half, with it."""
    for made in source.forking(seed, number):
        other = cue_changed(source.graph, made, seed)
        if other is not None:
            return made, other
    return None


def _generated(setup: Setup) -> GeneratedTasks:
    if isinstance(setup.source, GeneratedTasks):
        return setup.source
    raise TaskError(
        "ME-TASK-04", "counterfactual pairs need to know what tasks were composed from",
        expected="generated tasks", fix="Pass tasks='generated'",
    )  # fmt: skip
