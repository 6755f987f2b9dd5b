"""Relation names in a query: from words to the pair tokens of the ``facts`` field.

A pair token names a relation, a direction and one word of the label at the other end:
``>P57 cobra`` stands on the entity that "director of Gold Cobra" denotes, ``<P57 boll`` on the
things directed by somebody called Boll.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mosaic_env.index.text import words
from mosaic_env.snapshot.kb import Relation


def pair_token(relation: str, word: str, *, inverse: bool) -> str:
    """Return the token of one fact seen from one end."""
    return f"{'<' if inverse else '>'}{relation} {word}"


class RelationPhrases:
    """Finds relation names among the words of a query.

    Args:
        relations: Labels and aliases read from head to tail; ``inverse`` the other way.
    """

    def __init__(self, relations: Iterable[Relation]) -> None:
        self._phrases: dict[tuple[str, ...], list[tuple[str, bool]]] = {}
        for relation in sorted(relations, key=lambda r: r.id):
            for name in (relation.label, *relation.aliases):
                # A plain name is read both ways: "director of X" and "X, director Y".
                self._add(name, relation.id, (False, True))
            self._add(relation.inverse, relation.id, (True,))
        self._longest = max(map(len, self._phrases), default=0)

    def _add(self, name: str, relation: str, directions: Iterable[bool]) -> None:
        phrase = tuple(words(name))
        if phrase:
            known = self._phrases.setdefault(phrase, [])
            known.extend((relation, d) for d in directions if (relation, d) not in known)

    def pairs(self, query: Sequence[str]) -> list[tuple[list[str], list[str]]]:
        """Return, for each reading of each relation name in a query, the other words and their tokens."""
        readings: list[tuple[list[str], list[str]]] = []
        for start, end in self._matches(query):
            rest = list(dict.fromkeys([*query[:start], *query[end:]]))
            for relation, inverse in self._phrases[tuple(query[start:end])]:
                readings.append((rest, [pair_token(relation, word, inverse=inverse) for word in rest]))
        return readings

    def _matches(self, query: Sequence[str]) -> list[tuple[int, int]]:
        """Return the spans of relation names, longest first at each place, without overlap."""
        spans: list[tuple[int, int]] = []
        start = 0
        while start < len(query):
            length = next(
                (n for n in range(min(self._longest, len(query) - start), 0, -1)
                 if tuple(query[start : start + n]) in self._phrases),
                0,
            )  # fmt: skip
            if length:
                spans.append((start, start + length))
            start += length or 1
        return spans
