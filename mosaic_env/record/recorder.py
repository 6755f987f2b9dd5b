"""Recording calls of live tools into a folder: resumable, safe with many processes, JSON only.

The folder is a ``diskcache`` whose values are JSON text. Its default values are pickles, which run code
when read; here a pickled value is refused, whoever wrote it. Bytes in a result become objects beside it.
Secrets are replaced before anything is written.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import diskcache

from mosaic_env.core.canon import canonical_arguments, canonical_text, digest_bytes, strict_loads
from mosaic_env.core.errors import CanonError, ConfigError, MissError, RecordError, nearest, shorten
from mosaic_env.guard.redact import environment_secrets, redact
from mosaic_env.snapshot.objects import ObjectStore
from mosaic_env.snapshot.responses import Response, response_key

Mode = Literal["replay", "record-missing", "refresh", "verify"]
MODES: tuple[Mode, ...] = ("replay", "record-missing", "refresh", "verify")
Live = Callable[[Mapping[str, Any]], Any]

_MODE_RAW = 1  # diskcache's code for a value that stands in its table as it is
_DIGEST = "sha256:"  # no JSON text begins so
_MAX_VALUE = 2**28  # bytes; what is stored in one value was in memory once


class _JsonDisk(diskcache.Disk):  # type: ignore[misc]
    """Keys are text, values are JSON text behind its digest; anything else in the folder is refused.

    Recordings of before stood without digests and are read as well.
    """

    def put(self, key: Any) -> tuple[Any, bool]:
        return str(key), True

    def get(self, key: Any, raw: bool) -> Any:
        if not raw or not isinstance(key, str):
            raise _damaged("a key is not text")
        return key

    def store(self, value: Any, read: bool, key: Any = diskcache.UNKNOWN) -> Any:
        text = canonical_text(value)
        return super().store(f"{digest_bytes(text.encode())} {text}", False, key)

    def fetch(self, mode: int, filename: str | None, value: Any, read: bool) -> Any:
        if mode != _MODE_RAW or not isinstance(value, str):
            raise _damaged("a value is not JSON text")
        if value.startswith(_DIGEST):
            named, _, value = value.partition(" ")
            if digest_bytes(value.encode("utf-8", "replace")) != named:
                raise _damaged("a value is not the one that was recorded")
        return strict_loads(value, max_bytes=_MAX_VALUE)


def _damaged(what: str) -> RecordError:
    return RecordError(
        "ME-RECORD-01", f"the recording cannot be used: {what}", expected="a folder written by the recorder",
        fix="Record again into a new folder",
    )  # fmt: skip


def json_cache(folder: Path) -> diskcache.Cache:
    """Open, or make, a ``diskcache`` whose values are JSON; safe with many threads and processes.

    Raises: RecordError (ME-RECORD-01).
    """
    try:
        return diskcache.Cache(
            str(folder), disk=_JsonDisk, eviction_policy="none", size_limit=2**50,
            sqlite_journal_mode="delete", disk_min_file_size=2**40,
        )  # fmt: skip
    except (sqlite3.DatabaseError, OSError, ValueError) as error:
        raise _damaged(str(error)) from None


class Recording:
    """A folder of recorded calls.

    Args:
        folder: The folder; made when ``create``.
        create: Make an empty recording when there is none.

    Raises: RecordError (ME-RECORD-01).
    """

    def __init__(self, folder: Path, *, create: bool = False) -> None:
        if not create and not (folder / "calls" / "cache.db").is_file():
            raise _damaged(f"there is none in {folder.name!r}")
        folder.mkdir(parents=True, exist_ok=True)
        self.objects = ObjectStore(folder)
        self._cache = json_cache(folder / "calls")

    def get(self, key: str) -> Any | None:
        """Return the record of a call, or None.

        Raises: RecordError (ME-RECORD-01), also for the record of another call.
        """
        with _readable():
            record = self._cache.get(key)
        if record is not None:
            _response(key, record)
        return record

    def put(self, response: Response) -> None:
        """Store one call; an older result of the same call is replaced."""
        record = {
            "tool": response.tool,
            "version": response.version,
            "arguments": canonical_arguments(response.arguments),
            "result": response.result,
        }
        self._cache.set(response_key(response.tool, response.version, response.arguments), record)

    def __iter__(self) -> Iterator[Response]:
        """Yield every call, by key."""
        with _readable():
            keys = sorted(self._cache.iterkeys())
        for key in keys:
            with _readable():
                record = self._cache[key]
            yield _response(key, record)

    def __len__(self) -> int:
        return len(self._cache)

    def close(self) -> None:
        """Close the folder's database."""
        self.objects.flush()
        self._cache.close()


