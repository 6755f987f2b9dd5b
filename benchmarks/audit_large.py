"""The audit of unfiltered generated tasks on a world of 40,000 entities, made for the purpose.

What attackers get in the split test is told by how many different pictures its tasks are about: a few dozen in the
bundled world, some 270 (Level 2) and 530 (Level 1) in this one. Making the world and playing 2,000 tasks a level and
split takes half an hour, so it runs by name only. With 1,000 tasks two of 24 attackers of the split test were unclear.

python -m benchmarks audit_large
python -m benchmarks.audit_large --snapshot DIR --json docs/audit.json    on a world that is there; keeps the numbers
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym

import mosaic_env  # noqa: F401
from benchmarks.timing import Line, at_least
from mosaic_env.evals.quality import report as audits
from mosaic_env.evals.quality.audit import audit
from mosaic_env.evals.quality.cases import spread, unlike
from mosaic_env.evals.quality.knowledge import example
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.tasks.source import get_pair
from mosaic_env.world.config import WorldConfig
from mosaic_env.world.make import build_world

LEVELS = ("InterLV-L1-v0", "InterLV-L2-v0")
SPLITS = ("train", "test")
#: Entities of the world, tasks a level and split, and tasks of train that guesses for another split are learnt from.
ENTITIES, TASKS, LEARNT = 40_000, 2_000, 20_000


def audited(env_id: str, count: int, *, learnt: int = 0, **options: Any) -> audits.Report:
    """Audit tasks of an environment; ``learnt`` tasks of the split train teach the guesses."""
    setup = gym.make(env_id, **options).unwrapped.setup  # type: ignore[attr-defined]
    train = []
    if learnt:
        source = gym.make(env_id, **{**options, "split": "train"}).unwrapped.setup.source  # type: ignore[attr-defined]
        train = [example(*get_pair(source, key)) for key in spread(source.keys(), learnt, "train")]
    keys = unlike(setup.source, count)
    return audit(setup, keys, train=train, trained_on="the split train", environment=env_id)


def reports(world: Path, tasks: int = TASKS, learnt: int = LEARNT) -> Iterator[tuple[str, audits.Report]]:
    """Yield the split and the audit of each level and split of a world."""
    for env_id in LEVELS:
        for split in SPLITS:
            others = 0 if split == "train" else learnt
            options = {"snapshot": str(world), "tasks": "generated", "split": split}
            yield split, audited(env_id, tasks, learnt=others, **options)


def lines(entities: int = ENTITIES, tasks: int = TASKS, learnt: int = LEARNT) -> Iterator[Line]:
    """Yield every check of the audits of each level and split, on a world made anew."""
    with tempfile.TemporaryDirectory() as folder:
        world = Path(folder) / "world"
        build_world(WorldConfig(entities, 7), world)
        for split, report in reports(world, tasks, learnt):
            yield from checks(split, report)


def checks(split: str, report: audits.Report) -> Iterator[Line]:
    """Yield every check of an audit."""
    print(f"     {report.tasks} tasks, {report.targets} targets, {report.asks} different questions")
    for line in report.lines:
        name = f"{report.environment} {split}: {line.name}"
        if line.group == "oracle":
            yield at_least(name, line.rate, audits.ORACLE)
        elif line.against is not None:
            bar = f"lead at most {audits.MARGIN:g} with 95 %: {line.verdict}"
            yield Line(name, line.against.upper, bar, line.verdict == "pass")
        else:
            yield Line(name, line.rate, line.bar, line.verdict == "pass")


def main() -> int:
    """Audit a world that is there, print every check and write the reports; exit 1 when a check fails."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.audit_large", description=main.__doc__)
    parser.add_argument("--snapshot", type=Path, required=True, help="a generated world")
    parser.add_argument("--json", type=Path, required=True, help="where the reports go")
    parser.add_argument("--tasks", type=int, default=TASKS, help="a level and split")
    arguments = parser.parse_args()
    found, missed = [], 0
    for split, report in reports(arguments.snapshot, arguments.tasks):
        found.append({"split": split, **report.as_dict()})
        for check in checks(split, report):
            print(check, flush=True)
            missed += not check.met
    entities = Snapshot(arguments.snapshot).manifest.sections["kb"].counts["entities"]
    kept = {"entities": entities, "reports": found}
    arguments.json.write_text(json.dumps(kept, ensure_ascii=False, indent=1) + "\n", "utf-8")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
