"""People: where they were born, what they do, whom they married; their works name them."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose, Sentence

#: Occupations by how many of 44 people have them.
_OCCUPATIONS = (
    ("film director", 7), ("actor", 11), ("musician", 8), ("painter", 4), ("architect", 4), ("footballer", 4),
    ("screenwriter", 3), ("engineer", 3),
)  # fmt: skip


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("person", "make")
    cities = draft.all("city")
    pool = [name for name, share in _OCCUPATIONS for _ in range(share)]
    for i in range(count):
        occupation = pool[(i * 19) % len(pool)]
        woman, home = rng.random() < 0.5, rng.choice(cities)
        nouns = ("person", "woman" if woman else "man", occupation)
        name = draft.names.person(home.culture, woman=woman)
        person = Subject(
            "person", name, nouns, year=rng.randint(1900, 1975), woman=woman, culture=home.culture
        )
        person.until = person.year + rng.randint(66, 88)
        draft.fact(draft.add(person), "P19", home)
        draft.fact(person, "P27", home.tail("P17"))
    _namesakes(draft, max(1, count // 15))


def _namesakes(draft: Draft, wanted: int) -> None:
    """Give some people the name of somebody of another occupation."""
    people = draft.all("person")
    for first, second in zip(people[3::7], people[-4::-7], strict=False):
        if wanted and first.nouns[2] != second.nouns[2] and first.label != second.label:
            second.label, second.nouns = first.label, (*first.nouns[:2], second.nouns[2])
            second.woman = first.woman
            wanted -= 1


def _relate(draft: Draft) -> None:
    rng = draft.rng("person", "relate")
    people = draft.all("person")
    for person in people:
        if person.until < 2020 and rng.random() < 0.55:
            draft.fact(person, "P20", rng.choice(draft.all("city")))
        if rng.random() < 0.3 and not person.tails("P26"):
            _marry(draft, person, people)
        if rng.random() < 0.22 and not person.tails("P22"):
            _adopt(draft, person, people)
    for musician in draft.all("person", "musician"):
        bands = [
            band
            for band in draft.all("band")
            if band.year >= musician.year + 17 and band.year <= musician.year + 50
        ]
        if bands and rng.random() < 0.7:
            draft.fact(musician, "P463", rng.choice(bands))
    for player in draft.all("person", "footballer"):
        teams = [team for team in draft.all("team") if team.year <= player.year + 34]
        if teams:
            draft.fact(player, "P54", rng.choice(teams))


def _marry(draft: Draft, person: Subject, people: list[Subject]) -> None:
    for other in people:
        fits = other.woman != person.woman and abs(other.year - person.year) <= 10 and not other.tails("P26")
        if fits and not _family(other, person):
            draft.both(person, "P26", other)
            return


def _adopt(draft: Draft, person: Subject, people: list[Subject]) -> None:
    """State whose child somebody is: the father says child, the child says father."""
    for other in people:
        if (
            not other.woman
            and 22 <= person.year - other.year <= 40
            and len(other.tails("P40")) < 2
            and not _family(other, person)
        ):
            draft.fact(person, "P22", other)
            draft.fact(other, "P40", person)
            return


def _family(first: Subject, second: Subject) -> bool:
    return any(tail is second for _, tail in first.facts) or any(tail is first for _, tail in second.facts)


PERSON = Kind(
    "person",
    44,
    "portrait",
    _make,
    _relate,
    Prose(
        descriptions=(
            "{occupation} from {P27}",
            "{occupation} from {P27} (born {year})",
            "{occupation} born in {P19}",
        ),
        sentences=(
            Sentence(
                (
                    "{label}, born in {P19} in {year}, is remembered as {an_occupation} from {P27}",
                    "Born in {year} in {P19}, {label} became {an_occupation} and kept the citizenship of {P27}",
                    "{label} was born in {P19} in {year}, a citizen of {P27}, and worked as {an_occupation}",
                ),
                (("; {they} died in {P20}",),),
            ),
            Sentence(
                (
                    "{They} played with {P463}",
                    "{They} was a member of {P463} for some years",
                    "{They} played football for {P54}",
                    "Clubs came and went, but {they} is remembered as a player of {P54}",
                )
            ),
            Sentence(
                (
                    "{They} was married to {P26}, and {their} father was {P22}",
                    "{They} was married to {P26}",
                    "{Their} spouse was {P26}",
                    "{They} was a child of {P22}, {their} father",
                    "{Their} father was {P22}",
                ),
                (("; {their} children include {P40}", ", and {they} was the father of {P40}"),),
            ),
            Sentence(("{Their} children include {P40}", "{They} was the father of {P40}")),
        ),
        asides=(
            "{They} disliked interviews and answered letters by hand.",
            "A scholarship took {them} abroad at the age of {number}.",
            "{Their} papers fill {number} boxes in a private archive.",
            "Biographers disagree on where {they} spent the war.",
            "{They} gave up chess after losing to a neighbour {number} times in a row.",
            "For years {they} shared a house with {number} pigeons and a lodger.",
        ),
    ),
)
