"""A run as one self-contained HTML page: what the summary says, the list of tasks, and every episode.

Facts and tables are plain HTML. Tasks, episodes and pictures are JSON in script blocks that no browser runs; the
page's own script, the only one its policy allows, reads one when it is opened and shows texts as text.

The page holds gold (hidden until asked): it is for people, never for agents.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

from mosaic_env.core.words import counted
from mosaic_env.evals.records import Scored, Unplayed
from mosaic_env.evals.report.album import LIMIT, Album
from mosaic_env.evals.report.viewer import Item, episode_data, gold_data, pictures
from mosaic_env.evals.tables import Cell, Rate, Summary, Table, shown
from mosaic_env.guard.html import csp, embed_json, escape, visible
from mosaic_env.index.world import World
from mosaic_env.snapshot.files import output

_SCRIPTS = ("dom.js", "pictures.js", "results.js", "episode.js", "list.js", "main.js")
#: Heading of a column that holds keys of tasks.
_TASK = "Task"
#: (part of the run, key of the task): what two runs are compared by.
Job = tuple[str, str]


@dataclass(frozen=True)
class Run:
    """What the episodes of one run are.

    Args:
        name: What the page calls it: the agent, or the file.
        items: Its episodes.
        unplayed: Tasks without an episode, by part and task.
    """

    name: str
    items: Sequence[Item]
    unplayed: Mapping[Job, Unplayed] = field(default_factory=dict)

    @classmethod
    def of(cls, name: str, scored: Iterable[Scored], unplayed: Mapping[Job, Unplayed] | None = None) -> Run:
        """Return a run of finished tasks."""
        return cls(name, [Item.of(one) for one in scored], unplayed or {})


def write_page(
    path: Path,
    run: Run,
    *,
    worlds: Mapping[str, World],
    summary: Summary | None = None,
    title: str = "Evaluation",
    other: Run | None = None,
    limit: int = LIMIT,
) -> None:
    """Write the page.

    Args:
        run: The episodes.
        worlds: By world id, for pictures and names; without its world an episode is shown without them, and the
            page says so.
        summary: What stands above the tasks.
        other: A second run of the same tasks, shown beside the first.
        limit: Bytes that pictures may take. Beyond it, episodes lose theirs, right answers first, and the page says
            so.

    Determinism: the same input gives the same bytes; no clock, no machine. Cost: reads each picture once.
    """
    text = render_page(run, worlds=worlds, summary=summary, title=title, other=other, limit=limit)
    # Half a surrogate pair, which a model may write and UTF-8 cannot hold, stands as its escape.
    with output(path) as place:
        place.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")


def render_page(
    run: Run,
    *,
    worlds: Mapping[str, World],
    summary: Summary | None = None,
    title: str = "Evaluation",
    other: Run | None = None,
    limit: int = LIMIT,
) -> str:
    """Return the page's text; see ``write_page``."""
    runs = (run,) if other is None else (run, other)
    album = Album(limit)
    blocks, said = _episodes(runs, worlds, album)
    style, script = _asset("page.css"), _script()
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(csp(script, style))}">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{_text(title)}</title><style>{style}</style>"
    )
    to_tasks = "" if summary is None else '<p><a href="#tasks">To the tasks and their episodes ↓</a></p>'
    body = (
        f'<main id="report"><header><h1>{_text(title)}</h1>{to_tasks}</header>{_summary(summary, _links(runs))}'
        f'<section id="tasks"><h2>Tasks</h2>{_warnings(said)}'
        "<noscript><p>The list of tasks and the episodes need JavaScript, which is switched off.</p></noscript>"
        '</section></main><main id="episode" hidden></main>'
    )
    data = "".join(
        [
            *(_block(name, value) for name, value in blocks),
            *(_block(f"p{number}", uri) for number, uri in enumerate(album.uris)),
        ]
    )
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>{body}\n{data}'
        f"<script>{script}</script></body></html>\n"
    )


# --- tasks and episodes -----------------------------------------------------------------------------


