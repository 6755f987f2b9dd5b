"""Fixtures that every folder may use."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "ci", max_examples=200, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ci")
# A shell starts what runs in the background with Ctrl-C ignored, and children inherit that: tests send it to theirs.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny snapshot; tests must not write into it."""
    from tests.snapshot.small import build

    folder = tmp_path_factory.mktemp("tiny") / "snapshot"
    build(folder)
    return folder
