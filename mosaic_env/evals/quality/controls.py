"""Faults on purpose: with each of them an honest agent must fail, or the tasks do not need the tools.

Each is a change of the tools or of what a search returns, never of the agent. A control that the
oracle passes shows that its answers do not come from searching and looking. The oracle only plays tasks
whose answer is read off a picture, so without pictures it must solve none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from mosaic_env.core.seeds import python_random
from mosaic_env.core.types import Gold, Hits, Search
from mosaic_env.envs.engine import Engine
from mosaic_env.envs.setup import Setup
from mosaic_env.evals.quality.play import Change
from mosaic_env.snapshot.kb import KnowledgeBase

#: Tools that search pictures or attach them.
IMAGE_TOOLS = (
    "local_text_search_with_image", "local_text_to_image_search", "local_image_search", "image_crop",
    "view_image",
)  # fmt: skip


@dataclass(frozen=True)
class Control:
    """A fault on purpose.

    Args:
        name: For reports.
        what: What is broken, for people.
        most: The largest share of tasks that may still be solved.
        setup: Returns the setup with its fault.
        change: Returns what happens to searches, or None.
    """

    name: str
    what: str
    most: float
    setup: Callable[[Setup], Setup] = lambda setup: setup
    change: Callable[[KnowledgeBase], Change | None] = lambda kb: None


def pictures_off(setup: Setup) -> Setup:
    """Return a setup in which nothing attaches a picture, the question's own included."""
    config = setup.config.model_copy(update={"image_obs": False})
    return replace(setup, config=config, engine=Engine(config, setup.world, setup.engine.tools))


def image_tools_off(setup: Setup) -> Setup:
    """Return a setup without the tools that search or attach pictures."""
    tools = {name: tool for name, tool in setup.engine.tools.items() if name not in IMAGE_TOOLS}
    config = setup.config.model_copy(update={"tools": tuple(tools), "attach_text_results": False})
    return replace(setup, config=config, engine=Engine(config, setup.world, tools))


def random_rows(kb: KnowledgeBase, seed: int = 0) -> Change:
    """Return a change that replaces the rows of every search by random ones, pictured where asked for."""
    everyone, pictured = range(len(kb)), sorted(kb.pictures)

    def change(gold: Gold, number: int, search: Search, hits: Hits) -> Hits:
        rng = python_random(seed, "random rows", gold.key, number)
        pool = pictured if search.pictured or search.route != "text" else everyone
        rows = rng.sample(pool, min(len(hits.rows), len(pool)))
        return Hits(tuple(rows), hits.scores[: len(rows)], hits.matched_on, hits.vector)

    return change


def without_hop(kb: KnowledgeBase, seed: int = 0) -> Change:
    """Return a change that removes the entity of one hop of the gold chain, drawn by task, from all results."""

    def change(gold: Gold, number: int, search: Search, hits: Hits) -> Hits:
        tails = [hop.tail for hop in gold.chain]
        removed = kb.rows.get(python_random(seed, "removed hop", gold.key).choice(tails)) if tails else None
        kept = [pair for pair in zip(hits.rows, hits.scores, strict=True) if pair[0] != removed]
        rows, scores = tuple(row for row, _ in kept), tuple(score for _, score in kept)
        return Hits(rows, scores, hits.matched_on, hits.vector)

    return change


CONTROLS = (
    Control("pictures off", "no picture is attached", 0.0, setup=pictures_off),
    Control("image tools off", "no tool searches or shows pictures", 0.0, setup=image_tools_off),
    Control("random rows", "every search returns random entities", 0.02, change=random_rows),
    Control("hop removed", "one entity of the gold chain is never found", 0.02, change=without_hop),
)
