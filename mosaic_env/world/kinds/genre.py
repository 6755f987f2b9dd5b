"""Genres of films and of music; nobody pictures them."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose, Sentence

_FILM = ("tide drama", "fog thriller", "ember romance", "salt comedy", "frontier elegy", "courtroom farce")
_MUSIC = ("harbour folk", "slate rock", "dusk jazz", "moss pop", "clockwork soul", "drizzle punk")


def _make(draft: Draft, count: int) -> None:
    for i in range(count):
        film = i % 2 == 0
        pool = _FILM if film else _MUSIC
        label = (
            pool[i // 2]
            if i // 2 < len(pool)
            else f"{draft.names.place().lower()} {'drama' if film else 'music'}"
        )
        draft.add(
            Subject(
                "genre", label, ("genre", "film genre" if film else "music genre"), year=1920 + 10 * (i % 6)
            )
        )


GENRE = Kind(
    "genre",
    6,
    "",
    _make,
    lambda draft: None,
    Prose(
        descriptions=("{noun} that arose in the {year}s", "{noun}"),
        sentences=(
            Sentence(
                (
                    "{label} is a {noun} with roots in the {year}s",
                    "The {noun} known as {label} took shape around {year}",
                )
            ),
        ),
        asides=(
            "Critics argue about where it ends and its neighbours begin.",
            "It came back into fashion {number} years after everybody had written it off.",
            "Its followers meet at {number} small festivals a year.",
        ),
    ),
)
