"""Languages: official ones of countries, original ones of films; nobody pictures them."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("language", "make")
    for _ in range(count):
        label = draft.names.made("{family}ish", "{place}ic", "{family}ese")
        draft.add(Subject("language", label, ("language",), year=rng.randint(900, 1500)))


def _relate(draft: Draft) -> None:
    rng = draft.rng("language", "relate")
    for language in draft.all("language"):
        draft.classify(rng, 90, language)


LANGUAGE = Kind(
    "language",
    6,
    "",
    _make,
    _relate,
    Prose(
        descriptions=("{noun} first written down around {year}", "{noun} with records since {year}"),
        openings=(
            "{label} is a {noun} whose oldest records date from about {year}",
            "The {noun} called {label} was first written down around {year}",
            "Written since {year} or so, {label} is a {noun} with several dialects",
        ),
        says={},
        asides=(
            "It has {number} words for delay and none for hurry.",
            "Schoolchildren dread its {number} irregular verbs.",
            "A spelling reform failed by {number} votes.",
            "Dictionaries of it tend to stop halfway through the alphabet.",
        ),
    ),
    least=1,
    most=40,
)
