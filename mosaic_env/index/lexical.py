"""Lexical search with integer impacts over fields: exact scores, exact order, no weights to train.

Three fields, each normalised by the largest score the query could reach in it before they are
combined as a weighted sum of squares (each field stays near-perfect on its own kind of query;
rank fusion and plain sums spoil them):

- ``words`` of ``label. description`` and the longer text (BM25 impacts);
- ``label``: character trigrams of the label, which forgive typing errors (BM25 impacts);
- ``facts``: pairs (relation, word of the other end's label), searched only with
  ``corpus="closed"``: "director of Gold Cobra" asks for the pairs (P57, gold) and (P57, cobra), and a
  fact counts by the cosine of its words with the rest of the query.

Every number is an integer held in float64 below 2**53, so sums are exact in any order.
Must not: read files (``build`` and ``world`` do), or know handles.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from mosaic_env.index.phrases import RelationPhrases
from mosaic_env.index.text import MAX_QUERY_CHARS, trigrams, words

FIELDS = ("words", "label", "facts")
#: Weight of each field's squared share, in sixteenths. Tuned on queries that the benchmark makes.
WEIGHTS = {"words": 16, "label": 20, "facts": 12}
#: A field's share of the query's largest possible score is expressed in this many parts.
PARTS = 1024
_SHIFT = 20
_BLOCK = 128

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Postings:
    """One field: for each token its rows and impacts.

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

    def largest(self) -> Ints:
        """Return the largest impact of each token, shape (tokens,)."""
        if len(self.offsets) == 1:
            return np.zeros(0, np.int64)
        return np.maximum.reduceat(self.impacts, self.offsets[:-1]).astype(np.int64)


class _Field:
    """Postings made ready for scoring: rows shifted to the field's own stripe of the score array."""

    def __init__(self, postings: Postings, stripe: int, size: int) -> None:
        self.numbers = postings.vocabulary
        self.starts: list[int] = postings.offsets.tolist()
        self.rows = postings.rows + stripe * size
        self.impacts = postings.impacts
        self.largest: list[int] = postings.largest().tolist()
        self.unseen = postings.unseen

    def collect(self, tokens: Sequence[str], rows: list[Ints], impacts: list[Floats]) -> int:
        """Append the postings of the tokens; return the largest score they could add up to."""
        possible = 0
        numbers, starts, largest = self.numbers, self.starts, self.largest
        for token in tokens:
            number = numbers.get(token)
            if number is None:
                possible += self.unseen
                continue
            start, end = starts[number], starts[number + 1]
            rows.append(self.rows[start:end])
            impacts.append(self.impacts[start:end])
            possible += largest[number]
        return possible


class LexicalIndex:
    """Searches the fields of a knowledge base.

    Args:
        size: Number of entities.
        fields: Postings by field name; ``facts`` may be absent.
        phrases: Finds relation names in a query; needed with ``facts``.
        pictured: shape (size,), bool: which rows have a picture.
    """

    def __init__(
        self,
        size: int,
        fields: Mapping[str, Postings],
        phrases: RelationPhrases,
        pictured: npt.NDArray[np.bool_],
    ) -> None:
        self.size = size
        self._fields = {name: _Field(fields[name], FIELDS.index(name), size) for name in fields}
        self._weights = fields["facts"].weights if "facts" in fields else {}
        self._phrases = phrases
        self._pictured = pictured.astype(np.float64)
        self._padded = -(-max(size, 1) // _BLOCK) * _BLOCK

    def search(self, query: str, k: int, *, facts: bool = False, pictured: bool = False) -> tuple[Ints, Ints]:
        """Return the best rows and their scores, by (score descending, row ascending).

        Args:
            query: Any text; only the first 2,000 characters count.
            k: At most this many rows; rows that share nothing with the query are never returned.
            facts: Search the ``facts`` field as well.
            pictured: Only rows that have a picture.

        Returns: Two int64 arrays of the same length, at most k; scores in [1, 48 * 1024 ** 2].
        Determinism: pure; the first n of k are the same for every k >= n.
        """
        scores = self._scores(query[:MAX_QUERY_CHARS], facts)
        if pictured:
            scores[: self.size] *= self._pictured
        return self._best(scores, k)

    def _scores(self, query: str, facts: bool) -> Floats:
        rows: list[Ints] = []
        impacts: list[Floats] = []
        found = words(query)
        possible = [
            self._fields["words"].collect(found, rows, impacts),
            self._fields["label"].collect(trigrams(query), rows, impacts),
        ]
        if facts and "facts" in self._fields:
            possible.append(self._collect_facts(found, rows, impacts))
        total = np.zeros(self._padded)
        if not rows:
            return total
        size = self.size
        weights = np.concatenate(impacts)
        sums: Floats = np.bincount(np.concatenate(rows), weights, len(possible) * size).astype(
            np.float64, copy=False
        )
        for stripe, largest in enumerate(possible):
            if largest:
                share: Floats = sums[stripe * size : (stripe + 1) * size]
                # share * PARTS // largest, as a product and a shift: exact below 2**53.
                np.multiply(share, float((PARTS << _SHIFT) // largest), out=share)
                np.multiply(share, 2.0**-_SHIFT, out=share)
                np.floor(share, out=share)
                np.minimum(share, PARTS, out=share)
                share *= share
                share *= WEIGHTS[FIELDS[stripe]]
                total[:size] += share
        return total

    def _collect_facts(self, query: Sequence[str], rows: list[Ints], impacts: list[Floats]) -> int:
        """Append the pair postings of a query; return the norm of the words beside the relation name."""
        facts, weights = self._fields["facts"], self._weights
        norm = 0
        for rest, tokens in self._phrases.pairs(query):
            facts.collect(tokens, rows, impacts)
            squares = sum(weights.get(word, facts.unseen) ** 2 for word in rest)
            norm = max(norm, math.isqrt(squares))
        return norm

    def _best(self, scores: Floats, k: int) -> tuple[Ints, Ints]:
        # The k-th largest block maximum bounds the k-th largest score from below, so few rows are
        # left to sort; a full partition of 15,000 mostly equal scores costs ten times as much.
        maxima = scores.reshape(-1, _BLOCK).max(axis=1)
        floor = 1.0
        if 0 < k < len(maxima):
            floor = max(1.0, float(np.partition(maxima, len(maxima) - k)[len(maxima) - k]))
        rows = np.flatnonzero(scores >= floor)
        found = scores[rows].astype(np.int64)
        order = np.lexsort((rows, -found))[: max(k, 0)]
        return rows[order], found[order]
