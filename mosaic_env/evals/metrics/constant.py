"""The best constant guess: what always giving the same answer to a type of question would get right.

Learnt in hindsight from the golds of the run itself, so it is the most that any such guess can have.
"""

from __future__ import annotations

from collections.abc import Sequence

from mosaic_env.evals.quality.knowledge import Knowledge, example
from mosaic_env.evals.records import Scored
from mosaic_env.scoring.score import score

#: Frequent answers of a type that are tried: the scorer accepts forms, so the most frequent one need not be the best.
TRIED = 3


def constant_right(scored: Sequence[Scored]) -> tuple[bool, ...]:
    """Return for each episode whether the best constant guess of its type of question is right.

    Cost: at most three scorings an episode.
    """
    kinds: dict[str, list[int]] = {}
    for place, one in enumerate(scored):
        kinds.setdefault(one.gold.kind, []).append(place)
    known = Knowledge([example(one.episode.task, one.gold) for one in scored])
    outcomes: dict[int, bool] = {}
    for kind, places in kinds.items():
        tries = [[_fits(guess, scored[place]) for place in places] for guess in known.guesses(kind, TRIED)]
        outcomes |= zip(places, max(tries, key=sum), strict=True)
    return tuple(outcomes[place] for place in range(len(scored)))


def _fits(guess: str, one: Scored) -> bool:
    return score(guess, one.gold, one.episode.task.question).value == "yes"
