"""``mosaic tasks``: what it lists, and what it says about sources that fail."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mosaic_env import console
from mosaic_env.cli import main
from mosaic_env.core.types import Gold, Task
from mosaic_env.index.world import WORLD_SECTIONS
from mosaic_env.snapshot.manifest import read_manifest
from mosaic_env.tasks.source import SOURCES, SourceContext, register_source


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console.out, "_width", 80)


def tiny_list(tiny: Path, *words: str) -> list[str]:
    return ["tasks", "list", "--env", "InterLV-L1-v0", "--snapshot", str(tiny), *words]


def test_info_eval_and_audit_name_the_same_world(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--env", "InterLV-L1-v0", "--snapshot", str(tiny)]
    out = tmp_path / "run"
    said = []
    for words in (
        ["snapshot", "info", str(tiny)],
        ["eval", *where, "--agent", "random", "--workers", "1", "--out", str(out)],
        ["tasks", "audit", *where],
    ):
        main(words)
        lines = [re.split(r"  +", line, maxsplit=1) for line in capsys.readouterr().out.splitlines()]
        said.append({line[0]: line[1] for line in lines if len(line) == 2})
    manifest = read_manifest(tiny)
    whole = {"world": "tiny", "world id": manifest.root(WORLD_SECTIONS), "snapshot id": manifest.id}
    short = {name: value if name == "world" else f"{value[:19]}…" for name, value in whole.items()}
    for found, expected in zip(said, (whole, short, short), strict=True):
        assert {name: found.get(name) for name in whole} == expected
    page = (out / "report.md").read_text("utf-8")
    assert short["world id"] in page and short["snapshot id"] in page


class Wordy:
    """A hundred tasks whose questions have more than one line."""

    world = "*"

    def __init__(self, context: SourceContext) -> None:
        pass

    def keys(self) -> list[str]:
        return [f"wordy/{number}" for number in range(100)]

    def get(self, key: str) -> tuple[Task, Gold]:
        question = "What\nis \x1b[2Jthis? " + "It goes on and on. " * 9
        return Task(key, question, level="interlv-l1"), Gold(key, "red")


@pytest.fixture
def wordy() -> Iterator[None]:
    register_source("wordy")(Wordy)
    yield
    SOURCES.remove("wordy")


@pytest.mark.usefixtures("wordy")
def test_list_shows_a_line_a_task_and_how_many_there_are(
    tiny: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(tiny_list(tiny, "--tasks", "wordy")) == 0
    out = capsys.readouterr().out
    lines = out.splitlines()
    rows = [line for line in lines if line.startswith("wordy/")]
    assert [row.split()[0] for row in rows] == [f"wordy/{number}" for number in range(20)]
    assert all(len(line) <= 80 for line in lines) and "\x1b" not in out
    assert all(row.split("│")[1].strip() == "interlv-l1" and row.endswith("…") for row in rows)
    assert "What is " in rows[0] and lines[-1] == "20 of 100 tasks" and len(lines) == 23


class Broken:
    """A source that cannot say its keys."""

    world = "*"
    listed: Any = None

    def __init__(self, context: SourceContext) -> None:
        pass

    def keys(self) -> Any:
        if self.listed is None:
            raise OSError("the \x1b[2J disk\nis gone")
        return self.listed

    def get(self, key: str) -> tuple[Task, Gold]:
        raise KeyError(key)


@pytest.mark.parametrize(
    ("listed", "says"),
    [
        (None, "Broken.keys() raised OSError: 'the \\x1b[2J disk\\nis gone'"),
        ({"a/1": 1}, "Broken.keys() returned {'a/1': 1}. Expected a sequence of texts"),
        ((key for key in ["a/1"]), "Broken.keys() returned <generator"),
        ("a/1", "Broken.keys() returned 'a/1'"),
    ],
)
@pytest.mark.parametrize(
    "words",
    [
        ["tasks", "list"],
        ["tasks", "audit"],
        ["tasks", "export", "--format", "jsonl", "--out", "{out}"],
        ["run"],
        ["eval", "--agent", "random", "--out", "{out}"],
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_a_source_that_cannot_say_its_keys_is_one_error(
    tiny: Path, tmp_path: Path, words: list[str], listed: Any, says: str,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(Broken, "listed", listed)
    register_source("broken")(Broken)
    filled = [word.format(out=tmp_path / "out") for word in words]
    try:
        code = main([*filled, "--env", "InterLV-L1-v0", "--snapshot", str(tiny), "--tasks", "broken"])
    finally:
        SOURCES.remove("broken")
    error = capsys.readouterr().err
    assert code == 2 and error.startswith(f"error: {says}") and "\x1b" not in error
    assert error.count("\n") == 1 and error.endswith("[ME-TASK-05]\n")


@pytest.mark.usefixtures("wordy")
def test_list_with_a_limit_above_all(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(tiny_list(tiny, "--tasks", "wordy", "--limit", "500")) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "100 of 100 tasks"


def test_list_of_the_snapshots_own_tasks(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(tiny_list(tiny)) == 0
    said = capsys.readouterr()
    assert "tiny/1" in said.out and "1 of 1 task\n" in said.out and said.err == ""


@pytest.mark.usefixtures("wordy")
@pytest.mark.parametrize(("limit", "notes"), [("500", 1), ("100", 0), ("7", 0)])
def test_export_says_when_there_are_fewer_tasks_than_asked_for(
    tiny: Path, tmp_path: Path, limit: str, notes: int, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--env", "InterLV-L1-v0", "--snapshot", str(tiny), "--tasks", "wordy"]
    out = tmp_path / "rows.jsonl"
    assert main(["tasks", "export", "--format", "jsonl", *where, "--limit", limit, "--out", str(out)]) == 0
    said = capsys.readouterr().out
    assert said.count("note: --limit 500 is more than the 100 tasks that there are\n") == notes
    assert said.count("note: ") == notes and f"{min(int(limit), 100)} rows for jsonl" in said
    assert out.read_text("utf-8").count("\n") == min(int(limit), 100)


def test_list_of_tasks_without_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tasks", "list", "--tasks", "generated", "--split", "train", "--limit", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[2:4]] == ["interlv-l2/train/2-5/0", "interlv-l2/train/2-5/1"]
    assert lines[-1] == "2 of 1,000,000,000 tasks"
