"""``mosaic snapshot``: build, check, move, record, freeze."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mosaic_env.cli.command import add_command, add_group, minutes, whole
from mosaic_env.cli.imports import attribute_of
from mosaic_env.cli.outputs import add_replace, output_file, output_snapshot
from mosaic_env.core.words import counted

PASSWORD_VARIABLE = "MOSAIC_TASK_PASSWORD"  # noqa: S105 - the variable's name, not a password

_ROWS = """\
rows of the input files, an example each:
  --kgdb, JSON lines; text is split into label and description, image_path is only counted:
    {"qid": "Q64", "text": "label: Berlin ; what is it: city ; description: city", "image_path": "Q64.jpg"}
  --triples, text lines of head, relation and tail, as keys or as URIs that end in them:
    Q64 P17 Q183
  --images, files named after their entity, Q64.jpg being its main picture and Q64-2.png another
  --tasks, one JSON list a file; the level is in the file's name (level1.json) or before it (1=FILE);
  entity_qid is the entity whose picture answers the question, and tasks without one are not playable:
    [{"id": 1, "question": "What stands on the gate?", "answer": "four horses", "entity_qid": "Q64"}]
"""


def add_commands(commands: Any) -> None:
    """Add this group's commands to the parser."""
    snapshot = commands.add_parser(
        "snapshot", help="build, check and move snapshots", description="Snapshots."
    )
    actions = add_group(snapshot, "actions", "ACTION")

    build = add_command(
        actions, "build", _build, "build a snapshot from an InterLV knowledge base",
        "Triples, pictures and tasks are optional; partial picture coverage is normal and reported.",
        epilog=_ROWS,
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
        action="extend",
        default=[],
        metavar="[LEVEL=]FILE",
        help="level files, the official ones or your own, plain or .json.enc",
    )
    build.add_argument(
        "--password", metavar="TEXT", help=f"for encrypted task files (or {PASSWORD_VARIABLE})"
    )
    build.add_argument(
        "--world",
        default="mmkg-w",
        metavar="NAME",
        help="name of the world, which the tasks are about (default: mmkg-w)",
    )
    for route in ("text", "image", "text-to-image"):
        build.add_argument(
            f"--{route}-encoder", metavar="KIND:DIR", help=f"trained encoder for the {route} route"
        )
    build.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="a new folder, or a snapshot of this world"
    )
    add_replace(build)

    _add_checking(actions)
    _add_recording(actions)


