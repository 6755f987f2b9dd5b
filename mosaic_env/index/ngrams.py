"""Text to integer vectors by hashed character trigrams: no weights to train, the same bytes everywhere.

A vector has two blocks, one for an entity's name and one for its description. Each known trigram
owns one component of a block and a sign, and weighs more the rarer it is; a block is the sum of its
trigrams, brought to one length. An inner product is then the likeness of the query to the name plus
a share of its likeness to the description, and forgives typing errors anywhere in either.

Sums are integers; the one division and square root are correctly rounded.
"""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

#: Components of the two blocks.
NAME_DIMENSIONS, DESCRIPTION_DIMENSIONS = 384, 256
DIMENSIONS = NAME_DIMENSIONS + DESCRIPTION_DIMENSIONS
#: Length of a whole block: the largest component an int8 may hold here, so that nothing is ever cut.
LENGTH = 127
#: What a description counts beside a name, in an entity's vector.
_DESCRIPTION_SHARE = 0.7
#: Weights of trigrams are kept in this many parts of one.
_WEIGHT_STEP = 64

Int8 = npt.NDArray[np.int8]


@dataclass(frozen=True)
class Block:
    """The trigrams of names, or of descriptions.

    Args:
        numbers: Number of each known trigram.
        slots: shape (trigrams,), int64: its component.
        weights: shape (trigrams,), float64 integers: its weight with its sign.
        dimensions: Number of components.
    """

    numbers: Mapping[str, int]
    slots: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]
    dimensions: int

    def encode(self, texts: Sequence[Iterable[str]], length: float = LENGTH) -> npt.NDArray[np.float64]:
        """Return whole numbers, shape (texts, dimensions), each row about ``length`` long, or zeros.

        Args:
            texts: The trigrams of each text.
        """
        known = [
            [number for number in map(self.numbers.get, trigrams) if number is not None] for trigrams in texts
        ]
        picked = np.array([number for numbers in known for number in numbers], np.int64)
        rows = np.repeat(np.arange(len(texts)), [len(numbers) for numbers in known])
        size = len(texts) * self.dimensions
        sums = np.bincount(self.slots[picked] + rows * self.dimensions, self.weights[picked], size)
        sums = sums.reshape(len(texts), self.dimensions)
        squares = np.einsum("ij,ij->i", sums, sums)  # integers below 2**53: exact in any order
        factors = np.divide(length, np.sqrt(squares), out=np.zeros(len(texts)), where=squares > 0)
        encoded: npt.NDArray[np.float64] = np.rint(sums * factors[:, None])
        return encoded


@dataclass(frozen=True)
class NgramEncoder:
    """Encodes queries and entities of one knowledge base.

    Args:
        names, descriptions: The two blocks.
    """

    names: Block
    descriptions: Block

    def encode(self, queries: Sequence[Sequence[str]]) -> Int8:
        """Return the vectors of queries given as trigrams, shape (queries, DIMENSIONS), int8.

        A query without a known trigram gets zeros.
        Determinism: exact, the same alone and in company.
        """
        vectors = np.empty((len(queries), DIMENSIONS), np.int8)
        vectors[:, :NAME_DIMENSIONS] = self.names.encode(queries)
        vectors[:, NAME_DIMENSIONS:] = self.descriptions.encode(queries)
        return vectors

    def encode_entities(self, names: Sequence[Sequence[str]], descriptions: Sequence[Sequence[str]]) -> Int8:
        """Return the vectors of entities from the trigrams of their names and descriptions."""
        vectors = np.empty((len(names), DIMENSIONS), np.int8)
        vectors[:, :NAME_DIMENSIONS] = self.names.encode(names)
        vectors[:, NAME_DIMENSIONS:] = self.descriptions.encode(descriptions, LENGTH * _DESCRIPTION_SHARE)
        return vectors


def build_encoder(names: Sequence[Sequence[str]], descriptions: Sequence[Sequence[str]]) -> NgramEncoder:
    """Return the encoder for names and descriptions given as trigram lists.

    Rarity counts little among names (its fourth root) and more among descriptions (its root): a
    typing error makes rare trigrams, and they should not decide.
    """
    return NgramEncoder(
        _block(names, NAME_DIMENSIONS, lambda rarity: math.sqrt(math.sqrt(rarity))),
        _block(descriptions, DESCRIPTION_DIMENSIONS, math.sqrt),
    )


def _block(documents: Sequence[Sequence[str]], dimensions: int, weigh: Callable[[float], float]) -> Block:
    frequencies = Counter(trigram for document in documents for trigram in sorted(set(document)))
    numbers = {trigram: number for number, trigram in enumerate(sorted(frequencies))}
    slots = np.zeros(len(numbers), np.int64)
    weights = np.zeros(len(numbers), np.float64)
    for trigram, number in numbers.items():
        count = frequencies[trigram]
        rarity = math.log(1 + (len(documents) - count + 0.5) / (count + 0.5))
        hashed = zlib.crc32(trigram.encode("utf-8", "replace"))
        slots[number] = (hashed >> 1) % dimensions
        weights[number] = max(1, round(weigh(rarity) * _WEIGHT_STEP)) * (1 if hashed & 1 else -1)
    return Block(numbers, slots, weights, dimensions)
