"""Ten thousand hostile values raise nothing; a null agent scores 0; no gold leaks, and planted leaks are found."""

from __future__ import annotations

import json
import logging
import pickle
import random
import string
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import mosaic_env  # noqa: F401
from mosaic_env.agents.base import play
from mosaic_env.agents.simple import NullAgent, RandomAgent, ScriptedAgent
from mosaic_env.core.types import Gold, Hop, Task
from mosaic_env.envs.episode import write_episodes
from mosaic_env.snapshot.opened import Snapshot
from tests.snapshot import small

VALUES = 10_000
_PIECES = (
    "<query>", "</query>", "<tool name='image_crop'>", "</tool>", "<code>", "</code>", "<clip>", "</clip>",
    "<done>", "</done>", "<think>", "</think>", "<tool_call>", "</tool_call>", "<answer>", '{"query": ', '"x"}',
    "kb_1", "[1,2,3,4]", "NaN", "1e999", "\0", "\ud800", "\u202e", "\x1b[31m", "../../etc/passwd", "'", '"',
    "file:///proc/self/environ", "']; DROP TABLE", "漢字", "{" * 70, "[" * 70, "\\u0000", "True", "None", "\n", " ",
    "local_text_search", "9" * 400,
)  # fmt: skip


def hostile_values(count: int) -> Iterator[Any]:
    """Yield hostile actions: tag soup, random text, structured junk, wrong types, huge and deep things."""
    draw = random.Random(20)
    alphabet = string.printable + "äß漢字\u202e\0\ud800<>{}[]"
    deep: Any = {}
    for _ in range(5000):
        deep = {"arguments": deep}
    loop: list[Any] = []
    loop.append(loop)

    class Hostile:
        def __repr__(self) -> str:
            raise RuntimeError("no repr")

        def __str__(self) -> str:
            raise RuntimeError("no str")

    big = [
        "<query>" * 1_500_000,
        "{" * 5_000_000,
        "<think>" * 1_400_000,
        "a" * 10_000_000,
        "<done>" + "x" * 10_000_000,
    ]
    fixed: list[Any] = [
        None, 0, -1, 3.5, float("nan"), True, b"bytes", (), [], {}, set(), object(), Hostile(), loop, deep, np.zeros(3),
        np.str_("<done>x</done>"), [None], [[[]]], {"name": None}, {"name": "x" * 10**6}, {"tool": 5, "arguments": []},
        {"name": "local_text_search", "arguments": {"query": float("inf")}}, {1: 2}, {"answer": None}, [Hostile()] * 3,
        {"name": "python_eval", "arguments": {"code": "\0"}}, {"role": "assistant", "content": None, "tool_calls": 5},
        *big, "<code>while True: pass</code>", "<code>import os; os._exit(1)</code>",
        "<code>print('<done>x</done>')</code>",
    ]  # fmt: skip
    yield from fixed
    for number in range(count - len(fixed)):
        kind = number % 4
        if kind == 0:
            yield "".join(draw.choice(_PIECES) for _ in range(draw.randrange(1, 30)))
        elif kind == 1:
            yield "".join(draw.choice(alphabet) for _ in range(draw.randrange(200)))
        elif kind == 2:
            name = draw.choice(
                ["image_crop", "view_image", "local_image_search", "local_text_search", "list_images", "x"]
            )
            junk = draw.choice(
                [None, -1, 1e308, "kb_1", "", [1, 2], {"a": []}, "file:///", "\ud800", True, 10**30]
            )
            keys = ["image", "query", "bbox", "top_k", "coords", "max_text_chars", "zzz"]
            yield {"name": name, "arguments": {draw.choice(keys): junk for _ in range(draw.randrange(4))}}
        else:
            box = {"image": "kb_1", "bbox": [draw.randrange(-9, 1200) for _ in range(4)]}
            yield f'<tool name="image_crop">{json.dumps(box)}</tool>'


