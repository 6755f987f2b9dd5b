"""Bad input: one clear sentence with a code, the nearest valid thing and the fix; exit code 2; nothing half-written."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from mosaic_env.cli import main
from tests.shared_data import level_file, needs_shared

ROWS = [
    {"qid": "Q1", "text": "label: A ; what is it: a letter ; description: a letter"},
    {
        "qid": "Q2",
        "text": "label: B ; what is it: a letter ; description: a letter",
        "image_path": "data/Q2.jpg",
    },
]


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    folder = tmp_path / "inputs"
    (folder / "triples").mkdir(parents=True)
    (folder / "images").mkdir()
    (folder / "kb.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    (folder / "triples" / "train.txt").write_text("http://x/Q1 http://x/P47 http://x/Q2 .\n")
    (folder / "level1.json").write_text(
        json.dumps([{"id": 1, "question": "Which?", "answer": "B", "entity_qid": "Q2"}])
    )
    return folder


def arguments(folder: Path, **changed: str) -> list[str]:
    given = {
        "--kgdb": "kb.jsonl",
        "--triples": "triples",
        "--images": "images",
        "--tasks": "level1.json",
        "--out": "out",
    }
    given |= {f"--{name}": value for name, value in changed.items()}
    flat = [
        [name, value if name in ("--password", "--world") else str(folder / value)]
        for name, value in given.items()
    ]
    return ["snapshot", "build", *(word for pair in flat for word in pair)]


def refused(capsys: pytest.CaptureFixture[str], words: Sequence[str]) -> str:
    """Run the command; check exit code and form of the error, and return it."""
    assert main(list(words)) == 2
    error = capsys.readouterr().err.strip()
    assert error.startswith("error: ") and "\n" not in error and "Traceback" not in error
    assert re.search(r"\[ME-[A-Z]+-\d\d\]$", error), error
    return error


def test_good_input_is_fine(inputs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments(inputs)) == 0
    assert main(["snapshot", "verify", str(inputs / "out")]) == 0


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("kb.jsonl", None, "ME-DATA-01"),
        ("kb.jsonl", b"", "ME-DATA-04"),
        ("kb.jsonl", b"not json\n", "ME-DATA-02"),
        ("kb.jsonl", b'{"text": "no key"}\n', "ME-DATA-02"),
        ("kb.jsonl", b'{"qid": "Q1", "text": "x"}\n{"qid": "Q1", "text": "y"}\n', "ME-DATA-02"),
        ("kb.jsonl", b'{"qid": "Q1", "qid": "Q2"}\n', "ME-DATA-02"),
        ("kb.jsonl", b"\xff\xfe\x00", "ME-DATA-02"),
        ("triples/train.txt", b"one two three four\n", "ME-DATA-02"),
        ("triples/train.txt", None, "ME-DATA-01"),
        ("level1.json", None, "ME-DATA-01"),
        ("level1.json", b"[", "ME-DATA-01"),
        ("level1.json", b'[{"id": 1}]', "ME-DATA-02"),
        ("level1.json", b"ILVD\x01short", "ME-DATA-03"),
    ],
)
def test_damaged_files(
    inputs: Path, capsys: pytest.CaptureFixture[str], name: str, content: bytes | None, code: str
) -> None:
    if content is None:
        (inputs / name).unlink()
    else:
        (inputs / name).write_bytes(content)
    assert code in refused(capsys, arguments(inputs))
    assert not (inputs / "out").exists()


def test_truncated_gzip(inputs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = gzip.compress((inputs / "kb.jsonl").read_bytes() * 1)
    (inputs / "kb.jsonl.gz").write_bytes(data[: len(data) // 2])
    assert "ME-DATA-01" in refused(capsys, arguments(inputs, kgdb="kb.jsonl.gz"))


def test_missing_folders_and_taken_output(inputs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "ME-DATA-01" in refused(capsys, arguments(inputs, images="nowhere"))
    assert "ME-DATA-01" in refused(capsys, arguments(inputs, triples="nowhere"))
    (inputs / "out").mkdir()
    (inputs / "out" / "thesis.tex").write_text("mine")
    assert "ME-SNAP-04" in refused(capsys, arguments(inputs))
    assert [path.name for path in (inputs / "out").iterdir()] == ["thesis.tex"]


@needs_shared
@pytest.mark.shared
def test_wrong_and_missing_password(
    inputs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MOSAIC_TASK_PASSWORD", raising=False)
    shutil.copy(level_file(2), inputs / "level2.json.enc")
    assert "ME-DATA-03" in refused(capsys, arguments(inputs, tasks="level2.json.enc", password="test124"))
    error = refused(capsys, arguments(inputs, tasks="level2.json.enc"))
    assert "ME-DATA-03" in error and "MOSAIC_TASK_PASSWORD" in error
    assert not (inputs / "out").exists()


def test_damaged_and_foreign_snapshots(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(tiny, copy)
    section = next((copy / "sections").glob("kb-*"))
    section.write_bytes(section.read_bytes()[:-100])
    run = ["run", "--env", "InterLV-L1-v0", "--agent", "null", "--snapshot"]
    assert "ME-CORRUPT-01" in refused(capsys, [*run, str(copy)])
    assert main(["snapshot", "verify", str(copy)]) == 1
    capsys.readouterr()
    manifest = (copy / "manifest.json").read_bytes()
    (copy / "manifest.json").write_bytes(manifest.replace(b"mosaic-snapshot/1", b"mosaic-snapshot/7"))
    assert "ME-FORMAT-01" in refused(capsys, ["snapshot", "info", str(copy)])
    (copy / "manifest.json").write_bytes(manifest[:-40])
    assert "ME-SNAP-02" in refused(capsys, ["snapshot", "info", str(copy)])
    assert "ME-SNAP-01" in refused(capsys, ["snapshot", "info", str(tmp_path)])


@pytest.mark.parametrize(
    ("words", "code", "near"),
    [
        (["--set", "corpos=paper"], "ME-CONFIG-01", "corpus"),
        (["--set", "corpus=papr"], "ME-CONFIG-02", ""),
        (["--preset", "pepar"], "ME-CONFIG-03", "paper"),
        (["--env", "InterLV-L3-v0"], "ME-CONFIG-02", "InterLV-L"),
        (["--agent", "orcale"], "ME-REGISTRY-01", "oracle"),
        (["--tasks", "tniy"], "ME-TASK-02", "tiny"),
        (["--tasks", "official"], "ME-TASK-03", "tiny"),
        (["--task", "tiny/3"], "ME-TASK-01", "tiny/1"),
        (["--split", "tets"], "ME-TASK-04", "test"),
        (["--snapshot", "no/such/folder"], "ME-SNAP-01", ""),
    ],
)
def test_wrong_arguments(
    tiny: Path, capsys: pytest.CaptureFixture[str], words: list[str], code: str, near: str
) -> None:
    base = ["run", "--env", "InterLV-L1-v0", "--agent", "null", "--snapshot", str(tiny)]
    error = refused(capsys, [*base, *words])
    assert code in error and near in error


def test_damaged_episodes(tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "episodes.jsonl"
    run = ["run", "--env", "InterLV-L1-v0", "--agent", "random", "--snapshot", str(tiny), "--out", str(path)]
    assert main(run) == 0
    assert main(["replay", str(path), "--snapshot", str(tiny)]) == 0
    whole = path.read_bytes()
    capsys.readouterr()
    path.write_bytes(whole[: len(whole) // 2])
    assert "ME-EPISODE-01" in refused(capsys, ["replay", str(path), "--snapshot", str(tiny)])
    path.write_bytes(whole.replace(b"Marrow", b"Sorrow"))
    assert "ME-EPISODE-01" in refused(capsys, ["replay", str(path), "--snapshot", str(tiny)])
    path.write_bytes(whole.replace(b"mosaic-episode/1", b"mosaic-episode/8"))
    assert "ME-EPISODE-01" in refused(capsys, ["replay", str(path), "--snapshot", str(tiny)])
    assert "ME-EPISODE-01" in refused(
        capsys, ["replay", str(tmp_path / "none.jsonl"), "--snapshot", str(tiny)]
    )
