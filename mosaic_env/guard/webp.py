"""WEBP at the level of chunks: read the header, drop what decoding does not need.

Must not: import Pillow or decode a pixel.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from mosaic_env.guard.containers import Cleaned, Header, damaged, exif_orientation

MAX_CHUNKS = 1_024

_ALPHA_FLAG = 0x10
_LOSSY_START = b"\x9d\x01\x2a"


def is_webp(data: bytes) -> bool:
    """Tell whether the bytes begin like a WEBP file."""
    return data[:4] == b"RIFF" and data[8:12] == b"WEBP"


def read_header(data: bytes) -> Header:
    """Read size and mode from the picture chunk.

    Raises: ImageError (ME-IMAGE-03), also for an animation.
    """
    return _read(data)[0]


def clean(data: bytes) -> Cleaned:
    """Keep the picture chunk and its alpha chunk; profile, EXIF, XMP and foreign chunks go.

    The extended header is written only where an alpha chunk needs it, with no other flag set.

    Raises: ImageError (ME-IMAGE-03).
    """
    header, kind, chunks = _read(data)
    parts = [_chunk(kind, chunks[kind])]
    if kind == b"VP8 " and b"ALPH" in chunks:
        size = (header.width - 1).to_bytes(3, "little") + (header.height - 1).to_bytes(3, "little")
        extended = struct.pack("<I", _ALPHA_FLAG) + size
        parts = [_chunk(b"VP8X", extended), _chunk(b"ALPH", chunks[b"ALPH"]), *parts]
    body = b"WEBP" + b"".join(parts)
    orientation = exif_orientation(chunks.get(b"EXIF", b""))
    return Cleaned(b"RIFF" + struct.pack("<I", len(body)) + body, orientation)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)


def _read(data: bytes) -> tuple[Header, bytes, dict[bytes, bytes]]:
    """Return the header, the kind of the picture chunk, and the chunks by kind."""
    chunks: dict[bytes, bytes] = {}
    for kind, body in _chunks(data):
        if kind in (b"ANIM", b"ANMF"):
            raise damaged("the WEBP is an animation with several frames")
        if kind in chunks and kind in (b"VP8 ", b"VP8L", b"VP8X", b"ALPH"):
            raise damaged(f"the WEBP chunk {kind!r} stands twice")
        chunks.setdefault(kind, body)
    if (b"VP8 " in chunks) == (b"VP8L" in chunks):
        raise damaged("the WEBP has no picture, or two")
    kind = b"VP8 " if b"VP8 " in chunks else b"VP8L"
    header = _lossy(chunks) if kind == b"VP8 " else _lossless(chunks[b"VP8L"])
    extended = chunks.get(b"VP8X")
    if extended is not None and _canvas(extended) != (header.width, header.height):
        raise damaged("the WEBP canvas is not as large as its picture")
    return header, kind, chunks


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    end = 8 + int.from_bytes(data[4:8], "little")
    if end > len(data):
        raise damaged(f"the WEBP ends at byte {len(data)} of {end}")
    at = 12
    for _ in range(MAX_CHUNKS):
        if at >= end:
            return
        length = int.from_bytes(data[at + 4 : at + 8], "little")
        if at + 8 + length > end:
            raise damaged(f"the WEBP chunk {data[at : at + 4]!r} is longer than the file")
        yield data[at : at + 4], data[at + 8 : at + 8 + length]
        at += 8 + length + length % 2
    raise damaged(f"the WEBP has more than {MAX_CHUNKS} chunks")


def _lossy(chunks: dict[bytes, bytes]) -> Header:
    body = chunks[b"VP8 "]
    if len(body) < 10 or body[0] & 1 or body[3:6] != _LOSSY_START:
        raise damaged("the picture data of the WEBP does not begin with a key frame")
    width, height = struct.unpack_from("<HH", body, 6)
    return Header(width & 0x3FFF, height & 0x3FFF, "RGBA" if b"ALPH" in chunks else "RGB")


def _lossless(body: bytes) -> Header:
    if len(body) < 5 or body[0] != 0x2F or body[4] >> 5:
        raise damaged("the lossless picture data of the WEBP does not begin with its header")
    bits = int.from_bytes(body[1:5], "little")
    return Header((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1, "RGBA" if bits >> 28 & 1 else "RGB")


def _canvas(extended: bytes) -> tuple[int, int]:
    if len(extended) != 10:
        raise damaged("the extended header of the WEBP has a wrong length")
    if extended[0] & 0x02:
        raise damaged("the WEBP is an animation with several frames")
    width, height = extended[4:7], extended[7:10]
    return int.from_bytes(width, "little") + 1, int.from_bytes(height, "little") + 1
