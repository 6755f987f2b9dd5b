"""Pictures: small, lossless, the same everywhere, and true to their scenes."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections import defaultdict
from pathlib import Path
from random import Random

import numpy as np
import pytest
from PIL import Image

from mosaic_env.core.errors import ConfigError
from mosaic_env.core.types import Search
from mosaic_env.guard.images import canonicalise, decode_rgb
from mosaic_env.index.world import open_world
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.snapshot.verify import verify
from mosaic_env.tasks.compose.scene_query import answer, asks
from mosaic_env.world.draw import SMALL_HEIGHT, draw, draw_small
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.encode import encode_picture
from mosaic_env.world.drawing.icons import ICONS, draw_icon
from mosaic_env.world.drawing.landmarks import LANDMARKS, draw_landmark
from mosaic_env.world.drawing.palette import SHADES, shade
from mosaic_env.world.gallery import write_gallery
from mosaic_env.world.pictures import PICTURES
from mosaic_env.world.scene import About
from tests.snapshot.resigned import section_file, sign
from tests.world.processes import in_processes

KINDS = list(PICTURES)
LIMIT = 12_000


def sampled(kind: str, seed: int) -> dict[str, object]:
    return PICTURES.get(kind).sample(Random(seed), About("Ilvane Morwick", "cat breed", seed % 2 == 0))


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_is_small_canonical_and_of_its_size(kind: str) -> None:
    for seed in (1, 2):
        data = draw(sampled(kind, seed))
        found = canonicalise(data)
        assert found.data == data, "the snapshot stores the bytes as they are drawn"
        assert (found.width, found.height) == PICTURES.get(kind).size
        assert len(data) <= LIMIT


@pytest.mark.parametrize("kind", KINDS)
def test_the_small_picture_is_the_picture_made_small(kind: str) -> None:
    shown = sampled(kind, 3)
    small, whole = draw_small(shown), decode_rgb(draw(shown))
    assert small.dtype == np.uint8 and small.shape[0] == SMALL_HEIGHT
    assert abs(small.shape[1] / SMALL_HEIGHT - whole.shape[1] / whole.shape[0]) < 0.01
    size = (small.shape[1], small.shape[0])
    reduced = np.asarray(Image.fromarray(whole).resize(size, Image.Resampling.BOX)).astype(int)
    near = np.abs(reduced - small).mean()
    assert near < 9 and near < np.abs(np.roll(reduced, 20, axis=1) - small).mean() / 2


def test_two_processes_draw_the_same_bytes() -> None:
    code = (
        "import hashlib; from random import Random; from mosaic_env.world.pictures import PICTURES\n"
        "from mosaic_env.world.draw import draw; from mosaic_env.world.scene import About\n"
        "print([hashlib.sha256(draw(PICTURES.get(k).sample(Random(5), About('Ilvane', 'dog breed')))).hexdigest()"
        " for k in PICTURES])"
    )
    first, second = in_processes(code)
    assert first == second and first.count("'") == 2 * len(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_scenes_are_plain_data_with_things_under_one_name_each(kind: str) -> None:
    for seed in range(300):
        shown = sampled(kind, seed)
        assert json.loads(json.dumps(shown)) == shown
        names = [entry["name"] for entry in shown["things"]]  # type: ignore[attr-defined]
        assert len(set(names)) == len(names), names
        for ask in asks(shown):
            assert answer(shown, ask), ask


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_gives_many_different_questions(kind: str) -> None:
    found = {
        (ask["type"], answer(shown, ask))
        for shown in (sampled(kind, s) for s in range(60))
        for ask in asks(shown)
    }
    assert len({kind for kind, _ in found}) >= 3
    assert len(found) >= 15


def test_a_scene_that_lacks_a_thing_is_a_clear_error() -> None:
    shown = sampled("crest", 1)
    things = [entry for entry in shown["things"] if entry["name"] != "ribbon"]  # type: ignore[attr-defined]
    with pytest.raises(ConfigError, match="a crest has no 'ribbon'"):
        draw({**shown, "things": things})


@pytest.mark.parametrize("name", sorted(SHADES))
def test_an_asked_colour_is_the_colour_that_is_drawn(name: str) -> None:
    """The middle of a flag's plain cloth, after palette and file, is within a few units of the shade."""
    canvas = Canvas(60, 40, shade(name))
    draw_icon(canvas, "star", 12, 12, 8, shade("white" if name == "black" else "black"))
    pixels = decode_rgb(encode_picture(canvas.finish()))
    assert np.abs(pixels[30, 45].astype(int) - np.array(shade(name))).max() <= 2


