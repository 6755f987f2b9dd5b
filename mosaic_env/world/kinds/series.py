"""Television series: created by a screenwriter, shown by a broadcaster, with a cast."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose

_TITLES = (
    "{place} Nights",
    "The {plural}",
    "The {noun} and the {noun2}",
    "{adjective} {place}",
    "{family} Investigates",
    "Neighbours of {place}",
    "{family} & {family2}, Solicitors",
)


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("series", "make")
    creators = draft.pool("person", "screenwriter")
    for _ in range(count):
        creator = creators.pick(rng)
        year = max(1955, min((creator.year if creator else 1940) + rng.randint(27, 55), 2010))
        label = draft.names.made(*_TITLES)
        draft.add(Subject("series", label, ("television series",), year=year, by=creator))


def _relate(draft: Draft) -> None:
    rng = draft.rng("series", "relate")
    broadcasters, actors = draft.pool("company", "broadcaster"), draft.pool("person", "actor")
    for series in draft.all("series"):
        draft.perhaps(rng, 70, series, "P170", series.by)
        draft.classify(rng, 55, series)
        draft.perhaps(rng, 60, series, "P449", broadcasters.pick(rng, high=series.year))
        draft.perhaps(rng, 30, series, "P495", series.country)
        draft.perhaps(rng, 30, series, "P136", draft.pool("genre", "film genre").pick(rng))
        composer = draft.pool("person", "composer").pick(rng, series.year - 66, series.year - 20)
        draft.perhaps(rng, 20, series, "P86", composer)
        for actor in actors.several(rng, rng.choice((0, 1, 1, 2, 3)), series.year - 66, series.year - 20):
            draft.fact(series, "P161", actor)
        if not series.facts:
            draft.fact(series, "P170", series.by)


SERIES = Kind(
    "series",
    34,
    "poster",
    _make,
    _relate,
    Prose(
        descriptions=(
            "{noun} created by {P170}",
            "{year} {noun} by {P170}",
            "{noun} shown by {P449}",
            "{noun} that started in {year}",
        ),
        openings=(
            "{label} is a {noun} that started in {year}",
            "{label} is a {noun} created by {P170}",
            "In {year} {P449} broadcast the first part of {label}, a {noun}",
            "Created by {P170}, the {noun} {label} was first shown in {year}",
            "The {noun} {label} was first shown in {year}",
        ),
        says={
            "P86": ("has a theme composed by {P86}", "owes its theme to {P86}"),
            "P136": ("is a {P136} in parts", "counts as a {P136}"),
            "P161": ("has {P161} in its cast", "features {P161}", "gave leading parts to {P161}"),
            "P170": ("was created by {P170}", "goes back to an idea of its creator, {P170}"),
            "P449": ("was broadcast by {P449}", "ran on {P449}", "was first shown by {P449}"),
            "P495": ("comes from {P495}", "was produced in {P495}"),
        },
        asides=(
            "It ran for {number} parts and ended in the middle of a sentence.",
            "The tapes were wiped to save money and found again in a garage.",
            "Viewers sent {number} sacks of letters about the last part.",
            "A strike replaced a whole season by still photographs.",
        ),
    ),
)
