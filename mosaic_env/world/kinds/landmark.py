"""Landmarks: monuments and memorials in cities, by sculptors, in honour of people."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose

_TYPES = (
    ("monument", "{family} Monument"),
    ("memorial", "{place} Memorial"),
    ("monument", "Monument to the {plural}"),
)


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("landmark", "make")
    sculptors, cities = draft.pool("person", "sculptor"), draft.pool("city")
    for i in range(count):
        noun, pattern = _TYPES[i % len(_TYPES)]
        sculptor = sculptors.pick(rng)
        year = (sculptor.year if sculptor else 1930) + rng.randint(26, 55)
        label = draft.names.made(pattern, f"{{place}} {noun.capitalize()}")
        mark = Subject("landmark", label, ("landmark", noun), year=year, by=sculptor, home=cities.pick(rng))
        draft.add(mark)


def _relate(draft: Draft) -> None:
    rng = draft.rng("landmark", "relate")
    people = draft.pool("person")
    for mark in draft.all("landmark"):
        draft.perhaps(rng, 85, mark, "P131", mark.home)
        draft.classify(rng, 35, mark)
        draft.perhaps(rng, 60, mark, "P170", mark.by)
        honoured = people.pick(rng, high=mark.year - 30)
        draft.perhaps(rng, 45, mark, "P138", honoured if honoured is not mark.by else None)
        if not mark.facts:
            draft.fact(mark, "P131", mark.home)


LANDMARK = Kind(
    "landmark",
    16,
    "facade",
    _make,
    _relate,
    Prose(
        descriptions=(
            "{noun} in {P131}",
            "{noun} created by {P170}",
            "{noun} in {P131}, unveiled in {year}",
            "{noun} unveiled in {year}",
        ),
        openings=(
            "{label} is a {noun} unveiled in {year}",
            "Unveiled in {year}, {label} is a {noun} in {P131}",
            "{label} is a {noun} located in {P131}",
            "{P170} created {label}, a {noun}, in {year}",
        ),
        says={
            "P131": ("stands in {P131}", "is located in {P131}", "is passed by every tour of {P131}"),
            "P138": ("was named after {P138}", "bears the name of {P138}"),
            "P170": ("was created by {P170}", "is the work of the sculptor {P170}"),
        },
        asides=(
            "Pigeons have been kept off it with some success for {number} years.",
            "It was moved {number} paces when the street was widened.",
            "The speech at its unveiling lasted until dark.",
            "Newly-weds are photographed there and rarely know why.",
        ),
    ),
    least=1,
)
