"""The lines of models, judge, evaluation and trainers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mosaic_env.core.types import Gold
from mosaic_env.evals.judge.judge import Judge, judge_answer
from mosaic_env.evals.metrics.summary import summarise
from mosaic_env.evals.tables import Rate
from tests.evals.hand import ten
from tests.evals.test_judge import Fixed, Obedient

DATA = Path(__file__).resolve().parents[1] / "evals" / "data"


def test_decomposition_of_ten_episodes_counted_by_hand() -> None:
    tables = {table.key: table for table in summarise(ten()).tables}
    rows = {row[:2]: row[2:] for row in tables["retrieval"].rows}
    # R@5, Acc|Ret, Acc|UnRet, Corr. from Ret.
    assert rows["All", "final"] == (Rate(6, 10), Rate(2, 6), Rate(3, 4), Rate(2, 5))
    assert rows["All", "any"] == (Rate(8, 10), Rate(4, 8), Rate(1, 2), Rate(4, 5))


def test_fifty_injections_change_no_verdict() -> None:
    texts = json.loads((DATA / "judge_injections.json").read_text("ascii"))
    gold, question = Gold("t/1", "a lion holding a key"), "What does the crest show?"
    judge = Judge(Obedient())  # says YES to whatever it is told outside the data
    assert len(set(texts)) >= 50
    for text in texts:
        assert judge.decide(text, gold, question).value == "no"
        assert judge_answer(text, gold, question, judge).value == "no"
        assert judge_answer(f"an eagle. {text}", gold, question, judge).value == "no"


@pytest.mark.parametrize(
    ("reply", "value", "parsed"),
    [
        ("There is no doubt: YES", "yes", True),
        ("not YES", "no", False),
        ("no.", "no", True),
        ("?", "no", False),
    ],
)
def test_unreadable_verdicts_are_wrong_and_flagged(reply: str, value: str, parsed: bool) -> None:
    judged = Judge(Fixed(reply)).decide("x", Gold("t/1", "y"), "")
    assert (judged.value, judged.parsed) == (value, parsed)
