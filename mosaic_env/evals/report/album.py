"""The pictures of a page: each embedded once, reduced to what a page needs, within a limit.

Must not: decide what is shown where.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable

import numpy as np

from mosaic_env.core.errors import MosaicError
from mosaic_env.core.types import Picture
from mosaic_env.guard.images import Pixels, resize
from mosaic_env.index.world import World

#: Longest side of a picture on a page, in pixels.
SIDE = 512
#: Bytes of text that all pictures of a page may take.
LIMIT = 32 * 2**20
#: A small picture keeps its stored bytes up to this size.
_KEPT = 64 * 2**10
_QUALITY = 85


class Album:
    """Collects pictures as data URIs.

    Args:
        limit: Bytes of all URIs together.

    Determinism: the same pictures in the same order give the same album with the same release of Pillow.
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self.uris: list[str] = []
        self.unreadable = 0
        self.size = 0
        self.limit = limit
        self._places: dict[str, int | None] = {}
        self._full = False

    def take(self, world: World, pictures: Iterable[Picture]) -> bool:
        """Add all of some pictures, or none of them when they do not fit.

        Once pictures did not fit, the album takes no new ones: what is left out does not depend on sizes alone.
        """
        new = {one.digest: one for one in pictures if one.digest not in self._places}
        if new and self._full:
            return False
        uris = {digest: _uri(world, picture) for digest, picture in new.items()}
        size = sum(len(uri) for uri in uris.values() if uri is not None)
        if self.size + size > self.limit:
            self._full = True
            return False
        for digest, uri in uris.items():
            self._places[digest] = None if uri is None else len(self.uris)
            if uri is None:
                self.unreadable += 1
            else:
                self.uris.append(uri)
        self.size += size
        return True

    def place(self, picture: Picture) -> int | None:
        """Return the number of a picture, or None when the album has not got it."""
        return self._places.get(picture.digest)


def _uri(world: World, picture: Picture) -> str | None:
    """Return a picture as a data URI, or None when its bytes are damaged or missing."""
    try:
        data, media_type = world.images.encoded(picture), picture.media_type
        if max(picture.width, picture.height) > SIDE or len(data) > _KEPT:
            data, media_type = _jpeg(resize(world.images.pixels(picture), SIDE)), "image/jpeg"
    except MosaicError:
        return None
    return f"data:{media_type};base64,{base64.b64encode(data).decode('ascii')}"


def _jpeg(pixels: Pixels) -> bytes:
    from PIL import Image

    target = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels)).save(target, "JPEG", quality=_QUALITY)
    return target.getvalue()
