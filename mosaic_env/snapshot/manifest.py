"""The manifest: which sections a snapshot has, their digests, and every file with size and sha256.

The file on disk is exactly ``render(manifest)``: any other bytes, even other white space, are
refused, so no bit of it can change unnoticed. Must not: open the files it names.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mosaic_env.core.canon import digest, merkle_root, strict_loads
from mosaic_env.core.errors import CorruptError, FormatError, MosaicError, SnapshotError, nearest
from mosaic_env.guard.paths import check_name, check_names, read_regular
from mosaic_env.snapshot import content

FORMAT = "mosaic-snapshot/1"
MANIFEST_NAME = "manifest.json"
#: Every section a snapshot may have. The id of a snapshot is the root over those it has.
SECTIONS = ("kb", "objects", "index", "web", "renders", "domain", "responses", "tasks", "private")
_MAX_MANIFEST = 16 * 2**20


@dataclass(frozen=True)
class FileEntry:
    """A file of the snapshot: size in bytes and ``sha256:…``."""

    size: int
    sha256: str


@dataclass(frozen=True)
class SectionEntry:
    """A section: digest of its logical content, its files, and counts for people.

    Args:
        digest: Digest of the canonical logical content, independent of file layout.
        files: Paths below the snapshot's folder.
        counts: What is in it, by name.
        detail: Further plain data (for ``index``: the encoder of each route).
    """

    digest: str
    files: tuple[str, ...]
    counts: Mapping[str, int] = field(default_factory=dict)
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Manifest:
    """What a snapshot is made of.

    Args:
        world: The name of the world, which tasks refer to (``mmkg-w``).
        title: One line for people.
        sections: By section name.
        files: Every file except the manifest and the objects, by path.
        licences, sources: Plain records: name, licence, digest of the input.
        report: What the builder noticed (coverage, anomalies), for people.
    """

    world: str
    title: str
    sections: Mapping[str, SectionEntry]
    files: Mapping[str, FileEntry]
    licences: tuple[Mapping[str, str], ...] = ()
    sources: tuple[Mapping[str, str], ...] = ()
    report: Mapping[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The snapshot id: the Merkle root over its sections."""
        return merkle_root({name: entry.digest for name, entry in self.sections.items()})

    def root(self, names: tuple[str, ...]) -> str:
        """Return the world id: the root over the named sections that exist."""
        return merkle_root({n: self.sections[n].digest for n in sorted(names) if n in self.sections})

    def section(self, name: str) -> SectionEntry:
        """Return a section's entry.

        Raises: SnapshotError (ME-SNAP-03).
        """
        entry = self.sections.get(name)
        if entry is None:
            raise SnapshotError(
                "ME-SNAP-03",
                f"the snapshot {self.id[:19]}… has no section {name!r}",
                expected="one of " + ", ".join(sorted(self.sections)),
                nearest=nearest(name, self.sections),
                fix="Build the snapshot with that section, or choose another with snapshot=",
            )
        return entry


def render(manifest: Manifest) -> bytes:
    """Return the exact bytes of the manifest's file: sorted, indented JSON and a check digest."""
    body = _to_plain(manifest)
    body["check"] = digest(body)
    return (json.dumps(body, ensure_ascii=True, sort_keys=True, indent=1) + "\n").encode("ascii")


def read_manifest(folder: Path) -> Manifest:
    """Read and check the manifest of a snapshot folder.

    Raises: SnapshotError (ME-SNAP-01 no manifest, ME-SNAP-02 not valid), FormatError, CorruptError.
    """
    path = folder / MANIFEST_NAME
    if not path.is_file():
        raise SnapshotError(
            "ME-SNAP-01",
            f"{folder.name!r} is not a snapshot: it has no {MANIFEST_NAME}",
            expected="a folder made by 'mosaic snapshot build' or 'mosaic world make'",
            fix="Give the folder that holds manifest.json",
        )
    return parse_manifest(read_regular(path, limit=_MAX_MANIFEST))


