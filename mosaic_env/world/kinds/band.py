"""Bands: formed in a city, in a genre, seen on their stage."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose, Sentence


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("band", "make")
    for _ in range(count):
        draft.add(Subject("band", draft.names.band(), ("band",), year=rng.randint(1948, 1990)))


def _relate(draft: Draft) -> None:
    rng = draft.rng("band", "relate")
    for band in draft.all("band"):
        draft.fact(band, "P740", rng.choice(draft.all("city")))
        draft.fact(band, "P136", rng.choice(draft.all("genre", "music genre")))


BAND = Kind(
    "band",
    6,
    "stage",
    _make,
    _relate,
    Prose(
        descriptions=("band from {P740}", "{P136} band from {P740}", "band formed in {P740}"),
        sentences=(
            Sentence(
                (
                    "{label} formed in {P740} in {year} and made a name with {P136}",
                    "Formed in {year} in {P740}, {label} is a band that plays {P136}",
                    "{label} is a {P136} band that came together in {P740}",
                )
            ),
        ),
        asides=(
            "Their first tour ended after {number} nights on a stranded ferry.",
            "Rehearsals were held in a disused laundry, which explains the reverb.",
            "They refused to play encores for {number} years.",
            "Line-ups changed so often that a chart is sold at concerts.",
            "A lawsuit about royalties lasted longer than the group.",
        ),
    ),
)
