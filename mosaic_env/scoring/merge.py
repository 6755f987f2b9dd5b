"""Merging of tokens: number words to numbers, numbers and units to measures, colours to sets.

Must not: scan text or compare.
"""

from __future__ import annotations

from fractions import Fraction

from mosaic_env.scoring import amounts
from mosaic_env.scoring.colours import AMBIGUOUS, FAMILY, MODIFIERS, Shade, colour_name, is_ish
from mosaic_env.scoring.tokens import SEPARATORS, Token
from mosaic_env.scoring.words import FILLER, MAY, STOP, word_set

_NOT_A_COUNT_BEFORE = word_set("the this that which each every no another any")
_NOT_A_COUNT_AFTER = word_set("of another")


def merge_numbers(tokens: list[Token]) -> list[Token]:
    """Return the tokens with number words, mixed numbers, units and decades merged."""
    return _measures(_mixed(_words(tokens)))


def _words(tokens: list[Token]) -> list[Token]:
    words = [token.raw if token.kind == "word" else "" for token in tokens]
    merged: list[Token] = []
    position = 0
    while position < len(tokens):
        made, used = _number_at(tokens, words, position)
        merged.append(made if made else tokens[position])
        position += max(used, 1)
    return merged


def _number_at(tokens: list[Token], words: list[str], start: int) -> tuple[Token | None, int]:
    word = words[start]
    if tokens[start].kind == "number":
        return _scaled(tokens[start], words, start)
    if word in amounts.DECADES:
        year = f"{amounts.DECADES[word]}s"
        return Token("word", year, year), 1
    if word in ("a", "half"):
        return _of_scale(words, start)
    if word in ("pair", "couple") and words[start + 1 : start + 2] in ([], ["of"], [""]):
        return _number(Fraction(2)), len(words[start : start + 2]) if words[start + 1 : start + 2] == [
            "of"
        ] else 1
    if word == "one" and _is_pronoun(words, start):
        return None, 1
    if word == "single":
        return _number(Fraction(1)), 1
    used = amounts.run_length(words, start)
    if used:
        value = amounts.read_words(words[start : start + used])
        following = words[start + used] if start + used < len(words) else ""
        if words[start + used - 1] in amounts.TENS and 1 <= amounts.ORDINALS.get(following, 0) <= 9:
            value += amounts.ORDINALS[following]
            return Token("ordinal", str(value), following, value), used + 1
        return _number(value), used
    if word in amounts.ORDINALS:
        return Token("ordinal", str(amounts.ORDINALS[word]), word, Fraction(amounts.ORDINALS[word])), 1
    return None, 1


def _number(value: Fraction) -> Token:
    return Token("number", str(value), str(value), value)


def _is_pronoun(words: list[str], start: int) -> bool:
    before = words[start - 1] if start else ""
    after = words[start + 1] if start + 1 < len(words) else ""
    return before in _NOT_A_COUNT_BEFORE or after in _NOT_A_COUNT_AFTER


def _scaled(token: Token, words: list[str], start: int) -> tuple[Token | None, int]:
    scale = words[start + 1].rstrip("~") if start + 1 < len(words) else ""
    if scale not in amounts.SCALES or token.value is None:
        return token, 1
    return _number(token.value * amounts.SCALES[scale]), 2


def _of_scale(words: list[str], start: int) -> tuple[Token | None, int]:
    """Read "a hundred", "a dozen", "half a dozen"."""
    half = words[start] == "half"
    after = start + 1 + (half and words[start + 1 : start + 2] == ["a"])
    if after < len(words) and words[after] in amounts.SCALES and words[after] not in ("bn", "mn"):
        if half and words[after] != "dozen":
            return None, 1
        value = Fraction(amounts.SCALES[words[after]]) / (2 if half else 1)
        return _number(value), after + 1 - start
    return None, 1


def _mixed(tokens: list[Token]) -> list[Token]:
    """Merge "2 1/2" and "two and a half"."""
    merged: list[Token] = []
    position = 0
    while position < len(tokens):
        token = tokens[position]
        tail = [other.raw for other in tokens[position + 1 : position + 4]]
        if token.kind == "number" and token.value is not None and token.value.denominator == 1:
            after = tokens[position + 1] if position + 1 < len(tokens) else None
            if after and after.kind == "number" and "/" in after.raw and after.value and after.value < 1:
                merged.append(_number(token.value + after.value))
                position += 2
                continue
            if tail == ["and", "a", "half"]:
                merged.append(_number(token.value + Fraction(1, 2)))
                position += 4
                continue
        merged.append(token)
        position += 1
    return merged


