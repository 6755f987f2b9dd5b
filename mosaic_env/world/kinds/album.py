"""Albums: by a band or a musician, on a record label; a performer's albums follow one another."""

from __future__ import annotations

from itertools import pairwise

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose, Sentence


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("album", "make")
    bands, soloists = draft.all("band"), draft.all("person", "musician")
    for i in range(count):
        performer = rng.choice(bands) if i % 3 else rng.choice(soloists)
        start = performer.year if performer.kind == "band" else performer.year + 20
        year = min(start + rng.randint(1, 25), 2012)
        album = draft.add(Subject("album", _title(draft, i), ("album",), year=year))
        draft.fact(album, "P175", performer)


def _title(draft: Draft, number: int) -> str:
    """Return a new title, or for one album in ten that of a film: namesakes across kinds."""
    films = draft.all("film")
    return films[number % len(films)].label if number % 10 == 4 else draft.names.album()


def _relate(draft: Draft) -> None:
    rng = draft.rng("album", "relate")
    for album in draft.all("album"):
        labels = [company for company in draft.all("company", "record label") if company.year <= album.year]
        if labels:
            draft.fact(album, "P264", rng.choice(labels))
        genre = album.tail("P175").tails("P136") or [rng.choice(draft.all("genre", "music genre"))]
        draft.fact(album, "P136", genre[0])
    for performer in (*draft.all("band"), *draft.all("person", "musician")):
        albums = sorted((a for a in draft.all("album") if a.tail("P175") is performer), key=lambda a: a.year)
        for before, after in pairwise(albums):
            if before.year == after.year:
                after.year += 1
            draft.fact(after, "P155", before)
            draft.fact(before, "P156", after)


ALBUM = Kind(
    "album",
    14,
    "cover",
    _make,
    _relate,
    Prose(
        descriptions=("{year} album by {P175}", "album performed by {P175}", "{year} studio album by {P175}"),
        sentences=(
            Sentence(
                (
                    "{label} is a {P136} album performed by {P175}, released in {year} by the label {P264}",
                    "Released by {P264} in {year}, {label} is an album of {P136} by {P175}",
                    "In {year} the record label {P264} issued {label}, a {P136} album performed by {P175}",
                    "{label} is a {P136} album performed by {P175} and released in {year}",
                )
            ),
            Sentence(
                (
                    "It follows {P155} and was itself followed by {P156}",
                    "The album follows {P155}",
                    "It was followed by {P156}",
                    "It came after {P155}",
                )
            ),
        ),
        asides=(
            "It was recorded in {number} days with the heating off.",
            "The master tapes spent {number} years in a bank vault.",
            "Reviewers were cool at first and have apologised since.",
            "A pressing error makes early copies run slow.",
            "It sold {number} thousand copies in its first month.",
        ),
    ),
)
