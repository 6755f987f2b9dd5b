"""The TRL adapter in a real ``GRPOTrainer`` that writes what it likes; the acceptance test forces its calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from mosaic_env.adapters.shared import make_env
from mosaic_env.adapters.trl import environment_factory
from tests.adapters.scripts import ENV_ID, OPTIONS, Script
from tests.adapters.trainer import train

pytest.importorskip("trl", reason="needs the extra 'trl'")
pytestmark = [
    pytest.mark.trl,
    pytest.mark.slow,
    pytest.mark.filterwarnings("default"),  # warnings of torch, transformers and TRL are theirs
]


def test_trl_reads_the_schemas_of_the_registry() -> None:
    """Signature and docstring say the same as the tool: names, types, choices, descriptions, what is required."""
    from transformers.utils import get_json_schema

    env = make_env(ENV_ID, OPTIONS)
    rollout = environment_factory(ENV_ID, **OPTIONS)()
    for name, tool in env.setup.engine.tools.items():
        read = get_json_schema(getattr(rollout, name))["function"]
        own = tool.schema()
        assert (read["name"], read["description"]) == (name, tool.description)
        assert read["parameters"].get("required", []) == own["required"]
        assert read["parameters"]["properties"].keys() == own["properties"].keys()
        for field, plain in own["properties"].items():
            kept = {key: plain[key] for key in ("type", "description", "enum", "items") if key in plain}
            assert read["parameters"]["properties"][field] == kept
    assert get_json_schema(rollout.answer)["function"]["parameters"]["required"] == ["text"]


def test_a_free_model_writes_noise_and_nothing_breaks(tmp_path: Path) -> None:
    """Nothing is forced: random weights never write a call, so episodes stay as they began, worth 0.

    The questions have no pictures: where only some of a batch have one and no result shows any, TRL 1.16
    hands a None to the processor, which refuses it. docs/train.md says what to do about it.
    """
    env = make_env(ENV_ID, OPTIONS)
    plain = [Script(key, ()) for key in env.task_keys if not env.setup.source.get(key)[0].pictures][:2]
    run = train(str(tmp_path), plain, force=False, steps=1, tokens=24)
    assert len(run.rollouts) == 4 and len(run.logs) == 1
    for seen in run.rollouts:
        assert seen.reward == 0.0 and not seen.episode.steps
        assert all(seen.mask) and len(seen.ids) <= 24
