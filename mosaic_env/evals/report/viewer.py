"""Episodes as the plain data that the page's script draws: one value an episode, pictures by their number.

Must not: write HTML. Texts stay as they are; the script shows them as text and nothing else.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mosaic_env.core.types import CallRecord, Gold, Observation, Picture, Shown, Step
from mosaic_env.envs.episode import Episode
from mosaic_env.evals.judge.judge import NOTE, read_note, recorded
from mosaic_env.evals.records import Judged, Scored
from mosaic_env.evals.report.album import Album
from mosaic_env.index.world import World

_LEDGER = re.compile(r"\[budget\] interactions used (\d{1,9})")
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Item:
    """One episode to show.

    Args:
        episode: What was played.
        gold: The reference, or None when it is not at hand.
        judged: The verdict that counts.
    """

    episode: Episode
    gold: Gold | None
    judged: Judged
    notes: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, scored: Scored) -> Item:
        """Return a finished task of a run as an item."""
        return cls(scored.episode, scored.gold, scored.judged, {**scored.episode.notes, **scored.notes})

    @classmethod
    def alone(cls, episode: Episode, gold: Gold | None = None) -> Item:
        """Return an episode with the verdict that was recorded in it, by rules or by a model judge."""
        judged = recorded(episode) or Judged("no", reason="empty")
        noted = episode.notes.get(NOTE)
        return cls(
            episode, gold, read_note(noted) if noted and judged.value == "unsure" else judged, episode.notes
        )


def pictures(item: Item, world: World) -> list[Picture]:
    """Return every picture that showing an episode needs: those attached, and what was cut by a crop."""
    found = [shown.picture for shown in _all_shown(item.episode)]
    handles: dict[str, Picture] = {shown.handle: shown.picture for shown in item.episode.first.shown}
    for step in item.episode.steps:
        handles |= {shown.handle: shown.picture for shown in step.observation.shown}
        for call in step.calls:
            cut = _cut(call, handles, step.observation, world)
            if cut is not None:
                found.append(cut[0])
    return list({picture.digest: picture for picture in found}.values())


def episode_data(item: Item, world: World | None, album: Album) -> dict[str, Any]:
    """Return an episode as data.

    Args:
        world: Where its pictures are, or None.
        album: Holds the pictures that are embedded; a picture it has not got is shown as left out.
    """
    episode = item.episode
    handles: dict[str, Picture] = {shown.handle: shown.picture for shown in episode.first.shown}
    steps, used = [], 0
    for step in episode.steps:
        handles |= {shown.handle: shown.picture for shown in step.observation.shown}
        used = _used(step.observation.text, used)
        steps.append(_step(step, handles, world, album) | {"used": used})
    return {
        "limit": episode.config.get("interactions"),
        "first": _observation(episode.first, album),
        "steps": steps,
        "reward": episode.reward,
        "answer": episode.answer,
        "finished": episode.finished,
        "judged": item.judged.as_dict(),
        "digest": episode.digest,
        "notes": {name: str(value) for name, value in sorted(item.notes.items())},
        "found": [] if item.gold is None else _found(item.gold, episode),
    }


def gold_data(gold: Gold | None, world: World | None) -> dict[str, Any] | None:
    """Return the reference with the names of its entities."""
    if gold is None:
        return None
    return {
        "answer": gold.answer,
        "aliases": list(gold.aliases),
        "kind": gold.kind,
        "target": _label(gold.target, world),
        "chain": [
            {
                "head": _label(hop.head, world),
                "tail": _label(hop.tail, world),
                "via": _relation(hop.via, world),
                "inverse": hop.inverse,
                "tool": hop.tool,
                "query": hop.query,
            }
            for hop in gold.chain
        ],
    }


def _all_shown(episode: Episode) -> Iterator[Shown]:
    yield from episode.first.shown
    for step in episode.steps:
        yield from step.observation.shown


def _step(step: Step, handles: Mapping[str, Picture], world: World | None, album: Album) -> dict[str, Any]:
    return {
        "phase": step.phase,
        "action": step.action,
        "calls": [_call(call, step, handles, world, album) for call in step.calls],
        **_observation(step.observation, album),
        "reward": step.reward,
        "terms": {name: round(value, 6) for name, value in step.terms.items() if math.isfinite(value)},
        "answer": step.answer,
        "end": "terminated" if step.terminated else "truncated" if step.truncated else "",
        "verdict": step.verdict,
        "reason": step.reason,
        "failure": list(step.failure),
        "reproducible": step.reproducible,
    }


def _observation(seen: Observation, album: Album) -> dict[str, Any]:
    shown = [
        {
            "handle": one.handle,
            "at": album.place(one.picture),
            "w": one.picture.width,
            "h": one.picture.height,
        }
        for one in seen.shown
    ]
    return {"text": seen.text, "shown": shown}


def _call(
    call: CallRecord, step: Step, handles: Mapping[str, Picture], world: World | None, album: Album
) -> dict[str, Any]:
    data: dict[str, Any] = {
        "tool": call.tool, "arguments": dict(call.arguments), "status": call.status, "code": call.code,
        "repairs": list(call.repairs), "source": call.source,
    }  # fmt: skip
    cut = None if world is None else _cut(call, handles, step.observation, world)
    if cut is not None:
        picture, box, handle = cut
        data["crop"] = {
            "handle": handle, "at": album.place(picture), "w": picture.width, "h": picture.height,
            "box": [round(value, 4) for value in box],
        }  # fmt: skip
    return data


# --- crops ------------------------------------------------------------------------------------------


def _cut(
    call: CallRecord, handles: Mapping[str, Picture], seen: Observation, world: World
) -> tuple[Picture, Box, str] | None:
    """Return the picture that a crop was cut from, the box in shares of its sides, and its handle.

    A parent that the model has seen is shown as it saw it; otherwise the stored picture it comes from, without a
    handle.
    """
    if call.tool != "image_crop" or call.status != "ok":
        return None
    parent = call.arguments.get("image")
    if isinstance(parent, str) and parent in handles:
        box = _asked_box(call.arguments, handles[parent])
        return None if box is None else (handles[parent], box, parent)
    cut = next((one.picture for one in seen.shown if one.handle in call.new_handles), None)
    stored = world.kb.by_digest.get(cut.source) if cut is not None else None
    if cut is None or stored is None:
        return None
    width, height = stored.picture.width, stored.picture.height
    left, top, right, bottom = cut.box or (0, 0, width, height)
    return stored.picture, (left / width, top / height, right / width, bottom / height), ""


def _asked_box(arguments: Mapping[str, Any], parent: Picture) -> Box | None:
    """Return the box of a call in shares, clamped and with its corners in order, as the tool reads it."""
    try:
        box = [float(value) for value in arguments["bbox"]]
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    if len(box) != 4 or not all(map(math.isfinite, box)):
        return None
    sizes: Sequence[float] = (1000, 1000)
    if arguments.get("coords") == "pixel":
        sizes = _original_size(parent)
    shares = [min(max(value / size, 0.0), 1.0) for value, size in zip(box, (*sizes, *sizes), strict=True)]
    left, right = sorted((shares[0], shares[2]))
    top, bottom = sorted((shares[1], shares[3]))
    return left, top, right, bottom


def _original_size(picture: Picture) -> tuple[int, int]:
    """Return the size before a picture was reduced for the model."""
    if picture.side and picture.box:
        left, top, right, bottom = picture.box
        return right - left, bottom - top
    return picture.width, picture.height


# --- gold and budget --------------------------------------------------------------------------------


def _used(text: str, before: int) -> int:
    """Return the interactions used, as the last ledger line says."""
    for line in reversed(text.split("\n")):
        found = _LEDGER.match(line)
        if found:
            return int(found[1])
    return before


def _found(gold: Gold, episode: Episode) -> list[int]:
    """Return for each hop the number of the first step whose calls returned its entity, or 0."""
    first: dict[str, int] = {}
    for number, step in enumerate(episode.steps, start=1):
        for call in step.calls:
            for key in call.ranked:
                first.setdefault(key, number)
    return [first.get(hop.tail, 0) for hop in gold.chain]


def _label(key: str, world: World | None) -> str:
    if not key or world is None or key not in world.kb.rows:
        return key
    return str(world.kb.labels[world.kb.rows[key]])


def _relation(via: str, world: World | None) -> str:
    relation = None if world is None else world.kb.relations.get(via)
    return via if relation is None else str(relation.label)
