"""PNG at the level of chunks: read the header, drop what decoding does not need.

Must not: import Pillow or decode a pixel.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

from mosaic_env.guard.containers import Cleaned, Header, damaged, exif_orientation, unsupported

SIGNATURE = b"\x89PNG\r\n\x1a\n"

#: A file of 20 MB in ordinary chunks has a few thousand; walking millions would take seconds.
MAX_CHUNKS = 65_536

_MODES = {
    (0, 1): "1", (0, 2): "L", (0, 4): "L", (0, 8): "L", (0, 16): "L;16",
    (2, 8): "RGB", (2, 16): "RGB;16",
    (3, 1): "P", (3, 2): "P", (3, 4): "P", (3, 8): "P",
    (4, 8): "LA", (4, 16): "LA;16",
    (6, 8): "RGBA", (6, 16): "RGBA;16",
}  # fmt: skip
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_TRANSPARENCY_KEY_BYTES = {0: 2, 2: 6}
_ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
_INPUT_BYTES = 2**16
_OUTPUT_BYTES = 2**20


def read_header(data: bytes) -> Header:
    """Read size and mode from the first chunk.

    Raises: ImageError (ME-IMAGE-01, ME-IMAGE-03), the latter also for an animation.
    """
    header: Header | None = None
    for kind, start, length in _chunks(data):
        if header is None:
            header = _read_ihdr(kind, data[start : start + length])
        elif kind == b"acTL":
            raise damaged("the PNG is an animation with several frames")
        elif kind == b"IDAT":
            return header
    raise damaged("the PNG has no picture data")


def clean(data: bytes) -> Cleaned:
    """Keep IHDR, PLTE, tRNS, one IDAT and IEND; check every checksum up to IEND.

    The IDAT chunks become one, cut where the compressed stream ends: neither the space behind
    the stream nor the borders between chunks can carry anything else.

    Raises: ImageError (ME-IMAGE-01, ME-IMAGE-03).
    """
    kept: dict[bytes, bytes] = {}
    picture: list[bytes] = []
    exif = b""
    previous = b""
    for kind, start, length in _chunks(data):
        body = data[start : start + length]
        if zlib.crc32(kind + body) != int.from_bytes(data[start + length : start + length + 4], "big"):
            raise damaged(f"the checksum of the PNG chunk {kind!r} is wrong")
        if kind == b"IDAT":
            if picture and previous != b"IDAT":
                raise damaged("the picture data of the PNG is interrupted")
            picture.append(body)
        elif kind in (b"IHDR", b"PLTE", b"tRNS"):
            if kind in kept or picture:
                raise damaged(f"the PNG chunk {kind!r} stands twice or too late")
            kept[kind] = body
        elif kind == b"eXIf":
            exif = exif or body
        elif kind != b"IEND" and not kind[0] & 0x20:
            raise unsupported(f"the PNG needs the unknown chunk {kind!r}")
        previous = kind
    return _assemble(kept, b"".join(picture), exif_orientation(exif))


def _chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield (kind, start, length) of every chunk up to and with IEND; what follows is not looked at."""
    at = len(SIGNATURE)
    for _ in range(MAX_CHUNKS):
        if at + 12 > len(data):
            raise damaged(f"the PNG ends at byte {len(data)}, before its end mark")
        length = int.from_bytes(data[at : at + 4], "big")
        kind = data[at + 4 : at + 8]
        if at + 12 + length > len(data):
            raise damaged(f"the PNG chunk {kind!r} is longer than the file")
        yield kind, at + 8, length
        if kind == b"IEND":
            return
        at += 12 + length
    raise damaged(f"the PNG has more than {MAX_CHUNKS} chunks")


def _read_ihdr(kind: bytes, body: bytes) -> Header:
    if kind == b"CgBI":
        raise unsupported("the file is Apple's private variant of PNG")
    if kind != b"IHDR" or len(body) != 13:
        raise damaged("the PNG does not begin with its header")
    width, height, depth, colour, compression, filters, interlace = struct.unpack(">IIBBBBB", body)
    mode = _MODES.get((colour, depth))
    if mode is None or compression or filters or interlace > 1:
        raise damaged(f"the PNG header is not valid (colour type {colour}, {depth} bits)")
    return Header(width, height, mode)


