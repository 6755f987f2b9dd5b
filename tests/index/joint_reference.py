"""The joint encoder again, slowly, in Python's whole numbers alone: what the fast one must equal bit for bit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isqrt
from operator import mul
from typing import Any

import numpy as np

from mosaic_env.index.joint_text import text_rows

#: Side of the square that pictures are reduced to; not read from the code under test.
SIDE = 96
Maps = list[list[list[int]]]


def text_vector(arrays: Mapping[str, np.ndarray[Any, Any]], text: str) -> list[Fraction]:
    table = arrays["text.table"]
    chosen = [table[row].tolist() for row in text_rows(text)]
    return unit([sum(column) for column in zip(*chosen, strict=True)])


def picture_vector(arrays: Mapping[str, np.ndarray[Any, Any]], rgb: np.ndarray[Any, Any]) -> list[Fraction]:
    maps = reduced(rgb)
    number = 0
    while f"net.{number}.weight" in arrays:
        maps = convolved(arrays, number, maps)
        number += 1
    flat = [value for line in maps for cell in line for value in cell]
    weights = arrays["head.weight"].T.tolist()
    bias = arrays["head.bias"].tolist()
    return unit([sum(map(mul, flat, w)) + b for w, b in zip(weights, bias, strict=True)])


def reduced(rgb: np.ndarray[Any, Any]) -> Maps:
    """Return 96 x 96 means of equal areas: every pixel is cut into 96 x 96 parts, which are handed out in turn."""
    height, width = rgb.shape[:2]
    pixels = rgb.tolist()

    def shares(part: int, length: int) -> list[tuple[int, int]]:
        low, high = part * length, (part + 1) * length
        return [
            (p, min(high, SIDE * p + SIDE) - max(low, SIDE * p))
            for p in range(low // SIDE, (high + SIDE - 1) // SIDE)
        ]

    return [
        [
            [
                sum(a * b * pixels[y][x][c] for y, a in shares(i, height) for x, b in shares(j, width))
                // (height * width)
                for c in range(3)
            ]
            for j in range(SIDE)
        ]
        for i in range(SIDE)
    ]


def convolved(arrays: Mapping[str, np.ndarray[Any, Any]], number: int, maps: Maps) -> Maps:
    weight = arrays[f"net.{number}.weight"]
    kernel, channels = weight.shape[0], weight.shape[2]
    columns = weight.reshape(-1, weight.shape[-1]).T.tolist()
    multiplier, bias = (arrays[f"net.{number}.{part}"].tolist() for part in ("multiplier", "bias"))
    stride, edge, shift = arrays[f"net.{number}.steps"].tolist()
    nothing = [0] * channels
    side = len(maps) + 2 * edge
    padded = [[nothing] * side for _ in range(edge)]
    padded += [[nothing] * edge + line + [nothing] * edge for line in maps]
    padded += [[nothing] * side for _ in range(edge)]
    out: Maps = []
    for y in range(0, side - kernel + 1, stride):
        line = []
        for x in range(0, side - kernel + 1, stride):
            window = [v for row in padded[y : y + kernel] for cell in row[x : x + kernel] for v in cell]
            sums = (sum(map(mul, window, column)) for column in columns)
            line.append(
                [
                    min(255, max(0, (s * m + b) >> shift))
                    for s, m, b in zip(sums, multiplier, bias, strict=True)
                ]
            )
        out.append(line)
    return out


def unit(sums: Sequence[int]) -> list[Fraction]:
    """Return sums / |sums| as IEEE arithmetic rounds it: to 53 bits at each step, to 24 bits at the end."""
    squares = rounded(Fraction(max(1, sum(s * s for s in sums))), 53)
    root = root_to_double(squares)
    return [rounded(rounded(rounded(Fraction(value), 53) / root, 53), 24) for value in sums]


def rounded(value: Fraction, bits: int) -> Fraction:
    """Return the nearest number of some bits, half to even."""
    if value == 0:
        return value
    sign, size = (-1 if value < 0 else 1), abs(value)
    exponent = size.numerator.bit_length() - size.denominator.bit_length() - bits
    scaled = size / Fraction(2) ** exponent
    while scaled >= 2**bits:
        exponent, scaled = exponent + 1, scaled / 2
    while scaled < 2 ** (bits - 1):
        exponent, scaled = exponent - 1, scaled * 2
    return sign * round(scaled) * Fraction(2) ** exponent


def root_to_double(value: Fraction) -> Fraction:
    """Return the square root of a whole number, rounded once to 53 bits."""
    whole = isqrt(int(value) << 256)
    # A sticky bit stands for what is cut off, so that the rounding sees which side of a half it is on.
    sticky = int(whole * whole != int(value) << 256)
    return rounded(Fraction(2 * whole + sticky, 2**129), 53)
