"""Drawn pictures to train and to measure on, in shards on disk: each shard is a pure function of (seed, number)."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from mosaic_env.core.canon import canonical_bytes, digest, digest_bytes, strict_loads
from mosaic_env.core.seeds import python_random
from mosaic_env.index.joint_net import reduced
from mosaic_env.world.draw import draw_small
from mosaic_env.world.drawing.canvas import Hand
from mosaic_env.world.drawing.surface import Surface
from mosaic_env.world.pictures import PICTURES
from mosaic_env.world.scene import About
from mosaic_env.world.styles import STYLES, Style

#: Pictures in a shard.
SHARD = 2_000
#: Pictures of a shard that are drawn to see whether it is the one on disk.
_PROBED = 24
#: Share of pictures drawn in the style that their scene names.
_OWN_STYLE = 0.4
_SYLLABLES = (
    "ba", "cor", "del", "fen", "gal", "hol", "in", "jas", "ka", "lor", "mun", "nes", "or", "pal", "quin", "ras", "sol",
    "tam", "ur", "vel", "wick", "yst", "zan",
)  # fmt: skip


@dataclass(frozen=True)
class Renders:
    """Pictures with their scenes.

    Args:
        pictures: shape (n, 96, 96, 3), uint8.
        scenes: One a picture.
    """

    pictures: npt.NDArray[np.uint8]
    scenes: Sequence[Mapping[str, Any]]


def sample_scenes(seed: int, count: int, styles: Sequence[str] = tuple(STYLES)) -> Iterator[dict[str, Any]]:
    """Yield random scenes, every kind of picture in turn, each in one of the styles."""
    rng = python_random(seed, "train", "scenes")
    kinds = list(PICTURES)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        scene = PICTURES.get(kind).sample(rng, About(_label(rng), kind, rng.random() < 0.5))
        yield {**scene, "style": rng.choice(styles)}


def _label(rng: Random) -> str:
    """Return an invented name of one or two words: what it says is not learnt, how lettering looks is."""
    words = ("".join(rng.choices(_SYLLABLES, k=rng.randint(2, 3))) for _ in range(rng.randint(1, 2)))
    return " ".join(words).title()


def shards(folder: Path, seed: int, count: int, workers: int = 1) -> Renders:
    """Return ``count`` shards of pictures, drawing the ones that are not in the folder yet.

    Determinism: as drawing.
    Cost: about 10 s a shard and worker, when it is not there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(workers) as pool:
        parts = [_read(path) for path in pool.map(partial(_shard, folder, seed), range(count))]
    return Renders(
        np.concatenate([part.pictures for part in parts]), [scene for part in parts for scene in part.scenes]
    )


def _shard(folder: Path, seed: int, number: int) -> Path:
    scenes = list(sample_scenes(seed * 1_000 + number, SHARD))
    hands = [_made_up(python_random(seed, "train", "hand", number, place)) for place in range(SHARD)]
    few = np.stack(list(map(_small, scenes[:_PROBED], hands))).tobytes()
    # Named by what is drawn: after a change to kinds or drawing, other pictures are drawn.
    path = folder / f"renders-{seed}-{number:03d}-{digest([scenes, digest_bytes(few)])[:12]}.npz"
    if not path.exists():
        pictures = np.stack(list(map(_small, scenes, hands)))
        text = np.frombuffer(canonical_bytes(scenes), np.uint8)
        buffer = io.BytesIO()
        np.savez(buffer, pictures=pictures, scenes=text)
        waiting = path.with_suffix(f".{os.getpid()}")
        waiting.write_bytes(buffer.getvalue())
        waiting.replace(path)
    return path


def _small(scene: Mapping[str, Any], hand: Style | None) -> npt.NDArray[np.uint8]:
    return reduced(draw_small(scene, hand))


def _made_up(rng: Random) -> Style | None:
    """Return a style for this one picture, or None to leave it in its own: five hands alone would be learnt by heart.

    What the held-out styles are known by stays unseen: no lifted paper, no fibres, no hatching.
    """
    if rng.random() < _OWN_STYLE:
        return None
    hand = Hand(
        outline=rng.choice((0.0, rng.uniform(0.5, 2.2))),
        ink=(rng.randint(10, 60), rng.randint(10, 50), rng.randint(10, 60)),
        bands=rng.choice((0, 1, 2, 3, 5)),
        shadows=rng.choice(("soft", "hard", "none")),
    )
    tone = rng.randint(218, 255)
    surface = Surface(
        white=(tone, tone - rng.randint(0, 10), tone - rng.randint(0, 28)),
        black=(rng.randint(0, 26), rng.randint(0, 18), rng.randint(0, 26)),
        grain=rng.choice(("chalk", "dots")),
        strength=rng.choice((0, rng.randint(4, 44))),
        worn=rng.choice((0, rng.randint(4, 26))),
    )
    return Style(hand, surface)


def _read(path: Path) -> Renders:
    with np.load(path, allow_pickle=False) as file:
        return Renders(file["pictures"], strict_loads(file["scenes"].tobytes()))
