"""Result rows: how an entity is shown to a model, and what evaluators note about it."""

from __future__ import annotations

from typing import Any

from mosaic_env.core.types import Hits, ToolResult
from mosaic_env.tools.base import ToolContext, ToolError
from mosaic_env.tools.handles import PictureEntry

DEFAULT_ROWS = 5
DEFAULT_TEXT_CHARS = 1200


def clamp_rows(wanted: int, context: ToolContext) -> int:
    """Return ``top_k`` inside [1, cap], with a warning when it was not."""
    k = min(max(wanted, 1), context.settings.max_rows)
    if k != wanted:
        context.warnings.append(f"top_k was set to {k} (allowed: 1 to {context.settings.max_rows})")
    return k


def entity_row(row: int, context: ToolContext, max_chars: int, rank: int = 0) -> dict[str, Any]:
    """Return what a model sees of an entity: rank, handle, label, text, picture handle."""
    world, handles = context.world, context.handles
    kb = world.kb
    text = kb.texts[row] or kb.descriptions[row]
    if 0 < max_chars < len(text):
        text = text[:max_chars] + " ..."
    shown: dict[str, Any] = {"rank": rank} if rank else {}
    shown["entity"] = handles.entity(row)
    shown["label"] = kb.labels[row]
    shown["text"] = text
    image = handles.picture_of(row, world)
    if image is not None:
        shown["image"] = image
    if context.settings.show_ids:
        shown["entity_id"] = kb.keys[row]
    return shown


def search_result(
    hits: Hits, context: ToolContext, *, modality: str, attach: bool, max_chars: int = DEFAULT_TEXT_CHARS
) -> ToolResult:
    """Return the result of a search: ranked rows, and their pictures when ``attach``."""
    rows: list[dict[str, Any]] = []
    show: list[str] = []
    for rank, (row, score) in enumerate(zip(hits.rows, hits.scores, strict=True), start=1):
        shown = entity_row(row, context, max_chars, rank)
        if context.settings.show_ids:
            shown["score"] = score
        rows.append(shown)
        if attach and "image" in shown:
            show.append(shown["image"])
    data: dict[str, Any] = {"results": rows}
    if hits.matched_on != "text" or modality != "text":
        data["matched_on"] = hits.matched_on
    if not rows:
        data["note"] = "nothing matches"
    keys = context.world.kb.keys
    return ToolResult(data, show=tuple(show), ranked=tuple(keys[row] for row in hits.rows), modality=modality)


def find_picture(handle: str, context: ToolContext) -> PictureEntry:
    """Return the picture behind a handle and note that it was used.

    Raises: ToolError (``unknown_handle``) naming the handles that exist; paths and URLs are never opened.
    """
    entry = context.handles.pictures.get(handle)
    if entry is None:
        raise ToolError(
            "unknown_handle",
            f"there is no picture {clean(handle)!r}; pictures are named by handles such as kb_1",
            context.handles.nearest(handle),
        )
    context.inputs.append(handle)
    return entry


def clean(text: str, limit: int = 60) -> str:
    """Return model-written text fit to be quoted in an observation: short, valid Unicode, one line."""
    if len(text) <= limit and text.isprintable():
        return text
    cut = text if len(text) <= limit else text[:limit] + "…"
    cut = cut.encode("utf-8", "replace").decode("utf-8")
    return "".join(char if char.isprintable() else "�" for char in cut)
