"""Static proofs: why a composed task has one answer, needs all its hops, and gives nothing away.

``check`` looks at the task's own question and gold, not at how they were made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mosaic_env.tasks.compose.chain import least_interactions
from mosaic_env.tasks.compose.composed import BUDGETS, Composed
from mosaic_env.tasks.compose.graph import Graph, plain_words
from mosaic_env.tasks.compose.scene_query import answer
from mosaic_env.tasks.compose.splits import split_of
from mosaic_env.tasks.compose.steps import Cue, Named, Relate, Shown, Step, denote

#: Most candidates a cue may choose from: an interaction runs three calls.
MOST_CANDIDATES = 3
#: Most texts that may name an entity when a hop has to find one of them by that name.
MOST_NAMING = 5


@dataclass(frozen=True)
class Failure:
    """A proof that failed: its name, and what was found."""

    proof: str
    found: str


def check(graph: Graph, made: Composed) -> list[Failure]:
    """Return the proofs that fail; none for a sound task.

    Cost: well below a millisecond, apart from the first call on a graph.
    """
    failures = []
    for name, proof in PROOFS.items():
        found = proof(graph, made)
        if found:
            failures.append(Failure(name, found))
    return failures


def _one_target(graph: Graph, made: Composed) -> str:
    sets = denote(graph, made.steps)
    place = 0
    for number, step in enumerate(made.steps):
        cue_next = number + 1 < len(made.steps) and isinstance(made.steps[number + 1], Cue)
        if cue_next:
            seen = all(key in graph.scenes for key in sets[number])
            if not 2 <= len(sets[number]) <= MOST_CANDIDATES or not seen:
                return f"step {number} leaves {len(sets[number])} candidates, pictured: {seen}"
        elif len(sets[number]) != 1:
            return f"step {number} denotes {len(sets[number])} entities"
        if not isinstance(step, Cue):
            if made.path[place] not in sets[number]:
                return f"step {number} misses {made.path[place]}"
            place += 1
        elif sets[number] != (made.path[place - 1],):
            return "the cue picks another entity"
    return "" if sets[-1] == (made.gold.target,) else "the last step does not denote the target"


def _one_answer(graph: Graph, made: Composed) -> str:
    scene = graph.scenes.get(made.gold.target)
    if scene is None:
        return "the target has no picture"
    found = answer(scene, made.ask)
    return "" if found == made.gold.answer else f"the scene answers {found}"


def _not_constant(graph: Graph, made: Composed) -> str:
    kind = graph.scenes[made.gold.target]["kind"]
    return "every such picture gives the same answer" if graph.constant(kind, made.ask) else ""


def _not_in_texts(graph: Graph, made: Composed) -> str:
    return "the answer stands in a text" if graph.says(made.gold.answer) else ""


def _question_keeps_quiet(graph: Graph, made: Composed) -> str:
    asked = plain_words(made.task.question)
    if plain_words(made.gold.answer) in asked:
        return "the answer stands in the question"
    hidden = made.path if isinstance(made.steps[0], Shown) else made.path[1:]
    for key in hidden:
        if graph.nodes[key].plain in asked:
            return f"the question names {key}"
    return ""


def _no_way_round(graph: Graph, made: Composed) -> str:
    if len(set(made.path)) != len(made.path):
        return "an entity stands twice in the chain"
    relates = [i for i, step in enumerate(made.steps) if isinstance(step, Relate)]
    for i in relates[:-1] if len(relates) > 1 else []:
        rest = [
            step for j, step in enumerate(made.steps) if j != i and not (j == i + 1 and isinstance(step, Cue))
        ]
        if denote(graph, rest)[-1] == (made.gold.target,):
            return f"step {i} can be left out"
    for number, i in enumerate(relates[1:], start=1):
        if _shortcut(graph, made.steps[i], made.path[number + 1]):
            return f"step {i} says enough by itself"
    if made.task.level == "interlv-l2" and graph.adjacent(made.path[0], made.path[-1]):
        return "the ends are adjacent"
    return ""


def _shortcut(graph: Graph, step: Step, end: str) -> bool:
    """Tell whether what a step adds to its relation denotes its end without the steps before."""
    if not isinstance(step, Relate):
        return False
    if step.year and graph.dated[step.noun, step.year] < 2:
        return True
    if not step.also:
        return False
    relation, inverse, label = step.also
    alone = Relate(relation, inverse, step.noun, step.year)
    return denote(graph, (Named(label), alone))[-1] == (end,)


def _one_split(graph: Graph, made: Composed) -> str:
    split = made.task.split
    # A held-out task may start from any name; see ``splits``.
    free = 1 if split != "train" and isinstance(made.steps[0], Named) else 0
    strange = [key for key in made.path[free:] if split_of(key) != split]
    return f"{strange[0]} is not of the split {split}" if strange else ""


def _fits_budget(graph: Graph, made: Composed) -> str:
    budget = BUDGETS[made.task.level]
    needed = max(len(made.gold.chain) + 1, made.gold.min_interactions)
    if made.gold.min_interactions != least_interactions(graph, made.steps, made.path):
        return "the least number of interactions is wrong"
    return "" if needed <= budget else f"it takes {needed} of {budget} interactions"


def _findable(graph: Graph, made: Composed) -> str:
    for hop in made.gold.chain:
        if not hop.head:
            continue
        head, tail = graph.nodes[hop.head], graph.nodes[hop.tail]
        if head.names(tail):
            continue
        if not tail.names(head):
            return f"no text leads from {hop.head} to {hop.tail}"
        if graph.crowd(head) > MOST_NAMING:
            return f"{graph.crowd(head)} texts name {hop.head}"
    return ""


def _hops_and_rounds(graph: Graph, made: Composed) -> str:
    if made.task.level != "interlv-l2":
        return "" if 1 <= len(made.gold.chain) <= 2 else f"{len(made.gold.chain)} hops"
    if not 3 <= len(made.gold.chain) <= 6:
        return f"{len(made.gold.chain)} hops"
    rounds = 1 + isinstance(made.steps[0], Shown) + sum(isinstance(step, Cue) for step in made.steps)
    return "" if rounds >= 2 else "only one visual round"


def _pictured_start(graph: Graph, made: Composed) -> str:
    if not isinstance(made.steps[0], Shown):
        return "" if isinstance(made.steps[0], Named) and made.probe is None else "an unneeded picture"
    if made.probe is None or made.probe.entity != made.path[0] or made.path[0] not in graph.scenes:
        return "the question picture is not of the start"
    return "" if graph.twins(made.path[0]) == 1 else "another picture shows the same as the question picture"


PROOFS: dict[str, Callable[[Graph, Composed], str]] = {
    "one target": _one_target,
    "one answer": _one_answer,
    "one split": _one_split,
    "not constant": _not_constant,
    "not in texts": _not_in_texts,
    "question keeps quiet": _question_keeps_quiet,
    "no way round": _no_way_round,
    "fits budget": _fits_budget,
    "findable": _findable,
    "hops and rounds": _hops_and_rounds,
    "pictured start": _pictured_start,
}
