"""A browser, and pages of a small run to open in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from mosaic_env.evals.report.page import write_page
from tests.browser.chrome import Chrome, chromium, find_chromium
from tests.evals.report_payloads import hostile_run
from tests.evals.report_run import SUMMARY, sample


@dataclass(frozen=True)
class Pages:
    """Addresses: one run with its report, two runs side by side, and a run made of payloads."""

    one: str
    two: str
    hostile: str


@pytest.fixture(scope="module")
def browser() -> Iterator[Chrome]:
    """A browser that is gone before other modules look at, or kill, the processes of this one."""
    program = find_chromium()
    if program is None:
        pytest.skip("no Chromium on this machine (MOSAIC_CHROMIUM names one)")
    with chromium(program) as running:
        yield running


@pytest.fixture
def chrome(browser: Chrome) -> Iterator[Chrome]:
    """The browser, at desktop size; a test fails when its page did what a report never does."""
    browser.size(1280, 900)
    browser.dark(False)
    browser.events.clear()
    yield browser
    assert not browser.events


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Pages:
    folder = tmp_path_factory.mktemp("pages")
    runs = sample()
    picture = next(iter(next(iter(runs.worlds.values())).kb.pictures.values())).picture
    hostile, other, summary = hostile_run(picture)

    def place(name: str) -> Path:
        return folder / f"{name}.html"

    write_page(place("one"), runs.cropper, worlds=runs.worlds, summary=SUMMARY, title="One run")
    write_page(place("two"), runs.cropper, worlds=runs.worlds, other=runs.oracle, title="Two runs")
    write_page(
        place("hostile"), hostile, worlds=runs.worlds, other=other, summary=summary, title=summary.warnings[1]
    )
    return Pages(*(place(name).as_uri() for name in ("one", "two", "hostile")))