def _response(key: str, record: Any) -> Response:
    """Return a record as the call it stands for.

    Raises: RecordError (ME-RECORD-01).
    """
    try:
        response = Response(record["tool"], record["version"], record["arguments"], record["result"])
        its_key = response_key(response.tool, response.version, response.arguments)
    except (KeyError, TypeError, AttributeError, ValueError):
        raise _damaged(f"the record {shorten(key)} lacks a field") from None
    if its_key != key:
        raise _damaged(f"the record {shorten(key)} stands under another call's key")
    return response


@contextlib.contextmanager
def _readable() -> Iterator[None]:
    """Turn what a damaged or blocked database raises, and values that are no JSON, into an error of ours."""
    try:
        yield
    except (sqlite3.DatabaseError, diskcache.Timeout) as error:
        raise _damaged(f"its database cannot be used ({type(error).__name__})") from None
    except CanonError as error:
        raise _damaged(f"a value cannot be read ({error.what})") from None


class Recorder:
    """Answers calls from a recording, and asks the live tool only as the mode allows.

    Args:
        recording: The folder.
        mode: ``replay`` never calls; ``record-missing`` calls what is missing; ``refresh`` calls always;
            ``verify`` calls always and raises when the answer differs from the recorded one.

    Raises: ConfigError (ME-CONFIG-02) for an unknown mode.
    """

    def __init__(self, recording: Recording, mode: Mode = "replay") -> None:
        if mode not in MODES:
            raise ConfigError(
                "ME-CONFIG-02", f"there is no recording mode {mode!r}", expected="one of " + ", ".join(MODES),
                nearest=nearest(mode, MODES),
            )  # fmt: skip
        self.recording = recording
        self.mode = mode
        self._secrets = environment_secrets()

    def call(self, tool: str, version: int, arguments: Mapping[str, Any], live: Live | None = None) -> Any:
        """Return the result of a call as plain data.

        Raises: MissError (ME-MISS-01) when it is not recorded and the mode or ``live`` forbids calling;
            RecordError (ME-RECORD-01) when ``verify`` finds another answer.
        """
        known = self.recording.get(response_key(tool, version, arguments))
        if known is not None and self.mode in ("replay", "record-missing"):
            return known["result"]
        if live is None or self.mode == "replay":
            raise MissError(
                "ME-MISS-01",
                f"{tool} (version {version}) is not recorded with {shorten(canonical_text(arguments), 400)}",
                expected=f"one of the {len(self.recording)} recorded calls",
                fix="Use the mode record-missing and give the live tool",
            )
        result = redact(self._stored(live(canonical_arguments(arguments))), self._secrets)
        if (
            self.mode == "verify"
            and known is not None
            and canonical_text(known["result"]) != canonical_text(result)
        ):
            raise RecordError(
                "ME-RECORD-01", f"{tool} now answers {shorten(result)}", expected=shorten(known["result"])
            )
        self.recording.put(Response(tool, version, arguments, result))
        return result

    def _stored(self, value: Any) -> Any:
        """Return the value as plain JSON data, bytes replaced by ``{"object": digest}``."""
        if isinstance(value, (bytes, bytearray)):
            return {"object": self.recording.objects.put(bytes(value)), "bytes": len(value)}
        if isinstance(value, Mapping):
            return {str(name): self._stored(item) for name, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self._stored(item) for item in value]
        return value
