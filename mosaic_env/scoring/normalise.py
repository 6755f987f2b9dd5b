"""Surface form of a text: Unicode, case, accents, punctuation and articles; no meaning.

Must not: know numbers, colours or synonyms. Those are read by ``tokens``.
"""

from __future__ import annotations

import re
import unicodedata

from mosaic_env.scoring.words import ARTICLES

_INVISIBLE = (
    "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
    + "".join(map(chr, range(0xFE00, 0xFE10)))
)
#: Trade marks would become letters under NFKC ("TM"), invisible characters would hide equality.
_DROPPED = str.maketrans({**dict.fromkeys(_INVISIBLE + "™®©℠", ""), **dict.fromkeys("\x00\x0b\x0c", " ")})
#: Letters that no decomposition turns into their plain form, and look-alike punctuation.
_PLAIN = str.maketrans(
    {
        "ø": "o",
        "æ": "ae",
        "œ": "oe",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "ı": "i",
        **dict.fromkeys("‘’‛′`´", "'"),
        **dict.fromkeys("“”„‟″«»「」『』《》", '"'),
        **dict.fromkeys("‐‑‒–−", "-"),
        "—": " - ",
        "⁄": "/",
        "\r": "\n",
        "\u2028": "\n",
        "\u2029": "\n",
    }
)
_VULGAR = re.compile("(?<=[0-9])(?=[¼-¾⅐-⅞])")
_MARKS = re.compile("[\u0300-\u036f]+")
_SPACES = re.compile(r"[^\S\n]+")
_LINES = re.compile(r" ?\n[ \n]*")

#: Characters that count as letters although ``\w`` leaves them out: vowel signs of Indic scripts.
SIGNS = "\u0591-\u05c7\u064b-\u065f\u0900-\u0dff\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff"
_SURFACE = re.compile(
    rf"(?P<acronym>(?:[^\W\d_]\.){{2,12}}(?:[^\W\d_](?![\w]))?)|(?P<number>(?<![\w\]])-?\d[\d,]*(?:\.\d+|/\d+)?\+?)"
    rf"|[\w$€£¥{SIGNS}](?:[\w$€£¥{SIGNS}']*[\w$€£¥+{SIGNS}])?|[&%]"
)
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_SYMBOLS = {"&": "and", "%": "percent"}


def fold(text: str) -> str:
    """Return the text in folded form: NFKC, no case, no Latin accents, plain quotes and dashes.

    Line breaks stay (they separate), other white space is one blank. Marks of other scripts stay,
    so no text becomes another word or empty.

    Cost: linear.
    """
    text = text.translate(_DROPPED)
    if text.isascii():
        text = text.lower().translate(_PLAIN)
        return _LINES.sub("\n", _SPACES.sub(" ", text)).strip()
    text = _VULGAR.sub(" ", text)
    for _ in range(2):  # folding can make new compatibility characters, and those new capitals
        text = unicodedata.normalize("NFKD", text).casefold()
        text = unicodedata.normalize("NFKC", _MARKS.sub("", text).translate(_PLAIN))
    return _LINES.sub("\n", _SPACES.sub(" ", text)).strip()


def normalise(text: str) -> str:
    """Return the surface form that two writings of the same words share.

    Folded, without punctuation and articles; ``"The Q.R. Line!"`` is ``"qr line"``. A text that has
    nothing but punctuation or articles keeps them: only blank text becomes empty.

    Cost: linear. Determinism: pure and idempotent.
    """
    folded = fold(text)
    words = [_word(match) for match in _SURFACE.finditer(folded)]
    words = [word for word in words if word]
    kept = [word for word in words if word not in ARTICLES] or words
    return " ".join(kept) or " ".join(folded.split())


def _word(match: re.Match[str]) -> str:
    found = match.group()
    if match.lastgroup == "acronym":
        return found.replace(".", "")
    if match.lastgroup == "number":
        return found.replace(",", "") if _GROUPED.fullmatch(found) else found.strip(",").replace(",", " ")
    return _SYMBOLS.get(found, found.replace("'", "").replace("_", " ").strip())
