"""Which episodes stand together in a table: all of them, a level, a chain's shape; and which of them repeat a task."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

from mosaic_env.core.types import Gold, Hop, Task
from mosaic_env.evals.records import Scored

SINGLE = "Single-chain"
MULTI = "Multi-branch"
#: Tags of published tasks that say it; others are told by their gold chain.
_TAGS = {"single_thread": SINGLE, "parallel_comparison": MULTI}
ALL = "All"

Groups = dict[str, list[Scored]]


def ordered(scored: Iterable[Scored]) -> list[Scored]:
    """Return episodes by task key, then by seed, then by digest: a run's workers finish in any order."""
    return sorted(scored, key=lambda one: (one.episode.task.key, one.episode.seed, one.episode.digest))


def level_name(scored: Scored) -> str:
    """Return ``Level 2`` for ``interlv-l2``, other levels as they are called."""
    level = scored.episode.task.level or str(scored.episode.config.get("family", ""))
    digits = level.removeprefix("interlv-l")
    return f"Level {digits}" if digits != level and digits.isdigit() else level or "(no level)"


def chain_shape(task: Task, gold: Gold) -> str:
    """Return ``Single-chain``, ``Multi-branch``, or ``""`` when neither tags nor gold say it.

    A chain is single when each hop starts where the one before it ended; a hop without a head starts anew, so only
    the first of a single chain may lack one.
    """
    tagged = next((_TAGS[tag] for tag in task.tags if tag in _TAGS), "")
    if tagged or not gold.chain:
        return tagged
    return SINGLE if _is_line(gold.chain) else MULTI


def _is_line(chain: Sequence[Hop]) -> bool:
    return all(hop.head == before.tail for before, hop in pairwise(chain))


def standard_groups(scored: Sequence[Scored]) -> Groups:
    """Return the columns of the main tables: all, each level, then the shapes of chains that occur."""
    groups = {ALL: list(scored), **by(scored, level_name)}
    shapes = by(scored, lambda one: chain_shape(one.episode.task, one.gold))
    return groups | {name: shapes[name] for name in (SINGLE, MULTI) if name in shapes}


def split_groups(scored: Sequence[Scored]) -> Groups:
    """Return all, and those of the standard groups that are not all again."""
    groups = standard_groups(scored)
    return {name: ones for name, ones in groups.items() if name == ALL or len(ones) < len(scored)}


def level_groups(scored: Sequence[Scored]) -> Groups:
    """Return all and each level; one level alone stands for all."""
    levels = by(scored, level_name)
    return levels if len(levels) == 1 else {ALL: list(scored), **levels}


def by(scored: Iterable[Scored], name: Callable[[Scored], str]) -> Groups:
    """Return episodes by a name of theirs, names sorted."""
    found: Groups = {}
    for one in scored:
        found.setdefault(name(one), []).append(one)
    return dict(sorted(found.items()))


def distinct(scored: Iterable[Scored]) -> list[Scored]:
    """Return the first episode of each question: tasks that ask the same words about the same pictures count once.

    The reference does not matter: who asks twice learns nothing new.
    """
    kept: dict[tuple[object, ...], Scored] = {}
    for one in scored:
        task = one.episode.task
        pictures = tuple((picture.digest, picture.box) for picture in task.pictures)
        kept.setdefault((task.level, " ".join(task.question.split()), pictures), one)
    return list(kept.values())


def by_task(scored: Iterable[Scored]) -> Mapping[str, Scored]:
    """Return the first episode of each task, by key."""
    kept: dict[str, Scored] = {}
    for one in scored:
        kept.setdefault(one.episode.task.key, one)
    return kept
