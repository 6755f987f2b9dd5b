"""docs/train.md: its programs and commands run as they stand."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from mosaic_env.cli import main

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "train.md").read_text("utf-8")


def snippets(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def run(code: str, folder: Path) -> str:
    # As a file in a folder of its own, with the examples at hand.
    (folder / "snippet.py").write_text(f"import sys\nsys.path.insert(0, {str(ROOT / 'examples')!r})\n{code}")
    command = [sys.executable, "-W", "ignore", "snippet.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=1500)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_program_of_the_page_is_tested() -> None:
    own, with_trl = snippets("python")
    assert "from trl" not in own and "from trl" in with_trl
    assert len(snippets("sh")) == 2


def test_the_loop_of_ones_own(tmp_path: Path) -> None:
    run(snippets("python")[0], tmp_path)


@pytest.mark.slow
@pytest.mark.trl
@pytest.mark.skipif(find_spec("trl") is None, reason="needs the extra 'trl'")
def test_trl(tmp_path: Path) -> None:
    assert "train_runtime" in run(snippets("python")[1], tmp_path)


@pytest.mark.slow
@pytest.mark.trl
@pytest.mark.skipif(find_spec("trl") is None, reason="needs the extra 'trl'")
def test_the_example() -> None:
    command = [
        sys.executable,
        "-W",
        "ignore",
        str(ROOT / "examples" / "train_grpo.py"),
        "--steps",
        "1",
        "--tokens",
        "24",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1500)
    assert done.returncode == 0 and "step 1: reward" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("line", "".join(snippets("sh")).splitlines())
def test_command(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    program, *words = shlex.split(line)
    assert program == "mosaic" and main(words) == 0
    (written,) = tmp_path.iterdir()
    assert written.read_text("utf-8").count("\n") >= 5


def test_the_agent_loop_is_where_the_page_says() -> None:
    (target,) = re.findall(r"_target_: mosaic_env\.adapters\.verl\.(\w+)", PAGE)
    source = (ROOT / "mosaic_env" / "adapters" / "verl.py").read_text("utf-8")
    assert f'@register("mosaic")\nclass {target}(' in source
