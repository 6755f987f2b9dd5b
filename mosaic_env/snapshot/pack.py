"""One-file export and import of a snapshot, and the removal of what no manifest names.

A packed snapshot is a plain, uncompressed tar with sorted members: the same snapshot gives the
same file. Import goes through ``guard`` and ends in a complete verification.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

from mosaic_env.core.errors import CorruptError, SnapshotError
from mosaic_env.guard.archives import read_archive, write_archive
from mosaic_env.snapshot.files import TEMP_PREFIX
from mosaic_env.snapshot.manifest import MANIFEST_NAME
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.snapshot.output import FOLDERS, check_outside, check_writable, writing
from mosaic_env.snapshot.verify import expected_paths, is_left_over, unlisted_paths, verify

MAX_MEMBERS = 2_000_000
MAX_BYTES = 2**38


def pack(folder: Path, archive: Path) -> int:
    """Write a snapshot as one file and return the number of members.

    Raises: CorruptError when the snapshot is damaged.
    """
    snapshot = Snapshot(folder)
    problems = [p for p in verify(folder) if not p.leftover]
    if problems:
        raise CorruptError(problems[0].code, f"{problems[0].path}: {problems[0].what}")
    paths = sorted(expected_paths(snapshot.manifest, snapshot))
    write_archive(archive, ((path, folder / path) for path in paths))
    return len(paths)


def unpack(archive: Path, folder: Path) -> str:
    """Read a packed snapshot into a new folder and return its id.

    Members go to a staging folder, which takes its place by one rename after a complete
    verification: an interrupted or hostile import never leaves a snapshot that opens.

    Raises: ArchiveError, SnapshotError, CorruptError.
    """
    if folder.exists() and any(folder.iterdir()):
        raise SnapshotError(
            "ME-SNAP-04",
            f"the folder {folder.name!r} is not empty",
            expected="a new folder",
            fix="Choose another",
        )
    check_outside(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=TEMP_PREFIX, dir=folder.parent))
    try:
        with writing(folder):
            _receive(archive, staging)
        problems = verify(staging)
        if problems:
            raise CorruptError(
                problems[0].code,
                f"the packed snapshot is damaged: {problems[0].path}: {problems[0].what}",
                fix="Copy the file again from where it was packed",
            )
        staging.chmod(0o755)
        staging.replace(folder)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return Snapshot(folder).id


def _receive(archive: Path, staging: Path) -> None:
    for name, stream in read_archive(archive, max_members=MAX_MEMBERS, max_bytes=MAX_BYTES):
        if name != MANIFEST_NAME and name.split("/")[0] not in FOLDERS:
            raise SnapshotError(
                "ME-SNAP-06", f"the archive has a member {name!r}", expected="a packed snapshot"
            )
        path = staging / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as target:
            shutil.copyfileobj(stream, target)


def collect_garbage(folder: Path, *, min_age_seconds: float = 3600.0) -> list[str]:
    """Delete what builds left in a snapshot's folder and its manifest does not name; return the paths.

    Files of other origin, which lie beside the folders of a snapshot, stay; links, which are damage, go.

    Args:
        min_age_seconds: Younger files stay: another process may be about to publish them.

    Raises: SnapshotError (ME-SNAP-04) for a folder that cannot be written.
    """
    check_writable(folder)
    snapshot = Snapshot(folder)
    now = time.time()  # compared with file times only; no result depends on it
    removed = []
    for path in unlisted_paths(folder, snapshot):
        full = folder / path
        if (is_left_over(path) or full.is_symlink()) and now - full.lstat().st_mtime >= min_age_seconds:
            full.unlink()
            removed.append(path)
    return removed
