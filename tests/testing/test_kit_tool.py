"""``check_tool`` finds what is planted in small broken tools, and says what to fix."""

from __future__ import annotations

import itertools
import platform
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, Literal

import pytest
from pydantic import Field

from mosaic_env.core.types import Search, ToolResult
from mosaic_env.index.world import World, open_world
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.testing import CheckFailed, check_tool
from mosaic_env.tools.base import TOOLS, Tool, ToolArguments, ToolContext, ToolError
from mosaic_env.tools.rows import find_picture


@pytest.fixture(scope="module")
def world(tiny: Path) -> World:
    return open_world(Snapshot(tiny).public)


class Shout(Tool):
    """A stranger's tool: it subclasses ``Tool`` and nothing registers it."""

    name = "shout"
    description = "Say a text loudly."

    class Arguments(ToolArguments):
        text: str = Field(description="What to say.")
        times: int = Field(1, description="How often, 1 to 3.")

    def run(self, arguments: Any, context: ToolContext) -> Any:
        times = min(max(arguments.times, 1), 3)
        said = " ".join([arguments.text[:100].upper()] * times)
        return ToolResult({"said": said.encode("utf-8", "replace").decode()})


class Look(Tool):
    """A stranger's tool that takes a handle."""

    name = "look"
    description = "Say how large a picture is."

    class Arguments(ToolArguments):
        image: str = Field(description="A handle.")

    def run(self, arguments: Any, context: ToolContext) -> Any:
        return ToolResult({"width": find_picture(arguments.image, context).picture.width})


def test_a_strangers_tool_passes(world: World, tiny: Path) -> None:
    done = check_tool(Shout, world, examples=[{"text": "hello"}])
    assert "schema (2 arguments)" in done and "handles only (handles: none)" in done and "shout" not in TOOLS
    assert "handles only (handles: image)" in check_tool(Look(), str(tiny))


def test_a_failing_example_and_a_world_without_its_index(world: World) -> None:
    with pytest.raises(CheckFailed, match=r"examples: the example .*unknown_handle"):
        check_tool(Look, world, examples=[{"image": "kb_99"}])

    class Deaf(Shout):
        routes = ("sound",)

    with pytest.raises(CheckFailed, match="no index for sound"):
        check_tool(Deaf, world)


# --- declarations ------------------------------------------------------------------------------------------


class Union_(ToolArguments):
    text: str | None = Field(None, description="x")


class Nested(ToolArguments):
    inner: ToolArguments = Field(description="x")


class Undescribed(ToolArguments):
    text: str


class Lists(ToolArguments):
    rows: list[list[int]] = Field(description="x")


class Shouting(ToolArguments):
    TEXT: str = Field(description="x")


class WrongDefault(ToolArguments):
    count: int = Field("many", description="x")  # type: ignore[assignment]


def schema(**changes: Any) -> Callable[[Tool], dict[str, Any]]:
    return lambda tool: {**Tool.schema(tool), **changes}


COUNTER = itertools.count()


@pytest.mark.parametrize(
    ("attributes", "says"),
    [
        ({"name": "Shout Loudly"}, "declaration: the name is 'Shout Loudly'"),
        ({"description": " "}, "declaration: the description is missing"),
        ({"version": "1"}, "declaration: the version"),
        ({"cost": -1}, "declaration: the cost"),
        ({"determinism": "random"}, "declaration: determinism is 'random'"),
        ({"Arguments": Union_}, "schema: the argument 'text' uses 'anyOf'"),
        ({"Arguments": Nested}, r"schema: the argument 'inner' uses '\$ref'"),
        ({"Arguments": Undescribed}, "schema: the argument 'text' has no description"),
        ({"Arguments": Lists}, "schema: the items of 'rows'"),
        ({"Arguments": Shouting}, "schema: the argument 'TEXT' has no plain name"),
        ({"Arguments": WrongDefault}, "schema: the default of 'count' is 'many'"),
        ({"schema": schema(required=["text", "volume"])}, "schema: 'volume' is required"),
        ({"schema": schema(additionalProperties=True)}, "schema: additionalProperties"),
        ({"schema": schema(properties=None)}, "schema: the schema has no properties"),
        (
            {"schema": schema(required=[])},
            "schema: the argument 'text' is neither required nor has a default",
        ),
        ({"schema": lambda tool: schema(title=next(COUNTER))(tool)}, "schema: two calls"),
    ],
)
def test_declarations(world: World, attributes: dict[str, Any], says: str) -> None:
    with pytest.raises(CheckFailed, match=says):
        check_tool(type("Broken", (Shout,), attributes), world)


# --- what a call does ------------------------------------------------------------------------------------------


def returning(make: Callable[[Any, ToolContext], Any]) -> type[Tool]:
    """Return a tool whose ``run`` is the function."""
    return type("Broken", (Shout,), {"run": lambda self, arguments, context: make(arguments, context)})


class Remembers(Shout):
    said: ClassVar[list[str]] = []

    def run(self, arguments: Any, context: ToolContext) -> Any:
        self.said.append(arguments.text)
        return ToolResult({"count": min(len(self.said), 100)})


class Validates(Shout):
    def validate(self, arguments: Any, context: ToolContext) -> Any:
        return super().validate({**arguments, "times": int(arguments.get("times", 1))}, context)


