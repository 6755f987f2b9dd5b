"""The arrays of index files, checked when a file is first opened: names, types, shapes and ranges.

A file that breaks a rule here would crash a search, or answer it with rows that do not exist. Must
not: read files, or compare an index with what it was built from; see ``index.check``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mosaic_env.index.descriptor import DIMENSIONS as WINDOW_DIMENSIONS
from mosaic_env.index.descriptor import WINDOWS
from mosaic_env.index.ngrams import DESCRIPTION_DIMENSIONS, DIMENSIONS, NAME_DIMENSIONS
from mosaic_env.index.vectors import LIMIT, MAX_DIMENSIONS
from mosaic_env.snapshot.content import Misfit, reading

Arrays = Mapping[str, npt.NDArray[Any]]

#: Of the text index; an index of another version has other arrays.
LEXICAL_VERSION = 2
FIELDS = ("words", "mentions", "facts")
_BLOCKS = {"names": NAME_DIMENSIONS, "descriptions": DESCRIPTION_DIMENSIONS}
#: Type and number of axes of every array of the text index.
_TEXT: dict[str, tuple[str, int]] = {
    **{f"{name}.{part}": (kind, 1) for name in FIELDS for part, kind in (
        ("vocabulary", "uint8"), ("offsets", "int64"), ("rows", "int32"), ("impacts", "uint8"), ("unseen", "int32"),
    )},
    **{f"ngrams.{name}.{part}": (kind, 1) for name in _BLOCKS for part, kind in (
        ("vocabulary", "uint8"), ("slots", "int16"), ("weights", "int16"),
    )},
    "ngrams.vectors": ("int8", 2),
    "facts.words": ("uint8", 1),
    "facts.weights": ("int32", 1),
}  # fmt: skip
_ROUTE = {"vectors": ("int8", 2), "rows": ("int32", 1)}
#: The fields of a route's record by kind, with their types.
_ROUTE_FIELDS: dict[str, dict[str, type | tuple[type, ...]]] = {
    "lexical": {"version": int, "dimensions": int},
    "windows": {"encoder": dict},
    "vectors": {"exactness": str, "encoder": dict, "scale": (int, float), "probes": list},
}
_ROUTE_NAMES = {"text", "image", "text_to_image"}


def checked_routes(detail: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the record of each route of an index.

    Raises: CorruptError (ME-CORRUPT-04) for an unknown route or kind, and for a field of another type.
    """
    place = "the section index"
    with reading(place):
        routes: Mapping[str, Any] = detail["routes"]
        if "text" not in routes or not routes.keys() <= _ROUTE_NAMES:
            raise Misfit("it has no route for text, or one that is not known")
        for name, record in routes.items():
            kind = record["kind"]
            right = all(isinstance(record[field], kinds) for field, kinds in _ROUTE_FIELDS[kind].items())
            if not right or (name != "text" and kind == "lexical") or (name != "image" and kind == "windows"):
                raise Misfit(f"the record of the route {name} is not one of its kind")
            if kind == "lexical" and record["version"] != LEXICAL_VERSION:
                raise Misfit(
                    f"its text index is of version {record['version']}, and this release reads {LEXICAL_VERSION}: "
                    "build the snapshot again"
                )
            if kind == "vectors" and not 0 < record["scale"] < float("inf"):
                raise Misfit(f"the scale of the route {name} is not a positive number")
    return routes


def vocabulary(data: npt.NDArray[Any]) -> dict[str, int]:
    """Return the number of each token of a stored vocabulary."""
    text = data.tobytes().decode()
    return {token: number for number, token in enumerate(text.split("\n"))} if text else {}


