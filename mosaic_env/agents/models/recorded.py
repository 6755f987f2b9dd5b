"""Answers kept in a folder: a run that was recorded plays again without a server, to the byte.

An answer is found by the model's name, the request's digest and its ``sample``. Values are JSON, never pickles.
Each message is stored once, so that a chat that grows costs what it grew by, and a miss can say where
a request leaves the recorded ones.

    answers/  (name, digest, sample) ─► {model, sample, asked, settings, tools, messages: [digests], reply}
              message digest ─► message
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import diskcache

from mosaic_env.agents.models.base import Model, NativeCall, Reply, Request, Usage
from mosaic_env.core.canon import digest
from mosaic_env.core.errors import CanonError, ModelError, RecordError, shorten
from mosaic_env.guard.redact import environment_secrets, redact
from mosaic_env.record.recorder import json_cache

_ANSWER, _MESSAGE = "answer:", "message:"


class RecordedModel:
    """A model whose answers are kept. Safe with many threads and processes on one folder.

    The first answer to be stored is everyone's: two workers that ask the same at once both get it, so that
    what a recording run played is what its replay plays. Secrets of the environment are replaced in what is
    stored, and therefore in what is returned.

    Args:
        folder: Where answers are.
        inner: Asked for what is missing; None replays only.
        name: The model's name, to replay; taken from ``inner`` when it is given.

    Raises: RecordError (ME-RECORD-01) when there is nothing to replay, or the folder is damaged.
    """

    def __init__(self, folder: Path, inner: Model | None = None, *, name: str = "") -> None:
        if inner is None and not (folder / "answers" / "cache.db").is_file():
            raise RecordError(
                "ME-RECORD-01", f"there are no recorded answers in {folder.name!r}",
                expected="a folder that a model was recorded into",
            )  # fmt: skip
        folder.mkdir(parents=True, exist_ok=True)
        self._inner = inner
        self._name = name if inner is None else inner.name
        self._cache = json_cache(folder / "answers")

    @property
    def name(self) -> str:
        """The name of the model whose answers these are."""
        return self._name

    def complete(self, request: Request) -> Reply:
        """Return the recorded answer, or ask for it and record it.

        Raises: ModelError (ME-MODEL-03) for a miss without ``inner``, what ``inner`` raises,
            RecordError (ME-RECORD-01) for a damaged record.
        Cost: a lookup, about 0.1 ms; storing, a few ms.
        """
        key = _ANSWER + digest([self._name, request.digest, request.sample])
        with _readable():
            record = self._cache.get(key, retry=True)
        if record is not None:
            return _reply(record, request)
        if self._inner is None:
            with _readable():
                raise self._miss(request)
        reply = self._inner.complete(request)
        with _readable():
            self._store(key, request, reply)
            return _reply(self._cache[key], request)

    def close(self) -> None:
        """Close the folder's database; the next request opens it again."""
        self._cache.close()

    def _store(self, key: str, request: Request, reply: Reply) -> None:
        messages = [_plain(message) for message in request.messages]
        record = {
            "model": self._name,
            "sample": request.sample,
            "asked": request.digest,
            "settings": dict(request.settings),
            "tools": digest(list(request.tools)),
            "messages": [digest(message) for message in messages],
            "reply": reply.as_dict(),
        }
        secrets = environment_secrets()
        with self._cache.transact(retry=True):
            for name, message in zip(record["messages"], messages, strict=True):
                self._cache.add(_MESSAGE + name, redact(message, secrets))
            self._cache.add(key, redact(record, secrets))

    # --- explaining a miss --------------------------------------------------------------------------

    def _miss(self, request: Request) -> ModelError:
        messages = [_plain(message) for message in request.messages]
        digests = [digest(message) for message in messages]
        near = max(self._records(), key=lambda record: _common(record["messages"], digests), default=None)
        what = f"the recording of {self._name!r} holds no answer to this request of {len(messages)} messages"
        fix = "Record it with the model, or replay with the settings, tools and agent of the recording"
        if near is None:
            return ModelError(
                "ME-MODEL-03", what, expected=f"one of the answers of {self._recorded_names()}", fix=fix
            )
        return ModelError(
            "ME-MODEL-03", what, nearest=self._difference(near, request, messages, digests), fix=fix
        )

    def _records(self) -> Iterator[Mapping[str, Any]]:
        for key in sorted(self._cache.iterkeys()):
            if key.startswith(_ANSWER) and (record := self._cache.get(key)) and record["model"] == self._name:
                yield record

    def _recorded_names(self) -> str:
        records = (self._cache[key] for key in self._cache.iterkeys() if key.startswith(_ANSWER))
        return ", ".join(sorted({repr(record["model"]) for record in records})) or "no model"

    def _difference(
        self, near: Mapping[str, Any], request: Request, messages: list[Any], digests: list[str]
    ) -> str:
        """Say where a request leaves the recorded one that is most like it."""
        there = near["messages"]
        same = _common(there, digests)
        if same < len(digests) and same < len(there):
            recorded, asked = _texts(self._cache.get(_MESSAGE + there[same])), _texts(messages[same])
            at = _common(recorded, asked)
            return (
                f"message {same + 1} ({messages[same]['role']}) differs at character {at + 1}: "
                f"recorded {shorten(recorded[at : at + 60])}, asked {shorten(asked[at : at + 60])}"
            )
        if len(there) != len(digests):
            return f"a request of {len(there)} messages, the first {same} of them the same"
        if near["settings"] != dict(request.settings):
            return f"the same messages with the settings {shorten(near['settings'])}, not {shorten(request.settings)}"
        if near["tools"] != digest(list(request.tools)):
            return "the same messages with other tools"
        return f"the same request as sample {near['sample']!r}, not {request.sample!r}"


@contextlib.contextmanager
def _readable() -> Iterator[None]:
    """Turn what a damaged or blocked database raises into an error of ours."""
    try:
        yield
    except (sqlite3.DatabaseError, diskcache.Timeout, CanonError) as error:
        raise _damaged(f"the database of answers cannot be used ({error})") from None


def _damaged(what: str) -> RecordError:
    return RecordError(
        "ME-RECORD-01", what, expected="what a recording run wrote", fix="Record again into a new folder"
    )


def _plain(message: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in message.items() if name not in ("source", "trainable")}


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many elements (messages, characters) two sequences share from the start."""
    same = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        same += 1
    return same


def _texts(message: Any) -> str:
    """Return what a message says, to compare it with another."""
    content = message.get("content", "") if isinstance(message, dict) else ""
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text") or part.get("digest")) for part in content)


def _reply(record: Any, request: Request) -> Reply:
    """Return a stored reply.

    Raises: RecordError (ME-RECORD-01), also for the reply to another request.
    """
    try:
        if record.get("asked", request.digest) != request.digest or record["sample"] != request.sample:
            raise _damaged("a recorded answer stands under another request's key")
        plain = record["reply"]
        calls = tuple(NativeCall(**call) for call in plain["calls"])
        return Reply(plain["text"], calls, Usage(**plain["usage"]), plain["finish"])
    except (KeyError, TypeError, AttributeError):
        raise _damaged("a recorded answer lacks a field") from None
