"""A composed task before its question picture is cut out."""

from __future__ import annotations

from dataclasses import dataclass

from mosaic_env.core.types import Gold, Task
from mosaic_env.tasks.compose.scene_query import Ask
from mosaic_env.tasks.compose.steps import Step

#: Interactions of each level in the papers' preset.
BUDGETS = {"interlv-l1": 3, "interlv-l2": 7}


@dataclass(frozen=True)
class Probe:
    """A question picture to be cut out of an entity's picture.

    Args:
        entity: Key of the entity whose picture it is.
        box: (left, top, right, bottom) in thousandths of width and height.
        percent: Size of the result in percent of the cut.
    """

    entity: str
    box: tuple[int, int, int, int]
    percent: int


@dataclass(frozen=True)
class Composed:
    """A task with its gold, and what proofs and wording were made from.

    Args:
        steps: What the question denotes.
        path: The entity after the start and after each relation, by key.
        ask: The question to the last entity's picture.
        probe: The question picture, or None.
    """

    task: Task
    gold: Gold
    steps: tuple[Step, ...]
    path: tuple[str, ...]
    ask: Ask
    probe: Probe | None = None
