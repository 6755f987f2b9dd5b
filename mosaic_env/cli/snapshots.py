"""``mosaic snapshot``: build, check, move, record, freeze."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from mosaic_env.cli.command import add_command

PASSWORD_VARIABLE = "MOSAIC_TASK_PASSWORD"  # noqa: S105 - the variable's name, not a password


def add_commands(commands: Any) -> None:
    """Add this group's commands to the parser."""
    snapshot = commands.add_parser(
        "snapshot", help="build, check and move snapshots", description="Snapshots."
    )
    actions = snapshot.add_subparsers(title="actions", metavar="ACTION", required=True)

    build = add_command(
        actions, "build", _build, "build a snapshot from an InterLV knowledge base",
        "Triples, pictures and tasks are optional; partial picture coverage is normal and reported.",
    )  # fmt: skip
    build.add_argument(
        "--kgdb", type=Path, required=True, metavar="FILE", help="knowledge base, JSON lines or .gz"
    )
    build.add_argument(
        "--triples", type=Path, metavar="DIR", help="MKG-W triples: a folder of *.txt or *.txt.gz"
    )
    build.add_argument("--images", type=Path, metavar="DIR", help="pictures named after entities (Q64.jpg)")
    build.add_argument(
        "--tasks",
        nargs="+",
        default=[],
        metavar="[LEVEL=]FILE",
        help="official level files, plain or .json.enc",
    )
    build.add_argument(
        "--password", metavar="TEXT", help=f"for encrypted task files (or {PASSWORD_VARIABLE})"
    )
    build.add_argument(
        "--world", default="mmkg-w", metavar="NAME", help="name of the world (default: mmkg-w)"
    )
    for route in ("text", "image", "text-to-image"):
        build.add_argument(
            f"--{route}-encoder", metavar="KIND:DIR", help=f"trained encoder for the {route} route"
        )
    build.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="a new folder, or a snapshot to replace"
    )

    _add_checking(actions)
    _add_recording(actions)


def _add_checking(actions: Any) -> None:
    info = add_command(actions, "info", _info, "show what a snapshot holds and what can be played on it")
    info.add_argument("snapshot", nargs="?", help="folder or name (default: the bundled snapshot)")
    info.add_argument("--json", action="store_true", help="print the whole manifest's facts as JSON")

    verify = add_command(
        actions, "verify", _verify, "check every byte of a snapshot",
        "Exit code 1 when anything is damaged, missing or not named by the manifest.",
    )  # fmt: skip
    verify.add_argument("snapshot", nargs="?", help="folder or name (default: the bundled snapshot)")

    pack = add_command(actions, "pack", _pack, "write a snapshot as one file")
    pack.add_argument("snapshot", help="folder or name")
    pack.add_argument("file", type=Path, help="the file to write")
    unpack = add_command(
        actions, "unpack", _unpack, "read a packed snapshot into a new folder, checking everything"
    )
    unpack.add_argument("file", type=Path, help="a file made by 'pack'")
    unpack.add_argument("folder", type=Path, help="a new folder")

    collect = add_command(actions, "gc", _collect, "delete files that a snapshot's manifest does not name")
    collect.add_argument("snapshot", type=Path, help="folder")
    collect.add_argument(
        "--older-than", type=float, default=60.0, metavar="MIN", help="minutes (default: 60)"
    )


def _add_recording(actions: Any) -> None:
    record = add_command(
        actions, "record", _record, "record calls of a live tool into a resumable folder",
        "The live tool is a function of yours: it gets the arguments as a dict and returns plain data.",
    )  # fmt: skip
    record.add_argument("--tool", required=True, help="name of the tool")
    record.add_argument("--tool-version", type=int, default=1, metavar="N", help="its version (default: 1)")
    record.add_argument(
        "--calls", type=Path, required=True, metavar="FILE", help="one JSON object of arguments a line"
    )
    record.add_argument("--live", metavar="MODULE:FUNCTION", help="the live tool (not needed to replay)")
    record.add_argument("--mode", default="record-missing", help="replay, record-missing, refresh or verify")
    record.add_argument("recording", type=Path, help="folder of the recording")

    freeze = add_command(actions, "freeze", _freeze, "write a snapshot with the responses of a recording")
    freeze.add_argument("--base", required=True, help="snapshot whose other sections are shared")
    freeze.add_argument("--out", type=Path, metavar="DIR", help="a new folder (default: replace the base)")
    freeze.add_argument("recording", type=Path, help="folder of the recording")


def _build(arguments: argparse.Namespace) -> int:
    from mosaic_env import console
    from mosaic_env.index.build import RouteEncoders
    from mosaic_env.index.encoders import load_encoder
    from mosaic_env.record.build import BuildInputs, build_snapshot

    password = arguments.password or os.environ.get(PASSWORD_VARIABLE)
    inputs = BuildInputs(
        arguments.kgdb,
        arguments.triples,
        arguments.images,
        _task_files(arguments.tasks),
        password,
        arguments.world,
    )
    specs = (arguments.text_encoder, arguments.image_encoder, arguments.text_to_image_encoder)
    encoders = RouteEncoders(*(load_encoder(spec) if spec else None for spec in specs))
    with console.progress() as say:
        build_snapshot(inputs, arguments.out, encoders=encoders, progress=say)
    return show(arguments.out)


