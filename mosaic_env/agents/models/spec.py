"""What it takes to open a model, as data: written into run folders, sent to worker processes.

Must not: hold a secret. A key is named by the environment variable it stands in; an address with a user,
a password or a query, and settings that look like a secret, are refused without being quoted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from mosaic_env.core.canon import canonical_text
from mosaic_env.core.errors import CanonError, ModelError
from mosaic_env.core.types import Plain
from mosaic_env.guard.redact import redact

#: Where models of OpenAI itself are; the only address that gets ``OPENAI_API_KEY`` without being told to.
DEFAULT_URL = "https://api.openai.com/v1"
DEFAULT_KEY = "OPENAI_API_KEY"
#: What a request is made of besides its settings, and what would change the form of the answer.
RESERVED = ("messages", "model", "n", "stream", "stream_options", "tools", "extra_headers", "extra_query")


@dataclass(frozen=True)
class ModelSpec(Plain):
    """How to get answers from a model.

    Args:
        name: The provider's name of the model, for example ``gpt-5.4-mini``; reports and recordings show it.
        base_url: Address of an OpenAI-compatible server, ``/v1`` included; empty is OpenAI's own.
        api_key_env: Name of the environment variable that holds the key. Empty: ``OPENAI_API_KEY`` for
            OpenAI's own address, and no key for any other, so that no key reaches a host it is not for.
        settings: What every request carries: ``temperature``, ``max_tokens``, ``seed``, ``stop`` and what
            else the provider takes. Agents put it into their requests, and so it is covered by recordings.
        vision: Send pictures. False leaves each out with a line of text in its place.
        record_to: Folder that answers are recorded into; what is in it already is not asked again.
        replay_from: Folder that answers come from; no server is asked.
        timeout: Seconds one attempt may take to connect, and between two parts of an answer.
        attempts: How often a request is tried when the server is busy, fails or cannot be reached.
        concurrency: Requests of one process that may be under way at once.
        prices: US dollars per million tokens, of prompts and of completions; nothing is known by itself.
        script: ``module:function`` in place of a server: takes the request, returns a text or a ``Reply``.

    Raises: ModelError (ME-MODEL-01) for values that cannot work or that hold a secret.
    """

    name: str
    base_url: str = ""
    api_key_env: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    vision: bool = True
    record_to: str = ""
    replay_from: str = ""
    timeout: float = 120.0
    attempts: int = 4
    concurrency: int = 8
    prices: tuple[float, float] = (0.0, 0.0)
    script: str = ""

    def __post_init__(self) -> None:
        _check_name(self.name)
        if self.base_url:
            check_url(self.base_url)
        check_settings(self.settings)
        _check_key_name(self.api_key_env)
        counts = {"attempts": self.attempts, "concurrency": self.concurrency}
        for name, count in counts.items():
            if type(count) is not int or count < 1:
                raise _wrong(f"{name}={count!r} gives no answer", "a whole number of at least 1")
        if not 0 < self.timeout < float("inf"):
            raise _wrong(f"timeout={self.timeout!r} gives no answer", "seconds, above 0")
        object.__setattr__(self, "prices", tuple(self.prices))  # JSON has no tuples
        if len(self.prices) != 2 or not all(0 <= price < 1e9 for price in self.prices):
            raise _wrong("the prices are wrong", "two numbers of at least 0: US dollars per million tokens")
        if self.record_to and self.replay_from:
            raise _wrong(
                "a model cannot record and replay at once", "one of the two",
                "Recording into a folder uses what is in it already",
            )  # fmt: skip

    @property
    def key_name(self) -> str:
        """The environment variable whose value is sent as the key, or ``""`` for none."""
        return self.api_key_env or ("" if self.base_url else DEFAULT_KEY)

    @property
    def place(self) -> str:
        """Scheme, host and port of the address: all that messages show of it."""
        parts = urlsplit(self.base_url or DEFAULT_URL)
        return f"{parts.scheme}://{parts.netloc}"


def check_url(url: str) -> None:
    """Refuse an address that is none or may hold a secret.

    Raises: ModelError (ME-MODEL-01), which does not quote the address.
    """
    expected = "an address like http://localhost:8000/v1"
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise _wrong("the model's address cannot be read", expected) from None
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise _wrong(
            "the model's address holds a user, a password or a query, which would be written into files",
            expected, "Put the key into an environment variable and name that with api_key_env",
        )  # fmt: skip
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        raise _wrong("the model's address is not one of a web server", expected)


def check_settings(settings: Mapping[str, Any]) -> None:
    """Refuse settings that are not plain data, that requests set themselves, or that look like a secret.

    Raises: ModelError (ME-MODEL-01), which quotes no value.
    """
    taken = [name for name in RESERVED if name in settings]
    if taken:
        raise _wrong(f"the setting {taken[0]!r} cannot be given", "settings of sampling, like temperature")
    try:
        plain = canonical_text(dict(settings))
    except CanonError:
        raise _wrong("the model's settings are not plain data", "numbers, texts, lists and objects") from None
    if canonical_text(redact(dict(settings))) != plain:
        raise _wrong(
            "the model's settings hold what looks like a secret", "settings of sampling, like temperature",
            "Put the key into an environment variable and name that with api_key_env",
        )  # fmt: skip


def _check_name(name: str) -> None:
    if not isinstance(name, str) or not name.strip() or redact(name) != name or len(name) > 300:
        raise _wrong("the model has no name, or one that looks like a secret", "the provider's model name")


def _check_key_name(name: str) -> None:
    """Refuse a key where the name of a variable belongs, without quoting it."""
    if name and (not name.replace("_", "").isalnum() or name[0].isdigit() or redact(name) != name):
        raise _wrong(
            "api_key_env is not the name of an environment variable", "a name like OPENAI_API_KEY",
            "Give the variable's name, not the key",
        )  # fmt: skip


def _wrong(what: str, expected: str, fix: str = "") -> ModelError:
    return ModelError("ME-MODEL-01", what, expected=expected, fix=fix)
