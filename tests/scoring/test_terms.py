"""Reward terms over gold chains."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mosaic_env.core.types import Hop
from mosaic_env.scoring import evidence_recall, hop_progress

KEYS = st.sampled_from(["Q1", "Q2", "Q3", "Q4", "Q5"])
CHAINS = st.lists(KEYS, min_size=1, max_size=5).map(lambda tails: [Hop("", tail, "text") for tail in tails])


def chain(*tails: str) -> list[Hop]:
    return [Hop("", tail, "text") for tail in tails]


def test_evidence_recall_counts_distinct_tails() -> None:
    hops = chain("Q1", "Q2", "Q2")
    assert evidence_recall([], hops) == 0.0
    assert evidence_recall([["Q9", "Q1"], []], hops) == 0.5
    assert evidence_recall([["Q1"], ["Q2"]], hops) == 1.0


def test_hop_progress_is_the_longest_prefix() -> None:
    hops = chain("Q1", "Q2", "Q3")
    assert hop_progress([], hops) == 0.0
    assert hop_progress(["Q2", "Q3"], hops) == 0.0
    assert hop_progress(["Q3", "Q1"], hops) == 1 / 3
    assert hop_progress(["Q1", "Q2", "Q3"], hops) == 1.0


def test_an_empty_chain_pays_nothing() -> None:
    assert evidence_recall([["Q1"]], []) == 0.0
    assert hop_progress(["Q1"], []) == 0.0


@given(st.lists(KEYS), st.lists(KEYS), CHAINS)
def test_terms_stay_in_range_and_never_fall(seen: list[str], more: list[str], hops: list[Hop]) -> None:
    assert 0.0 <= hop_progress(seen, hops) <= hop_progress(seen + more, hops) <= 1.0
    assert 0.0 <= evidence_recall([seen], hops) <= evidence_recall([seen, more], hops) <= 1.0
