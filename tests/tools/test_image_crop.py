"""``image_crop``: boxes clamped and ordered aloud, nothing guessed, cut from the original pixels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mosaic_env.index.world import World
from mosaic_env.tools.handles import MAX_CROP_DEPTH
from tests.guard import corpus
from tests.tools.calling import Caller

CUT = "the box was cut to the picture (0 to 1000, 0 to 1000)"
SWAPPED = "the corners were put in order"


@pytest.fixture
def crop(odd: World) -> Caller:
    """A new episode that knows every picture of the odd world."""
    caller = Caller(odd)
    for number in range(1, 6):
        caller.show(f"Q{number}")
    return caller


@pytest.mark.parametrize(
    ("bbox", "pixels", "warnings"),
    [
        ([0, 0, 1000, 1000], [0, 0, 768, 768], []),
        ([250, 500, 500, 750], [192, 384, 384, 576], []),
        ([500, 750, 250, 500], [192, 384, 384, 576], [SWAPPED]),
        ([500, 500, 250, 750], [192, 384, 384, 576], [SWAPPED]),
        ([-50, -1, 500, 500], [0, 0, 384, 384], [CUT]),
        ([500, 500, 10**9, 1e300], [384, 384, 768, 768], [CUT]),
        ([1017, 838, 801, 497], [615, 382, 768, 644], [CUT, SWAPPED]),
        (["250", " 500 ", "5e2", "750.0"], [192, 384, 384, 576], []),
        ([0.5, 0.5, 500.5, 500.5], [0, 0, 384, 384], []),
        ([0, 0, 1.5, 1.5], [0, 0, 1, 1], []),
    ],
)
def test_boxes(crop: Caller, bbox: list[Any], pixels: list[int], warnings: list[str]) -> None:
    data = crop.data("image_crop", image="kb_1", bbox=bbox)
    assert (data["bbox_pixels"], crop.warnings) == (pixels, warnings)
    assert (data["image"], data["parent"]) == ("kb_1_crop", "kb_1")
    left, top, right, bottom = pixels
    assert (data["width"], data["height"]) == (right - left, bottom - top)
    assert np.array_equal(crop.pixels("kb_1_crop"), crop.pixels("kb_1")[top:bottom, left:right])


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ({"bbox": [500, 500, 500, 800]}, "bad_bbox", "no area"),
        ({"bbox": [0, 0, 0, 0]}, "bad_bbox", "no area"),
        ({"bbox": [1200, 0, 1300, 500]}, "bad_bbox", "no area"),
        ({"bbox": [-9, -9, -1, -1]}, "bad_bbox", "no area"),
        ({"bbox": [0.1, 0.2, 0.8, 0.9]}, "bad_bbox", "fractions from 0 to 1"),
        ({"bbox": ["0.1", "0.2", "0.8", "0.9"]}, "bad_bbox", "fractions from 0 to 1"),
        ({"bbox": [float("nan"), 0, 500, 500]}, "bad_bbox", "finite"),
        ({"bbox": ["NaN", 0, 500, 500]}, "bad_bbox", "finite"),
        ({"bbox": [0, 0, float("inf"), 500]}, "bad_bbox", "finite"),
        ({"bbox": [0, 0, 10**400, 500]}, "bad_bbox", "finite"),
        ({"bbox": [0, 0, "9" * 400, 500]}, "bad_bbox", "finite"),
        ({"bbox": [0, 0, True, 500]}, "bad_bbox", "finite"),
        ({"bbox": [0, 0, None, 500]}, "bad_bbox", "finite"),
        ({"bbox": [[0, 0], [500, 500]]}, "bad_bbox", "2 values, not 4"),
        ({"bbox": [[0, 0, 500, 500]]}, "bad_bbox", "1 values, not 4"),
        ({"bbox": [[0], [0], [500], [500]]}, "bad_bbox", "finite"),
        ({"bbox": [0, 0, 500]}, "bad_bbox", "3 values, not 4"),
        ({"bbox": []}, "bad_bbox", "0 values, not 4"),
        ({"bbox": "0, 0, 500, 500"}, "bad_argument", "bbox"),
        ({"bbox": {"left": 0}}, "bad_argument", "bbox"),
        ({}, "bad_argument", "bbox"),
        ({"bbox_2d": [0, 0, 500, 500]}, "bad_argument", "bbox"),
        ({"bbox": [0, 0, 9, 9], "coords": "norm1"}, "bad_argument", "coords"),
    ],
)
def test_boxes_that_mean_nothing(crop: Caller, arguments: dict[str, Any], code: str, says: str) -> None:
    result = crop("image_crop", image="kb_1", **arguments)
    assert result.error is not None and result.error["code"] == code and says in result.error["message"]
    assert result.error["hint"] and not result.show and "kb_1_crop" not in crop.handles.pictures


@pytest.mark.parametrize(
    ("bbox", "pixels"),
    [
        ([100, 200, 300, 400], [100, 200, 300, 400]),
        ([700, 700, 900, 900], [700, 700, 768, 768]),
        ([0.25, 0.75, 300.9, 400.2], [0, 0, 300, 400]),
        ([801, 497, 1017, 838], None),
    ],
)
def test_pixels_are_asked_for_by_name(crop: Caller, bbox: list[float], pixels: list[int] | None) -> None:
    result = crop("image_crop", image="kb_1", bbox=bbox, coords="pixel")
    if pixels is None:  # outside of the picture: never a picture without pixels
        assert result.error is not None and "in pixels" in result.error["hint"]
    else:
        assert result.data is not None and result.data["bbox_pixels"] == pixels


@pytest.mark.parametrize(
    ("key", "like"),
    [
        ("Q2", lambda: _on_white(corpus.rgba())),
        ("Q3", None),
        ("Q5", None),
    ],
)
def test_sources_of_every_kind_are_cut_from_their_pixels(odd: World, key: str, like: Any) -> None:
    """Transparent pixels are white, EXIF rotations are applied, a JPEG is not compressed again."""
    caller = Caller(odd)
    handle = caller.show(key)
    whole = caller.pixels(handle)
    data = caller.data("image_crop", image=handle, bbox=[0, 0, 500, 1000])
    part = caller.pixels(data["image"])
    assert np.array_equal(part, whole[:, : part.shape[1]]) and part.shape[1] == round(whole.shape[1] / 2)
    if like is not None:
        assert np.array_equal(whole, like())
    if key == "Q3":  # 32 x 24 pixels that lie on their side
        assert whole.shape == (32, 24, 3)
    picture = caller.handles.pictures[data["image"]].picture
    encoded = odd.images.encoded(picture)
    assert picture.media_type == "image/png" and encoded.startswith(corpus.PNG)


def _on_white(rgba: Any) -> Any:
    alpha = rgba[..., 3:].astype(np.int64)
    return ((rgba[..., :3] * alpha + 255 * (255 - alpha)) / 255 + 0.5).astype(np.uint8)


def test_one_pixel(odd: World) -> None:
    caller = Caller(odd)
    handle = caller.show("Q4")
    assert caller.data("image_crop", image=handle, bbox=[0, 0, 1000, 1000])["width"] == 1
    assert caller.code("image_crop", image=handle, bbox=[0, 0, 400, 400]) == "bad_bbox"


def test_a_crop_of_a_crop_is_a_crop_of_the_original(crop: Caller) -> None:
    crop.data("image_crop", image="kb_1", bbox=[100, 100, 700, 700])
    inner = crop.data("image_crop", image="kb_1_crop", bbox=[500, 0, 1000, 500])
    assert inner["image"] == "kb_1_crop_crop" and inner["parent"] == "kb_1_crop"
    picture = crop.handles.pictures["kb_1_crop_crop"].picture
    left, top, right, bottom = picture.box
    direct = crop.data("image_crop", image="kb_1", bbox=[left, top, right, bottom], coords="pixel")
    assert crop.handles.pictures[direct["image"]].picture == picture
    assert np.array_equal(crop.pixels("kb_1_crop_crop"), crop.pixels("kb_1")[top:bottom, left:right])


def test_the_same_crop_keeps_its_handle(crop: Caller) -> None:
    box = [100, 100, 700, 700]
    first = crop("image_crop", image="kb_1", bbox=box)
    again = crop("image_crop", image="kb_1", bbox=["700", 700, 100, 100])
    assert first.data == again.data and first.show == again.show == ("kb_1_crop",)
    assert "this crop exists already under the same handle" in crop.warnings
    assert crop.data("image_crop", image="kb_1", bbox=[0, 0, 9, 9])["image"] == "kb_1_crop_2"
    assert crop.data("image_crop", image="kb_5", bbox=box)["image"] == "kb_5_crop"


def test_crops_of_crops_end_somewhere(crop: Caller) -> None:
    handle = "kb_1"
    for _ in range(MAX_CROP_DEPTH):
        handle = crop.data("image_crop", image=handle, bbox=[1, 1, 999, 999])["image"]
    assert handle == "kb_1" + "_crop" * MAX_CROP_DEPTH
    assert crop.code("image_crop", image=handle, bbox=[1, 1, 999, 999]) == "crop_depth"
    assert crop.data("view_image", image=handle)["width"] < 768


@pytest.mark.parametrize(
    "image", ["kb_9", "kb_1.png", "/etc/passwd", "file:///etc/passwd", "e_1", "", "KB_1"]
)
def test_only_handles_are_pictures(crop: Caller, image: str) -> None:
    result = crop("image_crop", image=image, bbox=[0, 0, 9, 9])
    assert result.error is not None and result.error["code"] == "unknown_handle"
    assert result.error["hint"].startswith("known handles: kb_") and crop.inputs == []


_number = st.one_of(
    st.integers(-300, 1300),
    st.floats(-50, 1100),
    st.integers(-300, 1300).map(str),
    st.sampled_from([math.inf, math.nan, -0.0, 10**30, "x", None, True, [1], 0.5, 1e-9]),
)


@settings(max_examples=300)
@given(bbox=st.lists(_number, min_size=4, max_size=4), pixel=st.booleans(), key=st.sampled_from(["Q1", "Q5"]))
def test_any_box_is_a_part_of_the_picture_or_an_error(
    odd: World, bbox: list[Any], pixel: bool, key: str
) -> None:
    caller = Caller(odd)
    handle = caller.show(key)
    whole = caller.pixels(handle)
    result = caller("image_crop", image=handle, bbox=bbox, coords="pixel" if pixel else "norm1000")
    if result.error is not None:
        assert result.error["code"] == "bad_bbox" and result.error["hint"] and not result.show
        return
    assert result.data is not None
    left, top, right, bottom = result.data["bbox_pixels"]
    assert 0 <= left < right <= whole.shape[1] and 0 <= top < bottom <= whole.shape[0]
    assert np.array_equal(caller.pixels(result.show[0]), whole[top:bottom, left:right])
    limits = whole.shape[1::-1] if pixel else (1000, 1000)
    numbers = [float(value) for value in bbox]
    inside = all(0 <= value <= limit for value, limit in zip(numbers, (*limits, *limits), strict=True))
    ordered = numbers[0] <= numbers[2] and numbers[1] <= numbers[3]
    assert bool(caller.warnings) == (not (inside and ordered))


@settings(max_examples=100)
@given(
    boxes=st.lists(
        st.tuples(st.integers(0, 400), st.integers(0, 400), st.integers(600, 1000), st.integers(600, 1000)),
        min_size=2,
        max_size=4,
    )
)
def test_crops_compose(odd: World, boxes: list[tuple[int, int, int, int]]) -> None:
    caller = Caller(odd)
    handle = root = caller.show("Q1")
    expected = caller.pixels(root)
    for box in boxes:
        data = caller.data("image_crop", image=handle, bbox=list(box))
        left, top, right, bottom = data["bbox_pixels"]
        expected, handle = expected[top:bottom, left:right], data["image"]
    picture = caller.handles.pictures[handle].picture
    assert np.array_equal(caller.pixels(handle), expected)
    x0, y0, x1, y1 = picture.box
    assert np.array_equal(caller.pixels(root)[y0:y1, x0:x1], expected)
