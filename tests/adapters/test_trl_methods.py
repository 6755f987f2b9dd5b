"""The TRL adapter without TRL: its methods are the tools, and its episodes those of plain ``env.step``."""

from __future__ import annotations

import inspect
from typing import Any, Literal, get_type_hints

import gymnasium as gym
import pytest
from PIL import Image
from pydantic import Field

from mosaic_env.adapters.shared import make_env, tool_prompt
from mosaic_env.adapters.trl import Rollout, environment_factory
from mosaic_env.core.errors import ConfigError, TaskError
from mosaic_env.tools.base import TOOLS, Tool, ToolArguments, ToolResult, load_builtin, register_tool
from tests.adapters.scripts import ENV_ID, OPTIONS, Script, play_plain, play_vector, ten_scripts, tool_call


@pytest.fixture(scope="module")
def scripts() -> list[Script]:
    return ten_scripts()


def offered(cls: type) -> dict[str, Any]:
    """Return what TRL would offer to the model."""
    found = inspect.getmembers(cls, predicate=inspect.isfunction)
    return {n: f for n, f in found if not n.startswith("_") and n not in ("reset", "get_reward")}


def play(rollout: Any, script: Script) -> list[Any]:
    rollout.reset(task_id=script.key, prompt=[{"role": "system", "content": ""}])
    return [getattr(rollout, name)(**arguments) for name, arguments in map(tool_call, script.texts)]


def test_the_tools_are_those_of_the_environment_and_the_answer() -> None:
    env = make_env(ENV_ID, {})
    assert offered(environment_factory(ENV_ID)).keys() == {*env.setup.engine.tools, "answer"}
    fewer = offered(environment_factory(ENV_ID, disabled_tools=["python_eval"]))
    assert "python_eval" not in fewer and "local_text_search" in fewer


@pytest.mark.parametrize("name", list(load_builtin()))
def test_a_method_says_what_its_tool_says(name: str) -> None:
    tool = TOOLS.get(name)
    method = offered(environment_factory(ENV_ID, tools=[name]))[name]
    hints, doc = get_type_hints(method), inspect.getdoc(method) or ""
    assert doc.startswith(tool.description) and method.__name__ == name
    signature = inspect.signature(method)
    assert list(signature.parameters) == ["self", *tool.Arguments.model_fields]
    for field, info in tool.Arguments.model_fields.items():
        assert f"    {field}: {info.description}" in doc
        default = signature.parameters[field].default
        assert (default is inspect.Parameter.empty) == info.is_required()
        assert info.is_required() or default == info.default
        plain = tool.schema()["properties"][field]
        expected = {"string": str, "integer": int, "boolean": bool, "array": list[float], "number": float}
        assert hints[field] == (Literal[tuple(plain["enum"])] if "enum" in plain else expected[plain["type"]])


def test_a_new_tool_appears_by_itself_and_runs(request: pytest.FixtureRequest) -> None:
    class Shout(Tool):
        name = "shout_for_trl"
        description = "Say a text loudly."

        class Arguments(ToolArguments):
            """A text."""

            text: str = Field(description="What to say.")

        def run(self, arguments: Any, context: Any) -> ToolResult:
            return ToolResult({"said": arguments.text.upper()})

    register_tool(Shout)
    request.addfinalizer(lambda: TOOLS.remove("shout_for_trl"))
    rollout: Any = environment_factory(ENV_ID, tools=["shout_for_trl"])()
    rollout.reset(seed=3)
    assert '"said":"HO"' in rollout.shout_for_trl(text="ho")


def test_ten_episodes_have_the_digests_of_plain_and_vector(scripts: list[Script]) -> None:
    plain = [play_plain(script) for script in scripts]
    assert [e.digest for e in play_vector(scripts)] == [e.digest for e in plain]
    rollout: Any = environment_factory(ENV_ID, **OPTIONS)()  # one instance, reset ten times, as TRL does
    for script, expected in zip(scripts, plain, strict=True):
        play(rollout, script)
        assert rollout.episode.digest == expected.digest, script
        assert rollout.get_reward() == expected.reward
        last = expected.steps[-1]
        assert script.ended == ("answer" if last.terminated else "budget" if last.truncated else "")
    assert {episode.reward for episode in plain} == {0.0, 1.0}
    assert len({episode.digest for episode in plain}) == 10


