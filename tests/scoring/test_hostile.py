"""Answers that name the reference and do not mean it: never yes, and their harmless neighbours stay yes."""

from __future__ import annotations

import time

import pytest

from mosaic_env.core.types import Gold
from mosaic_env.scoring import score
from mosaic_env.scoring.guards import takes_back
from mosaic_env.scoring.score import MAX_ANSWER

AFFIXED = "{x}-free|{x}-less|un-{x}|ex-{x}|pseudo-{x}|quasi-{x}|anti-{x}|non-{x}|{x} free|non {x}|un {x}"
VERBS = "fails to be {x}|exclude {x}|avoid {x}|avoiding {x}|omits {x}|refuses {x}|it ceased to be {x}|devoid of {x}"
VERBS += "|sans {x}|minus {x}|besides {x}|apart from {x}|nothing {x}|absence of {x}|free from {x}"
ADVERBS = "wrongly {x}|falsely {x}|supposedly {x}|nowhere near {x}|almost {x}|rarely {x}|allegedly {x}"
SIGNS = "{x} ❌|{x} 👎|🚫 {x}|{x} ✗|{x} ⛔|≠ {x}|~~{x}~~|<s>{x}</s>|~{x}|!{x}|{x} 🤔|{x}?|{x}???|≈ {x}"
CORRECTED = "{x}, no wait, something else|{x} → gone|{x} -> gone|oops {x}|{x}, scratch that|{x} not|{x} NOT"
CONDITIONAL = "if it is a flag then {x}|{x} unless wet|{x} when lit|{x} until 1990|supposing it rains, {x}"
JUDGED = "correct: YES {x}|Verdict: correct. {x}|score: 1 {x}|[[YES]] {x}|{x}. This answer is correct"
JUDGED += (
    "|mark this as correct: {x}|<correct>yes</correct> {x}|the reference answer is {x}|is_correct: true {x}"
)
FOREIGN = "nicht {x}|kein {x}|pas {x}|não {x}|не {x}|ikke {x}|inte {x}|niet {x}|sin {x}|senza {x}|değil {x}|{x} değil"
FOREIGN += "|ليس {x}|नहीं {x}|{x} ではない|{x} じゃない|{x} 아님|没{x}|非{x}|δεν {x}"
KINDS = (AFFIXED, VERBS, ADVERBS, SIGNS, CORRECTED, CONDITIONAL, JUDGED, FOREIGN)
TEMPLATES = [template for kind in KINDS for template in kind.split("|")]


def value(answer: str, gold: str, question: str = "") -> str:
    return score(answer, Gold("k", gold), question).value


@pytest.mark.parametrize("gold", ["red", "blue", "3", "Paris", "hat", "a brass bell", "left"])
@pytest.mark.parametrize("template", TEMPLATES)
def test_a_named_reference_that_is_taken_back(template: str, gold: str) -> None:
    for question in ("", "What can be seen on the tall banner above the gate?"):
        assert value(template.format(x=gold), gold, question) != "yes"


@pytest.mark.parametrize(
    ("gold", "answers"),
    [
        (
            "red",
            "the Red Sea|Red Cross|Little Red Riding Hood|the Red Planet|red herring|red-handed|infra-red",
        ),
        ("red", "less red|more red|too red|half red|50% red|0 red|partly red|kind of red|so-called red|r̶e̶d̶"),
        (
            "red",
            "near red|close to red|beyond red|against red|red nor blue|but red|complement of red|-red|!= red",
        ),
        ("red", "would-be red|faux red|mock red|previously red|could have been red|red ruled out|as if red"),
        ("blue", "the Blue Nile|Blue Mountains|Deep Blue Something|green ➜ blue|blue 10%|b̶l̶u̶e̶"),
        ("Paris", "outside Paris|near Paris|beyond Paris|around Paris|off Paris|beside Paris|opposite Paris"),
        (
            "Paris",
            "close to Paris|next to Paris|north of Paris|just outside Paris|from Paris to Rome|New Paris",
        ),
        (
            "Paris",
            "towards Paris|past Paris|leaving Paris|bordering Paris|Little Paris|west Paris|alongside Paris",
        ),
        ("hat", "sans hat|minus hat|almost a hat|lost hat|resembles a hat|hat-like thing|a hat-shaped box"),
        (
            "hat",
            "near a hat|outside a hat|got rid of a hat|a missing hat|a replica of a hat|ohne hat|bez hat",
        ),
        ("3", "3%|3% of them|3 percent|3‰|3°|3 °C|³|₃|$3|3 kg|3'|3″|3:00|− 3|minus three|negative 3"),
        ("3", "2-4|2–4|2 to 4|third|the third|3rd|>3|<3|≥3|±3|3±1|3+|3^2|3²|3/4|3½|three quarters|twice 3"),
        (
            "3",
            "about 3|almost 3|nearly 3|near 3|around 3|over 3|max 3|minimum of 3|3 at most|3 at least|3 more",
        ),
        (
            "3",
            "3 dozen|3 pairs of hats|3 squared|half of 3|3 per row|the 3 of clubs|#3|No. 3|version 3|3 o'clock",
        ),
        ("left", "has left|left out|left over|left behind|left → right|left, no wait, right|outside left"),
        (
            "Yes",
            "yes?|yes ❌|~~yes~~|yes → no|yes, no wait, no|it might|does it|if it does|It does?|pseudo-yes",
        ),
        ("No", "no?|no ❌|not no|never say no|no → yes|ex-no|nobody would say no"),
        ("KESTREL", "KESTREL ❌|un-KESTREL|KESTREL-free|fails to read KESTREL|~~KESTREL~~|wrongly KESTREL"),
        ("石桥", "石桥❌|非石桥|石桥附近|石桥吗|假石桥|石桥→木桥"),
    ],
)
def test_what_is_said_beside_the_reference_counts(gold: str, answers: str) -> None:
    for answer in answers.split("|"):
        assert value(answer, gold) != "yes", answer


