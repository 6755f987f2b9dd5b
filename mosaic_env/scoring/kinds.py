"""References that are one colour, one number or one direction, each compared by its own rule.

Must not: resolve alternatives or denials.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from mosaic_env.scoring import amounts
from mosaic_env.scoring.colours import Relation, relate
from mosaic_env.scoring.context import Context, claimed
from mosaic_env.scoring.fit import GOOD, fit
from mosaic_env.scoring.phrases import MAX_FOREIGN, fine_after, leftovers
from mosaic_env.scoring.readings import Reading
from mosaic_env.scoring.synonyms import EXCLUSIVE
from mosaic_env.scoring.tokens import SEPARATORS, Token
from mosaic_env.scoring.words import COMPARATIVES, DIRECTIONS, MONTHS, PLACES

_COLOUR_CODES: dict[Relation, str] = {
    "same": "colour",
    "specific": "more_specific",
    "general": "less_specific",
    "near": "near_colour",
    "missing": "part_missing",
    "extra": "extra_colour",
    "wrong": "wrong_colour",
}
_FIRST_YEAR, _LAST_YEAR = 1000, 2199


def compare_kind(reading: Reading, answer: Sequence[Token], context: Context) -> str:
    """Return the reason code when a reading is one colour, number or direction, else ``""``."""
    required = [token for token in reading.whole if not context.forgivable(token)] or list(reading.whole)
    if len(required) == 1 and required[0].kind == "colour":
        return _compare_colours(required[0], answer, context)
    if len(required) == 1 and required[0].value is not None:
        return _compare_numbers(required[0], answer, context, reading)
    texts = {token.text for token in required}
    if texts & DIRECTIONS and texts <= DIRECTIONS | PLACES:
        return _compare_directions(texts & DIRECTIONS, answer, context)
    return ""


def _compare_colours(gold: Token, answer: Sequence[Token], context: Context) -> str:
    coloured = [at for at in claimed(answer, context) if answer[at].shades]
    if not coloured:
        return "different"
    shades = tuple(shade for at in coloured for shade in answer[at].shades)
    relation = relate(gold.shades, shades)
    names, wanted = [shade.name for shade in shades], [shade.name for shade in gold.shades]
    if relation == "same" and names != wanted:
        if context.ordered:
            return "wrong_order"
        if len(set(wanted)) < len(wanted):  # "red and black, gold and black": pairs, not a set
            return "partial"
    code = _COLOUR_CODES[relation]
    return _beside(code, answer, coloured, context) if relation in GOOD else code


def _beside(code: str, answer: Sequence[Token], used: Sequence[int], context: Context) -> str:
    """Return the code, or what stands around the colour, number or direction makes of it."""
    for at in used:
        high = next((to for to in range(at, len(answer)) if answer[to].kind in SEPARATORS), len(answer))
        if not fine_after([answer[to] for to in range(at + 1, high) if to not in used], context, answer[at]):
            return "extra_detail"
        if at and answer[at - 1].raw in ("from", "between"):  # one end of a change or a range
            return "extra_detail"
    items = leftovers(answer, used, context)
    if items >= MAX_FOREIGN:
        return "buried"
    first = next((at for at, token in enumerate(answer) if not context.harmless(token)), 0)
    counted = used[0] == first and first + 1 < len(answer) and answer[first + 1].raw == ":"
    if counted and answer[first].value == items:
        return code  # "three: a cap, a boot and a belt" counts what it lists
    if items > 1 and (code not in ("number", "near_number") or used[0] > first):
        return "listed_everything"
    return "extra_item" if items else code


def _compare_numbers(gold: Token, answer: Sequence[Token], context: Context, reading: Reading) -> str:
    found = _numbers(gold, answer, context)
    fits = {fit(gold, answer[at]) for at in found}
    if not found:
        return "different"
    if fits & GOOD and fits <= GOOD:
        limits = COMPARATIVES - {token.raw for token in reading.whole}
        limited = any(at and answer[at - 1].raw in limits for at in found)
        return _beside("near_number" if limited else "number", answer, found, context)
    if fits & GOOD:
        return "extra_number"
    if fits == {"general"}:
        return "number" if _unit_is_asked(gold, context) else "unit_missing"
    return "near_number" if fits == {"near"} else "wrong_number"


def _numbers(gold: Token, answer: Sequence[Token], context: Context) -> list[int]:
    """Return the positions of the numbers that may answer: no dates, totals or numbers of another use."""
    found: list[int] = []
    for at in claimed(answer, context):
        beside = [*answer[max(0, at - 1) : at], *answer[at + 1 : at + 2]]
        dated = not _is_year(gold) and any(other.text in MONTHS for other in beside)
        if answer[at].value is None or dated or is_total(answer, at) or _is_other_use(gold, answer[at]):
            continue
        found.append(at)
    same_kind = [at for at in found if answer[at].kind == gold.kind]
    return same_kind or found


def _is_other_use(gold: Token, token: Token) -> bool:
    """Tell a year beside a count from a candidate, and a count beside a year."""
    if gold.kind != "number" or token.kind != "number" or gold.value is None:
        return False
    if _is_year(gold):
        return not _is_year(token)
    return gold.value < _FIRST_YEAR and _is_year(token)


def _is_year(token: Token) -> bool:
    return token.kind == "number" and token.value is not None and _FIRST_YEAR <= token.value <= _LAST_YEAR


def is_total(answer: Sequence[Token], at: int) -> bool:
    """Tell whether a number is the total in "two of the three"."""
    before = [token.raw for token in answer[max(0, at - 3) : at] if token.raw not in ("the", "out")]
    value = [token for token in answer[max(0, at - 4) : at] if token.value is not None]
    return before[-1:] == ["of"] and bool(value)


def _unit_is_asked(gold: Token, context: Context) -> bool:
    return any(amounts.UNITS.get(word, ("",))[0] == gold.unit for word in context.keys)


def _compare_directions(need: AbstractSet[str], answer: Sequence[Token], context: Context) -> str:
    found = [at for at in claimed(answer, context) if answer[at].text in DIRECTIONS]
    have = {answer[at].text for at in found}
    rows = [EXCLUSIVE.get(word, frozenset()) for word in sorted(need)]
    if any(row & EXCLUSIVE.get(other, frozenset()) for row in rows for other in have - need):
        return "wrong_direction"
    if need <= have:
        return _beside("direction" if need == have else "more_specific", answer, found, context)
    return "less_specific" if need & have else "different"
