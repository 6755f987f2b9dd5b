"""An agent with a model: it asks ``SEARCH: words`` or ``ANSWER: words`` of it and turns that into actions."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

Chat = list[dict[str, Any]]


def make_agent(ask: Callable[[str], str]) -> Callable[[Chat], str]:
    """Return an agent whose model is ``ask``: prompt in, text out."""

    def agent(chat: Chat) -> str:
        kind, _, words = ask(prompt_of(chat)).partition(":")
        words = words.strip()
        return f"<done>{words}</done>" if kind == "ANSWER" else f"<query>{words}</query>"

    return agent


def prompt_of(chat: Chat) -> str:
    """Return what the model reads: the question and the last results."""
    question, last = (text_of(message) for message in (chat[1], chat[-1]))
    results = last if len(chat) > 2 else "nothing yet"
    return f"{question}\nYou found: {results}\nWrite SEARCH: words, or ANSWER: words."


def text_of(message: dict[str, Any]) -> str:
    """Return the text of a message without its pictures."""
    return "\n".join(part["text"] for part in message["content"] if part["type"] == "text")


def pretend_model(prompt: str) -> str:
    """Stand in for the client of a real model, so that the example needs no network."""
    if "nothing yet" in prompt:
        names = re.findall(r"[A-Z]\w+(?: [A-Z]\w+)+", prompt.splitlines()[0])
        return "SEARCH: " + " ".join(names or ["picture"])
    label = re.search(r'"label":"([^"]+)"', prompt)
    return "ANSWER: " + (label.group(1) if label else "unknown")
