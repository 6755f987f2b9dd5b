"""Reading a snapshot: hash first, load second, once per process.

``Snapshot`` is what task sources and evaluators open. ``PublicSnapshot`` is what worlds, tools and
prompts get: it has no way to the ``private`` section.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from mosaic_env.core.canon import digest_bytes
from mosaic_env.core.errors import CorruptError, SnapshotError
from mosaic_env.guard.paths import inside, open_regular, read_regular
from mosaic_env.snapshot.content import unfit
from mosaic_env.snapshot.files import hash_stream
from mosaic_env.snapshot.kb import KnowledgeBase
from mosaic_env.snapshot.manifest import Manifest, SectionEntry, read_manifest
from mosaic_env.snapshot.objects import ObjectStore, parse_object_rows
from mosaic_env.snapshot.responses import Responses
from mosaic_env.snapshot.taskset import PrivateTasks, TaskSets

_PRIVATE = "private"


class _Files:
    """The listed files of a snapshot, each checked against the manifest before its first use.

    A link in the place of a file, or one on the way that leads out of the folder, is refused.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder = folder
        self.manifest = manifest
        self._checked: set[str] = set()

    def checked(self, path: str) -> Path:
        """Return the path of a listed file after checking its size and sha256 (once)."""
        full = inside(self.folder, path)
        if path not in self._checked:
            entry = self.manifest.files[path]
            stream, _ = open_regular(full, size=entry.size, name=path)
            with stream:
                sha256, _ = hash_stream(stream)
            if sha256 != entry.sha256:
                raise _damaged("ME-CORRUPT-02", f"{path} has the digest {sha256[:19]}…", entry.sha256)
            self._checked.add(path)
        return full

    def read(self, path: str) -> bytes:
        """Return the bytes of a listed file, checked against the manifest."""
        entry = self.manifest.files[path]
        data = read_regular(inside(self.folder, path), size=entry.size, name=path)
        if digest_bytes(data) != entry.sha256:
            raise _damaged("ME-CORRUPT-02", f"{path} has other bytes than the manifest says", entry.sha256)
        return data

    def section_file(self, name: str) -> Path:
        """Return the checked single file of a section."""
        return self.checked(self.manifest.section(name).files[0])


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
        self._files = _Files(self.objects.root, manifest)

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

    def file_digests(self, sections: Iterable[str]) -> tuple[tuple[str, str], ...]:
        """Return (path, sha256) of every file of the named sections, sorted: what is really read."""
        entries = self.manifest.sections
        paths = sorted({path for name in sections if name in entries for path in entries[name].files})
        return tuple((path, self.manifest.files[path].sha256) for path in paths)

    def index_file(self, role: str) -> bytes:
        """Return the checked bytes of an index file (``text``, ``image``…).

        Raises: CorruptError (ME-CORRUPT-04) when the index has no such file.
        """
        path = self.section("index").detail["files"].get(role)
        if path is None:
            raise unfit("the section index", f"it has no file for {role!r}")
        return self._files.read(path)

    def object_rows(self) -> Iterator[tuple[str, int, str]]:
        """Yield (digest, size, media type) of every object, sorted."""
        yield from parse_object_rows(self._files.read(self.section("objects").files[0]))


class Snapshot:
    """A whole snapshot: the public part, and the way to gold for those who may use it.

    Args:
        folder: A folder with ``manifest.json``.

    Raises: SnapshotError, FormatError, CorruptError.
    """

    def __init__(self, folder: Path | str) -> None:
        # Resolved now: section files are read when first used, and the working folder may change.
        self.folder = Path(folder).resolve()
        self.manifest = read_manifest(self.folder)
        self.public = PublicSnapshot(self.folder, self.manifest)

    @property
    def id(self) -> str:
        """The snapshot id."""
        return self.manifest.id

    @property
    def has_private(self) -> bool:
        """Whether there is gold: a snapshot may have come without it, or without any task."""
        return _PRIVATE in self.manifest.sections

    @cached_property
    def private(self) -> PrivateTasks:
        """Gold and scenes. Only ``tasks`` and ``evals`` may use this."""
        return PrivateTasks(_Files(self.folder, self.manifest).section_file(_PRIVATE))
