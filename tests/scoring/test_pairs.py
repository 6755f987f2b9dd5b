"""The acceptance bar of the scorer, over own pairs and pairs made from the official answers."""

from __future__ import annotations

import functools

import pytest

from mosaic_env.core.types import Gold
from mosaic_env.scoring import REASONS, Verdict, normalise, score
from tests.scoring import official
from tests.scoring.derive import derive
from tests.scoring.official import needs_tasks
from tests.scoring.pairs import Pair, Report, load, report

MAX_FALSE_YES = 0.005
MIN_YES_RECALL = 0.90
MAX_UNSURE_ON_TRUE = 0.05
FAMILIES = {"colour", "count", "text", "shape", "spatial", "list", "name", "year", "date", "unit"}
FAMILIES |= {"chinese", "material", "yes_no", "phrase", "injection", "few_shot_kind"}
RULES = {"paraphrase", "more_specific", "reordered", "wrapped", "wrong_colour", "wrong_count"}
RULES |= {"part_missing", "negated", "hedged", "everything", "other", "question"}


@functools.cache
def made() -> tuple[Pair, ...]:
    """Return the rule-made pairs: every row of level 2, every fourth of the others."""
    rows = {level: official.rows(level)[:: 1 if level == 2 else 4] for level in official.LEVELS}
    return tuple(pair for level in official.LEVELS for pair in derive(rows[level], f"level{level}"))


verdict_of = functools.cache(Pair.verdict)


def assert_bar(result: Report) -> None:
    shown = [(pair.key, pair.family, pair.answer[:60], verdict.reason) for pair, verdict in result.wrong]
    assert result.false_yes <= MAX_FALSE_YES, shown[:20]
    assert result.yes_recall >= MIN_YES_RECALL, shown[:20]
    assert result.unsure <= MAX_UNSURE_ON_TRUE, result.table


def test_own_pairs_meet_the_bar() -> None:
    result = report(load())
    print(result.table)
    assert_bar(result)


@needs_tasks
def test_pairs_made_from_official_answers_meet_the_bar() -> None:
    result = report(made(), verdict_of)
    print(result.table)
    assert_bar(result)


@needs_tasks
@pytest.mark.parametrize("level", official.LEVELS)
def test_every_level_meets_the_bar(level: int) -> None:
    assert_bar(report((pair for pair in made() if pair.level == f"level{level}"), verdict_of))


@needs_tasks
def test_the_pairs_are_many_and_of_every_kind() -> None:
    own, rules = load(), made()
    assert len(own) >= 200
    assert {pair.family for pair in own} == FAMILIES
    assert {pair.family for pair in rules} == RULES
    for level in official.LEVELS:
        labels = [pair.label for pair in rules if pair.level == f"level{level}"]
        assert min(labels.count(True), labels.count(False)) >= 200
    assert len({(pair.gold, pair.answer) for pair in own}) == len(own)


@needs_tasks
def test_own_references_are_our_own() -> None:
    published = {normalise(row["answer"]) for level in official.LEVELS for row in official.rows(level)}
    ours = {normalise(pair.gold) for pair in load()}
    assert not {gold for gold in ours & published if len(gold.split()) > 2}


@needs_tasks
@pytest.mark.parametrize("level", official.LEVELS)
def test_every_official_answer_is_right_for_itself(level: int) -> None:
    for row in official.rows(level):
        for question in ("", row["question"]):
            verdict = score(row["answer"], Gold("t", row["answer"]), question)
            assert verdict.value == "yes", (level, row["id"], verdict)


def test_every_own_reference_is_right_for_itself() -> None:
    for pair in load():
        gold = Gold(pair.key, pair.gold, pair.aliases, pair.kind)
        assert score(pair.gold, gold, pair.question).value == "yes", pair.gold
        for alias in pair.aliases:
            assert score(alias, gold, pair.question).reason == "alias"


def test_the_report_counts_what_it_scored() -> None:
    pairs = load()
    result = report(pairs)
    assert result.true.total() + result.false.total() == len(pairs)
    assert {pair.verdict().reason for pair in pairs} <= set(REASONS)
    assert "own" in result.table and "unsure" in result.table


def test_the_bar_fails_a_judge_that_always_says_yes() -> None:
    result = report(load(), lambda pair: Verdict("yes", "exact"))
    assert result.false_yes == 1.0
    result = report(load(), lambda pair: Verdict("no", "different"))
    assert result.yes_recall == 0.0
    result = report(load(), lambda pair: Verdict("unsure", "partial"))
    assert result.unsure == 1.0
