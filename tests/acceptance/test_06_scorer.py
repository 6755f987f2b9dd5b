"""The scorer: few-shot kinds right, false yes at most 0.5 %, yes-recall at least 90 % outside ``unsure``, 10 MB."""

from __future__ import annotations

import time

from mosaic_env.core.types import Gold
from mosaic_env.scoring.score import score
from tests import shared_data
from tests.scoring import derive, official, pairs


def test_the_five_few_shot_kinds() -> None:
    kinds = [pair for pair in pairs.load() if pair.family == "few_shot_kind"]
    assert len(kinds) == 5
    assert all(pair.verdict().value == ("yes" if pair.label else "no") for pair in kinds)


def test_labelled_pairs() -> None:
    committed = pairs.load()
    assert len(committed) >= 200
    labelled = list(committed)
    if all(shared_data.level_file(level).is_file() for level in official.LEVELS):
        for level in official.LEVELS:
            rows = official.rows(level)[:: 1 if level == 2 else 6]
            labelled += derive.derive(rows, f"level{level}")
        assert len(labelled) >= 400
    report = pairs.report(labelled)
    print(
        f"\n{len(labelled)} pairs: false yes {report.false_yes:.4f}, yes-recall {report.yes_recall:.4f}\n{report.table}"
    )
    assert report.false_yes <= 0.005 and report.yes_recall >= 0.90


def test_linear_on_ten_megabytes() -> None:
    def seconds(answer: str) -> float:
        start = time.process_time()
        score(answer, Gold("k", "red and blue", ("crimson",)))
        return time.process_time() - start

    for piece in ("red ", "not red, ", "<done>", "((((", "1 2 3 ", "红 "):
        assert seconds(piece * (10 * 2**20 // len(piece))) < 1.0, piece
