"""The lines of the generated world: pictures, ids, unfiltered and stored tasks, encoder, learner."""

from __future__ import annotations

import importlib
import json
import time
import zlib
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from PIL import Image

from benchmarks import audit_large
from benchmarks.audit_large import audited
from mosaic_env.agents.oracle import OracleAgent
from mosaic_env.evals.quality.counterfactual import both_right, by_agent
from mosaic_env.evals.quality.pair_audit import audit_pairs
from mosaic_env.evals.quality.pairs import make_pairs
from mosaic_env.evals.quality.report import Report
from mosaic_env.snapshot.locate import find_snapshot
from mosaic_env.snapshot.opened import Snapshot
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
    """On the split train: guesses are the best in hindsight, the classifier is cross-fitted.

    Three thousand tasks are about some 250 and 315 targets; a thousand would leave one attacker unclear.
    """
    report = audited(env_id, 3_000, tasks="generated", split="train")
    assert set(verdicts(report, "attacker").values()) == {"pass"}


@pytest.fixture(scope="module")
def large_audit() -> dict[tuple[str, str], dict[str, Any]]:
    """The numbers of ``python -m benchmarks.audit_large``: a world of 40,000 entities has enough unseen targets."""
    kept = json.loads((ROOT / "docs" / "audit.json").read_text("utf-8"))
    assert kept["entities"] >= 40_000
    found = {(one["environment"], one["split"]): one for one in kept["reports"]}
    assert set(found) == {(env_id, split) for env_id in LEVELS for split in ("train", "test")}
    for (_, split), one in found.items():
        assert one["tasks"] >= 1_000 and one["targets"] >= 250
        assert {line["group"] for line in one["lines"]} == {"oracle", "control", "constant", "attacker"}
        assert ("the split train" in one["fitted"]) == (split == "test")
    return found


#: The attacker that is not within its bar: level, split, name.
LEFT = ("InterLV-L2-v0", "test", "one search, pictures")


def test_no_cheap_strategy_beats_a_constant_on_unseen_targets(
    large_audit: dict[tuple[str, str], Any],
) -> None:
    """``test_the_audit_of_a_larger_world_runs`` runs the same on a small world."""
    others = [
        (*place, line["name"], line["verdict"])
        for place, one in large_audit.items()
        for line in one["lines"]
        if (*place, line["name"]) != LEFT
    ]
    assert len(others) > 60 and {verdict for *_, verdict in others} == {"pass"}


@pytest.mark.xfail(
    reason="any of ten pictures leads by 2.5 points, at most 4.0 where 3 are allowed: guesses learnt on train fit the "
    "276 targets of test badly (in hindsight it leads by -0.1); a larger world has more",
    strict=True,
)
def test_nor_does_any_of_ten_pictures(large_audit: dict[tuple[str, str], Any]) -> None:
    level, split, name = LEFT
    assert next(one for one in large_audit[level, split]["lines"] if one["name"] == name)["verdict"] == "pass"


@pytest.mark.slow
def test_the_audit_of_a_larger_world_runs() -> None:
    """``python -m benchmarks audit_large``, which takes too long for every change, on a small world.

    It says that the benchmark runs and that its tasks are solved with tools and not without; a small world's tasks
    are too few for a verdict on attackers.
    """
    lines = list(audit_large.lines(entities=600, tasks=40, learnt=400))
    names = {line.name for line in lines}
    for env_id in LEVELS:
        for split in ("train", "test"):
            assert {f"{env_id} {split}: {what}" for what in ("oracle", "one search", "classifier")} <= names
    others = [line for line in lines if not line.bar.startswith("lead")]
    assert len(others) == 4 * 6
    assert not [str(line) for line in others if not line.met]


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


def missed(lines: list[Any], named: str) -> list[str]:
    """Return the lines with these words in their name that miss their bar."""
    chosen = [line for line in lines if named in line.name]
    assert chosen
    return [str(line) for line in chosen if not line.met]


@pytest.mark.slow
@pytest.mark.speed
def test_captions_find_their_picture(recalled: list[Any]) -> None:
    assert not missed(recalled, "captions")


@pytest.mark.slow
@pytest.mark.speed
def test_queries_are_quick(recalled: list[Any]) -> None:
    """On one idle core."""
    assert not missed(recalled, "text query") + missed(recalled, "picture query")


@pytest.mark.slow
@pytest.mark.speed
def test_short_queries_find_pictures_that_fit(recalled: list[Any]) -> None:
    assert not missed(recalled, "short query, styles of training")


@pytest.mark.slow
@pytest.mark.speed
def test_short_queries_find_pictures_in_held_out_styles(recalled: list[Any]) -> None:
    assert not missed(recalled, "short query, held-out styles")


@pytest.mark.slow
def test_edited_renders_find_their_source() -> None:
    """The lines of ``python -m benchmarks drawn_retrieval``: 1,000 pictures of another seed, in held-out styles."""
    lines = list(importlib.import_module("benchmarks.drawn_retrieval").lines())
    assert len(lines) == 5
    assert not [str(line) for line in lines if not line.met]


def test_the_audit_plays_counterfactual_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    from mosaic_env.cli import main

    assert main(["tasks", "audit", "--counterfactual", "--limit", "5"]) == 0
    assert "5/5" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.speed
@pytest.mark.parametrize("env_id", LEVELS)
def test_a_thousand_pairs_are_solved_by_looking_only(env_id: str) -> None:
    """Made and played by the oracle within two minutes on two idle cores."""
    setup = gym.make(env_id, tasks="generated").unwrapped.setup  # type: ignore[attr-defined]
    start = time.perf_counter()
    pairs = list(make_pairs(setup, 1_000))
    oracle = both_right(pairs, by_agent(OracleAgent))
    seconds = time.perf_counter() - start
    report = audit_pairs(pairs, environment=env_id)
    print(report, f"{seconds:.1f} s")
    assert oracle.counts.n == 1_000 and oracle.share >= 0.99
    assert {line.name: line.verdict for line in report.lines} == dict.fromkeys(
        ("oracle", "constant guess", "question only", "text only"), "pass"
    )
    assert all(line.share <= report.chance**2 for line in report.lines[1:])
    assert seconds < 120


def held_out(runs: list[dict[str, Any]], *, blind: bool) -> float:
    """Return the mean of three seeds, each on 500 held-out tasks and within 15 minutes."""
    chosen = [run for run in runs if run["blind"] is blind]
    assert {run["seed"] for run in chosen} == {1, 2, 3} and {run["tasks"] for run in chosen} == {500}
    assert all(run["cpu_seconds"] <= 15 * 60 for run in chosen)
    return sum(float(run["held_out"]) for run in chosen) / 3


def test_a_small_learner_learns() -> None:
    """The stored runs; test_examples.py runs the first minute of one."""
    runs = json.loads((ROOT / "docs" / "learner.json").read_text("utf-8"))
    learner, blind = held_out(runs, blind=False), held_out(runs, blind=True)
    assert learner >= 0.40 and blind <= learner / 2
    assert max(run["random"] for run in runs) <= 0.05
