"""Pictures: what is refused, what becomes canonical, and that pixels are exact."""

from __future__ import annotations

import io
import subprocess
import sys
import warnings
import zlib
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageOps

from mosaic_env.core.errors import ConfigError, CorruptError, ImageError
from mosaic_env.guard import containers, images, paths
from tests.guard import corpus
from tests.guard.corpus import CANARY, chunk, ihdr, jpeg_segment, palette_png, photo, png, riff, save

STAMPS = Path("/usr/share/tuxpaint/stamps")


def webp_chunk(data: bytes, kind: bytes) -> bytes:
    at = data.index(kind)
    return data[at + 8 : at + 8 + int.from_bytes(data[at + 4 : at + 8], "little")]


JPEG = save(photo(), "JPEG", quality=85)
PROGRESSIVE = save(photo(64, 80), "JPEG", progressive=True)
WEBP = save(photo(), "WEBP", quality=80)
LOSSLESS = save(photo(), "WEBP", lossless=True)

PLAIN = {
    "png": (save(photo(), "PNG"), "image/png", "RGB"),
    "png-grey": (save(Image.fromarray(photo()).convert("L"), "PNG"), "image/png", "L"),
    "png-1-bit": (save(Image.fromarray(photo()).convert("1"), "PNG"), "image/png", "1"),
    "png-grey-alpha": (save(Image.fromarray(corpus.rgba()).convert("LA"), "PNG"), "image/png", "LA"),
    "png-alpha": (save(corpus.rgba(), "PNG"), "image/png", "RGBA"),
    "png-palette-alpha": (palette_png(), "image/png", "P"),
    "png-2-bit": (png([b"\x1b\x1b"] * 4, 8, depth=2, colour=0), "image/png", "L"),
    "jpeg": (JPEG, "image/jpeg", "RGB"),
    "jpeg-grey": (save(Image.fromarray(photo()).convert("L"), "JPEG"), "image/jpeg", "L"),
    "jpeg-progressive": (PROGRESSIVE, "image/jpeg", "RGB"),
    "jpeg-restarts": (save(photo(64, 80), "JPEG", restart_marker_blocks=2), "image/jpeg", "RGB"),
    "jpeg-filling": (JPEG.replace(b"\xff\xc0", b"\xff\xff\xff\xc0"), "image/jpeg", "RGB"),
    "webp": (WEBP, "image/webp", "RGB"),
    "webp-alpha": (save(corpus.rgba(), "WEBP", quality=80), "image/webp", "RGBA"),
    "webp-lossless": (LOSSLESS, "image/webp", "RGB"),
    "webp-lossless-alpha": (save(corpus.rgba(), "WEBP", lossless=True), "image/webp", "RGBA"),
}

DRESSED = {
    "png-text": corpus.png_rgb(photo(), before=chunk(b"tEXt", b"Comment\0" + CANARY)),
    "png-profile": corpus.png_rgb(photo(), before=chunk(b"iCCP", b"x\0\0" + zlib.compress(CANARY, 0))),
    "png-private": corpus.png_rgb(photo(), before=chunk(b"cnRy", CANARY)),
    "png-palette-hint": corpus.png_rgb(photo(), before=chunk(b"PLTE", CANARY + b"x")),
    "png-idat-tail": corpus.png_rgb(photo(), tail=CANARY),
    "png-zip": corpus.png_rgb(photo()) + corpus.zip_bytes(),
    "jpeg-exif": save(photo(), "JPEG", exif=corpus.exif(1)),
    "jpeg-profile": save(photo(), "JPEG", icc_profile=CANARY * 20),
    "jpeg-comment": save(photo(), "JPEG", comment=CANARY),
    "jpeg-zip": JPEG + corpus.zip_bytes(),
    "jpeg-app-fields": corpus.jpeg_with(
        save(photo(), "JPEG", keep_rgb=True),
        jpeg_segment(0xE0, b"JFXX\0" + CANARY) + jpeg_segment(0xEE, b"Adobe" + CANARY[:6] + b"\0" + CANARY),
    ),
    "jpeg-jfif-thumbnail": JPEG[:2]
    + jpeg_segment(0xE0, b"JFIF\0\1\2\1\x12\x34\x56\x78\4\1" + CANARY + b"x")
    + JPEG[20:],
    "webp-exif": save(photo(), "WEBP", exif=corpus.exif(1)),
    "webp-xmp": save(photo(), "WEBP", xmp=CANARY),
    "webp-profile": save(photo(), "WEBP", icc_profile=CANARY * 20),
    "webp-alpha-xmp": save(corpus.rgba(), "WEBP", quality=80, xmp=CANARY),
    "webp-foreign-chunk": riff((b"VP8 ", webp_chunk(WEBP, b"VP8 ")), (b"EVIL", CANARY)),
    "webp-zip": WEBP + corpus.zip_bytes(),
}

