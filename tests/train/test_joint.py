"""Training goes on from its last checkpoint, and says what is wrong with one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch")

from mosaic_env.train import joint
from mosaic_env.train.joint import Plan, Trainer

pytestmark = pytest.mark.encoders


@pytest.fixture
def stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of a training that was killed after step 80, with a checkpoint of step 40."""
    monkeypatch.setattr(joint, "shards", lambda *given: None)
    trainer = Trainer(Plan(), tmp_path, 1)
    trainer.step = 40
    trainer._save()
    lines = [json.dumps({"step": step, "loss": 1.0, "seconds": 1.0}) + "\n" for step in (20, 40, 60)]
    (tmp_path / "log.jsonl").write_text("".join(lines) + '{"step": 80, "lo')
    return tmp_path


def test_steps_after_the_checkpoint_are_noted_once(stopped: Path) -> None:
    assert Trainer(Plan(), stopped, 1).step == 40
    assert [json.loads(line)["step"] for line in (stopped / "log.jsonl").read_text().splitlines()] == [20, 40]


@pytest.mark.parametrize("kept", [0, 1000, 100_000])
def test_a_cut_checkpoint_is_one_sentence(stopped: Path, kept: int) -> None:
    checkpoint = stopped / "checkpoint.pt"
    checkpoint.write_bytes(checkpoint.read_bytes()[:kept])
    with pytest.raises(SystemExit, match=r"cannot be read.*Delete it to begin anew"):
        Trainer(Plan(), stopped, 1)


def test_a_checkpoint_of_another_plan_is_kept(stopped: Path) -> None:
    with pytest.raises(SystemExit, match="belongs to another plan"):
        Trainer(replace(Plan(), seed=9), stopped, 1)
