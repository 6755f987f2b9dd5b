"""Awards: given to people and films by a country's academies."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose

_TYPES = ("film award", "music award", "art award")


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("award", "make")
    countries = draft.pool("country")
    for i in range(count):
        label = draft.names.made("{family} Prize", "{place} Award", "{family} Award", "{place} Prize")
        award = Subject("award", label, ("award", _TYPES[i % len(_TYPES)]), year=rng.randint(1925, 1960))
        award.home = countries.pick(rng)
        draft.add(award)


def _relate(draft: Draft) -> None:
    rng = draft.rng("award", "relate")
    people = draft.pool("person")
    for award in draft.all("award"):
        draft.fact(award, "P17", award.home)
        draft.classify(rng, 35, award)
        draft.perhaps(rng, 35, award, "P138", people.pick(rng, high=award.year - 20))


AWARD = Kind(
    "award",
    8,
    "logo",
    _make,
    _relate,
    Prose(
        descriptions=("{noun} in {P17}", "{noun} given in {P17} since {year}"),
        openings=(
            "{label} is a {noun} given in {P17} since {year}",
            "Given in {P17} since {year}, {label} is a {noun}",
            "The {noun} known as {label} is given in {P17}",
        ),
        says={"P138": ("was named after {P138}", "bears the name of {P138}")},
        asides=(
            "Winners get {number} bottles of cider and a handshake.",
            "The jury resigned {number} times and was always asked back.",
            "Nobody has ever refused it, though some have tried.",
            "Its certificate is misspelt to this day.",
        ),
    ),
    least=1,
    most=400,
)
