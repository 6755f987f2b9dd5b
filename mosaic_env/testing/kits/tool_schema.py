"""The schema of a tool as trainers and models need it: flat, described, complete."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from mosaic_env.core.canon import canonical_text
from mosaic_env.testing.kits.base import Broken, expect
from mosaic_env.tools.base import Determinism, Tool

_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
#: JSON types by name, and the Python types of their values.
_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,), "array": (list, tuple),
}  # fmt: skip
_UNIONS = ("anyOf", "oneOf", "allOf", "$ref", "not", "if")
_MAX_DESCRIPTION = 1000


def check_declaration(tool: Tool) -> None:
    """Check name, version, description, cost and determinism class."""
    name, description = getattr(tool, "name", None), getattr(tool, "description", None)
    expect(
        isinstance(name, str) and _NAME.fullmatch(name), f"the name is {name!r}",
        "Use lower-case letters, digits and underscores, at most 64",
    )  # fmt: skip
    long = isinstance(description, str) and 0 < len(description.strip()) <= _MAX_DESCRIPTION
    expect(
        long,
        "the description is missing or too long",
        f"Write one or two sentences (up to {_MAX_DESCRIPTION})",
    )
    version, cost = tool.version, tool.cost
    expect(type(version) is int and version >= 1, f"the version is {version!r}", "Count versions from 1")
    expect(type(cost) is int and cost >= 0, f"the cost is {cost!r}", "Use a whole number of calls")
    kinds = get_args(Determinism)
    expect(
        tool.determinism in kinds, f"determinism is {tool.determinism!r}", f"Use one of {', '.join(kinds)}"
    )


def check_schema(tool: Tool) -> str:
    """Check the JSON schema of the arguments; return how many there are."""
    schema = tool.schema()
    expect(
        canonical_text(schema) == canonical_text(tool.schema()),
        "two calls of schema() give different schemas",
    )
    expect(
        schema.get("type") == "object", f"the schema's type is {schema.get('type')!r}", "Make it an object"
    )
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        raise Broken("the schema has no properties", "List the arguments, or give {}")
    expect(
        schema.get("additionalProperties") is False, "additionalProperties is not false",
        "Trainers with strict schemas need it",
    )  # fmt: skip
    for name in schema.get("required", ()):
        expect(name in properties, f"{name!r} is required and is not among the properties")
    for name, property_ in properties.items():
        _check_property(name, property_, name in schema.get("required", ()))
    return f"{len(properties)} arguments"


def _check_property(name: str, schema: Mapping[str, Any], required: bool) -> None:
    expect(
        _NAME.fullmatch(name),
        f"the argument {name!r} has no plain name",
        "Use lower-case letters and underscores",
    )
    described = isinstance(schema.get("description"), str) and schema["description"].strip()
    expect(
        described,
        f"the argument {name!r} has no description",
        "Models read nothing else: Field(description=…)",
    )
    union = next((key for key in _UNIONS if key in schema), None)
    expect(
        union is None, f"the argument {name!r} uses {union!r}",
        "Trainers take flat types only: give a default in place of None, a Literal in place of a union",
    )  # fmt: skip
    kind = schema.get("type")
    expect(kind in _TYPES, f"the argument {name!r} has the type {kind!r}", f"Use one of {', '.join(_TYPES)}")
    if kind == "array":
        item = schema.get("items", {}).get("type") if isinstance(schema.get("items"), Mapping) else None
        expect(
            item in _TYPES and item != "array", f"the items of {name!r} have the type {item!r}",
            "Give plain items: json_schema_extra={'items': {'type': 'number'}}",
        )  # fmt: skip
    if not required:
        expect("default" in schema, f"the argument {name!r} is neither required nor has a default")
        default, types = schema["default"], _TYPES[str(kind)]
        fits = isinstance(default, types) and (kind == "boolean" or not isinstance(default, bool))
        expect(fits, f"the default of {name!r} is {default!r}, not of type {kind}")


def properties_of(tool: Tool) -> Mapping[str, Mapping[str, Any]]:
    """Return the argument schemas by name."""
    found: Mapping[str, Mapping[str, Any]] = tool.schema()["properties"]
    return found


def example_arguments(tool: Tool, picture: str, entity: str, word: str) -> dict[str, Any]:
    """Return a call with every required argument, built from the schema.

    Args:
        picture, entity: Handles that exist.
        word: A text that occurs in the world.
    """
    required = tool.schema().get("required", ())
    names = [name for name in properties_of(tool) if name in required]
    return {name: _example(name, properties_of(tool)[name], picture, entity, word) for name in names}


def _example(name: str, schema: Mapping[str, Any], picture: str, entity: str, word: str) -> Any:
    if schema.get("enum"):
        return schema["enum"][0]
    kind = schema["type"]
    if kind == "string":
        return picture if "image" in name or "picture" in name else entity if "entity" in name else word
    if kind == "array":
        item = {"type": "string", **schema["items"]}
        count = max(schema.get("minItems", 1), 1)
        return [
            _example(name, item, picture, entity, word) if item["type"] == "string" else 100 * n
            for n in range(count)
        ]
    return {"integer": schema.get("minimum", 1), "number": schema.get("minimum", 1), "boolean": False}[kind]


def text_arguments(tool: Tool) -> Iterator[str]:
    """Yield the names of arguments that take text."""
    for name, schema in properties_of(tool).items():
        if schema["type"] == "string" and "enum" not in schema:
            yield name
