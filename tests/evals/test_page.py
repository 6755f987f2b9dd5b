"""The page of a run: what is in it, what is not, and what a browser would make of it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pytest

from mosaic_env.cli import main
from mosaic_env.core.types import CallRecord, Observation, Picture, Shown
from mosaic_env.envs.episode import write_episodes
from mosaic_env.evals.report import viewer
from mosaic_env.evals.report.album import SIDE, Album
from mosaic_env.evals.report.page import Run, render_page, write_page
from mosaic_env.evals.report.viewer import Item
from mosaic_env.evals.tables import Summary, Table
from mosaic_env.guard.images import decode_rgb
from tests.evals.report_payloads import PAYLOADS, hostile_run
from tests.evals.report_run import BOX, LOST, SUMMARY, Sample, sample


class Page(HTMLParser):
    """What a parser finds in a page."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.blocks: dict[str, Any] = {}
        self.text = ""
        self._open: list[tuple[str, dict[str, str]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in ("meta", "rect"):
            self._open.append((tag, {name: value or "" for name, value in attrs}))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop()[0] == tag, f"</{tag}> closes something else"

    def handle_data(self, data: str) -> None:
        tag, attributes = self._open[-1] if self._open else ("", {})
        if tag == "script" and attributes.get("type") == "application/json":
            self.blocks[attributes["id"]] = self.blocks.get(attributes["id"], "") + data
        elif tag not in ("script", "style"):
            self.text += data

    def block(self, name: str) -> Any:
        return json.loads(self.blocks[name])


@pytest.fixture(scope="module")
def played() -> Sample:
    return sample()


@pytest.fixture(scope="module")
def page(played: Sample) -> Page:
    return Page(render_page(played.cropper, worlds=played.worlds, summary=SUMMARY, other=played.oracle))


def test_facts_warnings_and_tables_stand_in_plain_html(page: Page) -> None:
    for text in ("InterLV-L2-v0", "One task could not be played.", "Accuracy", "33.3 %", "1/3", "Shares."):
        assert text in page.text
    labels = [value for tag, name, value in page.attributes if (tag, name) == ("svg", "aria-label")]
    assert labels == ["95 % interval 6.1 to 79.2 %"]


def test_every_task_is_listed_with_its_outcome(played: Sample, page: Page) -> None:
    index = page.block("index")
    assert index["runs"] == ["scripted", "oracle"]
    assert [task["id"] for task in index["tasks"]] == [*played.keys, LOST.task]
    assert [[run["verdict"] for run in task["runs"]] for task in index["tasks"]] == [
        *[["wrong", "right"]] * 3, ["unplayed", "absent"],
    ]  # fmt: skip
    assert page.block("e3")["runs"][0]["unplayed"] == LOST.as_dict()


def test_an_episode_is_all_there(played: Sample, page: Page) -> None:
    episode = played.cropper.items[0].episode
    shown = page.block("e0")["runs"][0]
    assert [step["action"] for step in shown["steps"]] == [step.action for step in episode.steps]
    assert [step["text"] for step in shown["steps"]] == [step.observation.text for step in episode.steps]
    assert [step["used"] for step in shown["steps"]] == [1, 1, 2, 2, 3, 3, 4]
    assert shown["limit"] == 7
    assert shown["judged"]["value"] == "no"
    assert shown["digest"] == episode.digest


def test_pictures_are_embedded_once_and_as_they_are(played: Sample, page: Page) -> None:
    uris = [page.block(name) for name in page.blocks if name.startswith("p")]
    assert len(set(uris)) == len(uris)
    world = next(iter(played.worlds.values()))
    for item in (*played.cropper.items, *played.oracle.items):
        needed = {picture.digest: picture for picture in viewer.pictures(item, world)}
        assert len(needed) > 2
    steps = page.block("e0")["runs"][0]["steps"]
    cut = played.cropper.items[0].episode.steps[0].observation.shown[0].picture
    import base64

    data = base64.b64decode(page.block(f"p{steps[0]['shown'][0]['at']}").partition(",")[2])
    assert (decode_rgb(data) == world.images.pixels(cut)).all()


def test_crops_are_drawn_where_they_were_cut(page: Page) -> None:
    steps = page.block("e0")["runs"][0]["steps"]
    crop = steps[0]["calls"][0]["crop"]
    assert crop["handle"] == "img_1"
    assert crop["box"] == [value / 1000 for value in BOX]
    again = next(
        call["crop"]
        for step in steps
        for call in step["calls"]
        if call.get("crop", {}).get("handle") == "img_1_crop"
    )
    assert again["box"] == [0, 0, 0.5, 0.5]


@pytest.mark.parametrize(
    ("arguments", "box"),
    [
        ({"bbox": [900, 800, 100, 200]}, (0.1, 0.2, 0.9, 0.8)),
        ({"bbox": [-50, 0, 2000, 500]}, (0.0, 0.0, 1.0, 0.5)),
        ({"bbox": ["100", 0, 500, 500]}, (0.1, 0.0, 0.5, 0.5)),
        ({"bbox": [10, 0, 100, 50], "coords": "pixel"}, (0.1, 0.0, 1.0, 1.0)),
        ({"bbox": [1, 2, 3]}, None),
        ({"bbox": [1, 2, 3, float("nan")]}, None),
        ({"bbox": "abcd"}, None),
        ({"bbox": 7}, None),
        ({}, None),
    ],
)
def test_boxes_are_read_as_the_tool_reads_them(arguments: dict[str, Any], box: Any, played: Sample) -> None:
    parent = Picture("sha256:x", "image/png", 100, 50)
    call = CallRecord("image_crop", {"image": "kb_1", **arguments}, "ok")
    world = next(iter(played.worlds.values()))
    found = viewer._cut(call, {"kb_1": parent}, Observation(""), world)
    assert (None if found is None else found[1]) == box


def test_a_crop_of_a_picture_that_was_never_shown_is_drawn_over_the_stored_one(played: Sample) -> None:
    world = next(iter(played.worlds.values()))
    stored = next(iter(world.kb.pictures.values())).picture
    cut = Shown("kb_99_crop", world.images.crop(stored, (10, 20, 110, 120)))
    call = CallRecord("image_crop", {"image": "kb_99", "bbox": BOX}, "ok", new_handles=(cut.handle,))
    found = viewer._cut(call, {}, Observation("", (cut,)), world)
    width, height = stored.width, stored.height
    assert found == (stored, (10 / width, 20 / height, 110 / width, 120 / height), "")


def test_gold_has_names_and_says_where_it_was_found(page: Page) -> None:
    whole = page.block("e0")
    assert whole["gold"]["answer"]
    assert all(not re.fullmatch(r"M\d+", hop["tail"]) for hop in whole["gold"]["chain"])
    assert all(whole["runs"][1]["found"]), "the oracle finds every hop"
    assert not all(whole["runs"][0]["found"])


def test_the_same_input_gives_the_same_bytes(played: Sample, tmp_path: Path) -> None:
    paths = (tmp_path / "a.html", tmp_path / "b.html")
    for path in paths:
        write_page(path, played.cropper, worlds=played.worlds, summary=SUMMARY)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_pictures_beyond_the_limit_are_left_out_of_right_answers_first(played: Sample) -> None:
    whole = Page(render_page(played.oracle, worlds=played.worlds, other=played.cropper))
    size = sum(len(whole.block(name)) for name in whole.blocks if name.startswith("p"))
    short = Page(render_page(played.oracle, worlds=played.worlds, other=played.cropper, limit=size * 2 // 3))
    left = [[run["left"] for run in short.block(f"e{number}")["runs"]] for number in range(3)]
    assert any(right for right, _ in left)
    assert not any(wrong for _, wrong in left)
    count = sum(right for right, _ in left)
    assert f"The pictures of {count} episode" in short.text
    none = Page(render_page(played.oracle, worlds=played.worlds, limit=0))
    assert "The pictures of 3 episodes of 3 are left out" in none.text
    assert not [name for name in none.blocks if name.startswith("p")]


def test_large_pictures_are_reduced(played: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    import base64

    import numpy as np

    world = next(iter(played.worlds.values()))
    noise = np.random.default_rng(0).integers(0, 256, (700, 1400, 3), dtype=np.uint8)
    large = Picture("sha256:large", "image/png", 1400, 700)
    monkeypatch.setattr(world.images, "encoded", lambda picture: b"\x00" * 10)
    monkeypatch.setattr(world.images, "pixels", lambda picture: noise)
    album = Album()
    assert album.take(world, [large])
    assert album.uris[0].startswith("data:image/jpeg;base64,")
    assert decode_rgb(base64.b64decode(album.uris[0].partition(",")[2])).shape == (SIDE // 2, SIDE, 3)


def test_what_is_not_at_hand_is_said(played: Sample) -> None:
    page = Page(render_page(played.cropper, worlds={}))
    assert "3 episodes of 3 come from a world that is not at hand" in page.text
    bare = Run("x", [Item.alone(item.episode) for item in played.cropper.items])
    page = Page(render_page(bare, worlds=played.worlds))
    assert "The gold of 3 episodes of 3 is not at hand." in page.text
    assert page.block("e0")["gold"] is None


def test_a_task_of_several_parts_is_listed_for_each(played: Sample) -> None:
    items = [
        replace(item, notes={"part": part}) for part in ("tools", "direct") for item in played.cropper.items
    ]
    index = Page(render_page(Run("x", items), worlds=played.worlds)).block("index")
    assert [task["id"] for task in index["tasks"]][::3] == [
        f"{played.keys[0]} (tools)",
        f"{played.keys[0]} (direct)",
    ]


def test_a_key_in_a_column_of_tasks_leads_to_its_episode(played: Sample) -> None:
    keys = (played.keys[0], LOST.task, "mosaic-l2/unknown", "<a b>")
    rows = tuple((key, key) for key in keys)
    summary = Summary({}, (Table("failures", "Not solved", ("Task", "Detail"), rows),))
    run = replace(played.cropper, unplayed={**played.cropper.unplayed, ("", "<a b>"): LOST})
    text = render_page(run, worlds=played.worlds, summary=summary)
    body = text[text.index("<tbody>") : text.index("</tbody>")]
    links = re.findall(r'<td><a href="#task=([^"&<>]+)">([^<]+)</a></td><td>[^<]+</td>', body)
    assert [(unquote(name), unescape(shown)) for name, shown in links] == [
        (key, key) for key in keys if "unknown" not in key
    ]


def test_a_key_of_several_parts_leads_to_the_main_one(played: Sample) -> None:
    key, other = played.keys[:2]
    parts = {("L2, direct", key): LOST, ("L2", key): LOST, ("L1", other): LOST, ("L2", other): LOST}
    summary = Summary({}, (Table("failures", "Not solved", ("Task",), ((key,), (other,))),))
    text = render_page(Run("x", (), parts), worlds={}, summary=summary)
    assert re.findall(r'href="#task=([^"]+)"', text) == [quote(f"{key} (L2)", safe="")]


def test_nothing_is_loaded_and_only_the_own_script_runs(page: Page) -> None:
    policy = next(value for _, name, value in page.attributes if name == "content" and "default-src" in value)
    assert policy.startswith("default-src 'none'; img-src data:; script-src 'sha256-")
    inside = ("a", "href", "#tasks")  # a place in the page: nothing is loaded
    assert not [
        one
        for one in page.attributes
        if one[1].startswith("on") or (one[1] in ("src", "href", "style") and one != inside)
    ]
    assert page.tags.count("script") == len(page.blocks) + 1


def test_hostile_texts_make_no_element(played: Sample) -> None:
    world = next(iter(played.worlds.values()))
    picture = next(iter(world.kb.pictures.values())).picture
    run, other, summary = hostile_run(picture)
    text = render_page(run, worlds=played.worlds, other=other, summary=summary, title=PAYLOADS[1])
    page = Page(text)
    harmless = Page(
        render_page(Run("x", []), worlds={}, summary=replace(summary, facts={}, warnings=(), tables=()))
    )
    assert set(page.tags) <= {*harmless.tags, "dl", "dt", "dd", "div", "section", "table", "thead", "tbody", "tr", "th",
                              "td", "b", "small", "svg", "title", "rect", "p"}  # fmt: skip
    assert page.tags.count("script") == len(page.blocks) + 1
    assert page.tags.count("style") == page.tags.count("h1") == 1
    assert len(page.block("index")["tasks"]) == 2 * len(PAYLOADS)
    assert not re.search("[\ud800-\udfff\x00\u202e]", text)


def test_view_writes_a_page_from_files(
    played: Sample, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, run in (("one", played.cropper), ("two", played.oracle)):
        write_episodes(tmp_path / f"{name}.jsonl", [item.episode for item in run.items])
    out = tmp_path / "page.html"
    assert (
        main(["view", str(tmp_path / "one.jsonl"), "--other", str(tmp_path / "two.jsonl"), "--out", str(out)])
        == 0
    )
    assert "wrote" in capsys.readouterr().out
    page = Page(out.read_text("utf-8"))
    assert page.block("index")["runs"] == ["one", "two"]
    assert page.block("e0")["gold"]["answer"]
    assert "not at hand" not in page.text


def test_view_says_what_it_cannot_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty.jsonl").write_text("")
    for name in ("empty.jsonl", "missing.jsonl"):
        assert main(["view", str(tmp_path / name), "--out", str(tmp_path / "x.html")]) == 2
        assert "ME-EPISODE-01" in capsys.readouterr().err
    assert not (tmp_path / "x.html").exists()
