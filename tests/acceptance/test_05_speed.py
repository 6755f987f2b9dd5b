"""The speed lines, as ratios in one process. A line counts when one of three runs meets it: machines are noisy."""

from __future__ import annotations

import pytest

from tests.shared_data import needs_shared

pytestmark = [pytest.mark.slow, pytest.mark.speed, pytest.mark.shared, needs_shared]
RUNS = 3


@pytest.mark.parametrize("name", ["startup", "speed"])
def test_lines(name: str) -> None:
    import importlib

    module = importlib.import_module(f"benchmarks.{name}")
    met: dict[str, bool] = {}
    for _ in range(RUNS):
        for line in module.lines():
            print(line)
            met[line.name] = met.get(line.name, False) or line.met
        if all(met.values()):
            break
    assert met and not [line for line, fine in met.items() if not fine]
