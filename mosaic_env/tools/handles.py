"""Handles: the only names under which an agent knows pictures and entities.

``e_3`` an entity · ``kb_1`` a picture of an entity · ``img_1`` a picture of the question · ``kb_1_crop`` a
crop. Numbers count up within one episode; the same entity, picture or crop always keeps its handle.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field

from mosaic_env.core.types import Picture
from mosaic_env.index.world import World

#: A crop of a crop of a crop …: each is cut from the original, but its name grows.
MAX_CROP_DEPTH = 8


@dataclass(slots=True)
class PictureEntry:
    """A picture under its handle.

    Args:
        picture: What it is.
        row: The entity it shows, or -1.
        parent: Handle it was cut from, or ``""``.
        origin: Number of the interaction that created the handle (0: the question).
    """

    picture: Picture
    row: int
    parent: str
    origin: int


@dataclass(slots=True)
class Handles:
    """The handles of one episode. Copying costs as much as there are handles.

    Args:
        origin: The number of the running interaction.
    """

    entities: dict[int, int] = field(default_factory=dict)
    rows: list[tuple[int, int]] = field(default_factory=list)
    pictures: dict[str, PictureEntry] = field(default_factory=dict)
    by_picture: dict[tuple[str, int], str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    origin: int = 0

    def copy(self) -> Handles:
        """Return an independent copy."""
        return Handles(
            dict(self.entities), list(self.rows), dict(self.pictures), dict(self.by_picture),
            dict(self.counts), self.origin,
        )  # fmt: skip

    def entity(self, row: int) -> str:
        """Return the handle of an entity, creating it when it is new."""
        number = self.entities.get(row)
        if number is None:
            self.rows.append((row, self.origin))
            number = self.entities[row] = len(self.rows)
        return f"e_{number}"

    def picture_of(self, row: int, world: World) -> str | None:
        """Return the handle of an entity's main picture, or None when it has none."""
        known = self.by_picture.get(("kb", row))
        if known is not None:
            return known
        stored = world.kb.pictures.get(row)
        if stored is None:
            return None
        return self._add("kb", ("kb", row), PictureEntry(stored.picture, row, "", self.origin))

    def question_picture(self, picture: Picture) -> str:
        """Return the handle of a picture that belongs to the question."""
        known = self.by_picture.get((picture.digest, -1))
        return known or self._add("img", (picture.digest, -1), PictureEntry(picture, -1, "", self.origin))

    def _add(self, prefix: str, identity: tuple[str, int], entry: PictureEntry) -> str:
        number = self.counts.get(prefix, 0) + 1
        self.counts[prefix] = number
        handle = f"{prefix}_{number}"
        self.pictures[handle] = entry
        self.by_picture[identity] = handle
        return handle

    def crop(self, parent: str, picture: Picture) -> tuple[str, bool]:
        """Return the handle of a crop, and whether it is new: the same crop keeps its handle."""
        for handle, entry in self.pictures.items():
            if entry.parent == parent and entry.picture == picture:
                return handle, False
        number, handle = 1, f"{parent}_crop"
        while handle in self.pictures:
            number += 1
            handle = f"{parent}_crop_{number}"
        self.pictures[handle] = PictureEntry(picture, self.pictures[parent].row, parent, self.origin)
        return handle, True

    def entity_row(self, handle: str) -> int | None:
        """Return the row that an entity handle, or the handle of its picture, stands for."""
        if handle in self.pictures:
            row = self.pictures[handle].row
            return row if row >= 0 else None
        prefix, _, number = handle.partition("_")
        plain = number.isdecimal() and number.isascii() and len(number) < 9 and number[0] != "0"
        if prefix == "e" and plain and int(number) <= len(self.rows):
            return self.rows[int(number) - 1][0]
        return None

    def origin_of(self, handle: str) -> int | None:
        """Return the number of the interaction that created a handle, or None when it is unknown."""
        if handle in self.pictures:
            return self.pictures[handle].origin
        row = self.entity_row(handle)
        return None if row is None else self.rows[self.entities[row] - 1][1]

    def nearest(self, handle: str, *, entities: bool = False) -> str:
        """Return a hint that names the handles most like a wrong one, or all when there are few."""
        known = list(self.pictures) + ([f"e_{n + 1}" for n in range(len(self.rows))] if entities else [])
        if not known:
            return "no handles yet: search first"
        close = difflib.get_close_matches(handle[:80], known, n=5, cutoff=0.4)
        shown = close or known[-8:]
        return "known handles: " + ", ".join(shown) + (" …" if len(known) > len(shown) else "")
