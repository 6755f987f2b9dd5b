"""Why a stored task cannot be played on a snapshot, and what to do about each reason.

A reason is a plain sentence in the ``tasks`` section: it is counted and shown wherever results are.
"""

from __future__ import annotations

from collections.abc import Iterable, Set

from mosaic_env.core.types import Gold, Task

NO_TARGET = "the row names no target (entity_qid)"
UNKNOWN_TARGET = "the target is not in the knowledge base"
NO_PICTURE = "no picture of the target"
LEVEL_3 = "no environment plays level 3 yet"

_BUILD = "build again with mosaic snapshot build …"
#: What removes each reason.
FIXES = {
    NO_TARGET: f"Write the key of the pictured entity into each row as entity_qid and {_BUILD}",
    UNKNOWN_TARGET: f"Check the rows' entity_qid, or {_BUILD} --kgdb FILE with a knowledge base that has them",
    NO_PICTURE: "Collect pictures named after the entities (Q64.jpg) and "
    f"{_BUILD} --images DIR; 'mosaic snapshot info' shows the coverage",
    LEVEL_3: "Play level 1 or 2",
}


def why_unplayable(task: Task, gold: Gold, known: Set[str], pictured: Set[str]) -> str:
    """Return why a task cannot be played, or ``""``.

    Args:
        known: Keys of the knowledge base.
        pictured: Keys of the entities that have a picture.
    """
    if task.level == "interlv-l3":
        return LEVEL_3
    if not gold.target:
        return NO_TARGET
    if gold.target not in known:
        return UNKNOWN_TARGET
    return "" if gold.target in pictured else NO_PICTURE


def fix_for(reasons: Iterable[str]) -> str:
    """Return one sentence a reason, each once and in order; an unknown reason speaks for itself."""
    return ". ".join(dict.fromkeys(FIXES[reason] for reason in reasons if reason in FIXES))
