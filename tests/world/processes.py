"""Running the same lines in fresh processes that differ in what must not matter."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]


def in_processes(code: str) -> tuple[str, str]:
    """Return what the code prints with two hash seeds and two locales."""
    outputs = []
    for seed, locale in (("1", "C"), ("4242", "C.UTF-8")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale, "PYTHONPATH": str(_ROOT)}
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
        )
        outputs.append(done.stdout.strip())
    return outputs[0], outputs[1]