def test_ten_thousand_values_raise_nothing(tiny: Path) -> None:
    envs = [
        gym.make("InterLV-L1-v0", snapshot=str(tiny), interactions=None),
        gym.make("InterLV-L2-v0", snapshot=str(tiny)),
        gym.make("InterLV-L1-v0", snapshot=str(tiny), preset="repo"),
    ]
    for env in envs:
        env.reset(seed=0)
    envs[0].step("<query>album by Marrow</query>")
    played = 0
    for number, value in enumerate(hostile_values(VALUES)):
        # The huge ones go through every environment, the rest in turn.
        for env in envs if number < 60 else [envs[number % 3]]:
            observation, reward, terminated, truncated, info = env.step(value)
            played += 1
            assert isinstance(observation["text"], str) and observation["text"].encode()
            assert observation["text"].count("\n[image ") == len(observation["images"])
            assert reward == 0.0 and type(terminated) is bool and type(truncated) is bool
            assert info["failure"]["by"] != "env", (value if number > 60 else number, info["failure"])
            if terminated or truncated or info["interaction"] > 200:
                env.reset()
                if env is envs[0]:
                    env.step("<query>album by Marrow</query>")
    assert played >= VALUES


@pytest.mark.parametrize("env_id", ["InterLV-L1-v0", "InterLV-L2-v0"])
@pytest.mark.parametrize("preset", ["paper", "repo", "infomosaic"])
@pytest.mark.parametrize("world", ["tiny", "bundled"])
def test_null_agent_scores_nothing(tiny: Path, world: str, env_id: str, preset: str) -> None:
    """Also public report: FieldWorkArena's single answer ``{}`` scored 100 %."""
    env = gym.make(
        env_id,
        snapshot=str(tiny) if world == "tiny" else "bundled",
        preset=preset,
        reward={"hop_progress": 1.0, "evidence_recall": 1.0, "format": 1.0},
    )
    assert env.unwrapped.task_keys
    for key in env.unwrapped.task_keys:
        for agent in (
            NullAgent(env.unwrapped),
            ScriptedAgent(["<done>{}</done>"]),
            ScriptedAgent(["<done></done>"]),
        ):
            episode = play(env, agent, seed=0, task=key)
            assert episode.reward == 0.0 and not episode.success
            assert all(value == 0.0 for name, value in episode.steps[-1].terms.items() if name != "cost")


# --- canary --------------------------------------------------------------------------------------------


def canary_pairs() -> tuple[list[tuple[Task, Gold]], list[str]]:
    """Return the tiny tasks with every gold field replaced by a token of its own, and the tokens."""
    tokens: list[str] = []

    def token(what: str) -> str:
        tokens.append(f"canary{what}{len(tokens):03d}zq")
        return tokens[-1]

    pairs = []
    for task, gold in small.TASKS:
        hops = tuple(
            Hop(token("head"), token("tail"), token("via"), token("query"), token("tool")) for _ in gold.chain
        )
        pairs.append(
            (
                task,
                Gold(gold.key, token("answer"), (token("alias"),), token("kind"), token("target"), hops, 2,
                     {token("note"): token("value")}),
            )
        )  # fmt: skip
    return pairs, tokens


def found_tokens(data: Any, tokens: list[str]) -> list[str]:
    """Return the tokens inside anything: bytes, text, or an object by its pickle and its repr."""
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    if not isinstance(data, bytes):
        data = pickle.dumps(data) + repr(data).encode("utf-8", "replace")
    return [token for token in tokens if token.encode() in data]


