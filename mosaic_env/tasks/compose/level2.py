"""Level 2: walks of three to six hops with at least two looks at pictures.

Initial-visual-probed: the question carries a cut-out of a picture, and the walk starts at the entity that
it shows. Intermediate-visual-probed: somewhere on the walk several entities fit, and a cue in their
pictures picks one. Some walks have both.
"""

from __future__ import annotations

from random import Random

from mosaic_env.core.seeds import python_random
from mosaic_env.tasks.compose.build import build
from mosaic_env.tasks.compose.choose import Balance
from mosaic_env.tasks.compose.composed import Composed
from mosaic_env.tasks.compose.graph import Graph, Scene
from mosaic_env.tasks.compose.proofs import MOST_CANDIDATES, check
from mosaic_env.tasks.compose.routes import pointed, sayable
from mosaic_env.tasks.compose.scene_query import ATTRIBUTES, Ask, answer, asks
from mosaic_env.tasks.compose.steps import Cue, Named, Relate, Shown, Step
from mosaic_env.tasks.compose.wording import level2_question

LEVEL = "interlv-l2"
_TRIES = 60
#: Relation hops of a walk, as often as they stand here.
_LENGTHS = (2, 3, 3, 4, 4, 5)
_CUES = ("colour", "count", "shape", "pattern", "facial", "object")
#: Share of walks from a picture that also take a cue on the way.
_BOTH = 0.3


def compose_level2(graph: Graph, world: str, seed: int, limit: int) -> list[Composed]:
    """Compose Level 2 tasks, half of each kind, at most two a start and two a target, every one proved.

    Returns: At most ``limit`` tasks.
    Determinism: a pure function of the arguments.
    """
    made = _walks(graph, world, seed, limit - limit // 2, shown=True)
    return made + _walks(graph, world, seed, limit // 2, shown=False)


def _walks(graph: Graph, world: str, seed: int, limit: int, *, shown: bool) -> list[Composed]:
    balance, targets = Balance(), dict.fromkeys(graph.scenes, 0)
    made: list[Composed] = []
    starts = list(graph.scenes if shown else graph.nodes)
    python_random(seed, "level2", "starts", int(shown)).shuffle(starts)
    for turn in (0, 1):
        for start in starts:
            if len(made) >= limit:
                return made
            rng = python_random(seed, "level2", int(shown), start, turn)
            found = _one(graph, world, rng, start, balance, targets, shown=shown)
            if found is not None:
                targets[found.gold.target] += 1
                made.append(found)
    return made


def _one(
    graph: Graph,
    world: str,
    rng: Random,
    start: str,
    balance: Balance,
    targets: dict[str, int],
    *,
    shown: bool,
) -> Composed | None:
    for _ in range(_TRIES):
        walk = _walk(graph, rng, start, shown=shown)
        if walk is None or targets.get(walk[1][-1], 2) >= 2:
            continue
        steps, path = walk
        for ask in balance.ordered(rng, graph, path[-1], asks(graph.scenes[path[-1]]))[:3]:
            question, template = level2_question(rng, graph, steps, path, ask)
            made = build(graph, world, LEVEL, steps, path, ask, question, template)
            if not check(graph, made):
                balance.note(ask, made.gold.answer)
                return made
    return None


def _walk(graph: Graph, rng: Random, start: str, *, shown: bool) -> tuple[list[Step], list[str]] | None:
    """Return a random walk whose end is pictured, or None when it runs into a dead end."""
    node = graph.nodes[start]
    noun = next((n for n in reversed(node.nouns) if n != "person"), node.nouns[0])
    steps: list[Step] = [Shown(start, noun) if shown else Named(node.label)]
    path = [start]
    length = rng.choice(_LENGTHS)
    cue_at = rng.randrange(length - 1) if not shown or rng.random() < _BOTH else -1
    for hop in range(length):
        found = _cued_hop(graph, rng, path) if hop == cue_at else _plain_hop(graph, rng, path)
        if found is None:
            return None
        more, end = found
        steps += more
        path.append(end)
    return (steps, path) if path[-1] in graph.scenes else None


def _links(graph: Graph, rng: Random, key: str) -> list[tuple[str, bool]]:
    links = [link for link in graph.links(key) if sayable(link[0], inverse=link[1])]
    rng.shuffle(links)
    return links


def _plain_hop(graph: Graph, rng: Random, path: list[str]) -> tuple[list[Step], str] | None:
    """Return a step to one new entity that the relation (and perhaps a year) denotes alone."""
    for relation, inverse in _links(graph, rng, path[-1]):
        ends = [end for end in graph.neighbours(path[-1], relation, inverse=inverse) if end not in path]
        rng.shuffle(ends)
        for end in ends[:3]:
            step = pointed(graph, rng, path[-1], relation, inverse=inverse, key=end)
            if step is not None and not step.also:
                return [step], end
    return None


def _cued_hop(graph: Graph, rng: Random, path: list[str]) -> tuple[list[Step], str] | None:
    """Return a step to several pictured entities and the cue that picks one of them."""
    for relation, inverse in _links(graph, rng, path[-1]):
        everyone = graph.neighbours(path[-1], relation, inverse=inverse)
        for noun in sorted({noun for end in everyone for noun in graph.nodes[end].nouns} - {"person"}):
            ends = [end for end in everyone if noun in graph.nodes[end].nouns]
            if not 2 <= len(ends) <= MOST_CANDIDATES or not all(
                end in graph.scenes and end not in path for end in ends
            ):
                continue
            rng.shuffle(ends)
            cue = _cue(graph, rng, ends)
            if cue is not None:
                return [Relate(relation, inverse, noun), cue], ends[0]
    return None


def _cue(graph: Graph, rng: Random, ends: list[str]) -> Cue | None:
    """Return a cue that is true of the first picture and of no other."""
    scenes = [graph.scenes[end] for end in ends]
    possible = [
        ask
        for ask in asks(scenes[0])
        if ask["type"] in _CUES and ask.get("role") not in ("large shape", "small shape")
    ]
    rng.shuffle(possible)
    for ask in possible:
        value = answer(scenes[0], ask)
        if value is not None and not any(_alike(scenes[0], scene, ask, value) for scene in scenes[1:]):
            return Cue(ask, value)
    return None


def _alike(scene: Scene, other: Scene, ask: Ask, value: str) -> bool:
    """Tell whether a second picture could be taken for what a cue says of the first.

    Things that play the same part count as the same: a black coat is close to a black jacket.
    """
    if answer(other, ask) == value:
        return True
    role = next((t["role"] for t in scene["things"] if t["name"] == ask.get("thing") and "role" in t), None)
    attribute = ATTRIBUTES.get(ask["type"], "")
    return role is not None and any(
        t.get("role") == role and str(t.get(attribute)) == value for t in other["things"]
    )
