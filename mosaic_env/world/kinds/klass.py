"""Classes: what things are instances of, and occupations. Nobody pictures them, and many facts lead to them."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose

#: Labels are the last nouns of other kinds; a small world has the first of them.
_CLASSES = (
    "film", "actor", "film director", "album", "song", "television series", "musician", "painting", "port city",
    "market town", "footballer", "country", "region", "screenwriter", "composer", "film producer", "cinematographer",
    "band", "mining town", "university city", "film studio", "record label", "museum", "football team", "university",
    "painter", "architect", "engineer", "spa town", "sculpture", "plant", "nature reserve", "film editor", "sculptor",
    "botanist", "vehicle maker", "broadcaster", "film distributor", "monument", "memorial", "theatre",
    "library", "railway station", "hotel", "postage stamp", "language", "car", "locomotive", "bus", "steamer", "tram",
    "van", "dog breed", "cat breed", "rabbit breed", "duck breed", "goldfish breed", "shrub", "herb", "climber",
    "grass", "art school", "conservatory", "capital city", "film award", "music award", "art award",
)  # fmt: skip
_OCCUPATIONS = frozenset({
    "actor", "film director", "musician", "footballer", "screenwriter", "composer", "film producer",
    "cinematographer", "painter", "architect", "engineer", "film editor", "sculptor", "botanist",
})  # fmt: skip


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("class", "make")
    for label in _CLASSES[:count]:
        draft.names.take(label)
        noun = "occupation" if label in _OCCUPATIONS else "class"
        draft.add(Subject("class", label, ("class", noun), year=rng.randint(1960, 2005)))


CLASS = Kind(
    "class",
    58,
    "",
    _make,
    lambda draft: None,
    Prose(
        descriptions=(
            "{noun} in the catalogue",
            "{noun} of the general register",
            "{noun} in use since {year}",
        ),
        openings=(
            "The catalogue lists {label} as a {noun} of its own since {year}",
            "Since {year}, the general register has had a heading for the {noun} {label}",
            "{label} is the name of a {noun} in the catalogue",
        ),
        says={},
        asides=(
            "It has more entries than any clerk could read.",
            "A committee of {number} experts once tried to define it and adjourned.",
            "Its heading was misspelt for {number} weeks.",
            "The first edition gave it {number} lines.",
        ),
    ),
    most=len(_CLASSES),
)
