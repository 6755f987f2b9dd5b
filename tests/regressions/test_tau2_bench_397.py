"""tau2-bench PR#397: ``33`` and ``33.0`` changed a hash and failed a right episode; here calls are values."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import mosaic_env  # noqa: F401
from mosaic_env.record.build import BuildInputs, build_snapshot

WAYS: list[dict[str, Any]] = [
    {"query": "Café Émile", "top_k": 2, "max_text_chars": 9},
    {"query": "Café Émile", "top_k": 2.0, "max_text_chars": 9.0},
    {"query": "Café Émile", "top_k": "2", "max_text_chars": "9"},
    {"max_text_chars": 9, "top_k": 2, "query": "Café Émile"},
    {"query": unicodedata.normalize("NFD", "Café Émile"), "top_k": 2, "max_text_chars": 9},
    {"query": "  café   ÉMILE ", "top_k": 2, "max_text_chars": 9},
]


@pytest.fixture(scope="module")
def accents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("accents")
    names = {"Q1": "Café Émile", "Q2": "Cafe Emil", "Q3": "Emilio", "Q4": "tea house"}
    rows = [
        {"qid": key, "text": f"label: {name} ; what is it: x ; description: x"} for key, name in names.items()
    ]
    (folder / "kb.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    build_snapshot(BuildInputs(folder / "kb.jsonl", world="accents"), folder / "snapshot")
    return folder / "snapshot"


@pytest.mark.parametrize("form", ["text", "native"])
def test_the_same_call_written_in_other_ways(accents: Path, form: str) -> None:
    seen = set()
    for arguments in WAYS:
        env = gym.make("InterLV-L1-v0", snapshot=str(accents), tasks="tests.envs.toy:toy-hundred")
        env.reset(seed=0)
        written = json.dumps(arguments, ensure_ascii=False)
        text = f'<tool name="local_text_search">{written}</tool>'
        observation, _, _, _, info = env.step(
            text if form == "text" else {"name": "local_text_search", "arguments": written}
        )
        assert info["calls"][0]["status"] == "ok"
        seen.add(observation["text"])
    assert len(seen) == 1 and '"label":"Café Émile"' in next(iter(seen)).split('"rank":2')[0]
