"""From a scene to its picture: the bytes that are stored, or a small array for those who train on many."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mosaic_env.world.drawing.canvas import FULL, Canvas, Fineness
from mosaic_env.world.drawing.encode import encode_picture
from mosaic_env.world.flaws import flawed
from mosaic_env.world.pictures import PICTURES
from mosaic_env.world.scene import Scene
from mosaic_env.world.styles import PLAIN, Style, style

#: Height of the pictures of ``draw_small``, in pixels.
SMALL_HEIGHT = 128


def draw(scene: Scene) -> bytes:
    """Draw a scene.

    Returns: A palette PNG, mostly below 11 kB.
    Determinism: a pure function of the scene; the same bytes in every process with one Pillow release.
    Cost: about 16 ms.
    """
    return encode_picture(_painted(scene, FULL, style(scene.get("style", PLAIN))))


def draw_small(scene: Scene, drawn_in: Style | None = None) -> NDArray[np.uint8]:
    """Draw a scene 128 pixels high, without encoding it: for training on many pictures.

    Args:
        drawn_in: Instead of the style the scene names.

    Returns: RGB, shape (128, width, 3); the same drawing as ``draw``, with coarser edges.
    Determinism: as ``draw``.
    Cost: about 5 ms.
    """
    height = PICTURES.get(scene["kind"]).size[1]
    chosen = drawn_in or style(scene.get("style", PLAIN))
    image = _painted(scene, Fineness(2 * SMALL_HEIGHT / height, 2), chosen)
    if image.height != SMALL_HEIGHT:  # cropped
        size = (image.width * SMALL_HEIGHT // image.height, SMALL_HEIGHT)
        image = image.resize(size, Image.Resampling.BILINEAR)
    return np.array(image)


def _painted(scene: Scene, fineness: Fineness, drawn_in: Style) -> Image.Image:
    kind = PICTURES.get(scene["kind"])
    canvas = Canvas(*kind.size, hand=drawn_in.hand, fineness=fineness)
    kind.paint(canvas, scene)
    return flawed(drawn_in.surface.printed(canvas.finish(), kind.size), scene, kind.size[1])