def _task_files(words: Sequence[str]) -> list[tuple[int | None, Path]]:
    files: list[tuple[int | None, Path]] = []
    for word in words:
        level, separator, path = word.partition("=")
        numbered = bool(separator) and level in {"1", "2", "3"}
        files.append((int(level), Path(path)) if numbered else (None, Path(word)))
    return files


def _info(arguments: argparse.Namespace) -> int:
    from mosaic_env.snapshot.locate import find_snapshot

    folder = find_snapshot(arguments.snapshot)
    if arguments.json:
        from mosaic_env.snapshot.manifest import read_manifest, render

        print(render(read_manifest(folder)).decode("ascii"), end="")  # noqa: T201
        return 0
    return show(folder)


def show(folder: Path) -> int:
    """Print what a snapshot holds."""
    from mosaic_env import console
    from mosaic_env.snapshot.manifest import read_manifest

    manifest = read_manifest(folder)
    console.fields({"snapshot": manifest.id, "world": manifest.world, "title": manifest.title})
    rows: list[tuple[object, ...]] = [
        (name, entry.digest[7:19], ", ".join(f"{count:,} {what}" for what, count in entry.counts.items()))
        for name, entry in sorted(manifest.sections.items())
    ]
    console.table("", ("section", "digest", "holds"), rows)
    tasks = manifest.sections.get("tasks")
    if tasks is not None:
        levels = sorted({name.split(" ")[0] for name in tasks.counts})
        played = [
            (level, tasks.counts[f"{level} playable"], tasks.counts[f"{level} in all"]) for level in levels
        ]
        console.table("", ("level", "playable", "in all"), list(played))
    counts = manifest.report.get("counts", {})
    if counts:
        console.table("", ("noticed while building", "count"), list(counts.items()))
    return 0


def _verify(arguments: argparse.Namespace) -> int:
    from mosaic_env import console
    from mosaic_env.snapshot.locate import find_snapshot
    from mosaic_env.snapshot.verify import verify

    folder = find_snapshot(arguments.snapshot)
    with console.progress() as say:
        problems = verify(folder, progress=lambda done, total: say("objects", done, total))
    for problem in problems:
        console.fail(f"{problem.path}: {problem.what} [{problem.code}]")
    console.out.print("whole" if not problems else f"{len(problems)} problems")
    return 1 if problems else 0


def _pack(arguments: argparse.Namespace) -> int:
    from mosaic_env import console
    from mosaic_env.snapshot.locate import find_snapshot
    from mosaic_env.snapshot.pack import pack

    count = pack(find_snapshot(arguments.snapshot), arguments.file)
    console.out.print(f"{count:,} files, {arguments.file.stat().st_size:,} bytes")
    return 0


def _unpack(arguments: argparse.Namespace) -> int:
    from mosaic_env import console
    from mosaic_env.snapshot.pack import unpack

    console.out.print(unpack(arguments.file, arguments.folder))
    return 0


def _collect(arguments: argparse.Namespace) -> int:
    from mosaic_env import console
    from mosaic_env.snapshot.pack import collect_garbage

    for path in collect_garbage(arguments.snapshot, min_age_seconds=arguments.older_than * 60):
        console.out.print(console.safe(f"deleted {path}"))
    return 0


def _record(arguments: argparse.Namespace) -> int:
    from mosaic_env import console
    from mosaic_env.core.canon import strict_loads
    from mosaic_env.core.errors import DataError
    from mosaic_env.record.recorder import Recorder, Recording

    if not arguments.calls.is_file():
        raise DataError(
            "ME-DATA-01", f"the file {arguments.calls.name!r} does not exist", expected="JSON lines"
        )
    calls = [strict_loads(line) for line in arguments.calls.read_bytes().splitlines() if line.strip()]
    recording = Recording(arguments.recording, create=arguments.mode != "replay")
    recorder = Recorder(recording, arguments.mode)
    live = _load_function(arguments.live) if arguments.live else None
    try:
        with console.progress() as say:
            for done, call in enumerate(calls, start=1):
                recorder.call(arguments.tool, arguments.tool_version, call, live)
                say("calls", done, len(calls))
    finally:
        recording.close()
    console.out.print(f"{len(calls):,} calls")
    return 0


def _load_function(path: str) -> Callable[..., Any]:
    import importlib

    from mosaic_env.core.errors import ConfigError

    module, _, name = path.partition(":")
    sys.path.insert(0, str(Path.cwd()))  # a function of the user's own project
    try:
        return getattr(importlib.import_module(module), name)  # type: ignore[no-any-return]
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigError(
            "ME-CONFIG-02", f"{path!r} cannot be loaded ({error})", expected="module:function"
        ) from None


def _freeze(arguments: argparse.Namespace) -> int:
    from mosaic_env.record.freeze import freeze
    from mosaic_env.snapshot.locate import find_snapshot

    base = find_snapshot(arguments.base)
    out = arguments.out or base
    freeze(base, arguments.recording, out)
    return show(out)
