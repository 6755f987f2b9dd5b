"""Write docs/pictures/world-1.png …: 200 random pictures of all kinds, styles and flaws, named below each.

python docs/sheets.py [FOLDER]
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image

from mosaic_env.core.seeds import python_random
from mosaic_env.world.draw import draw
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.flaws import FLAWS
from mosaic_env.world.pictures import PICTURES
from mosaic_env.world.scene import About
from mosaic_env.world.styles import HELD_OUT, STYLES

PICTURES_IN_ALL, ACROSS, DOWN = 200, 8, 5
#: A cell of a sheet and the picture in it, in pixels.
CELL, SIDE, WORDS = 172, 160, 16
LABELS = (
    "Ilvane Morwick",
    "Tessel Harn",
    "Corvan Quay",
    "The Amber Tide",
    "Ostrava Lode",
    "Wenlow & Daughters",
)
#: Share of the pictures that have a flaw: more than in a world, so that each is seen.
FLAWED = 0.1


def scenes(seed: int) -> list[dict[str, object]]:
    """Return the scenes of the sheets: every kind about equally often, in every style."""
    rng, kinds = python_random(seed, "sheets"), list(PICTURES)
    found = []
    for i in range(PICTURES_IN_ALL):
        about = About(rng.choice(LABELS), "", rng.random() < 0.5)
        shown = PICTURES.get(kinds[i % len(kinds)]).sample(rng, about)
        shown["style"] = rng.choice((*STYLES, *HELD_OUT))
        if rng.random() < FLAWED:
            shown["flaw"] = rng.choice(tuple(FLAWS))
        found.append(shown)
    return found


def sheet(shown: list[dict[str, object]]) -> Image.Image:
    """Return one contact sheet."""
    paper = Canvas(ACROSS * CELL, DOWN * (CELL + WORDS), (255, 255, 255))
    for i, scene in enumerate(shown):
        left, top = i % ACROSS * CELL, i // ACROSS * (CELL + WORDS)
        words = [str(scene["kind"]), str(scene["style"]), *([str(scene["flaw"])] if "flaw" in scene else [])]
        paper.write(" · ".join(words), left + CELL / 2, top + CELL + 3, 11, (60, 58, 70), width=CELL - 8)
    whole = paper.finish()
    for i, scene in enumerate(shown):
        with Image.open(io.BytesIO(draw(scene))) as picture:
            small = picture.convert("RGB")
        small.thumbnail((SIDE, SIDE), Image.Resampling.BOX)
        left, top = i % ACROSS * CELL, i // ACROSS * (CELL + WORDS)
        whole.paste(small, (left + (CELL - small.width) // 2, top + (CELL - small.height) // 2))
    return whole


def main() -> None:
    """Write the sheets."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "pictures"
    every, on_one = scenes(7), ACROSS * DOWN
    for number in range(1, PICTURES_IN_ALL // on_one + 1):
        image = sheet(every[(number - 1) * on_one : number * on_one])
        image.save(folder / f"world-{number}.png", optimize=True)


if __name__ == "__main__":
    main()
