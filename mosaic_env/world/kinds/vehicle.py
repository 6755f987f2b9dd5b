"""Vehicle models: made by a company, drawn up by an engineer."""

from __future__ import annotations

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose

_MODELS = ("car", "locomotive", "bus", "steamer", "tram", "van")


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("vehicle", "make")
    makers = draft.pool("company", "vehicle maker")
    for i in range(count):
        nouns = ("vehicle", _MODELS[i % len(_MODELS)])
        label, year = draft.names.place(), rng.randint(1951, 1999)
        draft.add(Subject("vehicle", label, nouns, year=year, by=makers.pick(rng)))


def _relate(draft: Draft) -> None:
    rng = draft.rng("vehicle", "relate")
    engineers, cities = draft.pool("person", "engineer"), draft.pool("city")
    for vehicle in draft.all("vehicle"):
        draft.fact(vehicle, "P176", vehicle.by)
        draft.classify(rng, 35, vehicle)
        draft.perhaps(rng, 45, vehicle, "P287", engineers.pick(rng, vehicle.year - 66, vehicle.year - 23))
        draft.perhaps(rng, 20, vehicle, "P138", cities.pick(rng))


VEHICLE = Kind(
    "vehicle",
    26,
    "vehicle",
    _make,
    _relate,
    Prose(
        descriptions=(
            "{noun} manufactured by {P176}",
            "{noun} made by {P176}",
            "{noun} built by {P176} from {year}",
        ),
        openings=(
            "The {noun} {label} was manufactured by {P176} from {year}",
            "{label} is a {noun} made by {P176}",
            "{label} is a {noun} manufactured by {P176} from {year}",
            "{P176} made the {noun} {label} from {year}",
            "Built by {P176}, {label} is a {noun} of {year}",
        ),
        says={
            "P138": ("was named after {P138}", "bears the name of {P138}"),
            "P287": (
                "was designed by {P287}",
                "was drawn up by the engineer {P287}",
                "is a design of {P287}",
            ),
        },
        asides=(
            "Spare parts are made by enthusiasts today.",
            "Some {number} hundred were delivered, and a tenth of them is still in use.",
            "Tests had to be repeated after the brakes arrived late.",
            "It was exported in crates and put together on arrival.",
            "A commission praised its seats and little else.",
        ),
    ),
)
