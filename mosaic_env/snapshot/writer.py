"""Writing a snapshot: objects first, then section files under new names, the manifest last.

Section files carry a part of their digest in the name, so nothing that an existing manifest names
is ever overwritten: a crash at any moment leaves the old snapshot whole, or the new one. Two
writers into one folder both succeed; the last manifest wins, and it is never a mixture.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mosaic_env.core.canon import digest_rows
from mosaic_env.snapshot.files import TEMP_PREFIX, hash_file, sync_path, write_file
from mosaic_env.snapshot.manifest import MANIFEST_NAME, FileEntry, Manifest, SectionEntry, render
from mosaic_env.snapshot.objects import ObjectStore, object_line, object_path
from mosaic_env.snapshot.output import FOLDERS, check_output, writing
from mosaic_env.snapshot.schema import SECTION_TABLES
from mosaic_env.snapshot.tables import Rows, tables_digest, write_tables


def objects_digest(rows: Iterable[tuple[str, int, str]]) -> str:
    """Return the digest of an ``objects`` section from (digest, size, media type), sorted."""
    return digest_rows(["object", *row] for row in rows)


def index_digest(files: Iterable[tuple[str, int, str]], detail: Mapping[str, Any]) -> str:
    """Return the digest of an ``index`` section from (role, size, sha256) and the encoders' identity."""
    return digest_rows([["index", dict(detail)], *(["file", *row] for row in sorted(files))])


class SnapshotWriter:
    """Collects the parts of a snapshot below a folder and publishes them at the end.

    Args:
        out: A folder that is absent, empty, or already a snapshot.
        world: The world's name; tasks refer to it.
        title: One line for people.
        base: A manifest (of this folder) whose sections stay unless written anew.

    Raises: SnapshotError (ME-SNAP-04 when the folder holds anything else, ME-SNAP-07 inside another snapshot).
    Every method that writes raises SnapshotError (ME-SNAP-08) when the disk is full or refuses.
    """

    def __init__(self, out: Path, *, world: str, title: str, base: Manifest | None = None) -> None:
        check_output(out)
        with writing(out):
            for name in FOLDERS:
                (out / name).mkdir(parents=True, exist_ok=True)
        self.out = out
        self.world = world
        self.title = title
        self.objects = ObjectStore(out)
        self._object_rows: dict[str, tuple[int, str]] = {}
        self._files: dict[str, FileEntry] = dict(base.files) if base else {}
        self._sections: dict[str, SectionEntry] = dict(base.sections) if base else {}
        self.licences: list[Mapping[str, str]] = list(base.licences) if base else []
        self.sources: list[Mapping[str, str]] = list(base.sources) if base else []
        self.report: dict[str, Any] = dict(base.report) if base else {}

    def put_object(self, data: bytes, media_type: str) -> str:
        """Store an object and return its digest."""
        with writing(self.out):
            digest = self.objects.put(data)
        self._object_rows[digest] = (len(data), media_type)
        return digest

    def adopt_objects(self, rows: Iterable[tuple[str, int, str]]) -> None:
        """List objects that are in the folder already: (digest, size, media type)."""
        for digest, size, media in rows:
            self._object_rows.setdefault(digest, (size, media))

    def write_section(
        self,
        name: str,
        rows: Mapping[str, Rows],
        *,
        counts: Mapping[str, int],
        detail: Mapping[str, Any] | None = None,
    ) -> SectionEntry:
        """Write a SQLite section and return its entry."""
        tables = SECTION_TABLES[name]
        with self._temporary("sections") as temporary:
            write_tables(temporary, tables, rows)
            digest = tables_digest(temporary, tables)
            path = self._keep(temporary, "sections", name, "sqlite")
        return self._add(name, SectionEntry(digest, (path,), dict(counts), dict(detail or {})))

    def write_index(
        self, files: Mapping[str, bytes], *, detail: Mapping[str, Any], counts: Mapping[str, int]
    ) -> SectionEntry:
        """Write the files of the ``index`` section, by role (``text``, ``image``)."""
        rows, paths, roles = [], [], {}
        for role in sorted(files):
            with self._temporary("index") as temporary:
                temporary.write_bytes(files[role])
                path = self._keep(temporary, "index", role, "safetensors")
            entry = self._files[path]
            rows.append((role, entry.size, entry.sha256))
            paths.append(path)
            roles[role] = path
        digest = index_digest(rows, detail)
        return self._add(
            "index", SectionEntry(digest, tuple(paths), dict(counts), {**detail, "files": roles})
        )

    def _write_objects(self) -> None:
        rows = [(digest, size, media) for digest, (size, media) in sorted(self._object_rows.items())]
        data = "".join(map(object_line, rows)).encode("ascii")
        with self._temporary("sections") as temporary:
            temporary.write_bytes(data)
            path = self._keep(temporary, "sections", "objects", "tsv")
        counts = {"objects": len(rows), "bytes": sum(size for _, size, _ in rows)}
        self._add("objects", SectionEntry(objects_digest(rows), (path,), counts))

    def publish(self) -> Manifest:
        """Flush everything to disk, then put the manifest in place. Only now the snapshot exists."""
        with writing(self.out):
            self.objects.flush()
        if self._object_rows or "objects" not in self._sections:
            self._write_objects()
        used = {path for entry in self._sections.values() for path in entry.files}
        manifest = Manifest(
            world=self.world,
            title=self.title,
            sections=self._sections,
            files={path: entry for path, entry in self._files.items() if path in used},
            licences=tuple(self.licences),
            sources=tuple(self.sources),
            report=self.report,
        )
        with writing(self.out):
            for folder in ("sections", "index"):
                sync_path(self.out / folder)
            write_file(self.out / MANIFEST_NAME, render(manifest))
        return manifest

    @contextlib.contextmanager
    def _temporary(self, folder: str) -> Iterator[Path]:
        """Yield a path that nobody else has; what is still there at the end is removed."""
        path = self.out / folder / f"{TEMP_PREFIX}{os.getpid()}-{secrets.token_hex(6)}"
        try:
            with writing(self.out):
                yield path
        finally:
            path.unlink(missing_ok=True)

    def _keep(self, temporary: Path, folder: str, name: str, suffix: str) -> str:
        """Give a finished temporary file its content-derived name and list it."""
        sync_path(temporary)
        sha256, size = hash_file(temporary)
        path = f"{folder}/{name}-{sha256[7:19]}.{suffix}"
        temporary.replace(self.out / path)
        self._files[path] = FileEntry(size, sha256)
        return path

    def _add(self, name: str, entry: SectionEntry) -> SectionEntry:
        self._sections[name] = entry
        return entry


def share_files(source: Path, target: Path, paths: Sequence[str]) -> None:
    """Give ``target`` the named files of ``source`` by hard link, or by copy where links do not work."""
    for path in paths:
        destination = target / path
        if destination.exists():
            continue
        destination.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(source / path, destination)
        except OSError:
            temporary = destination.with_name(f"{TEMP_PREFIX}{os.getpid()}-{secrets.token_hex(6)}")
            shutil.copyfile(source / path, temporary)
            temporary.replace(destination)


def shared_paths(manifest: Manifest, object_digests: Iterable[str]) -> list[str]:
    """Return every path a snapshot owns: listed files and objects."""
    return [*manifest.files, *(object_path(digest) for digest in object_digests)]
