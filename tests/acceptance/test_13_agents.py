"""The lines of models, judge, evaluation and trainers."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import mosaic_env  # noqa: F401 - registers the ids
from mosaic_env.agents.base import play
from mosaic_env.agents.model_agent import agent_options, make_agent
from mosaic_env.agents.models.open import ModelSpec, open_model
from mosaic_env.core.errors import ModelError
from mosaic_env.core.types import Gold
from mosaic_env.envs.episode import Episode, read_episodes, write_episodes
from mosaic_env.evals.judge.judge import Judge, judge_answer
from mosaic_env.evals.metrics.summary import summarise
from mosaic_env.evals.tables import Rate
from tests.acceptance.served_model import ServedModel, missing
from tests.browser.chrome import Chrome
from tests.browser.conftest import Pages, browser, chrome, pages  # noqa: F401 - fixtures
from tests.browser.test_viewer import test_it_fits_and_can_be_read as fits
from tests.browser.test_viewer import test_more_than_120_payloads_stay_texts as payloads_stay_texts
from tests.evals.hand import ten
from tests.evals.test_judge import Fixed, Obedient

DATA = Path(__file__).resolve().parents[1] / "evals" / "data"


def test_decomposition_of_ten_episodes_counted_by_hand() -> None:
    tables = {table.key: table for table in summarise(ten()).tables}
    rows = {row[:2]: row[2:] for row in tables["retrieval"].rows}
    # R@5, Acc|Ret, Acc|UnRet, Corr. from Ret.
    assert rows["All", "final"] == (Rate(6, 10), Rate(2, 6), Rate(3, 4), Rate(2, 5))
    assert rows["All", "any"] == (Rate(8, 10), Rate(4, 8), Rate(1, 2), Rate(4, 5))


def test_fifty_injections_change_no_verdict() -> None:
    texts = json.loads((DATA / "judge_injections.json").read_text("ascii"))
    gold, question = Gold("t/1", "a lion holding a key"), "What does the crest show?"
    judge = Judge(Obedient())  # says YES to whatever it is told outside the data
    assert len(set(texts)) >= 50
    for text in texts:
        assert judge.decide(text, gold, question).value == "no"
        assert judge_answer(text, gold, question, judge).value == "no"
        assert judge_answer(f"an eagle. {text}", gold, question, judge).value == "no"


@pytest.mark.parametrize(
    ("reply", "value", "parsed"),
    [
        ("There is no doubt: YES", "yes", True),
        ("not YES", "no", False),
        ("no.", "no", True),
        ("?", "no", False),
    ],
)
def test_unreadable_verdicts_are_wrong_and_flagged(reply: str, value: str, parsed: bool) -> None:
    judged = Judge(Fixed(reply)).decide("x", Gold("t/1", "y"), "")
    assert (judged.value, judged.parsed) == (value, parsed)


# --- mosaic eval ----------------------------------------------------------------------------------------


def evaluated(folder: Path, agent: str, *words: str) -> subprocess.Popen[bytes]:
    """Start ``mosaic eval`` on Level 1 in a process group of its own."""
    command = [sys.executable, "-m", "mosaic_env.cli", "eval", "--env", "InterLV-L1-v0", "--agent", agent]
    return subprocess.Popen(
        [*command, "--out", str(folder), *words],
        start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def accuracy(folder: Path) -> Rate:
    """Return the accuracy of a run, counted from its rows, which its report must show too."""
    rows = [json.loads(line) for line in (folder / "results.jsonl").read_text("utf-8").splitlines()]
    rate = Rate.of(row["right"] for row in rows)
    assert f"| Accuracy | {rate} |" in (folder / "report.md").read_text("utf-8")
    return rate


@pytest.mark.slow
def test_the_table_orders_oracle_blind_random_and_null(tmp_path: Path) -> None:
    found = {}
    for agent in ("oracle", "tests.evals.run_agents:Blind", "random", "null"):
        folder = tmp_path / agent.rpartition(":")[2].lower()
        assert evaluated(folder, agent, "--limit", "150").wait(300) == 0
        found[folder.name] = accuracy(folder)
    oracle, blind, drawn, null = (found[name].right for name in ("oracle", "blind", "random", "null"))
    assert oracle == 150 and null == 0
    assert 0.5 * oracle > blind > drawn >= null
    assert found["oracle"].interval[0] > found["blind"].interval[1]


def played(folder: Path) -> int:
    """Return the number of lines that a run wrote so far."""
    path = folder / "episodes.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.slow
def test_a_run_killed_ten_times_gives_the_same_report(tmp_path: Path) -> None:
    words, agent = ("--limit", "120"), "tests.evals.run_agents:Slow"
    assert evaluated(tmp_path / "whole", agent, *words).wait(300) == 0
    draw, kills, folder = random.Random(13), 0, tmp_path / "killed"
    for _ in range(10):
        run = evaluated(folder, agent, *words, "--resume")
        enough, until = played(folder) + draw.randrange(10), time.monotonic() + 60
        while played(folder) < enough and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(draw.uniform(0, 0.3))
        os.killpg(run.pid, signal.SIGKILL)
        kills += run.wait() == -signal.SIGKILL
    assert kills == 10 and 20 < played(folder) < 120
    assert evaluated(folder, agent, *words, "--resume").wait(300) == 0
    for name in ("results.jsonl", "report.md", "report.html"):
        assert (folder / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


@pytest.mark.slow
def test_three_hundred_scripted_episodes_take_less_than_a_minute(tmp_path: Path) -> None:
    begun = time.monotonic()
    assert evaluated(tmp_path / "run", "oracle", "--limit", "300", "--workers", "2").wait(300) == 0
    assert time.monotonic() - begun < 60
    assert accuracy(tmp_path / "run") == Rate(300, 300)


# --- a model that is served ---------------------------------------------------------------------------

EPISODES = 20
AGENTS = ("interlv", "react", "direct")
#: Short on purpose: the model reads and writes a few dozen tokens a second on a CPU.
SHORT: dict[str, Any] = {"tools": ["local_text_search"], "interactions": 2}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[ServedModel]:
    if absent := missing():
        pytest.skip(f"no model can be served here; not installed: {absent}")
    server = ServedModel(tmp_path / "server.log")
    yield server
    server.stop()


def run(spec: ModelSpec) -> list[Episode]:
    """Play the first Level 1 tasks with every agent around one model."""
    model, episodes = open_model(spec), []
    for name in AGENTS:
        env: Any = gym.make("InterLV-L1-v0", **{**SHORT, **agent_options(name)})
        agent = make_agent(name, model, settings=spec.settings)(env.unwrapped)
        for task in env.unwrapped.task_keys[:EPISODES]:
            episodes.append(play(env, agent, seed=0, task=task))
    return episodes


@pytest.mark.slow
@pytest.mark.served
def test_a_served_model_plays_and_its_run_replays_with_the_server_off(
    served: ServedModel, tmp_path: Path
) -> None:
    spec = ModelSpec(
        "SmolLM2-135M-Instruct", served.url, vision=False, record_to=str(tmp_path / "answers"),
        settings={"temperature": 0.8, "max_tokens": 24, "seed": 1},
    )  # fmt: skip
    live = run(spec)
    served.stop()
    with pytest.raises(ModelError, match="could not be reached"):
        run(replace(spec, record_to=str(tmp_path / "empty"), attempts=1))
    again = run(replace(spec, record_to="", replay_from=spec.record_to))
    assert [e.digest for e in again] == [e.digest for e in live] and again == live
    write_episodes(tmp_path / "episodes.jsonl", live)
    assert list(read_episodes(tmp_path / "episodes.jsonl")) == live
    print(told(live))
    assert Counter(e.notes["agent"] for e in live) == dict.fromkeys(AGENTS, EPISODES)
    assert all(e.finished for e in live)
    assert all(int(e.notes["prompt_tokens"]) > 0 for e in live)
    failures = Counter(step.failure for e in live for step in e.steps)
    assert not [by for _, by in failures if by == "env"]
    assert failures["bad_action", "policy"] > 0  # malformed outputs were met, and answered


def told(episodes: list[Episode]) -> str:
    """Say what was played: for the log of the test."""
    lines = []
    for name in AGENTS:
        own = [e for e in episodes if e.notes["agent"] == name]
        total = {key: sum(int(e.notes[key]) for e in own) for key in ("requests", "cut", "prompt_tokens")}
        failures = Counter(step.failure[0] or "none" for e in own for step in e.steps)
        lines.append(f"{name}: {sum(e.success for e in own)} right of {len(own)}; {total}; {dict(failures)}")
    return "\n".join(lines)


# --- the report and the viewer ------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.browser
def test_report_and_viewer_fit_both_widths_and_120_payloads_are_inert(
    chrome: Chrome,  # noqa: F811
    pages: Pages,  # noqa: F811
) -> None:
    for width in (1280, 390):
        fits(chrome, pages, width, dark=False)
    payloads_stay_texts(chrome, pages)
