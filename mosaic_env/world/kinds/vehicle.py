"""Vehicle models: made by a company, drawn up by an engineer."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose, Sentence

_MODELS = ("car", "locomotive", "bus", "steamer", "tram", "van")


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("vehicle", "make")
    for i in range(count):
        model = _MODELS[i % len(_MODELS)]
        draft.add(Subject("vehicle", draft.names.place(), ("vehicle", model), year=rng.randint(1951, 1999)))


def _relate(draft: Draft) -> None:
    rng = draft.rng("vehicle", "relate")
    for vehicle in draft.all("vehicle"):
        draft.fact(vehicle, "P176", rng.choice(draft.all("company", "vehicle maker")))
        engineers = [p for p in draft.all("person", "engineer") if p.year + 23 <= vehicle.year <= p.until]
        if engineers:
            draft.fact(vehicle, "P287", rng.choice(engineers))
        elif rng.random() < 0.5:
            draft.fact(vehicle, "P138", rng.choice(draft.all("city")))


VEHICLE = Kind(
    "vehicle",
    6,
    "vehicle",
    _make,
    _relate,
    Prose(
        descriptions=(
            "{noun} manufactured by {P176}",
            "{noun} made by {P176}",
            "{noun} built by {P176} from {year}",
        ),
        sentences=(
            Sentence(
                (
                    "The {noun} {label} was manufactured by {P176} from {year} and designed by {P287}",
                    "{label} is a {noun} made by {P176}; it was designed by {P287}",
                    "{label} is a {noun} that {P176} manufactured from {year}, named after {P138}",
                    "{label} is a {noun} manufactured by {P176} from {year}",
                    "{P176} made the {noun} {label} from {year}",
                )
            ),
        ),
        asides=(
            "Spare parts are made by enthusiasts today.",
            "Some {number} hundred were delivered, and a tenth of them is still in use.",
            "Tests had to be repeated after the brakes arrived late.",
            "It was exported in crates and put together on arrival.",
            "A commission praised its seats and little else.",
        ),
    ),
)
