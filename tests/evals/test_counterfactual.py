"""Pairs that differ in a picture: who looks gets both, who does not gets at most one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mosaic_env.agents.oracle import OracleAgent
from mosaic_env.core.errors import TaskError
from mosaic_env.evals.quality.counterfactual import (
    OneTask,
    Pair,
    both_right,
    by_agent,
    by_answer,
    check_pair,
    overlaid,
)
from mosaic_env.evals.quality.difference import Paired
from tests.evals.conftest import Open
from tests.evals.plants import COLOURS


def pairs(planted: Open, count: int = 24) -> list[Pair]:
    before, after = planted("sound"), planted("opposite")
    return [Pair(key, before, after) for key in list(before.source.keys())[:count]]


def test_the_oracle_gets_both(planted: Open) -> None:
    seen: list[tuple[int, int]] = []
    report = both_right(pairs(planted), by_agent(OracleAgent), lambda done, total: seen.append((done, total)))
    assert report.counts == Paired(24, 0, 0, 0)
    assert report.share == 1.0
    assert report.low < 1.0 == report.high
    assert seen[-1] == (24, 24)


def test_a_constant_guess_gets_at_most_one(planted: Open) -> None:
    report = both_right(pairs(planted, 80), by_answer(lambda setup, key: COLOURS[:1]))
    assert report.counts.both == 0
    assert report.counts.first > 0 < report.counts.second
    assert both_right([], by_agent(OracleAgent)).share == 0.0


def test_a_changed_picture_in_an_overlay_changes_the_answer(planted: Open) -> None:
    setup = planted("sound")
    task, gold = setup.source.get("sound/07")
    digest = next(p.picture.digest for p in setup.world.kb.stored_pictures if p.entity == gold.target)
    scene = setup.source.scene(digest)  # type: ignore[attr-defined]
    new = next(one for one in COLOURS if one != gold.answer)
    shown = {**scene, "things": [{**scene["things"][0], "colour": new}]}
    source = OneTask(task, replace(gold, answer=new), {digest: shown}, setup.source)
    pair = Pair(task.key, setup, overlaid(setup, setup.world, source))
    assert both_right([pair], by_agent(OracleAgent)).counts == Paired(1, 0, 0, 0)
    stale = OneTask(task, replace(gold, answer=new), {}, setup.source)  # the picture did not change after all
    pair = Pair(task.key, setup, overlaid(setup, setup.world, stale))
    assert both_right([pair], by_agent(OracleAgent)).counts == Paired(0, 1, 0, 0)
    with pytest.raises(TaskError, match="no task"):
        source.get("sound/08")


def test_a_pair_with_one_answer_is_refused(planted: Open) -> None:
    setup = planted("sound")
    with pytest.raises(TaskError, match="right both times"):
        check_pair(Pair("sound/00", setup, setup))
    with pytest.raises(TaskError, match="asks two questions"):
        check_pair(Pair("sound/00", setup, planted("named")))
