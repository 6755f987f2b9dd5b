"""A changed world answers as one that was built with the new pictures, and leaves the original as it was."""

from __future__ import annotations

from collections.abc import Sequence

import gymnasium as gym
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mosaic_env  # noqa: F401
from mosaic_env.core.errors import ConfigError
from mosaic_env.core.types import Search
from mosaic_env.guard.images import CanonicalPicture, canonicalise
from mosaic_env.index.overlay import OverlaidIndex, OverlayWorld
from mosaic_env.index.vectors import VectorIndex
from mosaic_env.index.world import World
from mosaic_env.world.config import WorldConfig
from mosaic_env.world.draw import draw
from mosaic_env.world.generate import make_world


@pytest.fixture(scope="module")
def base() -> World:
    world: World = gym.make("InterLV-L2-v0").unwrapped.world  # type: ignore[attr-defined]
    return world


@pytest.fixture(scope="module")
def new() -> list[CanonicalPicture]:
    """Pictures that the world does not have."""
    scenes = list(make_world(WorldConfig(60, 991)).scenes.values())[:3]
    return [canonicalise(draw(scene)) for scene in scenes]


@pytest.fixture(scope="module")
def keys(base: World) -> list[str]:
    """Two pictured entities that are touched, and one that is not."""
    return [base.kb.keys[row] for row in sorted(base.kb.pictures)[40:43]]


@pytest.fixture(scope="module")
def changed(base: World, new: list[CanonicalPicture], keys: list[str]) -> OverlayWorld:
    return OverlayWorld(base, {keys[0]: new[0], keys[1]: new[1]})


def test_only_what_was_touched_differs(
    base: World, changed: OverlayWorld, new: list[CanonicalPicture], keys: list[str]
) -> None:
    before, after = base.kb.pictures, changed.kb.pictures
    assert before.keys() == after.keys()
    assert [base.kb.keys[row] for row in sorted(before) if before[row] != after[row]] == keys[:2]
    assert len(changed.kb.stored_pictures) == len(base.kb.stored_pictures)
    assert (
        sum(one != two for one, two in zip(base.kb.stored_pictures, changed.kb.stored_pictures, strict=True))
        == 2
    )
    for key, found in zip(keys, new, strict=False):
        stored = changed.kb.pictures[base.kb.rows[key]]
        touched = key != keys[2]
        assert (changed.images.encoded(stored.picture) == found.data) == touched
        assert (changed.kb.by_digest[stored.picture.digest].entity, stored.entity) == (key, key)
    assert changed.textual is base.textual and changed.kb.texts is base.kb.texts
    assert changed.kb.triples is base.kb.triples and changed.kb.edges is base.kb.edges


def test_the_original_stays_as_it_was(base: World, changed: OverlayWorld, keys: list[str]) -> None:
    assert changed.id != base.id == base.snapshot.manifest.root(("kb", "objects", "index", "responses"))
    changed.search([Search("image", changed.changed[0].picture, 5)])
    for stored in changed.changed:
        assert stored.picture.digest not in base.kb.by_digest
        assert base.kb.pictures[base.kb.rows[stored.entity]] != stored


@pytest.mark.parametrize("route", ["image", "text_to_image"])
def test_searches_are_those_of_an_index_built_with_the_new_vectors(
    base: World, changed: OverlayWorld, route: str
) -> None:
    vectors, rows = changed.route_arrays(route)
    old, _ = base.route_arrays(route)
    each = len(vectors) // len(rows)
    differ = np.unique(np.flatnonzero((vectors != old).any(axis=1)) // each)
    assert [base.kb.keys[row] for row in rows[differ]] == [stored.entity for stored in changed.changed]
    groups = np.repeat(np.arange(len(rows), dtype=np.int32), each) if each > 1 else None
    built = VectorIndex(vectors, groups=groups)
    asked = searches(changed, route)
    for search, hits in zip(asked, changed.search(asked), strict=True):
        vector, _ = changed._query_vectors(route, search)
        places, scores = built.search(vector[None], search.k)
        assert hits.rows == tuple(rows[places[0]].tolist()) and hits.scores == tuple(scores[0].tolist())


def searches(world: OverlayWorld, route: str) -> list[Search]:
    """Return searches that the new pictures answer, and others."""
    if route == "text_to_image":
        texts = ("a portrait with a hat", "a flag with a star", "a yellow boat on the sea")
        return [Search(route, text, k, pictured=True) for text in texts for k in (1, 7, 2000)]
    stored = [one.picture for one in world.changed]
    part = world.images.crop(stored[0], (5, 5, stored[0].width - 20, stored[0].height - 30))
    others = [world.kb.pictures[row].picture for row in sorted(world.kb.pictures)[:3]]
    return [Search(route, one, k) for one in (*stored, part, *others) for k in (1, 7, 2000)]


def test_the_new_picture_is_found_and_the_old_one_is_not(base: World, changed: OverlayWorld) -> None:
    for stored in changed.changed:
        row = base.kb.rows[stored.entity]
        old = base.kb.pictures[row].picture
        now, before = changed.search([Search("image", stored.picture, 3), Search("image", old, 3)])
        assert now.rows[0] == row and before.rows[0] != row
        assert base.search([Search("image", old, 3)])[0].rows[0] == row


def test_an_overlay_of_an_overlay_is_both(
    base: World, changed: OverlayWorld, new: list[CanonicalPicture], keys: list[str]
) -> None:
    twice = OverlayWorld(OverlayWorld(base, {keys[0]: new[0]}), {keys[1]: new[1]})
    assert twice.kb.stored_pictures == changed.kb.stored_pictures
    asked = searches(changed, "image")
    assert twice.search(asked) == changed.search(asked)
    for stored in changed.changed:
        assert twice.images.encoded(stored.picture) == changed.images.encoded(stored.picture)


def test_an_entity_without_a_picture_gets_none(base: World, new: list[CanonicalPicture]) -> None:
    bare = next(key for row, key in enumerate(base.kb.keys) if row not in base.kb.pictures)
    for key in (bare, "Q0"):
        with pytest.raises(ConfigError, match="has no picture"):
            OverlayWorld(base, {key: new[0]})


@settings(max_examples=40)
@given(data=st.data())
def test_an_overlaid_index_is_exact(data: st.DataObject) -> None:
    """Small numbers, so that many scores are equal."""
    things, each, width = (data.draw(st.integers(1, most)) for most in (12, 3, 4))
    numbers = st.integers(-2, 2)
    vectors = drawn(data, numbers, (things * each, width))
    places = np.array(sorted(data.draw(st.sets(st.integers(0, things - 1)))), np.int64)
    other = drawn(data, numbers, (len(places), each, width))
    queries = drawn(data, numbers, (data.draw(st.integers(0, 3)), width))
    replaced = vectors.reshape(things, each, width).copy()
    replaced[places] = other
    groups = np.repeat(np.arange(things, dtype=np.int32), each)
    index = OverlaidIndex(VectorIndex(vectors, groups=groups), places, other)
    built = VectorIndex(replaced.reshape(-1, width), groups=groups)
    assert len(index) == len(built) == things
    for k in (1, 3, things, things + 5):
        for one, two in zip(index.search(queries, k), built.search(queries, k), strict=True):
            assert np.array_equal(one, two)


def drawn(data: st.DataObject, numbers: st.SearchStrategy[int], shape: Sequence[int]) -> np.ndarray:
    size = int(np.prod(shape))
    return np.array(data.draw(st.lists(numbers, min_size=size, max_size=size)), np.int8).reshape(shape)
