"""Docs cannot rot: reference pages equal the code, links lead somewhere, README snippets run."""

from __future__ import annotations

import inspect
import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from mosaic_env.envs.config import EnvConfig
from mosaic_env.envs.core import SearchEnv
from mosaic_env.envs.setup import open_setup
from mosaic_env.envs.vector import SearchVectorEnv
from tests.snapshot.small import picture_of

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])


def test_reference_pages_equal_the_code() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "generate.py"), "--check"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_every_argument_of_make_is_in_the_table() -> None:
    page = (ROOT / "docs" / "reference" / "environments.md").read_text("utf-8").partition("## Arguments")[2]
    rows = [
        [cell.strip() for cell in line.split(" | ")] for line in page.splitlines() if line.startswith("| `")
    ]
    assert all(len(row) == 3 and all(cell.strip("|` ") for cell in row) for row in rows), rows
    accepted = set(EnvConfig.model_fields)
    for made in (SearchEnv, SearchVectorEnv, open_setup):
        accepted |= set(inspect.signature(made).parameters)
    names = [row[0].strip("|` ") for row in rows]
    assert sorted(names) == sorted(accepted - {"family", "options"})  # the id says the family
    defaults = {name: row[1] for name, row in zip(names, rows, strict=True)}
    assert defaults["num_envs"] == "`1`" and defaults["preset"] == "`paper`" and defaults["split"] == "`None`"
    assert defaults["interactions"] == "by preset" and defaults["memory_lines"] == "`15`"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?://|#|mailto:)([^)#\s]+)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def snippets(language: str, page: str = "README.md") -> list[tuple[int, str]]:
    text = (ROOT / page).read_text("utf-8")
    found = re.finditer(rf"```{language}\n(.*?)```", text, re.DOTALL)
    return [(number, match.group(1)) for number, match in enumerate(found, start=1)]


@pytest.mark.parametrize(("number", "code"), snippets("python"))
def test_readme_python_runs(number: int, code: str, tmp_path: Path) -> None:
    if "def test_" in code:
        (tmp_path / "test_snippet.py").write_text(code)
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "--mosaic-update",
            str(tmp_path),
        ]
    else:
        (tmp_path / "snippet.py").write_text(code)
        command = [sys.executable, str(tmp_path / "snippet.py")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"README snippet {number}:\n{done.stdout}{done.stderr}"


def test_the_first_snippet_searches_for_what_its_question_asks(capsys: pytest.CaptureFixture[str]) -> None:
    """The seed's question starts from a picture, and searching with it finds the first entity of the chain."""
    names: dict[str, Any] = {}
    exec(snippets("python")[0][1], names)
    env = names["env"].unwrapped
    task, gold = env.setup.source.get(names["info"]["task"])
    sought = re.search(r"Which (\w+) is it", names["action"])
    assert task.pictures and sought and sought[1] in task.question
    target = env.world.kb.labels[env.world.kb.rows[gold.chain[0].tail]]
    found = [json.loads(line) for line in names["observation"]["text"].splitlines() if line.startswith("{")]
    assert found[0]["ok"] and found[0]["data"]["results"][0]["label"] == target


def test_before_it_is_published_every_page_installs_from_the_folder() -> None:
    """One form everywhere, and only extras that there are."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    files = [*PAGES, *(ROOT / "mosaic_env").rglob("*.py"), *(ROOT / "examples").rglob("*.py")]
    named = set()
    for path in files:
        text = path.read_text("utf-8")
        assert not re.search(r"pip install '?mosaic", text), f"{path.name} installs from a registry"
        named |= set(re.findall(r"pip install '\.\[(\w+)\]'", text))
    assert {"trl", "models", "encoders"} <= named <= set(extras)
    assert set(re.findall(r"`(\w+)`", README.partition("one of its extras (")[2].partition(")")[0])) == set(
        extras
    ) - {"dev"}


@pytest.mark.parametrize(("number", "code"), snippets("python", "docs/test-your-agent.md"))
def test_the_page_on_testing_runs(number: int, code: str, tmp_path: Path) -> None:
    """Write the goldens, then compare with them."""
    (tmp_path / "test_snippet.py").write_text(code)
    for option in ("--mosaic-update", "--color=no"):
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", option, str(tmp_path)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0 and "1 passed" in done.stdout, (
            f"snippet {number}:\n{done.stdout}{done.stderr}"
        )
    assert list((tmp_path / "goldens").iterdir())


@pytest.mark.parametrize(("number", "code"), snippets("sh"))
def test_readme_commands_run(number: int, code: str, tmp_path: Path) -> None:
    """Run every command of the README in a folder that holds the files it names."""
    lines = [line.split(" #")[0].strip() for line in code.splitlines() if line.strip()]
    if all(line.startswith("make ") for line in lines):
        targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
        assert {
            line.split()[1] for line in lines
        } <= targets  # the acceptance test of a fresh clone runs them
        return
    rows = [
        {"qid": f"Q{n}", "text": f"label: L{n} ; what is it: thing {n} ; description: thing {n}"}
        for n in range(9)
    ]
    (tmp_path / "kb.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "triples").mkdir()
    (tmp_path / "triples" / "train.txt").write_text("Q1\tP47\tQ2\n")
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "Q2.png").write_bytes(picture_of("Q2"))
    task = {"id": 1, "question": "Which?", "answer": "red", "entity_qid": "Q2"}
    (tmp_path / "level1.json").write_text(json.dumps([task]))
    for line in lines:
        assert line.startswith("mosaic "), line
        command = [sys.executable, "-m", "mosaic_env.cli", *shlex.split(line)[1:]]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, f"README commands {number}: {line}\n{done.stdout}{done.stderr}"
