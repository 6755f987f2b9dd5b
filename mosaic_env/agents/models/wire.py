"""Between requests and the JSON of an OpenAI-compatible server: pure, and total over what a server sends."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any

from mosaic_env.agents.models.base import Message, NativeCall, Reply, Request, Usage

_MAX_TOKENS = 2**53
#: Stands for an assistant message of nothing: several providers refuse an empty one.
NOTHING = "(empty)"


def body_of(request: Request, vision: bool) -> dict[str, Any]:
    """Return what a request sends besides the model's name: settings, messages, tools.

    Args:
        vision: Send pictures as data URIs, bytes as stored. False puts a line of text in their place.

    Raises: KeyError for a picture that ``request.pictures`` does not have.
    """
    messages = [_message(message, request, vision) for message in request.messages]
    tools = {"tools": [dict(tool) for tool in request.tools]} if request.tools else {}
    return {**request.settings, "messages": messages, **tools}


def _message(message: Message, request: Request, vision: bool) -> dict[str, Any]:
    """Return a message as servers take it: a text alone is a string, which every chat template reads."""
    calls = message.get("tool_calls")
    content = message["content"]
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    sent: dict[str, Any] = {"role": message["role"]}
    if "tool_call_id" in message:
        sent["tool_call_id"] = message["tool_call_id"]
    if vision and any(part["type"] == "image" for part in parts):
        sent["content"] = [_part(part, request) for part in parts]
        return sent
    text = "\n".join(_line(part) for part in parts)
    if calls:
        return {**sent, "content": text or None, "tool_calls": [_sendable(call) for call in calls]}
    sent["content"] = text or (NOTHING if message["role"] == "assistant" else "")
    return sent


def _part(part: Mapping[str, Any], request: Request) -> dict[str, Any]:
    if part["type"] == "text":
        return {"type": "text", "text": _clean(part["text"])}
    media_type, data = request.pictures(part["digest"])
    url = f"data:{media_type};base64,{base64.b64encode(data).decode('ascii')}"
    return {"type": "image_url", "image_url": {"url": url}}


def _line(part: Mapping[str, Any]) -> str:
    if part["type"] == "text":
        return _clean(part["text"])
    return f"[the picture {part['handle']} is left out: this model is sent no pictures]"


def _sendable(value: Any) -> Any:
    if isinstance(value, str):
        return _clean(value)
    if isinstance(value, Mapping):
        return {_clean(name): _sendable(item) for name, item in value.items()}
    return value


def _clean(text: str) -> str:
    """Return a text that can be sent: a lone surrogate has no UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")


def reply_of(payload: Any, prices: Sequence[float]) -> Reply | None:
    """Return the reply in a server's JSON, or None when it holds none.

    Args:
        payload: Any JSON value.
        prices: US dollars per million tokens, of the prompt and of the completion.
    """
    choices = _get(payload, "choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = _get(choice, "message")
    if not isinstance(message, dict):
        return None
    text = _text(message.get("content")) or _text(message.get("refusal"))
    listed = message.get("tool_calls")
    calls = tuple(_call(item) for item in listed) if isinstance(listed, list) else ()
    finish = _get(choice, "finish_reason")
    return Reply(
        text, calls, _usage(_get(payload, "usage"), prices), finish if isinstance(finish, str) else ""
    )


def _call(item: Any) -> NativeCall:
    function = _get(item, "function")
    arguments = _get(function, "arguments")
    written = arguments if isinstance(arguments, str) else "" if arguments is None else json.dumps(arguments)
    return NativeCall(_text(_get(function, "name")), written, _text(_get(item, "id")))


def _usage(usage: Any, prices: Sequence[float]) -> Usage:
    prompt, completion = _count(_get(usage, "prompt_tokens")), _count(_get(usage, "completion_tokens"))
    return Usage(prompt, completion, (prompt * prices[0] + completion * prices[1]) / 1e6)


def _count(value: Any) -> int:
    return value if type(value) is int and 0 <= value <= _MAX_TOKENS else 0


def _text(value: Any) -> str:
    """Return text, or the texts of content parts; ``""`` for anything else."""
    if isinstance(value, list):
        texts = [_get(part, "text") for part in value]
        return "".join(text for text in texts if isinstance(text, str))
    return value if isinstance(value, str) else ""


def _get(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


def problem_of(payload: Any) -> str:
    """Return what a server says is wrong with a request, or ``""``."""
    error = _get(payload, "error")
    said = _get(error, "message") if isinstance(error, dict) else error or _get(payload, "message")
    return said if isinstance(said, str) else ""
