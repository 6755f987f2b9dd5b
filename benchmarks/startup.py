"""What importing, making and resetting cost, each in fresh processes."""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.data import pictured_snapshot, real_snapshot
from benchmarks.timing import Line, at_most

_IMPORT = """
import time, gymnasium, numpy
t = time.perf_counter(); import mosaic_env; print(time.perf_counter() - t)
"""
_RESET = """
import sys, time
import gymnasium as gym, numpy, mosaic_env, benchmarks.data
t = time.perf_counter()
env = gym.make("InterLV-L1-v0", snapshot=sys.argv[1], tasks="benchmark"); env.reset(seed=0)
print(time.perf_counter() - t)
"""
_FURTHER = """
import sys, time, tracemalloc
import gymnasium as gym, mosaic_env, benchmarks.data
make = lambda: gym.make("InterLV-L1-v0", snapshot=sys.argv[1], tasks="benchmark")
first = make(); first.reset(seed=0); first.step("<query>x</query>")
t = time.perf_counter(); envs = [make() for _ in range(50)]; [e.reset(seed=0) for e in envs]
seconds = (time.perf_counter() - t) / 50
tracemalloc.start(); more = [make() for _ in range(50)]; [e.reset(seed=0) for e in more]
print(seconds, tracemalloc.get_traced_memory()[0] / 50)
"""


def _run(code: str, *arguments: str) -> list[float]:
    root = Path(__file__).resolve().parents[1]
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=root, capture_output=True, text=True, check=True
    )
    return [float(word) for word in done.stdout.split()]


def _median(code: str, *arguments: str) -> float:
    return statistics.median(_run(code, *arguments)[0] for _ in range(5))


def lines() -> Iterator[Line]:
    """Yield every start-up line."""
    yield at_most("import mosaic_env after gymnasium and numpy", _median(_IMPORT), 0.15, "s")
    yield at_most("gym.make + reset, real snapshot", _median(_RESET, str(real_snapshot())), 0.5, "s")
    yield at_most(
        "gym.make + reset, with 12,000 pictures", _median(_RESET, str(pictured_snapshot())), 0.5, "s"
    )
    seconds, memory = _run(_FURTHER, str(real_snapshot()))
    yield at_most("each further environment, time", seconds * 1000, 5.0, "ms")
    yield at_most("each further environment, memory", memory / 2**20, 1.0, "MiB")
