"""Words of messages."""

from __future__ import annotations

from mosaic_env.core.words import counted


def test_numbers_have_their_noun() -> None:
    assert [counted(n, "line") for n in (0, 1, 2)] == ["0 lines", "1 line", "2 lines"]
    assert counted(2, "entity", "entities") == "2 entities" and counted(1000, "file") == "1,000 files"
