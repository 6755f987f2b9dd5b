"""Checking a snapshot completely: every file, every object, every section's logical digest.

Must not: repair anything. "Not checked" counts as failure: a file nobody names is reported too.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from mosaic_env.core.errors import MosaicError
from mosaic_env.snapshot.files import TEMP_PREFIX
from mosaic_env.snapshot.manifest import MANIFEST_NAME, Manifest
from mosaic_env.snapshot.objects import object_path
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.snapshot.schema import SECTION_TABLES
from mosaic_env.snapshot.tables import tables_digest
from mosaic_env.snapshot.writer import index_digest, objects_digest

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: a stable code, the path below the snapshot, and a sentence."""

    code: str
    path: str
    what: str


def verify(folder: Path | str, *, progress: Progress | None = None) -> list[Problem]:
    """Check a snapshot folder completely.

    Args:
        progress: Called with (done, total) objects.

    Returns: Every problem found, in a stable order; an empty list means that it is whole.
    Cost: reads all bytes: about 1 s a gigabyte, plus the sections' rows.
    """
    folder = Path(folder)
    try:
        snapshot = Snapshot(folder)
    except MosaicError as error:
        return [Problem(error.code, MANIFEST_NAME, str(error))]
    problems = list(_check_sections(snapshot))
    damaged = {problem.path.split("-")[0] for problem in problems}
    if "sections/objects" not in damaged:
        problems += _check_objects(snapshot, progress)
        if "sections/kb" not in damaged:
            problems += _check_pictures(snapshot)
    problems += _unlisted(folder, snapshot)
    return problems


def _check_sections(snapshot: Snapshot) -> Iterator[Problem]:
    files = snapshot.public._files
    for name, entry in sorted(snapshot.manifest.sections.items()):
        broken = False
        for path in entry.files:
            try:
                files.checked(path)
            except MosaicError as error:
                broken = True
                yield Problem(error.code, path, error.what)
        if broken:
            continue
        try:
            digest = _section_digest(snapshot, name)
        except (MosaicError, ValueError, KeyError) as error:
            yield Problem("ME-CORRUPT-03", entry.files[0], f"section {name} cannot be read: {error}")
            continue
        if digest != entry.digest:
            yield Problem(
                "ME-CORRUPT-03", entry.files[0], f"section {name} has the digest {digest}, not {entry.digest}"
            )


def _section_digest(snapshot: Snapshot, name: str) -> str:
    entry = snapshot.manifest.sections[name]
    if name in SECTION_TABLES:
        return tables_digest(snapshot.folder / entry.files[0], SECTION_TABLES[name])
    if name == "objects":
        return objects_digest(snapshot.public.object_rows())
    if name == "index":
        listed = snapshot.manifest.files
        roles = entry.detail["files"]
        rows = [(role, listed[path].size, listed[path].sha256) for role, path in roles.items()]
        return index_digest(rows, {key: value for key, value in entry.detail.items() if key != "files"})
    raise ValueError(f"no rule for section {name!r}")


def _check_objects(snapshot: Snapshot, progress: Progress | None) -> Iterator[Problem]:
    rows = list(snapshot.public.object_rows()) if snapshot.public.has("objects") else []
    for done, (digest, size, _) in enumerate(rows, start=1):
        try:
            snapshot.public.objects.read(digest, size)
        except MosaicError as error:
            yield Problem(error.code, object_path(digest), error.what)
        if progress is not None:
            progress(done, len(rows))


def _check_pictures(snapshot: Snapshot) -> Iterator[Problem]:
    sizes = (
        {d: size for d, size, _ in snapshot.public.object_rows()} if snapshot.public.has("objects") else {}
    )
    for stored in snapshot.public.kb.stored_pictures if snapshot.public.has("kb") else ():
        if sizes.get(stored.picture.digest) != stored.size:
            yield Problem(
                "ME-CORRUPT-03", object_path(stored.picture.digest), "a picture's object is not listed"
            )


def expected_paths(manifest: Manifest, snapshot: Snapshot) -> set[str]:
    """Return every path a snapshot owns."""
    paths = {MANIFEST_NAME, *manifest.files}
    if "objects" in manifest.sections:
        paths.update(object_path(digest) for digest, _, _ in snapshot.public.object_rows())
    return paths


def unlisted_paths(folder: Path, snapshot: Snapshot) -> list[str]:
    """Return the paths below a snapshot's folder that its manifest does not name, sorted."""
    expected = expected_paths(snapshot.manifest, snapshot)
    found = []
    for base, folders, names in os.walk(folder):
        folders.sort()
        for name in names:
            path = Path(base, name).relative_to(folder).as_posix()
            if path not in expected:
                found.append(path)
    return sorted(found)


def _unlisted(folder: Path, snapshot: Snapshot) -> list[Problem]:
    try:
        paths = unlisted_paths(folder, snapshot)
    except MosaicError:
        return []  # the object list itself is damaged, which is reported already
    return [
        Problem(
            "ME-CORRUPT-01",
            path,
            "is left over from an interrupted or older build; 'mosaic snapshot gc' removes it"
            if TEMP_PREFIX in path or path.split("/")[0] in {"sections", "index", "objects"}
            else "is not named by the manifest",
        )
        for path in paths
    ]
