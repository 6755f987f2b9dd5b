"""Public buildings: in a city, by an architect, some named after a person."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose

_TYPES = (("theatre", "Theatre"), ("library", "Library"), ("railway station", "Station"), ("hotel", "Hotel"))


def _make(draft: Draft, count: int) -> None:
    for i in range(count):
        noun, ending = _TYPES[i % len(_TYPES)]
        add_building(draft, "building", noun, draft.names.made(f"{{place}} {ending}"))


def add_building(draft: Draft, kind: str, noun: str, label: str) -> None:
    """Add a building by an architect in a city; another kind of entity may be one as well."""
    rng = draft.rng(kind, "make", label)
    architect = draft.pool("person", "architect").pick(rng)
    year = (architect.year if architect else 1930) + rng.randint(29, 55)
    building = Subject(kind, label, ("building", noun), year=year)
    building.by, building.home = architect, draft.pool("city").pick(rng)
    draft.add(building)


def relate_buildings(draft: Draft, kind: str, honours: int) -> None:
    """State where buildings stand, who drew them up and, in so many percent, whom they honour."""
    rng = draft.rng(kind, "relate")
    people = draft.pool("person")
    for building in draft.all(kind):
        draft.perhaps(rng, 85, building, "P131", building.home)
        draft.classify(rng, 35, building)
        draft.perhaps(rng, 65, building, "P84", building.by)
        honoured = people.pick(rng, high=building.year - 41)
        draft.perhaps(rng, honours, building, "P138", honoured if honoured is not building.by else None)
        if not building.facts:
            draft.fact(building, "P131", building.home)


DESCRIPTIONS = (
    "{noun} in {P131}",
    "{noun} in {P131}, opened in {year}",
    "{noun} designed by {P84}",
    "{noun} opened in {year}",
)
OPENINGS = (
    "{label} is a {noun} located in {P131}",
    "{label} is a {noun} that opened in {year}",
    "Designed by the architect {P84}, {label} is a {noun}",
    "{label}, a {noun} in {P131}, was opened in {year}",
    "Opened in {year}, the {noun} {label} is older than its neighbours",
)
SAYS = {
    "P84": (
        "was built to plans by the architect {P84}",
        "is the work of the architect {P84}",
        "was designed by {P84}",
    ),
    "P131": ("stands in {P131}", "is located in {P131}", "can be visited in {P131}"),
    "P138": ("was named after {P138}", "owes its name to {P138}", "bears the name of {P138}"),
}

BUILDING = Kind(
    "building",
    24,
    "facade",
    _make,
    lambda draft: relate_buildings(draft, "building", 30),
    Prose(
        descriptions=DESCRIPTIONS,
        openings=OPENINGS,
        says=SAYS,
        asides=(
            "The foundations had to be laid twice.",
            "It closes on Mondays and whenever the boiler does.",
            "Around {number} thousand visitors come each year, mostly on holidays.",
            "Its cloakroom has never lost an umbrella.",
            "A bequest paid for the last {number} years of repairs.",
        ),
    ),
)
