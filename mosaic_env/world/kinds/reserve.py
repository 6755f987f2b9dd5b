"""Nature reserves: in a region, set up in a year, some named after a person."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("reserve", "make")
    regions = draft.pool("region")
    for _ in range(count):
        label = draft.names.made("{place} Moors", "{place} Fells", "{place} Marshes", "{place} Downs")
        year = rng.randint(1930, 1995)
        draft.add(Subject("reserve", label, ("nature reserve",), year=year, home=regions.pick(rng)))


def _relate(draft: Draft) -> None:
    rng = draft.rng("reserve", "relate")
    people = draft.pool("person")
    for reserve in draft.all("reserve"):
        draft.fact(reserve, "P131", reserve.home)
        draft.classify(rng, 35, reserve)
        draft.perhaps(rng, 40, reserve, "P17", reserve.country)
        draft.perhaps(rng, 25, reserve, "P112", people.pick(rng, reserve.year - 65, reserve.year - 25))


RESERVE = Kind(
    "reserve",
    14,
    "landscape",
    _make,
    _relate,
    Prose(
        descriptions=("{noun} in {P131}", "{noun} in {P131}, set up in {year}"),
        openings=(
            "{label} is a {noun} in {P131}",
            "Set up in {year}, {label} is a {noun} in {P131}",
            "The {noun} known as {label} is located in {P131}",
            "Since {year}, {label} in {P131} has been a {noun}",
        ),
        says={
            "P17": ("lies in {P17}", "is looked after by wardens of {P17}"),
            "P112": ("was founded by {P112}", "was set up at the urging of {P112}, its founder"),
        },
        asides=(
            "Wardens count {number} hundred waders there each spring.",
            "It is closed to walkers in the nesting season.",
            "Peat was dug there for {number} generations.",
            "Visitors must leave dogs and portable radios at the gate.",
        ),
    ),
    least=1,
)