def test_pictures_come_as_pictures_and_text_as_text(scripts: list[Script]) -> None:
    rollout: Any = environment_factory(ENV_ID, **OPTIONS)()
    env: Any = gym.make(ENV_ID, **OPTIONS)
    pictures = 0
    for script in scripts:
        first, _ = env.reset(seed=0, options={"task_id": script.key})
        asked = rollout.reset(task_id=script.key, prompt=[{"role": "system", "content": ""}])
        shown = [(asked, first)]
        for text in script.texts:
            name, arguments = tool_call(text)
            shown.append((getattr(rollout, name)(**arguments), env.step(text)[0]))
        for content, observation in shown:
            if not observation["images"]:
                assert content == observation["text"]
                continue
            images = [block["image"] for block in content if block["type"] == "image"]
            assert len(images) == len(observation["images"])
            assert all(isinstance(image, Image.Image) and image.mode == "RGB" for image in images)
            text = "\n".join(block["text"] for block in content if block["type"] == "text")
            assert text.split() == observation["text"].split()
            pictures += len(images)
    assert pictures > 10


def test_nothing_runs_after_the_end(scripts: list[Script]) -> None:
    rollout: Any = environment_factory(ENV_ID, **OPTIONS)()
    assert "over" in rollout.local_text_search(query="before the first reset")
    play(rollout, scripts[7])
    digest, reward = rollout.episode.digest, rollout.get_reward()
    assert "over" in rollout.local_text_search(query="x") and "over" in rollout.answer(text="star")
    assert (rollout.episode.digest, rollout.get_reward()) == (digest, reward)


@pytest.mark.parametrize(
    "arguments",
    [{"query": float("nan")}, {"query": "\ud800"}, {"query": {"a": [1]}}, {"self": 1, "query": "x"}, {}],
    ids=["nan", "surrogate", "nested", "self", "nothing"],
)
def test_any_arguments_give_an_observation(arguments: dict[str, Any]) -> None:
    rollout: Any = environment_factory("InterLV-L1-v0")()
    rollout.reset(seed=0)
    assert "[budget] interactions used 1 of 3" in str(rollout.local_text_search(**arguments))


@pytest.mark.parametrize("text", [None, 7, "", "</done> x"])
def test_any_answer_gives_an_observation(text: Any) -> None:
    rollout: Any = environment_factory("InterLV-L1-v0")()
    rollout.reset(seed=0)
    assert "[budget]" in rollout.answer(text=text)
    assert rollout.get_reward() == 0.0


def test_a_row_decides_the_task() -> None:
    factory = environment_factory("InterLV-L1-v0")
    first, second = factory(), factory()
    for row in ({"seed": 5}, {"seed": "5"}, {"seed": 5, "prompt": [], "other": 1}):
        assert first.reset(**row) == second.reset(seed=5)
    digest = first.episode.digest
    first.local_text_search(query="x")  # type: ignore[attr-defined]
    first.reset(seed=5)
    assert first.episode.digest == digest  # nothing of the last episode is left
    with pytest.raises(TaskError, match="names no task"):
        first.reset(prompt=[])
    with pytest.raises(TaskError, match="nowhere"):
        first.reset(task_id="nowhere")


def test_the_system_prompt_is_there_once_and_names_the_tool() -> None:
    rollout = environment_factory("InterLV-L1-v0")()
    system = tool_prompt(make_env("InterLV-L1-v0", {}))
    assert "the tool answer" in system and "<done>" not in system
    assert rollout.reset(seed=0).startswith(system)
    assert system not in rollout.reset(seed=0, prompt=[{"role": "system", "content": "own"}])


def test_what_cannot_work_is_refused_at_once() -> None:
    with pytest.raises(ConfigError, match="memory='policy'"):
        environment_factory(ENV_ID, memory="policy")
    with pytest.raises(ConfigError, match="InterLV-L1-v0"):
        environment_factory("InterLV-L9-v0")
    with pytest.raises(ConfigError, match="unknown argument"):
        environment_factory(ENV_ID, colour=1)


def test_a_tool_with_a_name_that_trl_uses_is_refused(request: pytest.FixtureRequest) -> None:
    class Reset(Tool):
        name = "get_reward"
        description = "A tool with an unlucky name."

        def run(self, arguments: Any, context: Any) -> ToolResult:
            return ToolResult({})

    register_tool(Reset)
    request.addfinalizer(lambda: TOOLS.remove("get_reward"))
    with pytest.raises(ConfigError, match="'get_reward'"):
        environment_factory(ENV_ID, tools=["get_reward"])


def test_no_housekeeping_is_offered() -> None:
    env_methods = {n for n, _ in inspect.getmembers(type(make_env(ENV_ID, {})), predicate=inspect.isfunction)}
    assert not env_methods & offered(environment_factory(ENV_ID)).keys()  # close, step, fork, get_state…
    assert issubclass(environment_factory(ENV_ID), Rollout)
