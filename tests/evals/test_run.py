"""``mosaic eval``: nothing an agent does ends a run, what was played is never lost, and order never shows."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from mosaic_env.agents.models.spec import ModelSpec
from mosaic_env.cli import main
from mosaic_env.core.errors import ConfigError, EpisodeError, EvalError, RegistryError, TaskError
from mosaic_env.evals.judge.judge import Judge
from mosaic_env.evals.records import Unplayed
from mosaic_env.evals.run.evaluate import HOPELESS, Tally, evaluate
from mosaic_env.evals.run.finish import finish
from mosaic_env.evals.run.folder import EPISODES, FAILURES, JUDGE, PAGE, REPORT, RESULTS, RUN, RunFolder
from mosaic_env.evals.run.plan import Plan, Wanted, make_plan
from tests.evals import run_agents
from tests.evals.test_judge import Fixed

L1, L2 = "InterLV-L1-v0", "InterLV-L2-v0"
AGENTS = run_agents.__name__


def plan(agent: str = "null", limit: int | None = 4, **wanted: Any) -> Plan:
    return make_plan(Wanted(**{"envs": [L1], "agent": agent, "limit": limit, **wanted}))


def play(made: Plan, path: Path, *, workers: int = 2, timeout: float = 60.0, model: Any = None) -> Tally:
    folder = RunFolder(path)
    folder.begin(made.suite, resume=True)
    return evaluate(
        made.suite, folder, snapshot=None, model=model, workers=workers, timeout=timeout, say=lambda _: None
    )


def files(path: Path) -> dict[str, bytes]:
    return {name: (path / name).read_bytes() for name in (RESULTS, REPORT, PAGE)}


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (path / RESULTS).read_text("utf-8").splitlines()]


# --- what a run gives -----------------------------------------------------------------------------------


def test_the_number_of_workers_does_not_show(tmp_path: Path) -> None:
    made = plan("random", 4, envs=[L1, L2])
    for name, workers in (("one", 1), ("three", 3)):
        tally = play(made, tmp_path / name, workers=workers)
        assert (tally.played, tally.failed) == (8, 0)
        finish(RunFolder(tmp_path / name), made.suite, made.setups)
    assert files(tmp_path / "one") == files(tmp_path / "three")
    found = rows(tmp_path / "one")
    assert [(row["part"], row["task"]) for row in found] == made.suite.jobs
    assert len({tuple(row) for row in found}) == 1  # every row has every column, in the same order


def test_an_episode_is_the_one_that_mosaic_run_plays(tmp_path: Path) -> None:
    words = ["--env", L1, "--agent", "oracle", "--seed", "3"]
    key = plan(limit=1).suite.jobs[0][1]
    assert main(["run", *words, "--task", key, "--out", str(tmp_path / "one.jsonl")]) == 0
    assert main(["eval", *words, "--task", key, "--out", str(tmp_path / "run")]) == 0
    one, other = ((tmp_path / name).read_text() for name in ("one.jsonl", f"run/{EPISODES}"))
    assert json.loads(one)["digest"] == json.loads(other)["digest"]
    assert rows(tmp_path / "run")[0]["right"]


def test_direct_and_ablations_are_parts_of_their_own(tmp_path: Path) -> None:
    model = ModelSpec("told", script=f"{AGENTS}:say")
    made = plan(
        "interlv", 2, envs=[L1, L2], model=model, direct=True, ablate=["image_search", "memory", "graph"]
    )
    names = [part.name for part in made.suite.parts]
    assert names == [L1, f"{L1}, direct", f"{L1}, no image search", L2, f"{L2}, direct", f"{L2}, no image search",
                     f"{L2}, no memory"]  # fmt: skip
    assert len(made.notes) == 3  # Level 1 has no memory, neither level a graph
    assert play(made, tmp_path / "run", model=model).played == 14
    done = finish(RunFolder(tmp_path / "run"), made.suite, made.setups)
    text = (tmp_path / "run" / REPORT).read_text("utf-8")
    assert "Direct" in text and "no image search" in text and "told" in text
    calls = {
        part: sum(len(step.calls) for step in one.episode.steps) for (part, _), one in done.scored.items()
    }
    assert calls[L1] and not calls[f"{L1}, direct"]
    assert {one.notes["model"] for one in done.scored.values()} == {"told"}
    assert all(row["prompt_tokens"] for row in rows(tmp_path / "run"))


def test_a_judge_is_asked_once_and_its_verdicts_stay_with_the_episodes(tmp_path: Path) -> None:
    source = plan(limit=1).setups[L1].source
    keys = list(source.keys())
    threes = [key for key in keys if source.get(key)[1].answer == "3"][:2]
    made = plan(f"{AGENTS}:Vague", None, tasks=[*threes, *keys[:8]])
    folder = RunFolder(tmp_path / "run")
    play(made, folder.path)
    unsure = [
        one for one in finish(folder, made.suite, made.setups).scored.values() if one.judged.value == "unsure"
    ]
    assert {one.episode.task.key for one in unsure} >= set(threes) and "stayed unsure" in (
        folder.path / REPORT
    ).read_text("utf-8")
    model = Fixed("YES")
    for _ in range(2):
        judge = Judge(model, folder.path / JUDGE)
        judged = finish(folder, made.suite, made.setups, judge=judge)
        judge.close()
    assert model.asked == len(unsure)  # the second time, its verdicts are known
    assert sum(one.right for one in judged.scored.values()) == len(unsure)
    assert {one.episode.digest for one in unsure} < {one.episode.digest for one in judged.scored.values()}
    before = files(folder.path)
    finish(folder, made.suite, made.setups)  # without the judge
    assert files(folder.path) == before


# --- what agents do to their process --------------------------------------------------------------------


def test_the_worst_agents_cost_one_task_each_and_are_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    trouble = tmp_path / "trouble"
    trouble.touch()
    monkeypatch.setenv(run_agents.TROUBLE, str(trouble))
    keys = list(plan(limit=1).setups[L1].source.keys())[: len(run_agents.DEEDS) + 3]
    made = plan(f"{AGENTS}:Trouble", None, tasks=[*keys[-3:], *keys[:-3]])
    begun = time.monotonic()
    tally = play(made, tmp_path / "run", timeout=4.0)
    assert (tally.played, tally.failed) == (3, len(run_agents.DEEDS))
    assert time.monotonic() - begun < 120
    failed = RunFolder(tmp_path / "run").failures(made.suite, ())
    by_deed = dict(zip(run_agents.DEEDS, (failed[L1, key] for key in keys), strict=False))
    assert {deed: (one.status, one.code) for deed, one in by_deed.items()} == {
        "exit": ("error", "SystemExit"), "_exit": ("crashed", "exit-0"), "kill": ("crashed", "SIGKILL"),
        "segfault": ("crashed", "SIGSEGV"), "loop": ("timeout", "timeout"), "ask": ("error", "EOFError"),
        "raise": ("error", "ValueError"), "close everything": ("crashed", "exit-1"),
        "recursion": ("error", "RecursionError"),
    }  # fmt: skip
    assert "secret-in-a-message" not in (tmp_path / "run" / FAILURES).read_text()
    assert "no result" not in capfd.readouterr().out

    trouble.unlink()
    assert play(made, tmp_path / "run").failed == 0
    assert play(made, tmp_path / "whole").failed == 0
    for name in ("run", "whole"):
        finish(RunFolder(tmp_path / name), made.suite, made.setups)
    assert files(tmp_path / "run") == files(tmp_path / "whole")


def test_a_process_that_an_agent_forks_says_nothing(tmp_path: Path) -> None:
    made = plan(f"{AGENTS}:Forks", 4)
    assert play(made, tmp_path, workers=1).played == 4
    assert (
        len(RunFolder(tmp_path).episodes(made.suite)) == (tmp_path / EPISODES).read_bytes().count(b"\n") == 4
    )


def test_a_worker_that_cannot_start_ends_the_run(tmp_path: Path) -> None:
    with pytest.raises(EvalError, match="died: exit-7") as caught:
        play(plan(f"{AGENTS}:NoAgent"), tmp_path / "run")
    assert caught.value.code == "ME-EVAL-03"
    with pytest.raises(EvalError, match="could not begin: SystemExit") as caught:
        play(plan(f"{AGENTS}:Unmade"), tmp_path / "unmade")
    assert caught.value.code == "ME-EVAL-03" and "secret" not in str(caught.value)
    with pytest.raises(ConfigError, match="has no 'Nobody'"):
        play(plan(f"{AGENTS}:Nobody"), tmp_path / "other")


def test_a_run_in_which_nothing_works_gives_up(tmp_path: Path) -> None:
    with pytest.raises(EvalError, match=f"None of the first {HOPELESS} tasks.*OSError") as caught:
        play(plan(f"{AGENTS}:Fails", 30), tmp_path / "run")
    assert caught.value.code == "ME-EVAL-03"


# --- the folder -----------------------------------------------------------------------------------------


def test_a_folder_is_continued_only_when_asked_and_only_with_its_own_suite(tmp_path: Path) -> None:
    made = plan("null", 2)
    folder = RunFolder(tmp_path / "run")
    folder.begin(plan("random", 2).suite, resume=True)
    folder.begin(made.suite, resume=False)  # nothing was played: it begins anew
    folder.add_failure(Unplayed(made.suite.jobs[0][1], "crashed", part=L1))
    with pytest.raises(EvalError, match="--resume") as caught:
        folder.begin(made.suite, resume=False)
    assert caught.value.code == "ME-EVAL-02"
    folder.begin(plan("null", 2).suite, resume=True)
    for other, field in (
        (plan("random", 2), r"parts\[1\]\.agent is 'random' here and 'null' in the folder"),
        (plan("null", 3), r"parts\[1\]\.tasks has 3 entries here and 2 in the folder"),
        (plan("null", 2, seed=1), "seed is 1 here and 0 in the folder"),
        (
            plan("null", 2, arguments={"preset": "repo"}),
            r"parts\[1\]\.arguments\.preset is 'repo' here and None",
        ),
    ):
        with pytest.raises(EvalError, match=field) as caught:
            folder.begin(other.suite, resume=True)
        assert caught.value.code == "ME-EVAL-02"


def test_a_foreign_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(EvalError, match="holds no run"):
        RunFolder(tmp_path).begin(plan("null", 1).suite, resume=True)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_line_that_a_crash_cut_is_played_again(tmp_path: Path) -> None:
    made = plan("random", 2)
    folder = RunFolder(tmp_path)
    play(made, tmp_path, workers=1)
    whole = folder.episodes(made.suite)
    path = tmp_path / EPISODES
    data = path.read_bytes()
    for cut in (1, 2, 100, len(data) // 2 + 10, len(data)):
        path.write_bytes(data[:-cut])
        assert len(folder.episodes(made.suite)) < 2  # readable as it is
        folder.begin(made.suite, resume=True)
        left = path.read_bytes()
        assert data.startswith(left) and (not left or left.endswith(b"\n"))
    assert play(made, tmp_path, workers=1).played == 2
    again = folder.episodes(made.suite)
    assert {job: one.digest for job, one in again.items()} == {job: one.digest for job, one in whole.items()}


def test_damage_is_named(tmp_path: Path) -> None:
    made = plan("null", 1)
    folder = RunFolder(tmp_path)
    play(made, tmp_path, workers=1)
    line = (tmp_path / EPISODES).read_bytes()
    for damaged, error in (
        (b"{}\n" + line, EpisodeError),
        (line.replace(b'"part"', b'"port"'), EpisodeError),
    ):
        (tmp_path / EPISODES).write_bytes(damaged)
        with pytest.raises(error, match=r"(?i)line 1 of episodes\.jsonl"):
            folder.episodes(made.suite)
    (tmp_path / FAILURES).write_text("[]\n")
    with pytest.raises(EvalError, match=r"(?i)line 1 of failures\.jsonl is damaged"):
        folder.failures(made.suite, ())
    text = json.loads((tmp_path / RUN).read_text())
    for changed in (
        {**text, "format": "mosaic-run/0"},
        {**text, "digest": "sha256:0"},
        {"format": text["format"]},
        [],
    ):
        (tmp_path / RUN).write_text(json.dumps(changed))
        with pytest.raises(EvalError, match="cannot be read as a run") as caught:
            folder.suite()
        assert caught.value.code == "ME-EVAL-01"


def test_a_failure_counts_until_there_is_an_episode(tmp_path: Path) -> None:
    made = plan("null", 2)
    folder = RunFolder(tmp_path)
    folder.begin(made.suite, resume=False)
    part, task = made.suite.jobs[1]
    for status in ("crashed", "timeout"):
        folder.add_failure(Unplayed(task, status, "x", part=part))  # type: ignore[arg-type]
    assert [one.status for one in folder.failures(made.suite, ()).values()] == ["timeout"]
    assert play(made, tmp_path).played == 2
    assert not folder.failures(made.suite, folder.episodes(made.suite))


# --- the plan -------------------------------------------------------------------------------------------


def test_wrong_wishes_are_refused_before_anything_is_played() -> None:
    for error, text, wanted in (
        (RegistryError, "Nearest: oracle", {"agent": "orakle"}),
        (ConfigError, "--agent interlv asks a model", {"agent": "interlv"}),
        (ConfigError, "--direct asks a model", {"direct": True}),
        (ConfigError, "there is no environment", {"envs": ["InterLV-L9-v0"]}),
        (ConfigError, "there is no ablation 'memries'", {"ablate": ["memries"]}),
        (TaskError, "has no task 'none/1'", {"tasks": ["none/1"]}),
        (ConfigError, "--limit", {"limit": None, "arguments": {"tasks": "generated"}}),
    ):
        with pytest.raises(error, match=f"(?i){text}"):
            plan(**wanted)


def test_a_suite_holds_no_key_and_no_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "sk-abcdefghijklmnopqrstuvwxyz")
    model = ModelSpec(
        "m", "http://localhost:9/v1", "SOME_KEY", {"temperature": 0.5}, record_to=str(tmp_path / "kept")
    )
    made = plan("interlv", 1, model=model)
    RunFolder(tmp_path / "run").begin(made.suite, resume=False)
    text = (tmp_path / "run" / RUN).read_text()
    assert not [word for word in ("sk-", "SOME_KEY", "localhost", str(tmp_path)) if word in text]
    assert RunFolder(tmp_path / "run").suite() == made.suite


# --- the command ----------------------------------------------------------------------------------------


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "mosaic_env.cli", *words]


def test_ctrl_c_says_how_to_go_on_and_leaves_no_process(tmp_path: Path) -> None:
    words = [
        "eval",
        "--env",
        L1,
        "--agent",
        f"{AGENTS}:Slow",
        "--out",
        str(tmp_path / "run"),
        "--timeout",
        "60",
    ]
    run = subprocess.Popen(command(*words), stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    path = tmp_path / "run" / EPISODES
    until = time.monotonic() + 60
    while not path.exists() and time.monotonic() < until:
        time.sleep(0.05)
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(run.pid)], capture_output=True, text=True)
    run.send_signal(signal.SIGINT)
    _, said = run.communicate(timeout=30)
    assert run.returncode == 130 and "--resume" in said and "Traceback" not in said
    assert children.stdout.split()
    for pid in map(int, children.stdout.split()):
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_the_exit_code_says_whether_everything_was_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    trouble = tmp_path / "trouble"
    trouble.touch()
    monkeypatch.setenv(run_agents.TROUBLE, str(trouble))
    keys = list(plan(limit=1).setups[L1].source.keys())
    words = ["eval", "--env", L1, "--agent", f"{AGENTS}:Trouble", "--task", keys[0], "--task", keys[20]]
    words += ["--out", str(tmp_path / "run"), "--workers", "1"]
    assert main(words) == 1
    assert "1 task gave no episode" in capsys.readouterr().out
    assert main(words) == 2
    assert "--resume" in capsys.readouterr().err
    trouble.unlink()
    assert main([*words, "--resume"]) == 0
    before = files(tmp_path / "run")
    assert main(["report", str(tmp_path / "run")]) == 0
    assert files(tmp_path / "run") == before
    assert main(["report", str(tmp_path / "run" / EPISODES)]) == 0
    assert main(["compare", str(tmp_path / "run"), str(tmp_path / "run" / EPISODES)]) == 0
    assert "0.0 (" in capsys.readouterr().out
