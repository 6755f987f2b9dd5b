"""The final-answer channel."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosaic_env.scoring.extract import final_answer, without_thoughts

TAGS = st.sampled_from(
    [
        "<think>",
        "</think>",
        "<answer>",
        "</answer>",
        "<done>",
        "</done>",
        "\\boxed{",
        "}",
        "final answer:",
        "red",
        " ",
    ]
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Red", "Red"),
        ("  Red \n", "Red"),
        ("The final answer is Red", "Red"),
        ("The answer is: Red.", "Red."),
        ("Final Answer: Blue\nNo. Final Answer: Red\nthanks", "Red"),
        ("**Final answer:** Red", "Red"),
        ("The answer is **Red**", "Red"),
        ("Answer: Red", "Red"),
        ("答案是红色", "红色"),
        ("I wonder what the answer is", "I wonder what the answer is"),
        ("<done>Red</done>", "Red"),
        ("<DONE>Red</DONE>", "Red"),
        ("<done>Red", "Red"),
        ("<answer>Blue</answer> or rather <answer>Red</answer>", "Red"),
        ("<final_answer>Red</final_answer> as said", "Red"),
        ("<answer></answer>", ""),
        ("<answer>The answer is \\boxed{Red}</answer>", "Red"),
        ("so \\boxed{\\text{Red}} it is", "Red"),
        ("\\boxed{a {b} c}", "a {b} c"),
        ("\\boxed{Red", "Red"),
        ("$\\boxed{12}$", "12"),
        ("\\boxed{Blue} <answer>Red</answer>", "Red"),
        ("<answer>Blue</answer> wait \\boxed{Red}", "Red"),
        ("<think>Blue</think>Red", "Red"),
        ("<think>Blue", ""),
        ("Blue</think> Red", "Red"),
        ("<reasoning>Blue</reasoning><thinking>Green</thinking>Red", "Red"),
        ("<think>a<think>b</think>c</think>Red", "Red"),
        ("<think>so <done>Blue</done></think><done>Red</done>", "Red"),
        ("<answer><think>Blue?</think>Red</answer>", "Red"),
        ("<tool_response><answer>Blue</answer></tool_response>Red", "Red"),
        ("a < b and b > c", "a < b and b > c"),
    ],
)
def test_final_answer(text: str, expected: str) -> None:
    assert final_answer(text) == expected


@given(st.text(st.characters(codec=None, exclude_categories=())) | st.lists(TAGS, max_size=30).map("".join))
def test_any_text_gives_an_answer_made_of_its_own_characters(text: str) -> None:
    answer = final_answer(text)
    assert answer == answer.strip()
    assert set(answer) <= set(text) | {" "}


@given(st.lists(TAGS, max_size=30).map("".join))
def test_thoughts_leave_no_tag(text: str) -> None:
    assert "think>" not in without_thoughts(text)


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "<",
        "<think>",
        "<think",
        "</think>",
        "<answer>",
        "<answer ",
        "final answer: ",
        "\\boxed{",
        "#",
        "\n",
        "*",
        "{",
    ],
)
def test_ten_megabytes_are_linear(unit: str) -> None:
    text = unit * (10**7 // len(unit))
    start = time.process_time()
    final_answer(text)
    assert time.process_time() - start < 3.0
