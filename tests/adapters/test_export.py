"""Rows for trainers: what stands in them, what never does, and what the command says."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from mosaic_env.adapters.export import choose_keys, rows, write_rows
from mosaic_env.adapters.shared import make_env
from mosaic_env.adapters.trl import environment_factory
from mosaic_env.cli import main
from mosaic_env.core.errors import ConfigError, TaskError

L2 = "InterLV-L2-v0"


@pytest.fixture(scope="module")
def env() -> Any:
    return make_env(L2, {})


def export(tmp_path: Path, *words: str, name: str = "rows.jsonl") -> list[dict[str, Any]]:
    assert main(["tasks", "export", *words, "--out", str(tmp_path / name)]) == 0
    return [json.loads(line) for line in (tmp_path / name).read_text("utf-8").splitlines()]


def leaves(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for key, item in value.items() for text in [key, *leaves(item)]]
    if isinstance(value, list):
        return [text for item in value for text in leaves(item)]
    return [str(value)]


@pytest.mark.parametrize("format", ["trl", "verl", "jsonl"])
def test_no_row_holds_gold(env: Any, format: Any) -> None:
    keys = env.task_keys[:50]
    for key, row in zip(keys, rows(format, L2, env, {}, keys), strict=True):
        task, gold = env.setup.source.get(key)
        texts = leaves(row)
        assert gold.answer not in texts and gold.target not in texts and gold.digest not in texts
        assert not {"gold", "answer", "chain", "aliases"} & set(texts)
        for hop in gold.chain:
            assert (
                hop.query == "" or hop.query in task.question or not any(hop.query in text for text in texts)
            )


def test_a_trl_row_begins_its_task(tmp_path: Path, env: Any) -> None:
    found = export(tmp_path, "--format", "trl", "--limit", "5")
    assert [row["task_id"] for row in found] == list(env.task_keys[:5])
    rollout = environment_factory(L2)()
    for row in found:
        shown = rollout.reset(**row)
        assert (row["pictures"] > 0) == isinstance(shown, list)
        assert rollout.episode.task.key == row["task_id"] and rollout.episode.task.split == row["split"]
        assert [message["role"] for message in row["prompt"]] == ["system", "user"]


def test_a_verl_row_says_how_to_make_its_environment(tmp_path: Path) -> None:
    words = ("--format", "verl", "--env", L2, "--tasks", "generated", "--split", "train", "--limit", "3")
    found = export(tmp_path, *words, "--set", "max_new=2")
    for number, row in enumerate(found):
        info = row["extra_info"]
        again = make_env(info["env_id"], json.loads(info["env_options"]))
        again.reset(seed=0, options={"task_id": info["task_id"]})
        assert again.config.max_new == 2 and again.config.memory == "none" and info["index"] == number
        assert row["agent_name"] == "mosaic" and row["reward_model"]["ground_truth"] == ""
        assert again.episode.task.question == row["prompt"][1]["content"] and info["split"] == "train"


def test_a_plain_row_holds_the_public_task_with_its_pictures(tmp_path: Path, env: Any) -> None:
    found = export(tmp_path, "--format", "jsonl", "--limit", "6")
    assert any(row["pictures"] for row in found)
    for row in found:
        task, _ = env.setup.source.get(row["task_id"])
        stored = [env.world.images.encoded(picture) for picture in task.pictures]
        assert [base64.b64decode(uri.partition(",")[2]) for uri in row["pictures"]] == stored
        assert all(uri.startswith("data:image/") for uri in row["pictures"])
        assert row["question"] == task.question and "gold" not in row


def test_gold_is_there_when_it_is_asked_for_and_only_in_plain_rows(tmp_path: Path, env: Any) -> None:
    for row in export(tmp_path, "--format", "jsonl", "--limit", "3", "--with-gold"):
        assert row["gold"]["answer"] == env.setup.source.get(row["task_id"])[1].answer
    kept = tmp_path / "kept.jsonl"
    kept.write_text("mine")
    for format in ("trl", "verl"):
        words = ["tasks", "export", "--format", format, "--with-gold", "--limit", "1", "--out", str(kept)]
        assert main(words) == 2 and kept.read_text() == "mine"
        with pytest.raises(ConfigError, match="cannot hold gold"):
            rows(format, L2, env, {}, ["x"], gold=True)  # type: ignore[arg-type]


def test_tasks_without_end_need_a_limit() -> None:
    endless = make_env(L2, {"tasks": "generated", "split": "train"})
    with pytest.raises(TaskError, match="--limit"):
        choose_keys(endless, None)
    assert len(choose_keys(endless, 7)) == 7
    stored = make_env(L2, {})
    assert list(choose_keys(stored, None)) == list(stored.task_keys)
    assert list(choose_keys(stored, 10**9)) == list(stored.task_keys)


def test_a_split_is_a_split(tmp_path: Path) -> None:
    found = {
        split: {row["task_id"] for row in export(tmp_path, "--format", "trl", "--split", split)}
        for split in ("train", "val", "test")
    }
    assert all(found.values()) and not found["train"] & found["test"] and not found["val"] & found["test"]


def test_the_same_rows_are_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        export(tmp_path, "--format", "verl", "--limit", "4", name=name)
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_parquet_holds_the_same_rows(tmp_path: Path, env: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    found = list(rows("verl", L2, env, {}, env.task_keys[:3]))
    path = tmp_path / "rows.parquet"
    try:
        import pyarrow.parquet
    except ImportError:
        with pytest.raises(ConfigError, match="pyarrow"):
            write_rows(path, iter(found))
    else:
        assert write_rows(path, iter(found)) == 3
        assert pyarrow.parquet.read_table(path).to_pylist() == found