def test_a_picture_with_few_colours_is_stored_without_loss_beyond_its_grid() -> None:
    ramp = np.stack([np.full((40, 64), v) for v in (30, 90, 200)], axis=2)
    ramp[:, :, 0] += np.arange(64)[None, :] * 2
    stored = decode_rgb(encode_picture(Image.fromarray(ramp.astype(np.uint8)))).astype(int)
    assert np.abs(stored - ramp).max() <= 1


def test_shades_of_two_colours_are_never_close() -> None:
    tones = [(name, tone) for name in SHADES for tone in SHADES[name]]
    for first, a in tones:
        for second, b in tones:
            if first != second:
                assert np.abs(np.subtract(a, b)).max() > 24, (first, second)


@pytest.mark.parametrize("registry", [ICONS, LANDMARKS], ids=["icons", "landmarks"])
def test_every_emblem_and_landmark_covers_a_good_part_of_its_place(registry: object) -> None:
    for name in registry:  # type: ignore[attr-defined]
        canvas = Canvas(100, 100)
        if registry is ICONS:
            draw_icon(canvas, name, 50, 50, 40, shade("red"))
        else:
            draw_landmark(canvas, name, 50, 95, 85, shade("red"))
        share = (np.asarray(canvas.finish()) < 250).any(axis=2).mean()
        assert 0.06 < share < 0.75, name


def painted(shown: dict[str, object]) -> np.ndarray:
    kind = PICTURES.get(str(shown["kind"]))
    canvas = Canvas(*kind.size)
    kind.paint(canvas, shown)
    return np.asarray(canvas.finish()).astype(int)


def test_changing_one_answer_of_a_scene_changes_that_thing_and_nothing_else() -> None:
    shown = sampled("skyline", 4)
    landmark = next(t for t in shown["things"] if t.get("line"))  # type: ignore[attr-defined]
    other = "green" if landmark["colour"] != "green" else "red"
    things = [{**t, "colour": other} if t is landmark else t for t in shown["things"]]  # type: ignore[attr-defined]
    changed = np.abs(painted(shown) - painted({**shown, "things": things})).max(axis=2).nonzero()
    assert len(changed[1]) > 300
    assert np.abs(changed[1] - landmark["at"][0] * 0.32).max() < 70


@pytest.mark.parametrize("kind", ["landscape", "map", "stamp", "plant", "instrument", "sculpture"])
def test_whatever_can_be_asked_can_be_seen(kind: str) -> None:
    """Another colour, count, shape or pattern of any thing, as other scenes have it, makes another picture."""
    values = defaultdict(set)
    for seed in range(120):
        for thing in sampled(kind, seed)["things"]:  # type: ignore[attr-defined]
            for attribute in ("colour", "count", "shape", "pattern"):
                if attribute in thing:
                    values[thing["name"], attribute].add(thing[attribute])
    for seed in range(200, 203):
        shown = sampled(kind, seed)
        before = draw_small(shown).astype(int)
        for thing in shown["things"]:  # type: ignore[attr-defined]
            for attribute in ("colour", "count", "shape", "pattern"):
                others = sorted(values[thing["name"], attribute] - {thing.get(attribute)}, key=str)
                if attribute not in thing or not others or thing.get("hidden"):
                    continue
                changed = {**thing, attribute: others[0]}  # of counts the smallest
                things = [changed if t is thing else t for t in shown["things"]]  # type: ignore[attr-defined]
                after = draw_small({**shown, "things": things}).astype(int)
                assert (np.abs(before - after).max(axis=2) > 24).sum() > 12, (thing, changed)


