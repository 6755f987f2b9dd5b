"""One self-contained HTML page with the pictures, entities and tasks of a snapshot, for people who check it.

The page shows answers: it is for authors, never for agents.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from mosaic_env.core.types import Gold, Task
from mosaic_env.core.words import counted
from mosaic_env.guard.html import csp, escape, visible
from mosaic_env.snapshot.files import output
from mosaic_env.snapshot.kb import Entity
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.tasks.compose.scene_query import ask_of

#: Pictured entities, others, and tasks of each level on a page.
MOST = 300
#: Characters of a text that are shown.
_LONGEST = 4_000
#: Pictures of each kind at least, where there are so many.
_ROW = 5
_STYLE = """
body{font:15px/1.45 system-ui,sans-serif;margin:0 auto;max-width:1360px;padding:24px;background:#f4f2ec;color:#25232e}
h1{font-size:26px;margin:0 0 4px}
h2{margin:36px 0 12px;font-size:20px}h2 i{font:13px system-ui;color:#66626f}
p.lead{margin:0;color:#66626f}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(250px,1fr));gap:16px}
.card{background:#fff;border-radius:10px;overflow:hidden;box-shadow:0 1px 4px #0002;display:flex}
.card{flex-direction:column}
.card .frame{background:#e9e6dd;height:220px;display:flex;align-items:center;justify-content:center}
.card img{max-width:100%;max-height:220px;display:block}
.card .words{padding:10px 14px 14px}.card b{font-size:16px}.card i{color:#66626f;font-style:normal;font-size:13px}
.card p{margin:6px 0 0;font-size:13px}.key{color:#9a95a3;font-size:12px}
.task{background:#fff;border-radius:10px;padding:12px 16px;margin:10px 0;display:flex;flex-wrap:wrap;gap:16px}
.task>div{flex:1 1 220px;min-width:0;overflow-wrap:anywhere}
.task{box-shadow:0 1px 4px #0002}
.task img{max-width:180px;max-height:150px;border-radius:6px}
.task p{margin:0 0 6px}.task .answer{font-weight:600;color:#1d6b45}
.tag{display:inline-block;background:#ece8f6;color:#4b3f7c}
.tag{border-radius:9px;padding:0 8px;margin-right:6px;font-size:12px}
.hops{font-size:12.5px;color:#66626f}
"""


def write_gallery(folder: Path, out_html: Path, most: int = MOST) -> None:
    """Write the contact sheet of a snapshot.

    Args:
        folder: A snapshot with kb and objects; one without tasks, or without gold, shows what it has.
        out_html: The page; pictures are inside it as data URIs.
        most: How many pictured entities, entities without a picture, and tasks of a level are shown; of more, some
            are chosen by hash.

    Determinism: the same snapshot gives the same bytes.
    Cost: reads the objects it shows.
    """
    snapshot = Snapshot(folder)
    kb = snapshot.public.kb
    golds = snapshot.private.golds() if snapshot.has_private else {}
    sizes = (
        counted(len(kb), "entity", "entities"),
        counted(len(kb.pictures), "picture"),
        counted(len(_public(snapshot)), "task"),
    )
    title = f"{kb.world}: {', '.join(sizes)}"
    parts = [
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{_text(title)}</title>',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(csp("", _STYLE))}"><style>{_STYLE}</style>',
        f"</head><body><h1>{_text(kb.world)}</h1><p class=lead>{escape(', '.join(sizes))}. ",
        "This page shows answers.</p>",
        *_pictured(snapshot, most),
        *_others(snapshot, most),
        *_tasks(snapshot, golds, most),
    ]
    with output(out_html) as path:
        path.write_text("".join([*parts, "</body></html>\n"]), encoding="utf-8")


def _some(keys: Iterable[str], most: int) -> list[str]:
    """Return at most so many keys, chosen by hash, sorted."""
    return sorted(sorted(keys, key=lambda key: hashlib.sha256(key.encode()).digest())[:most])


def _heading(what: str, shown: int, there: int) -> str:
    return f"<h2>{_text(what)} <i>{shown} of {there}</i></h2>"


def _pictured(snapshot: Snapshot, most: int) -> Iterator[str]:
    """Yield the pictured entities by kind of picture, each kind with its share of the page."""
    kb, scenes = snapshot.public.kb, snapshot.private.scenes() if snapshot.has_private else {}
    kinds: dict[str, list[str]] = {}
    for row, stored in sorted(kb.pictures.items()):
        kind = str(scenes.get(stored.picture.digest, {}).get("kind", "unknown"))
        kinds.setdefault(kind, []).append(kb.keys[row])
    for kind, keys in sorted(kinds.items()):
        shown = _some(keys, max(_ROW, most * len(keys) // len(kb.pictures)))
        yield _heading(f"Pictures: {kind}", len(shown), len(keys)) + "<div class=grid>"
        for key in shown:
            yield _card(snapshot, kb.entity(kb.rows[key]), scenes)
        yield "</div>"


def _others(snapshot: Snapshot, most: int) -> Iterator[str]:
    kb = snapshot.public.kb
    keys = [key for row, key in enumerate(kb.keys) if row not in kb.pictures]
    shown = _some(keys, most)
    yield _heading("Entities without a picture", len(shown), len(keys)) + "<div class=grid>"
    for key in shown:
        yield _card(snapshot, kb.entity(kb.rows[key]), {})
    yield "</div>"


def _public(snapshot: Snapshot) -> dict[str, Task]:
    """Return the tasks by key."""
    rows = snapshot.public.tasks.rows if snapshot.public.has("tasks") else ()
    return {row.task.key: row.task for row in rows}


def _tasks(snapshot: Snapshot, golds: Mapping[str, Gold], most: int) -> Iterator[str]:
    kb = snapshot.public.kb
    labels = dict(zip(kb.keys, kb.labels, strict=True))
    tasks = _public(snapshot)
    for level in sorted({task.level for task in tasks.values()}):
        keys = [key for key, task in tasks.items() if task.level == level]
        shown = _some(keys, most)
        yield _heading(f"Tasks of {level}", len(shown), len(keys))
        for key in shown:
            yield _task(snapshot, tasks[key], golds.get(key), labels)


def _card(snapshot: Snapshot, entity: Entity, scenes: Mapping[str, Mapping[str, Any]]) -> str:
    kb = snapshot.public.kb
    stored = kb.pictures.get(kb.rows[entity.key])
    frame = tags = ""
    if stored:
        frame = f"<div class=frame>{_image(snapshot, stored.picture.digest, stored.picture.media_type)}</div>"
        scene = scenes.get(stored.picture.digest, {})
        tags = "".join(
            f"<span class=tag>{_text(str(scene[n]))}</span>" for n in ("style", "flaw") if scene.get(n)
        )
    return (
        f"<div class=card>{frame}<div class=words><b>{_text(entity.label)}</b> "
        f"<span class=key>{_text(entity.key)}</span> {tags}<br><i>{_text(entity.description)}</i>"
        f"<p>{_text(entity.text)}</p></div></div>"
    )


def _image(snapshot: Snapshot, digest: str, media_type: str) -> str:
    data = base64.b64encode(snapshot.public.objects.read(digest)).decode("ascii")
    return f'<img alt="" src="data:{escape(media_type)};base64,{data}">'


def _text(text: str) -> str:
    """Return a text for the page: what hides is shown, and of a very long one the beginning."""
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]} … ({len(text):,} characters)"
    return escape(visible(shown))


def _task(snapshot: Snapshot, task: Task, gold: Gold | None, labels: Mapping[str, str]) -> str:
    pictures = "".join(_image(snapshot, picture.digest, picture.media_type) for picture in task.pictures)
    tags = "".join(f"<span class=tag>{_text(tag)}</span>" for tag in (task.split, *task.tags))
    answer = "<p class=answer>(no gold)</p>" if gold is None else _answer(gold, labels)
    return (
        f"<div class=task>{pictures}<div><p>{_text(task.question)}</p>{answer}"
        f"{tags}<span class=key>{_text(task.key)}</span></div></div>"
    )


def _answer(gold: Gold, labels: Mapping[str, str]) -> str:
    hops = " → ".join(f"{labels.get(hop.tail, hop.tail)} ({hop.via})" for hop in gold.chain)
    asked = ", ".join(f"{name}: {value}" for name, value in sorted(ask_of(gold).items()) if name != "of")
    least = f"{counted(gold.min_interactions, 'interaction')} at least"
    return (
        f"<p class=answer>{_text(gold.answer)}</p>"
        f"<p class=hops>{_text(hops)}</p><p class=hops>{_text(asked)}; {least}</p>"
    )
