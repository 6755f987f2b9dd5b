"""A classifier that answers from the words of the question alone, learnt from other questions.

Naive Bayes over hashed words and pairs of words, one model for each type of question. Counts are
integers; logarithms are rounded to integers before anything is compared, so every machine gives the
same answers.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from mosaic_env.core.seeds import derive
from mosaic_env.evals.quality.reading import words

#: Hashed features; two that meet are told apart by nothing.
DIMENSIONS = 2**14
#: Most answers of a type that are learnt, the commonest.
MAX_ANSWERS = 256
#: How many examples a word's overall share weighs in an answer's own.
_PRIOR = 4.0
#: Units of a rounded logarithm.
_UNITS = 1024
#: Weights of the words against the answer's own frequency, in quarters; 0 is the constant guess.
_WEIGHTS = (0, 1, 2, 4)


@dataclass(frozen=True, slots=True)
class Example:
    """A question with its answer.

    Args:
        key: The task's key.
        kind: The question's type.
        question, answer: Texts.
        group: What it is about: folds never split a group.
    """

    key: str
    kind: str
    question: str
    answer: str
    group: str


def features(question: str) -> npt.NDArray[np.int64]:
    """Return the hashed words and pairs of words of a question, each once, ascending."""
    spelt = words(question)
    grams = spelt + [f"{one} {two}" for one, two in pairwise(spelt)]
    return np.unique(np.array([zlib.crc32(gram.encode()) % DIMENSIONS for gram in grams], np.int64))


class Classifier:
    """Answers learnt from examples.

    Args:
        examples: Questions with answers.

    Determinism: exact; the order of the examples does not matter.
    Cost: about a millisecond for ten examples, and 16 KiB of memory for each answer.
    """

    def __init__(self, examples: Sequence[Example]) -> None:
        by_kind: dict[str, list[Example]] = {}
        for example in sorted(examples, key=lambda example: example.key):
            by_kind.setdefault(example.kind, []).append(example)
        self._models: Mapping[str, _Model] = {kind: _tuned(some) for kind, some in by_kind.items()}

    def predict(self, kind: str, question: str) -> str | None:
        """Return the likeliest answer, or None for a type without examples."""
        model = self._models.get(kind)
        return None if model is None else model.predict(features(question))


class _Model:
    """Naive Bayes for one type of question."""

    def __init__(self, seen: Sequence[tuple[npt.NDArray[np.int64], str]], weight: int = 4) -> None:
        counts = Counter(answer for _, answer in seen)
        ranked = sorted(counts, key=lambda answer: (-counts[answer], answer))[:MAX_ANSWERS]
        places = {answer: place for place, answer in enumerate(ranked)}
        table = np.zeros((len(ranked), DIMENSIONS), np.int32)
        for found, answer in seen:
            if answer in places:
                table[places[answer], found] += 1
        share = (table.sum(axis=0) + 1.0) / (len(seen) + 2.0)
        sizes = np.array([counts[answer] for answer in ranked], np.float64)
        self._evidence = np.empty(table.shape, np.int16)
        for place, size in enumerate(sizes):
            likely = (table[place] + _PRIOR * share) / (size + _PRIOR)
            self._evidence[place] = np.rint(np.log2(likely / share) * _UNITS)
        self._frequency = np.rint(np.log2(sizes) * _UNITS).astype(np.int64)
        self._answers = ranked
        self.weight = weight

    def scores(self, found: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return what the words say for each answer."""
        total: npt.NDArray[np.int64] = self._evidence[:, found].sum(axis=1, dtype=np.int64)
        return total

    def best(self, evidence: npt.NDArray[np.int64], weight: int) -> str:
        """Return the likeliest answer; of equals the more frequent, then the first by name."""
        return self._answers[int(np.argmax(4 * self._frequency + weight * evidence))]

    def predict(self, found: npt.NDArray[np.int64]) -> str:
        """Return the likeliest answer."""
        return self.best(self.scores(found), self.weight)


def _tuned(examples: Sequence[Example]) -> _Model:
    """Return a model whose weight of words did best on a fifth that it had not seen."""
    seen = [(features(example.question), example.answer) for example in examples]
    held = [derive(0, "held out", example.group) % 5 == 0 for example in examples]
    learnt = [pair for pair, out in zip(seen, held, strict=True) if not out]
    kept_back = [pair for pair, out in zip(seen, held, strict=True) if out]
    if not learnt or not kept_back:
        return _Model(seen, weight=0)
    trial = _Model(learnt)
    right = dict.fromkeys(_WEIGHTS, 0)
    for found, answer in kept_back:
        evidence = trial.scores(found)
        for weight in _WEIGHTS:
            right[weight] += trial.best(evidence, weight) == answer
    return _Model(seen, weight=max(_WEIGHTS, key=lambda weight: right[weight]))