REFUSED = {
    "empty": (b"", "ME-IMAGE-01"),
    "one-byte": (b"\x89", "ME-IMAGE-01"),
    "gif": (save(Image.fromarray(photo()).convert("P"), "GIF"), "ME-IMAGE-01"),
    "tiff": (save(photo(), "TIFF"), "ME-IMAGE-01"),
    "bmp": (save(photo(), "BMP"), "ME-IMAGE-01"),
    "ico": (save(photo(), "ICO", sizes=[(16, 16)]), "ME-IMAGE-01"),
    "pdf": (b"%PDF-1.7\n", "ME-IMAGE-01"),
    "psd": (b"8BPS\0\1" + bytes(40), "ME-IMAGE-01"),
    "fits": (b"SIMPLE  =                    T", "ME-IMAGE-01"),
    "svg": (b"  <svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "ME-IMAGE-01"),
    "xml": (b"<?xml version='1.0'?><svg/>", "ME-IMAGE-01"),
    "html": (b"<html><img src=x></html>", "ME-IMAGE-01"),
    "zip-png": (corpus.zip_bytes() + corpus.png_rgb(photo()), "ME-IMAGE-01"),
    "space-png": (b" " + corpus.png_rgb(photo()), "ME-IMAGE-01"),
    "avi": (b"RIFF\x20\0\0\0AVI " + bytes(40), "ME-IMAGE-01"),
    "apple-png": (corpus.PNG + chunk(b"CgBI", bytes(4)) + corpus.png_rgb(photo())[8:], "ME-IMAGE-01"),
    "png-critical": (corpus.png_rgb(photo(), before=chunk(b"EVIL")), "ME-IMAGE-01"),
    "png-16-bit-key": (png([bytes(48)] * 4, 8, depth=16, before=chunk(b"tRNS", bytes(6))), "ME-IMAGE-01"),
    "jpeg-lossless": (JPEG.replace(b"\xff\xc0", b"\xff\xc3"), "ME-IMAGE-01"),
    "jpeg-arithmetic": (JPEG.replace(b"\xff\xc0", b"\xff\xc9"), "ME-IMAGE-01"),
    "jpeg-12-bit": (JPEG.replace(b"\xff\xc0\0\x11\x08", b"\xff\xc0\0\x11\x0c"), "ME-IMAGE-01"),
    "many-bytes": (corpus.png_rgb(photo()) + bytes(images.MAX_BYTES), "ME-IMAGE-02"),
    "png-bomb": (corpus.header_bombs()["png"], "ME-IMAGE-02"),
    "jpeg-bomb": (corpus.header_bombs()["jpeg"], "ME-IMAGE-02"),
    "webp-bomb": (corpus.header_bombs()["webp"], "ME-IMAGE-02"),
    "webp-14-mpx": (corpus.header_bombs(3_742)["webp"], "ME-IMAGE-02"),
    "png-long-side": (png([bytes(3 * 8_193)], 8_193), "ME-IMAGE-02"),
    "png-2-to-31": (corpus.PNG + ihdr(2**31 - 1, 2**31 - 1) + chunk(b"IDAT"), "ME-IMAGE-02"),
    "png-animated": (corpus.animation("PNG"), "ME-IMAGE-03"),
    "webp-animated": (corpus.animation("WEBP"), "ME-IMAGE-03"),
    "png-no-width": (png([b""], 0), "ME-IMAGE-03"),
    "jpeg-no-height": (corpus.jpeg_resized_header(JPEG, 32, 0), "ME-IMAGE-03"),
    "png-header-only": (corpus.PNG + ihdr(4, 4), "ME-IMAGE-03"),
    "png-no-header": (corpus.PNG + chunk(b"IDAT") + chunk(b"IEND"), "ME-IMAGE-03"),
    "png-no-data": (corpus.PNG + ihdr(4, 4) + chunk(b"IEND"), "ME-IMAGE-03"),
    "png-bad-depth": (png([bytes(12)] * 4, 4, depth=3), "ME-IMAGE-03"),
    "png-two-headers": (corpus.png_rgb(photo(), before=ihdr(32, 24)), "ME-IMAGE-03"),
    "png-no-palette": (png([bytes(4)] * 4, 4, colour=3), "ME-IMAGE-03"),
    "png-odd-palette": (png([bytes(4)] * 4, 4, colour=3, before=chunk(b"PLTE", bytes(4))), "ME-IMAGE-03"),
    "png-grey-palette": (png([bytes(4)] * 4, 4, colour=0, before=chunk(b"PLTE", bytes(6))), "ME-IMAGE-03"),
    "png-alpha-key": (png([bytes(16)] * 4, 4, colour=6, before=chunk(b"tRNS", bytes(6))), "ME-IMAGE-03"),
    "png-short-data": (
        corpus.PNG + ihdr(4, 4) + chunk(b"IDAT", zlib.compress(bytes(51))) + chunk(b"IEND"),
        "ME-IMAGE-03",
    ),
    "png-long-data": (
        corpus.PNG + ihdr(4, 4) + chunk(b"IDAT", zlib.compress(bytes(53))) + chunk(b"IEND"),
        "ME-IMAGE-03",
    ),
    "png-bad-filter": (
        corpus.PNG + ihdr(4, 4) + chunk(b"IDAT", zlib.compress(b"\x09" * 52)) + chunk(b"IEND"),
        "ME-IMAGE-03",
    ),
    "png-interrupted": (
        corpus.png_rgb(photo()).replace(
            chunk(b"IEND"), chunk(b"tEXt", b"a\0b") + chunk(b"IDAT") + chunk(b"IEND")
        ),
        "ME-IMAGE-03",
    ),
    "png-many-chunks": (
        corpus.PNG + ihdr(4, 4) + chunk(b"teXt") * 70_000 + corpus.png_rgb(photo())[33:],
        "ME-IMAGE-03",
    ),
    "jpeg-two-frames": (
        JPEG.replace(b"\xff\xda", JPEG[JPEG.index(b"\xff\xc0") :][:19] + b"\xff\xda"),
        "ME-IMAGE-03",
    ),
    "jpeg-many-scans": (JPEG[:-2] + JPEG[JPEG.index(b"\xff\xda") : -2] * 48 + b"\xff\xd9", "ME-IMAGE-03"),
    "jpeg-many-scans-progressive": (
        PROGRESSIVE[:-2] + PROGRESSIVE[PROGRESSIVE.rindex(b"\xff\xda") : -2] * 48 + b"\xff\xd9",
        "ME-IMAGE-03",
    ),
    "jpeg-many-segments": (corpus.jpeg_with(JPEG, jpeg_segment(0xFE, b"") * 4_200), "ME-IMAGE-03"),
    "jpeg-rubbish-between": (JPEG[:20] + b"rubbish" + JPEG[20:], "ME-IMAGE-03"),
    "jpeg-no-tables": (JPEG[:20] + JPEG[JPEG.index(b"\xff\xc0") :], "ME-IMAGE-03"),
    "png-bad-stream": (
        corpus.PNG + ihdr(4, 4) + chunk(b"IDAT", b"y" + zlib.compress(bytes(52))[1:]) + chunk(b"IEND"),
        "ME-IMAGE-03",
    ),
    "png-bad-adler": (
        corpus.PNG + ihdr(4, 4) + chunk(b"IDAT", zlib.compress(bytes(52))[:-1] + b"x") + chunk(b"IEND"),
        "ME-IMAGE-03",
    ),
    "jpeg-no-frame": (JPEG[:20] + b"\xff\xd9", "ME-IMAGE-03"),
    "jpeg-no-scan": (JPEG[: JPEG.index(b"\xff\xda")] + b"\xff\xd9", "ME-IMAGE-03"),
    "jpeg-frame-length": (JPEG.replace(b"\xff\xc0\0\x11\x08", b"\xff\xc0\0\x10\x08"), "ME-IMAGE-03"),
    "webp-many-chunks": (riff(*[(b"EVIL", b"")] * 2_000), "ME-IMAGE-03"),
    "webp-extended-length": (riff((b"VP8X", bytes(9)), (b"VP8 ", webp_chunk(WEBP, b"VP8 "))), "ME-IMAGE-03"),
    "webp-animation-flag": (
        riff((b"VP8X", b"\2" + bytes(3) + b"\x1f\0\0\x17\0\0"), (b"VP8 ", webp_chunk(WEBP, b"VP8 "))),
        "ME-IMAGE-03",
    ),
    "webp-two-pictures": (riff(*[(b"VP8L", webp_chunk(LOSSLESS, b"VP8L"))] * 2), "ME-IMAGE-03"),
    "webp-frame-without-flag": (
        riff((b"VP8 ", webp_chunk(WEBP, b"VP8 ")), (b"ANMF", bytes(16))),
        "ME-IMAGE-03",
    ),
    "webp-no-picture": (riff((b"EXIF", corpus.exif(1))), "ME-IMAGE-03"),
    "webp-canvas": (
        riff((b"VP8X", bytes(4) + b"\x63\0\0\x63\0\0"), (b"VP8 ", webp_chunk(WEBP, b"VP8 "))),
        "ME-IMAGE-03",
    ),
    "webp-no-key-frame": (riff((b"VP8 ", b"\1" + webp_chunk(WEBP, b"VP8 ")[1:])), "ME-IMAGE-03"),
    "webp-cut-inside": (riff((b"VP8 ", webp_chunk(WEBP, b"VP8 ")[:60])), "ME-IMAGE-03"),
    "webp-lossless-cut-inside": (riff((b"VP8L", webp_chunk(LOSSLESS, b"VP8L")[:40])), "ME-IMAGE-03"),
}


# What only a decoder can find; everything else is refused before one is started.
DECODER_FINDS = {"png-bad-filter", "jpeg-no-tables", "webp-cut-inside", "webp-lossless-cut-inside"}


def on_white(data: bytes) -> images.Pixels:
    """The pixels by Pillow's own composition, which may differ from ours by one."""
    picture = Image.open(io.BytesIO(data)).convert("RGBA")
    white = Image.new("RGBA", picture.size, "white")
    return np.asarray(Image.alpha_composite(white, picture).convert("RGB"))


@pytest.mark.parametrize("name", sorted(PLAIN))
def test_plain_pictures_keep_their_pixels(name: str) -> None:
    data, media_type, mode = PLAIN[name]
    info = images.inspect(data)
    assert (info.media_type, info.mode) == (media_type, mode)
    picture = images.canonicalise(data)
    pixels = images.decode_rgb(picture.data, digest=picture.pixel_digest)
    assert picture.media_type == media_type
    assert pixels.shape == (info.height, info.width, 3) == (picture.height, picture.width, 3)
    assert np.abs(on_white(data).astype(int) - pixels).max() <= (1 if mode in ("LA", "P", "RGBA") else 0)


@pytest.mark.parametrize("name", sorted({*PLAIN, *DRESSED}))
def test_canonical_bytes_are_a_fixed_point(name: str) -> None:
    data = DRESSED[name] if name in DRESSED else PLAIN[name][0]
    picture = images.canonicalise(data)
    assert images.canonicalise(data) == picture
    assert images.canonicalise(picture.data) == picture


@pytest.mark.parametrize("name", sorted(DRESSED))
def test_metadata_and_hidden_bytes_are_dropped_without_touching_pixels(name: str) -> None:
    data = DRESSED[name]
    assert CANARY[:5] in data
    picture = images.canonicalise(data)
    assert CANARY[:5] not in picture.data
    assert b"PK\x03\x04" not in picture.data
    assert picture.media_type == images.inspect(data).media_type
    assert np.abs(on_white(data).astype(int) - images.decode_rgb(picture.data)).max() <= 1


def test_compressed_data_is_kept_as_it_is() -> None:
    stream = zlib.compress(b"\0" * 100, 9)
    data = corpus.PNG + ihdr(3, 10) + chunk(b"IDAT", stream[:5]) + chunk(b"IDAT", stream[5:]) + chunk(b"IEND")
    assert corpus.png_chunks(images.canonicalise(data).data)[1:] == [(b"IDAT", stream), (b"IEND", b"")]
    coded = JPEG[JPEG.index(b"\xff\xda") :]
    assert images.canonicalise(JPEG).data.endswith(coded)
    assert images.canonicalise(JPEG[:-2] + b"\xff\xff\xff\xd9") == images.canonicalise(JPEG)
    kept = images.canonicalise(save(photo(), "WEBP", quality=80, xmp=CANARY)).data
    assert kept == riff((b"VP8 ", webp_chunk(WEBP, b"VP8 ")))


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_refused(name: str) -> None:
    data, code = REFUSED[name]
    with pytest.raises(ImageError) as caught:
        images.canonicalise(data)
    assert caught.value.code == code


@pytest.mark.parametrize("name", sorted(set(REFUSED) - DECODER_FINDS))
def test_hardly_anything_hostile_reaches_a_decoder(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def reached(data: bytes, info: images.PictureInfo) -> images.Pixels:
        raise AssertionError("a decoder was started")

    monkeypatch.setattr(images, "_decode", reached)
    with pytest.raises(ImageError):
        images.canonicalise(REFUSED[name][0])


@pytest.mark.parametrize("name", ["gif", "svg", "png-bomb", "webp-bomb", "png-animated", "webp-cut-inside"])
def test_decoding_refuses_by_itself(name: str) -> None:
    with pytest.raises(ImageError) as caught:
        images.decode_rgb(REFUSED[name][0])
    assert caught.value.code == REFUSED[name][1]


def test_refusal_names_the_format() -> None:
    with pytest.raises(ImageError, match=r"a GIF.*PNG, JPEG or WEBP.*ME-IMAGE-01"):
        images.inspect(REFUSED["gif"][0])


def test_format_is_decided_from_bytes_not_from_names(tmp_path: Path) -> None:
    wrong = tmp_path / "picture.jpg"
    wrong.write_bytes(corpus.png_rgb(photo()))
    assert images.inspect(paths.read_regular(wrong)).media_type == "image/png"


@pytest.mark.parametrize(
    "data", [corpus.png_rgb(photo(6, 5)), JPEG, WEBP, LOSSLESS], ids=["png", "jpeg", "webp", "lossless"]
)
def test_truncated_at_every_length(data: bytes) -> None:
    for length in range(len(data)):
        with pytest.raises(ImageError):
            images.canonicalise(data[:length])


def test_every_flipped_byte_of_a_png_is_refused() -> None:
    data = corpus.png_rgb(photo(6, 5))
    for at in range(len(data)):
        with pytest.raises(ImageError):
            images.canonicalise(data[:at] + bytes((data[at] ^ 0x41,)) + data[at + 1 :])


@pytest.mark.parametrize("name", ["jpeg-progressive", "jpeg", "webp", "webp-alpha", "webp-lossless"])
def test_flipped_bytes_give_a_picture_or_a_refusal(name: str) -> None:
    data = PLAIN[name][0]
    refused = 0
    for at in range(0, len(data), 2):
        try:
            picture = images.canonicalise(data[:at] + bytes((data[at] ^ 0x81,)) + data[at + 1 :])
        except ImageError:
            refused += 1
        else:
            images.decode_rgb(picture.data, digest=picture.pixel_digest)
    assert refused


@given(st.sampled_from([corpus.PNG, b"\xff\xd8\xff", b"RIFF\xff\0\0\0WEBP", b""]), st.binary(max_size=300))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_random_bytes_are_refused_with_a_code(start: bytes, rest: bytes) -> None:
    with pytest.raises(ImageError):
        images.canonicalise(start + rest)


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_exif_orientation_is_applied(kind: str, orientation: int) -> None:
    block = corpus.exif(orientation, "<" if orientation % 2 else ">")
    options = {"lossless": True} if kind == "WEBP" else {}
    data = save(photo(), kind, exif=block, **options)
    expected = ImageOps.exif_transpose(Image.open(io.BytesIO(data))).convert("RGB")
    picture = images.canonicalise(data)
    assert (images.decode_rgb(picture.data) == np.asarray(expected)).all()
    assert (picture.width, picture.height) == expected.size
    assert (picture.media_type == "image/png") == (orientation != 1 or kind == "PNG")
    assert images.canonicalise(picture.data) == picture


@given(st.binary(max_size=80), st.sampled_from([b"", b"Exif\0\0II*\0", b"MM\0*\0\0\0\x08"]))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_exif_rubbish_is_orientation_one_to_eight(rest: bytes, start: bytes) -> None:
    assert containers.exif_orientation(start + rest) in range(1, 9)


@pytest.mark.parametrize("value", [0, 9, 255])
def test_exif_orientation_out_of_range_is_ignored(value: int) -> None:
    assert containers.exif_orientation(corpus.exif(value)) == 1
    assert containers.exif_orientation(corpus.exif(5)) == 5


def test_cmyk_jpeg_becomes_rgb_png() -> None:
    data = save(Image.fromarray(photo()).convert("CMYK"), "JPEG", quality=90)
    assert images.inspect(data).mode == "CMYK"
    picture = images.canonicalise(data)
    assert picture.media_type == "image/png"
    expected = np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))
    assert (images.decode_rgb(picture.data) == expected).all()


