"""Reports as text: a hostile cell stays a cell, a share keeps its interval, long tables are cut in a terminal only."""

from __future__ import annotations

import re

import pytest

from mosaic_env import console
from mosaic_env.evals.report.markdown import markdown
from mosaic_env.evals.report.terminal import print_summary
from mosaic_env.evals.tables import Rate, Summary, Table

HOSTILE = "a | b\n\n# <script>x</script> [l](javascript:x) `c` ![p](x) \x1b[31m\u202e"


def summary(rows: int = 1) -> Summary:
    cells = tuple((HOSTILE, 3, 0.25, Rate(1, 4), None) for _ in range(rows))
    return Summary({HOSTILE: HOSTILE}, (Table("t", HOSTILE, ("", *"abcd"), cells, HOSTILE),), (HOSTILE,))


def test_markdown_shows_hostile_text_as_it_is_written() -> None:
    text = markdown(summary(), HOSTILE)
    lines = text.splitlines()
    row = next(line for line in lines if line.startswith("| a"))
    assert row.replace("\\|", "").count("|") == 6
    assert row.endswith("| 3 | 0.25 | 25.0 % (1/4, 4.6–69.9) | – |")
    assert sum(line.startswith("# ") for line in lines) == 1
    bare = re.sub(r"\\.", "", text)  # what is escaped shows as it is written
    assert not [sign for sign in ("<", "[", "`", "\x1b", "\u202e") if sign in bare]


def test_a_terminal_shows_the_same_and_cuts_long_tables(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console.out, "_width", 100)
    print_summary(summary(25))
    text = capsys.readouterr().out
    assert text.count("25.0 % (1/4)") == text.count("4.6–69.9") == 20 and "… and 5 rows more" in text
    assert "\x1b[31m" not in text and "\u202e" not in text
    assert markdown(summary(25)).count("(1/4, ") == 25


def test_a_short_print_is_the_first_table(capsys: pytest.CaptureFixture[str]) -> None:
    tables = tuple(Table(key, f"title of {key}", ("a wide column name",), (("x",),)) for key in "abc")
    made = Summary({"agent": "me"}, tables, ("look here",))
    print_summary(made, full=False)
    text = capsys.readouterr().out
    assert "me" in text and "note: look here" in text and "title of a" in text
    assert "title of b" not in text and text.endswith("\n2 more tables with --full, and in the reports\n")
    print_summary(made)
    text = capsys.readouterr().out
    assert "title of b" in text and "title of c" in text and "--full" not in text
    print_summary(Summary({}, tables[:1]), full=False)
    assert "--full" not in capsys.readouterr().out
