"""Companies: film studios, record labels and makers of vehicles, with founders and a seat."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose, Sentence

_TRADES = (("film studio", "Pictures"), ("record label", "Records"), ("vehicle maker", "Works"))


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("company", "make")
    for i in range(count):
        noun, trade = _TRADES[i % len(_TRADES)]
        draft.add(
            Subject("company", draft.names.company(trade), ("company", noun), year=rng.randint(1908, 1950))
        )


def _relate(draft: Draft) -> None:
    rng = draft.rng("company", "relate")
    founders = list(draft.all("person"))
    rng.shuffle(founders)
    for company in draft.all("company"):
        draft.fact(company, "P159", rng.choice(draft.all("city")))
        founder = next((p for p in founders if 20 <= company.year - p.year <= 45), None)
        if founder is not None:
            founders.remove(founder)
            draft.fact(company, "P112", founder)


COMPANY = Kind(
    "company",
    9,
    "logo",
    _make,
    _relate,
    Prose(
        descriptions=("{noun} based in {P159}", "{noun} headquartered in {P159}", "{noun} founded by {P112}"),
        sentences=(
            Sentence(
                (
                    "{label} is a {noun} with its headquarters in {P159}",
                    "The {noun} {label} has its seat in {P159}",
                    "Headquartered in {P159}, {label} is a {noun} established in {year}",
                )
            ),
            Sentence(
                (
                    "It was founded by {P112}",
                    "{P112} founded it in {year} with borrowed money",
                    "Its founder was {P112}",
                )
            ),
        ),
        asides=(
            "At its peak it employed {number} hundred people on two shifts.",
            "A strike closed the premises for {number} weeks and changed the board for good.",
            "The archives burned, so that its early years are known from invoices only.",
            "It survived a takeover by its own canteen.",
            "Shares were traded for {number} marks before the crash.",
        ),
    ),
)
