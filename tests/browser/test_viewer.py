"""The page in headless Chromium: what a person does with it, and what it never does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mosaic_env.guard.html import visible
from tests.browser.chrome import Chrome
from tests.browser.conftest import Pages
from tests.evals.report_payloads import PAYLOADS
from tests.evals.report_run import BOX

pytestmark = pytest.mark.browser

_ROWS = "[...document.querySelectorAll('a.row')].length"
_FITS = "document.documentElement.scrollWidth <= innerWidth"


def script(name: str) -> str:
    return (Path(__file__).parent / name).read_text("utf-8")


def texts(chrome: Chrome, selector: str) -> list[str]:
    found: list[str] = chrome.run(
        f"[...document.querySelectorAll({json.dumps(selector)})].filter(e => e.checkVisibility())"
        ".map(e => e.innerText)"
    )
    return found


def open_first(chrome: Chrome, address: str) -> None:
    chrome.open(address)
    chrome.click("a.row")


def set_value(chrome: Chrome, name: str, value: str, event: str) -> None:
    """Give a control a value, as typing or choosing does."""
    chrome.run(
        f"(() => {{ const one = document.getElementById('{name}'); one.value = '{value}';"
        f" one.dispatchEvent(new Event('{event}')); }})()"
    )


def test_the_list_is_filtered_searched_and_sorted(chrome: Chrome, pages: Pages) -> None:
    chrome.open(pages.one)
    assert texts(chrome, "#tasks .chips button") == ["all 4", "right 0", "wrong 3", "unsure 0", "unplayed 1"]
    chrome.click("#chip-unplayed")
    assert chrome.run(_ROWS) == 1
    assert "unplayed" in texts(chrome, "a.row")[0]
    chrome.click("#chip-all")
    set_value(chrome, "search", "LOST", "input")
    assert (chrome.run(_ROWS), texts(chrome, "#count")) == (1, ["1 task of 4"])
    set_value(chrome, "search", "", "input")
    set_value(chrome, "by-order", "steps", "change")
    assert "unplayed" in texts(chrome, "a.row")[-1]


def test_a_task_opens_as_a_timeline_and_can_be_linked(chrome: Chrome, pages: Pages) -> None:
    open_first(chrome, pages.one)
    assert not texts(chrome, "#report")
    assert [text.split()[1] for text in texts(chrome, ".step h3")] == ["1", "2", "3", "4", "5", "6", "7"]
    assert texts(chrome, "#step-1 .thought")[0].startswith("The tower first.")
    assert texts(chrome, "#step-1 .budget") == ["1 of 7"]
    assert any("surely not this" in text for text in texts(chrome, "#step-7 .answered"))
    assert "reward 0" in texts(chrome, "#step-7 .terms")[0]
    address = chrome.run("location.href")
    assert "#task=mosaic-l2" in address
    chrome.open(address)
    assert len(texts(chrome, ".step")) == 7
    chrome.open(pages.one + "#task=" + "%E0%A4%A")
    assert texts(chrome, "#report") and texts(chrome, "#lost") == ["This page has no such task."]


def test_gold_is_hidden_until_asked_for(chrome: Chrome, pages: Pages) -> None:
    open_first(chrome, pages.one)
    assert texts(chrome, "#gold") == []
    chrome.click("#show-gold")
    assert texts(chrome, "#gold")[0].startswith("Answer: ")
    assert chrome.run("document.getElementById('show-gold').getAttribute('aria-expanded')") == "true"
    chrome.press("g")
    assert texts(chrome, "#gold") == []


def test_the_box_of_a_crop_lies_where_it_was_cut(chrome: Chrome, pages: Pages) -> None:
    open_first(chrome, pages.one)
    place = chrome.run(
        "(() => { const box = document.querySelector('#step-1 .box .line').getBoundingClientRect();"
        " const all = box && document.querySelector('#step-1 .thumb img').getBoundingClientRect();"
        " return [(box.left - all.left) / all.width, (box.top - all.top) / all.height,"
        " (box.right - all.left) / all.width, (box.bottom - all.top) / all.height]; })()"
    )
    assert place == pytest.approx([value / 1000 for value in BOX], abs=0.02)


def test_a_picture_opens_large_and_closes(chrome: Chrome, pages: Pages) -> None:
    open_first(chrome, pages.one)
    chrome.click("#step-1 .thumb")
    assert chrome.run("document.querySelector('dialog').open")
    assert chrome.run(
        "[...document.querySelectorAll('dialog img')].every(i => i.complete && i.naturalWidth > 0)"
    )
    chrome.click("dialog button")
    assert not chrome.run("document.querySelector('dialog').open")


def test_keys_walk_steps_and_tasks(chrome: Chrome, pages: Pages) -> None:
    chrome.open(pages.one)
    chrome.press("j")
    chrome.press("j")
    assert chrome.run("[...document.querySelectorAll('a.row')].indexOf(document.activeElement)") == 1
    chrome.run("document.activeElement.click()")
    chrome.settle()
    first = texts(chrome, "#episode h1")
    for _ in range(3):
        chrome.press("j")
    assert chrome.run("document.activeElement.id") == "step-3"
    chrome.press("k")
    assert chrome.run("document.activeElement.id") == "step-2"
    chrome.press("ArrowRight")
    assert texts(chrome, "#episode h1") != first
    chrome.press("ArrowLeft")
    assert texts(chrome, "#episode h1") == first
    chrome.press("Escape")
    assert texts(chrome, "#report")


def test_two_runs_stand_side_by_side(chrome: Chrome, pages: Pages) -> None:
    open_first(chrome, pages.two)
    assert [text.split("\n")[0] for text in texts(chrome, ".outcome")] == ["scripted", "oracle"]
    lefts = chrome.run(
        "['step-1', 'step-b1'].map(id => document.getElementById(id).getBoundingClientRect()).map(b => [b.left, b.top])"
    )
    assert lefts[0][0] < lefts[1][0] and lefts[0][1] == lefts[1][1]
    assert texts(chrome, "#first-difference") == ["The runs differ from here."]
    assert chrome.run("document.getElementById('first-difference').nextSibling.id") == "step-1"
    chrome.size(390, 844)
    tops = chrome.run(
        "['step-1', 'step-b1', 'step-2'].map(id => document.getElementById(id).getBoundingClientRect().top)"
    )
    assert tops == sorted(tops)


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("dark", [False, True])
def test_it_fits_and_can_be_read(chrome: Chrome, pages: Pages, width: int, dark: bool) -> None:
    chrome.size(width, 844)
    chrome.dark(dark)
    for address in (pages.one, pages.two):
        chrome.open(address)
        assert chrome.run(_FITS)
        chrome.click("a.row")
        chrome.run("document.querySelectorAll('details').forEach(d => { d.open = true; })")
        chrome.settle()
        assert chrome.run(_FITS)
        assert chrome.run("[...document.images].every(i => i.alt && i.complete && i.naturalWidth > 0)")
        assert min(contrasts(chrome)) >= 4.5


def contrasts(chrome: Chrome) -> list[float]:
    """Return the contrast of every visible text with what lies behind it."""
    found: list[float] = chrome.run(script("contrasts.js"))
    assert len(found) > 50
    return found


# --- hostile texts ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_more_than_120_payloads_stay_texts(chrome: Chrome, pages: Pages) -> None:
    assert len(PAYLOADS) >= 120
    chrome.open(pages.hostile)
    found: dict[str, Any] = chrome.run(script("probe.js"))
    assert found["wrong"] == []
    assert found["links"] == 2 * len(PAYLOADS)
    for payload, shown in zip(PAYLOADS, found["questions"], strict=False):
        expected = visible(payload)
        assert shown == expected if len(payload) <= 2000 else shown.startswith(expected[:1000])
