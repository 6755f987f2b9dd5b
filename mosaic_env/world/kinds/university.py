"""Universities and schools of art and music: in a city, where people were educated."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose

_TYPES = (
    ("university", "University of {place}"),
    ("university", "{family} University"),
    ("art school", "{place} School of Art"),
    ("conservatory", "{place} Conservatory"),
)


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("university", "make")
    cities = draft.pool("city")
    for i in range(count):
        noun, pattern = _TYPES[i % len(_TYPES)]
        school = Subject(
            "university", draft.names.made(pattern), ("school", noun), year=rng.randint(1560, 1899)
        )
        school.home = cities.pick(rng)
        draft.add(school)


def _relate(draft: Draft) -> None:
    rng = draft.rng("university", "relate")
    for school in draft.all("university"):
        draft.fact(school, "P131", school.home)
        draft.classify(rng, 35, school)
        draft.perhaps(rng, 25, school, "P17", school.country)


UNIVERSITY = Kind(
    "university",
    12,
    "crest",
    _make,
    _relate,
    Prose(
        descriptions=("{noun} in {P131}", "{noun} in {P131}, founded in {year}", "{noun} of {P131}"),
        openings=(
            "{label} is a {noun} in {P131}",
            "Founded in {year}, {label} is a {noun} in {P131}",
            "{label}, a {noun} founded in {year}, is located in {P131}",
            "The {noun} called {label} has taught in {P131} since {year}",
        ),
        says={"P17": ("lies in {P17}", "is paid for by {P17}", "grants the degrees of {P17}")},
        asides=(
            "Its library lends umbrellas as well.",
            "Lectures start {number} minutes late by an old privilege.",
            "Some {number} hundred students are enrolled, and as many again come for the canteen.",
            "The statutes forbid goats in the reading room.",
        ),
    ),
    least=1,
)
