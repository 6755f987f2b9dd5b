"""A stranger's tool can do anything wrong: the call says so, the environment is blamed, the episode goes on."""

from __future__ import annotations

import datetime
import functools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from pydantic import Field

import mosaic_env  # noqa: F401
from mosaic_env.core.types import Picture, Search, ToolResult
from mosaic_env.envs.episode import Episode
from mosaic_env.envs.observe import MAX_LINE_BYTES
from mosaic_env.tools.base import TOOLS, Tool, ToolArguments, ToolContext, ToolError
from tests.envs.test_gymnasium import compare
from tests.tools.calling import short

SEARCH = {"name": "local_text_search", "arguments": {"query": "Velden"}}
ODD = {"name": "odd", "arguments": {"how": "odd"}}


class Odd(Tool):
    """Does whatever a test tells it to."""

    name = "odd"
    description = "Do something odd."
    act: Callable[[ToolContext], Any]

    class Arguments(ToolArguments):
        how: str = Field(description="How; 'well' does nothing odd.")

    def run(self, arguments: Any, context: ToolContext) -> Any:
        return ToolResult({"went": "well"}) if arguments.how == "well" else type(self).act(context)


@pytest.fixture
def odd() -> Iterator[type[Odd]]:
    """The registered tool; forgotten afterwards."""
    TOOLS.add("odd", Odd())
    yield Odd
    TOOLS.remove("odd")


def raising(error: BaseException) -> Callable[[ToolContext], Any]:
    def act(context: ToolContext) -> Any:
        raise error

    return act


def yielding(*values: Any, last: Any = None) -> Callable[[ToolContext], Any]:
    def act(context: ToolContext) -> Any:
        for value in values:  # noqa: UP028 - a tuple cannot be sent the hits
            yield value
        return ToolResult({"went": "well"}) if last is None else last

    return act


def asks_then_raises(context: ToolContext) -> Any:
    yield Search("text", "Velden", 1)
    raise LookupError("Q3")


def noting(field: str, value: Any) -> Callable[[ToolContext], Any]:
    def act(context: ToolContext) -> Any:
        getattr(context, field).append(value)
        return ToolResult({})

    return act


def nested(depth: int) -> Any:
    return functools.reduce(lambda inner, _: [inner], range(depth), 1)


def looped() -> Any:
    loop: list[Any] = []
    loop.append(loop)
    return loop


def returning(*arguments: Any, **named: Any) -> Callable[[ToolContext], Any]:
    return lambda context: ToolResult(*arguments, **named)


