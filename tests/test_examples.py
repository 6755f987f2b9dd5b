"""Every example runs as written, and a stranger's parts pass the check kits."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import mosaic_env  # noqa: F401
from mosaic_env.index.world import open_world
from mosaic_env.snapshot.locate import find_snapshot
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.tasks.open import open_source
from mosaic_env.tasks.source import SourceContext
from mosaic_env.testing import check_task_source, check_tool

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"

pytestmark = pytest.mark.skipif(
    not (ROOT / "snapshots" / "bundled").is_dir(), reason="the bundled snapshot is not here"
)


@pytest.mark.parametrize("script", ["plain_loop.py", "vector_groups.py"])
def test_script(script: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / script)], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0 and done.stdout.count("\n") >= 3, done.stdout + done.stderr
    print(done.stdout)


@pytest.fixture
def on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))


def test_a_strangers_tool(on_path: None) -> None:
    import my_tool

    check_tool(
        "count_results", open_world(Snapshot(find_snapshot("bundled")).public), examples=[{"query": "city"}]
    )
    env = gym.make("InterLV-L2-v0", tools=["count_results"], memory="none")
    env.reset(seed=0)
    observation = env.step('<tool name="count_results">{"query": "lighthouse keeper"}</tool>')[0]
    assert my_tool.CountResults.name in observation["text"] and '"matches":' in observation["text"]


def test_a_strangers_tasks(on_path: None) -> None:
    env: Any = gym.make("InterLV-L1-v0", tasks="my_tasks:capitals")
    _, info = env.reset(seed=0)
    gold = env.unwrapped.setup.source.get(info["task"])[1]
    env.step(f"<query>{gold.chain[0].query}</query>")
    assert env.step(f"<done>{gold.answer}</done>")[1] == 1.0
    check_task_source(
        open_source("capitals", SourceContext(Snapshot(find_snapshot("bundled")), "interlv-l1"))
    )
