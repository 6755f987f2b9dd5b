"""The ``Token`` and the one-pass scanner that finds words, digits and separators.

Must not: know synonyms, or compare. ``lexer.tokenise`` is the whole way from text to tokens.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from mosaic_env.scoring import amounts, han
from mosaic_env.scoring.colours import Shade
from mosaic_env.scoring.normalise import SIGNS
from mosaic_env.scoring.words import ABBREVIATIONS, ADJECTIVES, CONTRACTIONS, word_set

Kind = Literal[
    "word", "number", "ordinal", "measure", "colour", "not", "and", "or", "comma", "clause", "open", "close"
]
SEPARATORS = frozenset({"and", "or", "comma", "clause", "open", "close"})


@dataclass(frozen=True, slots=True)
class Token:
    """One unit of meaning.

    Args:
        kind: What it is.
        text: The key it is compared by: a stem for words, the value for amounts.
        raw: The folded word it came from.
        value: The number, in the base of its unit.
        unit: Dimension of a measure, for example ``length``.
        shades: The colours in it, in order: "black and white" is one token with two.
    """

    kind: Kind
    text: str
    raw: str = ""
    value: Fraction | None = None
    unit: str = ""
    shades: tuple[Shade, ...] = ()

    @property
    def adjective(self) -> bool:
        """Whether a noun may follow without changing what the token says."""
        if self.kind in ("number", "ordinal", "measure", "colour"):
            return True
        return self.raw in ADJECTIVES or self.raw.endswith(_ADJECTIVE_ENDS)


_ADJECTIVE_ENDS = ("ed", "ar", "al", "ous", "ic", "ish", "less", "ful", "ese", "ern", "esque", "ive", "ble")
_WORD = rf"[^\W\d_{han.RANGE}]|[$€£¥{SIGNS}]"
_SCAN = re.compile(
    rf"(?P<date>\d{{4}}-\d{{1,2}}-\d{{1,2}}(?!\d)|(?<!\d)\d{{1,2}}([./-])\d{{1,2}}\2\d{{4}}(?!\d))"
    r"|(?P<clock>\d{1,2}:\d\d(?!\d))"
    r"|(?P<fraction>(?<![\d/])[1-9]\d{0,3}/[1-9]\d{0,3}(?![\d/]))"
    r"|(?P<acronym>(?:[^\W\d_]\.){2,12}(?:[^\W\d_](?!\w))?)"
    r"|(?P<currency>[$€£¥][ ]?(?=\d))"
    rf"|(?P<number>(?<!\S)-(?=\d)|)(?P<digits>(?:\d{{1,3}}(?:,\d{{3}})+(?!\d)|\d+)(?:\.\d+)?)"
    rf"(?P<suffix>(?:{_WORD}|\d)*\+?)"
    rf"|(?P<han>[{han.RANGE}]+)"
    rf"|(?P<handle>\b(?:kb|img|web|e)(?:_[a-z0-9]+)+)"
    rf"|(?P<word>(?:{_WORD})(?:{_WORD}|\d)*(?:\.\d+)?(?:'(?:{_WORD}|\d)+)*)"
    r"|(?P<percent>%)|(?P<celsius>°[ ]?[cf]\b)|(?P<amp>&|(?<=\s)\+(?=\s))|(?P<slash>[/|])"
    r"|(?P<comma>[,、،])|(?P<clause>[;:!?。.؛؟\n=…]|(?<=\s)-(?=\s))|(?P<open>[(\[])|(?P<close>[)\]])"
)
_SIMPLE: dict[str, Token] = {
    "comma": Token("comma", ","),
    "open": Token("open", "("),
    "close": Token("close", ")"),
    "amp": Token("and", "and", "and"),
    "percent": Token("word", "percent", "percent"),
}
_IS_AFTER = word_set("it that there what he she who here where this")


def scan(folded: str) -> list[Token]:
    """Return the words, digits and separators of a folded text, unmerged."""
    found: list[Token] = []
    for match in _SCAN.finditer(folded):
        kind = match.lastgroup or ""
        if match.group("digits"):
            found += _digits(match)
        elif kind == "word":
            found += _word(match.group())
        elif kind == "han":
            found += [plain(word) for word in han.words_of(match.group())]
        elif kind == "clause" and match.group() == "." and _is_abbreviation(found, folded, match.end()):
            if found[-1].raw == "no":
                found[-1] = plain("number")
        elif kind == "clause":
            found.append(Token("clause", ";", match.group()))
        elif kind == "slash":
            spaced = (
                folded[match.start() - 1 : match.start()].isspace()
                and folded[match.end() : match.end() + 1].isspace()
            )
            found.append(Token("or", "or", " / " if spaced else "/"))
        elif kind == "handle":  # the name of a picture in the episode says nothing
            continue
        elif kind in _SIMPLE:
            found.append(_SIMPLE[kind])
        else:
            found += _special(kind, match.group())
    return found


def plain(word: str) -> Token:
    """Return a word as a token, digits as a number."""
    if word.isascii() and word.isdigit():
        return Token("number", word, word, Fraction(word))
    return Token("word", word, word)


def _special(kind: str, text: str) -> list[Token]:
    if kind == "acronym":
        word = text.replace(".", "")
        return [Token("word", "usa" if word == "us" else word, word)]
    if kind == "date":
        parts = amounts.date_words(text)
        return [plain(part) for part in parts] if parts else [Token("word", text, text)]
    if kind == "fraction":
        value = Fraction(text)
        return [Token("number", str(value), text, value)]
    if kind == "currency":
        return [Token("word", "currency", text.strip())]
    if kind == "celsius":
        return [plain("celsius" if text[-1] == "c" else "fahrenheit")]
    return [Token("word", text, text)]


def _digits(match: re.Match[str]) -> list[Token]:
    digits, suffix = match.group("digits"), match.group("suffix")
    value = amounts.read_digits(digits)
    if value is None:
        return [Token("word", match.group(), match.group())]
    if match.group("number"):
        value = -value
    number = Token("number", str(value), digits, value)
    if not suffix:
        return [number]
    if suffix in ("st", "nd", "rd", "th"):
        return [Token("ordinal", str(value), match.group(), value)]
    if suffix == "s" and value % 10 == 0 and (value < 100 or 1000 <= value < 2200):
        return [_decade(value)]
    if suffix == "+":
        return [Token("word", "atleast", "atleast"), number]
    if suffix in amounts.UNITS or suffix in ("bn", "mn"):
        return [number, Token("word", suffix, f"{suffix}~")]
    return [Token("word", digits + suffix, digits + suffix)]


def _decade(value: Fraction) -> Token:
    year = value + 1900 if value < 100 else value
    return Token("word", f"{year}s", f"{year}s")


def _word(word: str) -> list[Token]:
    if word.endswith("n't"):
        stem = {"ca": "can", "wo": "will", "sha": "shall"}.get(word[:-3], word[:-3])
        return [plain(stem), plain("not")]
    head, apostrophe, tail = word.partition("'")
    if apostrophe and tail == "s":
        return [plain(head), plain("is")] if head in _IS_AFTER else [plain(head)]
    if apostrophe and tail in ("re", "ve", "ll", "d", "m"):
        return [plain(head)]
    joined = word.replace("'", "")
    return [plain(part) for part in CONTRACTIONS.get(joined, joined).split()]


def _is_abbreviation(found: list[Token], folded: str, end: int) -> bool:
    if not found or found[-1].kind != "word":
        return False
    word = found[-1].raw
    if word == "no" and not folded[end : end + 2].strip()[:1].isdigit():
        return False
    return word in ABBREVIATIONS or (len(word) == 1 and folded[end : end + 2].strip() != "")
