"""Progress in a log: plain lines, not too many, and none for what is quick."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mosaic_env import console


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """A clock of one entry that a test turns."""
    now = [1000.0]
    monkeypatch.setattr("mosaic_env.console.time.monotonic", lambda: now[0])
    yield now


def test_a_log_gets_a_line_at_most_every_ten_seconds(
    clock: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    with console.progress() as say:
        for done in range(1, 2001):  # 40 seconds
            clock[0] += 0.02
            say("pictures" if done <= 1200 else "tasks", done, 2000)
    said = capsys.readouterr()
    assert said.out == ""
    lines = said.err.splitlines()
    assert 3 <= len(lines) <= 4 and lines[0].startswith("pictures: 50") and lines[2].startswith("tasks: 1,50")
    assert all(line.endswith(" of 2,000") for line in lines)


def test_what_is_quick_says_nothing(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    with console.progress() as say, console.bar("tasks") as tell:
        clock[0] += 9.9
        say("pictures", 1, 1)
        tell(1, 1, "all well")
    assert capsys.readouterr() == ("", "")


def test_a_bar_tells_its_state_and_shows_hostile_text_harmlessly(
    clock: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    with console.bar("tasks") as tell:
        clock[0] += 10
        tell(3, 7, "2 right [bold]\x1b[2J[/bold]")
    error = capsys.readouterr().err
    assert (
        error.startswith("tasks: 3 of 7, 2 right [bold]") and error.count("\n") == 1 and "\x1b" not in error
    )
