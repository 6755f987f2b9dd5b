"""Postage stamps: issued by a country, designed by a painter, in honour of something."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.kinds.painting import something
from mosaic_env.world.prose import Prose

_LABELS = (
    "{place} Twopenny",
    "{family} Commemorative",
    "{place} Halfpenny",
    "{adjective} Fourpenny",
    "{place} Airmail",
)


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("stamp", "make")
    painters, countries = draft.pool("person", "painter"), draft.pool("country")
    for _ in range(count):
        painter = painters.pick(rng)
        year = (painter.year if painter else 1930) + rng.randint(24, 60)
        label = draft.names.made(*_LABELS)
        stamp = Subject("stamp", label, ("postage stamp",), year=year, by=painter, home=countries.pick(rng))
        draft.add(stamp)


def _relate(draft: Draft) -> None:
    rng = draft.rng("stamp", "relate")
    for stamp in draft.all("stamp"):
        draft.fact(stamp, "P495", stamp.home)
        draft.classify(rng, 35, stamp)
        draft.perhaps(rng, 60, stamp, "P287", stamp.by)
        draft.perhaps(rng, 50, stamp, "P180", something(draft, rng, stamp.year))


STAMP = Kind(
    "stamp",
    10,
    "stamp",
    _make,
    _relate,
    Prose(
        descriptions=("{noun} of {P495}", "{year} {noun} of {P495}", "{noun} issued in {P495}"),
        openings=(
            "{label} is a {noun} issued in {P495} in {year}",
            "Issued in {year}, {label} is a {noun} of {P495}",
            "In {year} the post office of {P495} issued the {noun} {label}",
        ),
        says={
            "P180": ("depicts {P180}", "was issued in honour of {P180}, which it depicts"),
            "P287": ("was designed by {P287}", "was engraved after a design of {P287}"),
        },
        asides=(
            "Collectors pay {number} times its face value for a clean copy.",
            "The gum tasted of cloves and was withdrawn.",
            "A sheet of {number} was sold with the wrong currency.",
            "It was valid for local letters only.",
        ),
    ),
    least=1,
)
