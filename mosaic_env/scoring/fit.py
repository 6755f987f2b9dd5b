"""How one token of a reference stands to one token of an answer, and where a part is found.

Must not: decide a verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from mosaic_env.scoring.colours import relate
from mosaic_env.scoring.synonyms import EXCLUSIVE, KINDS
from mosaic_env.scoring.tokens import Token
from mosaic_env.scoring.words import MONTHS

Fit = Literal["same", "specific", "general", "near", "missing", "extra", "wrong", ""]
#: Fits that satisfy a reference.
GOOD = frozenset({"same", "specific"})
_TOLERANCE = Fraction(1, 100)
_MAX_SPELLED = 40
_MAX_SHUFFLED = 6


def fit(gold: Token, answer: Token, *, literal: bool = False) -> Fit:
    """Return how an answer's token stands to a reference's token.

    ``specific`` and ``general`` are seen from the answer. ``missing`` and ``extra`` are of colours
    in a set, ``wrong`` is another thing of the same kind, ``near`` is for a person to decide, ``""``
    is unrelated.
    """
    if gold.value is not None and answer.value is not None:
        return _fit_values(gold, answer)
    if gold.value is not None or answer.value is not None:
        return ""
    if gold.kind == answer.kind and gold.text == answer.text:
        return "same"
    if literal:
        return "near" if _misspelled(gold.text, answer.text) else ""
    if gold.shades and answer.shades:
        return relate(gold.shades, answer.shades)
    if gold.kind == answer.kind == "word":
        return _fit_words(gold.text, answer.text)
    return ""


def _fit_values(gold: Token, answer: Token) -> Fit:
    mine, theirs = _value(gold), _value(answer)
    if gold.kind == answer.kind and gold.unit == answer.unit:
        converted = gold.kind == "measure" and _factor(gold) != _factor(answer)
        close = converted and abs(mine - theirs) <= _TOLERANCE * abs(mine)
        return "same" if mine == theirs or close else "wrong"
    if gold.kind == answer.kind == "measure":
        return "near" if {gold.unit, answer.unit} == {"mass", "sterling"} else "wrong"
    if "measure" in (gold.kind, answer.kind):
        if gold.raw != answer.raw:
            return "wrong"
        return "specific" if answer.kind == "measure" and gold.kind == "number" else "general"
    return "near" if mine == theirs else ""


def _factor(token: Token) -> Fraction:
    """Return the factor of a measure's unit: 1000 for kilometres."""
    number = Fraction(token.raw)
    return _value(token) / number if number else Fraction(0)


def _value(token: Token) -> Fraction:
    return token.value if token.value is not None else Fraction(0)


def _fit_words(gold: str, answer: str) -> Fit:
    if KINDS.get(answer) == gold:
        return "specific"
    if KINDS.get(gold) == answer:
        return "general"
    if EXCLUSIVE.get(gold, frozenset()) & EXCLUSIVE.get(answer, frozenset()):
        return "wrong"
    longer, shorter = (gold, answer) if len(gold) > len(answer) else (answer, gold)
    if len(shorter) >= 4 and len(longer) - len(shorter) >= 3 and longer.endswith(shorter):
        return "near"
    return "near" if _misspelled(gold, answer) else ""


def _misspelled(one: str, other: str) -> bool:
    """Tell whether long words differ by one edit (two from nine letters on)."""
    shorter = min(len(one), len(other))
    if shorter < 5 or max(len(one), len(other)) > _MAX_SPELLED or not (one.isalpha() and other.isalpha()):
        return False
    return distance(one, other) <= (2 if shorter >= 9 else 1)


def distance(one: str, other: str) -> int:
    """Return the edit distance of two short words."""
    row = list(range(len(other) + 1))
    for index, char in enumerate(one, start=1):
        previous, row[0] = row[0], index
        for column, letter in enumerate(other, start=1):
            previous, row[column] = (
                row[column],
                min(row[column] + 1, row[column - 1] + 1, previous + (char != letter)),
            )
    return row[-1]


@dataclass(frozen=True, slots=True)
class Match:
    """Where the tokens of a part stand in an answer, in order.

    Args:
        at: Positions in the answer's token list.
        specific: Some token is a more specific form.
    """

    at: tuple[int, ...]
    specific: bool


def find(
    part: Sequence[Token], tokens: Sequence[Token], positions: Sequence[int], *, literal: bool
) -> Match | None:
    """Return the tightest place where all of a part's tokens stand in order, or None.

    Args:
        positions: Which tokens may be used, ascending.
    Cost: part × positions comparisons.
    """
    rows = [[fit(gold, tokens[at], literal=literal) for at in positions] for gold in part]
    following = [_next_good(row) for row in rows]
    best: list[int] | None = None
    for start in range(len(positions)):
        if rows[0][start] not in GOOD:
            continue
        taken = [start]
        for ahead in following[1:]:
            after = ahead[taken[-1] + 1] if taken[-1] + 1 < len(positions) else -1
            if after < 0:  # and none for any later start
                return _match(best, rows, positions)
            taken.append(after)
        if best is None or positions[taken[-1]] - positions[start] < positions[best[-1]] - positions[best[0]]:
            best = taken
    return _match(best, rows, positions)


def _next_good(row: Sequence[Fit]) -> list[int]:
    """Return for each place the first one from there on that fits well, or -1."""
    ahead = [-1] * len(row)
    for at in range(len(row) - 1, -1, -1):
        ahead[at] = at if row[at] in GOOD else (ahead[at + 1] if at + 1 < len(row) else -1)
    return ahead


def _match(taken: list[int] | None, rows: Sequence[Sequence[Fit]], positions: Sequence[int]) -> Match | None:
    if taken is None:
        return None
    specific = any(row[at] == "specific" for row, at in zip(rows, taken, strict=True))
    return Match(tuple(positions[at] for at in taken), specific)


def find_date(part: Sequence[Token], tokens: Sequence[Token], positions: Sequence[int]) -> Match | None:
    """Return where day, month and year of a part stand, in any order ("28th of June" too), or None."""
    if sum(gold.text in MONTHS for gold in part) != 1:
        return None
    taken: list[int] = []
    for gold in part:
        fits = ((at, fit(gold, tokens[at])) for at in positions if at not in taken)
        at = next(
            (at for at, found in fits if found in GOOD or (found == "near" and gold.value is not None)), -1
        )
        if at < 0:
            return None
        taken.append(at)
    return Match(tuple(sorted(taken)), specific=False)


def find_shuffled(part: Sequence[Token], tokens: Sequence[Token], positions: Sequence[int]) -> Match | None:
    """Return where the words of one noun phrase stand side by side with their modifiers in another order.

    "tall wooden mast" is "wooden tall mast"; the last word must stay, unless all modify.
    """
    size, usable = len(part), set(positions)
    if size > _MAX_SHUFFLED:
        return None
    free = all(token.adjective for token in part)
    for start in positions:
        window = range(start, start + size)
        if not usable.issuperset(window) or not (free or fit(part[-1], tokens[start + size - 1]) in GOOD):
            continue
        left = list(part)
        for at in window:
            left = _without(left, next((gold for gold in left if fit(gold, tokens[at]) in GOOD), None))
        if not left:
            return Match(tuple(window), specific=False)
    return None


def _without(tokens: list[Token], found: Token | None) -> list[Token]:
    at = tokens.index(found) if found is not None else len(tokens)
    return tokens[:at] + tokens[at + 1 :]
