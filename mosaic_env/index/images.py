"""The pictures of a world: stored bytes, decoded pixels, crops and reduced copies, in bounded caches.

Objects are checked against their digest when first read, decoded pixels against the digest that
the builder noted, so a decoder that gives other pixels is an error and not another answer.
"""

from __future__ import annotations

import copy
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from mosaic_env.core.types import Picture
from mosaic_env.guard.images import decode_rgb, encode_png, pixel_digest, resize
from mosaic_env.snapshot.kb import KnowledgeBase, StoredPicture
from mosaic_env.snapshot.opened import PublicSnapshot

Rgb = npt.NDArray[np.uint8]

_PIXEL_CACHE_BYTES = 64 * 2**20
_BYTES_CACHE_BYTES = 64 * 2**20


class _Cache:
    """A small least-recently-used cache bounded in bytes; safe for threads."""

    def __init__(self, limit: int) -> None:
        self._items: OrderedDict[Any, tuple[Any, int]] = OrderedDict()
        self._limit, self._size = limit, 0
        self._lock = threading.Lock()

    def get(self, key: Any) -> Any:
        with self._lock:
            item = self._items.get(key)
            if item is None:
                return None
            self._items.move_to_end(key)
            return item[0]

    def put(self, key: Any, value: Any, size: int) -> None:
        with self._lock:
            if key in self._items:
                return
            self._items[key] = (value, size)
            self._size += size
            while self._size > self._limit and len(self._items) > 1:
                _, (_, freed) = self._items.popitem(last=False)
                self._size -= freed


class Images:
    """Bytes and pixels of stored and derived pictures. Read-only; safe for threads.

    Args:
        snapshot: The public part of an opened snapshot.
    """

    def __init__(self, snapshot: PublicSnapshot) -> None:
        self._kb = snapshot.kb
        self._objects = snapshot.objects
        self._added: Mapping[str, bytes] = {}
        self._pixels = _Cache(_PIXEL_CACHE_BYTES)
        self._bytes = _Cache(_BYTES_CACHE_BYTES)

    def with_pictures(self, kb: KnowledgeBase, data: Mapping[str, bytes]) -> Images:
        """Return the images of a world with further pictures, by digest. Caches are shared: a digest names bytes."""
        other = copy.copy(self)
        other._kb, other._added = kb, {**self._added, **data}
        return other

    def encoded(self, picture: Picture) -> bytes:
        """Return a picture as an encoded file: stored bytes as they are, derived pictures as PNG."""
        key = ("bytes", picture.digest)
        data: bytes | None = self._bytes.get(key)
        if data is None:
            data = encode_png(self.pixels(picture)) if picture.derived else self._stored_bytes(picture.digest)
            self._bytes.put(key, data, len(data))
        return data

    def pixels(self, picture: Picture) -> Rgb:
        """Return a picture's pixels, shape (height, width, 3), uint8, read-only.

        Raises: CorruptError when the stored bytes or the decoder are not what they were at build time.
        """
        key = picture.digest
        array: Rgb | None = self._pixels.get(key)
        if array is None:
            array = self._derive(picture) if picture.derived else self._decode(picture.digest)
            array.setflags(write=False)
            self._pixels.put(key, array, array.nbytes)
        return array

    def crop(self, picture: Picture, box: tuple[int, int, int, int]) -> Picture:
        """Return the part of a picture inside a box of its own pixels; cut from the original.

        Args:
            box: (left, top, right, bottom), inside the picture and not empty.
        """
        left, top = (picture.box[0], picture.box[1]) if picture.box else (0, 0)
        absolute = (left + box[0], top + box[1], left + box[2], top + box[3])
        part = Picture(
            "", "image/png", box[2] - box[0], box[3] - box[1], picture.source or picture.digest, absolute
        )
        return replace(part, digest=pixel_digest(self._derive(part)))

    def reduced(self, picture: Picture, side: int) -> Picture:
        """Return a picture whose longest side is at most ``side``; the same one when it fits."""
        if max(picture.width, picture.height) <= side:
            return picture
        array = resize(self.pixels(picture), side)
        source = picture.source or picture.digest
        box = picture.box or (0, 0, picture.width, picture.height)
        return Picture(pixel_digest(array), "image/png", array.shape[1], array.shape[0], source, box, side)

    def _derive(self, picture: Picture) -> Rgb:
        source = self._pixels.get(picture.source)
        if source is None:
            source = self._decode(picture.source)
            self._pixels.put(picture.source, source, source.nbytes)
        left, top, right, bottom = picture.box or (0, 0, source.shape[1], source.shape[0])
        part = np.ascontiguousarray(source[top:bottom, left:right])
        return resize(part, picture.side) if picture.side else part

    def _decode(self, digest_: str) -> Rgb:
        stored = self._kb.by_digest.get(digest_)
        return decode_rgb(self._stored_bytes(digest_), digest=stored.pixels if stored else None)

    def _stored_bytes(self, digest_: str) -> bytes:
        if digest_ in self._added:
            return self._added[digest_]
        stored: StoredPicture | None = self._kb.by_digest.get(digest_)
        return self._objects.read(digest_, stored.size if stored else None)
