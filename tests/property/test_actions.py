"""What holds for every text and every value that is given to the action grammar."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from mosaic_env.core.canon import MAX_JSON_INT, canonical_text, digest
from mosaic_env.core.types import Action, Answer, Malformed, ToolCall
from mosaic_env.envs.actions import (
    ISSUES,
    MAX_ITEMS,
    REPAIRS,
    format_answer,
    format_call,
    parse,
    parse_structured,
)

ROOT = Path(__file__).parents[2]
KNOWN = frozenset({"web_search", "view_image"})
THINK_NAMES = ["think", "thinking", "reasoning", "thought"]
TEXT_NAMES = ["query", "search", "code", "clip", "done", "answer", "final_answer"]
CALL_NAMES = ["tool", "tool_call", "function_call", "function", "parameter"]
NAMES = [*THINK_NAMES, *TEXT_NAMES, *CALL_NAMES]
FRAGMENTS = [f"<{name}>" for name in NAMES] + [f"</{name}>" for name in NAMES]
FRAGMENTS += [
    "<tool name='web_searchweb_search' />",
    '<tool name="x">',
    "<Query >",
    "</ query>",
    "<\u017fearch>",
]
FRAGMENTS += [
    "<function=f>",
    "<parameter=a>",
    "```json\n",
    "```",
    "\n",
    " ",
    "\x00",
    "\ud800",
    "\u212a",
    "桥",
]
FRAGMENTS += [
    '{"query": "a"}',
    '{"name": "x", "arguments": {"a": 1}}',
    '{"answer": "Red"}',
    "{'a': True,}",
    '{}""',
]
FRAGMENTS += [*"{}[]\"'\\,:;<>/=0", "null", "None", "NaN", "1e999", "9" * 30, "-0.0", "Red"]


def examples(number: int) -> settings:
    return settings(max_examples=number, deadline=None, suppress_health_check=[HealthCheck.too_slow])


any_text = st.text(st.characters(exclude_categories=()), max_size=60)
soup = st.lists(st.sampled_from(FRAGMENTS) | any_text, max_size=30).map("".join)
hostile = soup | any_text

finite = st.floats(allow_nan=False, allow_infinity=False)
integers = st.integers(-MAX_JSON_INT, MAX_JSON_INT)
scalars = st.none() | st.booleans() | integers | finite | soup
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(soup, inner, max_size=4),
    max_leaves=12,
)
arguments = st.dictionaries(soup, json_values, max_size=5)
tool_names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_.:-]{0,30}", fullmatch=True)
formats = st.sampled_from(["interlv", "openai", "hermes"])


def read(text: str) -> Action:
    return parse(text, default_tool="web_search", known_tools=KNOWN)


def read_value(value: object) -> Action:
    return parse_structured(value, default_tool="web_search", known_tools=KNOWN)


def check(action: Action) -> None:
    """What every action promises."""
    assert 1 <= len(action.items) <= MAX_ITEMS + 1
    for item in action.items:
        if isinstance(item, Malformed):
            assert item.code in ISSUES
            assert item.message
            assert item.hint
        elif isinstance(item, ToolCall):
            assert item.tool or item.tool == "web_search"
            assert set(item.repairs) <= REPAIRS.keys()
            assert len(set(item.repairs)) == len(item.repairs)
            canonical_text(item.arguments)
        else:
            assert item.text == item.text.strip()


# --- total, pure, linear --------------------------------------------------------------------------


@examples(800)
@given(hostile)
@example("<query>{'a': '\\")
@example("<anſwer>x</anſwer>")
@example('<tool name="x">"')
def test_every_text_is_an_action(text: str) -> None:
    action = read(text)
    check(action)
    assert action.text == text
    assert read(text) == action


@examples(200)
@given(st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=6).map("".join))
def test_repeated_soup_is_read_in_linear_time(unit: str) -> None:
    text = unit * (131_072 // len(unit))
    start = time.process_time()
    check(read(text))
    # Linear takes some 10 ms; a quadratic step would take minutes.
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    "unit",
    [
        "<",
        "</",
        "<t",
        "{",
        '{"a":',
        "'",
        '"',
        "\\",
        '"\\',
        "```",
        " ",
        "\n",
        "</think>",
        "<think>x</think>",
        "<query>",
        "<query>a",
        '<query>{"',
        "<query>{'",
        '<query>{"a":1}',
        "<query>{bad</query>",
        "<tool name=",
        "<query>{bad</query></think>",
        "<query>{'a':1}</query></think>",
        "<tool_call>[",
        "<done>",
        "<done>x</done>",
        "<function=f>",
        "<function=f><parameter=",
        "<parameter=a>1</parameter>",
        "<code>```\n",
        "x</code>",
    ],
)
def test_sixteen_times_the_text_takes_about_sixteen_times_as_long(unit: str) -> None:
    def best(size: int) -> float:
        text = unit * (size // len(unit))
        times = []
        for _ in range(3):
            start = time.process_time()
            read(text)
            times.append(time.process_time() - start)
        return min(times)

    # Quadratic would be 256; short times are noise, hence the floor.
    assert best(1_000_000) < 80 * max(best(62_500), 1e-3)


@st.composite
def foreign_values(draw: st.DrawFn) -> object:
    keys = st.sampled_from(
        [
            "tool",
            "name",
            "function",
            "arguments",
            "parameters",
            "answer",
            "done",
            "role",
            "content",
            "tool_calls",
            "id",
        ]
    )
    leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(FRAGMENTS)
    odd = st.sampled_from(
        [b"x", 1j, np.int64(3), np.float64("nan"), np.str_("<done>x</done>"), np.zeros(2), object]
    )
    values = st.recursive(
        leaves | odd,
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.lists(inner, max_size=3).map(tuple)
            | st.dictionaries(keys | any_text, inner, max_size=4)
            | st.dictionaries(st.integers(), inner, max_size=2)
        ),
        max_leaves=15,
    )
    return draw(values)


@examples(200)
@given(foreign_values())
def test_every_value_is_an_action_and_replays_from_its_text(value: object) -> None:
    action = read_value(value)
    check(action)
    assert read_value(value) == action
    replayed = read_value(json.loads(action.text)) if action.structured else read(action.text)
    assert replayed == action


# --- what is never an action ----------------------------------------------------------------------


@examples(150)
@given(soup, st.sampled_from(THINK_NAMES), soup)
def test_thinking_is_never_an_action(inside: str, name: str, rest: str) -> None:
    inside = inside.replace(f"</{name}>", "")
    assert read(f"<{name}>{inside}</{name}>{rest}").items == read(f"<{name}></{name}>{rest}").items
    assert [item.code for item in read(f"<{name}>{inside}").items if isinstance(item, Malformed)] == [
        "unclosed_think"
    ]


@examples(100)
@given(soup, st.sampled_from(["done", "answer", "final_answer"]))
def test_an_answer_holds_no_action(inside: str, name: str) -> None:
    inside = inside.replace(f"</{name}>", "")
    assert read(f"<{name}>{inside}</{name}>").items == (Answer(inside.strip()),)


@examples(100)
@given(soup)
def test_code_holds_no_action(inside: str) -> None:
    inside = inside.replace("</code>", "").replace("```", "")
    assert read(f"<code>{inside}</code>").items == (ToolCall("python_eval", {"code": inside}),)


@examples(80)
@given(
    arguments,
    st.sampled_from(
        [
            '<tool name="x">{}</tool>',
            '<tool_call>{{"name":"x","arguments":{}}}</tool_call>',
            '{{"name":"x","arguments":{}}}',
        ]
    ),
)
def test_json_strings_hold_no_action(given_arguments: dict[str, Any], form: str) -> None:
    text = form.format(json.dumps(given_arguments, ensure_ascii=False))
    (item,) = read(text).items
    assert isinstance(item, ToolCall)
    assert canonical_text(item.arguments) == canonical_text(given_arguments)
    assert item.repairs == ()


# --- order and round trips ------------------------------------------------------------------------


@examples(80)
@given(
    st.lists(
        st.builds(
            lambda tool, values, form: format_call(tool, values, format=form),
            tool_names,
            arguments,
            st.sampled_from(["interlv", "hermes"]),
        )
        | soup.map(lambda words: f"<query>{words.replace('</query>', '').replace('{', '')}</query>")
        | soup.map(lambda words: f"<done>{words.replace('</done>', '')}</done>"),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from(["", "\n", " Then I look. ", "<b>", "</query>"]),
)
def test_items_stand_in_the_order_of_the_text(parts: list[str], between: str) -> None:
    expected = [item for part in parts for item in read(part).items]
    assert list(read(between.join(parts)).items) == expected


@examples(80)
@given(tool_names, arguments, formats)
def test_a_written_call_is_read_back(tool: str, given_arguments: dict[str, Any], form: Any) -> None:
    (item,) = read(f"<think>plan</think>\n{format_call(tool, given_arguments, format=form)}").items
    assert isinstance(item, ToolCall)
    assert (item.tool, item.repairs, item.call_id) == (tool, (), "")
    assert canonical_text(item.arguments) == canonical_text(given_arguments)


@examples(150)
@given(hostile.map(str.strip).filter(bool))
def test_a_call_of_any_name_is_read_back(tool: str) -> None:
    tool = tool.strip()
    if tool == "web_search" * 2:
        return
    for form in ("interlv", "openai", "hermes"):
        (item,) = read(format_call(tool, {"a": 1}, format=form)).items  # type: ignore[arg-type]
        assert item == ToolCall(tool, {"a": 1})


@examples(200)
@given(hostile, formats)
@example("a </done > b </ANSWER>", "interlv")
def test_a_written_answer_is_read_back(text: str, form: Any) -> None:
    assert read(format_answer(text, format=form)).items == (Answer(text.strip()),)


@examples(60)
@given(tool_names, arguments)
def test_text_and_values_mean_the_same(tool: str, given_arguments: dict[str, Any]) -> None:
    value = {"name": tool, "arguments": given_arguments}
    text = read(json.dumps(value)).items
    assert read_value(value).items == text
    assert read_value(json.loads(format_call(tool, given_arguments, format="openai"))).items == text


def test_the_corpus_has_one_digest_under_any_hash_seed_and_locale() -> None:
    script = (
        "import json, sys\n"
        "from mosaic_env.core.canon import digest\n"
        "from mosaic_env.envs.actions import parse\n"
        "rows = [json.loads(line) for line in open(sys.argv[1], encoding='utf-8')]\n"
        "known = frozenset({'web_search', 'view_image'})\n"
        "texts = [row.get('text', '') for row in rows]\n"
        "parsed = [parse(text, default_tool='web_search', known_tools=known) for text in texts]\n"
        "print(digest([repr(action.items) for action in parsed]))\n"
    )
    corpus = ROOT / "tests" / "golden" / "actions.jsonl"
    rows = [json.loads(line) for line in corpus.read_text("utf-8").splitlines()]
    here = digest([repr(read(row.get("text", "")).items) for row in rows])
    for changes in ({"PYTHONHASHSEED": "1", "LC_ALL": "C"}, {"PYTHONHASHSEED": "2", "LC_ALL": "C.UTF-8"}):
        run = subprocess.run(
            [sys.executable, "-c", script, str(corpus)],
            env=os.environ | changes | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout.strip() == here
