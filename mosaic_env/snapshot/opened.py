"""Reading a snapshot: hash first, load second, once per process.

``Snapshot`` is what task sources and evaluators open. ``PublicSnapshot`` is what worlds, tools and
prompts get: it has no way to the ``private`` section.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from mosaic_env.core.canon import digest_bytes
from mosaic_env.core.errors import CorruptError, SnapshotError
from mosaic_env.guard.paths import read_regular
from mosaic_env.snapshot.files import hash_file
from mosaic_env.snapshot.kb import KnowledgeBase
from mosaic_env.snapshot.manifest import Manifest, SectionEntry, read_manifest
from mosaic_env.snapshot.objects import ObjectStore
from mosaic_env.snapshot.responses import Responses
from mosaic_env.snapshot.taskset import PrivateTasks, TaskSets

_PRIVATE = "private"


class _Files:
    """The listed files of a snapshot, each checked against the manifest before its first use."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder = folder
        self.manifest = manifest
        self._checked: set[str] = set()

    def checked(self, path: str) -> Path:
        """Return the path of a listed file after checking its size and sha256 (once)."""
        full = self.folder / path
        if path not in self._checked:
            entry = self.manifest.files[path]
            self._check_length(full, path, entry.size)
            sha256, _ = hash_file(full)
            if sha256 != entry.sha256:
                raise _damaged("ME-CORRUPT-02", f"{path} has the digest {sha256[:19]}…", entry.sha256)
            self._checked.add(path)
        return full

    def read(self, path: str) -> bytes:
        """Return the bytes of a listed file, checked against the manifest."""
        entry = self.manifest.files[path]
        data = read_regular(self.folder / path, size=entry.size)
        if digest_bytes(data) != entry.sha256:
            raise _damaged("ME-CORRUPT-02", f"{path} has other bytes than the manifest says", entry.sha256)
        return data

    def section_file(self, name: str) -> Path:
        """Return the checked single file of a section."""
        return self.checked(self.manifest.section(name).files[0])

    @staticmethod
    def _check_length(full: Path, path: str, size: int) -> None:
        if full.is_symlink() or not full.is_file():
            raise _damaged("ME-CORRUPT-01", f"{path} is missing or not a regular file", f"{size} bytes")
        if full.stat().st_size != size:
            raise _damaged("ME-CORRUPT-01", f"{path} has {full.stat().st_size} bytes", f"{size} bytes")


def _damaged(code: str, what: str, expected: str) -> CorruptError:
    return CorruptError(
        code, what, expected=expected,
        fix="Restore the snapshot from a good copy; 'mosaic snapshot verify' lists all damage",
    )  # fmt: skip


class PublicSnapshot:
    """The sections an agent's world may be made of.

    Args:
        folder: The snapshot's folder.
        manifest: Its checked manifest.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.manifest = manifest
        self.objects = ObjectStore(folder)
        self._files = _Files(folder, manifest)

    @property
    def id(self) -> str:
        """The snapshot id."""
        return self.manifest.id

    def has(self, section: str) -> bool:
        """Tell whether a public section exists."""
        return section != _PRIVATE and section in self.manifest.sections

    def section(self, name: str) -> SectionEntry:
        """Return the manifest entry of a public section.

        Raises: SnapshotError (ME-SNAP-03).
        """
        if name == _PRIVATE:
            raise SnapshotError("ME-SNAP-03", "the private section is not part of a public snapshot")
        return self.manifest.section(name)

    @cached_property
    def kb(self) -> KnowledgeBase:
        """The knowledge base."""
        return KnowledgeBase(self._files.section_file("kb"))

    @cached_property
    def tasks(self) -> TaskSets:
        """The public parts of the tasks."""
        return TaskSets(self._files.section_file("tasks"))

    @cached_property
    def responses(self) -> Responses:
        """The recorded responses."""
        return Responses(self._files.section_file("responses"))

    def index_file(self, role: str) -> bytes:
        """Return the checked bytes of an index file (``text``, ``image``…)."""
        return self._files.read(self.section("index").detail["files"][role])

    def object_rows(self) -> Iterator[tuple[str, int, str]]:
        """Yield (digest, size, media type) of every object, sorted."""
        data = self._files.read(self.section("objects").files[0]).decode("ascii")
        for line in data.splitlines():
            digest, size, media = line.split("\t")
            yield digest, int(size), media


class Snapshot:
    """A whole snapshot: the public part, and the way to gold for those who may use it.

    Args:
        folder: A folder with ``manifest.json``.

    Raises: SnapshotError, FormatError, CorruptError.
    """

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        self.manifest = read_manifest(self.folder)
        self.public = PublicSnapshot(self.folder, self.manifest)

    @property
    def id(self) -> str:
        """The snapshot id."""
        return self.manifest.id

    @cached_property
    def private(self) -> PrivateTasks:
        """Gold and scenes. Only ``tasks`` and ``evals`` may use this."""
        return PrivateTasks(_Files(self.folder, self.manifest).section_file(_PRIVATE))
