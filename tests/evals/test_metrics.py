"""Tables of a run against counts by hand: accuracy, constant guesses, tools, budget, failures, ablations, summary."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from mosaic_env.core.canon import canonical_text
from mosaic_env.core.types import Hop
from mosaic_env.evals.metrics.ablation import ablation_table
from mosaic_env.evals.metrics.accuracy import change, kind_table, main_table, signed, tag_table
from mosaic_env.evals.metrics.budget import budget_table, interactions, spending_table
from mosaic_env.evals.metrics.constant import constant_right
from mosaic_env.evals.metrics.failures import KINDS, failure_counts, failures, step_failures
from mosaic_env.evals.metrics.groups import MULTI, SINGLE, chain_shape, distinct, level_name
from mosaic_env.evals.metrics.overview import overview_table
from mosaic_env.evals.metrics.summary import summarise
from mosaic_env.evals.metrics.tools import UNKNOWN, UNREADABLE, modality_table, tool_table
from mosaic_env.evals.records import Judged, Scored, Unplayed
from mosaic_env.evals.tables import Rate, Table
from tests.evals.hand import answer, by_picture, dropped, failed, played, search, step, ten

L2: Any = {"level": "interlv-l2"}


def row(table: Table, *names: str) -> tuple[Any, ...]:
    """The cells behind the first ones, which name a row."""
    return next(cells[len(names) :] for cells in table.rows if cells[: len(names)] == names)


def with_answers(text: str, **fields: Any) -> list[Scored]:
    """Episodes that were right where a letter is x."""
    return [
        played(f"{place:02}", answer("yes" if mark == "x" else "no"), **fields)
        for place, mark in enumerate(text)
    ]


# --- accuracy -----------------------------------------------------------------------------------------


def test_accuracy_by_level_with_and_without_the_extra_turn() -> None:
    table = main_table(ten(), constant_right(ten()))
    assert table.columns == ("", "All", "Level 1", "Level 2")
    assert row(table, "Accuracy") == (Rate(5, 10), Rate(3, 5), Rate(2, 5))
    assert row(table, "Within the budget") == (Rate(4, 10), Rate(3, 5), Rate(1, 5))  # 06 answered after it
    assert row(table, "Unsure") == (1, 0, 1)
    assert row(table, "Tasks") == row(table, "Without repeats") == (10, 5, 5)


def test_single_chain_and_multi_branch() -> None:
    line = (Hop("", "A", "text"), Hop("A", "B", "P1"), Hop("B", "Q1", "P2"))
    fork = (Hop("", "A", "text"), Hop("A", "B", "P1"), Hop("A", "Q1", "P2"))
    rows = [
        played("a", answer("yes"), chain=line),
        played("b", answer("no"), chain=fork),
        played("c", answer("yes"), tags=("parallel_comparison",)),
        played("d", answer("no"), tags=("single_thread",), chain=fork),  # what is published counts
        played("e", answer("yes")),  # nobody knows
    ]
    shapes = [chain_shape(one.episode.task, one.gold) for one in rows]
    assert shapes == [SINGLE, MULTI, MULTI, SINGLE, ""]
    table = main_table(rows, constant_right(rows))
    assert table.columns == ("", "All", "Level 1", SINGLE, MULTI)
    assert row(table, "Accuracy") == (Rate(3, 5), Rate(3, 5), Rate(1, 2), Rate(1, 2))


def test_repeats_count_once() -> None:
    rows = [
        played("a", answer("yes"), question="Which colour?"),
        played("b", answer("no"), question="Which  colour? "),
        played("c", answer("yes"), question="Which colour has the start?"),
        played("d", answer("yes"), question="Which colour has the end?"),
        played("e", answer("yes"), question="Which colour?", **L2),
    ]
    assert [one.episode.task.key[-1] for one in distinct(rows)] == ["a", "c", "d", "e"]
    table = main_table(rows, constant_right(rows))
    assert row(table, "Without repeats") == (4, 3, 1)
    assert row(table, "Accuracy without repeats") == (Rate(4, 4), Rate(3, 3), Rate(1, 1))


def test_direct_tools_and_their_difference() -> None:
    tools, direct = with_answers("xxxxxx...."), with_answers("xx......x.")
    table = main_table(tools, constant_right(tools), direct)
    names = [cells[0] for cells in table.rows]
    assert names[:3] == ["Direct", "With tools", "Δ"]
    assert row(table, "Direct")[0] == Rate(3, 10) and row(table, "With tools")[0] == Rate(6, 10)
    # Both 2, tools only 4, direct only 1, neither 3: excess 2 * 3 - 4 * 1 = 2, corrected 2 - 5 < 0, so phi = 0.
    # Wilson 0.3127 … 0.8318 and 0.1078 … 0.6032. Below: sqrt(0.2873² + 0.3032²) = 0.4177; above: sqrt(0.2318² +
    # 0.1922²) = 0.3011.
    assert row(table, "Δ")[0] == "+30.0 (−11.8 to +60.1)"
    assert change(tools, direct[:1]) == "0.0 (−79.3 to +79.3)"
    assert change(tools, []) == "–"


@pytest.mark.parametrize(
    ("share", "text"), [(0.0, "0.0"), (0.1234, "+12.3"), (-0.5, "−50.0"), (-1e-6, "0.0")]
)
def test_signs(share: float, text: str) -> None:
    assert signed(share) == text


def test_the_constant_guess_is_the_best_of_each_type() -> None:
    golds = ["red", "red", "blue", "dark red", "3", "4", "4"]
    kinds = ["colour"] * 4 + ["count"] * 3
    rows = [
        played(str(n), answer("no"), gold=g, kind=k)
        for n, (g, k) in enumerate(zip(golds, kinds, strict=True))
    ]
    # "dark red" is a more specific form of "red", so it fits three; "red" fits only two.
    assert constant_right(rows) == (True, True, False, True, False, True, True)
    table = kind_table(rows, constant_right(rows))
    assert table.rows == (("colour", 4, Rate(0, 4), Rate(3, 4)), ("count", 3, Rate(0, 3), Rate(2, 3)))
    assert constant_right([]) == ()


def test_tags() -> None:
    rows = [played("a", answer("yes"), tags=("colour", "x", "y")), played("b", answer("no"), tags=("x",))]
    assert tag_table(rows).rows == (("x", 2, Rate(1, 2)), ("y", 1, Rate(1, 1)))


@pytest.mark.parametrize(
    ("level", "name"), [("interlv-l1", "Level 1"), ("interlv-lx", "interlv-lx"), ("", "Level 2")]
)
def test_levels_have_names(level: str, name: str) -> None:
    assert level_name(played("a", answer("yes"), level=level)) == name


# --- tools and budget ---------------------------------------------------------------------------------


def test_tools_and_modalities() -> None:
    rows = [
        played(
            "a", step(search(), search(), dropped()), step(failed("rm -rf", "unknown_tool")), answer("no")
        ),
        played("b", step(by_picture("kb_1")), step(failed("", "empty"), failed("image_crop")), answer("no")),
    ]
    assert tool_table(rows).rows == (
        ("Level 1", UNKNOWN, 1, 0, 1, 0, "14.3 %", "50.0 %"),
        ("Level 1", UNREADABLE, 1, 0, 1, 0, "14.3 %", "50.0 %"),
        ("Level 1", "image_crop", 1, 0, 1, 0, "14.3 %", "50.0 %"),
        ("Level 1", "local_image_search", 1, 1, 0, 0, "14.3 %", "50.0 %"),
        ("Level 1", "local_text_search", 3, 2, 0, 1, "42.9 %", "50.0 %"),
    )
    assert modality_table(rows).rows == (
        ("Level 1", "words to texts", 2, "66.7 %"),
        ("Level 1", "picture to pictures", 1, "33.3 %"),
    )


def test_budget() -> None:
    rows = [
        played("a", step(search()), answer("yes")),  # 2 of 3, the answer's own included
        played("b", step(search()), step(search(), search()), step(), answer("no", extra=True)),
        played("c", step(), step(), step(), answer("")),
    ]
    assert budget_table(rows).rows == (
        ("Level 1", "2.67", "88.9 %", Rate(2, 3), Rate(1, 3), Rate(1, 3), "0.50"),
    )


def test_carried_calls_use_interactions() -> None:
    carry = {"overflow": "carry", "calls_per_interaction": 2}
    five = step(*[search()] * 5, dropped())
    assert interactions(played("a", five, answer("yes"), config=carry)) == 3 + 1
    assert interactions(played("a", five, answer("yes"))) == 2
    assert budget_table([played("a", five, answer("yes"), config={"interactions": None})]).rows[0][2] is None


def test_memory_turns_are_free_and_direct_answers_are_no_extra_turn() -> None:
    memory = step(phase="memory")
    assert interactions(played("a", step(search()), memory, step(), memory, answer("yes"))) == 3
    direct = played("a", answer("yes", extra=True), config={"interactions": 0})
    assert budget_table([direct]).rows == (
        ("Level 1", "0.00", None, Rate(0, 1), Rate(0, 1), Rate(0, 1), "–"),
    )
    assert row(main_table([direct], [False]), "Within the budget") == (Rate(1, 1), Rate(1, 1))


def test_tokens_and_cost() -> None:
    assert spending_table(ten()) is None
    rows = [
        played("a", answer("yes"), notes={"prompt_tokens": "1200", "cost": "0.01"}),
        played("b", answer("yes"), notes={"prompt_tokens": "300", "cost": "nan"}),
        played("c", answer("yes"), notes={"cost": "0.02", "prompt_tokens": "many"}),
    ]
    table = spending_table(rows)
    assert table is not None and table.columns == (
        "Tasks",
        "Tokens read",
        "each",
        "Cost in US dollars",
        "each",
    )
    assert table.rows == (("Level 1", "1,500", "500", "0.0300", "0.0100"),)


# --- failures -----------------------------------------------------------------------------------------


def test_every_failure_has_one_reason() -> None:
    fault = step(failed(code="tool_fault"), failure=("tool_fault", "env"))
    unread = played("05", answer("no"))
    cases = {
        "01 environment tool_fault": played("01", fault, answer("no")),
        "02 unfinished 1 steps": played("02", step(search())),
        "03 unsure partial": played("03", answer("unsure")),
        "04 unread_verdict partial": replace(
            unread,
            episode=played("04", answer("unsure")).episode,
            judged=Judged("no", "model", "partial", parsed=False),
        ),
        "05 malformed empty": played("05", *[step(failed("", "empty"))] * 2, step(failed()), answer("")),
        "06 no_answer empty": played("06", step(search()), step(failed()), answer("")),
        "07 gave_up refused": played("07", step(search("Q1")), answer("no", reason="refused")),
        "08 wrong_retrieved wrong_colour": played(
            "08", step(search("Q1")), answer("no", reason="wrong_colour")
        ),
        "09 wrong_lost different": played("09", step(search("Q1")), step(search("A")), answer("no")),
        "10 no_search different": played("10", answer("no")),
        "11 not_retrieved different": played("11", step(search("A")), answer("no")),
        "12 wrong different": played("12", step(search("A")), answer("no"), target=""),
    }
    found = failures(
        [*cases.values(), played("13", fault, answer("yes"))],
        [Unplayed("hand/z", "timeout"), Unplayed("hand/a", "error", "KeyError")],
    )
    assert [f"{one.task[5:]} {one.kind} {one.detail}" for one in found[2:]] == list(cases)
    assert [(one.task, one.kind, one.detail) for one in found[:2]] == [
        ("hand/a", "not_played", "KeyError"),
        ("hand/z", "not_played", "timeout"),
    ]
    counts = {cells[0]: cells[1] for cells in failure_counts(found).rows}
    assert counts == {"not_played": 2, **{kind: 1 for kind in KINDS if kind != "not_played"}}
    assert step_failures(list(cases.values())).rows == (("tool_fault", "env", 1, 1),)


# --- side by side, and all of it ----------------------------------------------------------------------


def test_ablations() -> None:
    baseline = with_answers("xxxx..")
    table = ablation_table(
        baseline, {"no search": with_answers("x....."), "no memory": with_answers("xxxx..")}
    )
    assert table.columns == ("Run", "All", "Δ", "Common tasks", "R@5 final")
    assert [cells[0] for cells in table.rows] == ["Baseline", "no search", "no memory"]
    assert row(table, "Baseline") == (Rate(4, 6), None, None, Rate(0, 6))
    assert row(table, "no search")[0] == Rate(1, 6) and row(table, "no search")[2] == 6
    assert row(table, "no search")[1].startswith("−50.0 (")
    assert row(table, "no memory")[1].startswith("0.0 (")


def test_the_overview_says_how_well_how_long_and_how_clean() -> None:
    invalid = step(failed(), failure=("bad_call", "policy"))
    rows = [
        played("1", step(search("A")), answer("yes")),
        played("2", invalid, invalid, answer("no")),
        played("3", step(failure=("tool_fault", "env")), step(), step()),
    ]
    table = overview_table(rows, [True, False, False], rows[:1], {"no image search": rows[1:2]})
    assert table.rows == (
        ("Level 1", 3, Rate(1, 3), "33.3 %", "2.67", "25.0 %", 1),
        ("Direct", 1, Rate(1, 1), None, "2.00", "0.0 %", 0),
        ("no image search", 1, Rate(0, 1), None, "3.00", "66.7 %", 0),
    )


def test_a_summary_is_the_same_in_any_order_and_plain_data() -> None:
    rows, lost = ten(), [Unplayed("hand/11", "crashed"), Unplayed("hand/12", "timeout")]
    one = summarise(rows, lost, {"agent": "x"}, direct=rows, ablations={"memory": rows})
    shuffled = list(rows)
    random.Random(1).shuffle(shuffled)
    other = summarise(shuffled, lost, {"agent": "x"}, direct=shuffled, ablations={"memory": shuffled})
    assert one == other
    assert canonical_text(json.loads(json.dumps(one.as_dict()))) == canonical_text(other.as_dict())
    assert len({table.key for table in one.tables}) == len(one.tables)
    assert all(len(cells) == len(table.columns) for table in one.tables for cells in table.rows)


def test_what_must_be_seen_first() -> None:
    unread = replace(played("a", answer("unsure")), judged=Judged("no", "model", "partial", "m", "p", False))
    rows = [
        *ten(),
        unread,
        played("01", step(failure=("tool_fault", "env"), reproducible=False), answer("yes")),
    ]
    summary = summarise(rows, [Unplayed("hand/z", "crashed")], {"model": "m"}, direct=ten()[:2])
    text = "\n".join(summary.warnings)
    for part in (
        "1 task could not be played", "1 answer of 12 stayed unsure", "between 50.0 and 58.3 %",
        "could not be read 1 time,", "failed in 1 episode", "in 1 episode: not repeatable",
        "1 episode of tasks that were played before",
        "about other tasks",
    ):  # fmt: skip
        assert part in text
    assert summary.facts == {
        "model": "m",
        "tasks": "12 played, 1 repeat among them, 1 not played",
        "judged by": "rules; 1 by m (p)",
    }
    assert summarise(ten()[:5]).warnings == ()


def test_nothing_was_played() -> None:
    summary = summarise([], [Unplayed("hand/a", "crashed")])
    assert summary.facts["tasks"] == "0 played, 1 not played"
    assert {table.key for table in summary.tables} >= {"failures", "failure_counts"}


def test_what_was_scored_anew_is_listed() -> None:
    changed = replace(played("a", answer("no")), judged=Judged("yes", reason="exact"))
    decided = replace(played("b", answer("unsure")), judged=Judged("yes", "model", "partial"))
    tables = {table.key: table for table in summarise([changed, decided, *ten()]).tables}
    assert tables["rescored"].rows == (("hand/a", "no: different", "yes: exact"),)
    assert "rescored" not in {table.key for table in summarise(ten()).tables}
