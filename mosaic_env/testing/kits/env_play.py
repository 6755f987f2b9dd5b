"""Playing an environment for ``check_mosaic_env``, and what must hold in every step."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mosaic_env.agents.base import AGENTS
from mosaic_env.core.canon import canonical_text
from mosaic_env.core.errors import shorten
from mosaic_env.envs.core import SearchEnv
from mosaic_env.guard.images import decode_rgb
from mosaic_env.testing.kits.base import expect, leak

_PLACEHOLDER = re.compile(r"^\[image (.+)\]$", re.MULTILINE)
#: Steps after which a kit stops playing an episode that has no budget.
LONGEST = 60
_PLAIN = (str, bool, int, float, list, tuple, dict)


@dataclass(frozen=True)
class Seen:
    """What one ``reset`` or ``step`` returned."""

    action: Any
    observation: dict[str, Any]
    reward: float
    terminated: bool
    truncated: bool
    info: dict[str, Any]

    @property
    def ended(self) -> bool:
        """True when the episode is over."""
        return bool(self.terminated or self.truncated)


def play(env: SearchEnv, actions: Sequence[Any], *, seed: int, task: str) -> Iterator[Seen]:
    """Reset and play actions until they or the episode end; yields what came back each time."""
    observation, info = env.reset(seed=seed, options={"task_id": task})
    yield Seen(None, observation, 0.0, False, False, info)
    for action in actions:
        seen = Seen(action, *env.step(action))
        yield seen
        if seen.ended:
            return


def digest(env: SearchEnv, actions: Sequence[Any], *, seed: int, task: str) -> str:
    """Play actions and return the episode's digest."""
    for _ in play(env, actions, seed=seed, task=task):
        pass
    return env.episode.digest


def random_actions(env: SearchEnv, *, seed: int, task: str) -> list[str]:
    """Return the actions of an episode that the random agent plays."""
    agent = AGENTS.get("random")(env, seed)
    observation, info = env.reset(seed=seed, options={"task_id": task})
    agent.begin(env, observation, info)
    actions: list[str] = []
    while len(actions) < LONGEST:
        actions.append(agent.act(observation, info))
        observation, _, terminated, truncated, info = env.step(actions[-1])
        if terminated or truncated:
            break
    return actions


def looking_actions(env: SearchEnv, question: str) -> list[str]:
    """Return actions that bring pictures, crops, dropped and unreadable calls."""
    words = " ".join(re.findall(r"\w+", question)[-4:]) or "x"
    look = f'<tool name="local_text_search_with_image">{{"query": "{words}"}}</tool>'
    clip = '<clip>{"image": "kb_1", "bbox": [0, 0, 500, 500]}</clip>'
    again = '<tool name="view_image">{"image": "kb_1"}</tool>'
    return [
        look,
        "- a note",
        clip + again + look * 3,
        "- a note",
        "no action at all",
        "- a note",
        "<done>x</done>",
    ]


# --- what must hold -------------------------------------------------------------------------------------


def check_info(seen: Sequence[Seen], folder: str) -> None:
    """Check that infos keep their keys and types and hold plain data only."""
    first = _shape(seen[0].info)
    for number, item in enumerate(seen):
        shape = _shape(item.info)
        for key in {**first, **shape}:
            expect(
                first.get(key) == shape.get(key), f"info[{key!r}] is {first.get(key)} at reset and {shape.get(key)} "
                f"at step {number}", "Give every key in every step, always with one type",
            )  # fmt: skip
        bad = _odd(item.info, "info")
        expect(
            not bad, f"{bad} at step {number}", "Use text, whole and finite numbers, booleans, lists, dicts"
        )
        found = leak([item.info, item.observation["text"]], folders=[folder], given=str(item.action))
        expect(
            not found,
            f"info or observation holds {found!r} at step {number}",
            "Keep paths and host names out",
        )


def _shape(info: Mapping[str, Any]) -> dict[str, str]:
    shape: dict[str, str] = {}
    for key, value in info.items():
        shape[key] = type(value).__name__
        if isinstance(value, Mapping):
            shape |= {f"{key}.{inner}": kind for inner, kind in _shape(value).items()}
    return shape


def _odd(value: Any, where: str) -> str:
    """Return where a value is not plain data, or ``""``."""
    if isinstance(value, Mapping):
        return next((bad for key, item in value.items() if (bad := _odd(item, f"{where}[{key!r}]"))), "")
    if isinstance(value, (list, tuple)):
        return next((bad for n, item in enumerate(value) if (bad := _odd(item, f"{where}[{n}]"))), "")
    if type(value) not in _PLAIN:
        return f"{where} is {shorten(value, 40)} of type {type(value).__name__}"
    return f"{where} is {value}" if isinstance(value, float) and not math.isfinite(value) else ""


