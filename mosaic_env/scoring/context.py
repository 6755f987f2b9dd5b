"""What a question contributes: words that an answer may repeat, and what it asks for.

Words of the question are never evidence for an answer; they are only not held against it.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from mosaic_env.scoring.lexer import tokenise
from mosaic_env.scoring.normalise import fold, normalise
from mosaic_env.scoring.synonyms import EXCLUSIVE
from mosaic_env.scoring.tokens import SEPARATORS, Token
from mosaic_env.scoring.words import (
    COPULAS,
    COUNT_CUES,
    DIRECTIONS,
    FILLER,
    MEDIA,
    OPTIONAL,
    ORDER_CUES,
    PLACES,
    STOP,
)

MAX_QUESTION = 4000
_MAX_OFFER = 3


@dataclass(frozen=True, slots=True)
class Context:
    """A question, as far as comparing needs it.

    Args:
        keys: The question's tokens as keys.
        words: Keys of its words that carry meaning.
        pairs: Neighbouring keys: a colour or number followed by the same noun is not a claim.
        ordered: It asks for an order.
        counting: It asks for a number.
        offered: Keys of the alternatives that it offers ("a lion, a ship or a crown").
    """

    keys: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    pairs: frozenset[tuple[str, str]] = frozenset()
    ordered: bool = False
    counting: bool = False
    offered: frozenset[str] = frozenset()

    def harmless(self, token: Token) -> bool:
        """Tell whether a token adds nothing to an answer."""
        if token.kind in SEPARATORS:
            return True
        if token.kind != "word":
            return False
        return (
            bool({token.raw, token.text} & (STOP | FILLER | PLACES))
            or token.text in self.words - self.offered
        )

    def forgivable(self, token: Token) -> bool:
        """Tell whether an answer may leave a token of the reference out wherever it stands."""
        if token.kind == "number":
            return token.value == 1
        return token.kind == "word" and bool({token.raw, token.text} & OPTIONAL)

    def asked_for(self, token: Token) -> bool:
        """Tell whether the question itself names what the token names."""
        return (
            token.kind == "word" and token.text in self.words - self.offered and token.text not in EXCLUSIVE
        )


@functools.lru_cache(maxsize=256)
def read_question(question: str) -> Context:
    """Return the context of a question; the empty question gives the empty context."""
    text = question[:MAX_QUESTION]
    scanned = tokenise(text)
    tokens = [token for token in scanned if token.kind not in SEPARATORS]
    folded = fold(text)
    return Context(
        keys=frozenset(token.text for token in tokens),
        words=frozenset(token.text for token in tokens if token.kind == "word" and token.raw not in STOP),
        pairs=frozenset((one.text, other.text) for one, other in pairwise(tokens)),
        ordered=any(cue in folded for cue in ORDER_CUES),
        counting=any(cue in folded for cue in COUNT_CUES),
        offered=_offered(scanned),
    )


def _offered(tokens: Sequence[Token]) -> frozenset[str]:
    """Return the keys of short phrases around "or", and of those that commas put before them."""
    pieces: list[tuple[str, list[Token]]] = [("clause", [])]
    for token in tokens:
        if token.kind in SEPARATORS:
            pieces.append((token.kind, []))
        else:
            pieces[-1][1].append(token)
    offered: set[str] = set()
    for at, (opener, piece) in enumerate(pieces):
        if opener != "or":
            continue
        first = at - 1
        while first > 0 and pieces[first][0] in ("comma", "or") and len(pieces[first][1]) <= _MAX_OFFER:
            first -= 1
        offered |= {token.text for token in piece[:_MAX_OFFER] if token.raw not in STOP}
        for _, before in pieces[first:at]:
            offered |= {token.text for token in before[-_MAX_OFFER:] if token.raw not in STOP}
    return frozenset(offered)


def claimed(tokens: Sequence[Token], context: Context) -> list[int]:
    """Return the positions that an answer claims something with.

    Left out are words that repeat the question ("the red car" where it asks about the red car)
    and, in a clause like "the blue band is red", everything before the verb when something of the
    same kind follows it.
    """
    kept: list[int] = []
    for clause in _clauses(tokens):
        verb = max((at for at in clause if tokens[at].raw in COPULAS), default=-1)
        kinds = {_family(tokens[at]) for at in clause if at > verb} - {""}
        for at in clause:
            if at < verb and _family(tokens[at]) in kinds:
                continue
            if not _repeats(tokens, at, context):
                kept.append(at)
    return kept


def _clauses(tokens: Sequence[Token]) -> list[list[int]]:
    clauses: list[list[int]] = [[]]
    for at, token in enumerate(tokens):
        if token.kind in SEPARATORS:
            clauses.append([])
        else:
            clauses[-1].append(at)
    return clauses


def _family(token: Token) -> str:
    if token.kind in ("number", "ordinal", "measure", "colour"):
        return token.kind
    return "direction" if token.text in DIRECTIONS else ""


def _repeats(tokens: Sequence[Token], at: int, context: Context) -> bool:
    if not _family(tokens[at]) or at + 1 >= len(tokens) or tokens[at].text in context.offered:
        return False
    after = tokens[at + 1]
    if after.text in MEDIA:
        return True
    return after.kind == "word" and after.raw not in STOP and (tokens[at].text, after.text) in context.pairs


def without_question(answer: str, question: str) -> str:
    """Return an answer without a literal repetition of the question.

    Returns: ``""`` when the answer is nothing but a stretch of five or more of its words.
    """
    asked, said = normalise(question[:MAX_QUESTION]), normalise(answer)
    if len(said.split()) >= 5 and f" {said} " in f" {asked} ":
        return ""
    folded, whole = fold(answer), fold(question[:MAX_QUESTION])
    return folded.replace(whole, ";") if len(asked.split()) >= 5 and whole in folded else answer
