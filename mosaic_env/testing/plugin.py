"""The pytest plugin: options, and the fixture ``mosaic`` that plays and compares episodes.

    def test_my_agent(mosaic):
        run = mosaic.play(my_agent, env="InterLV-L2-v0", task="bundled/0001")
        assert run.success and run.calls("local_image_search") <= 3
        run.check_golden()

Must not: import anything but pytest before the fixture is used: every pytest run of every project
that has this package installed loads this file.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from mosaic_env.testing.harness import Mosaic

_passed = pytest.StashKey[bool]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("mosaic", "agents in mosaic_env")
    group.addoption(
        "--mosaic-update", action="store_true", help="write goldens from this run instead of comparing"
    )
    group.addoption(
        "--mosaic-live", action="store_true", help="call the real models instead of their recorded outputs"
    )
    group.addoption(
        "--mosaic-trials", type=_at_least_one, default=4, metavar="N",
        help="episodes per task of mosaic.trials (default: 4)",
    )  # fmt: skip


def _at_least_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError("at least 1")
    return number


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note whether the test passed: goldens of a failing test are not written."""
    report = yield
    if report.when == "call":
        item.stash[_passed] = report.passed
    return report


@pytest.fixture
def mosaic(request: pytest.FixtureRequest) -> Iterator[Mosaic]:
    """Play episodes with your agent; see ``mosaic_env.testing.harness``."""
    from mosaic_env.testing.golden import golden_path, name_of_test
    from mosaic_env.testing.harness import Mosaic
    from mosaic_env.testing.store import GoldenStore

    item, option = request.node, request.config.getoption
    name = name_of_test(item.nodeid)
    store = GoldenStore(
        golden_path(item.path.parent, name), name, update=option("--mosaic-update"),
        live=option("--mosaic-live"), command=_command(item),
    )  # fmt: skip
    yield Mosaic(store, trials=option("--mosaic-trials"))
    if item.stash.get(_passed, False):
        store.save()


def _command(item: pytest.Item) -> str:
    """Return the command that runs a test from where pytest was started."""
    place = os.path.relpath(item.path, item.config.invocation_params.dir)
    return f'pytest "{place}::{item.nodeid.partition("::")[2]}"'
