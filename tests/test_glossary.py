"""The glossary has the words of the tables: all headings of reports and audits, and no other word."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from pathlib import Path

from mosaic_env.evals.metrics.groups import MULTI, SINGLE
from mosaic_env.evals.metrics.summary import summarise
from mosaic_env.evals.records import Judged, Unplayed
from mosaic_env.evals.tables import Summary
from tests.evals.hand import answer, played, step, ten

ROOT = Path(__file__).resolve().parents[1]
ROWS = re.findall(
    r"^\| (?!word \|)(.+?) \| (.+) \|$", (ROOT / "docs" / "glossary.md").read_text("utf-8"), re.MULTILINE
)
WORDS = [word.replace("\\|", "|") for word, _ in ROWS]
#: Tables whose first columns name what they are about: their cells are words of the tables as well.
NAMING = ("accuracy", "ablations")
#: What needs no explanation, or is explained by another word of its row.
PLAIN = {"", "kind", "type", "agent", "95 % interval"}


def everything() -> Summary:
    """A summary with every table that there is."""
    notes = {"prompt_tokens": "3", "completion_tokens": "1", "cost": "0.1"}
    rows = [replace(one, notes=notes) for one in ten()]
    rows.append(replace(played("q", answer("no"), tags=("a",)), judged=Judged("yes", "rules", "x")))
    rows.append(played("r", step(failure=("tool_fault", "env")), answer("no"), question="What is q?"))
    return summarise(rows, [Unplayed("a/b", "timeout")], direct=rows, ablations={"no memory": rows})


def headings_of_audits() -> set[str]:
    """Headings as the commands write them: the tuples of words given to ``console.table``."""
    found = set()
    for name in ("tasks", "pairs"):
        for node in ast.walk(ast.parse((ROOT / "mosaic_env" / "cli" / f"{name}.py").read_text("utf-8"))):
            if isinstance(node, ast.Tuple) and len(node.elts) > 3:
                found |= {str(part.value) for part in node.elts if isinstance(part, ast.Constant)}
    return found


def test_the_glossary_has_the_words_of_the_tables_and_no_other() -> None:
    tables = everything().tables
    assert len(tables) >= 14
    columns = {name for table in tables for name in table.columns}
    names = {str(row[0]) for table in tables if table.key in NAMING for row in table.rows} - {"no memory"}
    levels = {name for name in columns if re.fullmatch(r"Level \d", name)}
    used = (columns | names | headings_of_audits() | {SINGLE, MULTI}) - levels - PLAIN
    folded = {word.lower() for word in WORDS}
    assert {word for word in used if word.lower() not in folded} == set()
    assert {word for word in WORDS if word.lower() not in {name.lower() for name in used}} == set()
    assert len(folded) == len(WORDS)
