"""Agents around a model: what the model sees, how its replies become actions, and that nothing breaks them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import mosaic_env  # noqa: F401 - registers the ids
from mosaic_env.agents.base import play
from mosaic_env.agents.direct import DIRECT_OPTIONS
from mosaic_env.agents.model_agent import MODEL_AGENTS, ModelAgent, agent_options, make_agent
from mosaic_env.agents.models.base import NativeCall, Reply, Request, Usage
from mosaic_env.agents.models.scripted import ScriptedModel
from mosaic_env.core.errors import ConfigError, ModelError, RegistryError
from mosaic_env.envs.episode import Episode
from mosaic_env.envs.observe import ANSWER_REQUEST
from mosaic_env.envs.replay import differences, replay, setup_for

L1, L2 = "InterLV-L1-v0", "InterLV-L2-v0"
NAMES = ("interlv", "react", "direct")


class Asked:
    """A model that keeps what it was asked."""

    name = "asked"

    def __init__(self, *replies: str | Reply) -> None:
        self.requests: list[Request] = []
        self._replies = list(replies)

    def complete(self, request: Request) -> Reply:
        self.requests.append(request)
        given = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        return given if isinstance(given, Reply) else Reply(given)


def played(
    tiny: Path, name: str, model: Any, env_id: str = L1, *, context: str = "", **options: Any
) -> tuple[Episode, Any]:
    env = gym.make(env_id, snapshot=str(tiny), **{**agent_options(name), **options})
    agent = make_agent(name, model, context=context, settings={"temperature": 0.5})(env.unwrapped)
    return play(env, agent, seed=0), agent


def text_of(message: Any) -> str:
    return "\n".join(part.get("text", "") for part in message["content"])


# --- what a model sees ----------------------------------------------------------------------------


def test_the_paper_context_is_one_prompt_that_ends_with_what_is_wanted(tiny: Path) -> None:
    model = Asked("<query>lighthouse</query>", "- nothing yet", "<query>bridge</query>", "- still nothing")
    episode, _ = played(tiny, "interlv", model, L2, interactions=2)
    assert [step.phase for step in episode.steps] == ["act", "memory", "act", "memory", "answer_only"]
    assert all([m["role"] for m in request.messages] == ["system", "user"] for request in model.requests)
    ends = [text_of(request.messages[1]).splitlines()[-1] for request in model.requests]
    assert ends[0].startswith("Now decide") and ends[2].startswith("Now decide")
    assert ends[1].startswith("Write your memory now") and ends[3].startswith("Write your memory now")
    assert ends[4] == ANSWER_REQUEST
    last = text_of(model.requests[4].messages[1])
    assert "Memory:\n- still nothing" in last and "- nothing yet" not in last
    assert last.count("Write your memory now") == 0 and last.count(ANSWER_REQUEST) == 1
    assert "Round 2, you wrote:\n<query>bridge</query>" in last


def test_the_short_memory_is_the_last_three_rounds(tiny: Path) -> None:
    model = Asked("<query>lighthouse</query>")
    played(tiny, "interlv", model, interactions=5)
    last = text_of(model.requests[-1].messages[1])
    assert [f"Round {n}, you wrote" in last for n in (1, 2, 3, 4, 5)] == [False, False, True, True, True]


@pytest.mark.parametrize("name", ["interlv", "react"])
def test_a_chat_only_grows(tiny: Path, name: str) -> None:
    call = NativeCall("local_text_search", '{"query": "lighthouse"}', "same")
    model = Asked(Reply("I think", (call, call)), "<query>bridge</query>", "hm", "red")
    played(tiny, name, model, context="chat", interactions=3)
    for before, after in zip(model.requests, model.requests[1:], strict=False):
        assert list(after.messages[: len(before.messages)]) == list(before.messages)
        assert len(after.messages) > len(before.messages)


def test_react_answers_every_call_and_keeps_what_was_thought(tiny: Path) -> None:
    calls = (
        NativeCall("local_text_search", '{"query": "lighthouse"}', "same"),
        NativeCall("no_such_tool", "nonsense", "same"),
        NativeCall("", "[1]"),
    )
    model = Asked(Reply("I think", calls), "<done>red</done>")
    episode, _ = played(tiny, "react", model)
    assert model.requests[0].tools and "Call the tools given to you" in text_of(model.requests[0].messages[0])
    said, *results, seen = model.requests[1].messages[2:]
    assert text_of(said) == "I think" and said["role"] == "assistant"
    ids = [call["id"] for call in said["tool_calls"]]
    assert ids == ["call00001", "call00002", "call00003"] == [result["tool_call_id"] for result in results]
    assert {result["role"] for result in results} == {"tool"} and "[budget]" in text_of(seen)
    assert [call.status for call in episode.steps[0].calls] == ["ok", "error", "error"]
    assert episode.answer == "red"


def test_no_tool_is_offered_where_none_runs(tiny: Path) -> None:
    model = Asked("x")
    played(tiny, "react", model, interactions=1)
    assert [request.settings.get("tool_choice") for request in model.requests] == [None, "none"]
    assert all(request.settings["temperature"] == 0.5 for request in model.requests)


def test_direct_asks_once_with_the_pictures(tiny: Path) -> None:
    model = Asked("I believe the answer is red.")
    episode, _ = played(tiny, "direct", model, L2)
    assert len(model.requests) == 1 and not model.requests[0].tools
    assert "no tools" in text_of(model.requests[0].messages[0])
    assert episode.config["tools"] == [] and episode.answer == "red." and len(episode.steps) == 1
    assert agent_options("direct") == DIRECT_OPTIONS
    # ... and in an environment with tools it does not use them.
    episode, _ = played(
        tiny, "direct", Asked("<think><done>no</done></think>red"), L2, interactions=3, tools=None
    )
    assert episode.answer == "red" and len(episode.steps) == 1


def test_pictures_are_fetched_by_their_digest() -> None:
    model = Asked('<tool name="local_image_search">{"image": "img_1"}</tool>')
    env = gym.make(L2, memory="none", interactions=1)
    pictured = next(seed for seed in range(20) if env.reset(seed=seed)[0]["images"])
    play(env, make_agent("interlv", model)(env.unwrapped), seed=pictured)  # type: ignore[arg-type]
    for request in model.requests:
        shown = [p for m in request.messages for p in m["content"] if p["type"] == "image"]
        for part in shown:
            media_type, data = request.pictures(part["digest"])
            assert media_type.startswith("image/") and len(data) > 100
    assert len(shown) > 1


# --- what it takes to make one ----------------------------------------------------------------------


def test_names_and_contexts(tiny: Path) -> None:
    assert set(NAMES) <= set(MODEL_AGENTS)
    with pytest.raises(RegistryError, match="Nearest: interlv"):
        make_agent("interlf", ScriptedModel([]))
    with pytest.raises(ConfigError, match="has no context 'paper'"):
        played(tiny, "react", ScriptedModel([]), context="paper")


def test_notes_and_usage_are_of_the_episode(tiny: Path) -> None:
    model = ScriptedModel(lambda _: Reply("<query>x</query>", (), Usage(100, 7, 0.25), "length"))
    episode, agent = played(tiny, "interlv", model)
    assert episode.notes == {
        "agent": "interlv", "model": "scripted", "context": "paper", "requests": "4", "cut": "4",
        "prompt_tokens": "400", "completion_tokens": "28", "cost": "1.000000",
    }  # fmt: skip
    env = gym.make(L1, snapshot=str(tiny))
    assert play(env, agent, seed=0).notes == episode.notes


def test_equal_requests_are_numbered(tiny: Path) -> None:
    class Same(ModelAgent):
        def messages(self, info: dict[str, Any]) -> list[dict[str, Any]]:
            return [{"role": "user", "content": "same"}]

    model = Asked("x")
    env = gym.make(L1, snapshot=str(tiny))
    play(env, Same(env.unwrapped, 3, model=model), seed=0)  # type: ignore[arg-type]
    assert [request.sample for request in model.requests] == ["3/0", "3/1", "3/2", "3/3"]
    assert len({request.digest for request in model.requests}) == 1


def test_a_script_that_ends_says_so(tiny: Path) -> None:
    with pytest.raises(ModelError, match="has ended") as caught:
        played(tiny, "interlv", ScriptedModel(["<query>x</query>"]))
    assert caught.value.code == "ME-MODEL-02"


# --- any output -------------------------------------------------------------------------------------

_TEXTS = st.one_of(
    st.text(st.characters(codec=None, exclude_categories=()), max_size=60),
    st.sampled_from([
        "", " \n", "\x00", "\ud800", "<think>", "<think><done>red</done>", "<done>", "<done></done>", "</think>",
        "<query>lighthouse</query>" * 70, '<tool name="local_text_search">{"query": </tool>', "<tool_call>[{}]",
        '{"name": "x", "arguments": "{"}', '{"answer": null}', "[[[[", "<done>\ud800</done>", "YES", "\u202e<done>x",
    ]),
)  # fmt: skip
_ARGUMENTS = st.one_of(
    _TEXTS,
    st.sampled_from(['{"query": "x"}', "{", "[1]", "3", "null", '"{}"', '{"query": NaN}', '{"a": ' * 80]),
)
_CALLS = st.builds(
    NativeCall,
    st.one_of(_TEXTS, st.sampled_from(["local_text_search", "view_image", "image_crop"])),
    _ARGUMENTS,
    st.sampled_from(["", "a", "a", "\ud800"]),
)
_REPLIES = st.builds(
    Reply,
    _TEXTS,
    st.lists(_CALLS, max_size=5).map(tuple),
    st.just(Usage()),
    st.sampled_from(["stop", "length", ""]),
)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60)
@given(
    replies=st.lists(_REPLIES, min_size=1, max_size=6), level=st.sampled_from([L1, L2]), memory=st.booleans()
)
@example(replies=[Reply("x", (NativeCall("local_text_search", "{}"),) * 100)], level=L2, memory=True)
@example(
    replies=[Reply("", (NativeCall("a", "{}", "call_2"), NativeCall("b", "{}")))], level=L1, memory=False
)
def test_any_reply_is_survived_within_the_budget(
    tiny: Path, name: str, replies: list[Reply], level: str, memory: bool
) -> None:
    turn = iter(range(10**9))
    model = Asked(*replies)
    model.complete = lambda request: replies[next(turn) % len(replies)]  # type: ignore[method-assign]
    options = {"memory": "policy"} if memory else {}
    episode, _ = played(tiny, name, model, level, interactions=2, **options)
    assert episode.finished and len(episode.steps) <= 5
    assert next(differences(episode, replay(episode, setup_for(episode, snapshot=str(tiny)))), None) is None
    assert Episode.from_line(episode.to_line()) == episode


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "text", ["x" * 10_000_000, "<done>" * 100_000, None], ids=["10 MB", "many tags", "None"]
)
def test_huge_and_absent_texts(tiny: Path, name: str, text: Any) -> None:
    call = NativeCall("local_text_search", "{" * 1_000_000)
    replies = iter([Reply(text, (call,)), Reply(text), Reply(text)])
    episode, _ = played(tiny, name, ScriptedModel(lambda _: next(replies)), interactions=2)
    assert episode.finished
