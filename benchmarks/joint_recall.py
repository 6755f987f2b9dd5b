"""The bundled joint encoder on 1,000 held-out renders, and its speed on one core."""

from __future__ import annotations

from collections.abc import Iterator

from threadpoolctl import threadpool_limits

from benchmarks.timing import Line, at_least, at_most, in_turn
from mosaic_env.guard.images import decode_rgb
from mosaic_env.index.joint import load
from mosaic_env.train.measure import measure
from mosaic_env.train.renders import sample_scenes
from mosaic_env.world.draw import draw
from mosaic_env.world.styles import HELD_OUT, STYLES

_QUERIES = (
    "a red cap",
    "flag with a yellow star",
    "three red sailing boats",
    "poster with a white lighthouse",
)
#: Neither seed is the one of training; see ``mosaic_env.train.joint``.
_SEEDS = {"held-out styles": (1_001, tuple(HELD_OUT)), "styles of training": (1_002, tuple(STYLES))}


def lines() -> Iterator[Line]:
    """Yield recall for whole captions, precision for short queries, and speed."""
    encoder = load("bundled")
    for name, (seed, styles) in _SEEDS.items():
        found = measure(encoder, seed, 1_000, styles)
        print("     " + "\n     ".join(found.lines()))
        yield at_least(f"recall at 1, captions of 4 or more attributes, {name}", found.recall_1, 0.80)
        yield at_least(f"recall at 10, captions of 4 or more attributes, {name}", found.recall_10, 0.97)
        yield at_least(f"share of top ten that fit a short query, {name}", found.precision, 0.90)
    pictures = [decode_rgb(draw(scene)) for scene in sample_scenes(1_003, 24)]
    with threadpool_limits(1):  # one core, as the bars say
        seconds = in_turn(
            {
                "text": lambda: [encoder.encode_texts([text]) for text in _QUERIES],
                "picture": lambda: [encoder.encode_pictures([picture]) for picture in pictures],
            }
        )
    yield at_most("text query", seconds["text"] / len(_QUERIES) * 1_000, 0.1, "ms")
    yield at_most("picture query", seconds["picture"] / len(pictures) * 1_000, 10, "ms")
