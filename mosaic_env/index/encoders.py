"""The seam for trained encoders: a protocol, a registry, and the check that an encoder is the right one.

``exact`` encoders use integer arithmetic end to end and give the same bytes everywhere (the bundled ``joint``);
``recorded`` ones (sentence-transformers, open_clip) differ in the last bits between machines, so
episodes carry the int8 query vectors they used and replays use those. A missing vector or a
foreign encoder is a typed error, never a silent re-encoding or a fallback.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from mosaic_env.core.errors import EncoderError
from mosaic_env.core.registry import Registry

Vectors = npt.NDArray[np.float32]
Rgb = npt.NDArray[np.uint8]

#: Texts whose vectors identify an encoder beside the digest of its weights.
PROBE_TEXTS = (
    "a red flag with a white star", "director of Gold Cobra", "Straße in München", "東京の夜景",
    "portrait of a man with a hat", "1987", "city twinned with Monterey", "album by Limp Bizkit",
    "two birds on a branch", "x",
)  # fmt: skip
#: Probe vectors may differ by this much between machines (unit vectors, largest component).
PROBE_TOLERANCE = 1e-4


@runtime_checkable
class Encoder(Protocol):
    """Turns texts or pictures into unit vectors of one space."""

    exactness: Literal["exact", "recorded"]
    dimensions: int

    def identity(self) -> Mapping[str, Any]:
        """Return what makes this encoder this one: weights digest, preprocessing, activation."""
        ...

    def encode_texts(self, texts: Sequence[str]) -> Vectors:
        """Return shape (n, dimensions), float32, unit norm; one text at a time inside."""
        ...

    def encode_pictures(self, pictures: Sequence[Rgb]) -> Vectors:
        """Return shape (n, dimensions), float32, unit norm; one picture at a time inside."""
        ...


class EncoderFactory(Protocol):
    """Loads an encoder from a local folder; never from a network."""

    def __call__(self, folder: str) -> Encoder:
        """Return the encoder in a folder."""
        ...


#: Encoder kinds by name. Loading one imports its package only then.
ENCODERS: Registry[EncoderFactory] = Registry("encoder")
ENCODERS.add("sentence-transformers", "mosaic_env.index.encoder_sentence_transformers:load")
ENCODERS.add("open-clip", "mosaic_env.index.encoder_open_clip:load")
ENCODERS.add("joint", "mosaic_env.index.joint:load")
#: Encoders that come with the package, by the kind that an index records: loaded without being asked for.
BUNDLED = {"joint": "joint:bundled"}


def load_encoder(spec: str) -> Encoder:
    """Load an encoder from ``"kind:folder"``, for example ``"sentence-transformers:models/minilm"``.

    Raises: EncoderError (ME-ENC-01), RegistryError (ME-REGISTRY-01).
    """
    kind, separator, folder = spec.partition(":")
    if not separator or not folder:
        raise EncoderError(
            "ME-ENC-01",
            f"{spec!r} does not name an encoder",
            expected="kind:folder, with kind one of " + ", ".join(ENCODERS),
            fix="For example sentence-transformers:path/to/folder",
        )
    return ENCODERS.get(kind)(folder)


def probes(encoder: Encoder, *, pictures: bool) -> list[list[float]]:
    """Return the encoder's probe vectors, rounded to 5 digits: 10 texts, or 4 synthetic pictures."""
    vectors = encoder.encode_pictures(probe_pictures()) if pictures else encoder.encode_texts(PROBE_TEXTS)
    return [[round(float(x), 5) for x in row] for row in vectors]


def probe_pictures() -> list[Rgb]:
    """Return four fixed synthetic pictures of 96 × 64 pixels."""
    y, x = np.mgrid[0:64, 0:96]
    ramp = np.stack([x * 2, y * 4, (x + y)], axis=-1)
    board = np.repeat(((x // 8 + y // 8) % 2 * 255)[..., None], 3, axis=-1)
    flat = np.full((64, 96, 3), (200, 30, 60))
    rings = np.stack([((x - 48) ** 2 + (y - 32) ** 2) // 8, x * 0, y * 3], axis=-1)
    return [(p % 256).astype(np.uint8) for p in (ramp, board, flat, rings)]


def check_identity(encoder: Encoder, recorded: Mapping[str, Any], *, pictures: bool) -> None:
    """Check that an encoder is the one that built an index.

    Args:
        recorded: The route's record in the manifest: ``encoder`` (identity) and ``probes``.
        pictures: Compare the probe pictures instead of the probe texts.

    Raises: EncoderError (ME-ENC-02) naming the first field that differs.
    """
    expected, actual = dict(recorded["encoder"]), dict(encoder.identity())
    for name in sorted(expected.keys() | actual.keys()):
        if expected.get(name) != actual.get(name):
            raise _foreign(f"its {name} is {actual.get(name)!r}", repr(expected.get(name)))
    wanted = np.asarray(recorded["probes"], np.float32)
    given = np.asarray(probes(encoder, pictures=pictures), np.float32)
    if wanted.shape != given.shape or float(np.abs(wanted - given).max()) > PROBE_TOLERANCE:
        raise _foreign("its probe vectors differ", f"the recorded ones within {PROBE_TOLERANCE}")


def _foreign(what: str, expected: str) -> EncoderError:
    return EncoderError(
        "ME-ENC-02",
        f"this encoder did not build the index: {what}",
        expected=expected,
        fix="Load the folder the snapshot was built with, or build the snapshot again with this one",
    )
