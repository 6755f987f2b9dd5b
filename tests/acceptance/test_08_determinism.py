"""One list of digests for all golden episodes: under every factor alone, in seeded pairs, in every way of playing."""

from __future__ import annotations

import functools
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.golden.episodes import MODES, stored

ROOT = Path(__file__).resolve().parents[2]
PAIRS = 12

#: factor: (environment variables, other folder, what proves it is in force)
FACTORS: dict[str, tuple[dict[str, str], bool, str]] = {
    "hash-seed": ({"PYTHONHASHSEED": "1"}, False, "hash"),
    "locale": ({"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}, False, "encoding"),
    "time-zone": ({"TZ": "Asia/Tokyo"}, False, "zone"),
    "folder": ({}, True, "folder"),
    "omp": ({"OMP_NUM_THREADS": "1"}, False, "omp_threads"),
    "blas-threads": ({"OPENBLAS_NUM_THREADS": "1"}, False, "blas_threads"),
    "blas": ({"OPENBLAS_CORETYPE": "Nehalem"}, False, "blas"),
    "simd": ({"FAISS_SIMD_LEVEL": "NONE"}, False, "simd"),
}
WAYS = [mode for mode in sorted(MODES) if mode != "single"]
#: planted dependence: how to run it so that it shows
PLANTS: dict[str, tuple[str, str]] = {
    "hash-seed": ("hash-seed", "single"), "locale": ("locale", "single"), "time-zone": ("time-zone", "single"),
    "folder": ("folder", "single"), "omp": ("omp", "single"), "blas": ("blas", "single"), "simd": ("simd", "single"),
    "threads": ("", "threads"), "order": ("", "backwards"), "process": ("", "single"),
}  # fmt: skip
_BASE = {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "TZ": "UTC"}

pytestmark = pytest.mark.skipif(
    not (ROOT / "snapshots" / "bundled").is_dir(), reason="the bundled snapshot is not in this checkout"
)


@functools.cache
def run(factors: tuple[str, ...] = (), mode: str = "single", plant: str = "") -> dict[str, Any]:
    """Play the golden episodes in a process of their own; return digests and what was in force."""
    env = {**os.environ, **_BASE, "PYTHONPATH": str(ROOT)}
    elsewhere = False
    for factor in factors:
        variables, moved, _ = FACTORS[factor]
        env |= variables
        elsewhere |= moved
    command = [sys.executable, "-m", "tests.golden.episodes", "--mode", mode, "--plant", plant]
    done = subprocess.run(
        command, cwd="/" if elsewhere else ROOT, env=env, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-3000:]
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def expected() -> dict[str, str]:
    return {golden["name"]: golden["digest"] for golden in stored()}


def check(factors: tuple[str, ...], mode: str = "single") -> None:
    got = run(factors, mode)
    differing = {name for name, digest in expected().items() if got["digests"].get(name) != digest}
    assert not differing
    for factor in factors:
        proof = FACTORS[factor][2]
        assert got["in_force"][proof] != run()["in_force"][proof], f"{factor} was not in force"


def test_there_are_enough_and_they_cover_the_tools() -> None:
    text = json.dumps(stored())
    assert len(stored()) >= 30
    for word in (
        "local_image_search",
        "image_crop",
        "view_image",
        "list_images",
        "<code>",
        "local_graph_neighbors",
    ):
        assert word in text


def test_baseline_and_no_socket_is_ever_used() -> None:
    check(())
    assert run()["sockets"] == []


@pytest.mark.slow
@pytest.mark.parametrize("factor", sorted(FACTORS))
def test_each_factor_alone(factor: str) -> None:
    check((factor,))


@pytest.mark.slow
@pytest.mark.parametrize("mode", WAYS)
def test_each_way_of_playing(mode: str) -> None:
    check((), mode)


def seeded_pairs() -> list[tuple[str, str, str]]:
    """Return a dozen pairs of factors, each with a way of playing."""
    draw = random.Random(8)
    names = sorted(FACTORS)
    pairs: list[tuple[str, str, str]] = []
    while len(pairs) < PAIRS:
        one, other = draw.sample(names, 2)
        pairs.append((one, other, draw.choice(["single", *WAYS])))
    return pairs


@pytest.mark.slow
@pytest.mark.parametrize("pair", seeded_pairs(), ids="+".join)
def test_seeded_pairs(pair: tuple[str, str, str]) -> None:
    check(pair[:2], pair[2])


@pytest.mark.slow
@pytest.mark.parametrize("plant", sorted(PLANTS))
def test_a_planted_dependence_makes_the_matrix_fail(plant: str) -> None:
    factor, mode = PLANTS[plant]
    here = run((), "single", plant)["digests"]
    there = run.__wrapped__((factor,) if factor else (), mode, plant)["digests"]
    assert set(here) == set(there)
    assert any(here[name] != there[name] for name in here), f"a dependence on {plant} went unnoticed"
