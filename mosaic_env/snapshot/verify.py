"""Checking a snapshot completely: every file, every object, every section's logical digest.

Must not: repair anything. A file that no manifest names is reported too: it is left over, not damage.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass
from pathlib import Path

from mosaic_env.core.errors import CorruptError, MosaicError
from mosaic_env.snapshot.coherence import CHECKS, parse_section
from mosaic_env.snapshot.files import TEMP_PREFIX
from mosaic_env.snapshot.manifest import MANIFEST_NAME, Manifest
from mosaic_env.snapshot.objects import object_path
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.snapshot.output import FOLDERS
from mosaic_env.snapshot.schema import SECTION_TABLES
from mosaic_env.snapshot.tables import tables_digest
from mosaic_env.snapshot.writer import index_digest, objects_digest

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is not as it should be.

    Args:
        code: A stable code.
        path: Below the snapshot.
        what: A sentence.
        leftover: Nothing is damaged: no manifest names the file.
    """

    code: str
    path: str
    what: str
    leftover: bool = False


def verify(folder: Path | str, *, progress: Progress | None = None) -> list[Problem]:
    """Check a snapshot folder completely.

    Args:
        progress: Called with (done, total) objects.

    Returns: Every problem found, in a stable order; it is whole when all of them are leftovers.
    Cost: reads all bytes: about 1 s a gigabyte, plus the sections' rows and making the text index again.
    """
    folder = Path(folder)
    try:
        snapshot = Snapshot(folder)
    except MosaicError as error:
        return [Problem(error.code, MANIFEST_NAME, str(error))]
    found = list(_check_sections(snapshot))
    problems = [problem for _, problem in found]
    whole = snapshot.manifest.sections.keys() - {name for name, _ in found}
    if "objects" in whole:
        problems += _check_objects(snapshot, progress)
    problems += _check_coherence(snapshot, whole)
    problems += _links(snapshot.folder)
    problems += _unlisted(snapshot.folder, snapshot)
    return problems


def _check_sections(snapshot: Snapshot) -> Iterator[tuple[str, Problem]]:
    """Yield (section, problem) of each section by itself."""
    files = snapshot.public._files
    for name, entry in sorted(snapshot.manifest.sections.items()):
        broken = False
        for path in entry.files:
            try:
                files.checked(path)
            except MosaicError as error:
                broken = True
                yield name, Problem(error.code, path, error.what)
        if broken:
            continue
        try:
            digest = _section_digest(snapshot, name)
            parse_section(snapshot, name)
        except MosaicError as error:
            yield name, Problem(error.code, entry.files[0], error.what)
            continue
        if digest != entry.digest:
            what = f"section {name} has the digest {digest}, not {entry.digest}"
            yield name, Problem("ME-CORRUPT-03", entry.files[0], what)


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
    raise CorruptError("ME-CORRUPT-03", f"this release cannot check a section {name!r}")


def _check_objects(snapshot: Snapshot, progress: Progress | None) -> Iterator[Problem]:
    rows = list(snapshot.public.object_rows()) if snapshot.public.has("objects") else []
    for done, (digest, size, _) in enumerate(rows, start=1):
        try:
            snapshot.public.objects.read(digest, size)
        except MosaicError as error:
            yield Problem(error.code, object_path(digest), error.what)
        if progress is not None:
            progress(done, len(rows))


def _check_coherence(snapshot: Snapshot, whole: Set[str]) -> Iterator[Problem]:
    """Yield what is wrong between sections that are each whole."""
    for sections, check in CHECKS:
        if not whole >= set(sections):
            continue
        try:
            for path, what in check(snapshot):
                yield Problem("ME-CORRUPT-04", path, what)
        except MosaicError as error:
            yield Problem(error.code, snapshot.manifest.sections[sections[0]].files[0], error.what)


def expected_paths(manifest: Manifest, snapshot: Snapshot) -> set[str]:
    """Return every path a snapshot owns."""
    paths = {MANIFEST_NAME, *manifest.files}
    if "objects" in manifest.sections:
        paths.update(object_path(digest) for digest, _, _ in snapshot.public.object_rows())
    return paths


def unlisted_paths(folder: Path, snapshot: Snapshot) -> list[str]:
    """Return the paths below a snapshot's folder that its manifest does not name, sorted."""
    expected = expected_paths(snapshot.manifest, snapshot)
    needed = expected | {parent.as_posix() for path in expected for parent in Path(path).parents}
    return sorted(path for path, _ in _paths(folder) if path not in needed)


def is_left_over(path: str) -> bool:
    """Tell whether an unlisted path lies where builds write, so that it may be removed; others are somebody's own."""
    first = path.split("/")[0]
    return first in FOLDERS or first.startswith(TEMP_PREFIX)


def _paths(folder: Path) -> Iterator[tuple[str, bool]]:
    """Yield every path below a folder that is not itself a folder, and whether it is a link."""
    for base, folders, names in os.walk(folder):
        # os.walk counts links to folders among the folders, and does not enter them.
        for path in (Path(base, name) for name in (*names, *folders)):
            if path.is_symlink() or path.name in names:
                yield path.relative_to(folder).as_posix(), path.is_symlink()


def _links(folder: Path) -> Iterator[Problem]:
    for path in sorted(path for path, link in _paths(folder) if link):
        yield Problem("ME-CORRUPT-01", path, "a link stands here: a snapshot holds files and folders only")


def _unlisted(folder: Path, snapshot: Snapshot) -> list[Problem]:
    try:
        paths = [path for path in unlisted_paths(folder, snapshot) if not (folder / path).is_symlink()]
    except MosaicError:
        return []  # the object list itself is damaged, which is reported already
    return [
        Problem(
            "ME-CORRUPT-01",
            path,
            "is left over from an interrupted or older build; 'mosaic snapshot gc' removes it"
            if is_left_over(path)
            else "is not named by the manifest",
            leftover=True,
        )
        for path in paths
    ]
