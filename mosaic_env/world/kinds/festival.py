"""Festivals: held in a city, of a genre, founded by somebody."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose

_TYPES = (
    ("film festival", "film genre", "{place} Film Days"),
    ("music festival", "music genre", "{place} Summer Concerts"),
    ("film festival", "film genre", "{place} Film Festival"),
    ("music festival", "music genre", "{place} Music Week"),
)


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("festival", "make")
    cities = draft.pool("city")
    for i in range(count):
        noun, _, pattern = _TYPES[i % len(_TYPES)]
        label, year = draft.names.made(pattern), rng.randint(1946, 1995)
        draft.add(Subject("festival", label, ("festival", noun), year=year, home=cities.pick(rng)))


def _relate(draft: Draft) -> None:
    rng = draft.rng("festival", "relate")
    people = draft.pool("person")
    genres = {noun: draft.pool("genre", genre) for noun, genre, _ in _TYPES}
    for festival in draft.all("festival"):
        draft.fact(festival, "P276", festival.home)
        draft.perhaps(rng, 45, festival, "P136", genres[festival.nouns[1]].pick(rng))
        draft.perhaps(rng, 45, festival, "P112", people.pick(rng, festival.year - 60, festival.year - 22))


FESTIVAL = Kind(
    "festival",
    12,
    "poster",
    _make,
    _relate,
    Prose(
        descriptions=("{noun} in {P276}", "{noun} held in {P276}", "{noun} in {P276} since {year}"),
        openings=(
            "{label} is a {noun} held in {P276}",
            "Held in {P276} since {year}, {label} is a {noun}",
            "{label} is a {noun} that has taken place in {P276} since {year}",
            "Since {year} the {noun} called {label} has been held in {P276}",
        ),
        says={
            "P112": ("was founded by {P112}", "goes back to its founder, {P112}"),
            "P136": ("is devoted to {P136}", "has a weakness for {P136}"),
        },
        asides=(
            "Tickets sell out {number} minutes after the box office opens.",
            "It was washed out {number} times and never called off.",
            "The jury is fed by the fire brigade.",
            "Locals let their attics to visitors for the week.",
        ),
    ),
    least=1,
)
