"""Surface form, tokens, numbers, colours and Chinese."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosaic_env.scoring import amounts, han
from mosaic_env.scoring.colours import FAMILY, NEAR, Shade, relate
from mosaic_env.scoring.fit import distance
from mosaic_env.scoring.lexer import stem, tokenise
from mosaic_env.scoring.normalise import fold, normalise
from mosaic_env.scoring.readings import readings_of
from mosaic_env.scoring.synonyms import EXCLUSIVE, FORMS, KINDS

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()))


@given(ANY_TEXT)
def test_normalise_is_idempotent_and_empties_only_blank_text(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    if any(char.isalnum() for char in text):
        assert once


@given(ANY_TEXT)
def test_fold_is_idempotent(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The Amber Regatta!", "amber regatta"),
        ("Café Ürsül", "cafe ursul"),
        ("ＫＥＳＴＲＥＬ", "kestrel"),
        ("5,500", "5500"),
        ("Q.R.S.", "qrs"),
        ("Rope & Sail", "rope and sail"),
        ("“Mind the kiln”", "mind kiln"),
        ("40%", "40 percent"),
        ("cafe\u0301", "café"),
        ("red\u200b", "red"),
        ("don’t", "don't"),
    ],
)
def test_surface_forms_meet(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(
    "text", ["石桥", "КХВ", "はし", "हिन्दी", "ไทย", "עברית", "&", "?!", "the", "🦊", "が"]
)
def test_no_script_is_emptied(text: str) -> None:
    assert normalise(text)


def test_marks_of_other_scripts_stay() -> None:
    assert normalise("が") != normalise("か")
    assert normalise("कि") != normalise("की")


def numbers(text: str) -> list[Fraction]:
    return [token.value for token in tokenise(text) if token.value is not None]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("three", 3),
        ("twenty-one", 21),
        ("one hundred and five", 105),
        ("two thousand three hundred", 2300),
        ("3 million", 3_000_000),
        ("1,234.5", Fraction("1234.5")),
        ("a dozen", 12),
        ("half a dozen", 6),
        ("2 1/2", Fraction(5, 2)),
        ("two and a half", Fraction(5, 2)),
        ("2½", Fraction(5, 2)),
        ("-5", -5),
        ("三", 3),
        ("十二只", 12),
        ("二十", 20),
        ("a pair of boots", 2),
        ("３", 3),
    ],
)
def test_numbers_are_read(text: str, expected: Fraction) -> None:
    assert numbers(text) == [expected]


@pytest.mark.parametrize("text", ["the one on the left", "one of them", "each one", "9" * 60, "三亚", "half"])
def test_what_looks_like_a_number_and_is_none(text: str) -> None:
    assert numbers(text) == []


@given(st.integers(0, 999_999))
def test_number_words_are_read_back(value: int) -> None:
    assert numbers(spelled(value)) == [value]


def spelled(value: int) -> str:
    small = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"]
    small += ["twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
    tens = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    if value < 20:
        return small[value]
    if value < 100:
        return tens[value // 10] + (f"-{small[value % 10]}" if value % 10 else "")
    for scale, name in ((1000, "thousand"), (100, "hundred")):
        if value >= scale:
            rest = f" and {spelled(value % scale)}" if 0 < value % scale < 100 else ""
            rest = rest or (f" {spelled(value % scale)}" if value % scale else "")
            return f"{spelled(value // scale)} {name}{rest}"
    raise AssertionError(value)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5 m", "500 cm"),
        ("1 km", "1000 metres"),
        ("2.5 hours", "150 min"),
        ("$3 million", "3,000,000 dollars"),
    ],
)
def test_units_meet(one: str, other: str) -> None:
    left, right = tokenise(one)[0], tokenise(other)[0]
    assert (left.value, left.unit) == (right.value, right.unit)
    assert left.unit


@pytest.mark.parametrize("text", ["14 May 2031", "May 14, 2031", "2031-05-14", "14.05.2031", "05/14/2031"])
def test_dates_meet(text: str) -> None:
    assert {token.text for token in tokenise(text) if token.kind != "comma"} == {"14", "maymonth", "2031"}


def test_a_date_that_can_be_read_two_ways_is_not_read() -> None:
    assert amounts.date_words("03/04/2031") is None
    assert amounts.date_words("04/04/2031") == ("4", "april", "2031")
    assert amounts.date_words("99/99/2031") is None


def shades(text: str) -> tuple[Shade, ...]:
    return tuple(shade for token in tokenise(text) for shade in token.shades)


@pytest.mark.parametrize(
    ("gold", "answer", "relation"),
    [
        ("red", "red", "same"),
        ("red", "reddish", "same"),
        ("red", "dark red", "specific"),
        ("red", "crimson", "specific"),
        ("crimson", "red", "general"),
        ("dark red", "red", "general"),
        ("dark blue", "light blue", "wrong"),
        ("dark blue", "navy", "specific"),
        ("brown", "reddish-brown", "specific"),
        ("reddish-brown", "brown", "general"),
        ("grey", "gray", "same"),
        ("blue-green", "green-blue", "same"),
        ("blue and white", "white, blue", "same"),
        ("blue and white", "blue", "missing"),
        ("blue", "blue and white", "extra"),
        ("blue", "teal", "near"),
        ("red", "blue", "wrong"),
        ("red and white", "red and blue", "wrong"),
    ],
)
def test_colours_relate(gold: str, answer: str, relation: str) -> None:
    assert relate(shades(gold), shades(answer)) == relation


def test_colour_tables_are_closed() -> None:
    assert set(NEAR) <= set(FAMILY)
    assert {name for names in NEAR.values() for name in names} <= set(FAMILY)
    for name, family in FAMILY.items():
        assert FAMILY[family] == family
        assert relate([Shade(name)], [Shade(name)]) == "same"


def test_word_tables_are_consistent() -> None:
    assert not set(FORMS) & set(FORMS.values())
    for word, canonical in FORMS.items():
        assert stem(word) == canonical
    for word in [*EXCLUSIVE, *KINDS, *KINDS.values()]:
        assert stem(word) == word, word


def test_things_named_like_colours_stay_things() -> None:
    assert not shades("olive branches")
    assert not shades("a rose and a ruby")
    assert shades("olive green") and shades("olive")


@pytest.mark.parametrize(
    ("run", "words"),
    [
        ("红色", ["red"]),
        ("深蓝色", ["dark", "blue"]),
        ("不是红色", ["not", "red"]),
        ("红色或蓝色", ["red", "or", "blue"]),
        ("三只鸟", ["3", "鸟"]),
        ("石桥", ["石", "桥"]),
        ("答案是石桥", ["is", "石", "桥"]),
        ("白居易", ["白", "居", "易"]),
        ("是", ["yes"]),
    ],
)
def test_chinese_runs(run: str, words: list[str]) -> None:
    assert han.words_of(run) == words


@given(st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=1, max_size=12))
def test_no_chinese_run_is_lost(run: str) -> None:
    assert han.words_of(run)


def parts(text: str) -> list[list[str]]:
    return [
        [" ".join(token.raw for token in part) for part in reading.parts] for reading in readings_of(text)
    ]


def test_alternatives_become_readings() -> None:
    assert ["marro"] in parts("Marro / Old Marro") and ["old marro"] in parts("Marro / Old Marro")
    assert ["brass bell"] in parts("a tin / brass bell")
    assert ["tindle"] in parts("Tindle (harbour fox)") and ["harbour fox"] in parts("Tindle (harbour fox)")
    assert ["charging box"] in parts("Charging Box (left)") and ["left"] not in parts("Charging Box (left)")
    assert parts("a cap, a boot and a belt") == [["cap", "boot", "belt"]]
    assert ["large round table"] in parts("a large, round table")


@given(ANY_TEXT)
def test_any_text_has_few_readings(text: str) -> None:
    assert len(readings_of(text)) <= 16


@given(st.text("abc", max_size=8), st.text("abc", max_size=8))
def test_edit_distance(one: str, other: str) -> None:
    assert distance(one, other) == distance(other, one)
    assert (distance(one, other) == 0) == (one == other)
    assert abs(len(one) - len(other)) <= distance(one, other) <= max(len(one), len(other))
