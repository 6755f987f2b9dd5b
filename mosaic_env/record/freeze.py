"""Freezing a recording: a new snapshot that shares every unchanged file with its base."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mosaic_env.core.canon import canonical_bytes
from mosaic_env.core.errors import RecordError
from mosaic_env.guard.redact import environment_secrets, find_secrets
from mosaic_env.record.recorder import Recording
from mosaic_env.snapshot.manifest import Manifest
from mosaic_env.snapshot.objects import object_path
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.snapshot.output import check_output, writing
from mosaic_env.snapshot.responses import Response, response_rows
from mosaic_env.snapshot.writer import SnapshotWriter, share_files


def freeze(base: Path, recording_folder: Path, out: Path) -> Manifest:
    """Write a snapshot with the sections of ``base`` and the responses of a recording.

    Responses that ``base`` already has stay unless the recording holds the same call. ``out`` may be
    the folder of ``base``: the old manifest is replaced by one rename.

    Raises: SnapshotError (ME-SNAP-04, -07, -08 for ``out``), CorruptError,
        RecordError (ME-RECORD-01 damaged, ME-RECORD-02 a secret).
    """
    check_output(out)
    snapshot = Snapshot(base)
    recording = Recording(recording_folder)
    try:
        responses = {_key(r): r for r in (*_base_responses(snapshot), *recording)}
        _refuse_secrets(recording, responses)
        writer = SnapshotWriter(
            out, world=snapshot.manifest.world, title=snapshot.manifest.title, base=snapshot.manifest
        )
        if out.resolve() != base.resolve():
            kept = [
                e for name, e in snapshot.manifest.sections.items() if name not in ("objects", "responses")
            ]
            with writing(out):
                share_files(base, out, [path for entry in kept for path in entry.files])
                share_files(base, out, [object_path(digest) for digest, _, _ in _object_rows(snapshot)])
        writer.adopt_objects(_object_rows(snapshot))
        for digest, size in sorted(_objects_of(list(responses.values()))):
            if (recording_folder / object_path(digest)).is_file():
                writer.put_object(recording.objects.read(digest, size), "application/octet-stream")
        counts: dict[str, int] = {}
        for response in responses.values():
            counts[response.tool] = counts.get(response.tool, 0) + 1
        writer.write_section("responses", response_rows(responses.values()), counts=counts)
        return writer.publish()
    finally:
        recording.close()


def _key(response: Response) -> tuple[str, int, bytes]:
    return response.tool, response.version, canonical_bytes(dict(response.arguments))


def _base_responses(snapshot: Snapshot) -> Iterator[Response]:
    if snapshot.public.has("responses"):
        yield from snapshot.public.responses.all()


def _object_rows(snapshot: Snapshot) -> list[tuple[str, int, str]]:
    return list(snapshot.public.object_rows()) if snapshot.public.has("objects") else []


def _refuse_secrets(recording: Recording, responses: Mapping[Any, Response]) -> None:
    """Scan everything that would be written; a hit refuses the whole freeze."""
    secrets = environment_secrets()
    for response in responses.values():
        found = find_secrets(canonical_bytes([dict(response.arguments), response.result]), secrets)
        for digest, size in _objects_of([response]) if not found else ():
            found = found or find_secrets(recording.objects.read(digest, size), secrets)
        if found:
            raise RecordError(
                "ME-RECORD-02",
                f"a recorded call of {response.tool} holds {found[0]}",
                expected="no secrets",
                fix="Record that call again without it, or remove it from the recording",
            )


def _objects_of(values: Any) -> Iterator[tuple[str, int]]:
    """Yield (digest, size) of every object reference inside results."""
    if isinstance(values, Response):
        yield from _objects_of(values.result)
    elif isinstance(values, Mapping):
        if set(values) == {"object", "bytes"}:
            yield values["object"], values["bytes"]
        for item in values.values():
            yield from _objects_of(item)
    elif isinstance(values, (list, tuple)):
        for item in values:
            yield from _objects_of(item)
