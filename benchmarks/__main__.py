"""Run every benchmark and print its lines: ``python -m benchmarks [names]``; the names are in ``ALL`` and ``LONG``."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

from benchmarks.data import real_available

ALL = (
    "startup", "speed", "text_recall", "scorer", "joint_recall", "drawn_retrieval", "world_speed",
    "counterfactual", "agents_overhead", "evaluation", "image_recall",
)  # fmt: skip
#: Takes much longer than the others together: only by name.
LONG = ("audit_large",)
#: What needs no other data than the bundled world.
BUNDLED = (
    "scorer", "joint_recall", "drawn_retrieval", "world_speed", "counterfactual", "agents_overhead", "evaluation",
    *LONG,
)  # fmt: skip


def main(names: list[str]) -> int:
    """Run the named benchmarks, or all; exit 1 when a bar is missed."""
    missed = 0
    for name in names or ALL:
        print(f"\n{name}")
        if name == "image_recall":
            subprocess.run([sys.executable, str(Path(__file__).with_name("image_recall.py"))], check=False)
            continue
        if not real_available() and name not in BUNDLED:
            print("     needs the real InterLV and MKG-W files: set MOSAIC_SHARED_DATA to their folder")
            continue
        for line in importlib.import_module(f"benchmarks.{name}").lines():
            print(line, flush=True)
            missed += not line.met
    print(f"\n{missed} bars missed" if missed else "\nall bars met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
