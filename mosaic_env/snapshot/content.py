"""What a section may hold: whatever is wrong with it becomes one error that names the place.

The digests say that bytes are those the manifest names; they do not say that whoever signed it wrote
sense. Every section is parsed through this module. Must not: quote content, which may be gold.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from mosaic_env.core.canon import MAX_JSON_INT
from mosaic_env.core.errors import CorruptError, SnapshotError

T = TypeVar("T")

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
#: What reading damaged plain data may raise.
_FAULTS = (ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError)


class Misfit(ValueError):
    """What is wrong with a value, in words that do not quote it."""


def unfit(place: str, why: str) -> CorruptError:
    """Return the error for content that has not the form its place must have."""
    return CorruptError(
        "ME-CORRUPT-04",
        f"{place} cannot be read: {why}",
        expected="content as this package writes it",
        fix="Restore the snapshot from a good copy, or build it again; "
        "'mosaic snapshot verify' lists all damage",
    )


@contextmanager
def reading(place: str) -> Iterator[None]:
    """Turn whatever goes wrong while content is read into a CorruptError (ME-CORRUPT-04) naming the place."""
    try:
        yield
    except SnapshotError:
        raise
    except _FAULTS as error:
        raise unfit(place, _reason(error)) from None


def parse_rows(place: str, rows: Iterable[tuple[Any, ...]], parse: Callable[..., T]) -> list[T]:
    """Return ``parse(*row)`` of each row.

    Raises: CorruptError (ME-CORRUPT-04) naming the place and the number of the row, from 1.
    """
    parsed: list[T] = []
    for row in rows:
        try:
            parsed.append(parse(*row))
        except SnapshotError:
            raise
        except _FAULTS as error:
            raise unfit(f"{place}, row {len(parsed) + 1}", _reason(error)) from None
    return parsed


def _reason(error: Exception) -> str:
    return (
        str(error) if isinstance(error, Misfit) else f"it is not what it should be ({type(error).__name__})"
    )


# --- forms ----------------------------------------------------------------------------------------


def fields(value: Any, kinds: Mapping[str, type]) -> dict[str, Any]:
    """Return a plain object unchanged when it has exactly the given fields, each of its type.

    Raises: Misfit.
    """
    if type(value) is not dict or value.keys() != kinds.keys():
        raise Misfit("it is not an object with the fields " + ", ".join(kinds))
    for name, kind in kinds.items():
        if type(value[name]) is not kind:
            raise Misfit(f"its field {name} is not of the type {kind.__name__}")
    return value


def items(value: Any, kind: type, what: str) -> tuple[Any, ...]:
    """Return a list as a tuple when all its items have one type.

    Raises: Misfit.
    """
    if type(value) is not list or any(type(item) is not kind for item in value):
        raise Misfit(f"its {what} are not a list of the type {kind.__name__}")
    return tuple(value)


def json_items(text: str, kind: type, what: str) -> tuple[Any, ...]:
    """Return the items of a JSON list, all of one type.

    Raises: ValueError, RecursionError.
    """
    return items(json.loads(text), kind, what)


def digest(text: str) -> str:
    """Return a digest unchanged.

    Raises: Misfit for anything but ``sha256:`` and 64 hexadecimal digits.
    """
    if type(text) is not str or not _DIGEST.fullmatch(text):
        raise Misfit("it holds something else than sha256: and 64 hexadecimal digits as a digest")
    return text


def whole(number: Any, least: int = 0) -> int:
    """Return a whole number unchanged.

    Raises: Misfit for another type, or outside of ``least`` to 2**53.
    """
    if type(number) is not int or not least <= number <= MAX_JSON_INT:
        raise Misfit(f"it holds something else than a whole number of at least {least}")
    return number