def parse_manifest(data: bytes) -> Manifest:
    """Read a manifest from its bytes and check every rule that needs no other file."""
    try:
        plain = strict_loads(data)
        version = plain.get("format")
    except (MosaicError, AttributeError) as error:
        raise _invalid(f"the manifest cannot be read ({error})") from None
    if version != FORMAT:
        raise FormatError(
            "ME-FORMAT-01",
            f"the snapshot has format {version!r}",
            expected=FORMAT,
            fix="Use the release of mosaic_env that wrote it, or build the snapshot again",
        )
    try:
        manifest = _from_plain(plain)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        reason = str(error) if isinstance(error, ValueError) else repr(error)
        raise _invalid(f"the manifest lacks or misuses a field ({reason})") from None
    if render(manifest) != data:
        raise CorruptError(
            "ME-CORRUPT-02",
            "the manifest's bytes are not the ones its content gives",
            expected=f"check {digest(_to_plain(manifest))[:19]}…",
            fix="Restore the snapshot from a good copy",
        )
    return manifest


def _invalid(what: str) -> SnapshotError:
    return SnapshotError(
        "ME-SNAP-02", what, expected="a whole manifest", fix="Restore the snapshot from a good copy"
    )


def _to_plain(manifest: Manifest) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "id": manifest.id,
        "world": manifest.world,
        "title": manifest.title,
        "sections": {
            name: {
                "digest": entry.digest,
                "files": list(entry.files),
                "counts": dict(entry.counts),
                "detail": dict(entry.detail),
            }
            for name, entry in manifest.sections.items()
        },
        "files": {path: {"size": f.size, "sha256": f.sha256} for path, f in manifest.files.items()},
        "licences": [dict(item) for item in manifest.licences],
        "sources": [dict(item) for item in manifest.sources],
        "report": dict(manifest.report),
    }


def _from_plain(plain: dict[str, Any]) -> Manifest:
    files = {
        path: FileEntry(content.whole(entry["size"]), content.digest(entry["sha256"]))
        for path, entry in plain["files"].items()
    }
    check_names(files)
    sections: dict[str, SectionEntry] = {}
    for name, entry in plain["sections"].items():
        if name not in SECTIONS:
            raise ValueError(f"unknown section {name!r}")
        paths = tuple(check_name(path) for path in entry["files"])
        unlisted = [path for path in paths if path not in files]
        if unlisted:
            raise ValueError(f"section {name!r} names {unlisted[0]!r}, which is not listed")
        sections[name] = SectionEntry(
            content.digest(entry["digest"]), paths, _counts(entry["counts"]), dict(entry["detail"])
        )
        _check_shape(name, sections[name])
    report = dict(plain["report"])
    _counts(report.get("counts", {}))
    return Manifest(
        world=str(plain["world"]),
        title=str(plain["title"]),
        sections=sections,
        files=files,
        licences=tuple(dict(item) for item in plain["licences"]),
        sources=tuple(dict(item) for item in plain["sources"]),
        report=report,
    )


def _counts(plain: Any) -> dict[str, int]:
    return {name: content.whole(number) for name, number in plain.items()}


def _check_shape(name: str, entry: SectionEntry) -> None:
    """Refuse a section without its file, and an index that does not say what its files are."""
    if not entry.files or (name != "index" and len(entry.files) > 1):
        raise ValueError(f"section {name!r} has {len(entry.files)} files")
    if name == "index":
        named = entry.detail["files"]
        if sorted(named.values()) != sorted(entry.files) or len(set(entry.files)) != len(entry.files):
            raise ValueError("the index names other files than it has")
        for route in entry.detail["routes"].values():
            if type(route["kind"]) is not str:
                raise ValueError("a route of the index has no kind")
    if name == "tasks":
        levels = {count.split(" ")[0] for count in entry.counts}
        if set(entry.counts) != {f"{level} {what}" for level in levels for what in ("playable", "in all")}:
            raise ValueError("the counts of the tasks do not name levels")
        for of_levels in entry.detail.get("unplayable", {}).values():
            _counts(of_levels)
