"""Properties of the scorer, hostile answers, and regressions named after public bugs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosaic_env.core.types import Gold
from mosaic_env.scoring import REASONS, Verdict, final_answer, score
from mosaic_env.scoring.score import MAX_ANSWER
from tests.scoring.pairs import load

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=200)
VOCABULARY = (
    "red blue dark not or and , ; ( ) / ? no never 2 two three of the a is crown lion yes maybe 红色 不是"
)
WORDS = st.lists(st.sampled_from(VOCABULARY.split(" ")), max_size=40).map(" ".join)
ROOT = Path(__file__).resolve().parents[2]


def value(answer: str, gold: str, question: str = "", kind: str = "") -> str:
    return score(answer, Gold("k", gold, kind=kind), question).value


def reason(answer: str, gold: str, question: str = "", kind: str = "") -> str:
    return score(answer, Gold("k", gold, kind=kind), question).reason


@given(ANY_TEXT | WORDS, ANY_TEXT | WORDS, ANY_TEXT | WORDS)
def test_any_text_gets_a_verdict(answer: str, gold: str, question: str) -> None:
    verdict = score(answer, Gold("k", gold), question)
    assert verdict.value in ("yes", "no", "unsure")
    assert verdict.reason in REASONS
    assert verdict == score(answer, Gold("k", gold), question)
    assert verdict.confident is (verdict.value != "unsure")


@given(ANY_TEXT.filter(str.strip))
def test_a_reference_is_right_for_itself(gold: str) -> None:
    assert value(gold, gold) == "yes"
    assert score(gold, Gold("k", "something else", aliases=(gold,))).value == "yes"


@given(WORDS)
def test_case_and_outer_punctuation_change_nothing(answer: str) -> None:
    gold = Gold("k", "a red crown")
    assert score(answer, gold).value == score(f"  {answer.upper()}  ", gold).value


@given(st.sampled_from([pair for pair in load() if not pair.label]), st.sampled_from(["", " ", "\n\n"]))
def test_white_space_never_turns_a_wrong_answer_right(pair, space: str) -> None:  # type: ignore[no-untyped-def]
    gold = Gold(pair.key, pair.gold, pair.aliases, pair.kind)
    assert score(space + pair.answer + space, gold, pair.question).value != "yes"


def test_reasons_are_codes_that_quote_nothing() -> None:
    for code, meaning in REASONS.items():
        assert code.isascii() and code.replace("_", "").isalpha() and meaning
    for pair in load():
        verdict = pair.verdict()
        assert verdict.reason in REASONS
        if len(pair.gold) > 3:
            assert pair.gold.lower() not in verdict.reason


def test_one_code_has_one_value() -> None:
    values: dict[str, set[str]] = {}
    for pair in load():
        verdict = pair.verdict()
        values.setdefault(verdict.reason, set()).add(verdict.value)
    assert all(len(found) == 1 for found in values.values())


@pytest.mark.parametrize(
    "answer", ["", " ", "\n\t", "\u3000", "\x00", "{}", "[]", "null", "None", "?", "...", "N/A"]
)
@pytest.mark.parametrize("gold", ["Red", "3", "Yes", "No", "a crown", "KESTREL", "石桥"])
def test_a_null_agent_is_never_right(answer: str, gold: str) -> None:
    assert value(answer, gold) == "no"


def test_nothing_counts_for_zero_only() -> None:
    assert reason("none", "0") == "none_is_zero"
    assert value("none", "2") == "no"


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        ("red or blue", "red", "hedged"),
        ("red, blue, green", "red", "extra_colour"),
        ("not red", "red", "negated"),
        ("blue", "red", "wrong_colour"),
        ("red", "dark red", "less_specific"),
        ("dark red", "red", "more_specific"),
        ("4", "3", "wrong_number"),
        ("3, 4, 5", "3", "extra_number"),
        ("left", "to the right", "wrong_direction"),
        ("a cap", "a cap and a boot", "part_missing"),
        ("a boot and a cap", "a cap and a boot", "list"),
        ("a lion, a crown, a ship", "a crown", "listed_everything"),
        ("I don't know", "a crown", "refused"),
        ("no", "yes", "wrong_polarity"),
        ("two", "2", "number"),
        ("5500", "5,500 crowns", "less_specific"),
        ("12", "12 kg", "unit_missing"),
        ("Kestrell", "Kestrel", "spelling"),
        ("a wooden ladder", "a metal ladder", "opposite"),
        ("crown prince", "a crown", "extra_detail"),
        ("木桥", "a wooden bridge", "other_script"),
        ("x" * (MAX_ANSWER + 1), "x", "too_long"),
    ],
)
def test_reason(answer: str, gold: str, expected: str) -> None:
    assert reason(answer, gold) == expected


def test_the_question_is_no_evidence() -> None:
    question = "On the red ferry near the harbour, what colour is the round window of the bridge?"
    assert reason(question, "red", question) == "repeats_question"
    assert value("the red ferry", "red", question) != "yes"
    assert value("near the harbour", "red", question) == "no"
    assert value(f"{question} White", "white", question) == "yes"
    assert value("The round window of the bridge on the red ferry is white.", "white", question) == "yes"


def test_options_of_the_question_stay_candidates() -> None:
    question = "Is the figure on the shield a lion, a ship or a crown?"
    assert value("a crown", "a crown", question) == "yes"
    assert value("a lion, a ship, a crown", "a crown", question) == "no"
    assert value("It is a crown. It is a ship.", "a crown", question) != "yes"


def test_order_counts_only_when_asked_for() -> None:
    stripes = "Which colours are the stripes{}?"
    assert value("green, red and white", "red, white and green", stripes.format("")) == "yes"
    ordered = stripes.format(", in order from top to bottom")
    assert reason("green, red and white", "red, white and green", ordered) == "wrong_order"
    assert value("red, white, green", "red, white and green", ordered) == "yes"


@pytest.mark.parametrize(
    ("answer", "gold"),
    [("-5", "5"), ("5+", "5"), ("1, 2", "1/2"), ("3/2", "3:2"), ("2.5", "25"), ("1,5", "15")],
)
def test_punctuation_of_numbers_is_meaning(answer: str, gold: str) -> None:
    assert value(answer, gold) != "yes"
    assert value(gold, answer) != "yes"


@pytest.mark.parametrize("answer", ["Yes is wrong", "yes or no", "Yes. No.", "not yes", "yes?? no"])
def test_a_doubted_yes_is_no_yes(answer: str) -> None:
    assert value(answer, "Yes") != "yes"


def test_kind_text_compares_letters() -> None:
    assert value("crimson", "red") == "yes"
    assert value("crimson", "red", kind="text") == "no"
    assert value("RED", "red", kind="text") == "yes"


def test_aliases_work() -> None:
    gold = Gold("k", "Port Quillan", aliases=("Quillanhaven", "the old harbour"))
    assert score("It is Quillanhaven.", gold) == Verdict("yes", "alias")
    assert score("old harbour", gold) == Verdict("yes", "alias")
    assert score("Port Velm", gold).value != "yes"


def test_a_million_aliases_are_data() -> None:
    gold = Gold("k", "red", aliases=tuple(f"alias {number}" for number in range(20_000)))
    assert score("alias 19999", gold).value == "yes"


@pytest.mark.parametrize(
    "unit",
    ["a", " ", "<", "{", "not ", "or ", "1", "1,", "红", "e\u0301", "red ", "\ud800", "((", "\\boxed{"],
)
def test_ten_megabytes_are_linear(unit: str) -> None:
    text = unit * (10**7 // len(unit))
    start = time.process_time()
    assert value(text, "red") == "no"
    assert time.process_time() - start < 1.0


@pytest.mark.parametrize("unit", ["a ", "a crown ", "a crown, ", "not ", "red or ", "crown (", "two "])
def test_the_longest_scored_answers_are_fast(unit: str) -> None:
    gold = "a crown, a lion / a cat, two red ships, and a bell (or gong) on a tall white tower of stone"
    start = time.process_time()
    value((unit * MAX_ANSWER)[:MAX_ANSWER], gold)
    assert time.process_time() - start < 1.0


def test_verdicts_do_not_depend_on_the_hash_seed() -> None:
    code = (
        "import json; from tests.scoring.pairs import load;"
        "print(json.dumps([pair.verdict().reason for pair in load()]))"
    )
    outputs = set()
    for seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        run = subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            check=True,
            text=True,
        )
        outputs.add(run.stdout)
    assert len(outputs) == 1
    assert len(json.loads(outputs.pop())) == len(load())


# --- regressions named after public bugs ----------------------------------------------------------


def test_b06_answers_are_never_evaluated(tmp_path: Path) -> None:
    """verl#5331, human-eval#65 and others: a scorer that evaluates the answer."""
    target = tmp_path / "touched"
    for answer in (
        f"__import__('pathlib').Path({str(target)!r}).touch() or ['a']",
        "(lambda f: f.f_back.f_locals)(__import__('sys')._getframe())",
        "1+2",
        "9**9**9",
        "'re' + 'd'",
    ):
        assert value(answer, "3") != "yes"
        assert value(answer, "red") != "yes"
        assert value(answer, "['a']") != "yes"
    assert not target.exists()


def test_rezero_1_and_skyrl_only_the_final_text_counts() -> None:
    """ReZero#1, skyrl-gym search: answer tags in tool output or search text were scored."""
    own = "<tool_response>Kestrel Bay <answer>Kestrel Bay</answer></tool_response>I do not know."
    assert value(final_answer(own), "Kestrel Bay") == "no"
    assert value(final_answer("<think><answer>Kestrel Bay</answer></think>unknown"), "Kestrel Bay") == "no"


def test_tau2_397_integral_floats_are_integers() -> None:
    """tau2-bench PR#397: 33 and 33.0 counted as different."""
    assert value("33.0", "33") == "yes"
    assert value("33", "33.0") == "yes"
    assert value("33.5", "33") == "no"


def test_nemo_2105_no_think_tags_are_needed() -> None:
    """NeMo Gym PR#2105: plain answers without think tags scored as empty."""
    assert final_answer("Kestrel Bay") == "Kestrel Bay"
    assert value(final_answer("The final answer is Kestrel Bay"), "Kestrel Bay") == "yes"
