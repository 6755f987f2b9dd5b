"""Animal breeds: from a country, some named after a city."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose, Sentence

_SPECIES = ("cat breed", "dog breed", "rabbit breed", "duck breed", "goldfish breed")


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("breed", "make")
    for i in range(count):
        label = draft.names.with_ending("Longcoat", "Drifter", "Roundear", "Courser", "Shortlegs")
        draft.add(
            Subject(
                "breed", label, ("animal breed", _SPECIES[i % len(_SPECIES)]), year=rng.randint(1840, 1960)
            )
        )


def _relate(draft: Draft) -> None:
    rng = draft.rng("breed", "relate")
    for breed in draft.all("breed"):
        city = rng.choice(draft.all("city"))
        draft.fact(breed, "P495", city.tail("P17"))
        keepers = [p for p in draft.all("person") if 24 <= breed.year - p.year <= 60]
        if rng.random() < 0.6:
            draft.fact(breed, "P138", city)
        elif keepers:
            draft.fact(breed, "P138", rng.choice(keepers))


BREED = Kind(
    "breed",
    6,
    "animal",
    _make,
    _relate,
    Prose(
        descriptions=("{noun} from {P495}", "{noun} that originated in {P495}"),
        sentences=(
            Sentence(
                (
                    "{label} is a {noun} that originated in {P495}",
                    "The {noun} {label} comes from {P495}",
                    "{label}, a {noun}, was first bred in {P495}",
                ),
                ((" and was named after {P138}", "; it is named after {P138}"),),
            ),
        ),
        asides=(
            "A stud register has been kept since {year}.",
            "Breeders value its calm and put up with its appetite.",
            "Fewer than {number} hundred are registered each year.",
            "It was nearly lost in a hard winter and bred back from {number} animals.",
            "Shows judge it by its gait.",
        ),
    ),
)
