"""In a drawn world, text finds pictures by what they show, with the bundled encoder and without torch."""

from __future__ import annotations

from pathlib import Path
from random import Random

import gymnasium as gym

from mosaic_env.core.types import Search
from mosaic_env.index.joint import load
from mosaic_env.index.world import World, open_world
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.world.captions import FULL, caption


def opened(folder: Path) -> tuple[Snapshot, World]:
    snapshot = Snapshot(folder)
    return snapshot, open_world(snapshot.public)


def test_the_manifest_names_the_encoder(small_snapshot: Path) -> None:
    _, world = opened(small_snapshot)
    route = world.routes["text_to_image"]
    assert route["exactness"] == "exact" and route["scale"] > 100
    assert dict(route["encoder"]) == dict(load("bundled").identity()) and len(route["probes"]) == 10


def test_captions_find_their_pictures(small_snapshot: Path) -> None:
    snapshot, world = opened(small_snapshot)
    rng, first, asked = Random(1), 0, 0
    for row, stored in sorted(world.kb.pictures.items()):
        text = caption(snapshot.private.scene(stored.picture.digest), rng, whole=True)
        if text.attributes >= FULL:
            hits = world.search([Search("text_to_image", text.text, 3)])[0]
            assert hits.matched_on == "picture" and hits.vector is None
            first += hits.rows[0] == row
            asked += 1
    assert asked > 20 and first / asked > 0.8, (first, asked)


def test_the_tool_says_that_pictures_were_compared(small_snapshot: Path) -> None:
    env = gym.make("InterLV-L2-v0", snapshot=str(small_snapshot), memory="none", interactions=3)
    env.reset(seed=0)
    observation, _, _, _, info = env.step(
        '<tool name="local_text_to_image_search">{"query": "a flag"}</tool>'
    )
    assert info["calls"][0]["status"] == "ok" and '"matched_on": "picture"' in observation["text"].replace(
        '"matched_on":"', '"matched_on": "'
    )
    assert not env.unwrapped.episode.vectors  # nothing to keep: a replay encodes the query again, exactly