def _assemble(kept: dict[bytes, bytes], stream: bytes, orientation: int) -> Cleaned:
    ihdr = kept.get(b"IHDR", b"")
    header = _read_ihdr(b"IHDR", ihdr)
    depth, colour = ihdr[8], ihdr[9]
    palette, clear = kept.get(b"PLTE"), kept.get(b"tRNS") or None
    if palette is not None and (len(palette) % 3 or not 3 <= len(palette) <= 768):
        raise damaged(f"the PNG palette has {len(palette)} bytes")
    if (palette is None and colour == 3) or (palette is not None and colour in (0, 4)):
        raise damaged("the PNG has no palette but needs one, or the other way round")
    if colour in (2, 6):
        palette = None  # only a hint for screens with few colours
    entries = len(palette) // 3 if palette else 0
    key = None
    odd = False
    if clear is not None and colour == 3:
        odd = len(clear) > entries
        clear = clear[:entries]
    elif clear is not None:
        key, clear = _transparent_colour(clear, colour, depth), None
    stream = _exact_stream(stream, _raw_size(header.width, header.height, ihdr))
    parts = ((b"IHDR", ihdr), (b"PLTE", palette), (b"tRNS", clear), (b"IDAT", stream), (b"IEND", b""))
    cleaned = SIGNATURE + b"".join(_chunk(kind, body) for kind, body in parts if body is not None)
    return Cleaned(cleaned, orientation, odd or depth == 16 or key is not None, key)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _transparent_colour(clear: bytes, colour: int, depth: int) -> tuple[int, int, int]:
    """Return the one colour that tRNS declares transparent, with 8 bits a channel."""
    if colour not in _TRANSPARENCY_KEY_BYTES or len(clear) != _TRANSPARENCY_KEY_BYTES[colour]:
        raise damaged("the transparent colour of the PNG does not fit its colour type")
    if depth == 16:
        # Decoders give 8 bits; comparing those would also clear the key's neighbours.
        raise unsupported("the PNG has a transparent colour with 16-bit samples")
    top = 2**depth - 1
    samples = [value * 255 // top for value in struct.unpack(f">{len(clear) // 2}H", clear)]
    red, green, blue = samples * 3 if len(samples) == 1 else samples
    return red, green, blue


def _raw_size(width: int, height: int, ihdr: bytes) -> int:
    """Return how many bytes the picture data has when uncompressed, filter bytes included."""
    bits = ihdr[8] * _CHANNELS[ihdr[9]]
    passes = _ADAM7 if ihdr[12] else ((0, 0, 1, 1),)
    total = 0
    for left, top, across, down in passes:
        columns = (width - left + across - 1) // across
        rows = (height - top + down - 1) // down
        if columns > 0 and rows > 0:
            total += rows * (1 + (columns * bits + 7) // 8)
    return total


def _exact_stream(stream: bytes, size: int) -> bytes:
    """Return the zlib stream without what follows it; it must hold exactly ``size`` bytes.

    Memory stays at one output piece however large the stream claims to be.
    """
    inflate = zlib.decompressobj()
    total = 0
    for at in range(0, len(stream), _INPUT_BYTES):
        waiting = stream[at : at + _INPUT_BYTES]
        while waiting:
            try:
                total += len(inflate.decompress(waiting, _OUTPUT_BYTES))
            except zlib.error as error:
                raise damaged(f"the picture data of the PNG is damaged ({error})") from None
            if total > size:
                raise damaged(f"the PNG has more than the {size} bytes its header announces")
            waiting = inflate.unconsumed_tail
        if inflate.eof:
            if total != size:
                break
            read = min(at + _INPUT_BYTES, len(stream))
            return stream[: read - len(inflate.unused_data)]
    raise damaged(f"the PNG has {total} of the {size} bytes its header announces")
