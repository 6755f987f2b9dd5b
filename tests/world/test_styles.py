"""Styles: another hand and another paper, the same answers."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest
from PIL import Image

from mosaic_env.core.errors import ConfigError
from mosaic_env.guard.images import decode_rgb
from mosaic_env.world.draw import draw, draw_small
from mosaic_env.world.drawing.palette import SHADES
from mosaic_env.world.pictures import PICTURES
from mosaic_env.world.scene import About
from mosaic_env.world.styles import HELD_OUT, PLAIN, STYLES, style_of

KINDS = list(PICTURES)
OTHERS = [name for name in (*STYLES, *HELD_OUT) if name != PLAIN]
TONES = [(name, tone) for name in SHADES for tone in SHADES[name]]


def sampled(kind: str, seed: int, style: str | None = None) -> dict[str, Any]:
    shown = PICTURES.get(kind).sample(Random(seed), About("Ilvane Morwick", "cat breed", seed % 2 == 0))
    return shown if style is None else {**shown, "style": style}


def lab(pixels: np.ndarray) -> np.ndarray:
    """CIE L*a*b* of sRGB, in which distances are about what people see."""
    unit = np.asarray(pixels) / 255
    linear = np.where(unit <= 0.04045, unit / 12.92, ((unit + 0.055) / 1.055) ** 2.4)
    matrix = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    xyz = linear @ matrix.T / np.array([0.9505, 1.0, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.stack(
        [116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], axis=-1
    )


SHADE_LAB = lab(np.array([tone for _, tone in TONES]))


def recoloured(shown: dict[str, Any], thing: dict[str, Any]) -> np.ndarray:
    """The scene with one thing in a colour that is far from its own; some have only a few colours."""
    warm = thing["colour"] in ("red", "orange", "pink", "purple", "brown")
    for other in ("green" if warm else "red", "white" if thing["colour"] == "black" else "black"):
        things = [{**t, "colour": other} if t is thing else t for t in shown["things"]]
        try:
            return draw_small({**shown, "things": things}).astype(int)
        except KeyError:
            continue
    raise AssertionError(f"{thing['name']} comes in no other colour")


def seen_colour(shown: dict[str, Any], thing: dict[str, Any]) -> str | None:
    """The name that most pixels of a thing have by their nearest shade.

    Its pixels are those that change when it gets another colour. None when too little of it shows.
    """
    pixels = draw_small(shown).astype(int)
    changed = np.abs(pixels - recoloured(shown, thing)).max(axis=2) > 40
    for axis in (0, 1):  # what counts is the inside, not outlines and soft edges
        changed = changed & np.roll(changed, 1, axis) & np.roll(changed, -1, axis)
    if changed.sum() < 40:
        return None
    distance = np.linalg.norm(lab(pixels[changed])[:, None, :] - SHADE_LAB[None, :, :], axis=2)
    return Counter(TONES[i][0] for i in distance.argmin(axis=1)).most_common(1)[0][0]


def coloured(kind: str, seeds: range) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Things of few scenes whose colour is theirs alone and seen rightly in the plain style."""
    found = []
    for seed in seeds:
        shown = sampled(kind, seed)
        for thing in shown["things"]:
            if thing.get("colour") in SHADES and seen_colour(shown, thing) == thing["colour"]:
                found.append((shown, thing))
    return found


SCENES = pytest.mark.parametrize(
    "seeds", [range(1), pytest.param(range(1, 9), marks=pytest.mark.slow)], ids=["few", "many"]
)


