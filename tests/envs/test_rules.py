"""The rules of an episode: budgets, dropped and carried calls, answers, memory, pictures."""

from __future__ import annotations

import json
from typing import Any

import gymnasium as gym
import pytest

from mosaic_env.core.errors import ConfigError, TaskError
from tests.envs.conftest import Make

SEARCH = "<query>album by Marrow</query>"


def lines(observation: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the JSON lines of an observation."""
    return [json.loads(line) for line in observation["text"].split("\n") if line.startswith("{")]


def test_an_episode(make: Make) -> None:
    env = make()
    observation, info = env.reset(seed=0)
    assert observation["text"].startswith("Question: What colour is the square")
    assert info["phase"] == "act" and info["task"] == "tiny/1"
    observation, reward, terminated, truncated, info = env.step(SEARCH)
    assert lines(observation)[0]["data"]["results"][0]["label"] == "Gold Cobra"
    assert (reward, terminated, truncated) == (0.0, False, False) and info["interaction"] == 1
    observation, reward, terminated, truncated, info = env.step("<done>The square is red.</done>")
    assert (reward, terminated, truncated) == (1.0, True, False)
    assert info["success"] and info["verdict"] == "yes" and info["answer"] == "The square is red."
    assert env.unwrapped.episode.success


def test_first_three_calls_run_and_the_rest_are_reported(make: Make) -> None:
    env = make()
    env.reset(seed=0)
    observation, _, _, _, info = env.step(SEARCH * 5)
    found = lines(observation)
    assert [line.get("call") for line in found[:3]] == [1, 2, 3]
    assert found[3]["dropped"] == ["local_text_search"] * 2
    assert info["interaction"] == 1 and info["dropped"] == 2 and info["tool_calls"] == 3


def test_calls_before_an_answer_run_and_those_after_it_are_dropped(make: Make) -> None:
    env = make()
    env.reset(seed=0)
    _, reward, terminated, _, info = env.step(f"{SEARCH}<done>red</done>{SEARCH}<done>blue</done>")
    assert terminated and reward == 1.0 and info["answer"] == "red"
    assert [call["status"] for call in info["calls"]] == ["ok", "dropped"] and info["interaction"] == 1


def test_an_answer_is_never_delayed_behind_dropped_calls(make: Make) -> None:
    env = make()
    env.reset(seed=0)
    _, reward, terminated, _, info = env.step(SEARCH * 5 + "<done>red</done>")
    assert terminated and reward == 1.0 and info["dropped"] == 2


def test_preset_repo_carries_calls_over_and_they_cost_budget(make: Make) -> None:
    env = make(preset="repo", interactions=2)
    env.reset(seed=0)
    observation, _, _, _, info = env.step(SEARCH * 5)
    assert info["interaction"] == 2 and info["tool_calls"] == 4 and info["dropped"] == 1
    assert info["phase"] == "answer_only"
    row = lines(observation)[0]["data"]["results"][0]
    assert row["entity_id"] == "Q1" and row["score"] > 0
    assert observation["image_ids"][0] == "kb_1"  # text search attaches pictures there


@pytest.mark.parametrize(("limit", "ran"), [(0, 0), (1, 1), (None, 4)])
def test_zero_means_zero_and_none_no_limit(make: Make, limit: int | None, ran: int) -> None:
    """Public reports trl PR#6423 (cap 0 meant unlimited) and trl#4751 (no cap)."""
    env = make(calls_per_interaction=limit)
    env.reset(seed=0)
    observation, _, terminated, truncated, info = env.step(SEARCH * 4)
    assert info["tool_calls"] == ran and info["dropped"] == 4 - ran
    assert observation["budget"][1] == (-1 if limit is None else limit)
    assert not terminated and not truncated
    assert env.step("<done>red</done>")[1] == 1.0  # an answer is still possible


def test_interactions_none_and_zero(make: Make) -> None:
    env = make(interactions=None)
    env.reset(seed=0)
    for _ in range(30):
        assert env.step("nothing")[4]["phase"] == "act"
    env = make(interactions=0)
    observation, info = env.reset(seed=0)
    assert info["phase"] == "answer_only" and "final answer now" in observation["text"]
    observation, reward, terminated, _, info = env.step(SEARCH + "<done>red</done>")
    assert terminated and reward == 1.0 and info["tool_calls"] == 0
    with pytest.raises(ConfigError, match="ME-CONFIG-02"):
        make(interactions=0, final_answer="none")


@pytest.mark.parametrize(
    ("text", "terminated", "reward", "answer"),
    [
        ("<done>red</done>", True, 1.0, "red"),
        ("I looked twice. The final answer is red.", True, 1.0, "red."),
        ("<think>it is red", False, 0.0, ""),
        ("", False, 0.0, ""),
        (SEARCH, False, 0.0, ""),
        ("<done></done>", False, 0.0, ""),
    ],
)
def test_the_extra_turn(make: Make, text: str, terminated: bool, reward: float, answer: str) -> None:
    env = make(interactions=1)
    env.reset(seed=0)
    observation, _, ended, cut, info = env.step(SEARCH)
    assert (ended, cut, info["phase"]) == (False, False, "answer_only") and "final answer now" in observation[
        "text"
    ]
    _, got, ended, cut, info = env.step(text)
    assert (ended, cut, got, info["answer"]) == (terminated, not terminated, reward, answer)
    assert type(ended) is bool and type(cut) is bool
    if not terminated:
        assert info["failure"] == {"kind": "no_answer", "by": "policy"}


def test_without_the_extra_turn_the_last_interaction_truncates(make: Make) -> None:
    env = make(interactions=1, final_answer="none")
    env.reset(seed=0)
    _, _, terminated, truncated, info = env.step(SEARCH)
    assert (terminated, truncated, info["phase"]) == (False, True, "done")


def test_every_failure_costs_one_interaction_and_the_episode_goes_on(make: Make) -> None:
    env = make(interactions=9)
    env.reset(seed=0)
    bad = [
        ("no tags here", "no_action"),
        ("", "empty"),
        ("<query>{'query': </query>", "bad_json"),
        ('<tool name="web_search">{"query": "x"}</tool>', "unknown_tool"),
        ('<tool name="local_image_search">{"image": "kb_9"}</tool>', "unknown_handle"),
        ('<tool name="local_image_search">{"image": "/etc/passwd"}</tool>', "unknown_handle"),
        ('<tool name="local_text_search">{"top_k": 3}</tool>', "bad_argument"),
        ('<tool name="local_text_search">{"query": "x", "top_k": "abc"}</tool>', "bad_argument"),
    ]
    for number, (text, code) in enumerate(bad, start=1):
        observation, reward, terminated, truncated, info = env.step(text)
        assert info["calls"][0]["code"] == code, text
        assert info["interaction"] == number and reward == 0.0 and not terminated and not truncated
        assert info["failure"]["by"] == "policy" and lines(observation)[0]["error"]["hint"]
        assert "passwd" not in observation["text"].replace("'/etc/passwd'", "")


def test_valid_calls_beside_a_malformed_one_run(make: Make) -> None:
    env = make()
    env.reset(seed=0)
    _, _, _, _, info = env.step(SEARCH + "<query>{'query': </query>" + SEARCH)
    assert [call["status"] for call in info["calls"]] == ["ok", "error", "ok"] and info["interaction"] == 1


@pytest.mark.parametrize(
    "action",
    [
        {"name": "local_text_search", "arguments": {"query": "album by Marrow"}},
        {"tool": "local_text_search", "arguments": '{"query": "album by Marrow"}'},
        [
            {
                "type": "function",
                "id": "c1",
                "function": {"name": "local_text_search", "arguments": '{"query": "album by Marrow"}'},
            }
        ],
        '<tool name="local_text_search">{"query": "album by Marrow"}</tool>',
        '<tool_call>{"name": "local_text_search", "arguments": {"query": "album by Marrow"}}</tool_call>',
        SEARCH,
    ],
)
def test_text_and_structured_actions_give_the_same_result(make: Make, action: Any) -> None:
    env = make()
    env.reset(seed=0)
    observation, _, _, _, info = env.step(action)
    assert (
        lines(observation)[0]["data"]["results"][0]["entity"] == "e_1" and info["calls"][0]["status"] == "ok"
    )
    assert info["messages"][0]["role"] == "assistant" and info["messages"][0]["trainable"]
    assert not any(message["trainable"] for message in info["messages"][1:])


def test_a_tool_limit_of_its_own(make: Make) -> None:
    env = make(tool_limits={"local_text_search": 1}, interactions=5)
    env.reset(seed=0)
    observation = env.step(SEARCH)[0]
    assert "local_text_search left 0" in observation["text"]
    info = env.step(SEARCH)[4]
    assert info["calls"][0]["code"] == "tool_budget" and info["tool_calls"] == 1


def test_handles_are_stable_and_pictures_attached_once(make: Make) -> None:
    env = make(interactions=9)
    env.reset(seed=0)
    look = '<tool name="local_text_search_with_image">{"query": "album by Marrow"}</tool>'
    first = env.step(look)[0]
    assert first["image_ids"] and first["text"].count("[image ") == len(first["images"]) == len(
        first["image_ids"]
    )
    again = env.step(look)[0]
    assert lines(again)[0]["data"] == lines(first)[0]["data"] and again["image_ids"] == ()
    back = env.step('<tool name="view_image">{"image": "kb_1"}</tool>')[0]
    assert back["image_ids"] == ("kb_1",) and back["images"][0] == first["images"][0]
    listed = lines(env.step('<tool name="list_images"></tool>')[0])[0]["data"]["images"]
    assert [row["image"] for row in listed][: len(first["image_ids"])] == list(first["image_ids"])
    assert env.step('<tool name="list_images"></tool>')[0]["image_ids"] == ()


def test_picture_policy(make: Make) -> None:
    look = '<tool name="local_image_search">{"image": "kb_1"}</tool>'
    env = make(interactions=9, max_new=1)
    env.reset(seed=0)
    env.step(SEARCH)
    observation = env.step(look)[0]
    assert len(observation["images"]) == 1 and "[3 more pictures were not attached" in observation["text"]
    env = make(interactions=9, max_total=2)
    env.reset(seed=0)
    env.step(SEARCH)
    observation = env.step(look)[0]
    assert (
        len(observation["images"]) == 2
        and observation["budget"][2] == 0
        and "pictures left 0" in observation["text"]
    )
    env = make(interactions=9, image_obs=False)
    env.reset(seed=0)
    env.step(SEARCH)
    assert env.step(look)[0]["images"] == ()
    env = make(interactions=9, max_side=20)
    env.reset(seed=0)
    env.step(SEARCH)
    env.step(look)
    shown = env.unwrapped.episode.steps[-1].observation.shown
    assert shown and all(max(item.picture.width, item.picture.height) <= 20 for item in shown)


def test_memory_turns(make: Make) -> None:
    env = make("InterLV-L2-v0", interactions=2)
    env.reset(seed=0)
    observation, _, _, _, info = env.step("<query>Ashgrove</query>")
    assert info["phase"] == "memory" and "Write your memory now" in observation["text"]
    long = "<think>hm</think>" + "\n".join(f"fact {n}" for n in range(40))
    observation, reward, _, _, info = env.step(long)
    assert info["phase"] == "act" and info["interaction"] == 1 and reward == 0.0
    assert info["memory"].splitlines() == [f"fact {n}" for n in range(15)] and "25 cut" in observation["text"]
    env.step("<query>Velden</query>")
    info = env.step("")[4]
    assert info["memory"].startswith("fact 0") and info["phase"] == "answer_only"
    prompt = env.unwrapped.render_prompt("paper")
    assert len(prompt) == 2 and "fact 14" in str(prompt[1])
    assert env.step("<done>blue</done>")[1] == 1.0


def test_memory_is_not_asked_for_after_an_answer_and_not_in_other_modes(make: Make) -> None:
    env = make("InterLV-L2-v0")
    env.reset(seed=0)
    assert env.step("<done>blue</done>")[2]
    for mode in ("agent", "none"):
        env = make("InterLV-L2-v0", memory=mode)
        env.reset(seed=0)
        assert env.step("<query>Ashgrove</query>")[4]["phase"] == "act"


def test_corpus_closed_adds_facts_and_the_graph_tool(make: Make) -> None:
    env = make("InterLV-L2-v0", corpus="closed", memory="none")
    env.reset(seed=0)
    found = lines(env.step("<query>twinned with Ashgrove</query>")[0])[0]["data"]["results"]
    assert {row["label"] for row in found[:2]} == {"Velden", "Ashgrove"}
    call = '<tool name="local_graph_neighbors">{"entity": "e_1", "relation": "twin town"}</tool>'
    facts = lines(env.step(call)[0])[0]["data"]["facts"]
    assert {fact["direction"] for fact in facts} == {"out", "in"}
    paper = make("InterLV-L2-v0")
    assert "local_graph_neighbors" not in str(paper.unwrapped.tool_schemas())
    assert "local_graph_neighbors" in str(make("InterLV-L2-v0", graph=True).unwrapped.tool_schemas())
    assert "local_graph_neighbors" not in str(make(corpus="closed", graph=False).unwrapped.tool_schemas())


def test_misuse_raises_gymnasiums_errors(make: Make) -> None:
    env = make().unwrapped
    with pytest.raises(gym.error.ResetNeeded):
        env.step(SEARCH)
    env.reset(seed=0)
    env.step("<done>x</done>")
    with pytest.raises(gym.error.ResetNeeded):
        env.step(SEARCH)
    env.close()
    with pytest.raises(gym.error.ClosedEnvironmentError):
        env.step(SEARCH)
    with pytest.raises(gym.error.ClosedEnvironmentError):
        env.reset()
    env.close()


@pytest.mark.parametrize(
    ("options", "code", "near"),
    [
        ({"presett": "paper"}, "ME-CONFIG-01", "preset"),
        ({"preset": "papre"}, "ME-CONFIG-03", "paper"),
        ({"corpus": "open"}, "ME-CONFIG-02", ""),
        ({"interactions": -1}, "ME-CONFIG-02", ""),
        ({"interactions": "many"}, "ME-CONFIG-02", ""),
        ({"tools": ["local_text_serch"]}, "ME-CONFIG-02", "local_text_search"),
        ({"disabled_tools": ["image_corp"]}, "ME-CONFIG-02", "image_crop"),
        ({"reward": {"outcme": 1}}, "ME-CONFIG-02", ""),
        ({"tool_limits": {"nope": 1}}, "ME-CONFIG-02", ""),
    ],
)
def test_wrong_arguments_are_one_clear_sentence(
    make: Make, options: dict[str, Any], code: str, near: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        make(**options)
    assert caught.value.code == code and near in str(caught.value) and "\n" not in str(caught.value)


def test_wrong_tasks_and_worlds(make: Make) -> None:
    with pytest.raises(TaskError, match="ME-TASK-02"):
        make(tasks="tyni")
    with pytest.raises(TaskError, match=r"mmkg-w.*ME-TASK-03"):
        make(tasks="official")
    with pytest.raises(TaskError, match="ME-TASK-04"):
        make("InterLV-L2-v0", split="test")
    with pytest.raises(TaskError, match=r"tiny/1.*ME-TASK-01"):
        make().reset(options={"task_id": "tiny/11"})
    with pytest.raises(TaskError, match="unknown option"):
        make().reset(options={"task": "tiny/1"})


def test_disabled_tools_are_gone_everywhere(make: Make) -> None:
    env = make(disabled_tools=["image_crop", "python_eval"])
    env.reset(seed=0)
    assert "image_crop" not in env.unwrapped.prompt() and "<clip>" not in env.unwrapped.prompt()
    assert "python_eval" not in str(env.unwrapped.tool_schemas()) and "<code>" not in env.unwrapped.prompt()
    info = env.step('<clip>{"image": "kb_1", "bbox": [0, 0, 9, 9]}</clip>')[4]
    assert info["calls"][0]["code"] == "unknown_tool"


def test_reward_terms_weigh_nothing_until_asked_for(make: Make) -> None:
    env = make()
    env.reset(seed=0)
    _, reward, _, _, info = env.step(SEARCH)
    assert (
        reward == 0.0 and info["reward_terms"]["hop_progress"] == 1.0 and info["reward_terms"]["cost"] == -1.0
    )
    env = make(reward={"hop_progress": 0.5, "format": 0.25})
    env.reset(seed=0)
    assert env.step(SEARCH)[1] == 0.5
    assert env.step("<done>red</done>")[1] == 1.25
    env.reset(seed=0)
    env.step("nothing to read")
    assert env.step("<done>red</done>")[1] == 1.0  # the format pays only without malformed actions
    env.reset(seed=0)
    assert env.step("<done>green</done>")[1] == 0.0  # and only with a right outcome
