"""What a tool is, and how it is registered.

A tool validates its arguments with a pydantic model (the JSON schema follows from it), never raises
for anything a model wrote, and knows pictures and entities by handles only. A tool that searches
*asks* by yielding a ``Search`` and gets ``Hits`` back; so the environment can answer the questions
of many episodes with one search:

    @register_tool
    class Shout(Tool):
        name = "shout"
        description = "Say a text loudly."

        class Arguments(ToolArguments):
            text: str = Field(description="What to say.")

        def run(self, arguments, context):
            return ToolResult({"said": arguments.text.upper()})
"""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from mosaic_env.core.errors import ToolDefinitionError
from mosaic_env.core.registry import IDENTIFIER, Registry
from mosaic_env.core.types import Hits, Search, ToolResult
from mosaic_env.index.world import World
from mosaic_env.tools.handles import Handles

#: What a tool may do: return at once, or ask the index first.
Asking = Generator[Search, Hits, ToolResult]
Determinism = Literal["computed", "recorded", "sandboxed"]


class ToolArguments(BaseModel):
    """Base of argument models: flat fields with descriptions; unknown arguments are reported, not fatal."""

    # Numbers become text where text is wanted: a model that searches for 1984 may write it bare.
    model_config = ConfigDict(
        frozen=True, extra="ignore", hide_input_in_errors=True, coerce_numbers_to_str=True
    )


class ToolError(Exception):
    """A failure the model is told about: short, stable, without keys, paths or gold.

    Args:
        code: Stable code (``unknown_handle``).
        message: One sentence.
        hint: What to write instead.
        by: Whose failure it is: ``env`` when no call could have worked.
    """

    def __init__(
        self, code: str, message: str, hint: str = "", *, by: Literal["policy", "env"] = "policy"
    ) -> None:
        super().__init__(message)
        self.code, self.message, self.hint, self.by = code, message, hint, by

    def result(self) -> ToolResult:
        """Return the failure as a result."""
        return ToolResult(error={"code": self.code, "message": self.message, "hint": self.hint})


@dataclass(frozen=True, slots=True)
class ToolSettings:
    """How results are shown; part of the environment's configuration.

    Args:
        facts: Search the facts field (``corpus="closed"``).
        show_ids: Show knowledge-base keys and scores (preset ``repo``).
        show_images: Attach pictures to observations.
        attach_text_results: ``local_text_search`` attaches pictures as well (preset ``repo``).
        max_rows: Cap on ``top_k``.
    """

    facts: bool = False
    show_ids: bool = False
    show_images: bool = True
    attach_text_results: bool = False
    max_rows: int = 50


@dataclass(slots=True)
class ToolContext:
    """What a tool may use: the world, the episode's handles, the settings, and notes to the model.

    Args:
        warnings: Sentences the tool adds for the model (a clamped argument).
        inputs: Handles the tool used.
    """

    world: World
    handles: Handles
    settings: ToolSettings
    warnings: list[str]
    inputs: list[str]


