"""One task on demand: drawn from a split's pool, walked backwards from its target, then proved.

Level 1, Search-to-VQA: the target is described by its relations in one phrase. Level 2 walks from a picture
(initial-visual-probed), or over a hop where several entities fit and a cue in their pictures picks one
(intermediate-visual-probed), or both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from mosaic_env.core.seeds import python_random
from mosaic_env.tasks.compose.build import build
from mosaic_env.tasks.compose.composed import Composed
from mosaic_env.tasks.compose.cues import cue_for
from mosaic_env.tasks.compose.graph import Graph
from mosaic_env.tasks.compose.pool import Pool
from mosaic_env.tasks.compose.proofs import MOST_CANDIDATES, check
from mosaic_env.tasks.compose.routes import Into, nouns_of, pointed
from mosaic_env.tasks.compose.scene_query import Ask, answer
from mosaic_env.tasks.compose.steps import Cue, Named, Relate, Shown, Step, denote
from mosaic_env.tasks.compose.wording import level1_question, level2_question

#: How often each number of hops is drawn, when the difficulty allows it.
_WEIGHTS = {1: 3, 2: 7, 3: 8, 4: 7, 5: 5}
#: Draws of type and length, and of targets within each, before a task is given up.
_DRAWS, _TARGETS = 200, 16
#: Draws of a target for a task with two branches.
_FORKS = 200
#: Shares of Level 2: walks that start from a picture, and those of them that also take a cue.
_SHOWN, _BOTH = 0.5, 0.3
#: So many draws keep to the type and the way of starting that were drawn first, so that what is harder to
#: reach is not asked less; where it cannot be reached at all, others follow.
_LOYAL = 8
#: Most ways from a pivot to the target, and most pivots, that are looked at for a task.
_TAILS, _PIVOTS = 8, 4

Walk = tuple[list[Step], list[str]]


class Composer:
    """Composes tasks over a graph.

    Args:
        world: Name of the world the tasks are about.

    Determinism: every task is a pure function of the graph and the arguments.
    Cost: a few milliseconds a task, whatever the size of the graph; the first of a split indexes it.
    """

    def __init__(self, graph: Graph, world: str) -> None:
        self.graph = graph
        self.world = world
        self._pools: dict[tuple[str, str], Pool] = {}

    def pool(self, level: str, split: str) -> Pool:
        """Return what a split can ask on a level."""
        place = (level, split)
        if place not in self._pools:
            self._pools[place] = Pool(self.graph, split, walked=level != "interlv-l1")
        return self._pools[place]

    def task(
        self, level: str, split: str, hops: tuple[int, int], seed: int, *path: str | int, key: str = ""
    ) -> Composed | None:
        """Return a proved task, or None when many draws gave none.

        Args:
            hops: Least and most relation hops.
            seed, path: What is drawn is a function of them.
            key: The task's key; by default a hash of what it asks.
        """
        rng = python_random(seed, "task", self.world, level, split, *hops, *path)
        pool = self.pool(level, split)
        lengths = range(hops[0], hops[1] + 1)
        weights = [_WEIGHTS[length] for length in lengths]
        for draw in range(_DRAWS if pool.types else 0):
            if draw == 0 or draw >= _LOYAL:
                kind, shown = pool.draw_type(rng), rng.random() < _SHOWN
            length = rng.choices(lengths, weights)[0]
            for _ in range(_TARGETS):
                target, ask = pool.draw_ask(rng, kind)
                if pool.depth(target) < length:
                    continue
                if level == "interlv-l1":
                    found = self._route(pool, rng, target, length)
                else:
                    found = self._walk(pool, rng, target, length, shown=shown)
                made = None if found is None else self._worded(rng, level, split, found, ask, key)
                if made is not None and not check(self.graph, made):
                    return made
        return None

    def _worded(self, rng: Random, level: str, split: str, walk: Walk, ask: Ask, key: str) -> Composed:
        words = level1_question if level == "interlv-l1" else level2_question
        question, template = words(rng, self.graph, *walk, ask, split)
        return build(self.graph, self.world, level, *walk, ask, question, template, split, key)

    def forking(self, rng: Random, split: str, hops: tuple[int, int], key: str) -> Iterator[Composed]:
        """Yield proved tasks of Level 2 whose cue alone decides where the walk ends.

        Another candidate leads on to another picture of the same kind, which answers what is asked in another
        way: were the cue in that candidate's picture, the question would have that answer.
        """
        level = "interlv-l2"
        pool = self.pool(level, split)
        lengths = range(hops[0], hops[1] + 1)
        weights = [_WEIGHTS[length] for length in lengths]
        for _ in range(_FORKS if pool.types else 0):
            target, ask = pool.draw_ask(rng, pool.draw_type(rng))
            length = rng.choices(lengths, weights)[0]
            if pool.depth(target) < length:
                continue
            walk = self._walk(pool, rng, target, length, shown=rng.random() < _SHOWN, forked=True)
            shared = None if walk is None else self._shared_ask(rng, walk, ask)
            if walk is None or shared is None:
                continue
            made = self._worded(rng, level, split, walk, shared, key)
            if not check(self.graph, made):
                yield made

    def _shared_ask(self, rng: Random, walk: Walk, drawn: Ask) -> Ask | None:
        """Return what the end of a walk and that of its other branch both answer, if they do, in two ways."""
        steps, path = walk
        number = next(i for i, step in enumerate(steps) if isinstance(step, Cue))
        place = sum(isinstance(step, Relate) for step in steps[:number])
        others = [key for key in denote(self.graph, steps[:number])[-1] if key != path[place]]
        ends = [denote(self.graph, steps[number + 1 :], (other,))[-1] for other in others]
        scenes = [self.graph.scenes[end[0]] for end in ends if len(end) == 1 and end[0] in self.graph.scenes]
        possible = self.graph.askable(path[-1])
        rng.shuffle(possible)
        possible.sort(key=lambda found: (found[0] != drawn, found[0]["type"] != drawn["type"]))
        for ask, value in possible:
            if any(answer(scene, ask) not in (None, value) for scene in scenes):
                return ask
        return None

    # --- Level 1 ----------------------------------------------------------------------------------

    def _route(self, pool: Pool, rng: Random, target: str, length: int) -> Walk | None:
        """Return a way to describe a target from a named entity ``length`` hops away."""
        steps: list[Step] = []
        path = [target]
        for left in range(length, 0, -1):
            found = self._hop(rng, path, pool.into(path[0]) if left > 1 else pool.named(path[0]), second=True)
            if found is None:
                return None
            step, near = found
            steps.insert(0, step)
            path.insert(0, near)
        return [Named(self.graph.nodes[path[0]].label), *steps], path

    # --- Level 2 ----------------------------------------------------------------------------------

    def _walk(
        self, pool: Pool, rng: Random, target: str, length: int, *, shown: bool, forked: bool = False
    ) -> Walk | None:
        """Return a walk of ``length`` hops, from a picture or a name, that ends at a target.

        Args:
            forked: With a pivot where another candidate goes on as well.
        """
        steps: list[Step] = []
        path = [target]
        if forked or not shown or rng.random() < _BOTH:
            after = rng.randrange(1, length)
            named = not shown and after == length - 1
            pivot = self._pivot(pool, rng, target, after, named=named, forked=forked)
            if pivot is None:
                return None
            steps, path = pivot
        while len(path) <= length:
            hops = pool.into(path[0]) if shown or len(path) < length else pool.named(path[0])
            plain = self._hop(rng, path, hops, second=False)
            if plain is None:
                return None
            step, near = plain
            steps, path = [step, *steps], [near, *path]
        start = path[0]
        if shown and (start not in self.graph.scenes or self.graph.twins(start) > 1):
            return None
        noun = nouns_of(self.graph, start)[-1]
        first = Shown(start, noun) if shown else Named(self.graph.nodes[start].label)
        return [first, *steps], path

    def _hop(
        self, rng: Random, path: list[str], into: Sequence[Into], *, second: bool
    ) -> tuple[Relate, str] | None:
        """Return a step that denotes the first entity of a path alone, with the entity it comes from."""
        hops = list(into)
        rng.shuffle(hops)
        for hop in hops:
            if hop.near not in path and (second or hop.sure):
                step = pointed(self.graph, rng, hop, key=path[0], second=second)
                if step is not None:
                    return step, hop.near
        return None

    def _pivot(
        self, pool: Pool, rng: Random, target: str, after: int, *, named: bool, forked: bool = False
    ) -> Walk | None:
        """Return a hop to several candidates, the cue that picks one, and ``after`` hops from it to a target.

        The hop may start from whatever a question may name, or from entities of the split alone.

        Preferred are pivots where another candidate could go on as well: then only the cue decides where the
        walk ends. With ``forked``, no others are taken.
        """
        tails: list[Walk] = [([], [target])]
        for _ in range(after):
            tails = [longer for tail in tails for longer in self._longer(pool, rng, tail)]
            tails = rng.sample(tails, min(len(tails), _TAILS))
        possible = [
            (hop, noun, others, tail)
            for tail in tails
            if tail[1][0] in self.graph.scenes
            for hop, noun, others in self._candidates(pool, tail[1], named=named)
        ]
        rng.shuffle(possible)
        alone = [not any(self._goes_on(pool, other, found[3]) for other in found[2]) for found in possible]
        order = sorted(range(len(possible)), key=lambda number: alone[number])
        possible = [possible[number] for number in order if not (forked and alone[number])]
        for hop, noun, others, (steps, path) in possible[:_PIVOTS]:
            cue = cue_for(self.graph, rng, path[0], others)
            if cue is not None:
                return [Relate(hop.relation, hop.inverse, noun), cue, *steps], [hop.near, *path]
        return None

    def _longer(self, pool: Pool, rng: Random, tail: Walk) -> Iterator[Walk]:
        """Yield a walk with each hop before it that denotes its first entity by a general noun."""
        steps, path = tail
        for hop in pool.into(path[0]):
            if hop.sure and hop.near not in path:
                step = pointed(self.graph, rng, hop, key=path[0], second=False, general=True)
                if step is not None:
                    yield [step, *steps], [hop.near, *path]

    def _candidates(
        self, pool: Pool, path: list[str], *, named: bool = False
    ) -> Iterator[tuple[Into, str, list[str]]]:
        """Yield hops and nouns that leave the path's first entity and one or two others, all pictured."""
        graph, picked = self.graph, path[0]
        for hop in pool.named(picked) if named else pool.into(picked):
            everyone = graph.neighbours(hop.near, hop.relation, inverse=hop.inverse)
            if hop.near in path or len(everyone) < 2:
                continue
            for noun in nouns_of(graph, picked):
                others = [end for end in everyone if end != picked and noun in graph.nodes[end].nouns]
                pictured = all(end in graph.scenes and end not in path for end in others)
                if 1 <= len(others) < MOST_CANDIDATES and pictured:
                    yield hop, noun, others

    def _goes_on(self, pool: Pool, other: str, tail: Walk) -> bool:
        """Tell whether the rest of a walk leads from another candidate to a picture of another entity."""
        steps, path = tail
        if other not in pool:
            return False
        sets = denote(self.graph, steps, (other,))
        alone = all(len(found) == 1 and found[0] in pool and found[0] not in path for found in sets)
        return alone and sets[-1][0] in self.graph.scenes
