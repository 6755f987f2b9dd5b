"""Pictures from outside: look at the header, make one canonical file, decode to pixels.

A picture is canonicalised once, when a snapshot is built, and from then on known by the digest of
its bytes; ``decode_rgb`` reads only those. The digest of its pixels is recorded beside it, since
two builds of a lossy decoder may round differently.

Must not: trust a name or a declared type, apply colour profiles, import Pillow before it is needed.
"""

from __future__ import annotations

import hashlib
import io
import warnings
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mosaic_env.core.errors import ConfigError, CorruptError, ImageError
from mosaic_env.guard import jpeg, png, webp
from mosaic_env.guard.containers import Cleaned, damaged, unsupported

if TYPE_CHECKING:
    from PIL import Image

MAX_BYTES = 20_000_000
MAX_PIXELS = 25_000_000
#: Pillow's WEBP reader holds four copies of a picture at once, so fewer pixels keep the same 300 MB.
MAX_WEBP_PIXELS = 14_000_000
MAX_SIDE = 8_192

Pixels = NDArray[np.uint8]

_READERS: dict[str, ModuleType] = {"image/png": png, "image/jpeg": jpeg, "image/webp": webp}
_PILLOW_NAMES = {"image/png": "PNG", "image/jpeg": "JPEG", "image/webp": "WEBP"}
_REFUSED = (
    (b"GIF8", "a GIF"), (b"II*\0", "a TIFF"), (b"MM\0*", "a TIFF"), (b"BM", "a BMP"), (b"%PDF", "a PDF"),
    (b"8BPS", "a Photoshop file"), (b"SIMPLE", "a FITS file"), (b"\0\0\1\0", "an icon file"),
    (b"PK\3\4", "a ZIP archive"), (b"<svg", "an SVG"), (b"<?xml", "XML or SVG"), (b"<", "HTML or XML"),
)  # fmt: skip
_STRIP_PIXELS = 2**20
# Run lengths only: on photographs as small as zlib's level 6, in a quarter of the time.
_ZLIB_RLE = 3


@dataclass(frozen=True, slots=True)
class PictureInfo:
    """What a picture's header says.

    Args:
        media_type: ``image/png``, ``image/jpeg`` or ``image/webp``, decided from the bytes.
        width, height: Pixels as stored, before an EXIF rotation.
        mode: Channels in Pillow's words, ``;16`` behind for 16-bit samples (``RGB``, ``L;16``).
    """

    media_type: str
    width: int
    height: int
    mode: str


@dataclass(frozen=True, slots=True)
class CanonicalPicture:
    """A picture as a snapshot stores it.

    Args:
        data: The file: PNG, JPEG or WEBP without metadata, upright, 8 bits a channel.
        media_type: See ``PictureInfo``.
        width, height: Pixels, upright.
        pixel_digest: ``pixel_digest`` of ``decode_rgb(data)`` on the machine that built it.
    """

    data: bytes
    media_type: str
    width: int
    height: int
    pixel_digest: str


def inspect(data: bytes) -> PictureInfo:
    """Read a picture's header and refuse what is never decoded.

    Allowed: PNG, JPEG (baseline and progressive) and WEBP; at most 20 MB, 25 million pixels (WEBP:
    14 million) and 8,192 pixels a side; one frame.

    Raises: ImageError (ME-IMAGE-01 format, ME-IMAGE-02 size, ME-IMAGE-03 damaged or animated).
    Cost: microseconds; no pixel is decoded, no memory taken.
    """
    if len(data) > MAX_BYTES:
        raise _too_large(f"the file has {len(data)} bytes", f"at most {MAX_BYTES}")
    media_type = _media_type(data)
    header = _READERS[media_type].read_header(data)
    width, height = header.width, header.height
    if not width or not height:
        raise damaged(f"the picture is {width} x {height} pixels")
    most = MAX_WEBP_PIXELS if media_type == "image/webp" else MAX_PIXELS
    if max(width, height) > MAX_SIDE or width * height > most:
        raise _too_large(
            f"the picture is {width} x {height} pixels",
            f"at most {MAX_SIDE} a side and {most} in all",
        )
    return PictureInfo(media_type, width, height, header.mode)


