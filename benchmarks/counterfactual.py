"""Making and playing 1,000 counterfactual pairs of the bundled world."""

from __future__ import annotations

import time
from collections.abc import Iterator

import gymnasium as gym

import mosaic_env  # noqa: F401
from benchmarks.timing import Line, at_least, at_most
from mosaic_env.agents.oracle import OracleAgent
from mosaic_env.evals.quality.counterfactual import both_right, by_agent
from mosaic_env.evals.quality.pairs import make_pairs

_PAIRS = 1_000
_SECONDS = 120


def lines() -> Iterator[Line]:
    """Yield how long they take, and what the oracle gets right."""
    setup = gym.make("InterLV-L2-v0", tasks="generated").unwrapped.setup  # type: ignore[attr-defined]
    start = time.perf_counter()
    pairs = list(make_pairs(setup, _PAIRS))
    report = both_right(pairs, by_agent(OracleAgent))
    seconds = time.perf_counter() - start
    yield at_least("counterfactual pairs", len(pairs), _PAIRS)
    yield at_most("counterfactual pairs, made and played by the oracle", seconds, _SECONDS, "s")
    yield at_least("counterfactual pairs that the oracle gets right", report.share, 0.99)
