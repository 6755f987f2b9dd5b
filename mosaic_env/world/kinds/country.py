"""Countries: a capital, neighbours, a flag."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.names import CULTURES
from mosaic_env.world.prose import Prose, Sentence


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("country", "make")
    cultures = sorted(CULTURES)
    for i in range(count):
        culture = cultures[i % len(cultures)]
        draft.add(
            Subject(
                "country",
                draft.names.place(culture),
                ("country",),
                year=rng.randint(1780, 1930),
                culture=culture,
            )
        )


def _relate(draft: Draft) -> None:
    countries = draft.all("country")
    for country in countries:
        cities = [city for city in draft.all("city") if city.tail("P17") is country]
        draft.fact(country, "P36", cities[0])
    # A ring with a few shortcuts: everybody has neighbours, nobody has all.
    for i, country in enumerate(countries):
        draft.both(country, "P47", countries[(i + 1) % len(countries)])
    for i in range(0, len(countries) - 3, 3):
        draft.both(countries[i], "P47", countries[i + 3])


COUNTRY = Kind(
    "country",
    7,
    "flag",
    _make,
    _relate,
    Prose(
        descriptions=(
            "country bordering {P47}",
            "sovereign state whose capital is {P36}",
            "country with its capital at {P36}",
        ),
        sentences=(
            Sentence(
                (
                    "{label} is a country governed from {P36}, its capital",
                    "The capital of {label} is {P36}",
                    "{label} has been a sovereign state since {year}, with {P36} as its capital",
                )
            ),
            Sentence(
                (
                    "It shares a border with {P47}",
                    "Its neighbours are {P47}",
                    "By land it can be reached from {P47}",
                )
            ),
        ),
        asides=(
            "About {number} thousand people live there, most of them near the coast.",
            "Rail traffic carries {number} thousand travellers a day, less than a generation ago.",
            "Its parliament sits in winter only, a custom that visitors find hard to believe.",
            "Barley and wool were long its main exports.",
            "The census of {until} counted {number} thousand households.",
        ),
    ),
)
