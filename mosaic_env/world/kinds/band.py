"""Bands: formed in a city, in a genre, seen on their stage."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("band", "make")
    cities = draft.pool("city")
    for _ in range(count):
        label = draft.names.made(
            "The {adjective} {plural}", "{family} and the {plural}", "{adjective} {noun}"
        )
        draft.add(Subject("band", label, ("band",), year=rng.randint(1948, 1990), home=cities.pick(rng)))


def _relate(draft: Draft) -> None:
    rng = draft.rng("band", "relate")
    genres, labels = draft.pool("genre", "music genre"), draft.pool("company", "record label")
    for band in draft.all("band"):
        draft.fact(band, "P740", band.home)
        draft.classify(rng, 35, band)
        draft.perhaps(rng, 65, band, "P136", genres.pick(rng))
        draft.perhaps(rng, 35, band, "P264", labels.pick(rng, high=band.year))


BAND = Kind(
    "band",
    28,
    "stage",
    _make,
    _relate,
    Prose(
        descriptions=("{noun} from {P740}", "{P136} {noun} from {P740}", "{noun} formed in {P740}"),
        openings=(
            "{label} formed in {P740} in {year}, a {noun} of old school friends",
            "Formed in {year} in {P740}, {label} is a {noun}",
            "{label} is a {P136} {noun} that came together in {P740}",
            "{label} is a {noun} from {P740} that made a name with {P136}",
            "The {noun} {label} was formed in {P740}",
        ),
        says={
            "P136": ("plays {P136}", "made a name with {P136}", "is counted among the {P136} acts"),
            "P264": ("signed with {P264}", "is under contract with {P264}", "makes records for {P264}"),
        },
        asides=(
            "Their first tour ended after {number} nights on a stranded ferry.",
            "Rehearsals were held in a disused laundry, which explains the reverb.",
            "They refused to play their hit for {number} years.",
            "Line-ups changed so often that a chart is sold at concerts.",
            "A lawsuit about royalties lasted longer than the group.",
        ),
    ),
    least=3,
)
