"""Public buildings: in a city, by an architect, some named after a person."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose, Sentence

_TYPES = (
    ("museum", "Museum"),
    ("theatre", "Theatre"),
    ("library", "Library"),
    ("railway station", "Station"),
)


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("building", "make")
    architects = draft.all("person", "architect")
    for i in range(count):
        noun, ending = _TYPES[i % len(_TYPES)]
        architect = rng.choice(architects)
        building = Subject(
            "building",
            draft.names.with_ending(ending),
            ("building", noun),
            year=architect.year + rng.randint(29, 55),
        )
        draft.fact(draft.add(building), "P84", architect)


def _relate(draft: Draft) -> None:
    rng = draft.rng("building", "relate")
    for building in draft.all("building"):
        draft.fact(building, "P131", rng.choice(draft.all("city")))
        honoured = [
            p for p in draft.all("person") if p.year + 40 < building.year and p is not building.tail("P84")
        ]
        if honoured and rng.random() < 0.4:
            draft.fact(building, "P138", rng.choice(honoured))


BUILDING = Kind(
    "building",
    7,
    "facade",
    _make,
    _relate,
    Prose(
        descriptions=("{noun} in {P131}", "{noun} in {P131}, opened in {year}"),
        sentences=(
            Sentence(
                (
                    "{label} is a {noun} located in {P131}, built to plans by the architect {P84}",
                    "Designed by the architect {P84}, {label} is a {noun} in {P131} that opened in {year}",
                    "{label}, a {noun} in {P131}, is the work of the architect {P84}",
                ),
                ((" and named after {P138}", "; it is named after {P138}"),),
            ),
        ),
        asides=(
            "The foundations had to be laid twice.",
            "It closes on Mondays and whenever the boiler does.",
            "Around {number} thousand visitors come each year, mostly when it rains.",
            "Its cloakroom has never lost an umbrella.",
            "A bequest paid for the last {number} years of repairs.",
        ),
    ),
)
