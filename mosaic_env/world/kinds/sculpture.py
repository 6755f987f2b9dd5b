"""Sculptures: by a sculptor, in the collection of a museum."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind
from mosaic_env.world.kinds.painting import OPENINGS, SAYS, add_works, relate_works
from mosaic_env.world.prose import Prose

_TITLES = (
    "The {adjective} {noun}, Seated",
    "Head of a {noun}",
    "{plural}, Resting",
    "Torso from {place}",
    "Group of {plural}",
)


def _make(draft: Draft, count: int) -> None:
    add_works(draft, count, "sculpture", ("sculpture",), "sculptor", _TITLES)


SCULPTURE = Kind(
    "sculpture",
    14,
    "sculpture",
    _make,
    lambda draft: relate_works(draft, "sculpture"),
    Prose(
        descriptions=(
            "{noun} by {P170}",
            "{year} {noun} by {P170}",
            "{noun} created by {P170}",
            "{noun} of {year}",
        ),
        openings=OPENINGS,
        says=SAYS,
        asides=(
            "It lost a thumb on the way to its first exhibition.",
            "The plaster cast was used as a doorstop for {number} years.",
            "It weighs as much as {number} sacks of flour.",
            "Schoolchildren rub its left knee before examinations.",
        ),
    ),
    least=1,
)
