"""What the picture containers share: a header, a cleaned file, refusals, EXIF orientation.

Must not: import Pillow or decode a pixel. The readers beside this file see hostile bytes first,
so they only walk lengths and compare constants.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from mosaic_env.core.errors import ImageError

_TIFF_ORDERS = {b"II*\0": "<", b"MM\0*": ">"}
_ORIENTATION_TAG = 0x0112
_SHORT = 3


@dataclass(frozen=True, slots=True)
class Header:
    """What a container says about its picture before any pixel is decoded.

    Args:
        width, height: Pixels, as stored (an EXIF rotation is not applied).
        mode: Channels in Pillow's words (``1``, ``L``, ``LA``, ``P``, ``RGB``, ``RGBA``, ``CMYK``),
            with ``;16`` behind for 16-bit samples.
    """

    width: int
    height: int
    mode: str


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A container without anything that decoding does not need.

    Args:
        data: The file, its compressed picture data unchanged.
        orientation: EXIF orientation, 1 to 8, that the file carried.
        reencode: Decoders disagree about this kind of picture, so it has to become plain RGB.
        clear: Colour that the file declares transparent, 8 bits a channel, or None. It is no
            longer in ``data``.
    """

    data: bytes
    orientation: int = 1
    reencode: bool = False
    clear: tuple[int, int, int] | None = None


def damaged(what: str) -> ImageError:
    """Return the refusal of a picture that has the right signature and a wrong body."""
    return ImageError(
        "ME-IMAGE-03",
        what,
        expected="one complete picture",
        fix="Save it again as PNG, JPEG or WEBP with one frame",
    )


def unsupported(what: str) -> ImageError:
    """Return the refusal of a picture of a kind that is never read."""
    return ImageError(
        "ME-IMAGE-01", what, expected="a PNG, JPEG or WEBP picture", fix="Convert it to one of these formats"
    )


def exif_orientation(block: bytes) -> int:
    """Return the orientation an EXIF block asks for: 1 to 8, and 1 when it says nothing usable.

    Only the first directory is read, once and forwards, so links inside the block lead nowhere.
    """
    tiff = block.removeprefix(b"Exif\0\0")
    order = _TIFF_ORDERS.get(tiff[:4])
    if order is None or len(tiff) < 8:
        return 1
    (start,) = struct.unpack_from(order + "I", tiff, 4)
    if start + 2 > len(tiff):
        return 1
    (count,) = struct.unpack_from(order + "H", tiff, start)
    first = start + 2
    last = min(first + 12 * count, len(tiff) - 11)
    for at in range(first, last, 12):
        tag, kind, _, value = struct.unpack_from(order + "HHIH", tiff, at)
        if tag == _ORIENTATION_TAG:
            return int(value) if kind == _SHORT and 1 <= value <= 8 else 1
    return 1
