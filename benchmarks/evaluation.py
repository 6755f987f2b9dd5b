"""What ``mosaic eval`` takes for scripted episodes, from the command to the report, on two processes."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.timing import Line, at_most

EPISODES = 300


def lines() -> Iterator[Line]:
    """Evaluate the oracle on the tasks of the bundled world."""
    for env, most in (("InterLV-L1-v0", EPISODES), ("InterLV-L2-v0", 200)):
        with tempfile.TemporaryDirectory() as folder:
            command = ["eval", "--env", env, "--agent", "oracle", "--workers", "2", "--limit", str(most)]
            begun = time.perf_counter()
            subprocess.run(
                [sys.executable, "-m", "mosaic_env.cli", *command, "--out", str(Path(folder) / "run")],
                check=True, stdout=subprocess.DEVNULL, cwd=Path(__file__).resolve().parents[1],
            )  # fmt: skip
            seconds = time.perf_counter() - begun
        yield at_most(f"{most} episodes of {env}, evaluated and reported", seconds, 60 * most / EPISODES, "s")