NOWHERE = Picture("sha256:" + "0" * 64, "image/png", 9, 9)
FAULTS: dict[str, Callable[[ToolContext], Any]] = {
    "raises": raising(RuntimeError("the secret is Q3")),
    "raises stop": raising(StopIteration(5)),
    "raises for Unicode": raising(UnicodeDecodeError("utf-8", b"x", 0, 1, "x")),
    "raises for memory": raising(MemoryError()),
    "recurses": lambda context: FAULTS["recurses"](context),
    "returns None": lambda context: None,
    "returns a dict": lambda context: {"data": 1},
    "returns a list of results": lambda context: [ToolResult({})],
    "a set": returning({"x": {1, 2}}),
    "bytes": returning({"x": b"x"}),
    "NaN": returning({"x": [1.0, {"y": float("nan")}]}),
    "infinity": returning({"x": (float("-inf"),)}),
    "an integer beyond 64 bits": returning({"x": 10**50}),
    "NumPy": returning({"x": np.int64(5)}),
    "an array": returning({"x": np.zeros(3)}),
    "a lone surrogate": returning({"x": "\ud800"}),
    "keys that are not text": returning({1: 2}),
    "a view": returning({"x": {}.keys()}),
    "an object": returning({"x": object()}),
    "too deep": returning({"x": nested(5000)}),
    "endless": returning({"x": looped()}),
    "huge": returning({"x": "x" * (MAX_LINE_BYTES + 1)}),
    "huge in bytes": returning({"x": "漢" * (MAX_LINE_BYTES // 2)}),
    "neither data nor error": returning(),
    "data and error": returning({}, {"code": "x", "message": "x", "hint": ""}),
    "a list as data": returning([1]),
    "an empty error": returning(error={}),
    "an error without a code": returning(error={"message": "x", "hint": "x"}),
    "an error with a number": returning(error={"code": 5, "message": "x", "hint": "x"}),
    "an error that is text": returning(error="bad"),
    "an unknown handle": returning({}, show=("kb_77",)),
    "a handle that is no text": returning({}, show=(5,)),
    "a handle that cannot be looked up": returning({}, show=([],)),
    "show None": returning({}, show=None),
    "show text": returning({}, show="kb_1"),
    "ranked None": returning({}, ranked=None),
    "ranked dicts": returning({}, ranked=({},)),
    "ranked numbers": returning({}, ranked=(5,)),
    "a modality that is no text": returning({}, modality=b"text"),
    "reproducible None": returning({}, reproducible=None),
    "a warning that is no text": noting("warnings", {1}),
    "an input that is no text": noting("inputs", 5),
    "an input that cannot be looked up": noting("inputs", ["kb_1"]),
    "a ToolError of other things": raising(ToolError(5, None)),  # type: ignore[arg-type]
    "yields a number": yielding(5),
    "yields None": yielding(None),
    "yields text": yielding("Velden"),
    "yields k as text": yielding(Search("text", "Velden", "5")),  # type: ignore[arg-type]
    "yields an unknown route": yielding(Search("sound", "Velden", 5)),  # type: ignore[arg-type]
    "yields an unknown picture": yielding(Search("image", NOWHERE, 5)),
    "yields a vector of another size": yielding(Search("image", NOWHERE, 5, vector=b"xx")),
    "yields twice, the second odd": yielding(Search("text", "Velden", 1), object()),
    "asks and returns a dict": yielding(Search("text", "Velden", 1), last={"x": 1}),
    "asks and raises": asks_then_raises,
}


def play(tiny: Path, **options: Any) -> Any:
    env = gym.make(
        "InterLV-L1-v0", snapshot=str(tiny), tools=["odd", "local_text_search"], interactions=9, **options
    )
    env.reset(seed=0)
    return env


def lines(observation: dict[str, Any]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in observation["text"].split("\n") if line.startswith("{")]


def fault(number: int, tool: str = "odd") -> dict[str, Any]:
    message = "the environment could not run this call; this is not your fault"
    error = {"code": "tool_fault", "message": message, "hint": "try another call"}
    return {"call": number, "tool": tool, "ok": False, "error": error}


@pytest.mark.parametrize("how", list(FAULTS))
def test_a_fault_is_an_observation(
    tiny: Path, odd: type[Odd], how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(odd, "act", staticmethod(FAULTS[how]), raising=False)
    env = play(tiny)
    observation, reward, terminated, truncated, info = env.step([SEARCH, ODD, SEARCH])
    first, wrong, last = lines(observation)
    assert wrong == fault(2) and first["data"] == last["data"]  # nothing of why, no trace, no key
    assert info["failure"] == {"kind": "tool_fault", "by": "env"}
    assert [call["code"] for call in info["calls"]] == ["", "tool_fault", ""] and info["interaction"] == 1
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert observation in env.observation_space
    episode = env.unwrapped.episode
    assert Episode.from_line(episode.to_line()).digest == episode.digest
    assert env.step({"name": "odd", "arguments": {"how": "well"}})[4]["failure"] == {"kind": "", "by": ""}
    assert env.step("<done>red</done>")[1] == 1.0


def test_a_search_with_words_where_a_picture_is_wanted(
    tiny: Path, odd: type[Odd], monkeypatch: pytest.MonkeyPatch
) -> None:
    search = Search("image", "Velden", 5)
    monkeypatch.setattr(odd, "act", staticmethod(yielding(search)), raising=False)
    info = play(tiny).step([ODD])[4]
    assert info["failure"] == {"kind": "encoder_missing", "by": "env"}


@pytest.mark.parametrize(
    "value",
    [datetime.date(2020, 1, 1), "x" * (MAX_LINE_BYTES - 100), None, [None], -0.0, 2**63 - 1, True],
    ids=short,
)
def test_what_json_can_hold_is_no_fault(
    tiny: Path, odd: type[Odd], value: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(odd, "act", staticmethod(returning({"x": value})), raising=False)
    assert play(tiny).step([ODD])[4]["failure"] == {"kind": "", "by": ""}


@pytest.mark.parametrize(
    "later",
    [
        {"name": "nope", "arguments": {}},
        {"name": "local_text_search", "arguments": {}},
        {"name": None},
        "nonsense",
    ],
)
def test_a_mistake_of_the_policy_does_not_hide_a_fault_of_the_environment(
    tiny: Path, odd: type[Odd], later: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trainers leave steps out of the loss by this field: NeMo Gym's 1172 failed resets were not."""
    monkeypatch.setattr(odd, "act", staticmethod(FAULTS["raises"]), raising=False)
    env = play(tiny)
    assert env.step([later])[4]["failure"]["by"] == "policy"
    assert env.step([ODD, later])[4]["failure"] == {"kind": "tool_fault", "by": "env"}
    assert env.step([later, ODD])[4]["failure"] == {"kind": "tool_fault", "by": "env"}


def test_a_tool_may_say_that_the_environment_failed(
    tiny: Path, odd: type[Odd], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(odd, "act", staticmethod(raising(ToolError("no_disk", "x", by="env"))), raising=False)
    assert play(tiny).step([ODD])[4]["failure"] == {"kind": "no_disk", "by": "env"}


VECTOR_FAULTS = [how for how in FAULTS if "yields" in how or "asks" in how] + [
    "raises",
    "NaN",
    "an unknown handle",
]
# Not faults, but nothing may come over from them into other episodes either.
ODD_SEARCHES = {
    "k below zero": yielding(Search("text", "Velden", -5)),
    "k beyond all": yielding(Search("text", "Velden", 10**15)),
    "another corpus": yielding(Search("text", "Velden", 5, pictured=True, facts=True, exclude="Q3")),
}


@pytest.mark.parametrize("how", [*VECTOR_FAULTS, *ODD_SEARCHES])
def test_one_faulty_episode_does_not_disturb_the_others(
    tiny: Path, odd: type[Odd], how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(odd, "act", staticmethod({**FAULTS, **ODD_SEARCHES}[how]), raising=False)
    given = {
        "snapshot": str(tiny),
        "tools": ["odd", "local_text_search", "local_image_search"],
        "interactions": 9,
    }
    vector = gym.make_vec("InterLV-L1-v0", num_envs=3, autoreset_mode="Disabled", **given)
    singles = [gym.make("InterLV-L1-v0", **given) for _ in range(3)]
    vector.reset(seed=5)
    for number, single in enumerate(singles):
        single.reset(seed=5 + number)
    look = {"name": "local_image_search", "arguments": {"image": "kb_1"}}
    rounds = [
        [SEARCH, SEARCH, SEARCH],
        [[SEARCH, look], [ODD, SEARCH], [look, SEARCH]],
        ["<done>red</done>", ODD, look],
    ]
    for actions in rounds:
        observation, rewards, terminated, truncated, _ = vector.step(actions)
        for number, (single, action) in enumerate(zip(singles, actions, strict=True)):
            wanted = single.step(action)
            compare({key: value[number] for key, value in observation.items()}, wanted[0])
            got = rewards[number], terminated[number], truncated[number]
            assert got == wanted[1:4]
    assert [e.digest for e in vector.episodes] == [s.unwrapped.episode.digest for s in singles]
    failures = [step.failure for step in vector.episodes[1].steps]
    assert failures[1:] == [("", "") if how in ODD_SEARCHES else ("tool_fault", "env")] * 2
    assert all(step.failure == ("", "") for n in (0, 2) for step in vector.episodes[n].steps)


def test_a_fault_costs_its_interaction_and_its_call(
    tiny: Path, odd: type[Odd], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(odd, "act", staticmethod(FAULTS["raises"]), raising=False)
    env = play(tiny, tool_limits={"odd": 1}, final_answer="none")
    assert env.step([ODD])[4]["tool_calls"] == 1
    assert env.step([ODD])[4]["calls"][0]["code"] == "tool_budget"
