"""Counterfactual pairs: the same question over a world in which one thing in a gold picture is another.

Whoever looks at the pictures answers both right; whoever guesses, or reads texts only, cannot. Two kinds:

    attribute   what is asked about is changed in the target's picture: the answer changes
    cue         a pivot's cue moves to another candidate's picture: the walk branches off, to another target

Scenes only: drawing them is the caller's. In each changed scene exactly one thing, or one line of lettering,
differs, and everything the original was proved for is proved again on the changed graph.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Literal

from mosaic_env.core.seeds import python_random
from mosaic_env.tasks.compose.build import gold_of
from mosaic_env.tasks.compose.composed import Composed
from mosaic_env.tasks.compose.cues import alike
from mosaic_env.tasks.compose.graph import Graph, Scene, ask_key
from mosaic_env.tasks.compose.proofs import check
from mosaic_env.tasks.compose.scene_query import ATTRIBUTES, Ask, answer, index_of
from mosaic_env.tasks.compose.steps import Cue, Relate, denote

#: Settings of a look that nothing else depends on.
_SURROUNDINGS = ("sky", "front", "wayside", "wall")

Kind = Literal["attribute", "cue"]


@dataclass(frozen=True)
class Counterfactual:
    """The other half of a pair.

    Args:
        kind: What was changed.
        scenes: The changed scenes by entity key: one for ``attribute``, two for ``cue``.
        made: The same question with the gold of the changed world, under a key of its own.
    """

    kind: Kind
    scenes: Mapping[str, Scene]
    made: Composed


def attribute_changed(graph: Graph, made: Composed, seed: int) -> Counterfactual | None:
    """Return a world in which the target's picture gives another answer, or None when none is sound.

    Determinism: a pure function of the arguments.
    Cost: about a millisecond.
    """
    rng = python_random(seed, "counterfactual", "attribute", made.task.key)
    target = made.gold.target
    for value in other_values(graph, rng, target, made.ask):
        scenes = {target: edited(graph.scenes[target], made.ask, value)}
        found = _proved(graph, made, "attribute", scenes, made.path)
        if found is not None:
            return found
    return None


def cue_changed(graph: Graph, made: Composed, seed: int) -> Counterfactual | None:
    """Return a world in which a cue picks another candidate, or None: without a cue, or when no branch is sound.

    The candidate that had the cue shows what the other one showed, or something else.

    Determinism: a pure function of the arguments.
    Cost: a few milliseconds.
    """
    rng = python_random(seed, "counterfactual", "cue", made.task.key)
    sets = denote(graph, made.steps)
    for number, cue in enumerate(made.steps):
        if not isinstance(cue, Cue):
            continue
        (picked,) = sets[number]
        others = [key for key in sets[number - 1] if key not in made.path]
        rng.shuffle(others)
        for other in others:
            path = _branch(graph, made, number, other)
            if path is None:
                continue
            for scenes in _swapped(graph, rng, cue, picked, other):
                rest = [key for key in sets[number - 1] if key != other]
                now = graph.with_scenes(scenes)
                if any(alike(now.scenes[other], now.scenes[key], cue.ask, cue.value) for key in rest):
                    continue
                found = _proved(graph, made, "cue", scenes, path)
                if found is not None:
                    return found
    return None


def other_values(graph: Graph, rng: Random, key: str, ask: Ask) -> list[str]:
    """Return what an entity's picture could answer instead, the safest to draw first.

    Values come from pictures of the same kind, layout and form. None stands anywhere in the scene already: a star
    never gets the colour of its ground. What a scene's look repeats is painted from the look, so it stays.
    """
    scene = graph.scenes[key]
    own, form = answer(scene, ask), _form(scene, ask)
    present = {*_texts_in(scene), own}
    if own is None or _repeated(scene, own):
        return []
    best: dict[str, int] = {}
    layout = _layout(scene)
    for other in graph.of_kind[scene["kind"]]:
        donor = graph.scenes[other]
        if other == key or _layout(donor) != layout:
            continue
        value = answer(donor, ask)
        if (
            value is not None
            and value not in present
            and _form(donor, ask) == form
            and not _repeated(donor, value)
        ):
            best[value] = max(best.get(value, -1), _similar(scene, donor))
    known = graph.values.get((scene["kind"], ask_key(ask)), ())
    values = [value for value in sorted(best) if value in known]
    rng.shuffle(values)
    return sorted(values, key=lambda value: -best[value])


def edited(scene: Scene, ask: Ask, value: str) -> dict[str, Any]:
    """Return a scene that answers an ask with a value; one entry of it differs."""
    place, number = index_of(scene, ask)
    entries = [dict(entry) for entry in scene[place]]
    if place == "lettering":
        entries[number]["text"] = value
    elif "role" in ask or "beside" in ask:
        entries[number]["name"] = value
    else:
        attribute = ATTRIBUTES[ask["type"]]
        entries[number][attribute] = int(value) if ask["type"] == "count" else value
    return {**scene, place: entries}


def _swapped(
    graph: Graph, rng: Random, cue: Cue, picked: str, other: str
) -> Iterator[dict[str, dict[str, Any]]]:
    """Yield scenes in which the other picture has the cue and the picked one has something else."""
    first, second = graph.scenes[picked], graph.scenes[other]
    had = answer(second, cue.ask)
    same_form = (
        first["kind"] == second["kind"]
        and had is not None
        and _form(first, cue.ask) == _form(second, cue.ask)
    )
    if not same_form or cue.value not in other_values(graph, rng, other, cue.ask):
        return
    values = other_values(graph, rng, picked, cue.ask)
    for value in sorted(values, key=lambda found: found != had)[:4]:
        yield {picked: edited(first, cue.ask, value), other: edited(second, cue.ask, cue.value)}


def _branch(graph: Graph, made: Composed, number: int, other: str) -> tuple[str, ...] | None:
    """Return the gold path when the cue at a step picks another candidate, or None when it ends nowhere."""
    place = sum(isinstance(step, Relate) for step in made.steps[:number])
    path = [*made.path[:place], other]
    for found in denote(graph, made.steps[number + 1 :], (other,)):
        if len(found) != 1 or found[0] in path:
            return None
        path.append(found[0])
    target = path[-1]
    same = target in graph.scenes and graph.scenes[target]["kind"] == graph.scenes[made.gold.target]["kind"]
    return tuple(path) if same and target != made.gold.target else None


def _proved(
    graph: Graph, made: Composed, kind: Kind, scenes: Mapping[str, Scene], path: tuple[str, ...]
) -> Counterfactual | None:
    """Return the pair's other half when its answer is another one and every proof holds."""
    now = graph.with_scenes(scenes)
    key = f"{made.task.key}~{kind}"
    gold = gold_of(now, key, made.steps, path, made.ask, made.gold.notes["template"])
    if gold is None or gold.answer == made.gold.answer:
        return None
    other = replace(made, task=replace(made.task, key=key), gold=gold, path=path)
    return None if check(now, other) else Counterfactual(kind, scenes, other)


def _form(scene: Scene, ask: Ask) -> tuple[str, ...]:
    """Return which attributes the asked entry has: only entries of one form can stand for each other."""
    place, number = index_of(scene, ask)
    entry = scene[place][number]
    role = () if place == "lettering" else (str(entry.get("role", "")),)
    return (*sorted(entry), *role)


def _layout(scene: Scene) -> dict[str, str]:
    """Return the words of a look that say how a picture is composed, apart from weather and surroundings."""
    return {
        name: value
        for name, value in scene["look"].items()
        if isinstance(value, str) and name not in _SURROUNDINGS
    }


def _repeated(scene: Scene, value: str) -> bool:
    """Tell whether a scene's look says the same as an answer."""
    return any(value in text for text in _texts_in(scene["look"]))


def _similar(scene: Scene, donor: Scene) -> int:
    """Return in how many of its settings another picture of the kind looks the same."""
    look = donor["look"]
    return sum(look.get(name) == value for name, value in scene["look"].items())


def _texts_in(value: Any) -> Iterator[str]:
    """Yield every text and count in a scene."""
    if isinstance(value, Mapping):
        for part in value.values():
            yield from _texts_in(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _texts_in(part)
    elif isinstance(value, str):
        yield value