def _episodes(
    runs: Sequence[Run], worlds: Mapping[str, World], album: Album
) -> tuple[list[tuple[str, Any]], list[str]]:
    """Return the data blocks by name, and what has to be said about them."""
    items = [{_job(item): item for item in run.items} for run in runs]
    jobs = _jobs(runs)
    left_out = _take_pictures([item for run in items for item in run.values()], worlds, album)
    names = _names(jobs)
    tasks, blocks = [], []
    for number, job in enumerate(jobs):
        entry: dict[str, Any] = {"id": names[job], "part": job[0], "key": job[1], "runs": []}
        whole: dict[str, Any] = {"runs": []}
        for run, its in zip(runs, items, strict=True):
            item = its.get(job)
            world = None if item is None else worlds.get(item.episode.world)
            if item is not None:
                entry |= _about(item) | entry
                whole["gold"] = whole.get("gold") or gold_data(item.gold, world)
                whole["runs"].append(
                    episode_data(item, world, album)
                    | {"left": id(item) in left_out, "world": world is not None}
                )
                entry["runs"].append(_outcome(item))
            else:
                failure = run.unplayed.get(job)
                whole["runs"].append({"unplayed": None if failure is None else failure.as_dict()})
                entry["runs"].append({"verdict": "unplayed" if failure is not None else "absent"})
        tasks.append(entry)
        blocks.append((f"e{number}", whole))
    index = {"runs": [run.name for run in runs], "tasks": tasks}
    return [("index", index), *blocks], _said(items, worlds, album, len(left_out))


def _job(item: Item) -> Job:
    return (item.notes.get("part", ""), item.episode.task.key)


def _jobs(runs: Sequence[Run]) -> list[Job]:
    """Return every task of the page once, in the order of its list."""
    played = (_job(item) for run in runs for item in run.items)
    return list(dict.fromkeys([*played, *(job for run in runs for job in run.unplayed)]))


def _links(runs: Sequence[Run]) -> dict[str, str]:
    """Return the address of each task on the page, by key.

    Of a key that several parts of a run played it is the first's, whose name begins those of its variants; a key of
    several environments names no single task and has none.
    """
    jobs = _jobs(runs)
    names, parts = _names(jobs), dict[str, list[str]]()
    for part, key in jobs:
        parts.setdefault(key, []).append(part)
    return {
        key: "#task=" + quote(names[min(found), key], safe="")
        for key, found in parts.items()
        if all(part.startswith(min(found)) for part in found)
    }


def _names(jobs: Sequence[Job]) -> dict[Job, str]:
    """Return the name of each task in links: its key, with its part where keys alone are not enough."""
    keys = [key for _, key in jobs]
    several = len(set(keys)) < len(keys)
    return {job: visible(f"{job[1]} ({job[0]})" if several and job[0] else job[1]) for job in jobs}


def _about(item: Item) -> dict[str, Any]:
    task = item.episode.task
    kind = item.gold.kind if item.gold is not None else ""
    return {"question": task.question, "level": task.level, "kind": kind, "tags": list(task.tags)}


def _outcome(item: Item) -> dict[str, Any]:
    return {
        "verdict": {"yes": "right", "no": "wrong", "unsure": "unsure"}[item.judged.value],
        "reason": item.judged.reason,
        "answer": item.episode.answer,
        "steps": len(item.episode.steps),
        "calls": sum(len(step.calls) for step in item.episode.steps),
        "reward": item.episode.reward,
    }


def _take_pictures(items: Sequence[Item], worlds: Mapping[str, World], album: Album) -> set[int]:
    """Fill the album, wrong and unsure answers first; return the ids of items whose pictures did not fit."""
    left_out = set()
    for item in sorted(items, key=lambda item: item.judged.value == "yes"):
        world = worlds.get(item.episode.world)
        if world is not None and not album.take(world, pictures(item, world)):
            left_out.add(id(item))
    return left_out


