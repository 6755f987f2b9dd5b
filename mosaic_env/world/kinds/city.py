"""Cities: in a region of a country, twinned with cities of other countries, with a skyline."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose

_TRAITS = ("port city", "market town", "mining town", "university city", "spa town")


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("city", "make")
    countries = draft.all("country")
    pool = draft.pool("country")
    for i in range(count):
        home = countries[i] if i < len(countries) else pool.pick(rng)
        trait = "capital city" if i < len(countries) else rng.choice(_TRAITS)
        culture = home.culture if home else ""
        city = Subject("city", draft.names.place(culture), ("city", trait), year=rng.randint(1100, 1750))
        city.culture, city.home = culture, home
        draft.add(city)


def _relate(draft: Draft) -> None:
    rng = draft.rng("city", "relate")
    cities = draft.all("city")
    everywhere = draft.pool("city")
    regions = {group[0].home: group for group in draft.groups("region", lambda region: region.home)}
    governed: set[Subject] = set()
    for city in cities:
        draft.fact(city, "P17", city.home)
        draft.classify(rng, 45, city)
        region = rng.choice(regions[city.home]) if city.home in regions else None
        draft.perhaps(rng, 55, city, "P131", region)
        if "capital city" in city.nouns:
            draft.fact(city, "P1376", city.home)
        elif region is not None and region not in governed and rng.randrange(100) < 40:
            governed.add(region)
            draft.fact(city, "P1376", region)
            draft.fact(region, "P36", city)
        if rng.randrange(100) < 45:
            _twin(draft, city, everywhere.pick(rng))


def _twin(draft: Draft, city: Subject, twin: Subject | None) -> None:
    if twin is None or twin.home is city.home:
        return
    if max(len(c.tails("P190")) for c in (city, twin)) < 3:
        draft.both(city, "P190", twin)


CITY = Kind(
    "city",
    66,
    "skyline",
    _make,
    _relate,
    Prose(
        descriptions=("{noun} in {P17}", "{noun} of {P17}", "{noun} in {P131}, {P17}"),
        openings=(
            "Founded in {year}, {label} is a {noun} in {P17}",
            "{label}, first recorded in {year}, is a {noun} in {P17}",
            "{label} is a {noun} of {P17} with a charter from {year}",
            "The {noun} of {label} lies in {P17}",
            "First recorded in {year}, the {noun} of {label} grew together with {P17}",
        ),
        says={
            "P131": (
                "is administered by {P131}",
                "belongs to the region of {P131}",
                "is located in the region of {P131}",
                "sends its delegates to the council of {P131}",
            ),
            "P1376": ("is the capital of {P1376}", "serves {P1376} as its capital"),
            "P190": (
                "is twinned with {P190}",
                "keeps a town twinning with {P190}",
                "exchanges schoolchildren with {P190}, with which it is twinned",
            ),
        },
        asides=(
            "Its ferries and trams carry {number} thousand passengers in an average month.",
            "The cattle market moved out of the old quarter after the great fire.",
            "Some {number} thousand people live in the town proper, and as many again around it.",
            "Winters are mild there, and fog is common until noon.",
            "A local bylaw still forbids whistling after dark.",
            "Rents went up by half within a decade, to the dismay of its students.",
        ),
    ),
    least=3,
)
