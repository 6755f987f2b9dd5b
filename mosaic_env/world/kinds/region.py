"""Regions: parts of a country with a capital of their own, bordering one another."""

from __future__ import annotations

from itertools import pairwise

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("region", "make")
    countries = draft.pool("country")
    for _ in range(count):
        home = countries.pick(rng)
        culture = home.culture if home else ""
        label = draft.names.place(culture)
        draft.add(
            Subject("region", label, ("region",), year=rng.randint(1650, 1900), culture=culture, home=home)
        )


def _relate(draft: Draft) -> None:
    rng = draft.rng("region", "relate")
    for region in draft.all("region"):
        draft.fact(region, "P17", region.home)
        draft.classify(rng, 35, region)
    for group in draft.groups("region", lambda region: region.home):
        for first, second in pairwise(group):
            if rng.randrange(100) < 35:
                draft.both(first, "P47", second)


REGION = Kind(
    "region",
    24,
    "map",
    _make,
    _relate,
    Prose(
        descriptions=("{noun} of {P17}", "{noun} in {P17}"),
        openings=(
            "{label} is a {noun} with a council of its own",
            "Drawn up in {year}, {label} is a {noun} that keeps its own council",
            "The {noun} of {label} goes back to {year}",
            "Since {year}, {label} has been a {noun} in its own right",
        ),
        says={
            "P17": ("belongs to {P17}", "is a part of {P17}", "lies in {P17}", "sends its taxes to {P17}"),
            "P36": ("has {P36} as its capital", "is governed from {P36}, its capital"),
            "P47": ("borders {P47}", "shares a border with {P47}", "adjoins {P47}"),
        },
        asides=(
            "Its council meets {number} times a year in a barn.",
            "Cider and slate were its exports until the canal was dug.",
            "Walkers complain about its {number} unmarked crossings.",
            "It lost {number} farms to a storm and rebuilt most of them.",
            "An atlas left it out for {number} years without anybody writing in.",
        ),
    ),
    least=1,
)
