"""Museums: buildings that keep works of art in their collection."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind
from mosaic_env.world.kinds.building import DESCRIPTIONS, OPENINGS, SAYS, add_building, relate_buildings
from mosaic_env.world.prose import Prose


def _make(draft: Draft, count: int) -> None:
    for _ in range(count):
        add_building(draft, "museum", "museum", draft.names.made("{place} Museum", "{family} Museum"))


MUSEUM = Kind(
    "museum",
    12,
    "facade",
    _make,
    lambda draft: relate_buildings(draft, "museum", 30),
    Prose(
        descriptions=DESCRIPTIONS,
        openings=OPENINGS,
        says=SAYS,
        asides=(
            "Its guards know {number} visitors by name.",
            "A flood in the cellar ruined the catalogue and nothing else.",
            "Admission is free on the first Monday after an audit.",
            "Thieves once left it a note of thanks.",
            "Half of its {number} rooms are closed for lack of heating.",
        ),
    ),
    least=1,
)
