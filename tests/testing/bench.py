"""Runs of pytest inside pytest: a small project of someone who tests agents."""

from __future__ import annotations

import json
import os
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

import mosaic_env
from mosaic_env.testing.harness import Mosaic
from mosaic_env.testing.store import GoldenStore

AGENTS = Path(__file__).parent / "agents"
TESTS = """
import os, sys
sys.dont_write_bytecode = True
import agent_a, agent_b

HERE = {"env": "InterLV-L1-v0", "snapshot": os.environ["TINY"], "task": "tiny/1"}

def test_a(mosaic):
    mosaic.play(agent_a.agent, **HERE).check_golden()

def test_b(mosaic):
    run = mosaic.play(agent_b.make_agent(mosaic.model(agent_b.tiny_model)), **HERE)
    run.check_golden()
"""


class Bench:
    """A project in a folder of its own; pytest runs in it, in this process."""

    def __init__(self, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, snapshot: Path) -> None:
        self.pytester = pytester
        self._monkeypatch = monkeypatch
        self.world(snapshot)
        for file in sorted(AGENTS.glob("*.py")):
            self.write(file.name, file.read_text("utf-8"))
        self.write("test_agents.py", TESTS)

    def world(self, snapshot: Path) -> None:
        """Choose the snapshot that the tests play on."""
        self._monkeypatch.setenv("TINY", str(snapshot))

    def write(self, name: str, text: str) -> None:
        """Write a file of the project."""
        (self.pytester.path / name).write_text(text, "utf-8")

    def change(self, name: str, old: str, new: str) -> None:
        """Plant a change in a file."""
        text = (self.pytester.path / name).read_text("utf-8")
        assert text.count(old) == 1
        self.write(name, text.replace(old, new))

    def run(self, *arguments: str, **counts: int) -> str:
        """Run pytest and return what it printed; ``counts`` are the outcomes expected."""
        done = self.pytester.runpytest_inprocess(
            *plugin(), "-p", "no:cacheprovider", "-p", "no:xdist", *arguments
        )
        done.assert_outcomes(**counts)
        return str(done.stdout.str())

    def goldens(self) -> dict[str, bytes]:
        """Return the golden files' content by name."""
        return {file.name: file.read_bytes() for file in sorted((self.pytester.path / "goldens").iterdir())}

    def put_goldens(self, files: dict[str, bytes]) -> None:
        """Write golden files."""
        (self.pytester.path / "goldens").mkdir(exist_ok=True)
        for name, data in files.items():
            (self.pytester.path / "goldens" / name).write_bytes(data)

    def golden(self, name: str) -> dict[str, Any]:
        """Return the content of a golden file."""
        content: dict[str, Any] = json.loads((self.pytester.path / "goldens" / f"{name}.json").read_bytes())
        return content


def load_everything(snapshot: Path) -> None:
    """Play once: pytest inside pytest forgets what it was first to import, and then imports it twice."""
    run = Mosaic(GoldenStore(snapshot / "none.json", "none")).play(
        lambda chat: '<tool name="local_text_search_with_image">{"query": "Velden"}</tool><done>blue</done>',
        env="InterLV-L1-v0",
        snapshot=str(snapshot),
    )
    assert run.saw("Velden")


def subprocess_environment() -> dict[str, str]:
    """Return the environment in which another process finds the package."""
    root = Path(mosaic_env.__file__).resolve().parent.parent
    given = [Path(part).resolve() for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, [root, *given]))}


def plugin() -> tuple[str, ...]:
    """Return the arguments that load the plugin: none when the package is installed."""
    installed = entry_points(group="pytest11", name="mosaic")
    return () if installed else ("-p", "mosaic_env.testing.plugin")
