"""What the issue "Agents" must show, a test a line."""

from __future__ import annotations

import pytest

from tests.browser.chrome import Chrome
from tests.browser.conftest import Pages, browser, chrome, pages  # noqa: F401 - fixtures
from tests.browser.test_viewer import test_it_fits_and_can_be_read as fits
from tests.browser.test_viewer import test_more_than_120_payloads_stay_texts as payloads_stay_texts


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 390])
def test_report_and_viewer_fit_both_widths_and_120_payloads_are_inert(
    chrome: Chrome,  # noqa: F811
    pages: Pages,  # noqa: F811
    width: int,
) -> None:
    fits(chrome, pages, width, dark=False)
    payloads_stay_texts(chrome, pages)
