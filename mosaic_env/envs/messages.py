"""Chat messages: the same content as observations, append-only, each span with its source.

The messages of all steps put together form a chat whose earlier bytes never change, which is what
trainers mask by (``trainable`` is true exactly for what the policy wrote). Pictures are parts that
name a handle; their bytes are in the observation, in the same order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

from mosaic_env.core.canon import canonical_text, strict_loads
from mosaic_env.core.types import Answer, Malformed, Observation, Step, ToolCall
from mosaic_env.envs import observe
from mosaic_env.envs.actions import parse_structured
from mosaic_env.envs.config import EnvConfig

Message = dict[str, Any]
Context = Literal["chat", "paper", "repo"]
CONTEXTS = ("chat", "paper", "repo")
#: Rounds that the rewritten prompt shows beside the memory.
RECENT_ROUNDS = 3
#: The largest canonical text of a structured action that is read back.
MAX_ACTION_BYTES = 2**28


def text_message(role: str, text: str, source: str) -> Message:
    """Return a message of one text part."""
    content = [{"type": "text", "text": text}]
    return {"role": role, "content": content, "source": source, "trainable": source == "policy"}


def opening(system: str, first: Observation) -> list[Message]:
    """Return the messages of a reset: system prompt and question."""
    return [text_message("system", system, "env"), observation_message(first, source="task")]


def observation_message(seen: Observation, *, source: str = "env", role: str = "user") -> Message:
    """Return an observation as a message; each placeholder line is followed by its picture."""
    return {"role": role, "content": _parts(seen), "source": source, "trainable": False}


def step_messages(step: Step) -> list[Message]:
    """Return the new messages of a step: what the policy wrote, then what it saw."""
    if not step.structured:
        return [text_message("assistant", step.action, "policy"), observation_message(step.observation)]
    return _structured_messages(step)


def _structured_messages(step: Step) -> list[Message]:
    """Return an assistant message with tool calls, one tool message a call, the rest in the last."""
    if not step.calls:
        return [text_message("assistant", step.action, "policy"), observation_message(step.observation)]
    written, answers = _written(step)
    ids = _ids(written)
    calls = [
        {"id": ident, "type": "function", "function": {"name": call.tool, "arguments": _arguments(item)}}
        for ident, call, item in zip(ids, step.calls, written, strict=True)
    ]
    content = [{"type": "text", "text": canonical_text({"answer": answer})} for answer in answers]
    said = {**text_message("assistant", "", "policy"), "content": content, "tool_calls": calls}
    lines = step.observation.text.split("\n")
    ran = sum(call.status != "dropped" for call in step.calls)
    messages = [said]
    for number, (ident, call) in enumerate(zip(ids, step.calls, strict=True)):
        text = lines[number] if call.status != "dropped" else observe.dropped_line([call.tool], "not run")
        messages.append({**text_message("tool", text, "env"), "tool_call_id": ident})
    messages.append(observation_message(Observation("\n".join(lines[ran:]), step.observation.shown)))
    return messages


def _written(step: Step) -> tuple[list[ToolCall | Malformed], list[str]]:
    """Return what stands behind each call of a step as the policy wrote it, and its answers.

    Call records hold validated arguments, defaults among them, and nothing of dropped calls.
    """
    value = strict_loads(step.action, max_bytes=MAX_ACTION_BYTES)
    items = parse_structured(value, default_tool="").items
    written = [item for item in items if not isinstance(item, Answer)]
    if step.phase == "answer_only":  # what cannot be read leaves no record there
        written = [item for item in written if isinstance(item, ToolCall)]
    return written, [item.text for item in items if isinstance(item, Answer)]


def _ids(written: Sequence[ToolCall | Malformed]) -> list[str]:
    """Return the policy's own ids, numbered ones where it gave none or gave one twice; no two are the same."""
    own = Counter(item.call_id for item in written)
    kept = {ident for ident, times in own.items() if ident and times == 1}
    ids = []
    for number, item in enumerate(written, start=1):
        ident = item.call_id if item.call_id in kept else f"call_{number}"
        while ident in kept and ident != item.call_id:  # the policy gave that name to another call
            ident += "_"
        ids.append(ident)
    return ids


def _arguments(item: ToolCall | Malformed) -> str:
    return canonical_text(dict(item.arguments)) if isinstance(item, ToolCall) else "{}"


def _parts(seen: Observation) -> list[dict[str, Any]]:
    """Split an observation's text at its placeholder lines and put each picture after its own."""
    if not seen.shown:
        return [{"type": "text", "text": seen.text}]
    marks = [observe.placeholder(shown.handle) for shown in seen.shown]
    # The marks stand together, last before the closing lines: a question that quotes one changes nothing.
    before, _, after = seen.text.rpartition("\n".join(marks))
    parts: list[dict[str, Any]] = []
    for number, (mark, shown) in enumerate(zip(marks, seen.shown, strict=True)):
        parts.append({"type": "text", "text": before + mark if number == 0 else mark})
        parts.append({"type": "image", "handle": shown.handle, "digest": shown.picture.digest})
    if after.strip():
        parts.append({"type": "text", "text": after.removeprefix("\n")})
    return parts


def render(
    context: Context, system: str, first: Observation, steps: Sequence[Step], config: EnvConfig, memory: str
) -> list[Message]:
    """Return a model's whole input.

    Args:
        context: ``chat`` is everything so far; ``paper`` one rewritten prompt with the memory and the
            last rounds; ``repo`` one prompt with the last call results and every picture so far.
        memory: The memory as it stands.
    """
    if context == "chat":
        return [*opening(system, first), *(m for step in steps for m in step_messages(step))]
    rounds = [step for step in steps if step.phase != "memory"]
    recent = (
        rounds[-RECENT_ROUNDS:] if context == "paper" else rounds[-(3 if config.memory != "none" else 1) :]
    )
    parts = list(_parts(first))
    if memory:
        parts.append({"type": "text", "text": f"Memory:\n{memory}"})
    elif config.memory == "policy":
        parts.append({"type": "text", "text": "Memory: (empty)"})
    offset = len(rounds) - len(recent)
    for number, step in enumerate(recent, start=offset + 1):
        parts.append({"type": "text", "text": f"Round {number}, you wrote:\n{step.action}\nResult:"})
        parts += _parts(step.observation)
    if context == "repo":
        parts += _older_pictures(steps, recent)
    return [
        text_message("system", system, "env"),
        {"role": "user", "content": parts, "source": "env", "trainable": False},
    ]


def _older_pictures(steps: Sequence[Step], recent: Sequence[Step]) -> list[dict[str, Any]]:
    """Return every picture of earlier steps that the recent ones do not show, in order."""
    there = {shown.handle for step in recent for shown in step.observation.shown}
    parts: list[dict[str, Any]] = []
    for step in steps:
        for shown in step.observation.shown:
            if shown.handle not in there:
                there.add(shown.handle)
                parts.append({"type": "text", "text": observe.placeholder(shown.handle)})
                parts.append({"type": "image", "handle": shown.handle, "digest": shown.picture.digest})
    return parts