def _measures(tokens: list[Token]) -> list[Token]:
    merged: list[Token] = []
    position = 0
    while position < len(tokens):
        token = tokens[position]
        if token.text == "currency" and position + 1 < len(tokens) and tokens[position + 1].kind == "number":
            merged.append(_measure(tokens[position + 1], token.raw))
            position += 2
            continue
        if token.raw == "may" and _beside_number(tokens, position):
            token = tokens[position] = Token("word", MAY, MAY)
        unit = _unit_after(tokens, position)
        if token.kind == "number" and unit:
            merged.append(_measure(token, unit))
            position += 2
            continue
        merged.append(token)
        position += 1
    return merged


def _beside_number(tokens: list[Token], position: int) -> bool:
    beside = tokens[max(0, position - 1) : position] + tokens[position + 1 : position + 2]
    return any(token.kind in ("number", "ordinal") for token in beside)


def _unit_after(tokens: list[Token], position: int) -> str:
    if position + 1 >= len(tokens) or tokens[position + 1].kind != "word":
        return ""
    raw = tokens[position + 1].raw
    word = raw.rstrip("~")
    if word in amounts.LETTER_UNITS and not raw.endswith("~"):
        after = tokens[position + 2].kind if position + 2 < len(tokens) else ""
        return word if after != "word" or word == "m" else ""
    return word if word in amounts.UNITS else ""


def _measure(number: Token, unit: str) -> Token:
    dimension, factor = amounts.UNITS[unit]
    value = (number.value or Fraction(0)) * factor
    return Token("measure", f"{value} {dimension}", number.text, value, dimension)


def merge_colours(tokens: list[Token]) -> list[Token]:
    """Return the tokens with runs of colour words merged: "black and white" is one token."""
    alone = sum(1 for token in tokens if _counts(token)) == 1
    merged: list[Token] = []
    position = 0
    while position < len(tokens):
        shades, end = _run(tokens, position, alone)
        raw = " ".join(token.raw for token in tokens[position:end])
        if shades and alone and raw in AMBIGUOUS:
            merged.append(Token("word", raw, raw, shades=tuple(shades)))
        elif shades:
            merged.append(Token("colour", raw, raw, shades=tuple(shades)))
        else:
            merged.append(tokens[position])
            end = position + 1
        position = end
    return merged


def _counts(token: Token) -> bool:
    return token.kind not in SEPARATORS and token.raw not in STOP and token.raw not in FILLER


def _run(tokens: list[Token], start: int, alone: bool) -> tuple[list[Shade], int]:
    """Read shades joined by "and", commas and hyphens from ``start``; return them and their end."""
    shades, end = _shades(tokens, start, alone)
    while shades:
        following = end
        while following < len(tokens) and (
            tokens[following].kind == "comma" or tokens[following].raw == "and"
        ):
            following += 1
        more, after = _shades(tokens, following, True) if 0 < following - end <= 2 else ([], end)
        if not more:
            break
        shades, end = shades + more, after
    return shades, end


def _colour_follows(tokens: list[Token], position: int) -> bool:
    after = tokens[position + 1].raw if position + 1 < len(tokens) else ""
    return bool(colour_name(after)) or after in ("coloured", "colored", "colour", "color")


def _shades(tokens: list[Token], start: int, sure: bool) -> tuple[list[Shade], int]:
    """Read adjacent colour words: one shade, a two-colour compound, or a list of three and more."""
    degrees: set[str] = set()
    names: list[tuple[str, bool]] = []
    position = start
    while position < len(tokens) and tokens[position].kind == "word":
        raw = tokens[position].raw
        if raw in MODIFIERS and not names:
            degrees.add(MODIFIERS[raw])
        elif colour_name(raw):
            if raw in AMBIGUOUS and not (sure or degrees or _colour_follows(tokens, position)):
                break
            names.append((colour_name(raw), is_ish(raw)))
        elif raw in ("ish", "coloured", "colored") and names:
            names[-1] = (names[-1][0], raw == "ish")
        elif raw in ("off",) and tokens[position + 1 : position + 2] and tokens[position + 1].raw == "white":
            names.append(("offwhite", False))
            position += 1
        else:
            break
        position += 1
    if not names:
        return [], start
    degrees.discard("")
    if len(names) > 2:
        return [Shade(name) for name, _ in names], position
    head = names[-1][0]
    if len(names) == 2 and FAMILY[names[0][0]] == head:  # "crimson red" is crimson
        head, names = names[0][0], names[1:]
    mixed = {name + ("~" if ish else "") for name, ish in names[:-1] if name != head}
    return [Shade(head, frozenset(degrees | mixed))], position