def test_16_bit_grey_and_colour_keep_the_high_byte() -> None:
    values = np.arange(64, dtype=np.uint16).reshape(4, 16) * 1021
    grey = png([row.astype(">u2").tobytes() for row in values], 16, depth=16, colour=0)
    colour = png([np.repeat(row, 3).astype(">u2").tobytes() for row in values], 16, depth=16, colour=2)
    for data, mode in ((grey, "L;16"), (colour, "RGB;16")):
        assert images.inspect(data).mode == mode
        picture = images.canonicalise(data)
        assert (images.decode_rgb(picture.data) == (values >> 8)[..., None]).all()
        assert corpus.png_chunks(picture.data)[0][1][8:10] == b"\x08\x02"


def test_transparent_colour_becomes_white() -> None:
    rows = [bytes([10, 20, 30, 10, 20, 31])] * 2
    picture = images.canonicalise(png(rows, 2, before=chunk(b"tRNS", b"\0\x0a\0\x14\0\x1e")))
    assert images.decode_rgb(picture.data)[0].tolist() == [[255, 255, 255], [10, 20, 31]]
    # 2-bit grey: level 1 of 3 is 85, so the key has to be scaled as the samples are.
    grey = images.canonicalise(png([b"\x1b"], 4, depth=2, colour=0, before=chunk(b"tRNS", b"\0\1")))
    assert images.decode_rgb(grey.data)[0, :, 0].tolist() == [0, 255, 170, 255]
    assert b"tRNS" not in picture.data + grey.data


