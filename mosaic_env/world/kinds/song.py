"""Songs: performed by a band or a musician, composed and written by others, some of them tracks of an album."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.kinds.album import a_performer, record_year
from mosaic_env.world.prose import Prose

_TITLES = (
    "{adjective} in {place}",
    "My {adjective} {noun}",
    "{mood} on {place} Street",
    "Dear {noun}",
    "Waltz of the {plural}",
    "No More {mood}",
    "Oh, {place}",
    "{noun}, Come Home",
)


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("song", "make")
    albums = draft.pool("album")
    for i in range(count):
        album = albums.pick(rng) if i % 5 else None
        performer = album.by if album else a_performer(draft, rng, i)
        year = album.year if album else record_year(rng, performer)
        draft.add(Subject("song", draft.names.made(*_TITLES), ("song",), year=year, by=performer))


def _relate(draft: Draft) -> None:
    rng = draft.rng("song", "relate")
    albums = {(album.by, album.year): album for album in draft.all("album")}
    for song in draft.all("song"):
        draft.perhaps(rng, 82, song, "P175", song.by)
        draft.classify(rng, 35, song)
        draft.perhaps(rng, 50, song, "P361", albums.get((song.by, song.year)))
        born = (song.year - 66, song.year - 20)
        draft.perhaps(rng, 42, song, "P86", draft.pool("person", "composer").pick(rng, *born))
        draft.perhaps(rng, 30, song, "P676", draft.pool("person", "musician").pick(rng, *born))
        labels = draft.pool("company", "record label")
        draft.perhaps(rng, 22, song, "P264", labels.pick(rng, high=song.year))
        if not song.facts:
            draft.fact(song, "P175", song.by)


SONG = Kind(
    "song",
    72,
    "cover",
    _make,
    _relate,
    Prose(
        descriptions=(
            "{year} song by {P175}",
            "{noun} performed by {P175}",
            "{noun} composed by {P86}",
            "{noun} of {year}",
        ),
        openings=(
            "{label} is a {noun} performed by {P175}",
            "{P175} recorded the {noun} {label} in {year}",
            "{label} is a {noun} of {year}",
            "In {year} the {noun} {label} was heard for the first time",
            "The {noun} {label} dates from {year}",
            "{label}, a {noun}, was new in {year}",
            "Radio stations first played the {noun} {label} in {year}",
            "Composed by {P86}, {label} is a {noun} of {year}",
        ),
        says={
            "P86": ("was composed by {P86}", "has a tune by {P86}", "was set to music by {P86}"),
            "P175": ("was performed by {P175}", "was sung by {P175}", "was recorded by {P175}"),
            "P264": ("was released by {P264}", "came out on {P264}"),
            "P361": ("is a track of the album {P361}", "is part of {P361}", "can be found on {P361}"),
            "P676": ("has lyrics by {P676}", "has words by {P676}", "owes its lyrics to {P676}"),
        },
        asides=(
            "It was hummed into a telephone before it was written down.",
            "The refrain was added on the last of {number} evenings.",
            "Street organs played it for {number} summers.",
            "A court had to decide who thought of the second verse.",
            "It lasts less than three minutes and feels longer.",
        ),
    ),
)
