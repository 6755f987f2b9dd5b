"""GHSA-rpj2-4hq8-938g (vcrpy): a tag in a cassette ran a command when it was loaded. Nothing here reads YAML."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mosaic_env.cli import main


@pytest.mark.parametrize("kind", ["manifest", "episodes", "knowledge base", "tasks", "calls", "triples"])
def test_a_tag_is_text(tiny: Path, tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    marker, file = tmp_path / "marker", tmp_path / "level1.json"
    tag = f"!!python/object/apply:os.system ['touch {marker}']\n"
    file.write_text(tag)
    kb = tmp_path / "kb.jsonl"
    kb.write_text('{"qid": "Q1", "text": "x"}\n')
    build = ["snapshot", "build", "--kgdb", str(kb), "--out", str(tmp_path / "out")]
    commands = {
        "manifest": ["snapshot", "verify", str(tmp_path / "copy")],
        "episodes": ["replay", str(file), "--snapshot", str(tiny)],
        "knowledge base": ["snapshot", "build", "--kgdb", str(file), "--out", str(tmp_path / "out")],
        "tasks": [*build, "--tasks", str(file)],
        "triples": [*build, "--triples", str(file)],
        "calls": ["snapshot", "record", "--tool", "t", "--calls", str(file), str(tmp_path / "recording")],
    }
    if kind == "manifest":
        shutil.copytree(tiny, tmp_path / "copy")
        (tmp_path / "copy" / "manifest.json").write_text(tag)
    code, said = main(commands[kind]), capsys.readouterr()
    assert not marker.exists()
    if kind == "triples":  # three words are a triple; it leaves the knowledge base, and the report says so
        assert code == 0 and "triples that leave the knowledge base │     1" in said.out
    else:
        assert code in (1, 2) and "[ME-" in said.err
