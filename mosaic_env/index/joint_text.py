"""The text half of the joint encoder: a text becomes row numbers of a table.

Words, pairs of words that stand near each other, and character trigrams are hashed into rows; the encoder adds
the rows up. Pairs bind a colour or a number to its thing ("red … boat"); they never reach over a comma, "and"
or "with", so that the attributes of one thing do not become those of the next. Trigrams hold up misspelt and
unknown words.
"""

from __future__ import annotations

import re
from functools import lru_cache
from zlib import crc32

from mosaic_env.index.text import MAX_QUERY_CHARS, fold

#: Rows for words and pairs, followed by rows for trigrams.
WORD_ROWS = 12288
TRIGRAM_ROWS = 1024
ROWS = WORD_ROWS + TRIGRAM_ROWS
#: A pair is two words at most this many places apart.
_REACH = 3
_TOKEN = re.compile(r"[^\W_]+|[,;:.!?()\[\]/\n]")
_FILLERS = frozenset(
    ("a", "an", "the", "of", "in", "on", "at", "is", "are", "that", "which", "it", "its", "has", "have", "there", "s",
     "some", "show", "me", "find", "image", "picture", "photo")
)  # fmt: skip
_BREAKS = frozenset(
    ("and", "with", "showing", "plus", "beside", "behind", "before", "near", "over", "under", "but")
)
_NUMBERS = {
    "0": "zero", "1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight",
    "9": "nine", "10": "ten", "11": "eleven", "12": "twelve",
}  # fmt: skip


@lru_cache(maxsize=8192)
def text_rows(text: str) -> tuple[int, ...]:
    """Return the rows of a text, each once, in no meaningful order.

    Args:
        text: Any text; what is longer than a query may be is cut.

    Returns: Numbers below ``ROWS``, at least one: a text without words is the word "".
    Cost: about 20 µs for a short query.
    Determinism: exact; CRC-32 of UTF-8.
    """
    rows: dict[int, None] = {}
    near: list[str] = []
    for token in _TOKEN.findall(fold(text[:MAX_QUERY_CHARS])):
        if token in _FILLERS:
            continue
        if token in _BREAKS or not token[0].isalnum():
            near = []
            continue
        word = _stem(_NUMBERS.get(token, token))
        rows.update(_word_rows(word))
        for other in near:
            rows[_pair_row(other, word)] = None
        near = [*near[1 - _REACH :], word]
    return tuple(rows or _word_rows(""))


def _stem(word: str) -> str:
    """Return a word without its plural: "stars" and "star" are one row, "glass" stays."""
    if len(word) < 4 or not word.endswith("s") or word.endswith("ss"):
        return word
    return word[:-2] if word.endswith(("ches", "shes", "xes")) else word[:-1]


@lru_cache(maxsize=65536)
def _word_rows(word: str) -> dict[int, None]:
    padded = f"^{word}$"
    trigrams = (padded[i : i + 3] for i in range(len(padded) - 2))
    return dict.fromkeys(
        [_hash(word) % WORD_ROWS, *(WORD_ROWS + _hash(part) % TRIGRAM_ROWS for part in trigrams)]
    )


@lru_cache(maxsize=65536)
def _pair_row(first: str, second: str) -> int:
    """Return the row of two words; "cap, red" and "red cap" are the same pair."""
    low, high = sorted((first, second))
    return _hash(f"{low} {high}") % WORD_ROWS


def _hash(text: str) -> int:
    return crc32(text.encode("utf-8", "replace"))
