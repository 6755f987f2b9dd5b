"""Whatever a policy wrote and a tool returned, a run has its tables."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mosaic_env.core.types import CallRecord
from mosaic_env.evals.compare import compare_runs
from mosaic_env.evals.metrics.summary import summarise
from mosaic_env.evals.tables import Rate, shown
from tests.evals.hand import TOOLS, answer, played, step

TEXT = st.text(max_size=12) | st.sampled_from(
    ["Q1", "kb_1", '{"call":1,"data":{"results":[{"label":3}]}}', "{" * 90]
)
CALLS = st.builds(
    CallRecord,
    tool=st.sampled_from(TOOLS) | TEXT,
    arguments=st.dictionaries(st.sampled_from(["query", "x"]), TEXT | st.integers() | st.none(), max_size=2),
    status=st.sampled_from(["ok", "error", "dropped"]),
    code=TEXT,
    ranked=st.lists(TEXT, max_size=6).map(tuple),
    modality=st.sampled_from(["", "text", "text_to_image", "image", "graph", "smell"]),
    inputs=st.lists(st.tuples(TEXT, st.integers(0, 3)), max_size=2).map(tuple),
    new_handles=st.lists(TEXT, max_size=2).map(tuple),
)
STEPS = st.lists(
    st.tuples(
        st.lists(CALLS, max_size=3), TEXT, st.lists(TEXT, max_size=2), st.sampled_from(["act", "memory"])
    ),
    max_size=3,
)
ENDS: Any = st.sampled_from(["yes", "no", "unsure", ""])
EPISODES = st.lists(
    st.tuples(STEPS, ENDS, st.booleans(), st.sampled_from(["interlv-l1", "interlv-l2", ""])), max_size=4
)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(EPISODES)
def test_any_episodes_have_tables(drawn: list[Any]) -> None:
    rows = [
        played(
            str(place),
            *(step(*calls, text=text, shown=tuple(seen), phase=phase) for calls, text, seen, phase in steps),
            answer(end, extra=extra),
            level=level,
        )
        for place, (steps, end, extra, level) in enumerate(drawn)
    ]
    summary = summarise(rows, direct=rows[:1], ablations={"less": rows[1:]})
    for table in summary.tables:
        for cells in table.rows:
            assert len(cells) == len(table.columns) and all(map(shown, cells))
            assert all(0 <= cell.right <= cell.n <= len(rows) for cell in cells if isinstance(cell, Rate))
    if rows:
        assert compare_runs(rows, rows).difference == 0 and not compare_runs(rows, rows).lost