def _add_checking(actions: Any) -> None:
    info = add_command(actions, "info", _info, "show what a snapshot holds and what can be played on it")
    info.add_argument("snapshot", nargs="?", help="folder or name (default: the bundled snapshot)")
    info.add_argument("--json", action="store_true", help="print the whole manifest's facts as JSON")

    verify = add_command(
        actions, "verify", _verify, "check every byte of a snapshot",
        "Exit code 1 when anything is damaged or missing; files that no manifest names are only noted.",
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

    collect = add_command(actions, "gc", _collect, "delete what builds left in a snapshot")
    collect.add_argument("snapshot", help="folder or name")
    collect.add_argument(
        "--older-than",
        type=minutes,
        default=60.0,
        metavar="MIN",
        help="minutes; younger files may be a part of a build that is running (default: 60)",
    )


def _add_recording(actions: Any) -> None:
    record = add_command(
        actions, "record", _record, "record calls of a live tool into a resumable folder",
        "The live tool is a function of yours: it gets the arguments as a dict and returns plain data.",
    )  # fmt: skip
    record.add_argument("--tool", required=True, help="name of the tool")
    record.add_argument(
        "--tool-version", type=whole(1), default=1, metavar="N", help="its version (default: 1)"
    )
    record.add_argument(
        "--calls", type=Path, required=True, metavar="FILE", help="one JSON object of arguments a line"
    )
    record.add_argument("--live", metavar="MODULE:FUNCTION", help="the live tool (not needed to replay)")
    record.add_argument("--mode", default="record-missing", help="replay, record-missing, refresh or verify")
    record.add_argument("recording", type=Path, help="folder of the recording")

    freeze = add_command(actions, "freeze", _freeze, "write a snapshot with the responses of a recording")
    freeze.add_argument("--base", required=True, help="snapshot whose other sections are shared")
    freeze.add_argument("--out", type=Path, metavar="DIR", help="a new folder (default: replace the base)")
    add_replace(freeze)
    freeze.add_argument("recording", type=Path, help="folder of the recording")


def _build(arguments: argparse.Namespace) -> int:
    from mosaic_env import console
    from mosaic_env.index.build import RouteEncoders
    from mosaic_env.index.encoders import load_encoder
    from mosaic_env.record.build import BuildInputs, build_snapshot

    output_snapshot(arguments.out, arguments.world, replace=arguments.replace)
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
    from mosaic_env.core.canon import short
    from mosaic_env.index.world import identity
    from mosaic_env.snapshot.manifest import read_manifest

    manifest = read_manifest(folder)
    console.fields({**identity(manifest, whole=True), "title": manifest.title})
    rows: list[tuple[object, ...]] = [
        (name, short(entry.digest), ", ".join(f"{what}: {count:,}" for what, count in entry.counts.items()))
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
        _show_reasons(tasks.detail.get("unplayable", {}))
    counts = manifest.report.get("counts", {})
    if counts:
        console.table("", ("noticed while building", "count"), list(counts.items()))
    return 0


def _show_reasons(unplayable: Mapping[str, Mapping[str, int]]) -> None:
    from mosaic_env import console

    rows: list[tuple[object, ...]] = [
        (reason, level, count)
        for level, reasons in sorted(unplayable.items())
        for reason, count in sorted(reasons.items())
    ]
    if rows:
        console.table("", ("why tasks cannot be played here", "level", "count"), rows)


def _verify(arguments: argparse.Namespace) -> int:
    from mosaic_env import console
    from mosaic_env.snapshot.locate import find_snapshot
    from mosaic_env.snapshot.verify import is_left_over, verify

    folder = find_snapshot(arguments.snapshot)
    with console.progress() as say:
        problems = verify(folder, progress=lambda done, total: say("objects", done, total))
    damage = [problem for problem in problems if not problem.leftover]
    for problem in damage:
        console.fail(f"{problem.path}: {problem.what} [{problem.code}]")
    console.out.print("whole" if not damage else counted(len(damage), "problem"))
    unlisted = [problem.path for problem in problems if problem.leftover]
    left = [path for path in unlisted if is_left_over(path)]
    _note_unlisted(left, "'mosaic snapshot gc' removes " + ("it" if len(left) == 1 else "them"))
    _note_unlisted([path for path in unlisted if path not in left], "no part of a snapshot, and left alone")
    return 1 if damage else 0


def _note_unlisted(paths: Sequence[str], then: str) -> None:
    from mosaic_env import console

    if paths:
        names = ", ".join(paths[:3]) + (", …" if len(paths) > 3 else "")
        console.note(f"{counted(len(paths), 'file')} no manifest names ({names}); {then}")


def _pack(arguments: argparse.Namespace) -> int:
    from mosaic_env import console
    from mosaic_env.snapshot.locate import find_snapshot
    from mosaic_env.snapshot.pack import pack

    folder = find_snapshot(arguments.snapshot)
    output_file(arguments.file)
    count = pack(folder, arguments.file)
    console.out.print(f"{counted(count, 'file')}, {counted(arguments.file.stat().st_size, 'byte')}")
    return 0


def _unpack(arguments: argparse.Namespace) -> int:
    from mosaic_env import console
    from mosaic_env.snapshot.pack import unpack

    console.out.print(unpack(arguments.file, arguments.folder))
    return 0


def _collect(arguments: argparse.Namespace) -> int:
    from mosaic_env import console
    from mosaic_env.snapshot.locate import find_snapshot
    from mosaic_env.snapshot.opened import Snapshot
    from mosaic_env.snapshot.pack import collect_garbage
    from mosaic_env.snapshot.verify import is_left_over, unlisted_paths

    folder = find_snapshot(arguments.snapshot)
    removed = collect_garbage(folder, min_age_seconds=arguments.older_than * 60)
    for path in removed:
        console.out.print(console.safe(f"deleted {path}"), soft_wrap=True)
    kept = list(filter(is_left_over, unlisted_paths(folder, Snapshot(folder))))
    for path in kept:
        console.out.print(console.safe(f"kept {path}"), soft_wrap=True)
    if kept:
        console.note(
            f"{counted(len(kept), 'file')} kept: younger than {arguments.older_than:g} min, and a running build may "
            f"need them; to delete them now: mosaic snapshot gc {arguments.snapshot} --older-than 0"
        )
    if not removed and not kept:
        console.out.print("nothing to delete: no build left anything")
    return 0


def _record(arguments: argparse.Namespace) -> int:
    from mosaic_env import console
    from mosaic_env.core.canon import strict_loads
    from mosaic_env.core.errors import DataError
    from mosaic_env.record.recorder import Recorder, Recording
    from mosaic_env.snapshot.output import check_outside

    if not arguments.calls.is_file():
        raise DataError(
            "ME-DATA-01", f"the file {arguments.calls.name!r} does not exist", expected="JSON lines"
        )
    calls = [strict_loads(line) for line in arguments.calls.read_bytes().splitlines() if line.strip()]
    if not calls:
        raise DataError(
            "ME-DATA-04",
            f"the file {arguments.calls.name!r} holds no call",
            expected="one JSON object of arguments a line",
        )
    if arguments.mode != "replay":
        check_outside(arguments.recording)
    live = attribute_of(arguments.live, "--live") if arguments.live else None
    recording = Recording(arguments.recording, create=arguments.mode != "replay")
    recorder = Recorder(recording, arguments.mode)
    try:
        with console.progress() as say:
            for done, call in enumerate(calls, start=1):
                recorder.call(arguments.tool, arguments.tool_version, call, live)
                say("calls", done, len(calls))
    finally:
        recording.close()
    console.out.print(counted(len(calls), "call"))
    return 0


def _freeze(arguments: argparse.Namespace) -> int:
    from mosaic_env.record.freeze import freeze
    from mosaic_env.snapshot.locate import find_snapshot
    from mosaic_env.snapshot.manifest import read_manifest

    base = find_snapshot(arguments.base)
    out = arguments.out or base
    output_snapshot(out, read_manifest(base).world, replace=arguments.replace)
    freeze(base, arguments.recording, out)
    return show(out)
