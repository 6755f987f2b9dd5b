"""Canonical bytes: one form for each value, and a strict reader for what comes from outside."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosaic_env.core import canon
from mosaic_env.core.errors import CanonError

plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text()
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(plain)
def test_round_trip(value: object) -> None:
    text = canon.canonical_text(value)
    assert canon.canonical_text(json.loads(text)) == text
    assert canon.strict_loads(text) == json.loads(text)


@given(st.dictionaries(st.text(), st.integers(-9, 9), min_size=2))
def test_key_order_does_not_matter(value: dict[str, int]) -> None:
    backwards = dict(reversed(value.items()))
    assert canon.digest(value) == canon.digest(backwards)


def test_lone_surrogates_have_a_form() -> None:
    assert canon.canonical_text("\ud800") == '"\\ud800"'
    assert canon.digest("\ud800") != canon.digest("\udc00")


@pytest.mark.parametrize("value", [math.nan, math.inf, {1: 2, "a": 3}, object(), {"a": {1, 2}}, b"x"])
def test_what_has_no_form_is_refused(value: object) -> None:
    with pytest.raises(CanonError, match="ME-CANON-01"):
        canon.canonical_text(value)


def test_cyclic_values_are_refused() -> None:
    loop: list[object] = []
    loop.append(loop)
    with pytest.raises(CanonError, match="ME-CANON-01"):
        canon.canonical_text(loop)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"a":1,"a":2}', "twice"),
        ("[NaN]", "NaN"),
        ("[Infinity]", "Infinity"),
        ("[1e999]", "out of range"),
        ("9007199254740993", "2\\*\\*53"),
        ("9" * 5000, "2\\*\\*53"),
        ("[" * 100_000, "nested"),
        ('{"a": ' * 81 + "1" + "}" * 81, "nested"),
        ("{", "JSON"),
        ("", "JSON"),
        ("{} {}", "JSON"),
    ],
)
def test_strict_reader_refuses(text: str, why: str) -> None:
    with pytest.raises(CanonError, match=why) as caught:
        canon.strict_loads(text)
    assert caught.value.code == "ME-CANON-02"


def test_strict_reader_counts_brackets_outside_strings_only() -> None:
    assert canon.strict_loads(json.dumps(["[" * 500, '"[' * 50])) == ["[" * 500, '"[' * 50]


def test_strict_reader_refuses_bytes_that_are_not_utf8_and_large_ones() -> None:
    with pytest.raises(CanonError, match="UTF-8"):
        canon.strict_loads(b'"\xff"')
    with pytest.raises(CanonError, match="bytes"):
        canon.strict_loads(b"[" + b" " * 100 + b"]", max_bytes=50)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 5}, {"a": 5.0}),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({"q": "é"}, {"q": "é"}),
        ({"l": (1, 2)}, {"l": [1.0, 2]}),
        ({"o": {"x": 1.0, "y": 2}}, {"o": {"y": 2.0, "x": 1}}),
    ],
)
def test_same_call_same_arguments(one: dict[str, object], other: dict[str, object]) -> None:
    """Public report tau2-bench PR#397 and StableToolBench's ``str(dict)`` key."""
    assert canon.digest(canon.canonical_arguments(one)) == canon.digest(canon.canonical_arguments(other))


@pytest.mark.parametrize(
    ("one", "other"), [({"a": 1}, {"a": True}), ({"a": 1}, {"a": "1"}), ({"a": None}, {})]
)
def test_other_call_other_arguments(one: dict[str, object], other: dict[str, object]) -> None:
    assert canon.digest(canon.canonical_arguments(one)) != canon.digest(canon.canonical_arguments(other))


def test_merkle_root_depends_on_names_and_digests() -> None:
    root = canon.merkle_root({"kb": "a", "tasks": "b"})
    assert root == canon.merkle_root({"tasks": "b", "kb": "a"})
    assert len({root, canon.merkle_root({"kb": "b", "tasks": "a"}), canon.merkle_root({"kb": "a"})}) == 3
