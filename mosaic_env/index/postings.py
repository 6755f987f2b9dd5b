"""Sparse fields: for each token its rows and integer impacts, and the sums a query collects from them.

Impacts are integers held in float64, so sums are exact in any order. Must not: know what a field
means, or rank anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Postings:
    """One field.

    Args:
        vocabulary: Token number by token.
        offsets: shape (tokens + 1,), int64: where each token's postings start.
        rows: shape (postings,), int64, ascending within a token.
        impacts: shape (postings,), float64 integers in [1, 255].
        unseen: Impact that a token outside the vocabulary adds to the largest possible score.
        weights: For ``facts``: the weight of each word of a label.
    """

    vocabulary: Mapping[str, int]
    offsets: Ints
    rows: Ints
    impacts: Floats
    unseen: int
    weights: Mapping[str, int] = field(default_factory=dict)


class Collector:
    """Collects the postings of a query's tokens from one field.

    Args:
        postings: The field.
    """

    def __init__(self, postings: Postings) -> None:
        self._numbers = postings.vocabulary
        self._starts: list[int] = postings.offsets.tolist()
        self._rows = postings.rows
        self._impacts = postings.impacts
        largest = np.maximum.reduceat(postings.impacts, postings.offsets[:-1]) if len(postings.rows) else ()
        self._largest: list[int] = [int(value) for value in largest]
        self._unseen = postings.unseen

    def __contains__(self, token: str) -> bool:
        return token in self._numbers

    def collect(self, tokens: Sequence[str], rows: list[Ints], impacts: list[Floats]) -> int:
        """Append the postings of the tokens; return the largest score they could add up to."""
        possible = 0
        numbers, starts, largest = self._numbers, self._starts, self._largest
        for token in tokens:
            number = numbers.get(token)
            if number is None:
                possible += self._unseen
                continue
            start, end = starts[number], starts[number + 1]
            rows.append(self._rows[start:end])
            impacts.append(self._impacts[start:end])
            possible += largest[number]
        return possible


def add_up(rows: Sequence[Ints], impacts: Sequence[Floats], size: int) -> Floats:
    """Return the sum of impacts of each row, shape (size,); exact."""
    if not rows:
        return np.zeros(size)
    if len(rows) == 1:
        return np.bincount(rows[0], impacts[0], size).astype(np.float64, copy=False)
    return np.bincount(np.concatenate(rows), np.concatenate(impacts), size).astype(np.float64, copy=False)
