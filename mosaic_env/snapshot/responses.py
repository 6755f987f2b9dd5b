"""The ``responses`` section: recorded answers of tools, and a miss that explains itself.

A response is keyed by tool, version and canonical arguments (defaults filled, keys sorted, text in
NFC, integral floats as integers). A miss never becomes an empty success and never a live call.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mosaic_env.core.canon import canonical_arguments, canonical_text, digest
from mosaic_env.core.errors import MissError, shorten
from mosaic_env.snapshot.content import Misfit, parse_rows
from mosaic_env.snapshot.tables import Rows, Table, open_tables

RESPONSE_TABLES = (
    Table(
        "responses",
        (
            ("tool", "TEXT"),
            ("version", "INTEGER"),
            ("key", "TEXT"),
            ("arguments", "TEXT"),
            ("result", "TEXT"),
        ),
        key=3,
    ),
)


@dataclass(frozen=True, slots=True)
class Response:
    """A recorded call: canonical arguments and the result as plain JSON data.

    Pictures and pages inside a result are given as object digests.
    """

    tool: str
    version: int
    arguments: Mapping[str, Any]
    result: Any


def response_key(tool: str, version: int, arguments: Mapping[str, Any]) -> str:
    """Return the key a call is recorded under: a digest of tool, version and canonical arguments."""
    return digest([tool, version, canonical_arguments(arguments)])


def response_rows(responses: Iterable[Response]) -> Mapping[str, Rows]:
    """Return the rows of a ``responses`` section."""
    return {
        "responses": (
            (
                r.tool,
                r.version,
                response_key(r.tool, r.version, r.arguments),
                canonical_text(canonical_arguments(r.arguments)),
                canonical_text(r.result),
            )
            for r in responses
        )
    }


class Responses:
    """The opened ``responses`` section.

    Args:
        path: The SQLite file, already checked against the manifest.

    Raises: CorruptError (ME-CORRUPT-01, ME-CORRUPT-04).
    """

    def __init__(self, path: Path) -> None:
        table = RESPONSE_TABLES[0]
        with open_tables(path, RESPONSE_TABLES) as file:
            rows = parse_rows(file.place(table), file.rows(table), _checked)
        self._records: dict[tuple[str, int, str], tuple[str, str]] = {
            (tool, version, key): (arguments, result) for tool, version, key, arguments, result in rows
        }
        self._arguments: dict[tuple[str, int], list[str]] = {}
        for tool, version, _, arguments, _ in rows:
            self._arguments.setdefault((tool, version), []).append(arguments)

    def __len__(self) -> int:
        return len(self._records)

    def all(self) -> Iterator[Response]:
        """Yield every recorded call, by tool, version and key."""
        for (tool, version, _), (arguments, result) in self._records.items():
            yield Response(tool, version, json.loads(arguments), json.loads(result))

    def lookup(self, tool: str, version: int, arguments: Mapping[str, Any]) -> Any:
        """Return a fresh copy of the recorded result.

        Raises: MissError (ME-MISS-01) with the nearest recorded call and the first field that differs.
        """
        record = self._records.get((tool, version, response_key(tool, version, arguments)))
        if record is None:
            raise self._miss(tool, version, canonical_arguments(arguments))
        return json.loads(record[1])

    def _miss(self, tool: str, version: int, arguments: Mapping[str, Any]) -> MissError:
        asked = canonical_text(arguments)
        recorded = self._arguments.get((tool, version), [])
        return MissError(
            "ME-MISS-01",
            f"{tool} (version {version}) was not recorded with {shorten(asked, 400)}",
            expected=f"one of the {len(recorded)} recorded calls of this tool",
            nearest=_nearest_call(asked, recorded) or self._other_versions(tool, version),
            fix=(
                f"Record it: mosaic snapshot record --tool {tool} --calls CALLS.jsonl RECORDING, with the "
                f"line {shorten(asked, 400)}; then mosaic snapshot freeze --base SNAPSHOT RECORDING"
            ),
        )

    def _other_versions(self, tool: str, version: int) -> str:
        others = sorted(v for name, v in self._arguments if name == tool and v != version)
        if others:
            return f"{tool} version " + ", ".join(map(str, others))
        close = difflib.get_close_matches(tool, sorted({name for name, _ in self._arguments}), n=1)
        return close[0] if close else ""


def _checked(
    tool: str, version: int, key: str, arguments: str, result: str
) -> tuple[str, int, str, str, str]:
    """Return a row unchanged when its arguments give its key and its result is JSON."""
    plain = json.loads(arguments)
    if type(plain) is not dict or response_key(tool, version, plain) != key:
        raise Misfit("its arguments do not give its key")
    json.loads(result)
    return tool, version, key, arguments, result


def _nearest_call(asked: str, recorded: list[str]) -> str:
    """Describe the recorded arguments most like the ones asked for."""
    if not recorded:
        return ""
    # SequenceMatcher is quadratic: compare bounded prefixes, and only so many of them.
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(asked[:300])

    def likeness(text: str) -> float:
        matcher.set_seq1(text[:300])
        return matcher.ratio()

    best = max(recorded[:2000], key=lambda text: (likeness(text), text))
    return f"{shorten(best, 400)}; first difference: {_first_difference(json.loads(asked), json.loads(best))}"


def _first_difference(asked: Mapping[str, Any], recorded: Mapping[str, Any]) -> str:
    for name in sorted(asked.keys() | recorded.keys()):
        if name not in recorded:
            return f"{name} is {shorten(asked[name])}, not recorded"
        if name not in asked:
            return f"{name} is missing, recorded {shorten(recorded[name])}"
        if asked[name] != recorded[name]:
            return f"{name} is {shorten(asked[name])}, recorded {shorten(recorded[name])}"
    return "none"
