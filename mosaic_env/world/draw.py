"""From a scene to the bytes of its picture."""

from __future__ import annotations

from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.drawing.encode import encode_picture
from mosaic_env.world.pictures import PICTURES
from mosaic_env.world.scene import Scene


def draw(scene: Scene) -> bytes:
    """Draw a scene.

    Returns: A palette PNG, mostly below 12 kB.
    Determinism: a pure function of the scene; the same bytes in every process with one Pillow release.
    Cost: about 60 ms.
    """
    kind = PICTURES.get(scene["kind"])
    canvas = Canvas(*kind.size)
    kind.paint(canvas, scene)
    return encode_picture(canvas.finish())