def canonicalise(data: bytes) -> CanonicalPicture:
    """Make the one file that a snapshot keeps of a picture; used once, when it is built.

    Metadata (EXIF, profiles, text, thumbnails) and bytes behind the end mark are dropped at the
    level of the container; the compressed picture data stays as it is. A picture that would look
    different in other decoders is written once as RGB PNG: an EXIF rotation is applied, CMYK and
    16 bits become 8-bit RGB, a transparent colour becomes white.

    Raises: ImageError (ME-IMAGE-01/02/03); truncated data is refused, decoder warnings are errors.
    Cost: one decode; at most about 300 MB for the largest picture allowed.
    Determinism: the same bytes for the same input, everywhere for pictures that are kept; those
        written as PNG depend on the zlib that Pillow was built with, their pixels do not.
    """
    info = inspect(data)
    cleaned: Cleaned = _READERS[info.media_type].clean(data)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pixels = _decode(cleaned.data, info)
    if cleaned.orientation == 1 and not cleaned.reencode:
        return CanonicalPicture(cleaned.data, info.media_type, info.width, info.height, pixel_digest(pixels))
    if cleaned.clear is not None:
        pixels[(pixels == cleaned.clear).all(axis=2)] = 255
    pixels = _upright(pixels, cleaned.orientation)
    encoded = png.clean(encode_png(pixels)).data
    if len(encoded) > MAX_BYTES:
        raise _too_large(
            f"the picture has {len(encoded)} bytes once it is turned upright or made RGB",
            f"at most {MAX_BYTES}",
        )
    height, width = pixels.shape[:2]
    return CanonicalPicture(encoded, "image/png", width, height, pixel_digest(pixels))


def decode_rgb(data: bytes, *, digest: str | None = None) -> Pixels:
    """Decode a picture to RGB; transparency is laid on white. EXIF is not looked at.

    Args:
        data: A file as ``canonicalise`` or ``encode_png`` made it.
        digest: The pixel digest recorded when the snapshot was built.
    Returns: A new uint8 array (height, width, 3).
    Raises: ImageError (ME-IMAGE-01/02/03); CorruptError (ME-CORRUPT-02) when this machine's
        decoder gives other pixels than ``digest`` says.
    Cost: a few milliseconds for 512 x 512.
    """
    pixels = _decode(data, inspect(data))
    if digest is not None and pixel_digest(pixels) != digest:
        import PIL

        raise CorruptError(
            "ME-CORRUPT-02",
            f"this machine's picture decoder (Pillow {PIL.__version__}) gives other pixels than the one "
            f"that built the snapshot: {pixel_digest(pixels)}",
            expected=f"pixels with the digest {digest}",
            fix="Install the Pillow release the snapshot was built with, or build the snapshot again here",
        )
    return pixels


def pixel_digest(array: Pixels) -> str:
    """Return ``sha256:…`` over the shape and the bytes of a uint8 array (height, width, 3)."""
    height, width = _checked(array).shape[:2]
    total = hashlib.sha256(f"mosaic-pixels 1 {height} {width} 3\n".encode("ascii"))
    total.update(np.ascontiguousarray(array).data)
    return "sha256:" + total.hexdigest()


def encode_png(array: Pixels) -> bytes:
    """Write a uint8 array (height, width, 3) as a PNG without metadata.

    Determinism: the pixels read back are exact everywhere. The bytes depend on the zlib that
        Pillow was built with; identify such a picture by ``pixel_digest``.
    """
    from PIL import Image

    target = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(_checked(array))).save(target, "PNG", compress_type=_ZLIB_RLE)
    return target.getvalue()


