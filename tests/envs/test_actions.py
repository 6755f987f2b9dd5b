"""The action grammar on a public corpus, at its limits, and on hostile Python values."""

from __future__ import annotations

import enum
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mosaic_env.core.errors import CanonError, ConfigError
from mosaic_env.core.types import Action, Answer, Malformed, ToolCall
from mosaic_env.envs.action_values import MAX_SIZE
from mosaic_env.envs.actions import (
    ISSUES,
    MAX_ITEMS,
    REPAIRS,
    format_answer,
    format_call,
    parse,
    parse_structured,
)
from mosaic_env.envs.lenient_json import MAX_DOCUMENT_CHARS, MAX_REPAIR_CHARS

KNOWN = frozenset(
    {
        "image_crop",
        "local_graph_neighbors",
        "local_image_search",
        "local_text_search",
        "local_text_to_image_search",
        "python_eval",
        "session_search",
        "skill_view",
        "skills_list",
        "view_image",
        "web_search",
    }
)
CORPUS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "golden" / "actions.jsonl").read_text("utf-8").splitlines()
]


def read(text: str) -> Action:
    return parse(text, default_tool="web_search", known_tools=KNOWN)


def read_value(value: object) -> Action:
    return parse_structured(value, default_tool="web_search", known_tools=KNOWN)


def shown(item: ToolCall | Answer | Malformed) -> dict[str, Any]:
    """The form in which the corpus writes an item; empty fields are left out."""
    if isinstance(item, Answer):
        return {"answer": item.text}
    if isinstance(item, ToolCall):
        row: dict[str, Any] = {"call": item.tool, "arguments": item.arguments}
        optional = {"id": item.call_id, "repairs": list(item.repairs)}
    else:
        row = {"malformed": item.code}
        optional = {"tool": item.tool, "id": item.call_id}
    return row | {key: value for key, value in optional.items() if value}


def codes(action: Action) -> list[str]:
    return [item.code if isinstance(item, Malformed) else type(item).__name__ for item in action.items]


@pytest.mark.parametrize("row", CORPUS, ids=[row["id"] for row in CORPUS])
def test_corpus(row: dict[str, Any]) -> None:
    action = read(row["text"]) if "text" in row else read_value(row["value"])
    assert [shown(item) for item in action.items] == row["items"]


def test_the_corpus_is_large_and_meets_every_code() -> None:
    items = [item for row in CORPUS for item in row["items"]]
    repairs = {code for item in items for code in item.get("repairs", ())}
    issues = {item["malformed"] for item in items if "malformed" in item}
    assert len(CORPUS) >= 200
    assert len({row["id"] for row in CORPUS}) == len(CORPUS)
    assert repairs == REPAIRS.keys()
    assert ISSUES.keys() - issues == {"too_large"}  # tested below: it takes a megabyte


@pytest.mark.parametrize("row", CORPUS, ids=[row["id"] for row in CORPUS])
def test_what_the_model_is_told_is_short(row: dict[str, Any]) -> None:
    action = read(row["text"]) if "text" in row else read_value(row["value"])
    for item in action.items:
        if isinstance(item, Malformed):
            assert 10 < len(item.message) < 160
            assert item.message.endswith(".")
            assert 10 < len(item.hint) < 160


def test_a_broken_object_says_where() -> None:
    (item,) = read('<tool name="x">{"a": 1 "b": 2}</tool>').items
    assert isinstance(item, Malformed)
    assert item.message == "The JSON of the call is not valid: a comma or } is missing (character 9)."


def test_the_text_is_kept_as_written() -> None:
    text = "<think>\ud800\x00</think>\r\n<done>Red</done>\udfff"
    assert read(text).text == text
    assert not read(text).structured


# --- limits ---------------------------------------------------------------------------------------


def test_items_beyond_the_limit_become_one_problem() -> None:
    action = read("<query>a</query>" * (MAX_ITEMS + 10) + "<done>Red</done>")
    assert codes(action) == ["ToolCall"] * MAX_ITEMS + ["too_many_calls"]


def test_calls_beyond_the_limit_in_one_list_become_one_problem() -> None:
    call = {"name": "web_search", "arguments": {}}
    text = "<tool_call>" + json.dumps([call] * (MAX_ITEMS + 10)) + "</tool_call>"
    assert codes(read(text)) == ["ToolCall"] * MAX_ITEMS + ["too_many_calls"]
    assert codes(read_value([call] * (MAX_ITEMS + 10))) == ["ToolCall"] * MAX_ITEMS + ["too_many_calls"]


def test_drafts_in_thinking_that_the_template_opened_do_not_use_up_the_limit() -> None:
    text = "<query>draft</query>" * (MAX_ITEMS + 10) + "</think><done>Red</done>"
    assert read(text).items == (Answer("Red"),)


