"""From run folders to scored episodes: golds by key, old verdicts, damaged files."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import mosaic_env  # noqa: F401
from mosaic_env.agents.base import play
from mosaic_env.agents.oracle import OracleAgent
from mosaic_env.agents.simple import NullAgent
from mosaic_env.core.canon import canonical_text
from mosaic_env.core.errors import EpisodeError, EvalError, TaskError
from mosaic_env.core.types import Gold, Task
from mosaic_env.envs.episode import Episode, write_episodes
from mosaic_env.evals.load import read_run, read_unplayed, score_episodes
from mosaic_env.evals.metrics.summary import summarise
from mosaic_env.evals.records import Unplayed
from tests.evals.hand import answer, played


class Source:
    """The tasks of some episodes written by hand."""

    world = "*"

    def __init__(self, *pairs: tuple[Task, Gold]) -> None:
        self._pairs = {task.key: (task, gold) for task, gold in pairs}

    def keys(self) -> list[str]:
        return list(self._pairs)

    def get(self, key: str) -> tuple[Task, Gold]:
        return self._pairs[key]


def episodes(env_id: str, agent: Any, count: int, **options: Any) -> list[Episode]:
    env = gym.make(env_id, **options)
    keys = env.unwrapped.setup.source.keys()[:count]  # type: ignore[attr-defined]
    return [play(env, agent(env.unwrapped), seed=0, task=key) for key in keys]


def test_a_folder_with_both_levels(tmp_path: Path) -> None:
    listed = [*episodes("InterLV-L1-v0", OracleAgent, 2), *episodes("InterLV-L2-v0", NullAgent, 2)]
    write_episodes(tmp_path / "episodes.jsonl", listed)
    lost = [Unplayed("mosaic-l1/zzz", "crashed"), Unplayed(listed[0].task.key, "timeout")]
    lines = "".join(canonical_text(one.as_dict()) + "\n" for one in lost)
    (tmp_path / "failures.jsonl").write_text(lines, "utf-8")
    (tmp_path / "run.json").write_text('{"agent":"oracle","tasks":null}', "utf-8")
    run = read_run(tmp_path)
    assert [one.right for one in run.scored] == [True, True, False, False]
    assert all(one.gold.digest == one.episode.gold for one in run.scored)
    assert run.unplayed == (Unplayed("mosaic-l1/zzz", "crashed"),)  # the other one was played later
    assert run.suite["agent"] == "oracle"
    table = summarise(run.scored, run.unplayed).tables[0]
    assert table.columns[:4] == ("", "All", "Level 1", "Level 2")
    assert read_run(tmp_path / "episodes.jsonl").scored == run.scored


def test_generated_tasks_of_any_difficulty(tmp_path: Path) -> None:
    listed = episodes("InterLV-L1-v0", OracleAgent, 2, tasks="generated", difficulty=(1, 1))
    write_episodes(tmp_path / "episodes.jsonl", listed)
    with pytest.raises((TaskError, ValueError)):
        read_run(tmp_path)
    (tmp_path / "run.json").write_text('{"tasks":"generated"}', "utf-8")
    assert [one.right for one in read_run(tmp_path).scored] == [True, True]
    assert read_run(tmp_path, tasks="generated").scored == read_run(tmp_path).scored


def test_another_reference_or_task_is_refused() -> None:
    one = played("a", answer("no", "blue"))
    task, gold = one.episode.task, one.gold
    assert score_episodes([one.episode], Source((task, gold)))[0].judged.value == "no"
    wider = replace(gold, aliases=("blue",))
    with pytest.raises(EvalError, match=r"reference of hand/a.*ME-EVAL-02") as caught:
        score_episodes([one.episode], Source((task, wider)))
    assert "blue" not in str(caught.value) and "red" not in str(caught.value).replace("scored", "")
    anew = score_episodes([one.episode], Source((task, wider)), rescore=True)
    assert anew[0].right
    tables = {table.key: table for table in summarise(anew).tables}
    assert tables["rescored"].rows == (("hand/a", "no: different", "yes: alias"),)
    for rescore in (False, True):
        with pytest.raises(EvalError, match="another one than the episode played"):
            score_episodes([one.episode], Source((replace(task, question="Other?"), gold)), rescore=rescore)


def test_episodes_of_another_configuration_can_be_scored(tmp_path: Path) -> None:
    """Metrics need a task's gold and nothing of how it was played: old episodes stay readable."""
    old = replace(
        episodes("InterLV-L1-v0", OracleAgent, 1)[0], config_digest="sha256:old", world="sha256:old"
    )
    write_episodes(tmp_path / "old.jsonl", [old])
    assert read_run(tmp_path / "old.jsonl").scored[0].right


def test_unplayed_tasks_are_read_once_each(tmp_path: Path) -> None:
    path = tmp_path / "failures.jsonl"
    assert read_unplayed(path) == ()
    lines = [Unplayed("b", "error", "KeyError"), Unplayed("a", "timeout"), Unplayed("b", "crashed")]
    text = "\n".join(json.dumps(one.as_dict()) for one in lines)
    path.write_text(text + '\n{"task":"c","sta', "utf-8")  # cut by a crash
    assert read_unplayed(path) == (Unplayed("a", "timeout"), Unplayed("b", "crashed"))
    for bad in ("[]", '{"x":1}', "{", "1", '{"task":"c"}'):
        path.write_text(bad + "\n" + text + "\n", "utf-8")
        with pytest.raises(EvalError, match=r"line 1 of failures\.jsonl.*ME-EVAL-01"):
            read_unplayed(path)


@pytest.mark.parametrize("text", ["", "{", "[]", "1"])
def test_a_damaged_run_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text, "utf-8")
    with pytest.raises(EvalError, match="ME-EVAL-01"):
        read_run(tmp_path)


def test_a_run_that_has_played_nothing_and_places_without_a_run(tmp_path: Path) -> None:
    with pytest.raises(EvalError, match=r"there is none in.*ME-EVAL-01"):
        read_run(tmp_path)
    with pytest.raises(EpisodeError):
        read_run(tmp_path / "none.jsonl")
    (tmp_path / "run.json").write_text("{}", "utf-8")
    assert read_run(tmp_path).scored == ()
