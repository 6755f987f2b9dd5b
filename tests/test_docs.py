"""Docs cannot rot: reference pages equal the code, links lead somewhere, README snippets run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])


def test_reference_pages_equal_the_code() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "generate.py"), "--check"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?://|#|mailto:)([^)#\s]+)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def snippets() -> list[tuple[int, str]]:
    text = (ROOT / "README.md").read_text("utf-8")
    return [
        (n, m.group(1)) for n, m in enumerate(re.finditer(r"```python\n(.*?)```", text, re.DOTALL), start=1)
    ]


@pytest.mark.parametrize(("number", "code"), snippets())
def test_readme_snippets_run(number: int, code: str, tmp_path: Path) -> None:
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