class Tool(ABC):
    """Base of all tools; subclasses set the class attributes and write ``run``."""

    name: ClassVar[str]
    version: ClassVar[int] = 1
    #: One or two sentences for the model.
    description: ClassVar[str]
    #: What a call costs of an interaction's calls.
    cost: ClassVar[int] = 1
    determinism: ClassVar[Determinism] = "computed"
    #: Routes that the tool searches; a tool without its index is absent from the schemas.
    routes: ClassVar[tuple[str, ...]] = ()
    Arguments: ClassVar[type[ToolArguments]] = ToolArguments

    def available(self, world: World) -> bool:
        """Tell whether the tool can work in a world."""
        return all(world.has_route(route) for route in self.routes)

    @abstractmethod
    def run(self, arguments: Any, context: ToolContext) -> ToolResult | Asking:
        """Do the work: return a result, or be a generator that yields searches and returns one.

        Raises: ToolError for anything the model should know. Other exceptions are faults of the
            environment: the episode goes on and says so, and the logger ``mosaic_env`` gets a warning
            with the traceback. So do results that are no ToolResult.
        """

    def validate(self, arguments: Mapping[str, Any], context: ToolContext) -> ToolArguments:
        """Return the validated arguments.

        Raises: ToolError (``bad_argument``).
        """
        unknown = arguments.keys() - self._argument_names()
        if unknown:
            known = ", ".join(self.Arguments.model_fields) or "none"
            names = ", ".join(sorted(_short(name) for name in unknown)[:5])
            context.warnings.append(f"ignored unknown arguments: {names} (known: {known})")
        try:
            return self.Arguments.model_validate(dict(arguments))
        except ValidationError as error:
            raise _bad_argument(self, error) from None

    @classmethod
    @cache
    def _argument_names(cls) -> frozenset[str]:
        return frozenset(cls.Arguments.model_fields)

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the arguments, flat and without titles."""
        return _plain_schema(self.Arguments.model_json_schema())


def check_result(result: ToolResult, context: ToolContext) -> None:
    """Refuse a result that no episode can hold: a mistake of the tool's author.

    Raises: TypeError.
    """
    data, error = result.data, result.error
    right = (
        isinstance(data, Mapping)
        if error is None
        else data is None
        and isinstance(error, Mapping)
        and all(isinstance(error.get(name), str) for name in ("code", "message", "hint"))
    )
    texts = (*result.show, *result.ranked, *context.inputs, result.modality, result.source)
    known = context.handles.pictures
    if (
        not right
        or not all(isinstance(text, str) for text in texts)
        or not all(handle in known for handle in result.show)
        or not isinstance(result.reproducible, bool)
    ):
        raise TypeError("the result is not one of data and error, or names what does not exist")


def _bad_argument(tool: Tool, error: ValidationError) -> ToolError:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(_short(part) for part in first["loc"]) or "arguments"
    required = ", ".join(name for name, f in tool.Arguments.model_fields.items() if f.is_required()) or "none"
    return ToolError(
        "bad_argument", f"{where}: {first['msg'][:160]}", f"arguments of {tool.name}: required {required}"
    )


def _short(value: object) -> str:
    text = str(value)[:40]
    return text.encode("utf-8", "replace").decode("utf-8")


def _plain_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    properties = {
        name: {key: value for key, value in field.items() if key != "title"}
        for name, field in schema.get("properties", {}).items()
    }
    return {
        "type": "object",
        "properties": properties,
        "required": list(schema.get("required", ())),
        "additionalProperties": False,
    }


#: All tools by name, instances. ``load_builtin`` fills in the package's own.
TOOLS: Registry[Tool] = Registry("tool", IDENTIFIER)

_BUILTIN = (
    "text_search", "text_to_image_search", "image_search", "image_crop", "view_image", "list_images",
    "python_eval", "graph_neighbors",
)  # fmt: skip


def register_tool(cls: type[Tool]) -> type[Tool]:
    """Register a tool class under its ``name``; use it as a decorator.

    Raises: ToolDefinitionError (ME-TOOL-01), RegistryError (ME-REGISTRY-02 taken, -03 no name).
    """
    for attribute in ("name", "description"):
        if not isinstance(getattr(cls, attribute, None), str) or not getattr(cls, attribute):
            raise ToolDefinitionError(
                "ME-TOOL-01",
                f"the tool class {cls.__name__} has no {attribute}",
                expected=f"a text as {attribute}",
            )
    undescribed = [name for name, field in cls.Arguments.model_fields.items() if not field.description]
    if undescribed:
        raise ToolDefinitionError(
            "ME-TOOL-01",
            f"the argument {undescribed[0]!r} of {cls.name} has no description",
            expected="a description for every argument: models read nothing else",
            fix="Write Field(description=…)",
        )
    TOOLS.add(cls.name, cls())
    return cls


def load_builtin() -> Registry[Tool]:
    """Import the package's own tools (which registers them) and return the registry."""
    for module in _BUILTIN:
        importlib.import_module(f"mosaic_env.tools.{module}")
    return TOOLS
