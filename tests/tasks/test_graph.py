"""The graph of composing: the same from a snapshot as from the world, sound pictures only, quick look-ups exact."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from mosaic_env.core.errors import TaskError
from mosaic_env.snapshot.locate import find_snapshot
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.tasks.compose import Graph
from mosaic_env.tasks.compose.graph import plain_words
from mosaic_env.tasks.compose.phrases import PICTURES as WORDS
from mosaic_env.world.config import WorldConfig
from mosaic_env.world.generate import WorldData, make_world
from mosaic_env.world.pictures import PICTURES


@pytest.fixture(scope="module")
def world() -> WorldData:
    return make_world(WorldConfig(300, 5))


def made_of(world: WorldData, **changed: object) -> Graph:
    parts = {
        "entities": world.entities, "relations": world.relations, "triples": world.triples,
        "scenes": world.scenes, "nouns": world.nouns, "years": world.years, **changed,
    }  # fmt: skip
    return Graph(**parts)  # type: ignore[arg-type]


def test_a_snapshot_of_a_world_holds_all_that_composing_needs() -> None:
    snapshot = Snapshot(find_snapshot("bundled"))
    things = snapshot.private.things()
    graph = Graph.of_snapshot(snapshot)
    assert things.keys() == set(snapshot.public.kb.keys)
    assert graph.scenes and graph.scenes.keys() <= things.keys()
    assert all(graph.nodes[key].nouns == thing.nouns for key, thing in things.items())


def test_nouns_stand_in_no_public_section() -> None:
    snapshot = Snapshot(find_snapshot("bundled"))
    for name, entry in snapshot.manifest.sections.items():
        for path in entry.files:
            if path.endswith(".sqlite"):
                with sqlite3.connect(snapshot.folder / path) as file:
                    tables = {row[0] for row in file.execute("SELECT name FROM sqlite_master")}
                assert ("things" in tables) == (name == "private"), path


def test_a_snapshot_that_does_not_know_its_things_says_so(tiny: Path) -> None:
    with pytest.raises(TaskError, match="asks cannot be generated on this snapshot"):
        Graph.of_snapshot(Snapshot(tiny))


def test_flawed_pictures_and_unknown_kinds_are_never_asked_about(world: WorldData) -> None:
    keys = list(world.scenes)
    flawed, strange = keys[:40], keys[40:60]
    scenes = {
        **world.scenes,
        **{key: {**world.scenes[key], "flaw": "blurred"} for key in flawed},
        **{key: {**world.scenes[key], "kind": "hologram"} for key in strange},
    }
    graph = made_of(world, scenes=scenes)
    assert graph.scenes.keys() == set(keys[60:])


def test_every_kind_of_picture_can_be_asked_about(world: WorldData) -> None:
    """A kind that is drawn and has no words would silently never be asked about."""
    assert set(PICTURES) <= set(WORDS)
    graph = made_of(world)
    asked = {graph.scenes[key]["kind"] for key in graph.scenes if graph.askable(key)}
    assert asked == {scene["kind"] for scene in world.scenes.values()}


def test_look_ups_give_what_a_search_through_everything_gives(world: WorldData) -> None:
    graph = made_of(world)
    texts = [plain_words(f"{e.description} {e.text}") for e in world.entities]
    for entity in world.entities[::7]:
        node = graph.nodes[entity.key]
        assert graph.crowd(node) == sum(plain_words(entity.label) in text for text in texts)
    for phrase in ("was born in", "no such phrase", "a", ""):
        everything = [*texts, *(plain_words(e.label) for e in world.entities)]
        assert graph.says(phrase) == (
            bool(phrase) and any(plain_words(phrase) in text for text in everything)
        )
    for head, relation, tail in world.triples[::11]:
        assert tail in graph.neighbours(head, relation, inverse=False)
        assert head in graph.neighbours(tail, relation, inverse=True)
        assert graph.adjacent(head, tail) and graph.adjacent(tail, head)


def test_pictures_that_show_the_same_are_counted(world: WorldData) -> None:
    first, second = list(world.scenes)[:2]
    graph = made_of(world, scenes={**world.scenes, second: {**world.scenes[first], "seed": 1}})
    assert graph.twins(first) == graph.twins(second) == 2
    assert made_of(world).twins(first) == 1
