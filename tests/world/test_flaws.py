"""Flaws: mild, deterministic, rare."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest
from PIL import Image

from mosaic_env.core.errors import ConfigError
from mosaic_env.guard.images import canonicalise, decode_rgb
from mosaic_env.world.draw import SMALL_HEIGHT, draw, draw_small
from mosaic_env.world.drawing.palette import SHADES
from mosaic_env.world.flaws import FLAWED, FLAWS, flaw_of, flawed
from mosaic_env.world.pictures import PICTURES
from mosaic_env.world.scene import About
from tests.world.test_styles import SHADE_LAB, TONES, lab


def sampled(kind: str, seed: int, **more: Any) -> dict[str, Any]:
    return {**PICTURES.get(kind).sample(Random(seed), About("Ilvane Morwick", "shrub")), **more}


@pytest.mark.parametrize("flaw", FLAWS)
@pytest.mark.parametrize("kind", ["flag", "plant", "map"])
def test_a_flaw_changes_a_picture_a_little_and_always_alike(flaw: str, kind: str) -> None:
    shown = sampled(kind, 3)
    clean, data = decode_rgb(draw(shown)).astype(int), draw({**shown, "flaw": flaw})
    assert data == draw({**shown, "flaw": flaw}) == canonicalise(data).data
    assert len(data) < 20_000
    found = decode_rgb(data).astype(int)
    if flaw == "cropped":
        height, width = found.shape[:2]
        assert 0.94 < height / clean.shape[0] < 1 and 0.94 < width / clean.shape[1] < 1
        places = [(top, left) for top in (0, len(clean) - height) for left in (0, clean.shape[1] - width)]
        assert min(np.abs(clean[t : t + height, x : x + width] - found).mean() for t, x in places) < 2
    else:
        assert found.shape == clean.shape
        assert 0.4 < np.abs(found - clean).mean() < 32


@pytest.mark.parametrize("flaw", FLAWS)
def test_small_pictures_have_the_flaw_and_keep_their_height(flaw: str) -> None:
    shown = sampled("skyline", 4)
    small = draw_small({**shown, "flaw": flaw})
    assert small.shape[0] == SMALL_HEIGHT and abs(small.shape[1] - draw_small(shown).shape[1]) <= 6
    assert not np.array_equal(small, draw_small(shown))


@pytest.mark.parametrize("flaw", FLAWS)
@pytest.mark.parametrize("name", sorted(SHADES))
def test_a_flat_colour_keeps_its_name(flaw: str, name: str) -> None:
    for tone in SHADES[name]:
        pixels = flawed(Image.new("RGB", (80, 60), tone), {"flaw": flaw, "seed": 5}, 60)
        middle = np.median(lab(np.asarray(pixels)).reshape(-1, 3), axis=0)
        assert TONES[int(np.linalg.norm(SHADE_LAB - middle, axis=1).argmin())][0] == name


def test_six_pictures_in_a_hundred_have_a_flaw_of_any_sort() -> None:
    found = [flaw_of(7, f"Q{i}") for i in range(4000)]
    assert found == [flaw_of(7, f"Q{i}") for i in range(4000)] != [flaw_of(8, f"Q{i}") for i in range(4000)]
    counts = Counter(found)
    assert abs(1 - counts[None] / len(found) - FLAWED) < 0.012
    assert min(counts[flaw] for flaw in FLAWS) > len(found) * FLAWED / len(FLAWS) / 2


def test_an_unknown_flaw_is_a_clear_error() -> None:
    with pytest.raises(ConfigError, match=r"no flaw called 'blured'(.|\n)*blurred"):
        draw(sampled("flag", 1, flaw="blured"))
