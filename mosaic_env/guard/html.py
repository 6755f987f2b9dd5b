"""Text and data inside HTML and terminals: escaped, embedded, made visible.

Must not: parse HTML, or mark anything as safe. Pages are built from these functions' results only.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from typing import Any

from mosaic_env.core.errors import CanonError

# They could end a script block, open a comment or begin an entity. U+2028 and U+2029, line ends in
# old JavaScript, are escaped already because the JSON is ASCII.
_UNSAFE_IN_SCRIPT = {ord(char): f"\\u{ord(char):04x}" for char in "<>&"}

# HTML cannot hold these: parsers drop or replace NUL, and UTF-8 has no lone surrogates.
_IMPOSSIBLE = re.compile("[\x00\ud800-\udfff]")

# Written as ranges, not as Unicode categories, so that the result does not depend on Python's tables.
_INVISIBLE = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, ESC and CR among them; tab and line feed stay
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0"  # soft hyphen, joiners, fillers
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # zero width, line separators, bidi controls
    "\ufe00-\ufe0d\ufeff\ufff9-\ufffb"  # variation selectors except text and emoji style, marks
    "\ud800-\udfff"  # lone surrogates
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # format, tags, selectors
    "]"
)


def escape(text: str) -> str:
    """Return text for use between tags and inside quoted attributes.

    NUL and lone surrogates become U+FFFD, as an HTML parser would make them.
    """
    return html.escape(_IMPOSSIBLE.sub("\ufffd", text), quote=True)


def embed_json(value: Any) -> str:
    """Return JSON that can stand inside a script block and reads back as the same value.

    ASCII only; ``<``, ``>``, ``&``, U+2028 and U+2029 are escaped, so that no text can end the
    block, open a comment or start an entity. Keys keep their order.

    Raises: CanonError (ME-CANON-01) for NaN, infinity and values that are not JSON data.
    """
    try:
        text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise CanonError(
            "ME-CANON-01",
            f"the {type(value).__name__} cannot be embedded ({error})",
            expected="dicts with string keys, lists, text, finite numbers, booleans and None",
        ) from None
    return text.translate(_UNSAFE_IN_SCRIPT)


def visible(text: str) -> str:
    """Show characters that hide, reorder or control: each becomes a token like ``⟨U+202E⟩``.

    Covers ANSI and other controls (tab and line feed stay), bidirectional and zero-width
    characters, tag characters, invisible fillers and lone surrogates. For pages and terminals;
    in pages, ``escape`` the result.

    Determinism: the same on every Python; applying it twice changes nothing more.
    """
    return _INVISIBLE.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", text)


def csp(script: str, style: str) -> str:
    """Return a content security policy that allows one inline script, one style and data: images.

    Args:
        script, style: The exact text between the tags; empty for none.
    """
    return "; ".join(
        (
            "default-src 'none'",
            "img-src data:",
            f"script-src {_hash_source(script)}",
            f"style-src {_hash_source(style)}",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hash_source(text: str) -> str:
    if not text:
        return "'none'"
    # Parsers turn every line end into a line feed before the browser hashes the text.
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return f"'sha256-{base64.b64encode(hashlib.sha256(lines.encode('utf-8')).digest()).decode('ascii')}'"
