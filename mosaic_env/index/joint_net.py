"""The picture half of the joint encoder: a small convolutional network in exact integers.

Activations are integers 0 to 255, weights -127 to 127. A layer is a matrix product whose partial sums stay below
2**24 (float32) or 2**53 (float64), so that floating-point hardware adds them exactly, in any order; then each
channel is multiplied by an integer, a bias is added, and the sum is shifted right, rounding down. Every step has
one right answer: it does not depend on threads, batch, BLAS or processor.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

Rgb = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.floating[Any]]
#: Side of the square a picture is reduced to.
SIDE = 96
#: Largest activation.
TOP = 255
_FLOAT32_EXACT = 2**24


@dataclass(frozen=True)
class Layer:
    """A convolution with requantisation.

    Args:
        weight: shape (kernel * kernel * channels in, channels out), in the type its sums are exact in.
        multiplier, bias: shape (channels out,), integers as float64.
        shift: Sums are divided by 2**shift.
    """

    weight: Floats
    multiplier: npt.NDArray[np.float64]
    bias: npt.NDArray[np.float64]
    kernel: int
    stride: int
    padding: int
    shift: int

    def __call__(self, maps: Floats) -> Floats:
        """Return activations of shape (n, height, width, channels) from those of the layer before."""
        edge = self.padding
        padded = np.pad(maps, ((0, 0), (edge, edge), (edge, edge), (0, 0)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, (self.kernel, self.kernel), (1, 2))
        windows = windows[:, :: self.stride, :: self.stride].transpose(0, 1, 2, 4, 5, 3)
        count, height, width = windows.shape[:3]
        sums = windows.reshape(count * height * width, -1).astype(self.weight.dtype, copy=False) @ self.weight
        scaled = np.floor((sums.astype(np.float64) * self.multiplier + self.bias) * 2.0**-self.shift)
        return np.clip(scaled, 0, TOP).astype(np.float32).reshape(count, height, width, -1)


class IntegerNet:
    """The network, from the arrays of its file.

    Args:
        arrays: For each layer ``n``: ``net.n.weight`` int8 (kernel, kernel, in, out), ``net.n.multiplier`` int32,
            ``net.n.bias`` int64, ``net.n.steps`` int32 (stride, padding, shift). ``head.weight`` int8 (features, out),
            ``head.bias`` int64.
    """

    def __init__(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        count = sum(name.startswith("net.") and name.endswith(".weight") for name in arrays)
        self.layers = [_layer(arrays, number) for number in range(count)]
        self.head = exact(arrays["head.weight"])
        self.bias = arrays["head.bias"].astype(np.int64)

    def sums(self, pictures: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
        """Return the vectors before they are brought to one length.

        Args:
            pictures: shape (n, 96, 96, 3).

        Returns: shape (n, dimensions).
        """
        maps: Floats = pictures.astype(np.float32)
        for layer in self.layers:
            maps = layer(maps)
        flat = maps.reshape(len(maps), -1).astype(self.head.dtype, copy=False)
        return (flat @ self.head).astype(np.int64) + self.bias


def _layer(arrays: Mapping[str, npt.NDArray[Any]], number: int) -> Layer:
    weight = arrays[f"net.{number}.weight"]
    stride, padding, shift = (int(value) for value in arrays[f"net.{number}.steps"])
    return Layer(
        exact(weight.reshape(-1, weight.shape[-1])),
        arrays[f"net.{number}.multiplier"].astype(np.float64),
        arrays[f"net.{number}.bias"].astype(np.float64),
        int(weight.shape[0]), stride, padding, shift,
    )  # fmt: skip


def exact(weight: npt.NDArray[np.int8]) -> Floats:
    """Return weights (inputs, outputs) in float32 when no sum of products can reach 2**24, or in float64."""
    largest = int(np.abs(weight.astype(np.int64)).sum(axis=0).max()) * TOP
    return weight.astype(np.float32 if largest < _FLOAT32_EXACT else np.float64)


def reduced(rgb: Rgb) -> npt.NDArray[np.uint8]:
    """Return a picture as 96 x 96 means of equal areas, rounded down.

    Args:
        rgb: uint8, shape (height, width, 3), at least one pixel.

    Determinism: exact; all sums are integers below 2**53.
    Cost: linear in the pixels, about 1 ms for 320 x 240.
    """
    height, width = rgb.shape[:2]
    lines = _shares(height) @ rgb.reshape(height, width * 3).astype(np.float64)
    columns = lines.reshape(SIDE, width, 3).transpose(0, 2, 1) @ _shares(width).T
    means: Rgb = (columns.transpose(0, 2, 1).astype(np.int64) // (height * width)).astype(np.uint8)
    return means


@lru_cache(maxsize=64)
def _shares(length: int) -> npt.NDArray[np.float64]:
    """Return how much of each pixel of a side belongs to each of 96 equal parts, in 96ths of a pixel."""
    part, pixel = np.arange(SIDE)[:, None], np.arange(length)[None, :]
    low = np.maximum(part * length, pixel * SIDE)
    high = np.minimum((part + 1) * length, (pixel + 1) * SIDE)
    shares: npt.NDArray[np.float64] = np.maximum(high - low, 0).astype(np.float64)
    return shares
