"""How fast ``mosaic world make`` makes a world of 1,000 entities, pictures, tasks and index included."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.timing import Line, at_least
from mosaic_env.world.config import WorldConfig
from mosaic_env.world.make import build_world


def lines(entities: int = 1_000) -> Iterator[Line]:
    """Yield the line of a world's size; the bar is for two idle cores."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        build_world(WorldConfig(entities, 7), Path(folder) / "world")
        seconds = time.perf_counter() - start
    yield at_least(f"entities a second, of {entities:,} with pictures", entities / seconds, 50, "a second")
