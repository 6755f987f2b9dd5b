"""Finding a snapshot: explicit path, ``MOSAIC_SNAPSHOT_DIR``, package data, the repository."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from mosaic_env.core.errors import SnapshotError, nearest
from mosaic_env.snapshot.manifest import MANIFEST_NAME

#: The snapshot that comes with the package.
BUNDLED = "bundled"
ENVIRONMENT_VARIABLE = "MOSAIC_SNAPSHOT_DIR"


def search_folders() -> Iterator[Path]:
    """Yield the folders that are searched for a snapshot's name, in order."""
    chosen = os.environ.get(ENVIRONMENT_VARIABLE)
    if chosen:
        yield Path(chosen)
    package = Path(__file__).resolve().parent.parent
    yield package / "_snapshots"  # wheels carry the bundled snapshot here
    yield package.parent / "snapshots"  # a clone or an editable install


def find_snapshot(name: str | os.PathLike[str] | None = None) -> Path:
    """Return the folder of a snapshot, as a path that does not depend on the working folder.

    Args:
        name: A path to a snapshot folder or its ``manifest.json``, or a name such as ``bundled``; None is
            the bundled one, or the folder ``MOSAIC_SNAPSHOT_DIR`` itself when that is a snapshot.

    Raises: SnapshotError (ME-SNAP-01).
    """
    if name is not None:
        path = Path(name).expanduser()
        if path.name == MANIFEST_NAME and path.is_file():
            return path.parent.resolve()
        if (path / MANIFEST_NAME).is_file():
            return path.resolve()
    folders = list(search_folders())
    if name is None and (folders[0] / MANIFEST_NAME).is_file():
        return folders[0].resolve()
    wanted = os.fspath(name) if name is not None else BUNDLED
    for folder in folders if _plain(wanted) else ():
        if (folder / wanted / MANIFEST_NAME).is_file():
            return (folder / wanted).resolve()
    known = sorted({p.parent.name for f in folders if f.is_dir() for p in f.glob(f"*/{MANIFEST_NAME}")})
    raise SnapshotError(
        "ME-SNAP-01",
        f"no snapshot was found under {wanted!r}",
        expected=f"a folder with {MANIFEST_NAME}, or one of " + (", ".join(known) or "(none installed)"),
        nearest=nearest(wanted, known),
        fix=f"Give the folder with snapshot=, set {ENVIRONMENT_VARIABLE}, or build one: "
        "mosaic snapshot build --help",
    )


def _plain(name: str) -> bool:
    return bool(name) and os.sep not in name and "/" not in name and name not in {".", ".."}
