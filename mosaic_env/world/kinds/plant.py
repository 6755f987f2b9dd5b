"""Plants: described by a botanist, at home in a country, some named after a person or a region."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose

_SORTS = ("shrub", "herb", "climber", "grass")
_LABELS = ("{place} Balm", "{family}'s Wort", "{place} Sedge", "{family}'s Bane", "{place} Vetch")


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("plant", "make")
    botanists, regions = draft.pool("person", "botanist"), draft.pool("region")
    for i in range(count):
        botanist = botanists.pick(rng)
        year = (botanist.year if botanist else 1930) + rng.randint(25, 60)
        plant = Subject("plant", draft.names.made(*_LABELS), ("plant", _SORTS[i % len(_SORTS)]), year=year)
        plant.by, plant.home = botanist, regions.pick(rng)
        draft.add(plant)


def _relate(draft: Draft) -> None:
    rng = draft.rng("plant", "relate")
    people = draft.pool("person")
    for plant in draft.all("plant"):
        draft.perhaps(rng, 75, plant, "P61", plant.by)
        draft.classify(rng, 35, plant)
        draft.perhaps(rng, 50, plant, "P495", plant.country)
        honoured = plant.home if rng.randrange(2) else people.pick(rng, high=plant.year - 40)
        draft.perhaps(rng, 50, plant, "P138", honoured)
        if not plant.facts:
            draft.fact(plant, "P495", plant.country)


PLANT = Kind(
    "plant",
    20,
    "plant",
    _make,
    _relate,
    Prose(
        descriptions=(
            "{noun} from {P495}",
            "{noun} first described by {P61}",
            "{noun} described in {year}",
        ),
        openings=(
            "{label} is a {noun} that was first described in {year}",
            "The {noun} {label} entered the herbals in {year}",
            "In {year} {P61} found the {noun} {label}",
            "{label} is a {noun} native to {P495}",
        ),
        says={
            "P61": ("was discovered by {P61}", "was first described by the botanist {P61}"),
            "P138": ("was named after {P138}", "owes its name to {P138}", "bears the name of {P138}"),
            "P495": ("comes from {P495}", "is native to {P495}", "spread from {P495}"),
        },
        asides=(
            "Goats avoid it, which is how gardeners learnt of it.",
            "Its seeds keep for {number} years in a dry drawer.",
            "Herbalists sold it against {number} different ailments.",
            "It needs poor soil and takes offence at manure.",
        ),
    ),
    least=1,
)
