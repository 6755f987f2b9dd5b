"""Cities: in a country, twinned with cities of other countries, with a skyline."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose, Sentence

_TRAITS = ("port city", "river city", "hill town", "market town", "university city", "mining town")


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("city", "make")
    countries = draft.all("country")
    for i in range(count):
        country = countries[i] if i < len(countries) else rng.choice(countries)
        nouns = ("city", "capital city") if i < len(countries) else ("city", rng.choice(_TRAITS))
        city = Subject(
            "city",
            draft.names.place(country.culture),
            nouns,
            year=rng.randint(1100, 1750),
            culture=country.culture,
        )
        draft.fact(draft.add(city), "P17", country)


def _relate(draft: Draft) -> None:
    rng = draft.rng("city", "relate")
    cities = draft.all("city")
    for city in cities:
        if "capital city" in city.nouns:
            draft.fact(city, "P1376", city.tail("P17"))
        for _ in range(rng.choice((0, 1, 1, 2))):
            twin = rng.choice(cities)
            if (
                twin.tail("P17") is not city.tail("P17")
                and max(len(c.tails("P190")) for c in (city, twin)) < 3
            ):
                draft.both(city, "P190", twin)


CITY = Kind(
    "city",
    22,
    "skyline",
    _make,
    _relate,
    Prose(
        descriptions=("{noun} in {P17}", "{noun} of {P17}"),
        sentences=(
            Sentence(
                (
                    "Founded in {year} in what is now {P17}, {label} is the capital of {P1376}",
                    "{label} lies in the middle of {P17}; it has been the capital of {P1376} since independence",
                    "First recorded in {year}, {label} grew together with {P17} and is today the capital of {P1376}",
                    "{label}, first recorded in {year}, is a {noun} in {P17}",
                    "{label} is a {noun} of {P17} with a charter from {year}",
                    "The {noun} of {label} lies in {P17}",
                )
            ),
            Sentence(
                (
                    "It is twinned with {P190}",
                    "It keeps a town twinning with {P190}",
                    "Exchanges of schools bind it to {P190}, with which it is twinned",
                )
            ),
        ),
        asides=(
            "Its ferries and trams carry {number} thousand passengers in an average month.",
            "The cattle market moved out of the old quarter after the great fire.",
            "Some {number} thousand people live in the town proper, and as many again around it.",
            "Winters are mild there, and fog is common until noon.",
            "A local bylaw still forbids whistling after dark.",
            "Rents rose by half within a decade, to the dismay of its students.",
        ),
    ),
)
