"""Drawing in processes: one that dies is an error, and none outlives the process that started it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from multiprocessing import active_children
from pathlib import Path

import pytest

from mosaic_env.core.errors import ConfigError, WorldError
from mosaic_env.world.config import WorldConfig
from mosaic_env.world.drawn import check_workers, drawn
from mosaic_env.world.generate import WorldData
from mosaic_env.world.make import build_world

_ROOT = Path(__file__).resolve().parents[2]
#: Draws with two workers; prints a line when both are at work.
_DRAWING = """
import os, signal, sys
from mosaic_env.world.config import WorldConfig
from mosaic_env.world.drawn import drawn
from mosaic_env.world.generate import make_world
if __name__ == "__main__":
    pictures = drawn(make_world(WorldConfig()).scenes, 2)
    next(pictures)
    print("drawing", flush=True)
    {then}
"""


def _start(folder: Path, then: str) -> subprocess.Popen[str]:
    script = folder / "drawing.py"
    script.write_text(_DRAWING.replace("{then}", then))
    return subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(_ROOT)}, start_new_session=True,
    )  # fmt: skip


def test_a_killed_worker_is_an_error(world: WorldData) -> None:
    before = set(active_children())
    pictures = drawn(world.scenes, 2)
    next(pictures)
    os.kill((set(active_children()) - before).pop().pid or 0, signal.SIGKILL)
    with pytest.raises(WorldError, match="was killed") as caught:
        list(pictures)
    assert caught.value.code == "ME-WORLD-01"


def test_workers_end_with_their_parent(tmp_path: Path) -> None:
    # The workers share the pipe of stdout, so it ends when the last of them has.
    running = _start(tmp_path, "os.kill(os.getpid(), signal.SIGKILL)")
    try:
        out, _ = running.communicate(timeout=60)
    finally:
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
    assert out == "drawing\n"
    assert running.returncode == -signal.SIGKILL


def test_an_interrupt_is_answered_by_one_process(tmp_path: Path) -> None:
    running = _start(
        tmp_path,
        "try: list(pictures)\n    except KeyboardInterrupt: sys.exit(130)",
    )
    assert running.stdout is not None
    assert running.stdout.readline() == "drawing\n"
    os.killpg(running.pid, signal.SIGINT)
    _, errors = running.communicate(timeout=60)
    assert errors == ""
    assert running.returncode == 130


@pytest.mark.parametrize("workers", [0, -1, None, 1.5, "2", True])
def test_workers_are_a_whole_number(workers: object) -> None:
    with pytest.raises(ConfigError, match="workers cannot draw"):
        check_workers(workers)  # type: ignore[arg-type]


@pytest.mark.parametrize("tasks", [(-1, 0), (5,), (5, 5, 5), None, 5, ("5", "5"), (1.5, 2), (True, 1)])
def test_tasks_are_two_whole_numbers(tasks: object, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="number of tasks for each level"):
        build_world(WorldConfig(entities=60), tmp_path / "out", tasks=tasks)  # type: ignore[arg-type]
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("value", [60.0, 60.5, "60", None, True, [60], float("nan")])
@pytest.mark.parametrize("name", ["entities", "seed"])
def test_a_configuration_is_whole_numbers(name: str, value: object) -> None:
    with pytest.raises(ConfigError, match=f"{name}=.* is not a whole number"):
        WorldConfig(**{name: value})  # type: ignore[arg-type]
