"""A fresh clone: ``make demo`` under 90 s with its set-up, then under 5 s; every kind of install finds the world."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FIRST, AGAIN = 90.0, 5.0
_PLAY = (
    "import gymnasium as gym, mosaic_env, pathlib\n"
    "env = gym.make('InterLV-L2-v0'); env.reset(seed=0)\n"
    "from mosaic_env.snapshot.locate import find_snapshot\n"
    "print(pathlib.Path(mosaic_env.__file__).parent); print(find_snapshot()); print(env.unwrapped.world.id)"
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (ROOT / "snapshots" / "bundled").is_dir(), reason="the bundled snapshot is not here"
    ),
]


def _environment() -> dict[str, str]:
    """Return the environment without this process' own package paths and settings."""
    dropped = ("PYTHON", "MOSAIC", "VIRTUAL_ENV", "PYTEST", "COV", "MAKE")
    return {name: value for name, value in os.environ.items() if not name.startswith(dropped)}


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the files git knows, as a clone would have them, changes included."""
    target = tmp_path_factory.mktemp("clone") / "mosaic_env"
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    return target


def test_make_demo(clone: Path) -> None:
    seconds = []
    for bar in (FIRST, AGAIN):
        start = time.monotonic()
        done = subprocess.run(
            ["make", "demo", f"PYTHON={sys.executable}"],
            cwd=clone,
            env=_environment(),
            capture_output=True,
            text=True,
        )
        seconds.append(time.monotonic() - start)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "judged right" in done.stdout and "sha256:" in done.stdout
        assert seconds[-1] < bar, seconds
    assert "<img" in (clone / "demo.html").read_text("utf-8")
    print(f"\nmake demo: {seconds[0]:.1f} s with set-up, then {seconds[1]:.1f} s")


@pytest.fixture(scope="module")
def built(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--outdir", str(out), str(clone)]
    done = subprocess.run(command, env=_environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return out


@pytest.mark.parametrize("kind", ["wheel", "sdist", "editable"])
def test_installs_find_the_bundled_snapshot(clone: Path, built: Path, tmp_path: Path, kind: str) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    python = str(tmp_path / "venv" / "bin" / "python")
    what = {
        "wheel": [str(next(built.glob("*.whl")))],
        "sdist": [str(next(built.glob("*.tar.gz")))],
        "editable": ["--editable", str(clone)],
    }[kind]
    subprocess.run([python, "-m", "pip", "install", "--quiet", *what], env=_environment(), check=True)
    done = subprocess.run(
        [python, "-c", _PLAY], cwd=tmp_path, env=_environment(), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    mosaic = [str(tmp_path / "venv" / "bin" / "mosaic"), "--version"]
    said = subprocess.run(mosaic, cwd=tmp_path, env=_environment(), capture_output=True, text=True)
    assert said.returncode == 0 and said.stdout.startswith("mosaic_env "), said.stderr
    package, snapshot, world = done.stdout.splitlines()[-3:]
    inside = Path(snapshot).is_relative_to(package)
    assert inside == (kind != "editable") and world.startswith("sha256:")


def test_the_snapshot_takes_at_most_25_megabytes_of_the_wheel(built: Path) -> None:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as packed:
        entries = packed.infolist()
    size = sum(entry.compress_size for entry in entries if "/_snapshots/" in entry.filename)
    assert 10_000_000 < size < 25_000_000, size


@pytest.mark.xfail(reason="26.9 MB: the joint encoder of finer pictures takes 3.6 MB of it", strict=True)
def test_the_whole_wheel_is_below_25_mebibytes(built: Path) -> None:
    size = next(built.glob("*.whl")).stat().st_size
    assert size < 25 * 2**20, size
