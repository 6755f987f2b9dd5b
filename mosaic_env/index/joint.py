"""The bundled joint encoder: texts and pictures to vectors of one space, exact on every machine.

A text's vector is a sum of rows of an integer table (``joint_text``), a picture's comes out of an integer network
(``joint_net``). Both are divided by their length: a square root, a division and a conversion to float32, each
correctly rounded by IEEE 754, so no step depends on the machine. An index stores them as int8. Weights are trained
by ``mosaic_env.train.joint`` on drawn pictures only; on photographs they mean nothing (``docs/joint-encoder.md``).
Needs no torch.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from mosaic_env.core.canon import strict_loads
from mosaic_env.core.errors import EncoderError, shorten
from mosaic_env.index.encoders import Rgb, Vectors
from mosaic_env.index.joint_net import IntegerNet, reduced
from mosaic_env.index.joint_text import ROWS, text_rows

WEIGHTS = "joint.safetensors"
#: Beside the weights: their digest, and how they were made.
RECORD = "joint.json"
_VERSION = 1


class JointEncoder:
    """Texts and pictures to unit vectors. Read-only; safe for threads.

    Args:
        arrays: The table ``text.table`` (int8, rows x dimensions) and the arrays of ``IntegerNet``.
        digest: sha256 of the file they are from.
    """

    exactness: Literal["exact", "recorded"] = "exact"

    def __init__(self, arrays: Mapping[str, npt.NDArray[Any]], digest: str) -> None:
        self._table = np.ascontiguousarray(arrays["text.table"])
        self._net = IntegerNet(arrays)
        self._digest = digest
        self.dimensions = int(self._table.shape[1])
        if self._table.shape[0] != ROWS or len(self._net.bias) != self.dimensions:
            raise _broken("its arrays do not fit each other")
        self.encode_pictures(
            [np.zeros((1, 1, 3), np.uint8)]
        )  # layers that do not fit raise here, not in a search

    def identity(self) -> Mapping[str, Any]:
        """Return kind, version of the arithmetic, digest of the weights, dimensions."""
        return {
            "kind": "joint",
            "version": _VERSION,
            "weights": self._digest,
            "dimensions": self.dimensions,
        }

    def encode_texts(self, texts: Sequence[str]) -> Vectors:
        """Return shape (n, dimensions), float32, unit norm.

        Cost: about 40 µs a short text.
        """
        sums = np.zeros((len(texts), self.dimensions), np.int64)
        for number, text in enumerate(texts):
            sums[number] = self._table[list(text_rows(text))].sum(axis=0, dtype=np.int64)
        return unit(sums)

    def encode_pictures(self, pictures: Sequence[Rgb]) -> Vectors:
        """Return shape (n, dimensions), float32, unit norm.

        Args:
            pictures: uint8, shape (height, width, 3) each.

        Cost: a few milliseconds a picture on one core.
        """
        if not len(pictures):
            return np.zeros((0, self.dimensions), np.float32)
        return unit(self._net.sums(np.stack([reduced(picture) for picture in pictures])))


def unit(sums: npt.NDArray[np.int64]) -> Vectors:
    """Return whole-number vectors divided by their length; a vector of zeros stays one."""
    squares = (sums * sums).sum(axis=1, keepdims=True)  # int64: exact
    lengths = np.sqrt(np.maximum(squares, 1).astype(np.float64))
    vectors: Vectors = (sums.astype(np.float64) / lengths).astype(np.float32)
    return vectors


def load(folder: str) -> JointEncoder:
    """Load the encoder of a folder with ``joint.safetensors`` and ``joint.json``, or the bundled one.

    Args:
        folder: A path, or ``"bundled"``.

    Raises: EncoderError (ME-ENC-01) when a file is missing or not the one its record names.
    """
    return _bundled() if folder == "bundled" else _load(Path(folder))


@lru_cache(maxsize=1)
def _bundled() -> JointEncoder:
    with resources.as_file(resources.files("mosaic_env.index")) as folder:
        return _load(folder)


def _load(folder: Path) -> JointEncoder:
    from safetensors import SafetensorError
    from safetensors.numpy import load as load_arrays

    try:
        data = (folder / WEIGHTS).read_bytes()
        record = strict_loads((folder / RECORD).read_bytes())
        digest = hashlib.sha256(data).hexdigest()
        if record["sha256"] != digest:
            raise _broken(f"{WEIGHTS} is not the file that {RECORD} names")
        return JointEncoder(load_arrays(data), digest)
    except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise _broken(shorten(error)) from None


def _broken(what: str) -> EncoderError:
    return EncoderError(
        "ME-ENC-01",
        f"the joint encoder cannot be loaded: {what}",
        expected=f"a folder with {WEIGHTS} and {RECORD}",
        fix="Install the package again, or train with: python -m mosaic_env.train.joint",
    )
