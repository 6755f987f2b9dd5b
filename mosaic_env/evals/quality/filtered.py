"""A world whose stored tasks went through the playing filters: how the bundled snapshot is made."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

from mosaic_env.envs.setup import open_setup
from mosaic_env.evals.quality.play import Progress
from mosaic_env.evals.quality.select import select
from mosaic_env.snapshot.files import TEMP_PREFIX
from mosaic_env.snapshot.manifest import Manifest
from mosaic_env.snapshot.output import check_output, writing
from mosaic_env.world.config import WorldConfig
from mosaic_env.world.drawn import WORKERS
from mosaic_env.world.make import build_world, check_tasks

#: Candidates for each task that is wanted.
_CANDIDATES = 3
_LEVELS = ("interlv-l1", "interlv-l2")


def build_filtered(
    config: WorldConfig,
    out: Path,
    tasks: tuple[int, int],
    progress: Progress | None = None,
    workers: int = WORKERS,
) -> Manifest:
    """Make a world with more tasks than wanted, play them, and make it again with those that pass.

    Args:
        out: A folder that is absent, empty or a snapshot.
        tasks: Most tasks of Level 1 and of Level 2.

    Returns: The manifest.
    Determinism: as ``build_world``; which tasks pass is a pure function of the world.
    Cost: everything is drawn twice, and each candidate is played once.
    """
    check_output(out)
    check_tasks(tasks)
    candidates = (_CANDIDATES * tasks[0], _CANDIDATES * tasks[1])
    keep: set[str] = set()
    # Within the output, where 'mosaic snapshot gc' finds what a killed process leaves.
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=TEMP_PREFIX, dir=out.absolute()) as folder:
        trial = Path(folder, "candidates")
        counts = build_world(config, trial, progress, workers, tasks=candidates).sections["tasks"].counts
        for level, wanted in zip(_LEVELS, tasks, strict=True):
            if wanted and counts.get(f"{level} playable"):
                kept = select(open_setup(level, snapshot=trial), progress=progress).kept
                keep.update(sorted(kept, key=_rank)[:wanted])
    return build_world(config, out, progress, workers, tasks=candidates, keep=keep)


def _rank(key: str) -> bytes:
    """Choose among those that pass by hash: neither first nor easiest come first."""
    return hashlib.sha256(key.encode()).digest()
