"""The rule for visual pivots, case by case; the hook that confirms them."""

from __future__ import annotations

import json

from mosaic_env.core.types import CallRecord, Step
from mosaic_env.evals.metrics.pivots import Pivot, pivot_table, pivots
from mosaic_env.evals.records import Scored
from mosaic_env.evals.tables import Rate
from tests.evals.hand import answer, by_picture, dropped, played, search, step


def result(*rows: tuple[str, str, str], number: int = 1) -> str:
    """The line of a call: label, text and handle of each row."""
    data = {"results": [{"label": label, "text": text, "image": handle} for label, text, handle in rows]}
    return json.dumps({"call": number, "tool": "t", "ok": True, "data": data}, ensure_ascii=False)


def seen(call: CallRecord, *rows: tuple[str, str, str]) -> Step:
    """A search whose results have a picture, which is shown."""
    call.new_handles = tuple(handle for *_, handle in rows)
    return step(call, text=result(*rows), shown=call.new_handles)


def kinds(*steps: Step, question: str = "Which colour is it?") -> list[tuple[int, str, str]]:
    one = played("a", *steps, answer("no"), question=question)
    return [(pivot.step, pivot.kind, pivot.evidence) for pivot in pivots(one)]


FIRST = ("Ravnorp Hotel", "A hotel in Shuenmori.", "kb_1")


def test_a_found_picture_as_the_query() -> None:
    assert kinds(seen(search(query="colour"), FIRST), step(by_picture("kb_1"))) == [(2, "picture", "kb_1")]


def test_a_crop_of_a_found_picture_as_the_query() -> None:
    crop = CallRecord("image_crop", {}, "ok", inputs=(("kb_1", 1),), new_handles=("kb_1_crop",))
    steps = (
        seen(search(query="colour"), FIRST),
        step(crop, shown=("kb_1_crop",)),
        step(by_picture("kb_1_crop")),
    )
    assert kinds(*steps) == [(3, "picture", "kb_1_crop")]


def test_the_questions_picture_and_its_crop_are_no_pivot() -> None:
    crop = CallRecord("image_crop", {}, "ok", inputs=(("img_1", 0),), new_handles=("img_1_crop",))
    assert (
        kinds(step(by_picture("img_1")), step(crop, shown=("img_1_crop",)), step(by_picture("img_1_crop")))
        == []
    )


def test_a_failed_or_dropped_search_gives_nothing() -> None:
    lost = dropped("local_image_search")
    lost.inputs, lost.modality = (("kb_1", 1),), "image"
    assert kinds(seen(search(query="colour"), FIRST), step(lost)) == []


def test_new_words_after_a_picture() -> None:
    steps = seen(search(query="colour"), FIRST), step(search(query="A quartered shield in the colour"))
    assert kinds(*steps) == [(2, "words", "quartered shield")]


def test_words_of_question_results_and_earlier_queries_are_not_new() -> None:
    for query in ("WHICH colour", "hotel in Shuenmori", "Ｃolour", "it is so", "ab x"):
        assert kinds(seen(search(query="colour hotel"), FIRST), step(search(query=query))) == []
    again = step(search(query="quartered")), step(search(query="quartered"))
    assert kinds(seen(search(query="colour"), FIRST), *again) == [(2, "words", "quartered")]


def test_new_words_without_a_picture_are_no_pivot() -> None:
    hidden = step(search(query="colour"), text=result(FIRST))
    assert kinds(hidden, step(search(query="quartered shield"))) == []


def test_words_in_the_same_step_as_the_picture_are_no_pivot() -> None:
    both = step(search(query="colour"), search(query="quartered"), text=result(FIRST), shown=("kb_1",))
    assert kinds(both) == []


def test_words_that_only_a_search_with_a_picture_showed() -> None:
    steps = seen(by_picture("img_1"), FIRST), step(search(query="Shuenmori"))
    assert kinds(*steps) == [(2, "words", "shuenmori")]


def test_results_of_a_picture_are_told_by_the_number_of_their_call() -> None:
    lines = result(("Abcde", "From words.", "kb_1")) + "\n" + result(("Fghij", "Seen.", "kb_2"), number=2)
    both = step(dropped(), search(query="colour"), by_picture("img_1"), text=lines, shown=("kb_1", "kb_2"))
    assert kinds(both, step(search(query="words seen"))) == [(2, "words", "seen")]


def test_the_label_of_a_result_whose_picture_was_seen() -> None:
    steps = seen(search(query="colour"), FIRST), step(search(query="colour of the ravnorp hotel"))
    assert kinds(*steps) == [(2, "entity", "ravnorp hotel")]
    named = seen(search(query="Ravnorp Hotel"), FIRST), step(search(query="Ravnorp Hotel colour"))
    assert kinds(*named) == []
    assert kinds(*steps, question="Which colour is the Ravnorp Hotel?") == []


def test_a_text_that_looks_like_a_line_is_text() -> None:
    for line in (
        "{",
        '{"call":1',
        "[budget] {}",
        '{"call":1,"data":[]}',
        '{"call":"1","data":{"results":[1,{"image":1}]}}',
    ):
        assert (
            kinds(step(search(query="colour"), text=line, shown=("kb_1",)), step(search(query="colour")))
            == []
        )


def test_table_and_hook() -> None:
    rows = [
        played("a", seen(search(query="colour"), FIRST), step(by_picture("kb_1")), answer("no")),
        played("b", seen(search(query="colour"), FIRST), step(search(query="quartered")), answer("no")),
        played("c", step(search(query="colour")), answer("no")),
    ]
    assert pivot_table(rows).rows == (("Level 1", Rate(2, 3), Rate(1, 3), Rate(1, 3), Rate(0, 3), 2),)
    asked: list[Pivot] = []

    def confirm(one: Scored, pivot: Pivot) -> bool:
        asked.append(pivot)
        return pivot.kind == "picture"

    assert pivot_table(rows, confirm).rows == (
        ("Level 1", Rate(1, 3), Rate(1, 3), Rate(0, 3), Rate(0, 3), 1),
    )
    assert [pivot.kind for pivot in asked] == ["picture", "words"]
