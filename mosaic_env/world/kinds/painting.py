"""Paintings: by a painter, in the collection of a museum, some of them of a place or a person."""

from __future__ import annotations

from random import Random

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose

_TITLES = ("Morning at {place}", "The {noun}'s Supper", "Study for {family}", "After the {noun}", "{place} in Thaw",
           "Interior with {noun}")  # fmt: skip


def _make(draft: Draft, count: int) -> None:
    add_works(draft, count, "painting", ("painting",), "painter", _TITLES)


def add_works(
    draft: Draft, count: int, kind: str, nouns: tuple[str, ...], occupation: str, titles: tuple[str, ...]
) -> None:
    """Add works of art by people of an occupation."""
    rng = draft.rng(kind, "make")
    artists = draft.pool("person", occupation)
    for _ in range(count):
        artist = artists.pick(rng)
        year = (artist.year if artist else 1930) + rng.randint(21, 58)
        draft.add(Subject(kind, draft.names.made(*titles), nouns, year=year, by=artist))


def relate_works(draft: Draft, kind: str) -> None:
    """State who made works of art, where they are and what they depict."""
    rng = draft.rng(kind, "relate")
    for work in draft.all(kind):
        draft.perhaps(rng, 85, work, "P170", work.by)
        draft.classify(rng, 35, work)
        draft.perhaps(rng, 55, work, "P195", draft.pool("museum").pick(rng))
        draft.perhaps(rng, 30, work, "P1071", draft.pool("city").pick(rng))
        draft.perhaps(rng, 25, work, "P180", something(draft, rng, work.year))
        if not work.facts:
            draft.fact(work, "P170", work.by)


def something(draft: Draft, rng: Random, year: int) -> Subject | None:
    """Return a person, a city or a landmark that can be depicted in a year."""
    kind = rng.choice(("person", "city", "landmark"))
    return draft.pool(kind).pick(rng, high=year - 18)


OPENINGS = (
    "{P170} created the {noun} {label} in {year}",
    "{label} is a {noun} of {year}",
    "{label} is a {noun} that {P170} made in {year}",
    "{label}, a {noun} from the year {year}, was created in {P1071}",
    "The {noun} {label} was finished in {year}",
)
SAYS = {
    "P170": ("was created by {P170}", "is the work of {P170}", "was made by {P170}"),
    "P180": ("depicts {P180}", "shows {P180} as seen by a friend", "has {P180} as its subject"),
    "P195": (
        "belongs to the collection of {P195}",
        "is kept in the collection of {P195}",
        "was given to {P195} for its collection",
    ),
    "P1071": ("was created in {P1071}", "was made in a rented room in {P1071}"),
}

PAINTING = Kind(
    "painting",
    24,
    "still life",
    _make,
    lambda draft: relate_works(draft, "painting"),
    Prose(
        descriptions=(
            "{noun} by {P170}",
            "{year} {noun} by {P170}",
            "oil {noun} created by {P170}",
            "{noun} of {year}",
        ),
        openings=OPENINGS,
        says=SAYS,
        asides=(
            "It was taken off its stretcher once and found in a left-luggage office.",
            "Varnish hid the signature for {number} years.",
            "An early owner paid for it with {number} months of rent.",
            "Copies of it hang in many waiting rooms.",
        ),
    ),
)
