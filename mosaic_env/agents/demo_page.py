"""The demo as one self-contained page: question, what the agent wrote, results with their pictures.

Everything from a model or a file is escaped; pictures are data URIs; the page loads nothing.
"""

from __future__ import annotations

import base64
from pathlib import Path

from mosaic_env.agents.demo_story import ENV_ID, Story, result_rows
from mosaic_env.core.types import Shown, Step
from mosaic_env.guard.html import csp, escape, visible
from mosaic_env.snapshot.files import output

_STYLE = """
body { margin: 0; background: #f6f5f1; color: #26251f; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 920px; margin: 0 auto; padding: 24px 20px 60px; }
h1 { font-size: 20px; margin: 0 0 4px; } h2 { font-size: 15px; margin: 26px 0 6px; color: #6b6759; font-weight: 600; }
.card { background: #fff; border: 1px solid #e2dfd5; border-radius: 10px; padding: 14px 18px; margin: 10px 0; }
.question { font-size: 18px; } .meta { color: #6b6759; font-size: 13px; }
pre { background: #23302f; color: #e9f2ef; border-radius: 10px; padding: 12px 16px; white-space: pre-wrap;
  margin: 8px 0; overflow-wrap: anywhere; font: 14px/1.5 ui-monospace, monospace; }
table { border-collapse: collapse; width: 100%; font-size: 14px; } td { padding: 4px 10px 4px 0; vertical-align: top; }
td:first-child { color: #6b6759; width: 1.5em; } td.name { font-weight: 600; white-space: nowrap; }
.pictures { display: flex; flex-wrap: wrap; gap: 14px; margin-top: 10px; }
figure { margin: 0; }
img { max-height: 190px; max-width: 260px; border-radius: 6px; display: block; border: 1px solid #e2dfd5; }
figcaption { font: 12px ui-monospace, monospace; color: #6b6759; padding-top: 3px; }
.end { border-left: 6px solid #2f8f5b; } .end.wrong { border-left-color: #c0392b; }
code { overflow-wrap: anywhere; }
@media (max-width: 640px) { td.name { white-space: normal; } img { max-width: 44vw; max-height: 150px; } }
"""


def write_page(story: Story, path: Path) -> None:
    """Write an episode as one HTML file."""
    episode = story.episode
    parts = [
        f"<h1>{escape(ENV_ID)}</h1><div class='meta'>{_text(episode.task.key)} · "
        f"{len(episode.steps)} interactions · every byte of this episode is the same on every machine</div>",
        f"<div class='card question'>{_text(episode.task.question)}{_pictures(story, episode.first.shown)}</div>",
    ]
    for number, step in enumerate(episode.steps, start=1):
        why = story.hops[number - 1] if number <= len(story.hops) else ""
        parts.append(f"<h2>{number}. {_text(why[:1].upper() + why[1:])}</h2><pre>{_text(step.action)}</pre>")
        parts.append(_result(story, step))
    wrong = "" if episode.success else " wrong"
    judged = "right" if episode.success else "wrong"
    parts.append(
        f"<div class='card end{wrong}'>Answer <b>{_text(episode.answer or '(none)')}</b>, gold "
        f"<b>{_text(story.gold)}</b>: {judged}, reward {episode.reward:g}."
        f"<div class='meta'>episode <code>{escape(episode.digest)}</code></div></div>"
    )
    head = (
        "<meta charset='utf-8'><meta name='viewport' content='width=device-width, initial-scale=1'>"
        f'<meta http-equiv="Content-Security-Policy" content="{csp("", _STYLE)}">'
        f"<title>mosaic_env demo</title><style>{_STYLE}</style>"
    )
    body = f"<body><main>{''.join(parts)}</main></body>"
    page = f"<!doctype html><html lang='en'><head>{head}</head>{body}</html>\n"
    with output(path) as place:
        place.write_text(page, "utf-8")


def _text(text: str) -> str:
    return escape(visible(text))


def _result(story: Story, step: Step) -> str:
    cells = ((row.get("rank", ""), _text(row["label"]), _text(row["text"])) for row in result_rows(step))
    rows = "".join(
        f"<tr><td>{r}</td><td class='name'>{name}</td><td>{text}</td></tr>" for r, name, text in cells
    )
    pictures = _pictures(story, step.observation.shown)
    if not rows and not pictures:
        return ""
    return f"<div class='card'><table>{rows}</table>{pictures}</div>"


def _pictures(story: Story, shown: tuple[Shown, ...]) -> str:
    figures = []
    for item in shown:
        data = base64.b64encode(story.env.world.images.encoded(item.picture)).decode("ascii")
        source = f"data:{item.picture.media_type};base64,{data}"
        figures.append(
            f"<figure><img src='{source}' alt=''><figcaption>{escape(item.handle)}</figcaption></figure>"
        )
    return f"<div class='pictures'>{''.join(figures)}</div>" if figures else ""