def _said(
    items: Sequence[Mapping[Job, Item]], worlds: Mapping[str, World], album: Album, left_out: int
) -> list[str]:
    every = [item for run in items for item in run.values()]
    said = []
    if left_out:
        said.append(
            f"The pictures of {counted(left_out, 'episode')} of {len(every):,} are left out, those of right answers "
            f"first, because a page holds {album.limit / 2**20:.0f} MB of pictures. Open fewer episodes to see them."
        )
    strange = sum(item.episode.world not in worlds for item in every)
    if strange:
        said.append(
            f"{counted(strange, 'episode')} of {len(every):,} come from a world that is not at hand: they are shown "
            "without pictures and names."
        )
    if album.unreadable:
        said.append(f"{counted(album.unreadable, 'picture')} could not be read.")
    without = sum(item.gold is None for item in every)
    if without:
        said.append(f"The gold of {counted(without, 'episode')} of {len(every):,} is not at hand.")
    return said


# --- the report above them --------------------------------------------------------------------------


def _summary(summary: Summary | None, links: Mapping[str, str]) -> str:
    if summary is None:
        return ""
    facts = "".join(
        f"<div><dt>{_text(name)}</dt><dd>{_text(value)}</dd></div>" for name, value in summary.facts.items()
    )
    tables = "".join(_table(table, number, links) for number, table in enumerate(summary.tables))
    return f'{_warnings(summary.warnings)}<dl class="facts">{facts}</dl>{tables}'


def _warnings(sentences: Iterable[str]) -> str:
    return "".join(f'<p class="warning">{_text(sentence)}</p>' for sentence in sentences)


def _table(table: Table, number: int, links: Mapping[str, str]) -> str:
    """Return a table; in a column of tasks each key leads to its episode."""
    numeric = [
        bool(table.rows) and all(isinstance(row[place], (int, float, type(None))) for row in table.rows)
        for place in range(len(table.columns))
    ]
    head = "".join(
        f'<th scope="col"{_class(right)}>{_text(name)}</th>'
        for name, right in zip(table.columns, numeric, strict=True)
    )
    rows = "".join(
        "<tr>"
        + "".join(
            _cell(cell, right, links.get(str(cell), "") if name == _TASK else "")
            for cell, right, name in zip(row, numeric, table.columns, strict=True)
        )
        + "</tr>"
        for row in table.rows
    )
    note = f'<p class="note">{_text(table.note)}</p>' if table.note else ""
    return (
        f'<section class="table"><h2 id="t{number}">{_text(table.title)}</h2>{note}'
        f'<div class="wide" role="region" tabindex="0" aria-labelledby="t{number}">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></section>"
    )


def _class(numeric: bool) -> str:
    return ' class="number"' if numeric else ""


def _cell(cell: Cell, numeric: bool, link: str) -> str:
    if isinstance(cell, Rate) and cell.share is not None:
        return f'<td class="rate">{_rate(cell)}</td>'
    text = _text(shown(cell))
    if link:
        text = f'<a href="{escape(link)}">{text}</a>'
    return f"<td{_class(numeric)}>{text}</td>"


def _rate(rate: Rate) -> str:
    """Return a share, its counts, and its interval as a bar from 0 to 100 %."""
    low, high = (100 * end for end in rate.interval)
    share = 100 * (rate.share or 0.0)
    return (
        f"<b>{share:.1f} %</b> <small>{rate.right}/{rate.n}</small>"
        f'<svg viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="95 % interval '
        f'{low:.1f} to {high:.1f} %"><title>{low:.1f}–{high:.1f} %</title>'
        '<rect class="rail" x="0" y="3" width="100" height="2"/>'
        f'<rect class="span" x="{low:.2f}" y="1" width="{high - low:.2f}" height="6"/>'
        f'<rect class="mark" x="{min(max(share - 0.75, 0), 98.5):.2f}" y="0" width="1.5" height="8"/></svg>'
    )


def _text(text: str) -> str:
    return escape(visible(text))


def _block(name: str, value: Any) -> str:
    return f'<script type="application/json" id="{name}">{embed_json(value)}</script>\n'


# --- what the page brings along ---------------------------------------------------------------------


@cache
def _asset(name: str) -> str:
    return (files("mosaic_env.evals.report") / "assets" / name).read_text("utf-8")


@cache
def _script() -> str:
    return '"use strict";\n(() => {\n' + "\n".join(map(_asset, _SCRIPTS)) + "})();\n"