def text_arrays(data: bytes, entities: int) -> Arrays:
    """Return the checked arrays of the text index.

    Args:
        entities: How many entities the knowledge base has.

    Raises: CorruptError (ME-CORRUPT-04).
    """
    with reading("the index file for 'text'"):
        arrays = _load(data, _TEXT)
        for name in FIELDS:
            _check_field(arrays, name, entities)
        if len(vocabulary(arrays["facts.words"])) != len(arrays["facts.weights"]):
            raise Misfit("facts.words and facts.weights do not fit")
        _check_range(arrays, "facts.weights", 0)
        for name, dimensions in _BLOCKS.items():
            _check_block(arrays, f"ngrams.{name}", dimensions)
        if arrays["ngrams.vectors"].shape != (entities, DIMENSIONS):
            raise Misfit(f"ngrams.vectors are not {entities} vectors of {DIMENSIONS} components")
        _check_range(arrays, "ngrams.vectors", -LIMIT)
    return arrays


def route_arrays(data: bytes, role: str, rows: Sequence[int], record: Mapping[str, Any]) -> Arrays:
    """Return the checked arrays of a vector route: ``vectors`` and ``rows``.

    Args:
        role: What the file is for (``image``).
        rows: The entity rows that the route must hold.
        record: The route's record.

    Raises: CorruptError (ME-CORRUPT-04).
    """
    with reading(f"the index file for {role!r}"):
        arrays = _load(data, _ROUTE)
        if not np.array_equal(arrays["rows"], rows):
            raise Misfit("its rows are not the entities that the knowledge base has for it")
        windows = record["kind"] == "windows"
        count, width = arrays["vectors"].shape
        if count != len(rows) * (len(WINDOWS) if windows else 1):
            raise Misfit(f"it has {count} vectors for {len(rows)} entities")
        if not 1 <= width <= MAX_DIMENSIONS or (windows and width != WINDOW_DIMENSIONS):
            raise Misfit(f"its vectors have {width} components")
        _check_range(arrays, "vectors", -LIMIT)
    return arrays


def _load(data: bytes, expected: Mapping[str, tuple[str, int]]) -> Arrays:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        arrays: Arrays = load(data)
    except SafetensorError:
        raise Misfit("it is not a whole safetensors file") from None
    found = {name: (str(array.dtype), array.ndim) for name, array in arrays.items()}
    if found != dict(expected):
        wrong = sorted(name for name in found.keys() | expected if found.get(name) != expected.get(name))
        raise Misfit(f"the array {wrong[0][:60]!r} is missing, not known, or of another type or shape")
    return arrays


def _check_field(arrays: Arrays, name: str, entities: int) -> None:
    """Check postings: every token has some, in ascending rows that exist."""
    offsets, rows = arrays[f"{name}.offsets"], arrays[f"{name}.rows"]
    tokens = len(vocabulary(arrays[f"{name}.vocabulary"]))
    ends = len(offsets) and int(offsets[0]) == 0 and int(offsets[-1]) == len(rows)
    if not ends or len(offsets) != tokens + 1 or bool((np.diff(offsets) < 1).any()):
        raise Misfit(f"{name}.offsets do not divide {name}.rows into the postings of each token")
    _check_range(arrays, f"{name}.rows", 0, entities - 1)
    rising = np.diff(rows) > 0
    rising[offsets[1:-1] - 1] = True  # from one token to the next
    if not rising.all():
        raise Misfit(f"{name}.rows do not ascend within a token")
    if len(arrays[f"{name}.impacts"]) != len(rows) or arrays[f"{name}.unseen"].shape != (1,):
        raise Misfit(f"{name}.impacts or {name}.unseen do not fit {name}.rows")
    _check_range(arrays, f"{name}.impacts", 1)
    _check_range(arrays, f"{name}.unseen", 0)


def _check_block(arrays: Arrays, name: str, dimensions: int) -> None:
    tokens = len(vocabulary(arrays[f"{name}.vocabulary"]))
    if {len(arrays[f"{name}.slots"]), len(arrays[f"{name}.weights"])} != {tokens}:
        raise Misfit(f"{name}.slots or {name}.weights do not fit {name}.vocabulary")
    _check_range(arrays, f"{name}.slots", 0, dimensions - 1)


def _check_range(arrays: Arrays, name: str, least: int, most: int | None = None) -> None:
    array = arrays[name]
    if array.size and (int(array.min()) < least or (most is not None and int(array.max()) > most)):
        raise Misfit(f"{name} hold a number out of range")
