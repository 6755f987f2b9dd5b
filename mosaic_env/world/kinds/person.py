"""People: where they were born, what they do, whom they married; their works name them."""

from __future__ import annotations

from random import Random

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose

#: Occupations by how many of 77 people have them.
_OCCUPATIONS = (
    ("film director", 9), ("actor", 20), ("musician", 8), ("painter", 3), ("architect", 3), ("footballer", 6),
    ("screenwriter", 6), ("engineer", 3), ("composer", 5), ("film producer", 4), ("cinematographer", 4),
    ("film editor", 2), ("sculptor", 2), ("botanist", 2),
)  # fmt: skip
_STRIDE = 23
_AWARDS = {
    "film director": "film award", "actor": "film award", "screenwriter": "film award", "musician": "music award",
    "composer": "music award", "painter": "art award", "sculptor": "art award",
}  # fmt: skip


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("person", "make")
    cities = draft.pool("city")
    pool = [name for name, share in _OCCUPATIONS for _ in range(share)]
    for i in range(count):
        occupation = pool[(i * _STRIDE) % len(pool)]
        woman, home = rng.random() < 0.5, cities.pick(rng)
        nouns = ("person", "woman" if woman else "man", occupation)
        culture = home.culture if home else draft.names.culture()
        person = Subject(
            "person", draft.names.person(culture, woman=woman), nouns, year=rng.randint(1900, 1975)
        )
        person.until = person.year + rng.randint(66, 88)
        person.woman, person.culture, person.home = woman, culture, home
        draft.add(person)


def _relate(draft: Draft) -> None:
    rng = draft.rng("person", "relate")
    for person in draft.all("person"):
        _origins(draft, rng, person)
        if rng.randrange(100) < 13 and not person.tails("P26"):
            _marry(draft, rng, person)
        if rng.randrange(100) < 11 and not person.tails("P22"):
            _adopt(draft, rng, person)
        _careers(draft, rng, person)
        if not person.facts:
            draft.fact(person, "P19", person.home)


def _origins(draft: Draft, rng: Random, person: Subject) -> None:
    draft.classify(rng, 32, person, "P106")
    draft.perhaps(rng, 34, person, "P19", person.home)
    draft.perhaps(rng, 27, person, "P27", person.country)
    if person.until < 2020:
        draft.perhaps(rng, 13, person, "P20", draft.pool("city").pick(rng))
    taught = 3 if person.nouns[2] in ("actor", "footballer") else 14
    draft.perhaps(rng, taught, person, "P69", draft.pool("university").pick(rng, high=person.year + 17))


def _careers(draft: Draft, rng: Random, person: Subject) -> None:
    """State what only people of an occupation have."""
    occupation, born = person.nouns[2], person.year
    if occupation == "musician":
        draft.perhaps(rng, 55, person, "P463", draft.pool("band").pick(rng, born + 17, born + 50))
        draft.perhaps(rng, 35, person, "P1303", draft.pool("instrument").pick(rng, high=born + 30))
    if occupation == "footballer":
        for team in draft.pool("team").several(rng, rng.choice((1, 1, 2, 3)), high=born + 30):
            draft.fact(person, "P54", team)
    if occupation == "engineer":
        draft.perhaps(
            rng, 45, person, "P108", draft.pool("company", "vehicle maker").pick(rng, high=born + 50)
        )
    if occupation == "botanist":
        draft.perhaps(rng, 50, person, "P108", draft.pool("university").pick(rng, high=born + 50))
    if occupation in _AWARDS:
        award = draft.pool("award", _AWARDS[occupation]).pick(rng, high=born + 60)
        draft.perhaps(rng, 14, person, "P166", award)


def _marry(draft: Draft, rng: Random, person: Subject) -> None:
    other = draft.pool("person").pick(rng, person.year - 10, person.year + 10)
    if other is None or other.woman == person.woman or other.tails("P26") or _family(other, person):
        return
    draft.both(person, "P26", other)


def _adopt(draft: Draft, rng: Random, person: Subject) -> None:
    """State whose child somebody is: the father says child, the child says father."""
    other = draft.pool("person").pick(rng, person.year - 40, person.year - 22)
    if other is None or other.woman or len(other.tails("P40")) > 1 or _family(other, person):
        return
    draft.fact(person, "P22", other)
    draft.fact(other, "P40", person)


def _family(first: Subject, second: Subject) -> bool:
    return any(tail is second for _, tail in first.facts) or any(tail is first for _, tail in second.facts)


PERSON = Kind(
    "person",
    280,
    "portrait",
    _make,
    _relate,
    Prose(
        descriptions=(
            "{occupation} from {P27}",
            "{occupation} from {P27} (born {year})",
            "{occupation} born in {P19}",
            "{occupation} (born {year})",
        ),
        openings=(
            "{label}, born in {P19} in {year}, is remembered as {an_occupation}",
            "Born in {year} in {P19}, {label} became {an_occupation}",
            "{label} was {an_occupation} from {P27}, born in {year}",
            "Born in {year}, {label} worked as {an_occupation} and kept the citizenship of {P27}",
            "{label} was {an_occupation}, born in {year}",
            "{label} spent a working life as {an_occupation}",
            "{label} (born {year}) made a living as {an_occupation}",
            "{label}, {an_occupation}, was born in {year}",
            "From early on, {label} wanted to be {an_occupation} and nothing else",
            "{label}, of the generation of {year}, became known as {an_occupation}",
            "Those who write about {label}, {an_occupation} born in {year}, start with the family",
            "{P19} is where {label} was born, {an_occupation}",
        ),
        says={
            "P19": ("was born in {P19}", "came from {P19}, where {they} was born", "was a native of {P19}"),
            "P27": (
                "was a citizen of {P27}",
                "held the citizenship of {P27}",
                "travelled on papers of {P27}",
            ),
            "P20": (
                "died in {P20}",
                "spent the last days in {P20} and died there",
                "was living in {P20} when {they} died",
            ),
            "P22": ("was a child of {P22}, {their} father", "had {P22} as father"),
            "P26": ("was married to {P26}", "had {P26} as spouse", "shared a marriage with {P26}"),
            "P40": ("was the father of {P40}", "had children, among them {P40}"),
            "P54": (
                "played football for {P54}",
                "is remembered as a player of {P54}",
                "was on the team of {P54}",
            ),
            "P69": ("was educated at {P69}", "took a degree at {P69}", "studied at {P69}"),
            "P108": ("was employed by {P108}", "worked for {P108}", "had {P108} for an employer"),
            "P166": ("received the {P166}", "was honoured with the {P166}", "won the {P166}"),
            "P463": ("played with {P463}", "was a member of {P463} for some years", "joined {P463}"),
            "P1303": ("played the {P1303}", "was at home on the {P1303}", "took lessons on the {P1303}"),
        },
        asides=(
            "{They} disliked interviews and answered letters by hand.",
            "A scholarship took {them} abroad at the age of {number}.",
            "{Their} papers fill {number} boxes in a private archive.",
            "Biographers disagree on where {they} spent the war.",
            "{They} gave up chess after losing to a neighbour {number} times in a row.",
            "For years {they} shared lodgings with {number} pigeons and a lodger.",
        ),
    ),
    least=8,
)
