"""From run folders to scored episodes: golds by key, old verdicts, damaged files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import mosaic_env  # noqa: F401
from mosaic_env.agents.base import play
from mosaic_env.agents.oracle import OracleAgent
from mosaic_env.agents.simple import NullAgent
from mosaic_env.core.errors import ConfigError, EpisodeError, EvalError
from mosaic_env.core.types import Gold, Task
from mosaic_env.envs.episode import Episode, write_episodes
from mosaic_env.evals.load import read_scored, score_episodes
from mosaic_env.evals.metrics.summary import summarise
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


def test_episodes_of_both_levels_in_one_file(tmp_path: Path) -> None:
    listed = [*episodes("InterLV-L1-v0", OracleAgent, 2), *episodes("InterLV-L2-v0", NullAgent, 2)]
    path = tmp_path / "episodes.jsonl"
    write_episodes(path, listed)
    with path.open("ab") as stream:
        stream.write(b'{"format":')  # cut by a crash
    scored = read_scored(path)
    assert [one.right for one in scored] == [True, True, False, False]
    assert all(one.gold.digest == one.episode.gold for one in scored)
    overview, accuracy = summarise(scored).tables[:2]
    assert [row[0] for row in overview.rows] == ["All", "Level 1", "Level 2"]
    assert accuracy.columns[:4] == ("", "All", "Level 1", "Level 2")
    with pytest.raises(EpisodeError):
        read_scored(tmp_path / "none.jsonl")


def test_generated_tasks_of_any_difficulty(tmp_path: Path) -> None:
    path = tmp_path / "episodes.jsonl"
    write_episodes(path, episodes("InterLV-L1-v0", OracleAgent, 2, tasks="generated", difficulty=(1, 1)))
    assert [one.right for one in read_scored(path, tasks="generated")] == [True, True]
    with pytest.raises(ConfigError, match="difficulty"):  # the stored set has none
        read_scored(path)


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
    assert read_scored(tmp_path / "old.jsonl")[0].right
