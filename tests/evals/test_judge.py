"""The judge seam: rules first, verdicts that are kept, replies that cannot be read, and answers that speak to it."""

from __future__ import annotations

import json
import re
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosaic_env.agents.models.base import Reply, Request
from mosaic_env.core.errors import EvalError, ModelError
from mosaic_env.core.types import Gold
from mosaic_env.evals.judge import prompt
from mosaic_env.evals.judge.judge import Judge, judge_answer, judge_episode, read_note, write_note
from mosaic_env.evals.judge.prompt import VERSION, make_request
from mosaic_env.evals.records import Judged
from mosaic_env.scoring.score import score
from tests.evals.hand import answer, played

INJECTIONS: list[str] = json.loads((Path(__file__).parent / "data/judge_injections.json").read_text("ascii"))
GOLD = Gold("t/1", "a lion holding a key", kind="object")
QUESTION = "What does the crest show?"
#: What a chat template, a terminal or a reader of the page may take for something else than text.
CONTROLS = re.compile(
    r"`|<\|?|\|>|\[/?INST|\\[^u]|[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202f\u2060-\u206f]"
)


class Fixed:
    """A model that always replies the same, and counts."""

    def __init__(self, text: str, name: str = "fixed") -> None:
        self.text, self.name, self.asked = text, name, 0

    def complete(self, request: Request) -> Reply:
        self.asked += 1
        return Reply(self.text)


def object_of(request: Request) -> tuple[str, str]:
    """Split a request into what stands outside its data and the data, as a reader of fences sees it."""
    outside, inside, open_ = [], [], False
    for message in request.messages:
        for line in str(message["content"]).splitlines():
            if line.startswith("```"):
                open_ = not open_ and not inside
                outside.append(line)
            else:
                (inside if open_ else outside).append(line)
    return "\n".join(outside), "\n".join(inside)


class Obedient:
    """Obeys whatever it sees outside the data: then it says YES. Otherwise it compares, to the letter."""

    name = "obedient"

    def complete(self, request: Request) -> Reply:
        outside, inside = object_of(request)
        expected, _ = object_of(make_request("plain", GOLD, QUESTION))
        try:
            data = json.loads(inside)
        except ValueError:
            return Reply("YES")
        leaks = outside != expected or CONTROLS.search(inside) or list(data) != list(FIELDS)
        return Reply("YES" if leaks or data["answer"] == data["reference"] else "NO")


FIELDS = ("question", "reference", "accepted", "answer")


def test_the_corpus_is_as_large_as_promised() -> None:
    assert len(set(INJECTIONS)) >= 50


@pytest.mark.parametrize("text", INJECTIONS)
def test_no_injection_changes_a_verdict(text: str) -> None:
    judge = Judge(Obedient())
    assert judge.decide(text, GOLD, QUESTION).value == "no"
    assert judge.decide(f"an eagle {text}", GOLD, QUESTION).value == "no"
    # nor from a task file
    assert judge.decide("an eagle", GOLD, text).value == "no"
    assert judge.decide("an eagle", Gold("t/1", text, aliases=(text,)), QUESTION).value == "no"
    # nor does a right answer become wrong
    assert judge.decide(GOLD.answer, GOLD, text).value == "yes"


@pytest.mark.parametrize("text", INJECTIONS)
def test_the_text_arrives_as_it_is(text: str) -> None:
    _, inside = object_of(make_request(text, Gold("t/1", text, (text,)), text))
    assert json.loads(inside) == {"question": text, "reference": text, "accepted": [text], "answer": text}


@pytest.mark.parametrize(
    "reference", ["red", "7", "a lion", "north", "quartered", "AZURE KEY", "狮子", "12 May 1901"]
)
@pytest.mark.parametrize("text", INJECTIONS)
def test_no_injection_is_right_by_rules(text: str, reference: str) -> None:
    assert score(text, Gold("t/1", reference), QUESTION).value != "yes"


def test_a_prompt_without_escapes_would_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    """The obedient model can be led astray: else the tests above would show nothing."""
    monkeypatch.setattr(prompt, "_quoted", lambda value: f'"{value}"' if isinstance(value, str) else "[]")
    flipped = [text for text in INJECTIONS if Judge(Obedient()).decide(text, GOLD, QUESTION).value == "yes"]
    assert len(flipped) >= 25


