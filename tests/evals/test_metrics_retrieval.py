"""R@5 and the decomposition of accuracy against ten episodes that were counted by hand.

episode        01  02  03  04  05 │ 06  07  08  09  10
final step      x   x           x │      x   x       x     6 of 10 · Level 1: 3 of 5 · Level 2: 3 of 5
any step        x   x       x   x │      x   x   x   x     8 of 10 · Level 1: 4 of 5 · Level 2: 4 of 5
right           x   x       x     │  x           x         5 of 10 · Level 1: 3 of 5 · Level 2: 2 of 5
"""

from __future__ import annotations

import random

import pytest

from mosaic_env.core.types import CallRecord
from mosaic_env.evals.metrics.retrieval import found_any, found_final, retrieval_table
from mosaic_env.evals.tables import Rate
from tests.evals.hand import answer, played, search, step, ten

#: (group, step): R@5, Acc|Ret, Acc|UnRet, Corr. from Ret.
BY_HAND = {
    ("All", "final"): ((6, 10), (2, 6), (3, 4), (2, 5)),
    ("All", "any"): ((8, 10), (4, 8), (1, 2), (4, 5)),
    ("Level 1", "final"): ((3, 5), (2, 3), (1, 2), (2, 3)),
    ("Level 1", "any"): ((4, 5), (3, 4), (0, 1), (3, 3)),
    ("Level 2", "final"): ((3, 5), (0, 3), (2, 2), (0, 2)),
    ("Level 2", "any"): ((4, 5), (1, 4), (1, 1), (1, 2)),
}


def test_ten_episodes_by_hand() -> None:
    rows = {row[:2]: row[2:] for row in retrieval_table(ten()).rows}
    assert rows == {key: tuple(Rate(*cell) for cell in cells) for key, cells in BY_HAND.items()}


def test_each_episode_by_hand() -> None:
    assert [found_final(one) for one in ten()] == [bool(int(x)) for x in "1100101101"]
    assert [found_any(one) for one in ten()] == [bool(int(x)) for x in "1101101111"]
    assert [one.right for one in ten()] == [bool(int(x)) for x in "1101010010"]


def test_order_does_not_matter_and_tasks_without_a_target_are_left_out() -> None:
    shuffled = [*ten(), played("11", step(search("A")), answer("yes"), target="")]
    random.Random(3).shuffle(shuffled)
    rows = {row[:2]: row[2:] for row in retrieval_table(shuffled).rows}
    assert rows["All", "final"][0] == Rate(6, 10)


@pytest.mark.parametrize("modality", ["text", "text_to_image", "image", "graph"])
def test_every_ranking_retrieves_and_nothing_else_does(modality: str) -> None:
    assert found_any(played("a", step(search("Q1", modality=modality)), answer("yes")))
    assert not found_any(played("a", step(search("Q1", modality="")), answer("yes")))
    broken = CallRecord("local_text_search", {}, "error", "x", ("Q1",), modality)
    assert not found_any(played("a", step(broken), answer("yes")))