def test_things_in_a_column_stand_one_above_the_other_where_they_are_drawn() -> None:
    for seed in range(6):
        shown = sampled("plant", seed)
        column = [t for t in shown["things"] if "column" in t]  # type: ignore[attr-defined]
        assert len(column) == 3
        middles = []
        for thing in column:
            other = "green" if thing["colour"] in ("red", "purple", "brown", "orange", "pink") else "red"
            things = [{**t, "colour": other} if t is thing else t for t in shown["things"]]  # type: ignore[attr-defined]
            changed = np.abs(painted(shown) - painted({**shown, "things": things})).max(axis=2) > 24
            rows, columns = changed.nonzero()
            size = PICTURES.get("plant").size
            middles.append(float(np.median(rows)))
            assert abs(np.median(columns) / size[0] * 1000 - thing["at"][0]) < 60
        heights = [thing["at"][1] for thing in column]
        assert np.argsort(middles).tolist() == np.argsort(heights).tolist()


def test_a_snapshot_is_whole_small_and_searchable(small_snapshot: Path) -> None:
    assert not verify(small_snapshot)
    opened = Snapshot(small_snapshot)
    assert opened.manifest.world == "mosaic-60-3"
    assert opened.public.tasks.names == ("bundled",)
    world, golds = open_world(opened.public), opened.private.golds()
    shown = [row.task for row in opened.public.tasks.rows if row.task.pictures]
    assert len(shown) >= 5
    for task in shown:
        hits = world.search([Search("image", task.pictures[0], 1)])[0]
        start = golds[task.key].chain[0].tail
        assert world.kb.keys[hits.rows[0]] == start, "a question picture leads back to its source"
        assert task.pictures[0].digest not in {p.picture.digest for p in world.kb.stored_pictures}


def test_scenes_are_stored_by_picture_in_the_private_part(small_snapshot: Path) -> None:
    opened = Snapshot(small_snapshot)
    for stored in opened.public.kb.stored_pictures:
        assert opened.private.scene(stored.picture.digest)["kind"] in PICTURES


def test_the_gallery_holds_everything_and_escapes_it(small_snapshot: Path, tmp_path: Path) -> None:
    write_gallery(small_snapshot, tmp_path / "a.html")
    write_gallery(small_snapshot, tmp_path / "b.html")
    page = (tmp_path / "a.html").read_text("utf-8")
    opened = Snapshot(small_snapshot)
    assert page == (tmp_path / "b.html").read_text("utf-8")
    assert page.count("data:image/png;base64,") == len(opened.public.kb.pictures) + sum(
        len(row.task.pictures) for row in opened.public.tasks.rows
    )
    assert all(row.task.key in page for row in opened.public.tasks.rows)
    assert "&#x27;" in page and "<script" not in page and not re.search(r"(src|href)=\"(?!data:)", page)


def test_the_gallery_of_what_strangers_wrote(tiny: Path, tmp_path: Path) -> None:
    """A signed snapshot may hold any text, gold of any form, or no gold at all."""
    hostile = "<script>alert(1)</script>\u202e'\"><img src=x onerror=alert(1)>"
    odd = Path(shutil.copytree(tiny, tmp_path / "odd"))
    with sqlite3.connect(section_file(odd, "private")) as db:
        golds = [(key, json.loads(gold)) for key, gold in db.execute("SELECT key, gold FROM gold")]
        for number, (key, gold) in enumerate(golds):
            gold["notes"] = {"ask": ("[1]", "{", f'{{"a": "{"x" * 9000}"}}')[number % 3]}
            gold["answer"] = hostile
            gold["chain"] = [{**hop, "tail": "Q999"} for hop in gold["chain"]]
            db.execute("UPDATE gold SET gold = ? WHERE key = ?", (json.dumps(gold), key))
    db.close()
    sign(odd)
    bare = Path(shutil.copytree(tiny, tmp_path / "bare"))
    sign(bare, lambda plain: plain["sections"].pop("private"))
    own = Path(shutil.copytree(tiny, tmp_path / "own"))
    sign(own, lambda plain: [plain["sections"].pop(name) for name in ("private", "tasks")])
    for folder, said in ((odd, "Q999"), (bare, "(no gold)"), (own, "0 tasks")):
        write_gallery(folder, tmp_path / "page.html")
        page = (tmp_path / "page.html").read_text("utf-8")
        assert said in page and "<script" not in page and "<img src" not in page and "\u202e" not in page
        assert len(page) < 60_000