class Changes(Shout):
    def validate(self, arguments: Any, context: ToolContext) -> Any:
        arguments.setdefault("times", 1)
        return super().validate(arguments, context)


def opens(arguments: Any, context: ToolContext) -> ToolResult:
    try:
        return ToolResult({"exists": Path(arguments.text.removeprefix("file://")).is_file()})
    except (ValueError, OSError):
        return ToolResult({"exists": False})


def asks_badly(arguments: Any, context: ToolContext) -> Any:
    yield "Velden"


def echo(arguments: Any, context: ToolContext) -> Any:
    raise ToolError("bad_text", f"what is {arguments.text}")


CLOCK = itertools.count()


@pytest.mark.parametrize(
    ("tool", "says"),
    [
        (returning(lambda a, c: ToolResult({"n": next(CLOCK)})), "determinism: two calls"),
        (Remembers, "determinism: two calls"),
        (Validates, r"hostile arguments: .*raised (ValueError|TypeError)"),
        (Changes, "the call changed its arguments"),
        (returning(lambda a, c: ToolResult({"n": 1 / len(a.text)})), "raised ZeroDivisionError"),
        (returning(lambda a, c: ToolResult({"n": float("nan")})), "data.n is nan"),
        (returning(lambda a, c: ToolResult({"words": {"a", "b"}})), "data.words is a set"),
        (returning(lambda a, c: ToolResult({"data": [{1: 2}]})), r"data.data\[0\] has the key 1"),
        (returning(lambda a, c: ToolResult({"said": a.text})), "data.said holds a lone surrogate"),
        (returning(echo), "hostile arguments: .*the message is"),
        (returning(lambda a, c: {"said": "x"}), "run() returned"),
        (returning(lambda a, c: ToolResult()), "both data and error, or neither"),
        (returning(lambda a, c: ToolResult({}, {"code": "x", "message": "x", "hint": ""})), "both data and error"),
        (returning(lambda a, c: ToolResult(error={"code": "x", "message": "x"})), "the error has the fields"),
        (returning(lambda a, c: ToolResult(error={"code": "No!", "message": "x", "hint": ""})), "the code is 'No!'"),
        (returning(lambda a, c: ToolResult({}, show=("kb_99",))), "shows 'kb_99', which is no handle"),
        (returning(lambda a, c: ToolResult({}, source="somewhere")), "the source is 'somewhere'"),  # type: ignore[arg-type]
        (returning(asks_badly), "run() yielded 'Velden'"),
        (returning(lambda a, c: ToolResult({"file": tempfile.gettempdir() + "/x"})), "the result holds '/"),
        (returning(lambda a, c: ToolResult({"world": str(c.world.snapshot.objects.root)})), "the result holds '/"),
        (returning(lambda a, c: ToolResult({"id": "Q1"})), "the result holds the key 'Q1'"),
        (returning(lambda a, c: ToolResult({"id": "see Q3."}, ranked=("Q3",))), "the result holds the key 'Q3'"),
        (returning(opens), "handles only: text='.*canary.png' was looked for on the disk"),
        (returning(lambda a, c: c.warnings.append(5) or ToolResult({})), "a warning is not a plain text"),
    ],
)  # fmt: skip
def test_faults(world: World, tool: type[Tool], says: str) -> None:
    Remembers.said.clear()
    with pytest.raises(CheckFailed, match=says.replace("()", r"\(\)")):
        check_tool(tool, world)


def test_a_host_name_is_a_leak(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "node", lambda: "trainer-node-17")
    with pytest.raises(CheckFailed, match="trainer-node-17"):
        check_tool(returning(lambda a, c: ToolResult({"by": "trainer-node-17"})), world)


def test_a_url_taken_for_a_handle(world: World) -> None:
    class Fetches(Look):
        def run(self, arguments: Any, context: ToolContext) -> Any:
            if arguments.image.startswith("http"):
                return ToolResult({"width": 0})
            return super().run(arguments, context)

    with pytest.raises(
        CheckFailed, match=r"handles only: image='http://example\.invalid/x\.png' is taken for a handle"
    ):
        check_tool(Fetches, world)


def test_state_that_only_later_calls_show(world: World) -> None:
    """The first calls agree; after the hostile ones the tool has become another."""

    class Tires(Shout):
        calls = 0

        def run(self, arguments: Any, context: ToolContext) -> Any:
            self.calls += 1
            return ToolResult({"tired": self.calls > 50})

    with pytest.raises(CheckFailed, match="no state between calls: two calls"):
        check_tool(Tires, world)


def test_searches_are_answered_and_choices_are_built(world: World) -> None:
    class Finds(Tool):
        name = "find"
        description = "Find entities."

        class Arguments(ToolArguments):
            how: Literal["all", "pictured"] = Field(description="Which.")
            query: str = Field(description="What.")
            weights: list[float] = Field(description="Two numbers.", min_length=2)

        def run(self, arguments: Any, context: ToolContext) -> Any:
            hits = yield Search("text", arguments.query, 2, pictured=arguments.how == "pictured")
            labels = [context.world.kb.labels[row] for row in hits.rows]
            return ToolResult(
                {"labels": labels}, ranked=tuple(context.world.kb.keys[row] for row in hits.rows)
            )

    done = check_tool(Finds, world, examples=[{"how": "pictured", "query": "Velden", "weights": [1, 2]}])
    assert "a call built from the schema (works)" in done