@pytest.mark.parametrize("length", [5_000, 70_000, 900_000])
def test_long_strings_need_no_repair(length: int) -> None:
    words = "</tool> \\ \" ' " * (length // 14)
    text = '<tool name="x">' + json.dumps({"a": words, "b": [1, {"c": None}]}) + "</tool><done>Red</done>"
    assert read(text).items == (ToolCall("x", {"a": words, "b": [1, {"c": None}]}), Answer("Red"))


def test_an_object_of_more_than_a_megabyte_is_too_large() -> None:
    words = "x" * (MAX_DOCUMENT_CHARS + 1)
    assert codes(read('<tool name="x">' + json.dumps({"a": words}) + "</tool><done>Red</done>")) == [
        "too_large",
        "Answer",
    ]
    assert codes(read(json.dumps({"name": "x", "arguments": {"a": words}}))) == ["too_large"]
    parameters = "<parameter=a>1</parameter>" * (MAX_DOCUMENT_CHARS // 20)
    text = f"<tool_call><function=x>{parameters}</function></tool_call><done>Red</done>"
    assert codes(read(text)) == ["too_large", "Answer"]


def test_long_objects_are_read_strictly_or_not_at_all() -> None:
    words = "x" * MAX_REPAIR_CHARS
    assert codes(read(f'<tool name="x">{{"a": "{words}",}}</tool>')) == ["bad_json"]
    assert codes(read(f'<tool name="x">{{"a": "{words[:-100]}",}}</tool>')) == ["ToolCall"]


@pytest.mark.parametrize(
    "text",
    [
        "<" * 1_000_000,
        "<query>" * 1_000_000,
        "</think>" * 1_000_000,
        "<think>" * 1_000_000 + "<done>x</done>",
        "[" * 1_000_000,
        '<tool name="x">' + '{"a":' * 1_000_000,
        '<tool name="x">{"a":' + "1" * 1_000_000 + "}</tool>",
        "<function=f><parameter=a" * 400_000,
        "<query>{bad</query></think>" * 370_000,
        "\n<query>{'a':1,}</query>" * 400_000,
        "<query>{" + '"\\' * 5_000_000 + "</query>",
        "\x00\ud800<done" * 1_400_000,
        "lorem ipsum <b>dolor</b> sit amet " * 300_000,
    ],
    ids=lambda text: text[:24].encode("ascii", "replace").decode(),
)
def test_ten_megabytes_of_anything_are_read_in_seconds(text: str) -> None:
    start = time.process_time()
    action = read(text)
    # A quadratic step would take hours here; the usual time is below half a second.
    assert time.process_time() - start < 10
    assert 1 <= len(action.items) <= MAX_ITEMS + 1


def test_a_short_text_is_read_in_microseconds() -> None:
    text = "<think>" + "The place in the picture has a twin city. " * 5 + "</think>\n"
    text += '<query>{"skill": "local_text_search", "query": "red bridge", "top_k": 5}</query>'
    best = 1.0
    for _ in range(5):
        start = time.process_time()
        for _ in range(200):
            read(text)
        best = min(best, (time.process_time() - start) / 200)
    assert best < 150e-6  # about 8e-6 on a quiet laptop


# --- structured actions ---------------------------------------------------------------------------


class Hostile:
    """Every question about it raises."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __repr__(self) -> str:
        raise RuntimeError("repr")

    def __bool__(self) -> bool:
        raise RuntimeError("bool")


class HostileKey(str):
    """A key that collides with one that is looked up, and refuses to be compared."""

    __slots__ = ()

    def __hash__(self) -> int:
        return hash("tool_calls")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("eq")


class Shouting(str):
    """Text whose methods lie."""

    __slots__ = ()

    def __str__(self) -> str:
        return "<done>no</done>"

    def strip(self, chars: str | None = None) -> str:
        return "no"


class Colour(enum.IntEnum):
    RED = 3


def cycle(kind: type) -> Any:
    value: Any = kind()
    if kind is dict:
        value["arguments"] = value
        value["tool"] = "x"
    else:
        value.append(value)
    return value


def bushy(levels: int) -> Any:
    value: Any = []
    for _ in range(levels):
        value = [value, value]
    return value


#: Made when used: pytest looks at its parameters, and these do not like to be looked at.
NO_ACTIONS: list[tuple[Callable[[], object], str]] = [
    (lambda: b"<done>Red</done>", "bad_type"),
    (lambda: np.array(["<done>Red</done>"]), "bad_type"),
    (lambda: np.zeros((3, 3)), "bad_type"),
    (lambda: {1, 2}, "bad_type"),
    (lambda: object(), "bad_type"),
    (lambda: Hostile(), "bad_type"),
    (lambda: Hostile, "bad_type"),
    (lambda: [Hostile()], "bad_type"),
    (lambda: {"tool": Hostile(), "arguments": {}}, "bad_type"),
    (lambda: {"tool": "x", "arguments": {"a": Hostile()}}, "bad_type"),
    (lambda: {"tool": "x", "arguments": {"a": np.zeros(2)}}, "bad_type"),
    (lambda: {"tool": "x", "arguments": {1: 2}}, "bad_type"),
    (lambda: {HostileKey("a"): 1}, "bad_type"),
    (lambda: {"tool": "x", "arguments": {"a": float("nan")}}, "bad_number"),
    (lambda: {"tool": "x", "arguments": {"a": np.float32("inf")}}, "bad_number"),
    (lambda: {"tool": "x", "arguments": {"a": 10**5000}}, "bad_number"),
    (lambda: cycle(list), "too_deep"),
    (lambda: cycle(dict), "too_deep"),
    (lambda: {"tool": "x", "arguments": {"a": bushy(50)}}, "too_large"),
    (lambda: {"tool": "x", "arguments": {"a": "y" * (MAX_SIZE + 1)}}, "too_large"),
    (lambda: {"tool": "x", "arguments": {"y" * (MAX_SIZE + 1): 1}}, "too_large"),
]


@pytest.mark.parametrize(("make", "expected"), NO_ACTIONS)
def test_a_value_that_is_no_action_is_one_problem(make: Callable[[], object], expected: str) -> None:
    action = read_value(make())
    assert codes(action) == [expected]
    assert action.structured
    assert len(action.text) < 100
    assert read_value(json.loads(action.text)).items == action.items


def test_a_bad_part_leaves_its_neighbours_alone() -> None:
    action = read_value(
        [{"tool": "a"}, object(), {"tool": "b", "arguments": {"n": float("inf")}}, {"answer": "Red"}]
    )
    assert codes(action) == ["ToolCall", "bad_type", "bad_number", "Answer"]
    assert read_value(json.loads(action.text)).items == action.items


def test_text_is_recognised_by_its_type_not_by_its_methods() -> None:
    for text in (np.str_("<done>Red</done>"), Shouting("<done>Red</done>")):
        for action in (read(text), read_value(text), read_value({"role": "assistant", "content": text})):
            assert action == Action("<done>Red</done>", (Answer("Red"),))
            assert type(action.text) is str
    assert read_value({"answer": Shouting("Red")}).items == (Answer("Red"),)


def test_numbers_of_other_types_become_plain() -> None:
    arguments = {"a": np.int64(3), "b": np.float32(0.5), "c": np.bool_(True), "d": Colour.RED, "e": (1, True)}
    action = read_value({"tool": "x", "arguments": arguments})
    assert action.text == '{"arguments":{"a":3,"b":0.5,"c":true,"d":3,"e":[1,true]},"tool":"x"}'
    (item,) = action.items
    assert isinstance(item, ToolCall)
    assert [type(value) for value in item.arguments.values()] == [int, float, bool, int, list]


def test_the_arguments_are_a_copy() -> None:
    arguments = {"a": [1]}
    (item,) = read_value({"tool": "x", "arguments": arguments}).items
    arguments["a"].append(2)
    assert item == ToolCall("x", {"a": [1]})


def test_only_tool_calls_of_a_message_count() -> None:
    message = {
        "role": "assistant",
        "content": "<done>Red</done>",
        "tool_calls": [{"function": {"name": "x"}}],
    }
    assert read_value(message | {"audio": object()}).items == (ToolCall("x", {}),)


# --- writing --------------------------------------------------------------------------------------


def test_the_written_forms() -> None:
    assert format_call("x", {"a": "</tool>"}) == '<tool name="x">{"a": "<\\/tool>"}</tool>'
    assert format_call("x", {"a": 1}, format="hermes") == (
        '<tool_call>{"name": "x", "arguments": {"a": 1}}</tool_call>'
    )
    assert json.loads(format_call("x", {"a": 1}, format="openai")) == {
        "type": "function",
        "function": {"name": "x", "arguments": '{"a": 1}'},
    }
    assert format_call('x"y', {}) == '<tool_call>{"name": "x\\"y", "arguments": {}}</tool_call>'
    assert format_call("x", {"a": "é\ud800"}) == '<tool name="x">{"a": "é\\ud800"}</tool>'
    assert format_answer("Red") == "<done>Red</done>"
    assert format_answer("Red", format="hermes") == "<answer>Red</answer>"
    assert format_answer("Red", format="openai") == '{"answer": "Red"}'
    assert format_answer("a </DONE > b") == '{"answer": "a </DONE > b"}'


def test_writing_refuses_what_reading_could_not_give_back() -> None:
    with pytest.raises(ConfigError, match=r"'herms' does not exist.*Nearest: hermes"):
        format_call("x", {}, format="herms")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="ME-CONFIG-02"):
        format_answer("x", format="xml")  # type: ignore[arg-type]
    for name in ("", " ", " x"):
        with pytest.raises(ConfigError, match="ME-CONFIG-02"):
            format_call(name, {})
    for value in (float("nan"), object(), cycle(list)):
        with pytest.raises(CanonError, match="ME-CANON-01"):
            format_call("x", {"a": value})
