"""Tokens of a text: words, CJK bigrams and character trigrams. Pure and Unicode-stable.

The Unicode tables of the interpreter decide what folds to what; they differ between Python
versions only in characters that older versions do not know.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise

_WORD = re.compile(r"\w+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+")
#: A query is cut here before anything else: what a model writes has no upper bound.
MAX_QUERY_CHARS = 2_000


def fold(text: str) -> str:
    """Return the text in one case, without accents, with compatibility characters resolved."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return unicodedata.normalize("NFKC", bare)


def words(text: str) -> list[str]:
    """Return the words of a text; runs of Chinese, Japanese and Korean become bigrams."""
    folded = fold(text)
    found = _WORD.findall(folded)
    if folded.isascii() or not _CJK.search(folded):
        return found
    return [token for word in found for token in _split_cjk(word)]


def _split_cjk(word: str) -> list[str]:
    tokens: list[str] = []
    position = 0
    for run in _CJK.finditer(word):
        if run.start() > position:
            tokens.append(word[position : run.start()])
        text = run.group()
        tokens += [text[i : i + 2] for i in range(len(text) - 1)] or [text]
        position = run.end()
    if position < len(word):
        tokens.append(word[position:])
    return tokens


def pairs(found: Sequence[str]) -> list[str]:
    """Return neighbouring words, each two with a space between them."""
    return [f"{first} {second}" for first, second in pairwise(found)]


def trigrams(text: str) -> list[str]:
    """Return the character trigrams of a text's words, with a space at both ends."""
    padded = f" {' '.join(_WORD.findall(fold(text)))} "
    if len(padded) < 3:
        return []
    return [padded[i : i + 3] for i in range(len(padded) - 2)]