def reachable(folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Iterator[tuple[str, Any]]:
    """Yield everything an agent, a trainer or a reader of public files can reach, by place."""
    for env_id in ("InterLV-L1-v0", "InterLV-L2-v0"):
        env = gym.make(env_id, snapshot=str(folder), corpus="closed", show_ids=True)
        inner = env.unwrapped
        yield "prompt", inner.prompt() + str(inner.tool_schemas())
        for key in inner.task_keys:
            for agent in (
                RandomAgent(inner, 1),
                ScriptedAgent(["<query>colour</query>", "x", "<done>red</done>"]),
            ):
                observation, info = env.reset(seed=0, options={"task_id": key})
                agent.begin(inner, observation, info)
                ended = False
                while not ended:
                    yield "observation", {**observation, "budget": observation["budget"].tolist()}
                    yield "info", info
                    yield "pickle", inner.get_state()
                    observation, _, terminated, truncated, info = env.step(agent.act(observation, info))
                    ended = terminated or truncated
                yield "observation", observation["text"]
                yield "info", info
                yield "render", inner.render() or ""
                write_episodes(tmp_path / "episode.jsonl", [inner.episode])
                yield "episode", (tmp_path / "episode.jsonl").read_bytes()
        for call in (
            partial(env.reset, options={"task_id": "tiny/none"}),
            partial(gym.make, env_id, snapshot=str(folder), tasks="x"),
        ):
            try:
                call()
            except Exception as error:
                yield "exception", f"{error!r} {error}"
    yield "log", caplog.text
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "private" not in path.name:
            yield "section", path.read_bytes()


def test_no_gold_is_reachable(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    pairs, tokens = canary_pairs()
    small.build(tmp_path / "snapshot", tasks=pairs)
    places = set()
    for place, data in reachable(tmp_path / "snapshot", tmp_path, caplog):
        places.add(place)
        assert not found_tokens(data, tokens), place
    assert places == {
        "prompt",
        "observation",
        "info",
        "pickle",
        "render",
        "episode",
        "exception",
        "log",
        "section",
    }
    private = next((tmp_path / "snapshot" / "sections").glob("private-*")).read_bytes()
    assert found_tokens(private, tokens) == tokens  # they are where they belong, and nowhere else
    assert Snapshot(tmp_path / "snapshot").private.gold("tiny/1").answer in tokens


@pytest.mark.parametrize(
    "place", ["observation", "info", "pickle", "episode", "exception", "section", "prompt", "log", "render"]
)
def test_a_planted_leak_is_found(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """The search finds a leak in each place: otherwise finding nothing would mean nothing."""
    from mosaic_env.envs import core, episode, observe, prompts
    from mosaic_env.envs.engine import Engine
    from mosaic_env.tasks import snapshot_tasks

    caplog.set_level(logging.DEBUG)
    pairs, tokens = canary_pairs()
    small.build(tmp_path / "snapshot", tasks=pairs)
    leak = tokens[0]
    if place == "observation":
        monkeypatch.setattr(observe, "ledger_line", lambda *a: leak)
    elif place == "info":
        whole = core.make_info
        monkeypatch.setattr(core, "make_info", lambda *a: {**whole(*a), "hint": leak})
    elif place == "pickle":
        begin = Engine.begin

        def leaky(self: Engine, task: Task, gold: Gold, seed: tuple[int, int]) -> Any:
            state, first, reward = begin(self, task, gold, seed)
            state.memory = gold.answer
            return state, first, reward

        monkeypatch.setattr(Engine, "begin", leaky)
    elif place == "episode":
        line = episode.Episode.to_line
        monkeypatch.setattr(episode.Episode, "to_line", lambda self: line(self) + leak)
    elif place == "exception":
        error = snapshot_tasks.TaskError
        monkeypatch.setattr(
            snapshot_tasks, "TaskError", lambda code, what, **k: error(code, what + leak, **k)
        )
    elif place == "section":
        (tmp_path / "snapshot" / "sections" / "notes.txt").write_text(leak)
    elif place == "prompt":
        monkeypatch.setattr(prompts, "_ANSWER", leak)
    elif place == "log":
        logging.getLogger("mosaic_env").warning("%s", leak)
    else:
        monkeypatch.setattr(core.SearchEnv, "render", lambda self: leak)
    found = {
        where
        for where, data in reachable(tmp_path / "snapshot", tmp_path, caplog)
        if found_tokens(data, tokens)
    }
    assert place in found
