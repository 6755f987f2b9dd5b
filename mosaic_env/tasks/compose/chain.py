"""The gold chain of a task: one hop an edge, with the call that finds it, and what that costs.

An agent knows an entity's label when a text that it has seen names it, and has seen an entity's text
and picture when a search returned it. From x to y there are two ways: y's label is read in the
text of x, or a search with x's label finds y because y's text names x.
"""

from __future__ import annotations

from collections.abc import Sequence

from mosaic_env.core.types import Hop
from mosaic_env.tasks.compose.graph import Graph, Node
from mosaic_env.tasks.compose.steps import Cue, Named, Relate, Shown, Step

TEXT, TEXT_IMAGE, IMAGE = "local_text_search", "local_text_search_with_image", "local_image_search"
_FAR = 99


def build_chain(graph: Graph, steps: Sequence[Step], path: Sequence[str]) -> tuple[Hop, ...]:
    """Return the hops along a path.

    A named start is looked up in a hop of its own when the way on has to be read in its text.
    """
    hops: list[Hop] = []
    first = graph.nodes[path[0]]
    if isinstance(steps[0], Shown):
        hops.append(Hop("", first.key, "picture", "img_1", IMAGE))
    elif isinstance(steps[0], Named) and not graph.nodes[path[1]].names(first):
        hops.append(Hop("", first.key, "text", first.label, TEXT))
    position = 0
    for number, step in enumerate(steps):
        if isinstance(step, Relate):
            head, tail = graph.nodes[path[position]], graph.nodes[path[position + 1]]
            looks = number + 1 == len(steps) or isinstance(steps[number + 1], Cue)
            query = hop_query(step, head, tail)
            hops.append(
                Hop(head.key, tail.key, step.relation, query, TEXT_IMAGE if looks else TEXT, step.inverse)
            )
            position += 1
    return tuple(hops)


def hop_query(step: Relate, head: Node, tail: Node) -> str:
    """Return what an agent that knows the chain would search for: names and nouns, the words that texts share.

    The words of the relation would bring classes and genres first ("film producer").
    """
    noun = tail.nouns[-1]
    if head.names(tail):
        return f"{tail.label}, {noun}"
    year = f"{step.year} " if step.year else ""
    return f"{head.label}, {year}{noun}"


def least_interactions(graph: Graph, steps: Sequence[Step], path: Sequence[str]) -> int:
    """Return the least number of dependent interactions, the answer's own included.

    Several calls of one interaction do not depend on each other, so looking at all candidates of a
    cue is one interaction.
    """
    named = isinstance(steps[0], Named)
    known, seen = (0, 1) if named else (_FAR, 1)
    cued = {i for i in range(len(steps)) if isinstance(steps[i], Cue)}
    position = 0
    for number, step in enumerate(steps):
        if not isinstance(step, Relate):
            continue
        head, tail = graph.nodes[path[position]], graph.nodes[path[position + 1]]
        position += 1
        reads = seen if head.names(tail) else _FAR
        finds = min(known, seen) + 1 if tail.names(head) else _FAR
        known, seen = reads, min(finds, reads + 1)
        if number + 1 in cued:
            known = seen
    return seen + 1
