"""Football teams: at home in a city, with a head coach and a crest."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose, Sentence


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("team", "make")
    for _ in range(count):
        label = draft.names.with_ending("Athletic", "Rovers", "Albion", "Strollers", "United")
        draft.add(Subject("team", label, ("football team",), year=rng.randint(1888, 1930)))


def _relate(draft: Draft) -> None:
    rng = draft.rng("team", "relate")
    coaches = [*draft.all("person", "footballer"), *draft.all("person", "engineer")]
    rng.shuffle(coaches)
    for i, team in enumerate(draft.all("team")):
        draft.fact(team, "P159", rng.choice(draft.all("city")))
        if i < len(coaches):
            draft.fact(team, "P286", coaches[i])


TEAM = Kind(
    "team",
    6,
    "crest",
    _make,
    _relate,
    Prose(
        descriptions=("football team from {P159}", "football team based in {P159}"),
        sentences=(
            Sentence(
                (
                    "{label} is a football team at home in {P159}, coached for many seasons by {P286}",
                    "The football team {label} plays in {P159}; its best-known head coach was {P286}",
                    "{label} is a football team at home in {P159}",
                    "The football team {label} plays in {P159}",
                )
            ),
        ),
        asides=(
            "It went {number} matches without a draw, which is still a record.",
            "Supporters repaired the stand themselves.",
            "Gate money was stolen twice on the same afternoon.",
            "The club has been promoted and relegated {number} times.",
            "Its reserves once beat the first side and were disbanded.",
        ),
    ),
)