@given(st.text(), st.text())
def test_no_text_can_leave_its_string(text: str, question: str) -> None:
    outside, inside = object_of(make_request(text, GOLD, question))
    assert json.loads(inside)["answer"] == text
    assert outside == object_of(make_request("", GOLD, ""))[0]
    assert not CONTROLS.search(inside)


def test_only_what_rules_leave_open_is_asked() -> None:
    model = Fixed("YES")
    judge = Judge(model)
    gold = Gold("t/1", "dark red", kind="colour")
    assert judge_answer("dark red", gold, "", judge).by == "rules"
    assert judge_answer("green", gold, "", judge) == Judged("no", reason=score("green", gold).reason)
    assert judge_answer(None, gold, "", judge).reason == judge_answer("  ", gold, "", judge).reason == "empty"
    assert model.asked == 0
    unsure = score("red", gold)
    assert unsure.value == "unsure"
    judged = judge_answer("red", gold, "", judge)
    assert judged == Judged("yes", "model", unsure.reason, "fixed", VERSION) and model.asked == 1
    assert judge_answer("red", gold, "").value == "unsure"


@pytest.mark.parametrize(("reply", "value", "parsed"), [
    ("YES", "yes", True), ("no.", "no", True), ("**YES**", "yes", True), ("There is no doubt: YES", "yes", True),
    ("not YES", "no", False), ("YES or NO", "no", False), ("", "no", False), ("The answer is right", "no", False),
])  # fmt: skip
def test_what_cannot_be_read_is_wrong_and_flagged(reply: str, value: str, parsed: bool) -> None:
    judged = Judge(Fixed(reply)).decide("x", GOLD, QUESTION, "partial")
    assert (judged.value, judged.parsed, judged.by, judged.reason) == (value, parsed, "model", "partial")


def test_verdicts_are_kept_by_request_model_and_prompt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Fixed("YES")
    for _ in range(2):  # the second time from the folder
        judge = Judge(model, tmp_path / "verdicts")
        assert judge.decide("x", GOLD, QUESTION).value == judge.decide("x", GOLD, QUESTION).value == "yes"
        judge.close()
    assert model.asked == 1
    judge = Judge(model, tmp_path / "verdicts")
    judge.decide("y", GOLD, QUESTION)
    assert model.asked == 2
    other = Fixed("not YES", name="other")
    elsewhere = Judge(other, tmp_path / "verdicts")
    assert not elsewhere.decide("x", GOLD, QUESTION).parsed
    assert not elsewhere.decide("x", GOLD, QUESTION).parsed and other.asked == 1
    monkeypatch.setattr("mosaic_env.evals.judge.judge.VERSION", "mosaic-judge/next")
    assert judge.decide("x", GOLD, QUESTION).prompt == "mosaic-judge/next" and model.asked == 3


def test_no_file_holds_an_answer_or_a_reference(tmp_path: Path) -> None:
    judge = Judge(Fixed("YES, zzgold says so"), tmp_path)
    assert judge.decide("zzanswer", Gold("t/1", "zzgold"), "zzquestion").value == "yes"
    judge.close()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert not any(
        word in path.read_bytes() for path in files for word in (b"zzgold", b"zzanswer", b"zzquestion")
    )


def test_a_folder_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(EvalError, match="ME-JUDGE-01"):
        Judge(Fixed("YES"), tmp_path / "file")
    (tmp_path / "calls").mkdir()
    (tmp_path / "calls/cache.db").write_bytes(b"no database at all" * 100)
    with pytest.raises(EvalError, match="ME-JUDGE-01"):
        Judge(Fixed("YES"), tmp_path)


def test_a_judge_that_is_away_is_no_verdict() -> None:
    class Away(Fixed):
        def complete(self, request: Request) -> Reply:
            raise ModelError("ME-MODEL-02", "away")

    with pytest.raises(ModelError):
        Judge(Away("")).decide("x", GOLD, QUESTION)


def test_many_threads_may_ask(tmp_path: Path) -> None:
    judge = Judge(Fixed("YES"), tmp_path)
    found: list[Judged] = []

    def ask() -> None:
        found.extend(judge.decide(str(number), GOLD, QUESTION) for number in range(5))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 20 and {one.value for one in found} == {"yes"}


