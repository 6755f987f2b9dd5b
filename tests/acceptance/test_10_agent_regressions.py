"""A deliberate regression in one of two example agents is found, and the failure names the side that moved."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.testing.bench import plugin, subprocess_environment

EXAMPLE = Path(__file__).parents[2] / "examples" / "test_my_agent"
OTHER_ROWS = """
from mosaic_env.tools import text_search
whole = text_search.search_result
def reversed_rows(hits, context, **shown):
    result = whole(hits, context, **shown)
    result.data["results"].reverse()
    return result
text_search.search_result = reversed_rows
"""


class Project:
    """A copy of the example project; pytest runs in it as its owner starts it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.variables: dict[str, str] = {}
        shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache"))

    def change(self, name: str, old: str, new: str) -> None:
        """Plant a change in a file."""
        text = (self.folder / name).read_text("utf-8")
        assert text.count(old) == 1
        (self.folder / name).write_text(text.replace(old, new), "utf-8")

    def run(self, *arguments: str) -> tuple[int, str]:
        """Run pytest and return its exit code and output."""
        command = [
            sys.executable,
            "-B",
            "-m",
            "pytest",
            *plugin(),
            "-p",
            "no:cacheprovider",
            "-q",
            *arguments,
        ]
        inherited = {k: v for k, v in subprocess_environment().items() if k != "MOSAIC_SNAPSHOT_DIR"}
        done = subprocess.run(
            command, cwd=self.folder, env={**inherited, **self.variables}, capture_output=True, text=True
        )
        return done.returncode, done.stdout + done.stderr


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "project")


def test_the_goldens_of_the_example_are_current(project: Project) -> None:
    """When the bundled world changes: pytest examples/test_my_agent --mosaic-update"""
    before = {file.name: file.read_bytes() for file in (project.folder / "goldens").iterdir()}
    code, output = project.run()
    assert code == 0 and "3 passed" in output, output
    code, output = project.run("--mosaic-update")
    assert code == 0 and before == {f.name: f.read_bytes() for f in (project.folder / "goldens").iterdir()}


@pytest.mark.parametrize("side", ["agent", "model", "world", "library"])
def test_the_side_that_moved(project: Project, tiny: Path, side: str) -> None:
    arguments: tuple[str, ...] = ()
    if side == "agent":
        project.change("agent_b.py", "<query>{words}", "<query>{words.lower()}")
    elif side == "model":
        project.change("agent_b.py", '"ANSWER: " + (label.group(1)', '"ANSWER: " + (label.group(1).upper()')
        arguments = ("--mosaic-live",)
    elif side == "world":
        project.variables["MOSAIC_SNAPSHOT_DIR"] = os.fspath(tiny)
    else:
        (project.folder / "conftest.py").write_text(OTHER_ROWS, "utf-8")
    code, output = project.run(*arguments)
    print(output)
    assert code == 1 and "FAILED test_agents.py::test_agent_b - " in output and f"moved: {side}\n" in output
    if side in ("agent", "model"):
        assert "1 failed, 2 passed" in output  # the other agent is as it was
