"""JPEG at the level of segments: read the header, drop what decoding does not need.

Must not: import Pillow or decode a pixel.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mosaic_env.guard.containers import Cleaned, Header, damaged, exif_orientation, unsupported

SIGNATURE = b"\xff\xd8\xff"

#: Every scan of a progressive file costs a pass over the whole picture; encoders write about ten.
MAX_SCANS = 48
MAX_SEGMENTS = 4_096

_EOI, _SOS, _DQT, _DHT, _DRI = 0xD9, 0xDA, 0xDB, 0xC4, 0xDD
_APP0, _APP1, _APP14, _COM = 0xE0, 0xE1, 0xEE, 0xFE
_FRAMES = {0xC0, 0xC1, 0xC2}  # baseline, extended, progressive: Huffman coded
_OTHER_FRAMES = {0xC3, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xCB, 0xCC, 0xCD, 0xCE, 0xCF}
_KEPT = _FRAMES | {_SOS, _DQT, _DHT, _DRI}
_MODES = {1: "L", 3: "RGB", 4: "CMYK"}
# In coded data a 0xFF is followed by 0x00 (an escaped byte), a restart mark or filling.
_NEXT_MARKER = re.compile(rb"\xff[\x01-\xcf\xd8-\xfe]")
# Both segments decide how colours are read; rewritten, so that their free fields carry nothing.
_JFIF = b"\xff\xe0\x00\x10JFIF\0\x01\x01\x00\x00\x01\x00\x01\x00\x00"
_ADOBE = b"\xff\xee\x00\x0eAdobe\x00\x64\x00\x00\x00\x00"


def read_header(data: bytes) -> Header:
    """Read size and mode from the frame segment.

    Raises: ImageError (ME-IMAGE-01, ME-IMAGE-03).
    """
    for marker, start, end in _segments(data):
        if marker in _FRAMES:
            return _read_frame(data[start:end])
    raise damaged("the JPEG has no frame")


def clean(data: bytes) -> Cleaned:
    """Keep the tables, the frame, its scans and the two segments that name the colour space.

    EXIF, colour profiles, comments, thumbnails and all that follows the end mark are dropped.

    Raises: ImageError (ME-IMAGE-01, ME-IMAGE-03).
    """
    parts: list[bytes] = []
    colours: dict[int, bytes] = {}
    frames = scans = orientation = 0
    mode = ""
    for marker, start, end in _segments(data):
        body = data[start:end]
        if marker in _FRAMES:
            frames += 1
            mode = _read_frame(body).mode
        elif marker == _SOS:
            scans += 1
        elif marker == _APP1 and not orientation and body.startswith(b"Exif\0\0"):
            orientation = exif_orientation(body)
        elif marker in (_APP0, _APP14) and not scans and not colours.get(marker):
            colours[marker] = _colour_space(marker, body)
        if marker in _KEPT:
            parts.append(bytes((0xFF, marker)) + data[start - 2 : end])
        if marker == _SOS:
            parts.append(_coded_data(data, end))
        if frames > 1 or scans > MAX_SCANS or (scans and not frames):
            raise damaged(f"the JPEG has {frames} frames and at least {scans} scans")
    if not scans:
        raise damaged("the JPEG has no picture data")
    head = b"\xff\xd8" + colours.get(_APP0, b"") + colours.get(_APP14, b"")
    return Cleaned(head + b"".join(parts) + b"\xff\xd9", orientation or 1, reencode=mode == "CMYK")


def _segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield (marker, start, end) of every segment's body up to the end mark, coded data skipped."""
    at = 2
    for _ in range(MAX_SEGMENTS):
        while data[at : at + 2] == b"\xff\xff":  # filling is allowed before a marker
            at += 1
        marker = data[at + 1] if at + 2 <= len(data) else 0
        if marker == _EOI and data[at] == 0xFF:
            return
        if at + 4 > len(data):
            raise damaged(f"the JPEG ends at byte {len(data)}, before its end mark")
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        _check_marker(data[at], marker, end - at, at)
        if end > len(data):
            raise damaged(f"a segment at byte {at} of the JPEG is longer than the file")
        yield marker, at + 4, end
        at = end + len(_coded_data(data, end)) if marker == _SOS else end
    raise damaged(f"the JPEG has more than {MAX_SEGMENTS} segments")


def _check_marker(lead: int, marker: int, length: int, at: int) -> None:
    if marker in _OTHER_FRAMES:
        raise unsupported(f"the JPEG is lossless, arithmetic or hierarchical (marker {marker:#x})")
    known = marker in _KEPT or marker == _COM or 0xE0 <= marker <= 0xEF
    if lead != 0xFF or not known or length < 4:
        raise damaged(f"byte {at} of the JPEG does not begin a known segment")


def _read_frame(body: bytes) -> Header:
    if len(body) < 6 or len(body) != 6 + 3 * body[5]:
        raise damaged("the frame of the JPEG has a wrong length")
    if body[0] != 8 or body[5] not in _MODES:
        raise unsupported(f"the JPEG has {body[0]} bits and {body[5]} components")
    width, height = int.from_bytes(body[3:5], "big"), int.from_bytes(body[1:3], "big")
    return Header(width, height, _MODES[body[5]])


def _colour_space(marker: int, body: bytes) -> bytes:
    if marker == _APP0:
        return _JFIF if body.startswith(b"JFIF\0") else b""
    return _ADOBE + body[11:12] if body.startswith(b"Adobe") and len(body) >= 12 else b""


def _coded_data(data: bytes, start: int) -> bytes:
    """Return the coded data of a scan, from ``start`` to the next marker, without filling."""
    found = _NEXT_MARKER.search(data, start)
    if found is None:
        raise damaged(f"the JPEG ends at byte {len(data)}, inside its picture data")
    return data[start : found.start()].rstrip(b"\xff")
