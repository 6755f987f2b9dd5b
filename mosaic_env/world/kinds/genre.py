"""Genres of films and of music; nobody pictures them."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose

_FILM = ("tide drama", "fog thriller", "ember romance", "salt comedy", "frontier elegy", "courtroom farce")
_MUSIC = ("harbour folk", "slate beat", "dusk jazz", "moss pop", "clockwork soul", "drizzle punk")


def _make(draft: Draft, count: int) -> None:
    for i in range(count):
        film = i % 2 == 0
        pool = _FILM if film else _MUSIC
        known = i // 2 < len(pool)
        label = pool[i // 2] if known else f"{draft.names.place().lower()} {'drama' if film else 'music'}"
        noun = "film genre" if film else "music genre"
        draft.add(Subject("genre", label, ("genre", noun), year=1920 + 10 * (i % 6)))


GENRE = Kind(
    "genre",
    22,
    "",
    _make,
    lambda draft: None,
    Prose(
        descriptions=("{noun} that arose in the {year}s", "{noun}"),
        openings=(
            "{label} is a {noun} with roots in the {year}s",
            "The {noun} known as {label} took shape around {year}",
            "Critics have spoken of {label} as a {noun} since the {year}s",
        ),
        says={},
        asides=(
            "Nobody agrees about where it ends and its neighbours begin.",
            "It came back into fashion {number} years after everybody had written it off.",
            "Its followers meet at {number} small gatherings a year.",
            "Students of it quarrel about {number} founding works.",
        ),
    ),
    most=120,
)
