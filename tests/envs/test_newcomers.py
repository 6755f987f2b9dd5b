"""What a new user runs into: faults of a tool, memory turns, copies, many calls, wrong arguments."""

from __future__ import annotations

import copy
import logging
import pickle
from collections.abc import Iterator
from typing import Any

import gymnasium as gym
import pytest
from pydantic import Field

from mosaic_env.core.errors import ConfigError, RegistryError
from mosaic_env.core.types import ToolResult
from mosaic_env.envs.actions import MAX_ITEMS
from mosaic_env.tools.base import TOOLS, Tool, ToolArguments, register_tool
from tests.envs.conftest import Make


class Faulty(Tool):
    """Fails in the way that is asked for."""

    name = "faulty"
    description = "Fails."

    class Arguments(ToolArguments):
        how: str = Field(description="How.")

    def run(self, arguments: Any, context: Any) -> Any:
        if arguments.how == "raise":
            raise KeyError("my own mistake")
        results = {"nan": ToolResult({"x": float("nan")}), "set": ToolResult({"x": {1}}), "dict": {"x": 1}}
        return results.get(arguments.how)


@pytest.fixture
def faulty() -> Iterator[str]:
    register_tool(Faulty)
    yield "faulty"
    TOOLS.remove("faulty")


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("raise", "KeyError: 'my own mistake'"),
        ("nan", "NaN and infinity are not JSON"),
        ("set", "not JSON serializable"),
        ("dict", "run() gave dict, not a ToolResult"),
        ("none", "run() gave NoneType, not a ToolResult"),
    ],
)
def test_a_fault_of_a_tool_is_logged_once_with_its_traceback(
    make: Make, faulty: str, caplog: pytest.LogCaptureFixture, how: str, says: str
) -> None:
    env = make(tools=[faulty])
    env.reset(seed=0)
    with caplog.at_level(logging.WARNING, "mosaic_env"):
        observation, _, _, _, info = env.step({"tool": faulty, "arguments": {"how": how}})
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "Traceback" in caplog.text and says in caplog.text and "the tool faulty failed" in caplog.text
    assert says not in observation["text"] and info["failure"] == {"kind": "tool_fault", "by": "env"}
    assert "red" not in caplog.text.split()  # the gold of the task


def test_what_a_model_does_wrong_is_not_logged(make: Make, caplog: pytest.LogCaptureFixture) -> None:
    env = make()
    env.reset(seed=0)
    env.step('<tool name="view_image">{"image": "nope"}</tool><tool name="x">{}</tool>')
    assert caplog.records == []


@pytest.mark.parametrize("name", ["X Z", "x-z", "", "a" * 65])
def test_tools_have_names_that_models_can_write(name: str) -> None:
    cls = type("Named", (Faulty,), {"name": name})
    with pytest.raises((RegistryError, TypeError), match=r"ME-(REGISTRY-03|TOOL-01)"):
        register_tool(cls)


@pytest.mark.parametrize(
    ("text", "memory"),
    [
        ("<memory>\n- a\n- b\n</memory>", "- a\n- b"),
        ("<think>x</think> <Memory>a</Memory>\n", "a"),
        ("a <memory>b</memory>", "a <memory>b</memory>"),
        ("<memory>a</memory> b <memory>c</memory>", "<memory>a</memory> b <memory>c</memory>"),
        ("<memory>a", "<memory>a"),
        ("<memory></memory>", ""),
    ],
)
def test_memory_is_plain_text(make: Make, text: str, memory: str) -> None:
    env = make(memory="policy")
    env.reset(seed=0)
    asked = env.step("<query>Velden</query>")[0]["text"]
    assert "plain text without tags" in asked and "Calls and answers are not read in this turn" in asked
    assert env.step(text)[4]["memory"] == memory


def test_numbers_and_their_nouns_agree(make: Make) -> None:
    env: Any = make(
        memory="policy",
        memory_lines=1,
        interactions=1,
        calls_per_interaction=1,
        tool_limits={"view_image": 1},
    )
    prompt = env.unwrapped.prompt()
    assert "You have 1 interaction;" in prompt and "The first call of a message runs;" in prompt
    assert "under 1 line." in prompt
    env.reset(seed=0)
    assert "under 1 line:" in env.step("<query>Velden</query>")[0]["text"]
    assert "[memory] 1 line kept" in env.step("a")[0]["text"]


def test_environments_are_not_copied(make: Make, tiny: Any) -> None:
    vector = gym.make_vec("InterLV-L1-v0", num_envs=2, snapshot=str(tiny))
    for env, instead in ((make(), r"get_state\(\).*set_state\(\).*fork\(\)"), (vector, r"fork_into\(\)")):
        for way in (pickle.dumps, copy.deepcopy):
            with pytest.raises(TypeError, match=f"cannot be pickled or copied.*{instead}"):
                way(env)


@pytest.mark.parametrize("n", [0, -1])
def test_no_forks_are_refused(make: Make, n: int) -> None:
    env: Any = make().unwrapped
    env.reset(seed=0)
    with pytest.raises(ConfigError, match="ME-CONFIG-02"):
        env.fork(n)


CALL = {"tool": "local_text_search", "arguments": {"query": "x"}}


@pytest.mark.parametrize("action", ["<query>x</query>" * (MAX_ITEMS + 6), [CALL] * (MAX_ITEMS + 6)])
@pytest.mark.parametrize(("calls", "dropped"), [(3, MAX_ITEMS + 3), (None, 6)])
def test_ignored_calls_are_dropped_calls(make: Make, action: Any, calls: int | None, dropped: int) -> None:
    env: Any = make(calls_per_interaction=calls)
    env.reset(seed=0)
    assert env.step(action)[4]["dropped"] == dropped


def test_ignored_calls_are_counted_in_one_tag_and_in_messages(make: Make) -> None:
    import json

    calls = json.dumps([{"name": "local_text_search", "arguments": {"query": "x"}}] * (MAX_ITEMS + 6))
    env: Any = make()
    env.reset(seed=0)
    assert env.step(f"<tool_call>{calls}</tool_call>")[4]["dropped"] == MAX_ITEMS + 3
    message = {"role": "assistant", "tool_calls": [{"function": {"name": "x", "arguments": "{}"}}] * 99}
    assert env.step(message)[4]["dropped"] == 96


def test_numbers_as_text_are_taken(make: Make) -> None:
    for given in ("3", 3.0):
        assert make(interactions=given).unwrapped.config.interactions == 3  # type: ignore[attr-defined]


def test_structured_actions_are_no_part_of_the_text_space(make: Make) -> None:
    env = make()
    env.reset(seed=0)
    assert not env.action_space.contains(CALL) and env.step(CALL)[4]["tool_calls"] == 1  # type: ignore[arg-type]


def test_asynchronous_vectors_work_as_the_docstring_says(tiny: Any) -> None:
    env = gym.make_vec(
        "InterLV-L1-v0", num_envs=2, vectorization_mode="async", snapshot=str(tiny),
        vector_kwargs={"shared_memory": False, "context": "spawn"},
    )  # fmt: skip
    try:
        observations, _ = env.reset(seed=0)
        assert all("Question:" in text for text in observations["text"])
    finally:
        env.close()


def test_a_program_finds_nothing_of_the_one_before(make: Make) -> None:
    env: Any = make()
    env.reset(seed=0)
    assert "Nothing is kept between calls" in env.unwrapped.prompt()
    assert "NameError" in env.step("<code>x = 1</code><code>x</code>")[0]["text"]
