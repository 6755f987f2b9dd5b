"""``check_tool``: schema, determinism, hostile arguments, leaks. Works for any subclass of ``Tool``."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mosaic_env.core.errors import shorten
from mosaic_env.guard.images import encode_png
from mosaic_env.index.world import World, open_world
from mosaic_env.snapshot.locate import find_snapshot
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.testing.kits.base import Broken, CheckFailed, expect, leak, run_checks, texts
from mosaic_env.testing.kits.hostile import ARGUMENTS
from mosaic_env.testing.kits.tool_calls import Outcome, call, episode_handles
from mosaic_env.testing.kits.tool_schema import (
    check_declaration,
    check_schema,
    example_arguments,
    properties_of,
    text_arguments,
)
from mosaic_env.tools.base import Tool, ToolSettings, load_builtin

_NOWHERE = (
    "/etc/passwd",
    "../../etc/passwd",
    "file:///etc/passwd",
    "http://example.invalid/x.png",
    "C:\\x.png",
)
_NO_HANDLE = "no_such_handle"


def check_tool(
    tool: str | Tool | type[Tool],
    world: World | str | os.PathLike[str] | None = None,
    examples: Sequence[Mapping[str, Any]] = (),
) -> list[str]:
    """Check that a tool keeps the contract of ``mosaic_env.tools.base``.

    Args:
        tool: A registered name, a tool, or a subclass of ``Tool``; it need not be registered.
        world: A world or the folder of a snapshot; None is the bundled snapshot.
        examples: Arguments of calls that must succeed.

    Returns: What was checked.
    Raises: CheckFailed saying what to fix; SnapshotError when there is no snapshot.
    Cost: about 60 calls for each argument.
    """
    checked = (
        load_builtin().get(tool) if isinstance(tool, str) else tool() if isinstance(tool, type) else tool
    )
    where = world if isinstance(world, World) else open_world(Snapshot(find_snapshot(world)).public)
    name = f"check_tool({getattr(checked, 'name', type(checked).__name__)})"
    lint = [("declaration", lambda: check_declaration(checked)), ("schema", lambda: check_schema(checked))]
    done = run_checks(name, lint)
    if not checked.available(where):
        raise CheckFailed(
            f"{name}, world", f"the world {where.name!r} has no index for {', '.join(checked.routes)}",
            "Pass world= with a snapshot that has one",
        )  # fmt: skip
    kit = _ToolKit(checked, where, [dict(example) for example in examples])
    return done + run_checks(
        name,
        [
            ("a call built from the schema", kit.built_call),
            ("examples", kit.examples_work),
            ("determinism", kit.determinism),
            ("hostile arguments", kit.hostile),
            ("handles only", kit.handles_only),
            ("no state between calls", kit.determinism),
        ],
    )


class _ToolKit:
    """The checks that call the tool."""

    def __init__(self, tool: Tool, world: World, examples: list[dict[str, Any]]) -> None:
        self.tool, self.world, self.examples = tool, world, examples
        handles = episode_handles(world)
        word = next((label for label in world.kb.labels if label), "x")
        self.built = example_arguments(tool, next(iter(handles.pictures), "kb_1"), "e_1", word)
        self.first: dict[int, str] = {}

    def call(self, arguments: Mapping[str, Any]) -> Outcome:
        """Call the tool and look for leaks in what it says."""
        done = call(self.tool, arguments, self.world)
        folder = str(self.world.snapshot.objects.root.parent)
        shown = [done.result.data or {}, done.result.error or {}]
        found = leak(shown, folders=[folder], given=_quotable(arguments))
        expect(
            not found,
            f"for {shorten(dict(arguments), 80)} the result holds {found!r}",
            "Show handles, never places",
        )
        key = self._key_in(done, arguments)
        expect(
            not key, f"for {shorten(dict(arguments), 80)} the result holds the key {key!r}",
            "Show context.handles.entity(row); keys only when context.settings.show_ids",
        )  # fmt: skip
        return done

    def _key_in(self, done: Outcome, arguments: Mapping[str, Any]) -> str:
        """Return a knowledge-base key that the data shows although ``show_ids`` is off, or ``""``."""
        kb, given = self.world.kb, _quotable(arguments)
        marked = [key for key in done.result.ranked if key in kb.rows and any(c.isdigit() for c in key)]
        ranked = re.compile("|".join(rf"\b{re.escape(key)}\b" for key in marked)) if marked else None
        for text in texts(done.result.data or {}):
            if text in kb.rows and text not in given and text not in kb.labels:
                return text
            match = ranked.search(text) if ranked else None
            if match and match.group() not in given:
                return match.group()
        return ""

    def built_call(self) -> str:
        """Check that a call made of the schema alone works, or says why not."""
        done = self.call(self.built)
        return "works" if done.result.ok else f"typed error {(done.result.error or {})['code']}"

    def examples_work(self) -> str:
        """Check that the author's examples succeed, with and without ids and facts shown."""
        for arguments in self.examples:
            done = self.call(arguments)
            expect(done.result.ok, f"the example {shorten(arguments, 80)} gives {done.result.error}")
            call(self.tool, arguments, self.world, ToolSettings(facts=True, show_ids=True))
        return f"{len(self.examples)} given"

    def determinism(self) -> None:
        """Check that the same call gives the same bytes: twice in a row, and after everything else."""
        for number, arguments in enumerate([self.built, *self.examples]):
            for _ in range(2):
                line = self.call(arguments).line
                first = self.first.setdefault(number, line)
                expect(
                    line == first, f"two calls {shorten(arguments, 60)} give different bytes, {_parting(first, line)}",
                    "Draw nothing, read no clock, keep no state, sort before you list",
                )  # fmt: skip

    def hostile(self) -> str:
        """Check that whatever stands in the arguments, the call gives data or a typed error."""
        count = 0
        for arguments in self._hostile():
            self.call(arguments)
            count += 1
        return f"{count} calls"

    def _hostile(self) -> Iterator[dict[str, Any]]:
        names = list(properties_of(self.tool))
        yield {}
        yield {"no_such_argument": 1, "\ud800": 2, "/etc/passwd": {}}
        yield {**self.built, **{f"extra_{n}": n for n in range(200)}}
        for name in names:
            yield {key: value for key, value in self.built.items() if key != name}
            for value in ARGUMENTS:
                yield {**self.built, name: value}
        for value in ARGUMENTS:
            yield dict.fromkeys(names, value)

    def handles_only(self) -> str:
        """Check that places are never opened, and are typed errors where a handle is wanted."""
        wanted = [name for name in text_arguments(self.tool) if self._wants_handle(name)]
        for name in wanted:
            for place in _NOWHERE:
                done = self.call({**self.built, name: place})
                expect(
                    not done.result.ok,
                    f"{name}={place!r} is taken for a handle",
                    "Look handles up, open nothing",
                )
        for name in text_arguments(self.tool):
            self._never_reads_files(name)
        return f"handles: {', '.join(wanted) or 'none'}"

    def _wants_handle(self, name: str) -> bool:
        if not call(self.tool, self.built, self.world).result.ok:
            return "image" in name or "picture" in name
        return not call(self.tool, {**self.built, name: _NO_HANDLE}, self.world).result.ok

    def _never_reads_files(self, name: str) -> None:
        """Check that a path gives the same bytes whether its file exists or not."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "canary.png"
            for place in (str(file), file.as_uri()):
                arguments = {**self.built, name: place}
                file.write_bytes(encode_png(np.zeros((4, 4, 3), np.uint8)))
                there = call(self.tool, arguments, self.world).line
                file.unlink()
                gone = call(self.tool, arguments, self.world).line
                if there != gone:
                    raise Broken(
                        f"{name}={place!r} was looked for on the disk", "Look handles up, open nothing"
                    )


def _quotable(arguments: Mapping[str, Any]) -> str:
    """Return what a tool may quote: every text the model wrote, its argument names too."""
    return "\n".join(texts(dict(arguments)))


def _parting(one: str, other: str) -> str:
    place = next(
        (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    start = max(place - 15, 0)
    return f"{shorten(one[start : place + 25], 60)} and {shorten(other[start : place + 25], 60)}"
