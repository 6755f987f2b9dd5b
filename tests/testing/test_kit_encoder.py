"""``check_encoder`` finds what is planted in small broken encoders."""

from __future__ import annotations

import hashlib
import itertools
import threading
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pytest

from mosaic_env.core.errors import EncoderError
from mosaic_env.index.encoders import ENCODERS
from mosaic_env.testing import CheckFailed, check_encoder
from mosaic_env.testing.errors import HarnessError


def unit(data: bytes, size: int = 8) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return a unit vector made of a digest."""
    numbers = np.frombuffer(hashlib.sha256(data).digest(), np.uint8)[:size].astype(np.float64) - 127.5
    return (numbers / np.linalg.norm(numbers)).astype(np.float32)


class Hashing:
    """An exact encoder of texts and pictures."""

    exactness: Literal["exact", "recorded"] = "exact"
    dimensions = 8

    def identity(self) -> Mapping[str, Any]:
        return {"kind": "hashing", "weights": "sha256:0"}

    def encode_texts(self, texts: Sequence[str]) -> Any:
        return self._stack([unit(text.encode("utf-8", "replace")) for text in texts])

    def encode_pictures(self, pictures: Sequence[Any]) -> Any:
        return self._stack([unit(repr(picture.shape).encode() + picture.tobytes()) for picture in pictures])

    def _stack(self, rows: list[Any]) -> Any:
        return np.stack(rows) if rows else np.zeros((0, self.dimensions), np.float32)


class TextsOnly(Hashing):
    exactness: Literal["exact", "recorded"] = "recorded"

    def encode_pictures(self, pictures: Sequence[Any]) -> Any:
        raise EncoderError("ME-ENC-01", "this encoder has no pictures")


def test_encoders_pass() -> None:
    done = check_encoder(Hashing())
    assert "texts: alone and in company" in done and "pictures: input unchanged" in done
    assert not any(line.startswith("pictures") for line in check_encoder(TextsOnly()))


def changed(**attributes: Any) -> Hashing:
    """Return an encoder with other attributes."""
    made: Hashing = type("Broken", (Hashing,), attributes)()
    return made


def texts(encode: Any) -> Hashing:
    """Return an encoder whose texts are encoded by a function of the plain vectors."""
    return changed(encode_texts=lambda self, given: encode(Hashing.encode_texts(self, given), given))


def pads(vectors: Any, given: Sequence[str]) -> Any:
    """Move the last bits when texts of other lengths are in the batch."""
    longest = max(map(len, given), default=0)
    padding = np.array([1 + 1e-6 * (len(text) < longest) for text in given], np.float32)
    return (vectors * padding[:, None]).astype(np.float32)


class Threaded(Hashing):
    """Keeps the text it works on in the encoder."""

    def __init__(self) -> None:
        self.text = ""
        self.turn = threading.Barrier(2, timeout=0.02)

    def encode_texts(self, texts: Sequence[str]) -> Any:
        rows = []
        for text in texts:
            self.text = text
            if threading.current_thread() is not threading.main_thread():
                try:
                    self.turn.wait()
                except threading.BrokenBarrierError:
                    self.turn.reset()
            rows.append(unit(self.text.encode("utf-8", "replace")))
        return self._stack(rows)


def drifting() -> Any:
    count = itertools.count()
    return changed(identity=lambda self: {"run": next(count)})


def brightens(self: Any, pictures: Sequence[Any]) -> Any:
    vectors = Hashing.encode_pictures(self, pictures)
    for picture in pictures:
        if picture.flags.writeable:
            picture[...] = 255
    return vectors


def writes(self: Any, pictures: Sequence[Any]) -> Any:
    for picture in pictures:
        picture += 0
    return Hashing.encode_pictures(self, pictures)


def refuses(self: Any, given: Any) -> Any:
    raise EncoderError("ME-ENC-01", "no")


@pytest.mark.parametrize(
    ("encoder", "says"),
    [
        (changed(exactness="about"), "declaration: exactness is 'about'"),
        (changed(dimensions=0), "declaration: dimensions is 0"),
        (changed(identity=lambda self: {}), "identity: the identity is empty"),
        (drifting(), "identity: two calls"),
        (changed(identity=lambda self: {"weights": {1, 2}}), "identity: CanonError"),
        (changed(identity=lambda self: {"folder": "/home/" + "me/model"}), "identity: the identity holds the place"),
        (changed(dimensions=9), "texts: shape, type, norm: the text 'a red flag with a wh' gives the shape (1, 8)"),
        (texts(lambda vectors, given: vectors.astype(np.float64)), "gives float64"),
        (texts(lambda vectors, given: vectors * np.float32(2)), "gives the norm 2"),
        (texts(lambda vectors, given: np.where([[bool(t)] for t in given] or [[]], vectors, np.float32(np.nan))
               if len(given) else vectors), "the text '' gives NaN"),
        (texts(lambda vectors, given: [t.encode() for t in given] and vectors), "UnicodeEncodeError"),
        (texts(pads), "texts: alone and in company: the text "),
        (changed(exactness="recorded", encode_texts=lambda self, given: pads(Hashing.encode_texts(self, given), given)),
         "Encode one at a time inside"),
        (texts(lambda vectors, given: vectors if len(given) else []), "an empty batch gives the shape None"),
        (texts(lambda vectors, given: np.stack([unit(b"x")] * len(given)) if len(given) else vectors),
         "texts: probes: different probes give equal vectors"),
        (Threaded(), "texts: 4 threads: threads disturb one another"),
        (changed(encode_pictures=writes), "ValueError"),
        (changed(encode_texts=refuses, encode_pictures=refuses), "modalities: it encodes neither"),
    ],
)  # fmt: skip
def test_faults(encoder: Any, says: str) -> None:
    with pytest.raises(CheckFailed) as caught:
        check_encoder(encoder)
    assert says in str(caught.value), str(caught.value)


def test_a_changed_picture_is_noticed() -> None:
    """It shows as another vector of the same picture, before the check of its own."""
    with pytest.raises(CheckFailed, match="pictures: "):
        check_encoder(changed(encode_pictures=brightens))


def test_an_encoder_may_be_given_as_text() -> None:
    ENCODERS.add("hashing", lambda folder: Hashing())
    try:
        assert check_encoder("hashing:anywhere") == check_encoder(Hashing())
    finally:
        ENCODERS.remove("hashing")
    with pytest.raises(HarnessError, match=r"got the class Hashing.*'kind:folder'"):
        check_encoder(Hashing)  # type: ignore[arg-type]
