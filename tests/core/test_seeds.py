"""Seeds are mixed, never added: neighbours share nothing."""

from __future__ import annotations

import subprocess
import sys

from mosaic_env.core import seeds


def test_neighbouring_seeds_and_paths_are_unrelated() -> None:
    """Public report: reasoning-gym's seeds 42 and 43 shared 499 of 500 items."""
    first = {seeds.derive(42, "item", n) for n in range(500)}
    second = {seeds.derive(43, "item", n) for n in range(500)}
    assert len(first) == len(second) == 500
    assert not first & second


def test_types_and_boundaries_of_the_path_count() -> None:
    values = {
        seeds.derive(1, "ab"),
        seeds.derive(1, "a", "b"),
        seeds.derive(1, 1),
        seeds.derive(1, "1"),
        seeds.derive(1),
    }
    assert len(values) == 5


def test_the_same_in_another_process() -> None:
    code = "from mosaic_env.core.seeds import *; print(derive(7, 'a', 3), generator(7, 'a').integers(2**60))"
    other = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert int(other[0]) == seeds.derive(7, "a", 3)
    assert int(other[1]) == seeds.generator(7, "a").integers(2**60)


def test_zero_is_a_seed_and_large_and_negative_ones_work() -> None:
    assert len({seeds.derive(0), seeds.derive(-1), seeds.derive(2**200), seeds.derive(1)}) == 4
    assert seeds.python_random(0, "x").random() == seeds.python_random(0, "x").random()
