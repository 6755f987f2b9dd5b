"""Calling one tool after another over one episode's handles, and a world of odd pictures."""

from __future__ import annotations

import json
from pathlib import Path
from types import GeneratorType
from typing import Any

import numpy as np

from mosaic_env.core.types import ToolResult
from mosaic_env.index.world import World, open_world
from mosaic_env.record.build import BuildInputs, build_snapshot
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.tools.base import ToolContext, ToolError, ToolSettings, load_builtin
from mosaic_env.tools.handles import Handles
from tests.guard import corpus

#: The entities of the odd world, and what their picture is.
ODD = {
    "Q1": "a large square",
    "Q2": "transparent",
    "Q3": "turned by EXIF",
    "Q4": "one pixel",
    "Q5": "a JPEG",
    "Q6": "no picture",
}


class Caller:
    """One episode, as tools see it.

    Args:
        world: The world.
        settings: Fields of ``ToolSettings``.
    """

    def __init__(self, world: World, **settings: Any) -> None:
        self.world = world
        self.handles = Handles()
        self.settings = ToolSettings(**settings)
        self.warnings: list[str] = []
        self.inputs: list[str] = []

    def __call__(self, tool: str, **arguments: Any) -> ToolResult:
        """Call a tool by name; what it raises for the model comes back as an error."""
        self.warnings, self.inputs = [], []
        context = ToolContext(self.world, self.handles, self.settings, self.warnings, self.inputs)
        chosen = load_builtin().get(tool)
        try:
            answer: Any = chosen.run(chosen.validate(arguments, context), context)
            return self._answered(answer) if isinstance(answer, GeneratorType) else answer
        except ToolError as error:
            return error.result()

    def _answered(self, asking: GeneratorType[Any, Any, ToolResult]) -> ToolResult:
        search = next(asking)
        try:
            while True:
                search = asking.send(self.world.search((search,))[0])
        except StopIteration as done:
            result: ToolResult = done.value
            return result

    def data(self, tool: str, **arguments: Any) -> Any:
        """Call a tool that must succeed and return its data."""
        result = self(tool, **arguments)
        assert result.error is None, result.error
        return result.data

    def code(self, tool: str, **arguments: Any) -> str:
        """Call a tool that must fail and return the error's code; it has a message and no path."""
        error = self(tool, **arguments).error
        assert error is not None and error["message"] and "/" not in error["hint"]
        return error["code"]

    def show(self, key: str) -> str:
        """Return the picture handle of an entity, as a search would have made it."""
        row = self.world.kb.rows[key]
        self.handles.entity(row)
        handle = self.handles.picture_of(row, self.world)
        assert handle is not None
        return handle

    def pixels(self, handle: str) -> Any:
        """Return the pixels behind a handle."""
        return self.world.images.pixels(self.handles.pictures[handle].picture)


def short(value: object) -> str:
    """Return the id of a parameter: its form, ASCII, not too long."""
    return ascii(value)[:24]


def labels(data: Any) -> list[str]:
    """Return the labels of result rows, in order."""
    return [row["label"] for row in data["results"]]


def odd_pictures() -> dict[str, bytes]:
    """Return the files of the odd world's pictures by name."""
    turned = corpus.jpeg_with(corpus.save(corpus.photo(), "JPEG"), corpus.jpeg_segment(0xE1, corpus.exif(6)))
    return {
        "Q1.png": corpus.png_rgb(corpus.photo(768, 768)),
        "Q2.png": corpus.save(corpus.rgba(), "PNG"),
        "Q3.jpg": turned,
        "Q4.png": corpus.png_rgb(np.full((1, 1, 3), 7, np.uint8)),
        "Q5.jpg": corpus.save(corpus.photo(70, 90), "JPEG"),
    }


def build_odd(folder: Path) -> World:
    """Build the odd world and open it."""
    (folder / "images").mkdir(parents=True)
    for name, data in odd_pictures().items():
        (folder / "images" / name).write_bytes(data)
    rows = [
        {"qid": key, "text": f"label: {key.lower()} ; what is it: {what} ; description: {what}"}
        for key, what in ODD.items()
    ]
    (folder / "kb.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    build_snapshot(
        BuildInputs(folder / "kb.jsonl", images=folder / "images", world="odd"), folder / "snapshot"
    )
    return open_world(Snapshot(folder / "snapshot").public)
