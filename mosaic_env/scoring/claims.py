"""What an answer asserts, what it denies, and the alternatives it leaves open.

Must not: know the reference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from mosaic_env.scoring.readings import sides, words
from mosaic_env.scoring.tokens import SEPARATORS, Token
from mosaic_env.scoring.words import AUXILIARIES, COPULAS, HEDGES, STOP

MAX_OPTIONS = 8
_BREAKS = frozenset({"comma", "and"})
_REASONS = frozenset({"because", "since", "due", "with", "for"})
_OR = Token("or", "or", "or")
_CLAUSE_ENDS = frozenset({"clause", "open", "close"})


@dataclass(slots=True)
class Claims:
    """The tokens of an answer by what it says of them.

    Args:
        asserted: What it says is so, separators kept.
        denied: What it says is not so.
        doubtful: What follows a denial without a verb of its own: "not red, blue".
        retracted: It asserted something and then said no more than "no".
    """

    asserted: list[Token] = field(default_factory=list)
    denied: list[Token] = field(default_factory=list)
    doubtful: list[Token] = field(default_factory=list)
    retracted: bool = False


def read_claims(tokens: Sequence[Token]) -> Claims:
    """Return the claims of an answer.

    Cost: linear.
    """
    claims = Claims()
    denying = False
    for piece, separator in _pieces(tokens):
        negator = next((at for at, token in enumerate(piece) if token.kind == "not"), -1)
        if negator >= 0:
            start = 0 if _denies_all(piece, negator) else negator
            if all(token.kind == "not" or token.raw in STOP for token in piece):
                claims.retracted = claims.retracted or any(
                    token.kind not in SEPARATORS for token in claims.asserted
                )
            claims.asserted += piece[:start]
            claims.denied += [*(token for token in piece[start:] if token.kind != "not"), *separator]
            denying = True
        elif denying and not any(token.raw in COPULAS for token in piece):
            claims.doubtful += [*piece, *separator]
        else:
            claims.asserted += piece
            denying = False
        claims.asserted += separator
        if separator and separator[0].kind in _CLAUSE_ENDS:
            denying = False
    return claims


def mark_hedges(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with "red, maybe blue" and "maybe red maybe blue" read as "red or blue"."""
    marked = list(tokens)
    for at in range(1, len(tokens) - 1):
        before, hedge, after = tokens[at - 1 : at + 2]
        if hedge.raw not in HEDGES or after.kind in SEPARATORS or after.raw in _REASONS | COPULAS:
            continue
        if before.kind in ("comma", "clause", "open"):
            marked[at - 1] = _OR
        elif before.raw not in STOP and before.raw not in COPULAS:
            marked[at] = _OR
    return marked


def _pieces(tokens: Sequence[Token]) -> list[tuple[list[Token], list[Token]]]:
    """Return the runs between separators, each with the separator behind it."""
    pieces: list[tuple[list[Token], list[Token]]] = []
    current: list[Token] = []
    for token in tokens:
        if token.kind in _BREAKS or token.kind in _CLAUSE_ENDS:
            pieces.append((current, [token]))
            current = []
        else:
            current.append(token)
    return [*pieces, (current, [])]


def _denies_all(piece: Sequence[Token], negator: int) -> bool:
    """Tell whether a negator denies its whole piece: behind a verb, or behind small words only."""
    before = piece[:negator]
    if all(token.raw in STOP for token in before):
        return True
    return before[-1].raw in AUXILIARIES


def options(tokens: list[Token], *, whole: bool) -> list[list[Token]]:
    """Return the alternatives that an answer leaves open; itself when there is no "or".

    Args:
        whole: Whether the sides of an "or" are phrases ("a cap or a red hat") or single words
            ("a red cap or hat").
    Returns: At most ``MAX_OPTIONS`` lists; none when there are more.
    """
    done: list[list[Token]] = []
    waiting = [tokens]
    while waiting:
        if len(done) + len(waiting) > MAX_OPTIONS:
            return []
        current = waiting.pop(0)
        at = next((at for at, token in enumerate(current) if token.kind == "or"), -1)
        if at < 0:
            done.append(current)
            continue
        waiting += sides(current, at) if whole else words(current, at)
    return done
