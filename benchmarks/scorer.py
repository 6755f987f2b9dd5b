"""False yes, yes-recall and the share of ``unsure`` of the deterministic scorer, and its speed."""

from __future__ import annotations

import time
from collections.abc import Iterator

from benchmarks.timing import Line, at_least, at_most
from mosaic_env.core.types import Gold
from mosaic_env.scoring.score import score


def lines() -> Iterator[Line]:
    """Yield the scorer's lines; pairs from the official golds only where those are there."""
    from tests import shared_data
    from tests.scoring import derive, official, pairs

    labelled, real = pairs.load(), all(shared_data.level_file(level).is_file() for level in official.LEVELS)
    for level in official.LEVELS if real else ():
        # Every fourth task of the larger levels is enough for rates.
        rows = official.rows(level)[:: 1 if level == 2 else 4]
        labelled += derive.derive(rows, f"level{level}")
    report = pairs.report(labelled)
    print("     " + str(report.table).replace("\n", "\n     "))
    yield at_least("scorer: labelled pairs", len(labelled), 400 if real else 200)
    yield at_most("scorer: false yes", report.false_yes, 0.005)
    yield at_least("scorer: yes-recall outside unsure", report.yes_recall, 0.9)
    start = time.perf_counter()
    score("red " * 2_500_000, Gold("k", "red"))
    yield at_most("scorer: 10 MB answer", time.perf_counter() - start, 1.0, "s")
