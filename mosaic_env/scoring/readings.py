"""A reference answer as the readings that count as it: alternatives resolved, parts told apart.

``"A tin / brass bell and a rope"`` has the readings "tin bell + rope", "brass bell + rope" and
so on, each a tuple of parts. Must not: look at an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import get_args

from mosaic_env.scoring.colours import Shade
from mosaic_env.scoring.lexer import tokenise
from mosaic_env.scoring.tokens import SEPARATORS, Kind, Token
from mosaic_env.scoring.words import ARTICLES, DIRECTIONS, STOP, YES

MAX_READINGS = 16
_LITERAL_KINDS = frozenset({"text", "lettering", "inscription"})


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a reference.

    Args:
        parts: The content tokens of each part, in order; never empty.
        literal: It is lettering, compared as written.
        one: For each part, whether an article says that it is one thing.
        named: It is a name or title, of which no word may be missing.
        alternatives: How many "or" the reference has.
        listed: Its parts are joined by "and", or all single words: leaving one out is wrong.
    """

    parts: tuple[tuple[Token, ...], ...]
    literal: bool = False
    one: tuple[bool, ...] = ()
    named: bool = False
    alternatives: int = 0
    listed: bool = True

    @property
    def whole(self) -> tuple[Token, ...]:
        """The content tokens of all parts."""
        return tuple(token for part in self.parts for token in part)


def is_literal(text: str, kind: str) -> bool:
    """Tell whether a reference is lettering: by its kind, or written in capitals or in quotes."""
    if kind:
        return kind in _LITERAL_KINDS
    bare = text.strip().rstrip(".")
    if len(bare) > 2 and bare[0] in "\"“'‘" and bare[-1] in "\"”'’":
        return True
    letters = [char for char in bare if char.isalpha()]
    return bool(letters) and bare == bare.upper() and any(char != char.lower() for char in letters)


def is_name(text: str) -> bool:
    """Tell whether a reference is written like a title: all its longer words have capitals."""
    words = [word for word in text.split() if len(word) > 3 and word[0].isalpha()]
    return len(words) > 1 and all(word[0] != word[0].lower() for word in words)


def readings_of(text: str, kind: str = "") -> list[Reading]:
    """Return the readings of a reference, the most complete first; empty for blank text.

    Cost: linear in the text; at most ``MAX_READINGS`` readings.
    """
    literal = is_literal(text, kind)
    tokens = tokenise(text, literal=literal)
    variants = [tokens] if literal else expand(tokens)
    alternatives = sum(token.kind == "or" for token in tokens)
    readings: list[Reading] = []
    for variant in variants:
        listed = any(token.kind in ("and", "clause") for token in variant)
        for pieces in _splits(variant, literal):
            reading = _reading(pieces, literal, is_name(text), alternatives, listed)
            if reading.parts and reading not in readings:
                readings.append(reading)
    return readings[:MAX_READINGS]


def expand(tokens: list[Token]) -> list[list[Token]]:
    """Return the token lists in which no alternative and no parenthesis is left."""
    done: list[list[Token]] = []
    waiting = [tokens]
    while waiting and len(done) + len(waiting) <= MAX_READINGS:
        current = waiting.pop(0)
        kinds = [token.kind for token in current]
        if "open" in kinds:
            waiting += _open_parenthesis(current, kinds.index("open"))
        elif "or" in kinds:
            waiting += _alternatives(current, kinds.index("or"))
        else:
            done.append(current)
    return done + [[token for token in rest if token.kind not in ("or", "open")] for rest in waiting]


def _open_parenthesis(tokens: list[Token], start: int) -> list[list[Token]]:
    kinds = [token.kind for token in tokens]
    end = kinds.index("close", start) if "close" in kinds[start:] else len(tokens)
    before, inner, after = tokens[:start], tokens[start + 1 : end], tokens[end + 1 :]
    if not inner or not before:
        return [before + inner + after]
    if inner[0].kind == "or":
        return [before + after, before[:-1] + inner[1:] + after]
    variants = [before + after, before + inner + after]
    if len(inner) == 1:
        shortened = _initials(before, inner[0].raw)
        variants.append(before[: -(shortened or 1)] + inner + after)
    if not content(after) and _stands_alone(before, inner):
        variants.append(inner)
    return variants


def _initials(before: Sequence[Token], word: str) -> int:
    """Return how many words before an acronym it stands for; 0 for none."""
    initials = "".join(token.raw[:1] for token in before[-len(word) :])
    return len(word) if initials == word else 0


def _stands_alone(before: Sequence[Token], inner: Sequence[Token]) -> bool:
    """Tell another name ("harbour fox") from a qualifier ("left") or a code ("usb c")."""
    if any(len(token.raw) == 1 and token.raw.isascii() for token in inner):
        return False
    return "word" in _kinds(inner) or _kinds(inner) == _kinds(before)


def _kinds(tokens: Sequence[Token]) -> set[str]:
    return {"direction" if token.text in DIRECTIONS else token.kind for token in content(tokens)}


def _alternatives(tokens: list[Token], position: int) -> list[list[Token]]:
    """Return the readings of one "or": both sides, each side where they are alike, each word, a compound."""
    low, left, right, high = _around(tokens, position)
    variants = [[*tokens[:low], *left, Token("and", "and", "and"), *right, *tokens[high:]]]
    if tokens[position].raw == " / " or tokens[position - 1].kind == "comma" or _alike(left, right):
        variants += sides(tokens, position)
    variants += words(tokens, position)
    nouns = [token for token in right if token.raw not in ARTICLES]
    compound = _compound(left, nouns)
    return (
        [*variants, [*tokens[:low], *left[:-1], compound, *nouns[1:], *tokens[high:]]]
        if compound
        else variants
    )


