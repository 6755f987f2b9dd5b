"""The audit on worlds whose faults are known: each planted fault is found, and nothing else."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import mosaic_env  # noqa: F401
from mosaic_env.agents.oracle import OracleAgent
from mosaic_env.cli import main
from mosaic_env.core.errors import TaskError
from mosaic_env.core.types import Gold, Task
from mosaic_env.evals.quality.audit import audit
from mosaic_env.evals.quality.cases import spread, unlike
from mosaic_env.evals.quality.controls import CONTROLS
from mosaic_env.evals.quality.knowledge import example
from mosaic_env.evals.quality.report import Report
from mosaic_env.evals.quality.select import select
from tests.evals.conftest import Open


def audited(planted: Open, name: str) -> Report:
    setup = planted(name)
    source = planted("telling").source  # about other companies: nothing can be remembered
    train = [] if name != "quoted" else [example(*source.get(key)) for key in source.keys()]  # noqa: SIM118
    return audit(setup, setup.source.keys(), train=train, trained_on="other ones")


def line(report: Report, name: str) -> tuple[int, int, str]:
    found = next(one for one in report.lines if one.name == name)
    return found.right, found.n, found.verdict


def test_sound_tasks_have_no_fault(planted: Open) -> None:
    report = audited(planted, "sound")
    assert report.failed == ()
    assert line(report, "oracle") == (80, 80, "pass")
    for control in CONTROLS:
        assert line(report, control.name) == (0, 80, "pass")


@pytest.mark.parametrize(
    ("name", "failed"),
    [
        ("telling", ("text only",)),
        ("near", ("one search",)),
        # The first of ten is one of ten, and its caption says what it shows.
        ("named", ("first result", "one search", "captions")),
        ("echo", ("captions",)),
        ("constant", ("constant guess",)),
        ("hinted", ("classifier",)),
        ("quoted", ("no search",)),
        (
            "shown",
            ("image tools off", "first result, image", "one search, image", "captions, image"),
        ),
        ("lost", ("oracle",)),
    ],
)
def test_a_planted_fault_is_found_and_nothing_else(planted: Open, name: str, failed: tuple[str, ...]) -> None:
    assert audited(planted, name).failed == failed


def test_a_source_without_chains_and_scenes_is_not_passed(tiny: Path) -> None:
    setup = gym.make("InterLV-L1-v0", snapshot=str(tiny)).unwrapped.setup  # type: ignore[attr-defined]
    report = audit(setup, setup.source.keys())
    # A single task's own answer is the best guess, and says nothing about others.
    assert not report.failed and "constant guess" in report.unclear
    assert line(report, "oracle") == (0, 0, "unclear")
    assert "names no chain" in report.lines[0].note


def test_tasks_about_one_question_count_as_one(planted: Open) -> None:
    """Three tasks to each question: the intervals are those of one task to each."""
    thrice, once = planted("repeated"), planted("sound")
    report = audit(thrice, thrice.source.keys())
    single = audit(once, once.source.keys()[:27])
    assert (report.tasks, report.targets, report.asks) == (80, 27, 27)
    assert (single.tasks, single.targets, single.asks) == (27, 27, 27)
    for one in report.lines:
        if one.against is not None:
            alone = next(line.against for line in single.lines if line.name == one.name)
            assert one.against.effect > 2.5, one.name
            assert alone is not None and one.against.upper == pytest.approx(alone.upper, abs=0.06), one.name
    assert line(report, "first result")[2] == "unclear"
    assert line(report, "oracle")[2] == "pass"


def test_an_audit_prefers_different_questions(planted: Open) -> None:
    source = planted("repeated").source
    keys = unlike(source, 20)
    assert len({source.get(key)[1].target for key in keys}) == len(keys) == 20
    assert keys == sorted(keys) == unlike(source, 20)
    more = unlike(source, 40)
    assert len(set(more)) == 40 and len({source.get(key)[1].target for key in more}) == 27
    assert unlike(source, 80) == unlike(source, None) == list(source.keys())


def test_the_report_does_not_depend_on_the_batch(planted: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    setup = planted("near")
    keys = spread(setup.source.keys(), 20)
    whole = audit(setup, keys)
    monkeypatch.setattr("mosaic_env.evals.quality.play.BATCH", 3)
    assert audit(setup, keys) == whole


@pytest.mark.parametrize("env_id", ["InterLV-L1-v0", "InterLV-L2-v0"])
def test_bundled_tasks(env_id: str) -> None:
    setup = gym.make(env_id, snapshot="bundled").unwrapped.setup  # type: ignore[attr-defined]
    report = audit(setup, spread(setup.source.keys(), 24))
    assert line(report, "oracle") == (24, 24, "pass")
    for control in CONTROLS:
        assert line(report, control.name)[0] == 0, control.name


def test_select_keeps_what_only_looking_solves(planted: Open) -> None:
    for name in ("telling", "near", "named", "shown", "lost"):
        chosen = select(planted(name))
        assert chosen.kept == ()
        assert len(chosen.rejected) == 80
    sound = select(planted("sound"))
    assert len(sound.kept) > 40  # a wrong picture is right by chance now and then
    assert set(sound.rejected.values()) <= {"text only", "one search", "captions"}
    assert set(select(planted("lost")).rejected.values()) == {"oracle"}


def test_select_passes_the_audit_of_the_bundled_world() -> None:
    setup = gym.make("InterLV-L1-v0", snapshot="bundled").unwrapped.setup  # type: ignore[attr-defined]
    chosen = select(setup)
    assert set(chosen.kept) | set(chosen.rejected) == set(setup.source.keys())
    report = audit(setup, chosen.kept)
    assert line(report, "oracle")[0] == len(chosen.kept) > 0
    assert report.failed == ()


# --- the command ------------------------------------------------------------------------------------


def test_command_writes_every_number(
    planted_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "report.json"
    words = ["tasks", "audit", "--env", "InterLV-L1-v0", "--snapshot", str(planted_folder)]
    assert main([*words, "--tasks", "planted-sound", "--json", str(file)]) == 0
    first = file.read_bytes()
    report = json.loads(first)
    assert report["tasks"] == report["targets"] == report["asks"] == 80
    assert {one["name"]: one["right"] for one in report["lines"]}["oracle"] == 80
    assert "no check fails" in capsys.readouterr().out
    assert main([*words, "--tasks", "planted-sound", "--json", str(file)]) == 0
    assert file.read_bytes() == first


def test_command_fails_with_the_fault_named(planted_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tasks", "audit", "--env", "InterLV-L1-v0", "--snapshot", str(planted_folder)]
    assert main([*words, "--tasks", "planted-telling"]) == 1
    assert "fails: text only" in capsys.readouterr().out


def test_command_says_what_to_know(planted_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tasks", "audit", "--env", "InterLV-L1-v0", "--snapshot", str(planted_folder)]
    assert main([*words, "--tasks", "planted-repeated", "--limit", "60"]) == 0
    assert "these may say as little as" in capsys.readouterr().out
    assert main([*words, "--tasks", "planted-lost", "--limit", "8"]) == 1
    assert "8 not solved, 8 for want of a hop's entity (lost/" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--env", "InterLV-L9-v0"], "There is no environment"),
        (["--tasks", "nothing"], "There are no tasks 'nothing'"),
        (["--split", "tset"], "Nearest: test"),
        (["--snapshot", "/nowhere"], "/nowhere"),
    ],
)
def test_bad_input_is_one_sentence(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tasks", "audit", *words]) == 2
    assert says in capsys.readouterr().err


def test_guesses_are_learnt_from_the_train_split(capsys: pytest.CaptureFixture[str]) -> None:
    main(["tasks", "audit", "--env", "InterLV-L2-v0", "--split", "test", "--limit", "4"])
    assert "of the split train" in capsys.readouterr().out


def test_oracle_is_not_changed_by_the_audit(planted: Open) -> None:
    """The audit plays the very agent that ``mosaic run --agent oracle`` plays."""
    from mosaic_env.agents.base import AGENTS

    assert AGENTS.get("oracle") is OracleAgent


class Faulty:
    """A source with one task, whose parts are replaced one by one."""

    world = "*"

    def keys(self) -> list[str]:
        return ["faulty/1"]

    def get(self, key: str) -> tuple[Task, Gold]:
        return Task(key, "What colour is the hat of Gold Cobra?"), Gold(
            key, "red", kind="colour", notes={"ask": '{"type": "colour", "thing": "hat"}'}
        )

    def scene(self, digest: str) -> Any:
        return None


def _boom(*given: object) -> Any:
    raise RuntimeError("boom")


@pytest.mark.parametrize(
    ("part", "value", "says"),
    [
        ("get", _boom, r"Faulty.get\('faulty/1'\) raised RuntimeError: 'boom'"),
        ("get", lambda key: None, "returned None"),
        ("scene", _boom, r"Faulty.scene\(.*raised RuntimeError"),
        ("scene", lambda digest: {"things": "x"}, r"Faulty.scene\(.*returned {'things': 'x'}"),
        ("scene", lambda digest: {"things": [{"colour": "red"}]}, "Asking a picture's scene raised KeyError"),
    ],
)
def test_a_faulty_source_is_one_clear_error(tiny: Path, part: str, value: Any, says: str) -> None:
    setup = gym.make("InterLV-L1-v0", snapshot=str(tiny)).unwrapped.setup  # type: ignore[attr-defined]
    source = Faulty()
    setattr(source, part, value)
    with pytest.raises(TaskError, match=says) as caught:
        audit(replace(setup, source=source), source.keys())
    assert caught.value.code == "ME-TASK-05"


@pytest.mark.parametrize(
    "ask", ["[1]", "{", '{"type": "nonsense"}', '{"type": "colour", "thing": 3}', "null"]
)
def test_a_gold_that_asks_nothing_known_is_not_played(tiny: Path, ask: str) -> None:
    setup = gym.make("InterLV-L1-v0", snapshot=str(tiny)).unwrapped.setup  # type: ignore[attr-defined]
    source = Faulty()
    source.get = lambda key: (Task(key, "what?"), Gold(key, "red", notes={"ask": ask}))  # type: ignore[method-assign]
    assert line(audit(replace(setup, source=source), source.keys()), "oracle") == (0, 0, "unclear")
