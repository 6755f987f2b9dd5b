"""From text to tokens with meaning: words, numbers, measures, colours, negators, separators.

``tokenise`` folds a text, scans it in one pass and merges what belongs together. With
``literal=True`` (lettering, titles) colours, synonyms and number words are left as written.
Must not: compare, or know which text is the reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mosaic_env.scoring import amounts
from mosaic_env.scoring.merge import merge_colours, merge_numbers
from mosaic_env.scoring.normalise import fold
from mosaic_env.scoring.synonyms import EXCLUSIVE, FORMS, KINDS
from mosaic_env.scoring.tokens import Token, plain, scan
from mosaic_env.scoring.words import (
    ALTERNATIVES,
    CONTRASTS,
    DIRECTIONS,
    NEGATORS,
    PHRASES,
    PLACES,
    STOP,
    word_set,
)

#: Words of the tables stay as they are, so that the tables can be looked up by key.
_CANONICAL = frozenset({*FORMS.values(), *EXCLUSIVE, *KINDS, *KINDS.values(), *DIRECTIONS, *PLACES})
_PHRASE_HEADS = frozenset(phrase.split()[0] for phrase in PHRASES)
#: Words that end like plurals or inflections and are none.
_KEPT = word_set(
    "glasses eyeglasses sunglasses binoculars news species series lens lens gas bus plus always texas",
    " paris james thomas jesus swiss chess glass grass dress cross compass cutlass canvas atlas",
)


def tokenise(text: str, *, literal: bool = False) -> list[Token]:
    """Return the tokens of a text.

    Args:
        text: Any text, not folded.
        literal: The text is lettering: keep words as written.
    Cost: linear.
    """
    tokens = merge_phrases(scan(fold(text)))
    if not literal:
        tokens = merge_colours(merge_numbers(tokens))
    return classify(tokens, literal)


def classify(tokens: list[Token], literal: bool) -> list[Token]:
    """Return the tokens with stems, synonyms, negators and connectives told apart."""
    return [_classified(token, literal) if token.kind == "word" else token for token in tokens]


def _classified(token: Token, literal: bool) -> Token:
    raw = token.raw.rstrip("~")
    if raw in NEGATORS:
        return Token("not", "not", raw)
    if raw == "and":
        return Token("and", "and", raw)
    if raw in ALTERNATIVES:
        return Token("or", "or", raw)
    if raw in CONTRASTS and not literal:
        return Token("clause", "but", raw)
    if literal or (raw != token.text and token.text not in amounts.UNITS):
        return Token("word", token.text, raw)
    return Token("word", stem(raw), raw, shades=token.shades)


def stem(word: str) -> str:
    """Return the key by which inflections and known synonyms of a word are equal."""
    if word in FORMS:
        return FORMS[word]
    if word in _CANONICAL or word in STOP or word in _KEPT or not word.isascii() or not word.isalpha():
        return word
    single = _singular(word)
    if single != word and (single in FORMS or single in _CANONICAL):
        return FORMS.get(single, single)
    root = _root(single)
    return FORMS.get(root, root)


def _singular(word: str) -> str:
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("shes", "ches", "xes", "sses", "zes")):
        return word[:-2]
    return word[:-1]


def _root(word: str) -> str:
    for ending in ("ing", "ed", "ly"):
        base = word[: -len(ending)]
        if word.endswith(ending) and len(base) >= 3 and any(char in "aeiouy" for char in base):
            if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz":
                base = base[:-1]
            return base[:-1] if ending != "ly" and base.endswith("e") else base
    base = word[:-1] if word.endswith("e") and len(word) > 4 else word
    return base[:-2] + "iz" if base.endswith("is") and len(base) > 5 else base


def merge_phrases(tokens: list[Token]) -> list[Token]:
    """Return the tokens with known phrases of two to four words replaced."""
    merged: list[Token] = []
    position = 0
    while position < len(tokens):
        length = _phrase_length(tokens, position)
        if length:
            words = " ".join(token.raw for token in tokens[position : position + length])
            merged += [plain(PHRASES[words])] if PHRASES[words] else []
        else:
            merged.append(tokens[position])
        position += max(length, 1)
    return merged


def _phrase_length(tokens: list[Token], start: int) -> int:
    if tokens[start].raw not in _PHRASE_HEADS:
        return 0
    window = [
        token.raw if token.kind in ("word", "not", "and", "or") else "\0"
        for token in tokens[start : start + 5]
    ]
    return next(
        (size for size in (5, 4, 3, 2) if " ".join(window[:size]) in PHRASES and len(window) >= size), 0
    )


def join_words(tokens: Sequence[Token], known: Iterable[str]) -> list[Token]:
    """Return the tokens with neighbours joined where the other side writes them as one word.

    "sail cloth" meets "sailcloth".

    Args:
        known: Keys of the other side's words.
    """
    wanted = frozenset(known)
    joined: list[Token] = []
    for token in tokens:
        before = joined[-1] if joined else None
        if before is not None and {before.kind, token.kind} <= {"word", "number"}:
            both = before.raw + token.raw
            key = next((key for key in (both, stem(both)) if key in wanted), "")
            if key and not {before.text, token.text} & wanted:
                joined[-1] = Token("word", key, both)
                continue
        joined.append(token)
    return joined
