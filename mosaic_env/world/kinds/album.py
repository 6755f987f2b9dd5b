"""Albums: by a band or a musician, on a record label; a performer's albums follow one another."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose

_TITLES = (
    "{mood} for {plural}",
    "{adjective} {mood}",
    "{mood} from {place}",
    "Goodnight, {place}",
    "{mood} and {mood2}",
    "The {place} Tapes",
)


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("album", "make")
    for i in range(count):
        performer = a_performer(draft, rng, i)
        label, year = draft.names.made(*_TITLES), record_year(rng, performer)
        draft.add(Subject("album", label, ("album",), year=year, by=performer))


def a_performer(draft: Draft, rng: Random, number: int) -> Subject | None:
    """Return who performs a record: mostly bands."""
    return (draft.pool("band") if number % 3 else draft.pool("person", "musician")).pick(rng)


def record_year(rng: Random, performer: Subject | None) -> int:
    """Return a year in which a performer can have made a record."""
    start = 1950 if performer is None else performer.year + (0 if performer.kind == "band" else 20)
    return min(start + rng.randint(1, 25), 2012)


def _relate(draft: Draft) -> None:
    rng = draft.rng("album", "relate")
    labels, producers = draft.pool("company", "record label"), draft.pool("person", "film producer")
    for album in draft.all("album"):
        draft.perhaps(rng, 82, album, "P175", album.by)
        draft.classify(rng, 35, album)
        draft.perhaps(rng, 55, album, "P264", labels.pick(rng, high=album.year))
        genre = album.by.tails("P136") if album.by else []
        draft.perhaps(rng, 30, album, "P136", genre[0] if genre else None)
        draft.perhaps(rng, 14, album, "P162", producers.pick(rng, album.year - 66, album.year - 20))
        if not album.facts:
            draft.fact(album, "P175", album.by)
    for group in draft.groups("album", lambda album: album.by):
        for before, after in pairwise(group):
            if before.year < after.year and before.by is not None and rng.randrange(100) < 40:
                draft.follow(before, after)


ALBUM = Kind(
    "album",
    72,
    "cover",
    _make,
    _relate,
    Prose(
        descriptions=(
            "{year} album by {P175}",
            "album performed by {P175}",
            "{year} studio album by {P175}",
            "{noun} released in {year}",
        ),
        openings=(
            "{label} is an {noun} performed by {P175} and released in {year}",
            "In {year} the record label {P264} issued the {noun} {label}",
            "{label} is an {noun} of {year}",
            "Released in {year}, {label} is an {noun} by {P175}",
            "The {noun} {label} appeared in {year}",
            "{label}, an {noun}, was in the shops from {year}",
            "{year} is the year of the {noun} {label}",
            "{label} is an {noun} of {P136} from the year {year}",
        ),
        says={
            "P136": ("is a record of {P136}", "is filed under {P136} in the shops", "belongs to {P136}"),
            "P155": ("follows {P155}", "came after {P155}", "is the successor of {P155}"),
            "P156": ("was followed by {P156}", "came before {P156}"),
            "P162": ("was produced by {P162}", "had {P162} as its producer"),
            "P175": ("was performed by {P175}", "is a record by {P175}", "was recorded by {P175}"),
            "P264": ("was released by {P264}", "came out on {P264}", "was issued by the label {P264}"),
        },
        asides=(
            "It was recorded in {number} days with the heating off.",
            "The master tapes spent {number} years in a bank vault.",
            "Reviewers were cool at first and have apologised since.",
            "A pressing error makes early copies run slow.",
            "It sold {number} thousand copies in its first month.",
        ),
    ),
    least=4,
)
