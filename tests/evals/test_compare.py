"""Two runs over the same tasks: differences, flips, and what is refused."""

from __future__ import annotations

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosaic_env.core.errors import EvalError
from mosaic_env.evals.compare import compare_runs, mcnemar
from mosaic_env.evals.records import Scored
from mosaic_env.evals.tables import Rate
from tests.evals.hand import answer, played

_VALUES = {"x": "yes", ".": "no", "?": "unsure"}


def run(text: str, first: int = 0, **fields: str) -> list[Scored]:
    """One task a letter: right, wrong or unsure."""
    return [
        played(f"{number:02}", answer(_VALUES[mark]), **fields)  # type: ignore[arg-type]
        for number, mark in enumerate(text, start=first)
    ]


def test_difference_flips_and_test() -> None:
    found = compare_runs(run("xxxx......"), run("x..xxxxxx."), names=("old", "new"))
    assert [flip.task for flip in found.lost] == ["hand/01", "hand/02"]
    assert [flip.task for flip in found.won] == ["hand/04", "hand/05", "hand/06", "hand/07", "hand/08"]
    assert (found.won[0].first, found.won[0].second) == ("no: different", "yes: exact")
    assert found.difference == pytest.approx(0.3)
    low, high = found.interval
    assert low < 0 < 0.3 < high
    # 2 of 7 flips one way: 2 * (1 + 7 + 21) / 128
    assert found.p == pytest.approx(58 / 128)
    summary = found.summary()
    assert [table.key for table in summary.tables] == ["comparison", "lost", "won"]
    assert summary.tables[0].rows[0] == ("old", Rate(4, 10), Rate(4, 10))
    assert summary.tables[0].rows[1] == ("new", Rate(7, 10), Rate(7, 10))
    assert summary.tables[0].rows[2][1].startswith("+30.0 (")  # type: ignore[union-attr]
    assert summary.facts["McNemar, exact"] == "p = 0.453" and summary.warnings == ()


def test_the_order_of_episodes_does_not_matter() -> None:
    one, other = run("xx..x"), run(".x.xx")
    assert compare_runs(one, other).summary() == compare_runs(one[::-1], other[::-1]).summary()


def test_different_tasks_are_refused_unless_asked_for() -> None:
    one, other = run("xxxx"), run("x.xx", first=2)
    with pytest.raises(EvalError, match=r"2 tasks only in A \('hand/00', 'hand/01'\).*only in B.*ME-EVAL-02"):
        compare_runs(one, other)
    found = compare_runs(one, other, intersection=True)
    assert found.pairs.n == 2 and found.only == (("hand/00", "hand/01"), ("hand/04", "hand/05"))
    assert found.warnings == ("2 tasks only in A: left out.", "2 tasks only in B: left out.")
    with pytest.raises(EvalError, match="no task in common"):
        compare_runs(one, run("x", first=20), intersection=True)


def test_the_same_key_for_another_task_is_refused() -> None:
    with pytest.raises(EvalError, match="not the same in both"):
        compare_runs(run("x"), run("x", question="Another?"))
    with pytest.raises(EvalError, match="not the same in both"):
        compare_runs(run("x"), run("x", gold="blue"))


def test_unsure_answers_are_named() -> None:
    found = compare_runs(run("x?"), run("xx"), names=("a", "b"))
    assert found.warnings == ("1 answer of a stayed unsure, which is not right.",)
    assert [flip.first for flip in found.won] == ["unsure: partial"]


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_against_the_coin(lost: int, won: int) -> None:
    n = lost + won
    extreme = [comb(n, k) for k in range(n + 1) if abs(2 * k - n) >= abs(lost - won)]
    assert mcnemar(lost, won) == mcnemar(won, lost) == pytest.approx(sum(extreme) / 2**n)
