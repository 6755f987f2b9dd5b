"""Pictures of every odd kind, made by code: nothing hostile is committed as a file."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

CANARY = b"CANARY-4f1d"
PNG = b"\x89PNG\r\n\x1a\n"

Pixels = NDArray[np.uint8]


def photo(height: int = 24, width: int = 32) -> Pixels:
    """A small colour picture without symmetry."""
    y, x = np.mgrid[0:height, 0:width]
    channels = (x * 255 // width, y * 255 // height, (x * 3 + y * 7) % 256)
    return np.stack(channels, axis=2).astype(np.uint8)


def rgba(height: int = 24, width: int = 32) -> Pixels:
    alpha = np.arange(height * width).reshape(height, width, 1) % 256
    return np.concatenate([photo(height, width), alpha.astype(np.uint8)], axis=2)


def save(image: Pixels | Image.Image, kind: str, **options: Any) -> bytes:
    """Encode with Pillow."""
    picture = image if isinstance(image, Image.Image) else Image.fromarray(image)
    target = io.BytesIO()
    picture.save(target, kind, **options)
    return target.getvalue()


def exif(orientation: int, order: str = "<") -> bytes:
    """An EXIF block with an orientation and a text tag that carries the canary."""
    mark = b"II*\0" if order == "<" else b"MM\0*"
    entries = struct.pack(order + "HHII", 0x010E, 2, len(CANARY), 38)
    entries += struct.pack(order + "HHIHH", 0x0112, 3, 1, orientation, 0)
    return (
        b"Exif\0\0" + mark + struct.pack(order + "IH", 8, 2) + entries + struct.pack(order + "I", 0) + CANARY
    )


def chunk(kind: bytes, body: bytes = b"") -> bytes:
    """One PNG chunk."""
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def ihdr(width: int, height: int, depth: int = 8, colour: int = 2, interlace: int = 0) -> bytes:
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlace))


def png(
    rows: list[bytes], width: int, *, depth: int = 8, colour: int = 2, before: bytes = b"", tail: bytes = b""
) -> bytes:
    """A PNG from raw rows (filter 0), with chunks before and bytes inside IDAT behind the stream."""
    stream = zlib.compress(b"".join(b"\0" + row for row in rows)) + tail
    return PNG + ihdr(width, len(rows), depth, colour) + before + chunk(b"IDAT", stream) + chunk(b"IEND")


def png_rgb(array: Pixels, **options: Any) -> bytes:
    return png([row.tobytes() for row in array], array.shape[1], **options)


def png_chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    """The chunks of a PNG, by a reader of the tests' own."""
    at, found = 8, []
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        found.append((data[at + 4 : at + 8], data[at + 8 : at + 8 + length]))
        at += 12 + length
    return found


def palette_png(entries: int = 4, alphas: bytes = b"\x00\x80\xff\x40", index_of: int = 4) -> bytes:
    """An 8-bit palette picture with transparency."""
    colours = bytes(value for n in range(entries) for value in (n * 40 % 256, n * 90 % 256, 255 - n))
    rows = [bytes((x + y) % index_of for x in range(16)) for y in range(12)]
    return png(rows, 16, colour=3, before=chunk(b"PLTE", colours) + chunk(b"tRNS", alphas))


def jpeg_segment(marker: int, body: bytes) -> bytes:
    return bytes((0xFF, marker)) + struct.pack(">H", len(body) + 2) + body


def jpeg_with(data: bytes, segments: bytes) -> bytes:
    """Put segments right behind the start mark."""
    return data[:2] + segments + data[2:]


def jpeg_resized_header(data: bytes, width: int, height: int) -> bytes:
    """Let the frame of a JPEG claim another size."""
    at = data.index(b"\xff\xc0")
    return data[: at + 5] + struct.pack(">HH", height, width) + data[at + 9 :]


def riff(*chunks: tuple[bytes, bytes]) -> bytes:
    body = b"WEBP" + b"".join(
        kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2) for kind, data in chunks
    )
    return b"RIFF" + struct.pack("<I", len(body)) + body


def zip_bytes() -> bytes:
    """A ZIP archive with one member."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("evil.py", CANARY)
    return target.getvalue()


def animation(kind: str) -> bytes:
    frames = [Image.fromarray(photo()), Image.fromarray(255 - photo())]
    return save(frames[0], kind, save_all=True, append_images=frames[1:], duration=100)


def header_bombs(side: int = 13_000) -> dict[str, bytes]:
    """Tiny files that announce a huge picture."""
    return {
        "png": PNG + ihdr(side, side) + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND"),
        "jpeg": jpeg_resized_header(save(photo(), "JPEG"), side, side),
        "webp": riff((b"VP8L", b"\x2f" + struct.pack("<I", (side - 1) | (side - 1) << 14) + bytes(20))),
    }
