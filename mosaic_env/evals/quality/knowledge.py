"""What cheap strategies may learn from other tasks: constant guesses, vocabularies, a classifier."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from mosaic_env.core.seeds import derive
from mosaic_env.core.types import Gold, Task
from mosaic_env.evals.quality.cases import Case
from mosaic_env.evals.quality.classifier import Classifier, Example
from mosaic_env.evals.quality.reading import Vocabulary

#: Folds, when there are no tasks to learn from but the audited ones.
FOLDS = 5

_NOTHING = Vocabulary(())


class Knowledge:
    """Learnt from examples.

    Args:
        examples: Questions with answers; none of them may be the audited task.
    """

    def __init__(self, examples: Sequence[Example]) -> None:
        counts: dict[str, Counter[str]] = {}
        for example in examples:
            counts.setdefault(example.kind, Counter())[example.answer] += 1
        self._ranked = {
            kind: tuple(sorted(count, key=lambda answer: (-count[answer], answer)))
            for kind, count in counts.items()
        }
        self._vocabularies = {kind: Vocabulary(answers) for kind, answers in self._ranked.items()}
        self._examples = examples

    @cached_property
    def classifier(self) -> Classifier:
        """The classifier, learnt when first asked for."""
        return Classifier(self._examples)

    def guesses(self, kind: str, count: int = 1) -> tuple[str, ...]:
        """Return the best constant guesses for a type of question, the most frequent answers."""
        return self._ranked.get(kind, ())[:count]

    def vocabulary(self, kind: str) -> Vocabulary:
        """Return the answers that a type of question has."""
        return self._vocabularies.get(kind, _NOTHING)


@dataclass(frozen=True)
class Fitted:
    """Knowledge for each audited task.

    Args:
        of: Returns what may be known when a task is attacked.
        guesses: (type of question, how many) -> the best constant guesses.
        what: What it was learnt from, for reports.
    """

    of: Callable[[Case], Knowledge]
    guesses: Callable[[str, int], tuple[str, ...]]
    what: str


def example(task: Task, gold: Gold) -> Example:
    """Return a task as an example to learn from."""
    return Example(task.key, gold.kind, task.question, gold.answer, gold.target or task.key)


def fit(cases: Sequence[Case], train: Sequence[Example], what: str = "") -> Fitted:
    """Learn from the training tasks, or, without any, from the other folds of the audited ones.

    Args:
        cases: The audited tasks; one that is also a training task is not learnt from.
        train: Training tasks.
        what: Where they come from.

    Tasks about one target share a fold: nothing is learnt about the target that is asked for. Without
    training tasks the constant guesses are those that fit the audited tasks best, in hindsight: where answers
    are balanced, an answer that is frequent in the other folds is rare in the own one, and every strategy
    would seem to beat it.
    """
    audited = {case.task.key for case in cases}
    kept = [one for one in train if one.key not in audited]
    if kept:
        knowledge = Knowledge(kept)
        return Fitted(lambda case: knowledge, knowledge.guesses, f"{len(kept):,} tasks of {what}")
    own = [example(case.task, case.gold) for case in cases]
    folds = [Knowledge([one for one in own if _fold(one) != fold]) for fold in range(FOLDS)]
    what = f"the audited tasks themselves: guesses in hindsight, the rest in {FOLDS} folds"
    return Fitted(lambda case: folds[_fold(example(case.task, case.gold))], Knowledge(own).guesses, what)


def _fold(one: Example) -> int:
    return derive(0, "fold", one.group) % FOLDS
