"""What the benchmarks run on: the real knowledge base when it is there, queries, and dummy pictures."""

from __future__ import annotations

import gzip
import json
import random
from functools import cache
from pathlib import Path

import numpy as np

from mosaic_env.core.types import Gold, Task
from mosaic_env.guard.images import encode_png
from mosaic_env.record.build import BuildInputs, build_snapshot
from mosaic_env.snapshot.manifest import MANIFEST_NAME
from mosaic_env.tasks.source import SourceContext, register_source
from tests.shared_data import KGDB, QUERIES, TRIPLES

CACHE = Path(__file__).resolve().parents[1] / ".cache" / "benchmarks"
PICTURES = 12_000


def real_available() -> bool:
    """Tell whether the real knowledge base is there."""
    return KGDB.is_file()


def real_snapshot() -> Path:
    """Return the real knowledge base as a snapshot, built once."""
    return _built("real", None)


def pictured_snapshot() -> Path:
    """Return the real knowledge base with 12,000 small dummy pictures, built once (takes minutes)."""
    images = CACHE / "images"
    if not images.is_dir():
        images.mkdir(parents=True)
        draw = np.random.default_rng(0)
        with gzip.open(KGDB, "rt", encoding="utf-8") as lines:
            keys = [json.loads(line)["qid"] for line in lines][:PICTURES]
        for key in keys:
            coarse = draw.integers(0, 256, (6, 8, 3), np.uint8)
            (images / f"{key}.png").write_bytes(encode_png(np.kron(coarse, np.ones((8, 8, 1), np.uint8))))
    return _built("pictured", images)


def _built(name: str, images: Path | None) -> Path:
    from mosaic_env.index.ngrams import DIMENSIONS
    from mosaic_env.snapshot.manifest import read_manifest

    out = CACHE / name
    if (out / MANIFEST_NAME).is_file():
        route = read_manifest(out).sections["index"].detail["routes"]["text"]
        if route.get("dimensions") == DIMENSIONS:
            return out
    build_snapshot(BuildInputs(KGDB, TRIPLES, images), out)
    return out


@cache
def queries(count: int) -> tuple[str, ...]:
    """Return distinct queries of all kinds, shuffled with a fixed seed."""
    with gzip.open(QUERIES, "rt", encoding="utf-8") as lines:
        found = sorted({json.loads(line)["query"] for line in lines})
    random.Random(1).shuffle(found)  # noqa: S311 - an order, not a secret
    return tuple(found[:count])


@register_source("benchmark")
class BenchmarkTasks:
    """A thousand tasks without pictures, so that steps are measured and not tasks."""

    world = "*"

    def __init__(self, context: SourceContext) -> None:
        self._keys = [f"benchmark/{number}" for number in range(1000)]

    def keys(self) -> list[str]:
        """Return the keys."""
        return self._keys

    def get(self, key: str) -> tuple[Task, Gold]:
        """Return a task."""
        return Task(key, "What is it?"), Gold(key, "nothing")
