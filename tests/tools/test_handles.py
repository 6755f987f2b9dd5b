"""Handles: one name for one thing in an episode, found exactly or not at all, nearest ones as a hint."""

from __future__ import annotations

import pytest

from mosaic_env.core.types import Picture
from mosaic_env.index.world import World
from mosaic_env.tools.handles import Handles
from tests.tools.calling import Caller, labels, short


def test_numbers_count_up_and_stay(call: Caller) -> None:
    first = call.data("local_text_search", query="Velden")["results"]
    assert [row["entity"] for row in first] == [f"e_{n}" for n in range(1, len(first) + 1)]
    pictured = [row["image"] for row in first if "image" in row]
    assert pictured == [f"kb_{n}" for n in range(1, len(pictured) + 1)]
    again = call.data("local_text_search", query="Velden")["results"]
    assert again == first
    names = {row["label"]: row["entity"] for row in first}
    other = call.data("local_text_search", query="album by the band Marrow")["results"]
    for row in other:
        assert names.setdefault(row["label"], row["entity"]) == row["entity"]
    assert len(set(names.values())) == len(names)


def test_every_way_to_an_entity_gives_its_handle(call: Caller) -> None:
    found = call.data("local_text_search", query="Velden", top_k=1)["results"][0]
    by_picture = call.data("local_image_search", image=found["image"], top_k=1)["results"][0]
    graph = call.data("local_graph_neighbors", entity=found["entity"])
    listed = call.data("list_images")["images"][0]
    assert by_picture["entity"] == graph["entity"] == listed["entity"] == found["entity"]
    assert by_picture["image"] == listed["image"] == found["image"]


def test_an_episode_knows_only_what_it_met(world: World) -> None:
    one, other = Caller(world), Caller(world)
    one.data("local_text_search", query="Velden")
    assert other.code("view_image", image="kb_1") == "unknown_handle"
    assert other.code("local_graph_neighbors", entity="e_1") == "unknown_handle"
    assert labels(other.data("local_text_search", query="Ashgrove"))[0] == "Ashgrove"
    assert other.handles.entity_row("e_1") == world.kb.rows["Q6"]


def test_a_picture_stands_for_its_entity(world: World) -> None:
    handles = Handles()
    row = world.kb.rows["Q3"]
    assert handles.entity(row) == "e_1" and handles.picture_of(row, world) == "kb_1"
    picture = handles.pictures["kb_1"].picture
    crop, new = handles.crop("kb_1", world.images.crop(picture, (0, 0, 9, 9)))
    question = handles.question_picture(picture)
    assert new and (crop, question) == ("kb_1_crop", "img_1")
    assert [handles.entity_row(name) for name in ("e_1", "kb_1", crop, question)] == [row, row, row, None]
    assert handles.picture_of(world.kb.rows["Q2"], world) is None  # it has no picture, and gets no handle
    assert list(handles.pictures) == ["kb_1", "kb_1_crop", "img_1"]


def test_question_pictures(world: World) -> None:
    handles = Handles()
    pictures = [Picture(f"sha256:{n}", "image/png", 9, 9) for n in (1, 2, 1)]
    assert [handles.question_picture(picture) for picture in pictures] == ["img_1", "img_2", "img_1"]


@pytest.mark.parametrize(
    "handle",
    ["e_0", "e_01", "e_3", "e_-1", "e_+1", "e_1.0", "e_", "e", "e_1 ", " e_1", "E_1", "e_one", "e__1", "", "\ud800",
     "e_" + "9" * 10_000, "e_" + "0" * 10_000 + "1", "e_١", "e_１", "e_²", "e_১", "kb_1_crop_2", "img_1", "Q3"],
    ids=short,
)  # fmt: skip
def test_handles_that_do_not_exist(world: World, handle: str) -> None:
    handles = Handles()
    handles.entity(world.kb.rows["Q3"])
    handles.entity(world.kb.rows["Q4"])
    handles.picture_of(world.kb.rows["Q3"], world)
    assert handles.entity_row(handle) is None and handles.origin_of(handle) is None
    caller = Caller(world)
    caller.handles = handles
    for tool, name in (("local_graph_neighbors", "entity"), ("view_image", "image")):
        error = caller(tool, **{name: handle}).error
        assert error is not None and error["code"] == "unknown_handle"
        assert len(error["message"]) < 200 and error["message"].encode("utf-8") and len(error["hint"]) < 200
        assert caller.inputs == []


def test_hints_name_what_is_near(call: Caller, world: World) -> None:
    assert call.code("view_image", image="kb_1") == "unknown_handle"
    error = call("view_image", image="kb_1").error
    assert error is not None and error["hint"] == "no handles yet: search first"
    call.data("local_text_search", query="Velden", top_k=3)
    error = call("view_image", image="kb1").error
    assert error is not None and error["hint"].startswith("known handles: kb_1")
    assert "e_" not in error["hint"]
    error = call("local_graph_neighbors", entity="entity 2").error
    assert error is not None and "e_2" in error["hint"]
    error = call("view_image", image="a portrait of the mayor").error  # nothing is near: the last ones
    assert error is not None and error["hint"].startswith("known handles: kb_")


def test_hints_are_short_when_there_are_many(world: World) -> None:
    handles = Handles()
    for number in range(500):
        handles.entity(number)
    hint = handles.nearest("zzz", entities=True)
    assert hint.count("e_") == 8 and hint.endswith("e_500 …")
    assert "e_321" in handles.nearest("e_321x", entities=True)
    assert handles.nearest("e_" + "3" * 10**6, entities=True).startswith("known handles: ")


def test_copies_are_independent(world: World) -> None:
    handles = Handles()
    handles.entity(world.kb.rows["Q3"])
    copy = handles.copy()
    copy.entity(world.kb.rows["Q4"])
    copy.picture_of(world.kb.rows["Q1"], world)
    copy.origin = 7
    assert handles.entity_row("e_2") is None and not handles.pictures and handles.origin == 0
    assert (
        handles.picture_of(world.kb.rows["Q5"], world)
        == "kb_1"
        == copy.picture_of(world.kb.rows["Q1"], world)
    )


def test_where_a_handle_came_from(world: World) -> None:
    handles = Handles()
    for origin, key in ((1, "Q3"), (2, "Q1"), (3, "Q3")):
        handles.origin = origin
        handles.entity(world.kb.rows[key])
        handles.picture_of(world.kb.rows[key], world)
    assert [handles.origin_of(name) for name in ("e_1", "kb_1", "e_2", "kb_2")] == [1, 1, 2, 2]
