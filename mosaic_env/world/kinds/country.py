"""Countries: a capital, neighbours, a language, a flag. There are never more than sixty: they are hubs."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.names import CULTURES
from mosaic_env.world.prose import Prose


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("country", "make")
    cultures = sorted(CULTURES)
    for i in range(count):
        culture = cultures[i % len(cultures)]
        year = rng.randint(1780, 1930)
        draft.add(Subject("country", draft.names.place(culture), ("country",), year=year, culture=culture))


def _relate(draft: Draft) -> None:
    rng = draft.rng("country", "relate")
    countries = draft.all("country")
    languages = draft.pool("language")
    for city in draft.all("city", "capital city"):
        if city.home is not None:
            draft.fact(city.home, "P36", city)
    # A ring with a few shortcuts: everybody has neighbours, nobody has all.
    for i, country in enumerate(countries):
        draft.both(country, "P47", countries[(i + 1) % len(countries)])
        draft.fact(country, "P37", languages.pick(rng))
        draft.classify(rng, 90, country)
    for i in range(0, len(countries) - 3, 3):
        draft.both(countries[i], "P47", countries[i + 3])


COUNTRY = Kind(
    "country",
    28,
    "flag",
    _make,
    _relate,
    Prose(
        descriptions=(
            "country bordering {P47}",
            "sovereign state whose capital is {P36}",
            "country with its capital at {P36}",
        ),
        openings=(
            "{label} is a country governed from {P36}, its capital",
            "{label} has been a sovereign {noun} since {year}, with {P36} as its capital",
            "The capital of {label}, a country since {year}, is {P36}",
            "Independent since {year}, the {noun} of {label} is ruled from its capital, {P36}",
        ),
        says={
            "P47": (
                "shares a border with {P47}",
                "has {P47} for its neighbours",
                "can be reached by land from {P47}",
                "is bordered by {P47}",
            ),
            "P37": (
                "has {P37} as its official language",
                "conducts its public business in {P37}",
                "prints its laws in {P37}",
            ),
        },
        asides=(
            "About {number} thousand people live there, most of them near the coast.",
            "Public transport carries {number} thousand travellers a day, less than a generation ago.",
            "Its parliament sits in winter only, a custom that visitors find hard to believe.",
            "Barley and wool were long its main exports.",
            "The census of {until} counted {number} thousand households.",
        ),
    ),
    most=60,
)
