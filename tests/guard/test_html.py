"""Text in pages and terminals: nothing ends a block, nothing hides."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mosaic_env.core.errors import CanonError
from mosaic_env.guard import html

HOSTILE = [
    "</script><img src=x onerror=alert(1)>",
    "</SCRIPT\n>",
    "</script/x>",
    "<!--<script>",
    "-->",
    "<![CDATA[",
    "]]>",
    "<svg/onload=alert(1)>",
    '" onmouseover="alert(1)',
    "' onfocus='alert(1)",
    "javascript:alert(1)",
    "&lt;script&gt;",
    "&#60;script&#62;",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "<base href=//evil>",
    "<meta http-equiv=refresh content=0>",
    "\u2028alert(1)\u2029",
    "\0<script>",
    "<\0script>",
    "\ud800<b>",
    "a\ud83d",
    "<style>@import'//evil'</style>",
    "${alert(1)}",
    "{{constructor.constructor('alert(1)')()}}",
    "`",
    "\\u003c/script\\u003e",
    "\\",
    "\\\\</script>",
    "<a href='&#106;avascript:alert(1)'>",
    "<plaintext>",
    "<textarea></textarea><script>",
    "<title></title><script>",
]


class Parsed(HTMLParser):
    """What a parser sees: tags with attributes, and the text between them."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment was opened: {data!r}")


def shown(text: str) -> str:
    return re.sub("[\0\ud800-\udfff]", "\ufffd", text)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_stays_text(text: str) -> None:
    page = Parsed(f"<p title=\"{html.escape(text)}\" lang='{html.escape(text)}'>{html.escape(text)}</p>")
    assert page.tags == ["p"]
    assert page.attributes == [("title", shown(text)), ("lang", shown(text))]
    assert page.text == shown(text)
    html.escape(text).encode("utf-8")


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_data_stays_inside_its_script_block(text: str) -> None:
    embedded = html.embed_json({text: [text]})
    page = Parsed(f'<script type="application/json">{embedded}</script>')
    assert page.tags == ["script"]
    assert json.loads(page.text) == {text: [text]}


json_data = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(st.characters(), max_size=20),
        st.text("<>&/!-scriptSCRIPT\u2028\u2029\\\"' ", max_size=20),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(json_data)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_embedded_data_reads_back_and_has_no_unsafe_character(value: Any) -> None:
    embedded = html.embed_json(value)
    assert json.loads(embedded) == value
    assert embedded.isascii()
    assert not set("<>&\u2028\u2029") & set(embedded)


def test_embedded_keys_keep_their_order() -> None:
    assert html.embed_json({"b": 1, "a": "<"}) == '{"b":1,"a":"\\u003c"}'


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, b"a", object(), {"a": nested(5_000)}])
def test_other_values_are_not_embedded(value: Any) -> None:
    with pytest.raises(CanonError) as caught:
        html.embed_json(value)
    assert caught.value.code == "ME-CANON-01"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain text\tand\nlines", "plain text\tand\nlines"),
        ("\x1b[31mred\x1b[0m", "⟨U+001B⟩[31mred⟨U+001B⟩[0m"),
        ("\x9b31m\x07\r\0\x7f", "⟨U+009B⟩31m⟨U+0007⟩⟨U+000D⟩⟨U+0000⟩⟨U+007F⟩"),
        ("a\u202egnp.exe", "a⟨U+202E⟩gnp.exe"),
        ("\u2066\u2069\u200e\u200f\u061c", "⟨U+2066⟩⟨U+2069⟩⟨U+200E⟩⟨U+200F⟩⟨U+061C⟩"),
        ("pay\u200bpal\ufeff\u2060\xad", "pay⟨U+200B⟩pal⟨U+FEFF⟩⟨U+2060⟩⟨U+00AD⟩"),
        ("\u2028\u2029\u3164\uffa0", "⟨U+2028⟩⟨U+2029⟩⟨U+3164⟩⟨U+FFA0⟩"),
        ("hi\U000e0041\U000e0100", "hi⟨U+E0041⟩⟨U+E0100⟩"),
        ("\ud800x\udfff", "⟨U+D800⟩x⟨U+DFFF⟩"),
        ("中文 عربي עברית हिन्दी ❤\ufe0f é", "中文 عربي עברית हिन्दी ❤\ufe0f é"),
    ],
)
def test_visible(text: str, expected: str) -> None:
    assert html.visible(text) == expected


@given(st.text(st.characters()))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_visible_text_is_printable_utf8_and_stable(text: str) -> None:
    seen = html.visible(text)
    seen.encode("utf-8")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]", seen)
    assert html.visible(seen) == seen


def test_csp_allows_exactly_one_script_and_style() -> None:
    policy = dict(part.split(" ", 1) for part in html.csp("alert(1)\r\nx", "").split("; "))
    digest = base64.b64encode(hashlib.sha256(b"alert(1)\nx").digest()).decode()
    assert policy == {
        "default-src": "'none'",
        "img-src": "data:",
        "script-src": f"'sha256-{digest}'",
        "style-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def test_csp_hash_is_pinned() -> None:
    # The example of the specification's text: the hash of alert('Hello, world.');
    assert "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='" in html.csp("alert('Hello, world.');", "")
