"""Companies: film studios, record labels, makers of vehicles, broadcasters, with founders and a seat."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose

_TRADES = (
    ("film studio", "Pictures"),
    ("record label", "Records"),
    ("vehicle maker", "Works"),
    ("film studio", "Studios"),
    ("record label", "Sound"),
    ("broadcaster", "Television"),
    ("film distributor", "Releasing"),
)


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("company", "make")
    cities = draft.pool("city")
    for i in range(count):
        noun, trade = _TRADES[i % len(_TRADES)]
        label = draft.names.made("{family} & {family2}", f"{{family}} {trade}", f"{{place}} {trade}")
        home = cities.pick(rng)
        draft.add(Subject("company", label, ("company", noun), year=rng.randint(1921, 1950), home=home))


def _relate(draft: Draft) -> None:
    rng = draft.rng("company", "relate")
    people, everyone = draft.pool("person"), draft.pool("company")
    founders: set[Subject] = set()
    for company in draft.all("company"):
        draft.perhaps(rng, 85, company, "P159", company.home)
        draft.classify(rng, 35, company)
        founder = people.pick(rng, company.year - 45, company.year - 20)
        if founder is not None and founder not in founders and rng.randrange(100) < 60:
            founders.add(founder)
            draft.fact(company, "P112", founder)
        draft.perhaps(rng, 14, company, "P749", everyone.pick(rng, high=company.year - 1))
        if not company.facts:
            draft.fact(company, "P159", company.home)


COMPANY = Kind(
    "company",
    44,
    "logo",
    _make,
    _relate,
    Prose(
        descriptions=(
            "{noun} based in {P159}",
            "{noun} headquartered in {P159}",
            "{noun} founded by {P112}",
            "{noun} since {year}",
        ),
        openings=(
            "{label} is a {noun} with its headquarters in {P159}",
            "The {noun} {label} has its seat in {P159}",
            "Headquartered in {P159}, {label} is a {noun} established in {year}",
            "{label} is a {noun} established in {year}",
            "In business since {year}, {label} is a {noun}",
            "{P112} founded the {noun} {label} in {year} with borrowed money",
        ),
        says={
            "P112": (
                "was founded by {P112}",
                "had {P112} for its founder",
                "owes its existence to its founder, {P112}",
            ),
            "P159": ("has its headquarters in {P159}", "is based in {P159}", "keeps its seat in {P159}"),
            "P749": (
                "belongs to its parent company {P749}",
                "was bought by {P749}",
                "has been a subsidiary of {P749} for years",
            ),
        },
        asides=(
            "At its peak it employed {number} hundred people on two shifts.",
            "A strike closed the premises for {number} weeks and changed the board for good.",
            "The archives burned, so that its early years are known from invoices only.",
            "It survived a takeover by its own canteen.",
            "Shares were traded for {number} marks before the crash.",
        ),
    ),
    least=5,
)
