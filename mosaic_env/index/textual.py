"""Text search without trained weights: words, integer n-gram vectors and facts, in one exact order.

Each part gives a share between 0 and 1 of the best a query could reach in it; a row's score is the
weighted sum of squared shares (each part stays near-perfect on its own kind of query, which rank
fusion and plain sums spoil):

- ``words`` of label, description and longer text (BM25 impacts);
- ``mentions`` of a name (two neighbouring words of some label, or its only word) in label or text: "film with
  music by Solvek Oskberth" has to find the film whose long text says so, among all the short ones about another
  Solvek or another Oskberth;
- ``ngrams``: integer vectors of the trigrams of label and description, which forgive typing errors;
- ``facts``: pairs (relation, word of the other end's label), only with ``corpus="closed"``:
  "director of Gold Cobra" asks for (P57, gold) and (P57, cobra), and a fact counts by the cosine of its
  words with the rest of the query.

The order is the one that scoring every row would give; most rows are never scored: a row outside the
best n-gram vectors needs a share in the other parts that few have (Fagin's threshold argument).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mosaic_env.index.ngrams import LENGTH, NgramEncoder
from mosaic_env.index.phrases import RelationPhrases
from mosaic_env.index.postings import Collector, Floats, Ints, Postings, add_up
from mosaic_env.index.text import MAX_QUERY_CHARS, pairs, trigrams, words
from mosaic_env.index.vectors import VectorIndex

#: Weight of each part's squared share. Tuned on queries that the benchmark makes.
WEIGHTS = {"words": 16.0, "mentions": 12.0, "ngrams": 16.0, "facts": 24.0}
#: A whole share. Shares are float64 numbers made by one correctly rounded operation a step, so the
#: order is the same on every machine; the scores shown are rounded down to 1/1024.
PARTS = 1024
_WHOLE = {part: PARTS * math.sqrt(weight) for part, weight in WEIGHTS.items()}
_SHOWN = 1024.0
_TINY = 1e-300
#: Likeness below this is collisions of hashed trigrams.
_NOISE = 0.125
#: How many of the nearest n-gram vectors are looked at first.
_NEAREST = 32


@dataclass(frozen=True, slots=True)
class TextQuery:
    """A text query.

    Args:
        text: Any text; only the first 2,000 characters count.
        k: At most this many rows.
        facts: Search facts as well.
        pictured: Only rows that have a picture.
    """

    text: str
    k: int
    facts: bool = False
    pictured: bool = False


class TextIndex:
    """Searches the entities of a knowledge base by text.

    Args:
        size: Number of entities.
        fields: Postings of ``words``, ``mentions`` and ``facts``.
        phrases: Finds relation names in a query.
        encoder: Encodes n-grams.
        vectors: shape (size, 640), int8: the n-gram vector of each row.
        pictured: shape (size,), bool: which rows have a picture.
    """

    def __init__(
        self,
        size: int,
        fields: Mapping[str, Postings],
        phrases: RelationPhrases,
        encoder: NgramEncoder,
        vectors: npt.NDArray[np.int8],
        pictured: npt.NDArray[np.bool_],
    ) -> None:
        self.size = size
        self._words, self._facts = Collector(fields["words"]), Collector(fields["facts"])
        self._mentions, self._rarest = Collector(fields["mentions"]), fields["mentions"].unseen
        self._fact_weights, self._fact_unseen = fields["facts"].weights, fields["facts"].unseen
        self._phrases = phrases
        self._encoder = encoder
        self._vectors = vectors
        self._all = np.arange(size, dtype=np.int64)
        self._pictured = np.flatnonzero(pictured).astype(np.int64)
        self._hidden = ~pictured
        self._indices: dict[bool, VectorIndex] = {}

    def search(self, queries: Sequence[TextQuery]) -> list[tuple[Ints, Ints]]:
        """Return the best rows and their scores for each query, by (score descending, row ascending).

        Rows that share nothing with a query are never returned.

        Returns: Two int64 arrays of the same length, at most k, for each query; scores up to
            68 * 1024**3.
        Determinism: exact: the same alone and in a batch; the first n of k are the same for every k >= n.
        """
        found = [(words(query.text[:MAX_QUERY_CHARS]), query) for query in queries]
        vectors = self._encoder.encode([trigrams(query.text[:MAX_QUERY_CHARS]) for query in queries])
        known = np.count_nonzero(vectors, axis=1).tolist()
        nearest: list[tuple[Ints, Ints]] = [(self._all[:0], self._all[:0])] * len(queries)
        for pictured in (False, True):
            numbers = [n for n, query in enumerate(queries) if query.pictured == pictured and known[n]]
            if numbers:
                count = max(_NEAREST, *(queries[n].k for n in numbers))
                rows, dots = self._nearest(vectors[numbers], count, pictured)
                for place, number in enumerate(numbers):
                    nearest[number] = rows[place], dots[place]
        return [
            self._rank(query, self._sums(tokens, query), vector, *near)
            for (tokens, query), vector, near in zip(found, vectors, nearest, strict=True)
        ]

    def _nearest(self, vectors: npt.NDArray[np.int8], count: int, pictured: bool) -> tuple[Ints, Ints]:
        """Return the rows of the nearest n-gram vectors and their inner products."""
        rows = self._pictured if pictured else self._all
        if pictured not in self._indices:
            self._indices[pictured] = VectorIndex(self._vectors[rows] if pictured else self._vectors)
        found, dots = self._indices[pictured].search(vectors, count)
        return rows[found], dots

    def _sums(self, tokens: Sequence[str], query: TextQuery) -> Floats:
        """Return the weighted squared shares of words, mentions and facts of every row."""
        rows: list[Ints] = []
        impacts: list[Floats] = []
        possible = self._words.collect(tokens, rows, impacts)
        total = _squared(add_up(rows, impacts, self.size), "words", possible)
        rows, impacts = [], []
        names = [name for name in (*tokens, *pairs(tokens)) if name in self._mentions]
        # A word that nobody uses is mistyped: then no name is all that was meant.
        unknown = [word for word in tokens if word not in self._words]
        possible = self._mentions.collect([*names, *unknown], rows, impacts)
        if rows:  # a common name ("The End") is far from the whole share, also where it is the only one
            total += _squared(add_up(rows, impacts, self.size), "mentions", max(possible, self._rarest))
        if query.facts:
            rows, impacts = [], []
            norm = self._collect_facts(tokens, rows, impacts)
            if rows:
                total += _squared(add_up(rows, impacts, self.size), "facts", norm)
        if query.pictured:
            total[self._hidden] = 0.0
        return total

    def _collect_facts(self, tokens: Sequence[str], rows: list[Ints], impacts: list[Floats]) -> int:
        """Append the pair postings of a query; return the norm of the words beside the relation name."""
        norm = 0
        for rest, tokens_of in self._phrases.pairs(tokens):
            self._facts.collect(tokens_of, rows, impacts)
            squares = sum(self._fact_weights.get(word, self._fact_unseen) ** 2 for word in rest)
            norm = max(norm, math.isqrt(squares))
        return norm

    def _rank(
        self, query: TextQuery, sums: Floats, vector: npt.NDArray[np.int8], near: Ints, dots: Ints
    ) -> tuple[Ints, Ints]:
        """Return the best rows: those near by n-grams, and those whose other parts could beat them.

        A row that is not in ``near`` has at most the likeness of the last one there, so it needs
        the rest of the k-th best score from words and facts; without any it cannot come in.
        """
        likeness = _likeness(dots)
        totals = sums[near] + likeness
        least = 0.0
        if 0 < query.k <= len(totals):
            kth = float(np.sort(totals)[-query.k])
            # The margin covers the rounding of this difference: a few rows too many do no harm.
            least = (kth - float(likeness[-1])) * (1.0 - 1e-9)
        sums[near] = 0.0  # they are ranked already
        others = np.flatnonzero(sums >= max(least, _TINY))
        if len(others):
            more = sums[others] + _likeness(self._dots(others, vector))
            near, totals = np.concatenate([near, others]), np.concatenate([totals, more])
        order = np.lexsort((near, -totals))[: max(query.k, 0)]
        found = totals[order]
        kept = int(np.count_nonzero(found))  # rows that share nothing stand at the end
        return near[order[:kept]], (found[:kept] * _SHOWN).astype(np.int64)

    def _dots(self, rows: Ints, vector: npt.NDArray[np.int8]) -> Ints:
        # float32 holds these sums exactly: 640 * 127**2 < 2**24.
        products = self._vectors[rows].astype(np.float32) @ vector.astype(np.float32)
        return products.astype(np.int64)


def _squared(sums: Floats, part: str, possible: int) -> Floats:
    """Return the weighted squared shares of sums; each step is one correctly rounded operation a row."""
    whole = _WHOLE[part]
    np.multiply(sums, whole / max(possible, 1), out=sums)
    if part == "facts":
        np.minimum(sums, whole, out=sums)  # several facts of one entity may add up to more than one
    np.multiply(sums, sums, out=sums)
    return sums


def _likeness(dots: Ints) -> Floats:
    """Return the weighted squared shares of inner products; noise counts nothing."""
    whole = _WHOLE["ngrams"]
    share = np.minimum(dots * (whole / LENGTH**2), whole)
    share[share < _NOISE * whole] = 0.0
    squared: Floats = share * share
    return squared