@SCENES
@pytest.mark.parametrize("kind", KINDS)
def test_colours_keep_their_names_in_every_style(kind: str, seeds: range) -> None:
    clear = coloured(kind, seeds)
    assert len(clear) >= len(seeds)
    for style in OTHERS:
        seen = [(t["name"], t["colour"], seen_colour({**shown, "style": style}, t)) for shown, t in clear]
        wrong = [entry for entry in seen if entry[2] not in (entry[1], None)]
        assert len(wrong) <= max(1, len(seen) // 10), (style, wrong)


@pytest.mark.parametrize("style", [*STYLES, *HELD_OUT])
@pytest.mark.parametrize("name", sorted(SHADES))
def test_a_flat_colour_keeps_its_name_on_every_paper(style: str, name: str) -> None:
    from mosaic_env.world import styles

    for tone in SHADES[name]:
        printed = styles.style(style).surface.printed(Image.new("RGB", (64, 64), tone), (64, 64))
        middle = np.median(lab(np.asarray(printed)).reshape(-1, 3), axis=0)
        assert TONES[int(np.linalg.norm(SHADE_LAB - middle, axis=1).argmin())][0] == name


@pytest.mark.parametrize("style", OTHERS)
def test_lettering_stays_as_dark_on_light_or_light_on_dark_as_it_was(style: str) -> None:
    """The strokes of a ribbon's motto differ from the ribbon at least 0.6 times as much as plainly drawn."""
    for seed in range(6):
        shown = sampled("crest", seed)
        blank = {**shown, "lettering": [e for e in shown["lettering"] if e["place"] != "ribbon"]}
        contrast = []
        for name in (PLAIN, style):
            with_words, without = (decode_rgb(draw({**s, "style": name})).astype(int) for s in (shown, blank))
            contrast.append(np.percentile(np.abs(with_words - without).max(axis=2), 99.5))
        assert contrast[1] > 0.6 * contrast[0] > 40


@pytest.mark.parametrize("style", OTHERS)
def test_things_stay_countable(style: str) -> None:
    """A cover with so many printed hearts or stars shows so many patches of their colour."""
    prints = (
        (s, t)
        for s in (sampled("cover", i) for i in range(160))
        for t in s["things"]
        if "print" in t.values()
    )
    solid = [(s, t) for s, t in prints if t["name"] in ("star", "heart")][:4]
    assert len(solid) == 4
    for shown, entry in solid:
        things = [{**t, "colour": "grey"} if t is entry else t for t in shown["things"]]
        look = {**shown, "style": style, "look": {**shown["look"], "frame": False}}
        pixels, other = (decode_rgb(draw(s)).astype(int) for s in (look, {**look, "things": things}))
        assert patches(np.abs(pixels - other).max(axis=2) > 24) == entry["count"]


def patches(mask: np.ndarray) -> int:
    """How many connected patches of at least 100 pixels there are."""
    left, found = {(int(y), int(x)) for y, x in np.argwhere(mask)}, 0
    while left:
        waiting, size = [left.pop()], 0
        while waiting:
            y, x = waiting.pop()
            size += 1
            near = {(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)} & left
            left -= near
            waiting += near
        found += size >= 100
    return found


def test_a_scene_without_style_is_plain_and_styles_differ() -> None:
    shown = sampled("skyline", 3)
    assert draw(shown) == draw({**shown, "style": PLAIN})
    pictures = {name: draw_small({**shown, "style": name}).astype(int) for name in (*STYLES, *HELD_OUT)}
    for first, a in pictures.items():
        for second, b in pictures.items():
            assert first == second or np.abs(a - b).mean() > 2, (first, second)


def test_an_unknown_style_or_split_is_a_clear_error() -> None:
    with pytest.raises(ConfigError, match=r"no style of drawing called 'inc'(.|\n)*ink"):
        draw({**sampled("flag", 1), "style": "inc"})
    with pytest.raises(ConfigError, match="no split called 'tests'"):
        style_of(1, "Q1", "tests")


def test_held_out_styles_are_for_half_of_test_and_all_of_none() -> None:
    for split, share in (("train", 0.0), ("val", 0.0), ("test", 0.5), ("none", 1.0)):
        names = [style_of(7, f"Q{i}", split) for i in range(1000)]
        assert names == [style_of(7, f"Q{i}", split) for i in range(1000)]
        held_out = sum(name in HELD_OUT for name in names) / len(names)
        assert abs(held_out - share) < 0.05
        pool = [name for name in names if name in STYLES]
        assert not pool or min(Counter(pool)[name] for name in STYLES) > len(pool) / len(STYLES) / 2
    assert [style_of(7, f"Q{i}", "train") for i in range(50)] != [
        style_of(8, f"Q{i}", "train") for i in range(50)
    ]


@pytest.mark.parametrize("style", [*STYLES, *HELD_OUT])
def test_styled_pictures_stay_small(style: str) -> None:
    sizes = [len(draw(sampled(kind, seed, style))) for kind in KINDS for seed in (5,)]
    assert sum(sizes) / len(sizes) < 11_500 and max(sizes) < 16_000