def resize(array: Pixels, max_side: int) -> Pixels:
    """Shrink a picture so that its longer side is ``max_side``; a smaller one is returned as it is.

    Every output pixel is the mean of the area it covers, rounded half up. Parts of input pixels
    count by their exact share: with sides counted in units of 1 / output size, all borders and all
    weights are integers.

    Args:
        array: uint8 (height, width, 3).
        max_side: At least 1.
    Returns: uint8 (height, width, 3); the shorter side is rounded half up, at least 1.
    Determinism: integer sums that cannot overflow and one integer division, so the result does
        not depend on processor, SIMD width, library version or the order of additions. Pillow's
        ``reduce`` multiplies by a rounded reciprocal and knows whole factors only.
    """
    height, width = _checked(array).shape[:2]
    longest = max(height, width)
    if max_side < 1:
        raise ConfigError("ME-CONFIG-02", f"the argument max_side is {max_side}", expected="at least 1")
    if longest <= max_side:
        return array
    rows, columns = (max(1, (2 * side * max_side + longest) // (2 * longest)) for side in (height, width))
    narrow = _box_sums(array.reshape(height, width * 3), rows).reshape(rows, width, 3)
    across = narrow.transpose(1, 0, 2).reshape(width, rows * 3)
    sums = _box_sums(across, columns).reshape(columns, rows, 3).transpose(1, 0, 2)
    area = height * width
    return np.ascontiguousarray((2 * sums + area) // (2 * area), dtype=np.uint8)


def _media_type(data: bytes) -> str:
    if data.startswith(png.SIGNATURE):
        return "image/png"
    if data.startswith(jpeg.SIGNATURE):
        return "image/jpeg"
    if webp.is_webp(data):
        return "image/webp"
    start = data[:64].lstrip()
    known = next((name for mark, name in _REFUSED if start.startswith(mark) or data.startswith(mark)), "")
    raise unsupported(f"the file is {known}" if known else f"the file begins with {data[:8]!r}")


def _too_large(what: str, expected: str) -> ImageError:
    return ImageError("ME-IMAGE-02", what, expected=expected, fix="Scale the picture down first")


def _checked(array: Pixels) -> Pixels:
    if array.dtype != np.uint8 or array.ndim != 3 or array.shape[2] != 3 or not array.size:
        raise ImageError(
            "ME-IMAGE-01",
            f"the array is {array.dtype} with shape {array.shape}",
            expected="uint8 with shape (height, width, 3), not empty",
        )
    return array


def _decode(data: bytes, info: PictureInfo) -> Pixels:
    # Registers the WEBP reader, for which Pillow would otherwise load its forty others.
    from PIL import Image, WebPImagePlugin  # noqa: F401

    try:
        with Image.open(io.BytesIO(data), formats=(_PILLOW_NAMES[info.media_type],)) as picture:
            if picture.size != (info.width, info.height):
                raise damaged(f"the header says {info.width} x {info.height}, the decoder {picture.size}")
            picture.load()
            return _rgb(picture)
    except (ImageError, MemoryError):
        raise
    except Exception as error:  # on hostile bytes, decoders raise whatever they stumble over
        raise damaged(f"the {info.media_type} data does not decode ({type(error).__name__})") from error


def _rgb(picture: Image.Image) -> Pixels:
    """Convert in strips, so that a large picture is never held in two extra formats at once."""
    width, height = picture.size
    pixels: Pixels = np.empty((height, width, 3), np.uint8)
    step = max(1, _STRIP_PIXELS // width)
    for top in range(0, height, step):
        bottom = min(height, top + step)
        strip = picture if step >= height else picture.crop((0, top, width, bottom))
        if strip.mode.startswith("I;16"):
            # Pillow would clip 16-bit grey at 255; the high byte is what it takes of colours.
            pixels[top:bottom] = (np.asarray(strip).astype(np.uint16) >> 8)[..., None]
        elif strip.has_transparency_data:
            pixels[top:bottom] = _on_white(np.asarray(strip.convert("RGBA")))
        else:
            pixels[top:bottom] = np.asarray(strip.convert("RGB"))
    return pixels


def _on_white(rgba: Pixels) -> Pixels:
    """Lay RGBA on white: ``(c * a + 255 * (255 - a)) / 255``, rounded, in 16-bit integers."""
    alpha = rgba[..., 3:].astype(np.uint16)
    mixed = rgba[..., :3] * alpha + (255 - alpha) * 255 + 128
    return ((mixed + (mixed >> 8)) >> 8).astype(np.uint8)


def _upright(pixels: Pixels, orientation: int) -> Pixels:
    """Apply an EXIF orientation (1 to 8)."""
    if orientation >= 5:
        pixels = pixels.transpose(1, 0, 2)
    if orientation in (2, 3, 6, 7):
        pixels = pixels[:, ::-1]
    if orientation in (3, 4, 7, 8):
        pixels = pixels[::-1]
    return np.ascontiguousarray(pixels)


def _box_sums(values: NDArray[np.generic], size: int) -> NDArray[np.generic]:
    """Sum the rows of (n, m) integers into ``size`` equal boxes, each row counting ``size`` units.

    Step k adds the k-th row that each box touches, weighted by the units they share.
    """
    count = values.shape[0]
    # A box of pixels stays below 255 * 2**23; sums of sums need more room.
    kind = np.int32 if values.dtype == np.uint8 else np.int64
    start = np.arange(size, dtype=np.int64) * count
    sums = np.zeros((size, values.shape[1]), kind)
    for k in range(count // size + 2):
        row = start // size + k
        shared = np.minimum((row + 1) * size, start + count) - np.maximum(row * size, start)
        weights = np.maximum(shared, 0).astype(kind)[:, None]
        sums += values[np.minimum(row, count - 1)] * weights
    return sums
