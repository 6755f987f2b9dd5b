"""Musical instruments: invented by an engineer, from a country, played by musicians."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose

_TYPES = ("string instrument", "wind instrument", "keyboard instrument", "percussion instrument")


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("instrument", "make")
    engineers, countries = draft.pool("person", "engineer"), draft.pool("country")
    for i in range(count):
        inventor = engineers.pick(rng, high=1945)
        year = (inventor.year if inventor else 1915) + rng.randint(23, 40)
        label = draft.names.made("{family}ophone", "{place}ella", "{family}ine", "{place}ophon")
        nouns = ("instrument", _TYPES[i % len(_TYPES)])
        home = inventor.country if inventor else countries.pick(rng)
        draft.add(Subject("instrument", label, nouns, year=year, by=inventor, home=home))


def _relate(draft: Draft) -> None:
    rng = draft.rng("instrument", "relate")
    for instrument in draft.all("instrument"):
        draft.fact(instrument, "P61", instrument.by)
        draft.perhaps(rng, 60, instrument, "P495", instrument.home)
        if not instrument.facts:
            draft.fact(instrument, "P495", instrument.home)


INSTRUMENT = Kind(
    "instrument",
    10,
    "instrument",
    _make,
    _relate,
    Prose(
        descriptions=("{noun} from {P495}", "{noun} invented by {P61}", "{noun} introduced in {year}"),
        openings=(
            "{label} is a {noun} introduced in {year}",
            "The {noun} called {label} was first heard in {year}",
            "{P61} invented the {noun} {label} in {year}",
            "{label} is a {noun} from {P495}",
        ),
        says={
            "P61": ("was invented by {P61}", "is an invention of {P61}"),
            "P495": ("comes from {P495}", "was first made in {P495}"),
        },
        asides=(
            "It goes out of tune when anybody coughs.",
            "Only {number} people are said to master it.",
            "Orchestras hire it by the evening and return it early.",
            "Its patent was fought over for {number} years.",
        ),
    ),
    least=1,
    most=300,
)