def sides(tokens: list[Token], position: int) -> list[list[Token]]:
    """Return the tokens with each side of an "or": "a cap or a red hat" is "a cap", "a red hat"."""
    low, left, right, high = _around(tokens, position)
    return [[*tokens[:low], *side, *tokens[high:]] for side in (left, right)]


def words(tokens: list[Token], position: int) -> list[list[Token]]:
    """Return the tokens with each word at an "or": "a red cap or hat" is "a red cap", "a red hat"."""
    low, left, right, high = _around(tokens, position)
    nouns = [token for token in right if token.raw not in ARTICLES]
    if not left or not nouns:
        return sides(tokens, position)
    before, after = tokens[:low], tokens[high:]
    return [[*before, *left, *nouns[1:], *after], [*before, *left[:-1], *nouns, *after]]


def _around(tokens: list[Token], position: int) -> tuple[int, list[Token], list[Token], int]:
    """Return start, left side, right side and end of the phrase around an "or"."""
    low, high = _chunk(tokens, position)
    left = tokens[low:position]
    while left and left[-1].kind in SEPARATORS:
        left.pop()
    return low, left, tokens[position + 1 : high], high


_PHRASE = frozenset(get_args(Kind)) - SEPARATORS | {"close"}


def _chunk(tokens: Sequence[Token], position: int) -> tuple[int, int]:
    low = position
    while low > 0 and tokens[low - 1].kind in SEPARATORS - {"close"}:
        low -= 1
    while low > 0 and tokens[low - 1].kind in _PHRASE:
        low -= 1
        while tokens[low].kind == "close" and any(token.kind == "open" for token in tokens[:low]):
            low = max(at for at in range(low) if tokens[at].kind == "open")
    high = position + 1
    while high < len(tokens) and tokens[high].kind not in SEPARATORS:
        high += 1
    return low, high


def _alike(left: Sequence[Token], right: Sequence[Token]) -> bool:
    sizes = len(content(left)), len(content(right))
    if not all(sizes) or max(sizes) > 4:
        return False
    return all(
        any(token.kind == kind for token in left) == any(token.kind == kind for token in right)
        for kind in ("colour", "number")
    )


def _compound(left: Sequence[Token], right: Sequence[Token]) -> Token | None:
    """Return "red-brown" for "red/brown"."""
    if not (left and right and left[-1].kind == right[0].kind == "colour"):
        return None
    first, second = left[-1].shades, right[0].shades
    if len(first) != 1 or len(second) != 1 or first[0].modifiers or second[0].modifiers:
        return None
    raw = f"{left[-1].raw} {right[0].raw}"
    return Token("colour", raw, raw, shades=(Shade(second[0].name, frozenset({first[0].name})),))


def content(tokens: Sequence[Token], *, literal: bool = False) -> list[Token]:
    """Return the tokens that carry meaning; stop words only when there is nothing else.

    Args:
        literal: In lettering only articles are left out.
    """
    stop = ARTICLES if literal else STOP
    kept = [token for token in tokens if token.kind not in SEPARATORS]
    return [token for token in kept if token.kind != "word" or token.raw not in stop] or kept


def split(tokens: Sequence[Token], kinds: frozenset[str] = SEPARATORS) -> list[list[Token]]:
    """Return the pieces between separators of the given kinds, without empty ones."""
    pieces: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind in kinds:
            pieces.append([])
        else:
            pieces[-1].append(token)
    return [piece for piece in pieces if piece]


def _splits(tokens: Sequence[Token], literal: bool) -> list[list[list[Token]]]:
    """Return the ways to tell parts apart: "large, round table" is one part or two."""
    if literal:
        return [[list(tokens)]]
    joined = split(_without_adjective_commas(tokens))
    apart = split(tokens)
    return [joined] if joined == apart else [joined, apart]


def _reading(
    pieces: Sequence[Sequence[Token]], literal: bool, named: bool, alternatives: int, listed: bool
) -> Reading:
    kept = [(content(piece, literal=literal), piece) for piece in pieces]
    telling = [(part, piece) for part, piece in kept if not all(token.raw in STOP for token in part)]
    carries = [(part, piece) for part, piece in telling or kept if part]
    return Reading(
        tuple(tuple(part) for part, _ in carries),
        literal,
        tuple(any(token.raw in ("a", "an") for token in piece) for _, piece in carries),
        named,
        alternatives,
        listed or all(len(part) == 1 for part, _ in carries),
    )


def _without_adjective_commas(tokens: Sequence[Token]) -> list[Token]:
    """Drop the comma of "a large, round table": one lone word, a comma, more than one word."""
    commas = [-1, *(at for at, token in enumerate(tokens) if token.kind in SEPARATORS), len(tokens)]
    dropped = {
        middle
        for (before, middle), (_, after) in pairwise(pairwise(commas))
        if tokens[middle].kind == "comma"
        and len(content(tokens[before + 1 : middle])) == 1
        and content(tokens[before + 1 : middle])[0].kind in ("word", "colour")
        and content(tokens[before + 1 : middle])[0].raw not in YES
        and len(content(tokens[middle + 1 : after])) > 1
    }
    return [token for at, token in enumerate(tokens) if at not in dropped]
