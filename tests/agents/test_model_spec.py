"""Specifications of models: plain data without a secret."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

from mosaic_env.agents.models.base import Reply, Request
from mosaic_env.agents.models.open import ModelSpec, open_model
from mosaic_env.core.errors import ModelError

KEY = "sk-canary-Zq7Xw2Lm9Rt4Vb6Ny8Kc1"


def answer(request: Request) -> Reply:
    return Reply(f"{len(request.messages)} messages")


def test_a_specification_is_plain_data() -> None:
    spec = ModelSpec("m", "http://localhost:8000/v1", settings={"temperature": 0}, prices=(0.5, 2))
    assert pickle.loads(pickle.dumps(spec)) == spec
    plain = json.loads(json.dumps(spec.as_dict()))
    assert ModelSpec(**plain) == spec
    assert spec.place == "http://localhost:8000" and spec.key_name == ""
    assert ModelSpec("m").key_name == "OPENAI_API_KEY"


@pytest.mark.parametrize(
    "options",
    [
        {"name": ""},
        {"name": KEY},
        {"base_url": f"http://user:{KEY}@host/v1"},
        {"base_url": f"http://{KEY}@host/v1"},
        {"base_url": f"http://host/v1?key={KEY}"},
        {"base_url": f"http://host/v1#{KEY}"},
        {"base_url": "localhost:8000"},
        {"base_url": "ftp://host/"},
        {"base_url": "http://[::1"},
        {"base_url": "http://host:99999/v1"},
        {"api_key_env": KEY},
        {"api_key_env": "A B"},
        {"settings": {"api_key": KEY}},
        {"settings": {"extra_headers": {"x": KEY}}},
        {"settings": {"stream": True}},
        {"settings": {"stop": {1, 2}}},
        {"timeout": 0},
        {"timeout": float("nan")},
        {"attempts": 0},
        {"concurrency": -1},
        {"concurrency": 1.5},
        {"prices": (1,)},
        {"prices": (-1, 0)},
        {"record_to": "a", "replay_from": "b"},
    ],
    ids=str,
)
def test_what_cannot_work_is_refused_without_being_quoted(options: dict[str, Any]) -> None:
    with pytest.raises(ModelError) as caught:
        ModelSpec(**{"name": "m", **options})
    assert caught.value.code == "ME-MODEL-01" and KEY not in str(caught.value)


def test_a_script_is_a_model() -> None:
    model = open_model(ModelSpec("mine", script=f"{__name__}:answer"))
    assert model.name == "mine" and model.complete(Request([])).text == "0 messages"
    for script in ("no_such_module:f", f"{__name__}:no", "nothing"):
        with pytest.raises(ModelError, match="cannot be imported") as caught:
            open_model(ModelSpec("mine", script=script))
        assert caught.value.code == "ME-MODEL-01"
