"""The kinds of picture: one file a kind, one line here to register it.

A kind samples scenes (plain data) and paints them. Modules are imported when a kind is first used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from mosaic_env.core.registry import Registry
from mosaic_env.world.drawing.canvas import Canvas
from mosaic_env.world.scene import About, Scene


@dataclass(frozen=True)
class PictureKind:
    """A kind of picture.

    Args:
        size: Width and height in pixels.
        sample: Returns a random scene of the kind.
        paint: Draws a scene on a white canvas of that size.
    """

    size: tuple[int, int]
    sample: Callable[[Random, About], dict[str, Any]]
    paint: Callable[[Canvas, Scene], None]


PICTURES: Registry[PictureKind] = Registry("kind of picture")
PICTURES.add("flag", "mosaic_env.world.pictures.flag:FLAG")
PICTURES.add("skyline", "mosaic_env.world.pictures.skyline:SKYLINE")
PICTURES.add("portrait", "mosaic_env.world.pictures.portrait:PORTRAIT")
PICTURES.add("poster", "mosaic_env.world.pictures.poster:POSTER")
PICTURES.add("cover", "mosaic_env.world.pictures.cover:COVER")
PICTURES.add("logo", "mosaic_env.world.pictures.logo:LOGO")
PICTURES.add("crest", "mosaic_env.world.pictures.crest:CREST")
PICTURES.add("stage", "mosaic_env.world.pictures.stage:STAGE")
PICTURES.add("animal", "mosaic_env.world.pictures.animal:ANIMAL")
PICTURES.add("vehicle", "mosaic_env.world.pictures.vehicle:VEHICLE")
PICTURES.add("facade", "mosaic_env.world.pictures.facade:FACADE")
PICTURES.add("still life", "mosaic_env.world.pictures.still_life:STILL_LIFE")
PICTURES.add("landscape", "mosaic_env.world.pictures.landscape:LANDSCAPE")
PICTURES.add("map", "mosaic_env.world.pictures.map:MAP")
PICTURES.add("stamp", "mosaic_env.world.pictures.stamp:STAMP")
PICTURES.add("plant", "mosaic_env.world.pictures.plant:PLANT")
PICTURES.add("instrument", "mosaic_env.world.pictures.instrument:INSTRUMENT")
PICTURES.add("sculpture", "mosaic_env.world.pictures.sculpture:SCULPTURE")
