"""Animal breeds: from a country, some named after a city or a person."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose

_SPECIES = ("cat breed", "dog breed", "rabbit breed", "duck breed", "goldfish breed")
_ENDINGS = ("Longcoat", "Drifter", "Roundear", "Courser", "Shortlegs")


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("breed", "make")
    cities = draft.pool("city")
    for i in range(count):
        label = draft.names.made(*(f"{{place}} {ending}" for ending in _ENDINGS))
        nouns = ("animal breed", _SPECIES[i % len(_SPECIES)])
        draft.add(Subject("breed", label, nouns, year=rng.randint(1925, 1990), home=cities.pick(rng)))


def _relate(draft: Draft) -> None:
    rng = draft.rng("breed", "relate")
    people = draft.pool("person")
    for breed in draft.all("breed"):
        draft.fact(breed, "P495", breed.country)
        draft.classify(rng, 35, breed)
        if rng.randrange(100) < 55:
            draft.fact(breed, "P138", breed.home)
        else:
            draft.perhaps(rng, 60, breed, "P138", people.pick(rng, breed.year - 60, breed.year - 24))


BREED = Kind(
    "breed",
    24,
    "animal",
    _make,
    _relate,
    Prose(
        descriptions=("{noun} from {P495}", "{noun} that originated in {P495}", "{noun} known since {year}"),
        openings=(
            "{label} is a {noun} that originated in {P495}",
            "The {noun} {label} comes from {P495}",
            "{label}, a {noun}, was first bred in {P495}",
            "Bred in {P495} since {year}, {label} is a {noun}",
        ),
        says={
            "P138": ("was named after {P138}", "owes its name to {P138}", "bears the name of {P138}"),
            "P495": ("comes from {P495}", "originated in {P495}"),
        },
        asides=(
            "A stud register has been kept since {year}.",
            "Breeders value its calm and put up with its appetite.",
            "Fewer than {number} hundred are registered each year.",
            "It was nearly lost in a hard winter and bred back from {number} animals.",
            "Shows judge it by its gait.",
        ),
    ),
)
