"""Paintings: by a painter, in the collection of a museum."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose, Sentence


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("painting", "make")
    painters = draft.all("person", "painter")
    for _ in range(count):
        painter = rng.choice(painters)
        painting = Subject(
            "painting", draft.names.painting(), ("painting",), year=painter.year + rng.randint(21, 58)
        )
        draft.fact(draft.add(painting), "P170", painter)


def _relate(draft: Draft) -> None:
    rng = draft.rng("painting", "relate")
    museums = draft.all("building", "museum")
    for painting in draft.all("painting"):
        if museums:
            draft.fact(painting, "P195", rng.choice(museums))
        draft.fact(painting, "P1071", rng.choice(draft.all("city")))


PAINTING = Kind(
    "painting",
    6,
    "still life",
    _make,
    _relate,
    Prose(
        descriptions=("painting by {P170}", "{year} painting by {P170}", "oil painting created by {P170}"),
        sentences=(
            Sentence(
                (
                    "{P170} created {label} in {P1071} in {year}",
                    "{label} is a painting that {P170} made in {P1071} in {year}",
                    "Painted by {P170} in {year}, {label} was created in {P1071}",
                )
            ),
            Sentence(
                (
                    "Today it belongs to the collection of {P195}",
                    "It is kept in the collection of {P195}",
                )
            ),
        ),
        asides=(
            "It was cut from its stretcher once and found on a train.",
            "Varnish hid the signature for {number} years.",
            "An early owner paid for it with {number} months of rent.",
            "Copies of it hang in many waiting rooms.",
        ),
    ),
)
