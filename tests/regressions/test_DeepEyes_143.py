"""Visual-Agent/DeepEyes#143: a zoom tool advertised ``bbox_2d`` and required ``bbox``, so no model used it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import mosaic_env  # noqa: F401
from mosaic_env.envs.prompts import FORMATS, tool_schemas
from mosaic_env.index.world import World
from mosaic_env.tools.base import load_builtin
from tests.tools.calling import Caller, build_odd

VALUES = {"query": "Velden", "image": "kb_1", "bbox": [0, 0, 500, 500], "code": "1 + 1", "entity": "kb_1"}


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A world whose kb_1 is 768 x 768 pixels."""
    return build_odd(tmp_path_factory.mktemp("odd"))


@pytest.mark.parametrize("form", FORMATS)
def test_what_is_required_is_there(form: Any) -> None:
    for schema in tool_schemas({name: load_builtin().get(name) for name in load_builtin()}, form):
        parameters = schema.get("function", schema)["parameters"]
        assert set(parameters["required"]) <= set(parameters["properties"]), schema


def test_a_call_built_from_the_schema_works(tiny: Path) -> None:
    env: Any = gym.make("InterLV-L1-v0", snapshot=str(tiny), corpus="closed", interactions=None)
    env.reset(seed=0)
    env.step("<query>Velden</query>")
    for schema in env.unwrapped.tool_schemas():
        function = schema["function"]
        arguments = {name: VALUES[name] for name in function["parameters"]["required"]}
        info = env.step({"name": function["name"], "arguments": arguments})[4]
        assert info["calls"] == [{"tool": function["name"], "status": "ok", "code": ""}]


@pytest.mark.parametrize(
    ("bbox", "coords", "pixels"),
    [
        ([801, 497, 1017, 838], "norm1000", [615, 382, 768, 644]),
        ([801, 497, 1017, 838], "pixel", None),
        ([1017, 838, 801, 497], "norm1000", [615, 382, 768, 644]),
        ([700, 497, 1017, 838], "pixel", [700, 497, 768, 768]),
        ([-20, -20, 100, 100], "pixel", [0, 0, 100, 100]),
        ([100, 100, 100, 400], "pixel", None),
        ([0.1, 0.1, 0.9, 0.9], "norm1000", None),
        ([0.1, 0.1, 0.9, 0.9], "pixel", None),
        ([10.5, 10.5, 99.5, 99.5], "pixel", [10, 10, 99, 99]),
    ],
)
def test_the_reported_box(odd: World, bbox: list[float], coords: str, pixels: list[int] | None) -> None:
    caller = Caller(odd)
    assert caller.pixels(caller.show("Q1")).shape == (768, 768, 3)
    result = caller("image_crop", image="kb_1", bbox=bbox, coords=coords)
    if pixels is None:  # never a picture without pixels
        assert result.error is not None and result.error["code"] == "bad_bbox" and not result.show
        return
    assert result.data is not None and result.data["bbox_pixels"] == pixels
    left, top, right, bottom = pixels
    assert caller.pixels("kb_1_crop").shape == (bottom - top, right - left, 3)
