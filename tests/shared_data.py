"""Where the real files are: ``MOSAIC_SHARED_DATA`` or ``../shared/data``; tests skip where absent."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parents[1]


def folder() -> Path:
    """Return the folder the real files should be in."""
    return Path(os.environ.get("MOSAIC_SHARED_DATA", _ROOT.parent / "shared" / "data"))


KGDB = folder() / "interlv" / "interlv_search_kgdb.jsonl.gz"
TRIPLES = folder() / "mkgw"
QUERIES = folder() / "interlv" / "queries.jsonl.gz"
PASSWORD = "test123"


def level_file(number: int) -> Path:
    """Return the path of an official level file."""
    return folder() / "interlv" / f"level{number}.json.enc"


needs_shared = pytest.mark.skipif(
    not KGDB.is_file(),
    reason="the real InterLV and MKG-W files are absent; set MOSAIC_SHARED_DATA to their folder",
)