def check_returns(env: SearchEnv, item: Seen) -> None:
    """Check the types of what ``step`` returned."""
    expect(
        item.observation in env.observation_space,
        f"the observation of {shorten(item.action, 60)} is not in the space",
    )
    expect(
        type(item.reward) is float and math.isfinite(item.reward),
        f"the reward is {item.reward!r}",
        "Return a float",
    )
    bools = type(item.terminated) is bool and type(item.truncated) is bool
    expect(bools, "terminated or truncated is not a Python bool", "Convert with bool()")
    expect(not (item.terminated and item.truncated), "terminated and truncated are both true")


def check_pictures(seen: Sequence[Seen]) -> int:
    """Check that placeholders, handles and files agree; return the number of pictures."""
    count = 0
    for number, item in enumerate(seen):
        text, handles = item.observation["text"], list(item.observation["image_ids"])
        marks = _PLACEHOLDER.findall(text)
        where = f"at step {number}"
        expect(
            marks == handles, f"{where} the placeholders are {marks} and the pictures {handles}",
            "Write one line [image HANDLE] for each picture, in order",
        )  # fmt: skip
        expect(len(set(handles)) == len(handles), f"{where} a picture is attached twice")
        files = item.observation["images"]
        expect(
            len(files) == len(handles), f"{where} there are {len(files)} files for {len(handles)} pictures"
        )
        parts = [p["handle"] for m in item.info["messages"] for p in m["content"] if p["type"] == "image"]
        expect(parts == handles, f"{where} the messages show {parts} and the observation {handles}")
        for file in files:
            decode_rgb(file)
        count += len(files)
    return count


def check_messages(env: SearchEnv, actions: Sequence[Any], *, seed: int, task: str) -> None:
    """Check that messages put together are the chat, that it only grows, and what is trainable."""
    chat: list[dict[str, Any]] = []
    before = ""
    for item in play(env, actions, seed=seed, task=task):
        new = item.info["messages"]
        expect(canonical_text(chat).startswith(before[:-1]), "a message of an earlier step was changed")
        chat = [*chat, *new]
        before = canonical_text(chat)
        for message in new:
            _check_message(message)
        wrote = [message for message in new if message["source"] == "policy"]
        expect(len(wrote) == (item.action is not None), f"{len(wrote)} messages of a step are the policy's")
        if isinstance(item.action, str):
            text = "".join(part["text"] for part in wrote[0]["content"])
            expect(
                text == item.action,
                "the policy's message is not what the policy wrote",
                "Change no byte of it",
            )
        if not item.ended:
            whole = canonical_text(env.render_prompt("chat"))
            expect(whole == before, "render_prompt('chat') is not the messages put together")


def _check_message(message: Mapping[str, Any]) -> None:
    missing = {"role", "content", "source", "trainable"} - message.keys()
    expect(not missing, f"a message lacks {sorted(missing)}")
    policy = message["source"] == "policy"
    expect(
        message["trainable"] is policy, f"a message of {message['source']!r} has trainable={message['trainable']!r}",
        "True exactly for what the policy wrote",
    )  # fmt: skip
    expect(
        (message["role"] == "assistant") == policy,
        f"the role {message['role']!r} does not fit {message['source']!r}",
    )


def check_budget(env: SearchEnv, seen: Sequence[Seen]) -> None:
    """Check the ledger: interactions, calls of an interaction, dropped calls, pictures."""
    used = ran = shown = 0
    for number, item in enumerate(seen):
        where = f"at step {number}"
        _check_calls(env, item, where, used=used, ran=ran)
        used, ran = item.info["interaction"], item.info["tool_calls"]
        shown += len(item.observation["images"])
        _check_picture_budget(env, item, where, shown)


def _check_calls(env: SearchEnv, item: Seen, where: str, *, used: int, ran: int) -> None:
    config, info = env.config, item.info
    now, left = info["interaction"], item.observation["budget"].tolist()[0]
    expect(now >= used, f"{where} interactions went from {used} to {now}")
    if config.interactions is not None:
        expect(now <= config.interactions, f"{where} {now} interactions of {config.interactions} are used")
        expect(left == config.interactions - now, f"{where} the budget says {left} left, {now} are used")
    dropped = sum(call["status"] == "dropped" for call in info["calls"])
    expect(info["dropped"] == dropped, f"{where} info['dropped'] is {info['dropped']}, {dropped} were")
    carried, cap = len(info["calls"]) - dropped, config.calls_per_interaction
    if cap is not None:
        expect(
            carried <= cap * (now - used),
            f"{where} {carried} calls ran in {now - used} interactions of {cap}",
        )
    expect(ran <= info["tool_calls"] <= ran + carried, f"{where} info['tool_calls'] is {info['tool_calls']}")


def _check_picture_budget(env: SearchEnv, item: Seen, where: str, shown: int) -> None:
    config, files = env.config, len(item.observation["images"])
    if config.max_new is not None and item.action is not None:
        expect(files <= config.max_new, f"{where} {files} pictures are new, {config.max_new} may be")
    if config.max_total is not None:
        left = item.observation["budget"].tolist()[2]
        expect(shown <= config.max_total, f"{where} {shown} pictures of {config.max_total} were shown")
        expect(
            left == config.max_total - shown,
            f"{where} the budget says {left} pictures left, {shown} were shown",
        )
