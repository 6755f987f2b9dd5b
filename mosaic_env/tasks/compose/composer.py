"""One task on demand: drawn from a split's pool, walked backwards from its target, then proved.

Level 1, Search-to-VQA: the target is described by its relations in one phrase. Level 2 walks from a picture
(initial-visual-probed), or over a hop where several entities fit and a cue in their pictures picks one
(intermediate-visual-probed), or both.
"""

from __future__ import annotations

from random import Random

from mosaic_env.core.seeds import python_random
from mosaic_env.tasks.compose.build import build
from mosaic_env.tasks.compose.composed import Composed
from mosaic_env.tasks.compose.cues import cue_for
from mosaic_env.tasks.compose.graph import Graph
from mosaic_env.tasks.compose.pool import Pool
from mosaic_env.tasks.compose.proofs import MOST_CANDIDATES, check
from mosaic_env.tasks.compose.routes import nouns_of, pointed
from mosaic_env.tasks.compose.scene_query import Ask
from mosaic_env.tasks.compose.steps import Cue, Named, Relate, Shown, Step
from mosaic_env.tasks.compose.wording import level1_question, level2_question

#: How often each number of hops is drawn, when the difficulty allows it.
_WEIGHTS = {1: 3, 2: 7, 3: 8, 4: 7, 5: 5}
#: Draws of type and length, and of targets within each, before a task is given up.
_DRAWS, _TARGETS = 150, 20
#: Shares of Level 2: walks that start from a picture, and those of them that also take a cue.
_SHOWN, _BOTH = 0.5, 0.3
#: So many draws keep to the type and the way of starting that were drawn first, so that what is harder to
#: reach is not asked less; where it cannot be reached at all, others follow.
_LOYAL = 12

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

    # --- Level 1 ----------------------------------------------------------------------------------

    def _route(self, pool: Pool, rng: Random, target: str, length: int) -> Walk | None:
        """Return a way to describe a target from a named entity ``length`` hops away."""
        steps: list[Step] = []
        path = [target]
        for _ in range(length):
            found = self._hop(pool, rng, path, second=True)
            if found is None:
                return None
            step, near = found
            steps.insert(0, step)
            path.insert(0, near)
        return [Named(self.graph.nodes[path[0]].label), *steps], path

    # --- Level 2 ----------------------------------------------------------------------------------

    def _walk(self, pool: Pool, rng: Random, target: str, length: int, *, shown: bool) -> Walk | None:
        """Return a walk of ``length`` hops, from a picture or a name, that ends at a target."""
        cue_at = rng.randrange(length - 1) if not shown or rng.random() < _BOTH else -1
        steps: list[Step] = []
        path = [target]
        for hop in range(length - 1, -1, -1):
            if hop == cue_at:
                cued = self._cued_hop(pool, rng, path)
                if cued is None:
                    return None
                relate, cue, near = cued
                steps[:0] = [relate, cue]
            else:
                plain = self._hop(pool, rng, path, second=False)
                if plain is None:
                    return None
                relate, near = plain
                steps.insert(0, relate)
            path.insert(0, near)
        start = path[0]
        if shown and (start not in self.graph.scenes or self.graph.twins(start) > 1):
            return None
        noun = nouns_of(self.graph, start)[-1]
        first = Shown(start, noun) if shown else Named(self.graph.nodes[start].label)
        return [first, *steps], path

    def _hop(self, pool: Pool, rng: Random, path: list[str], *, second: bool) -> tuple[Relate, str] | None:
        """Return a step that denotes the first entity of a path alone, with the entity it comes from."""
        hops = list(pool.into(path[0]))
        rng.shuffle(hops)
        for hop in hops:
            if hop.near not in path and (second or hop.sure):
                step = pointed(
                    self.graph, rng, hop.near, hop.relation, inverse=hop.inverse, key=path[0], second=second
                )
                if step is not None:
                    return step, hop.near
        return None

    def _cued_hop(self, pool: Pool, rng: Random, path: list[str]) -> tuple[Relate, Cue, str] | None:
        """Return a step to several pictured entities, the cue that picks the path's first, and its start."""
        graph, picked = self.graph, path[0]
        if picked not in graph.scenes:
            return None
        hops = list(pool.into(picked))
        rng.shuffle(hops)
        for hop in hops:
            everyone = graph.neighbours(hop.near, hop.relation, inverse=hop.inverse)
            if hop.near in path or len(everyone) < 2:
                continue
            for noun in nouns_of(graph, picked):
                others = [end for end in everyone if end != picked and noun in graph.nodes[end].nouns]
                pictured = all(end in graph.scenes and end not in path for end in others)
                if not 1 <= len(others) < MOST_CANDIDATES or not pictured:
                    continue
                cue = cue_for(graph, rng, picked, others)
                if cue is not None:
                    return Relate(hop.relation, hop.inverse, noun), cue, hop.near
        return None