def test_a_picture_that_grows_beyond_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = save(photo(), "JPEG", quality=10, exif=corpus.exif(6))
    monkeypatch.setattr(images, "MAX_BYTES", len(data))
    with pytest.raises(ImageError, match="once it is turned upright") as caught:
        images.canonicalise(data)
    assert caught.value.code == "ME-IMAGE-02"


def test_a_decoder_that_sees_another_size_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    claimed = images.PictureInfo("image/jpeg", 32, 25, "RGB")
    monkeypatch.setattr(images, "inspect", lambda data: claimed)
    with pytest.raises(ImageError, match="header says 32 x 25"):
        images.decode_rgb(JPEG)


def test_running_out_of_memory_is_not_called_damage(monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(picture: Image.Image) -> images.Pixels:
        raise MemoryError

    monkeypatch.setattr(images, "_rgb", exhausted)
    with pytest.raises(MemoryError):
        images.decode_rgb(JPEG)


def test_palette_with_more_alphas_than_colours_is_written_anew() -> None:
    picture = images.canonicalise(palette_png(2, b"\x00\x80\xff\x40", index_of=2))
    assert corpus.png_chunks(picture.data)[0][1][9] == 2
    assert images.decode_rgb(picture.data)[0, 0].tolist() == [255, 255, 255]


def test_interlaced_png_is_kept() -> None:
    picture = Image.fromarray(photo(9, 11))
    rows = [row.tobytes() for row in photo(9, 11)]
    passes = [
        (0, 0, 8, 8),
        (4, 0, 8, 8),
        (0, 4, 4, 8),
        (2, 0, 4, 4),
        (0, 2, 2, 4),
        (1, 0, 2, 2),
        (0, 1, 1, 2),
    ]
    raw = b"".join(
        b"\0" + b"".join(rows[y][3 * x : 3 * x + 3] for x in range(left, 11, across))
        for left, top, across, down in passes
        for y in range(top, 9, down)
        if left < 11
    )
    data = corpus.PNG + ihdr(11, 9, interlace=1) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND")
    kept = images.canonicalise(data)
    assert kept.data == data
    assert (images.decode_rgb(kept.data) == np.asarray(picture)).all()


def test_alpha_on_white_is_exact_for_every_value() -> None:
    colour, alpha = np.meshgrid(np.arange(256, dtype=np.uint8), np.arange(256, dtype=np.uint8))
    mixed = images._on_white(np.stack([colour, colour, colour, alpha], axis=2))[..., 0]
    exact = colour.astype(int) * alpha + 255 * (255 - alpha.astype(int))
    assert (mixed == (exact + 127) // 255).all()


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P", "LA", "1"])
def test_strips_change_nothing(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = palette_png() if mode == "P" else save(Image.fromarray(corpus.rgba()).convert(mode), "PNG")
    whole = images.decode_rgb(data)
    monkeypatch.setattr(images, "_STRIP_PIXELS", 70)
    assert (images.decode_rgb(data) == whole).all()


def test_other_pixels_than_recorded_are_an_error() -> None:
    data = images.encode_png(photo())
    images.decode_rgb(data, digest=images.pixel_digest(photo()))
    with pytest.raises(CorruptError, match=r"decoder .*gives other pixels") as caught:
        images.decode_rgb(data, digest=images.pixel_digest(255 - photo()))
    assert caught.value.code == "ME-CORRUPT-02"


def test_decoder_warnings_are_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    original = images._rgb

    def warns(picture: Image.Image) -> images.Pixels:
        warnings.warn("something is odd", UserWarning, stacklevel=2)
        return original(picture)

    monkeypatch.setattr(images, "_rgb", warns)
    with pytest.raises(ImageError, match="UserWarning"):
        images.canonicalise(JPEG)


def test_pixel_digest_is_pinned_and_depends_on_the_shape() -> None:
    array = photo(2, 6)
    assert images.pixel_digest(array) == (
        "sha256:ef398204daa078e2b7529a51c7c22f76b2085991015e55ebd926ae0f6757ff9c"
    )
    assert images.pixel_digest(array) != images.pixel_digest(array.reshape(4, 3, 3))
    assert images.pixel_digest(array[:, ::-1]) == images.pixel_digest(array[:, ::-1].copy())


def test_encode_png_is_lossless_and_bare() -> None:
    array = photo(100, 77)
    data = images.encode_png(array)
    assert (images.decode_rgb(data) == array).all()
    assert {kind for kind, _ in corpus.png_chunks(data)} == {b"IHDR", b"IDAT", b"IEND"}
    assert images.encode_png(array[::-1, ::-1]) == images.encode_png(array[::-1, ::-1].copy())


@pytest.mark.parametrize("bad", [photo()[..., 0], photo().astype(float), corpus.rgba(), photo()[:0]])
def test_arrays_of_other_kinds_are_refused(bad: images.Pixels) -> None:
    for function in (images.encode_png, images.pixel_digest):
        with pytest.raises(ImageError, match="uint8 with shape"):
            function(bad)


def exact_box(array: images.Pixels, rows: int, columns: int) -> list[list[list[int]]]:
    """The area mean in rational numbers, rounded half up."""
    height, width = array.shape[:2]

    def shares(size: int, into: int, index: int) -> list[tuple[int, Fraction]]:
        low, high = Fraction(index * size, into), Fraction((index + 1) * size, into)
        overlap = [(n, min(high, Fraction(n + 1)) - max(low, Fraction(n))) for n in range(size)]
        return [(n, share) for n, share in overlap if share > 0]

    def mean(row: int, column: int, channel: int) -> int:
        vertical, horizontal = shares(height, rows, row), shares(width, columns, column)
        cells = (a * b * int(array[y, x, channel]) for y, a in vertical for x, b in horizontal)
        total = sum(cells, Fraction(0))
        return int(total * rows * columns / (height * width) + Fraction(1, 2))

    return [[[mean(r, c, k) for k in range(3)] for c in range(columns)] for r in range(rows)]


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 8), st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_resize_is_the_exact_area_mean(height: int, width: int, side: int, seed: int) -> None:
    array = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    small = images.resize(array, side)
    assert max(small.shape[:2]) == min(side, max(height, width))
    assert small.tolist() == exact_box(array, *small.shape[:2])


def test_resize_of_views_and_at_the_limits() -> None:
    array = photo(61, 200)
    small = images.resize(array, 50)
    assert small.shape == (15, 50, 3)
    assert (images.resize(array[:, ::-1], 50)[:, ::-1] == small).all()
    assert images.resize(array, 200) is array
    assert images.resize(np.full((8_192, 3, 3), 255, np.uint8), 8_191).min() == 255
    assert images.resize(np.full((8_192, 800, 3), 255, np.uint8), 2).tolist() == [[[255] * 3]] * 2
    with pytest.raises(ConfigError, match="max_side is 0"):
        images.resize(array, 0)


LIMITED = """
import resource, sys, zlib
from mosaic_env.core.errors import ImageError
from mosaic_env.guard import images
from tests.guard import corpus

images.canonicalise(corpus.save(corpus.photo(), "WEBP"))
def used(field):
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))
room = used("VmSize:") + 50 * 2**20
resource.setrlimit(resource.RLIMIT_AS, (room, room))
stream = zlib.compressobj(9)
zeros = bytes(2**20)
bomb = b"".join(stream.compress(zeros) for _ in range(128)) + stream.flush()
lying = corpus.PNG + corpus.ihdr(10, 10) + corpus.chunk(b"IDAT", bomb) + corpus.chunk(b"IEND")
for data in (*corpus.header_bombs().values(), lying):
    for function in (images.inspect, images.canonicalise):
        try:
            function(data)
        except ImageError as error:
            print(error.code)
        else:
            print("accepted")
"""

LARGEST = """
import zlib
from mosaic_env.guard import images
from tests.guard import corpus

raw = zlib.compress((b"\\0" + bytes((1, 2, 3, 128)) * 5000) * 5000, 1)
data = corpus.PNG + corpus.ihdr(5000, 5000, colour=6) + corpus.chunk(b"IDAT", raw) + corpus.chunk(b"IEND")
del raw
print(images.canonicalise(data).width)
# Not getrusage: its maximum is inherited from the process that started this one.
lines = open("/proc/self/status").read().splitlines()
print(next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM:")))
"""


linux = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="needs Linux's /proc and address limits"
)


def run(script: str) -> list[str]:
    return subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    ).stdout.split()


@linux
def test_bombs_are_refused_within_50_mb() -> None:
    # Only the last is a small picture by its header: inspect may accept it, decoding must not.
    assert run(LIMITED) == ["ME-IMAGE-02"] * 6 + ["accepted", "ME-IMAGE-03"]


@linux
def test_the_largest_picture_takes_less_than_300_mb() -> None:
    width, megabytes = run(LARGEST)
    assert width == "5000"
    assert int(megabytes) < 300


def test_importing_does_not_import_pillow() -> None:
    assert run("import sys, mosaic_env.guard.images; print('PIL' in sys.modules)") == ["False"]


@pytest.mark.skipif(not STAMPS.is_dir(), reason="the package tuxpaint-stamps-default is not installed")
def test_real_pictures_keep_their_pixels() -> None:
    files = sorted(STAMPS.glob("**/*.png"))[::40]
    assert files
    for file in files:
        data = file.read_bytes()
        picture = images.canonicalise(data)
        pixels = images.decode_rgb(picture.data, digest=picture.pixel_digest)
        assert np.abs(on_white(data).astype(int) - pixels).max() <= 1, file.name