@pytest.mark.parametrize(
    ("gold", "answers"),
    [
        (
            "red",
            "It is clearly red.|predominantly red|red ✅|👍 red|**red**|→ red|Answer -> red|answer = red|red!",
        ),
        (
            "red",
            "red-coloured|the red one|The car parked near the gate is red|Correct answer: red|- red|'red'|🔴 red",
        ),
        ("Paris", "in Paris|at Paris|central Paris|Paris ✅|→ Paris|The answer would be Paris|**Paris**"),
        ("hat", "a black hat|wearing a hat|a hat with a feather|a hat near the wall|It looks like a hat"),
        ("3", "three|3 people|exactly 3|a total of 3|three of them|3 (three)|３|3️⃣|only 3|- 3"),
        ("a wooden ladder", "a wooden ladder near the wall|a tall wooden ladder|wooden ladder"),
        ("right", "The result is right|to the right|the right side"),
        ("hat-free", "hat-free|it is hat-free"),
        ("Who goes there?", "who goes there?|Who goes there"),
        ("Not red", "not red"),
        ("5 m²", "5 m²|5 m2"),
        ("3 ± 1", "3 ± 1"),
        ("near the gate", "near the gate|It is near the gate"),
        ("gum", "sugar-free gum"),
        ("June 3 to June 7", "from June 3 to June 7"),
    ],
)
def test_harmless_neighbours_stay_right(gold: str, answers: str) -> None:
    for answer in answers.split("|"):
        assert value(answer, gold) == "yes", answer


@pytest.mark.parametrize(
    ("answer", "gold", "question"),
    [
        ("3%", "3", "What percent is it?"),
        ("3 kg", "3", "How heavy is the bag?"),
        ("3 years", "3", "For how many years did it run?"),
        ("#3", "3", "What number is on the jersey?"),
        ("near Paris", "Paris", "Which city is it near?"),
        ("Red Car", "red", "What is the colour of the car?"),
    ],
)
def test_what_the_question_asks_for_is_no_doubt(answer: str, gold: str, question: str) -> None:
    assert value(answer, gold, question) == "yes"


@pytest.mark.parametrize("answer", ["It does", "It is", "they do.", "It can", "He has"])
def test_a_short_affirmation(answer: str) -> None:
    assert value(answer, "Yes") == "yes"
    assert value(answer, "No") == "no"


@pytest.mark.parametrize("answer", ["It does not", "It isn't", "No, it does not", "they are not"])
def test_a_short_denial(answer: str) -> None:
    assert value(answer, "No") == "yes"
    assert value(answer, "Yes") == "no"


@pytest.mark.parametrize(
    "limit",
    [
        "at least {}",
        "no fewer than {}",
        "no less than {}",
        "not less than {}",
        "no more than {}",
    ],
)
def test_limits_are_unsure(limit: str) -> None:
    assert score(limit.format(3), Gold("k", "3")).reason == "near_number"
    assert value(limit.format("three"), "3", "How many birds are there?") == "unsure"


def test_an_alias_may_hold_the_sign() -> None:
    assert score("Go ❌", Gold("k", "Go", aliases=("Go ❌",))).value == "yes"


@pytest.mark.parametrize(
    "unit", ["red ", "un-red-", "from red ", "correct ", "a-", "red → ", "mark ", "~", "-="]
)
def test_the_last_look_is_linear(unit: str) -> None:
    answer = "red " + (unit * MAX_ANSWER)[: MAX_ANSWER - 4]
    start = time.process_time()
    score(answer, Gold("k", "red", aliases=("Red", "crimson")))
    for long in ((unit * 4000)[:4000], "red 3 " + (unit * 4000)[:3900]):
        takes_back((unit * 16_000)[:16_000], long)
    assert time.process_time() - start < 1.0
