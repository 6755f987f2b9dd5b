"""``mosaic demo``: one Level 2 episode in the terminal, so that a person understands what happens.

Must not: be a viewer of any episode (that comes with the reports); it tells one story well.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Group
from rich.panel import Panel
from rich.style import Style
from rich.text import Text

from mosaic_env.agents.demo_page import write_page
from mosaic_env.agents.demo_story import ENV_ID, Story, result_rows, tell
from mosaic_env.console import out, safe
from mosaic_env.core.types import Shown, Step
from mosaic_env.guard.html import visible
from mosaic_env.guard.images import resize

_THUMBNAIL = 30  # columns; a character shows two pixels, one above the other
_MAX_PICTURES = 3
_MAX_ROWS = 3


def show_demo(task: str | None, html: Path | None) -> int:
    """Play a task, print it, and write it as a page when asked; return the exit code."""
    story = tell(task)
    _print(story)
    if html is not None:
        write_page(story, html)
        out.print(Text.assemble("The same with its pictures: open ", (str(html), "bold"), " in a browser."))
    return 0


def _print(story: Story) -> None:
    episode = story.episode
    question = Group(safe(episode.task.question), *_pictures(story, episode.first.shown))
    out.print(
        Panel(question, title=safe(f"{ENV_ID} · {episode.task.key}"), title_align="left", border_style="cyan")
    )
    for number, step in enumerate(episode.steps, start=1):
        out.print(
            Text.assemble(
                (f"\n{number}. ", "bold"), safe(story.hops[number - 1] if number <= len(story.hops) else "")
            )
        )
        out.print(Text.assemble(("   ", ""), safe(step.action)), style="yellow")
        for line in _results(step):
            out.print(line)
        out.print(*_pictures(story, step.observation.shown), sep="\n", end="")
    judged = "right" if episode.success else "wrong"
    out.print(
        Panel(
            Text.assemble(
                ("answer ", "dim"), safe(episode.answer or "(none)"), ("   gold ", "dim"), safe(story.gold),
                ("   judged ", "dim"), (judged, "bold green" if episode.success else "bold red"),
                ("   reward ", "dim"), f"{episode.reward:g}",
                ("\nepisode ", "dim"), episode.digest, ("  (the same on every machine)", "dim"),
            ),
            border_style="green" if episode.success else "red",
        )
    )  # fmt: skip


def _results(step: Step) -> list[Text]:
    lines = []
    rows = result_rows(step)
    for row in rows[:_MAX_ROWS]:
        image = visible(f"  [{row['image']}]") if "image" in row else ""
        head = Text.assemble(
            (f"   {row.get('rank', '·')} ", "dim"), (visible(row["label"]), "bold"), (image, "cyan"), "  "
        )
        room = max(20, out.width - len(head) - 1)
        text = row["text"] if len(row["text"]) <= room else row["text"][: room - 1] + "…"
        lines.append(Text.assemble(head, safe(text)))
    if len(rows) > _MAX_ROWS:
        lines.append(Text(f"   … and {len(rows) - _MAX_ROWS} more results", style="dim"))
    return lines


def _pictures(story: Story, shown: tuple[Shown, ...]) -> list[Text]:
    """Return small pictures side by side, drawn with half blocks; none where there is no colour."""
    if not shown or out.color_system not in ("truecolor", "256"):
        return []
    images = [
        resize(story.env.world.images.pixels(item.picture), _THUMBNAIL) for item in shown[:_MAX_PICTURES]
    ]
    height = max(image.shape[0] for image in images)
    lines = []
    for top in range(0, height, 2):
        line = Text("   ")
        for image in images:
            line.append_text(_row(image, top))
            line.append("  ")
        lines.append(line)
    names = "".join(
        f"   {item.handle:<{image.shape[1] - 1}}" for item, image in zip(shown, images, strict=False)
    )
    more = f"  … and {len(shown) - len(images)} more" if len(shown) > len(images) else ""
    return [*lines, Text(names + more, style="cyan")]


def _row(image: np.ndarray[Any, np.dtype[np.uint8]], top: int) -> Text:
    line = Text()
    for column in range(image.shape[1]):
        if top >= image.shape[0]:
            line.append(" ")
            continue
        lower = image[min(top + 1, image.shape[0] - 1), column].tolist()
        style = Style(color=_colour(image[top, column].tolist()), bgcolor=_colour(lower))
        line.append("▀", style)
    return line


def _colour(rgb: list[int]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*rgb)
