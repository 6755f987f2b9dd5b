"""Episode files from strangers: right digests, wrong types. Clear errors, never a traceback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import mosaic_env  # noqa: F401
from mosaic_env.cli import main
from mosaic_env.core.errors import EpisodeError
from mosaic_env.envs import episode as episodes
from mosaic_env.envs.episode import Episode
from mosaic_env.envs.replay import action_of, setup_for


@pytest.fixture(scope="module")
def played(tiny: Path) -> Episode:
    env: Any = gym.make("InterLV-L1-v0", snapshot=str(tiny)).unwrapped
    env.reset(seed=0)
    env.step('<tool name="local_text_search_with_image">{"query": "Velden"}</tool>')
    env.step("<done>red</done>")
    return env.episode


def test_reading_gives_the_same_episode(played: Episode) -> None:
    again = Episode.from_line(played.to_line())
    assert again == played and again.digest == played.digest and again.to_line() == played.to_line()


WRONG: dict[str, dict[str, Any]] = {
    "world": {"world": 5},
    "config": {"config": []},
    "seed": {"seed": ["a", "0"]},
    "task": {"task": None},
    "first": {"first": {"text": 5, "shown": []}},
    "steps": {"steps": [{}]},
    "notes": {"notes": {"a": 1}},
    "gold": {"gold": None},
}


@pytest.mark.parametrize("name", list(WRONG))
def test_fields_of_a_wrong_type_are_named(played: Episode, name: str) -> None:
    line = json.dumps({**json.loads(played.to_line()), **WRONG[name]})
    with pytest.raises(EpisodeError, match=rf"Line 7 .*{name}"):
        Episode.from_line(line, where="line 7")


def forged(played: Episode, **fields: Any) -> str:
    """Return a line with other fields and the digest that fits them."""
    plain = {**json.loads(played.to_line()), **fields}
    changed = episodes._read_version_1(plain)
    return json.dumps({**plain, "digest": changed.digest})


@pytest.mark.parametrize(
    "change",
    [
        {"family": None},
        {"snapshot": "/etc"},
        {"tasks": "os:path"},
        {"encoders": {"text": "x:/"}},
        {"split": "test"},
    ],
)
def test_an_episode_cannot_choose_what_is_opened(
    played: Episode, tiny: Path, tmp_path: Path, change: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    config = {name: value for name, value in {**played.config, **change}.items() if value is not None}
    path = tmp_path / "episodes.jsonl"
    path.write_text(forged(played, config=config) + "\n")
    with pytest.raises(EpisodeError, match="configuration has or lacks"):
        setup_for(Episode.from_line(path.read_text()), snapshot=tiny)
    assert main(["replay", str(path), "--snapshot", str(tiny)]) == 2
    assert "[ME-EPISODE-02]" in capsys.readouterr().err


def test_an_action_that_is_no_json(played: Episode) -> None:
    steps = json.loads(played.to_line())["steps"]
    steps[0].update(structured=True, action='{"bad')
    with pytest.raises(EpisodeError, match="cannot be read"):
        action_of(Episode.from_line(forged(played, steps=steps)).steps[0])
