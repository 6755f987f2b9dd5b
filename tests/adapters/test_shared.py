"""What adapters share: environments without memory turns, and content as trainers take it."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image

from mosaic_env.adapters.shared import content, make_env, open_picture, tool_prompt
from mosaic_env.core.errors import ConfigError


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P", "L", "LA"])
def test_a_picture_opens_as_rgb_on_white(mode: str) -> None:
    stream = io.BytesIO()
    Image.new("RGBA", (3, 2), (10, 20, 30, 0 if mode in ("RGBA", "LA") else 255)).convert(mode).save(
        stream, "PNG"
    )
    picture = open_picture(stream.getvalue())
    assert (picture.mode, picture.size) == ("RGB", (3, 2))
    if mode in ("RGBA", "LA"):
        assert picture.getpixel((0, 0)) == (255, 255, 255)
    if mode == "RGB":
        assert picture.getpixel((0, 0)) == (10, 20, 30)


def test_no_turn_goes_into_memory_unless_it_is_wanted() -> None:
    assert make_env("InterLV-L2-v0", {}).config.memory == "none"
    assert make_env("InterLV-L2-v0", {"memory": "policy"}).config.memory == "policy"
    with pytest.raises(ConfigError, match="InterLV-L2-v0"):
        make_env("CartPole-v1", {})


def test_content_is_text_or_blocks_with_each_picture_after_its_name() -> None:
    env = make_env("InterLV-L2-v0", {})
    key = next(k for k in env.task_keys if env.setup.source.get(k)[0].pictures)
    observation, info = env.reset(seed=0, options={"task_id": key})
    assert isinstance(content(info["messages"][0]), str)
    blocks: Any = content(info["messages"][1], observation["images"])
    kinds = [block["type"] for block in blocks]
    assert kinds == ["text", "image", "text"] and blocks[0]["text"].endswith("[image img_1]")
    assert {*blocks[0]} == {"type", "text"} and {*blocks[1]} == {"type", "image"}


def test_the_prompt_of_tool_calling_trainers_does_not_contradict_itself() -> None:
    prompt = tool_prompt(make_env("InterLV-L1-v0", {}))
    assert "Write one call in a message" in prompt and "further ones" not in prompt
