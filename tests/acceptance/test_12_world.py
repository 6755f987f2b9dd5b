"""The lines of the generated world: pictures, ids, unfiltered and stored tasks, encoder, learner."""

from __future__ import annotations

import importlib
import json
import zlib
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from PIL import Image

import mosaic_env  # noqa: F401
from mosaic_env.evals.quality.audit import audit
from mosaic_env.evals.quality.cases import spread
from mosaic_env.evals.quality.knowledge import example
from mosaic_env.evals.quality.report import Report
from mosaic_env.snapshot.locate import find_snapshot
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.tasks.source import get_pair
from tests.world.processes import in_processes

ROOT = Path(__file__).resolve().parents[2]
LEVELS = ["InterLV-L1-v0", "InterLV-L2-v0"]
_WORLD_ID = (
    "import os, pathlib, tempfile\n"
    "from mosaic_env.world.config import WorldConfig; from mosaic_env.world.make import build_world\n"
    "workers = 1 if os.environ['PYTHONHASHSEED'] == '1' else 2\n"
    "print(build_world(WorldConfig(120, 5), pathlib.Path(tempfile.mkdtemp()) / 'w', workers=workers).id)"
)


def test_contact_sheets_show_two_hundred_pictures() -> None:
    sheets = sorted((ROOT / "docs" / "pictures").glob("world-*.png"))
    page = (ROOT / "docs" / "world.md").read_text("utf-8")
    assert len(sheets) == 5 and all(f"pictures/{sheet.name}" in page for sheet in sheets)  # 40 on each
    for sheet in sheets:
        with Image.open(sheet) as image:
            assert min(image.size) > 900


@pytest.mark.slow
def test_the_same_seed_gives_the_same_id_in_every_process() -> None:
    first, second = in_processes(_WORLD_ID)
    assert first == second and first.startswith("sha256:")


def test_the_bundled_snapshot_is_large_and_fits_the_wheel() -> None:
    folder = find_snapshot("bundled")
    sections = Snapshot(folder).manifest.sections
    assert sections["kb"].counts["entities"] >= 2_000 and sections["kb"].counts["pictures"] >= 1_700
    assert sections["tasks"].counts["interlv-l1 playable"] >= 300
    assert sections["tasks"].counts["interlv-l2 playable"] >= 200
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert sum(len(zlib.compress(path.read_bytes(), 6)) for path in files) < 24_500_000


def audited(env_id: str, count: int, *, learnt: int = 0, **options: Any) -> Report:
    """Audit tasks of an environment; ``learnt`` tasks of the split train teach the guesses."""
    setup = gym.make(env_id, **options).unwrapped.setup  # type: ignore[attr-defined]
    train = []
    if learnt:
        source = gym.make(env_id, **{**options, "split": "train"}).unwrapped.setup.source  # type: ignore[attr-defined]
        train = [example(*get_pair(source, key)) for key in spread(source.keys(), learnt, "train")]
    return audit(setup, spread(setup.source.keys(), count), train=train, trained_on="train")


def verdicts(report: Report, *groups: str) -> dict[str, str]:
    found: dict[str, str] = {line.name: line.verdict for line in report.lines if line.group in groups}
    assert found
    return found


@pytest.mark.slow
@pytest.mark.parametrize("split", ["train", "test"])
@pytest.mark.parametrize("env_id", LEVELS)
def test_unfiltered_tasks_are_solved_with_tools_and_not_without(env_id: str, split: str) -> None:
    report = audited(env_id, 1_000, tasks="generated", split=split)
    print(report)
    assert set(verdicts(report, "oracle", "control").values()) == {"pass"}


@pytest.mark.slow
@pytest.mark.parametrize("env_id", LEVELS)
def test_no_cheap_strategy_beats_a_constant_on_unfiltered_tasks(env_id: str) -> None:
    """On the split train: guesses are the best in hindsight, the classifier is cross-fitted."""
    report = audited(env_id, 1_000, tasks="generated", split="train")
    assert set(verdicts(report, "attacker").values()) == {"pass"}


@pytest.mark.slow
@pytest.mark.xfail(
    reason="2,000 entities leave the split test a few dozen targets: too few for a verdict on attackers",
    strict=True,
)
@pytest.mark.parametrize("env_id", LEVELS)
def test_no_cheap_strategy_beats_a_constant_on_unseen_targets(env_id: str) -> None:
    report = audited(env_id, 1_000, learnt=20_000, tasks="generated", split="test")
    assert set(verdicts(report, "attacker").values()) == {"pass"}


@pytest.mark.slow
@pytest.mark.parametrize("env_id", LEVELS)
def test_stored_tasks_are_all_solved_and_none_gives_itself_away(env_id: str) -> None:
    report = audited(env_id, 1_000)
    oracle = next(line for line in report.lines if line.group == "oracle")
    assert oracle.right == oracle.n >= 200
    assert set(verdicts(report, "control", "attacker").values()) == {"pass"}


@pytest.fixture(scope="module")
def recalled() -> list[Any]:
    """The lines of ``python -m benchmarks joint_recall``."""
    return list(importlib.import_module("benchmarks.joint_recall").lines())


def missed(lines: list[Any], *, short: bool) -> list[str]:
    chosen = [line for line in lines if ("short query" in line.name) == short]
    assert len(chosen) == (2 if short else 6)
    return [str(line) for line in chosen if not line.met]


@pytest.mark.slow
def test_captions_find_their_picture_and_are_quick(recalled: list[Any]) -> None:
    assert not missed(recalled, short=False)


@pytest.mark.slow
@pytest.mark.xfail(
    reason="trained for less than half of its plan: 0.80 in held-out styles, 0.89 in others", strict=True
)
def test_short_queries_find_pictures_that_fit(recalled: list[Any]) -> None:
    assert not missed(recalled, short=True)


@pytest.mark.xfail(
    reason="the counterfactual pairs are there; the command does not play them yet", strict=True
)
def test_the_audit_plays_counterfactual_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    from mosaic_env.cli import main

    assert main(["tasks", "audit", "--counterfactual", "--limit", "5"]) == 0


def held_out(runs: list[dict[str, Any]], *, blind: bool) -> float:
    """Return the mean of three seeds, each on 500 held-out tasks and within 15 minutes."""
    chosen = [run for run in runs if run["blind"] is blind]
    assert {run["seed"] for run in chosen} == {1, 2, 3} and {run["tasks"] for run in chosen} == {500}
    assert all(run["cpu_seconds"] <= 15 * 60 for run in chosen)
    return sum(float(run["held_out"]) for run in chosen) / 3


@pytest.mark.xfail(
    reason="three seeds and three blind copies have not been run to the end yet",
    strict=True,
    raises=FileNotFoundError,
)
def test_a_small_learner_learns() -> None:
    """The stored runs; test_examples.py runs the first minute of one."""
    runs = json.loads((ROOT / "docs" / "learner.json").read_text("utf-8"))
    learner, blind = held_out(runs, blind=False), held_out(runs, blind=True)
    assert learner >= 0.40 and blind <= learner / 2
    assert max(run["random"] for run in runs) <= 0.05
