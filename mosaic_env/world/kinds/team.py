"""Football teams: at home in a city, with a head coach and a crest."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("team", "make")
    cities = draft.pool("city")
    endings = ("Athletic", "Rovers", "Albion", "Strollers", "United")
    for _ in range(count):
        label = draft.names.made(*(f"{{place}} {ending}" for ending in endings))
        year = rng.randint(1888, 1930)
        draft.add(Subject("team", label, ("football team",), year=year, home=cities.pick(rng)))


def _relate(draft: Draft) -> None:
    rng = draft.rng("team", "relate")
    coaches = [*draft.all("person", "footballer"), *draft.all("person", "engineer")]
    rng.shuffle(coaches)
    for i, team in enumerate(draft.all("team")):
        draft.fact(team, "P159", team.home)
        draft.classify(rng, 35, team)
        if i < len(coaches):
            draft.perhaps(rng, 70, team, "P286", coaches[i])


TEAM = Kind(
    "team",
    24,
    "crest",
    _make,
    _relate,
    Prose(
        descriptions=("{noun} from {P159}", "{noun} based in {P159}"),
        openings=(
            "{label} is a {noun} at home in {P159}",
            "The {noun} {label} plays in {P159}",
            "Since {year}, {label} has been the {noun} of {P159}",
            "{label} is a {noun} that was set up in {P159} in {year}",
        ),
        says={
            "P286": (
                "was coached for many seasons by {P286}",
                "had {P286} for its best-known head coach",
                "owes its style to {P286}, its head coach",
            ),
        },
        asides=(
            "It went {number} matches without a draw, which is still a record.",
            "Supporters repaired the stand themselves.",
            "Gate money was stolen twice on the same afternoon.",
            "The club has been promoted and relegated {number} times.",
            "Its reserves once beat the first side and were disbanded.",
        ),
    ),
)
