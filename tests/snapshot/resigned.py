"""Damaged snapshots whose manifest was signed again: every digest of a file is right, the content is not."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load, save

from mosaic_env.core.canon import digest, digest_bytes

Edit = Callable[[Path], None]
Manifest = dict[str, Any]


def sign(folder: Path, edit: Callable[[Manifest], Any] | None = None) -> None:
    """Write a manifest that fits the files as they are, after an edit of its plain form."""
    path = folder / "manifest.json"
    plain = json.loads(path.read_bytes())
    del plain["check"], plain["id"]
    for name, entry in plain["files"].items():
        data = (folder / name).read_bytes()
        entry.update(size=len(data), sha256=digest_bytes(data))
    if edit is not None:
        edit(plain)
    parts = {name: section["digest"] for name, section in plain["sections"].items()}
    plain["id"] = digest({"mosaic-root": 1, "parts": parts})
    plain["check"] = digest(plain)
    path.write_text(json.dumps(plain, sort_keys=True, indent=1) + "\n")


def manifest(edit: Callable[[Manifest], Any]) -> Edit:
    """Return an edit of the manifest alone."""
    return lambda folder: sign(folder, edit)


def section_file(folder: Path, section: str) -> Path:
    """Return the first file of a section."""
    plain = json.loads((folder / "manifest.json").read_bytes())
    return folder / str(plain["sections"][section]["files"][0])


def sql(section: str, *statements: str) -> Edit:
    """Return an edit of a section's database."""

    def edit(folder: Path) -> None:
        with sqlite3.connect(section_file(folder, section)) as db:
            for statement in statements:
                db.execute(statement)
        db.close()
        sign(folder)

    return edit


def content(section: str, data: bytes) -> Edit:
    """Return an edit that gives a section's first file other bytes."""

    def edit(folder: Path) -> None:
        section_file(folder, section).write_bytes(data)
        sign(folder)

    return edit


def index_bytes(role: str, change: Callable[[bytes], bytes]) -> Edit:
    """Return an edit of the bytes of an index file."""

    def edit(folder: Path) -> None:
        plain = json.loads((folder / "manifest.json").read_bytes())
        path = folder / plain["sections"]["index"]["detail"]["files"][role]
        path.write_bytes(change(path.read_bytes()))
        sign(folder)

    return edit


def array(role: str, name: str, change: Callable[[Any], Any]) -> Edit:
    """Return an edit of one array of an index file."""

    def changed(data: bytes) -> bytes:
        arrays: Mapping[str, Any] = load(data)
        return save({**arrays, name: np.ascontiguousarray(change(arrays[name]))})

    return index_bytes(role, changed)
