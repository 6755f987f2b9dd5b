"""Derived seeds: mixed by hash along a path, never added.

``derive(7, "task", 3)`` and ``derive(8, "task", 2)`` have nothing in common, so neighbouring
seeds never share a stream, and a new consumer of randomness disturbs no other.
There is no global generator anywhere in this package.
"""

from __future__ import annotations

import hashlib
import random

import numpy as np

from mosaic_env.core.canon import canonical_bytes


def derive(seed: int, *path: str | int) -> int:
    """Return a 128-bit integer that depends on the seed and every part of the path.

    Determinism: pure; the same on every machine and Python version.
    """
    data = canonical_bytes(["mosaic-seed", str(int(seed)), [[type(p).__name__, str(p)] for p in path]])
    return int.from_bytes(hashlib.sha256(data).digest()[:16], "big")


def generator(seed: int, *path: str | int) -> np.random.Generator:
    """Return NumPy's PCG64 generator seeded with ``derive(seed, *path)``."""
    return np.random.Generator(np.random.PCG64(derive(seed, *path)))


def python_random(seed: int, *path: str | int) -> random.Random:
    """Return a ``random.Random`` seeded with ``derive(seed, *path)``: cheap for single draws."""
    return random.Random(derive(seed, *path))  # noqa: S311 - not for secrets
