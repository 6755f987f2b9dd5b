"""Run folders and worker processes that somebody else wrote into."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mosaic_env.cli import main
from mosaic_env.core.canon import digest
from mosaic_env.core.errors import ConfigError, EpisodeError, EvalError
from mosaic_env.evals.judge.judge import NOTE
from mosaic_env.evals.run.finish import finish, read_main
from mosaic_env.evals.run.folder import EPISODES, FAILURES, PAGE, REPORT, RESULTS, RUN, RunFolder, write_whole
from mosaic_env.evals.run.plan import setups_of
from tests.evals import run_agents
from tests.evals.test_run import AGENTS, L1, plan, play

Edit = Callable[[dict[str, Any]], object]


# --- what a stranger wrote into run.json ---------------------------------------------------------------


def edited(tmp_path: Path, edit: Edit) -> RunFolder:
    """Return a folder whose suite was changed, with a digest that fits."""
    folder = RunFolder(tmp_path)
    folder.begin(plan("null", 1).suite, resume=False)
    data = json.loads((tmp_path / RUN).read_text())
    edit(data["suite"])
    (tmp_path / RUN).write_text(json.dumps({**data, "digest": digest(data["suite"])}))
    return folder


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda suite: suite.update(model=3), "suite.model"),
        (lambda suite: suite.update(settings=[1]), "suite.settings"),
        (lambda suite: suite.update(parts=[1]), r"suite.parts\.0"),
        (lambda suite: suite.update(parts=[]), "no part that is evaluated"),
        (lambda suite: suite["parts"][0].update(variant="direct"), "no part that is evaluated"),
        (lambda suite: suite["parts"].append(suite["parts"][0]), "two of its parts"),
        (lambda suite: suite["parts"][0].update(tasks=[["a"]]), r"suite.parts\.0\.tasks"),
        (lambda suite: suite["parts"][0].update(arguments=[1]), r"suite.parts\.0\.arguments"),
        (lambda suite: suite["parts"][0].update(world=1), r"suite.parts\.0\.world"),
        (lambda suite: suite.update(more=1), "another digest"),
    ],
)
def test_a_suite_of_other_types_is_refused(tmp_path: Path, edit: Edit, said: str) -> None:
    with pytest.raises(EvalError, match=f"cannot be read as a run: .*{said}") as caught:
        edited(tmp_path, edit).suite()
    assert caught.value.code == "ME-EVAL-01"


@pytest.mark.parametrize("text", ["[" * 100_000, "\x00", "NaN", "9" * 5_000])
def test_a_suite_that_is_no_json_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / RUN).write_text(text)
    with pytest.raises(EvalError, match="cannot be read as a run"):
        RunFolder(tmp_path).suite()


@pytest.mark.parametrize("env", ["CartPole-v1", "trap_of_a_stranger:InterLV-L1-v0", "Nothing-v0"])
def test_a_foreign_environment_is_not_made_and_imports_nothing(
    tmp_path: Path, env: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "trap_of_a_stranger.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(str(tmp_path))
    folder = edited(tmp_path / "run", lambda suite: suite["parts"][0].update(env=env))
    with pytest.raises(ConfigError, match=r"(?i)there is no environment"):
        setups_of(folder.suite(), None)
    with pytest.raises(ConfigError, match=r"(?i)there is no environment"):
        read_main(folder.path)


def test_a_run_cannot_name_a_snapshot(tmp_path: Path) -> None:
    folder = edited(tmp_path, lambda suite: suite["parts"][0]["arguments"].update(snapshot="/tmp"))
    with pytest.raises(ConfigError, match=r"(?i)name a snapshot"):
        setups_of(folder.suite(), None)


@pytest.mark.parametrize(
    "line",
    [
        "[" * 100_000, "null", '{"task":[],"status":"error"}', '{"task":"a","status":"error","part":{}}',
        '{"task":"a","status":"won"}', '{"task":"a","status":"error","code":7}',
    ],
)  # fmt: skip
def test_failures_of_other_types_are_damage(tmp_path: Path, line: str) -> None:
    (tmp_path / FAILURES).write_text(line + "\n")
    with pytest.raises(EvalError, match=r"(?i)line 1 of failures\.jsonl is damaged"):
        RunFolder(tmp_path).failures(plan("null", 1).suite, ())


def test_damage_in_the_middle_says_how_to_go_on(tmp_path: Path) -> None:
    made, folder = plan("null", 3), RunFolder(tmp_path)
    play(made, tmp_path, workers=1)
    lines = (tmp_path / EPISODES).read_bytes().splitlines(keepends=True)
    (tmp_path / EPISODES).write_bytes(lines[0] + lines[1][:500] + b"\n" + lines[2])
    with pytest.raises(EpisodeError, match=r"(?i)line 2 of .*Delete the line, and play its task again"):
        folder.episodes(made.suite)
    (tmp_path / EPISODES).write_bytes(lines[0] + lines[2])
    assert play(made, tmp_path, workers=1).played == 3


# --- two at once ----------------------------------------------------------------------------------------


def test_two_processes_do_not_write_into_one_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["eval", "--env", L1, "--agent", "null", "--limit", "1", "--workers", "1", "--out", str(tmp_path)]
    assert main(words) == 0
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    holder = (
        "import sys; from pathlib import Path; from mosaic_env.evals.run.folder import RunFolder\n"
        "with RunFolder(Path(sys.argv[1])).alone(): print('mine', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holder, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None and other.stdout.readline() == b"mine\n"
        for command in ([*words, "--resume"], ["report", str(tmp_path)]):
            capsys.readouterr()
            assert main(command) == 2
            assert "ME-EVAL-04" in capsys.readouterr().err
        other.kill()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert main([*words, "--resume"]) == 0  # whoever had it is gone, however it went


# --- what agents do to their worker -----------------------------------------------------------------------


@pytest.mark.parametrize("line", ["episode {}", "failed [", "failed {}", "ready {}", "wrong {}", "\x01"])
def test_what_an_agent_writes_into_the_pipe_is_no_result(
    tmp_path: Path, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(run_agents.TROUBLE, line)
    made = plan(f"{AGENTS}:Forges", 1)
    with pytest.raises(EvalError, match="crashed, garbled") as caught:
        play(made, tmp_path, workers=1)
    assert caught.value.code == "ME-EVAL-03"
    folder = RunFolder(tmp_path)
    assert folder.episodes(made.suite) == {}
    assert [one.code for one in folder.failures(made.suite, ()).values()] == ["garbled"]


def test_half_a_character_costs_no_report(tmp_path: Path) -> None:
    made = plan(f"{AGENTS}:Halves", 1)
    play(made, tmp_path, workers=1)
    finish(RunFolder(tmp_path), made.suite, made.setups)
    (row,) = map(json.loads, (tmp_path / RESULTS).read_text("utf-8").splitlines())
    assert row["answer"] == "red \ud800 é"
    assert r"red \ud800 \u00e9" in (tmp_path / PAGE).read_text("utf-8")
    assert main(["report", str(tmp_path)]) == 0
    assert main(["view", str(tmp_path), "--out", str(tmp_path / "view.html")]) == 0


def test_no_agent_judges_itself(tmp_path: Path) -> None:
    made = plan(f"{AGENTS}:Judges", 1)
    play(made, tmp_path, workers=1)
    (episode,) = RunFolder(tmp_path).episodes(made.suite).values()
    assert NOTE not in episode.notes and episode.notes["mood"] == "good"


def test_a_judge_without_a_key_is_named_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    words = ["--env", L1, "--agent", "null", "--limit", "1", "--judge-model", "m"]
    assert main(["eval", *words, "--out", str(tmp_path / "run")]) == 2
    assert not (tmp_path / "run" / EPISODES).exists()


# --- links in a run folder --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [EPISODES, FAILURES, RUN, RESULTS, PAGE, "judge"])
def test_nothing_is_written_through_a_link(tmp_path: Path, name: str) -> None:
    folder = RunFolder(tmp_path / "run")
    folder.begin(plan("null", 1).suite, resume=False)
    theirs = tmp_path / "theirs"
    theirs.write_text("precious, and without a line end")
    (folder.path / name).unlink(missing_ok=True)
    (folder.path / name).symlink_to(theirs)
    with pytest.raises(EvalError, match=f"'{name}' in .* is a link.*ME-EVAL-01"), folder.alone():
        raise AssertionError("the folder was taken")
    with pytest.raises(EvalError, match="ME-EVAL-01"):
        folder.begin(plan("null", 1).suite, resume=True)
    assert theirs.read_text() == "precious, and without a line end"


def test_drafts_are_files_of_our_own(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    folder.begin(plan("null", 1).suite, resume=False)
    theirs = tmp_path / "theirs"
    theirs.write_text("precious")
    for name in (RESULTS, REPORT, PAGE, RUN):
        (folder.path / f".{name}.new").symlink_to(theirs)
        write_whole(folder.path / name, "new")
        assert (folder.path / name).read_text() == "new" and not (folder.path / name).is_symlink()
    assert theirs.read_text() == "precious"


def test_a_report_that_cannot_be_written_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_whole(tmp_path / "report.md", "old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("mosaic_env.evals.run.folder.os.fsync", full)
    with pytest.raises(OSError, match=r"No space left.*report\.md"):
        write_whole(tmp_path / "report.md", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["report.md"]
    assert (tmp_path / "report.md").read_text() == "old"


def test_no_run_is_kept_inside_a_snapshot(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    inside = Path(shutil.copytree(tiny, tmp_path / "copy")) / "run"
    calls = tmp_path / "calls.jsonl"
    calls.write_text("{}\n")
    play = ["eval", "--env", "InterLV-L1-v0", "--agent", "null"]
    for words in (
        [*play, "--out", str(inside)],
        [*play, "--out", str(tmp_path / "run"), "--record", str(inside)],
        ["snapshot", "record", "--tool", "t", "--calls", str(calls), str(inside)],
    ):
        assert main(words) == 2
        assert "ME-SNAP-07" in capsys.readouterr().err and not inside.exists()
