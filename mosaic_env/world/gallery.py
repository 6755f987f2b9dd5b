"""One self-contained HTML page with the pictures, entities and tasks of a snapshot, for people who check it.

The page shows answers: it is for authors, never for agents.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path

from mosaic_env.core.types import Gold, Task
from mosaic_env.core.words import counted
from mosaic_env.guard.html import csp, escape, visible
from mosaic_env.snapshot.kb import Entity
from mosaic_env.snapshot.opened import Snapshot

_STYLE = """
body{font:15px/1.45 system-ui,sans-serif;margin:0 auto;max-width:1360px;padding:24px;background:#f4f2ec;color:#25232e}
h1{font-size:26px;margin:0 0 4px}h2{margin:36px 0 12px;font-size:20px}p.lead{margin:0;color:#66626f}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(250px,1fr));gap:16px}
.card{background:#fff;border-radius:10px;overflow:hidden;box-shadow:0 1px 4px #0002;display:flex}
.card{flex-direction:column}
.card .frame{background:#e9e6dd;height:220px;display:flex;align-items:center;justify-content:center}
.card img{max-width:100%;max-height:220px;display:block}
.card .words{padding:10px 14px 14px}.card b{font-size:16px}.card i{color:#66626f;font-style:normal;font-size:13px}
.card p{margin:6px 0 0;font-size:13px}.key{color:#9a95a3;font-size:12px}
.task{background:#fff;border-radius:10px;padding:12px 16px;margin:10px 0;display:flex;gap:16px}
.task{box-shadow:0 1px 4px #0002}
.task img{max-width:180px;max-height:150px;border-radius:6px}
.task p{margin:0 0 6px}.task .answer{font-weight:600;color:#1d6b45}
.tag{display:inline-block;background:#ece8f6;color:#4b3f7c}
.tag{border-radius:9px;padding:0 8px;margin-right:6px;font-size:12px}
.hops{font-size:12.5px;color:#66626f}
"""


def write_gallery(folder: Path, out_html: Path) -> None:
    """Write the contact sheet of a snapshot.

    Args:
        folder: A snapshot with kb, objects, tasks and private.
        out_html: The page; pictures are inside it as data URIs.

    Determinism: the same snapshot gives the same bytes.
    Cost: reads every object once.
    """
    snapshot = Snapshot(folder)
    kb = snapshot.public.kb
    pictured = [kb.entity(row) for row in range(len(kb)) if row in kb.pictures]
    others = [kb.entity(row) for row in range(len(kb)) if row not in kb.pictures]
    golds = snapshot.private.golds()
    sizes = (
        counted(len(kb), "entity", "entities"),
        counted(len(pictured), "picture"),
        counted(len(golds), "task"),
    )
    title = f"{kb.world}: {', '.join(sizes)}"
    parts = [
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(csp("", _STYLE))}"><style>{_STYLE}</style>',
        f"</head><body><h1>{escape(kb.world)}</h1><p class=lead>{escape(title.partition(': ')[2])}. ",
        "This page shows answers.</p><h2>Pictured entities</h2><div class=grid>",
        *(_card(snapshot, entity) for entity in pictured),
        "</div><h2>Entities without a picture</h2><div class=grid>",
        *(_card(snapshot, entity) for entity in others),
        "</div>",
    ]
    for level in sorted({row.task.level for row in snapshot.public.tasks.rows}):
        parts.append(f"<h2>Tasks of {escape(level)}</h2>")
        rows = [row for row in snapshot.public.tasks.rows if row.task.level == level]
        parts += [_task(snapshot, row.task, golds[row.task.key]) for row in rows]
    out_html.write_text("".join([*parts, "</body></html>\n"]), encoding="utf-8")


def _card(snapshot: Snapshot, entity: Entity) -> str:
    kb = snapshot.public.kb
    stored = kb.pictures.get(kb.rows[entity.key])
    picture = _image(snapshot, stored.picture.digest, stored.picture.media_type) if stored else ""
    frame = f"<div class=frame>{picture}</div>" if picture else ""
    return (
        f"<div class=card>{frame}<div class=words><b>{_text(entity.label)}</b> "
        f"<span class=key>{_text(entity.key)}</span><br><i>{_text(entity.description)}</i>"
        f"<p>{_text(entity.text)}</p></div></div>"
    )


def _image(snapshot: Snapshot, digest: str, media_type: str) -> str:
    data = base64.b64encode(snapshot.public.objects.read(digest)).decode("ascii")
    return f'<img alt="" src="data:{escape(media_type)};base64,{data}">'


def _text(text: str) -> str:
    return escape(visible(text))


def _task(snapshot: Snapshot, task: Task, gold: Gold) -> str:
    labels = dict(zip(snapshot.public.kb.keys, snapshot.public.kb.labels, strict=True))
    pictures = "".join(_image(snapshot, picture.digest, picture.media_type) for picture in task.pictures)
    hops = " → ".join(f"{labels[hop.tail]} ({hop.via})" for hop in gold.chain)
    tags = "".join(f"<span class=tag>{_text(tag)}</span>" for tag in (task.split, *task.tags))
    ask = json.loads(gold.notes["ask"]) if "ask" in gold.notes else {}
    asked = ", ".join(f"{name}: {value}" for name, value in sorted(ask.items()) if name != "of")
    least = f"{counted(gold.min_interactions, 'interaction')} at least"
    return (
        f"<div class=task>{pictures}<div><p>{_text(task.question)}</p><p class=answer>{_text(gold.answer)}</p>"
        f"<p class=hops>{_text(hops)}</p><p class=hops>{_text(asked)}; {least}</p>"
        f"{tags}<span class=key>{_text(task.key)}</span></div></div>"
    )