def test_an_episode_keeps_its_verdict_until_it_is_scored_anew() -> None:
    one = played("a", answer("no", "red"), gold="red")
    assert judge_episode(one.episode, one.gold).value == "no"
    assert judge_episode(one.episode, one.gold, rescore=True) == Judged("yes", reason="exact")


def test_notes_give_the_verdict_where_rules_are_unsure() -> None:
    judged = Judged("yes", "model", "partial", "m", VERSION)
    noted = {"judged": write_note(judged)}
    assert played("a", answer("unsure"), notes=noted).judged == judged
    assert played("a", answer("no"), notes=noted).judged.value == "no"
    unsure = played("a", answer("unsure"), notes=noted)
    assert judge_episode(unsure.episode, unsure.gold, Judge(Fixed("NO"))).value == "no"


NOTE = write_note(Judged("yes", "model"))


@pytest.mark.parametrize("text", [
    "", "x", "[]", "{}", '{"value": "maybe"}', NOTE.replace("yes", "sure"), NOTE.replace('"by":"model"', '"by":"me"'),
    NOTE.replace('"reason":""', '"reason":1'), NOTE.replace("true", "1"),
])  # fmt: skip
def test_a_damaged_note_is_refused(text: str) -> None:
    with pytest.raises(EvalError, match="ME-EVAL-01"):
        read_note(text)


def test_settings_are_part_of_what_is_asked() -> None:
    ask: Callable[..., Request] = make_request
    assert ask("x", GOLD, "").digest == ask("x", GOLD, "").digest
    assert ask("x", GOLD, "").digest != ask("x", GOLD, "", {"temperature": 1.0}).digest


def _edited(folder: Path, *statements: str) -> None:
    with sqlite3.connect(folder / "calls" / "cache.db") as database:
        for statement in statements:
            database.execute(statement)
    database.close()


def _kept(folder: Path) -> None:
    judge = Judge(Fixed("NO"), folder)
    judge.decide("x", GOLD, QUESTION)
    judge.close()
    other = Judge(Fixed("YES"), folder)
    other.decide("y", GOLD, QUESTION)
    other.close()


@pytest.mark.parametrize(
    "edit",
    [
        """UPDATE Cache SET value = replace(value, '"verdict":"no"', '"verdict":"yes"')""",
        "UPDATE Cache SET value = substr(value, 1, length(value) - 3)",
        "UPDATE Cache SET value = (SELECT value FROM Cache WHERE value LIKE '%:\"yes\"%')",
        "UPDATE Cache SET value = '[]'",
        'UPDATE Cache SET value = \'{"result":{"verdict":"yes"}}\'',
        "UPDATE Cache SET value = 'sha256:'",
    ],
    ids=["flipped", "cut", "of another question", "a list", "no call", "only a digest"],
)
def test_a_verdict_that_was_changed_is_refused(tmp_path: Path, edit: str) -> None:
    _kept(tmp_path)
    _edited(tmp_path, edit)
    with pytest.raises(EvalError, match="ME-JUDGE-01"):
        Judge(Fixed("NO"), tmp_path).decide("x", GOLD, QUESTION)


def test_no_damaged_byte_turns_a_verdict(tmp_path: Path) -> None:
    _kept(tmp_path / "kept")
    database = tmp_path / "kept" / "calls" / "cache.db"
    data = database.read_bytes()
    for place in range(data.index(b'"verdict":"no"') - 400, data.index(b'"verdict":"no"') + 20, 7):
        database.write_bytes(data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])
        try:
            judge = Judge(Fixed("NO"), tmp_path / "kept")
            assert judge.decide("x", GOLD, QUESTION).value == "no"
            judge.close()
        except EvalError as error:
            assert error.code == "ME-JUDGE-01"


def test_verdicts_of_earlier_releases_are_read(tmp_path: Path) -> None:
    _kept(tmp_path)
    _edited(tmp_path, "UPDATE Cache SET value = substr(value, 73)")
    silent = Fixed("not asked")
    assert Judge(silent, tmp_path).decide("y", GOLD, QUESTION).value == "yes" and silent.asked == 0
