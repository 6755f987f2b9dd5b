"""Gymnasium spaces for text in any language and for encoded pictures.

``gymnasium.spaces.Text`` knows ASCII letters and digits by default, and a full-Unicode one takes
seconds to build; these hold any ``str`` and any picture file.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gymnasium as gym
import numpy as np

_SAMPLE_ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,<>/={}\"'\n?äß漢字"
_SAMPLE_LENGTH = 64


class UnicodeText(gym.Space[str]):
    """All strings up to a length.

    Args:
        max_length: Longest string in characters.
        seed: Seed of ``sample``.
    """

    def __init__(self, max_length: int = 2**24, seed: int | np.random.Generator | None = None) -> None:
        self.max_length = int(max_length)
        super().__init__(dtype=str, seed=seed)

    @property
    def is_np_flattenable(self) -> bool:
        """Text has no array form."""
        return False

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """Return a short random string, tags and other scripts among its characters."""
        length = int(self.np_random.integers(0, min(_SAMPLE_LENGTH, self.max_length) + 1))
        picks = self.np_random.integers(0, len(_SAMPLE_ALPHABET), size=length)
        return "".join(_SAMPLE_ALPHABET[int(pick)] for pick in picks)

    def contains(self, x: Any) -> bool:
        """Tell whether ``x`` is a string that is not too long."""
        return isinstance(x, str) and len(x) <= self.max_length

    def __repr__(self) -> str:
        return f"UnicodeText({self.max_length})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UnicodeText) and other.max_length == self.max_length

    def __hash__(self) -> int:
        return hash((UnicodeText, self.max_length))

    def to_jsonable(self, sample_n: Iterable[str]) -> list[str]:
        """Return the strings as a list."""
        return list(sample_n)

    def from_jsonable(self, sample_n: list[Any]) -> list[str]:
        """Return the strings of a list."""
        return [str(item) for item in sample_n]


class EncodedPicture(gym.Space[bytes]):
    """All picture files (PNG, JPEG, WebP) up to a size.

    Args:
        max_bytes: Largest file.
        seed: Seed of ``sample``.
    """

    def __init__(self, max_bytes: int = 64 * 2**20, seed: int | np.random.Generator | None = None) -> None:
        self.max_bytes = int(max_bytes)
        super().__init__(dtype=bytes, seed=seed)

    @property
    def is_np_flattenable(self) -> bool:
        """Files have no fixed array form; ``wrappers.DecodeImages`` gives arrays."""
        return False

    def sample(self, mask: Any = None, probability: Any = None) -> bytes:
        """Return a tiny random PNG."""
        from mosaic_env.guard.images import encode_png

        return encode_png(self.np_random.integers(0, 256, size=(2, 2, 3), dtype=np.uint8))

    def contains(self, x: Any) -> bool:
        """Tell whether ``x`` is bytes that start like a picture file."""
        starts = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF")
        return isinstance(x, bytes) and 0 < len(x) <= self.max_bytes and x.startswith(starts)

    def __repr__(self) -> str:
        return f"EncodedPicture({self.max_bytes})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EncodedPicture) and other.max_bytes == self.max_bytes

    def __hash__(self) -> int:
        return hash((EncodedPicture, self.max_bytes))

    def to_jsonable(self, sample_n: Iterable[bytes]) -> list[str]:
        """Return the files as base64 text."""
        import base64

        return [base64.b64encode(item).decode("ascii") for item in sample_n]

    def from_jsonable(self, sample_n: list[Any]) -> list[bytes]:
        """Return the files from base64 text."""
        import base64

        return [base64.b64decode(item) for item in sample_n]


#: What the numbers of ``observation["budget"]`` mean; -1 is no limit.
BUDGET_FIELDS = ("interactions_left", "calls_per_interaction", "pictures_left")


def observation_space() -> gym.spaces.Dict:
    """Return the observation space: text, pictures as files, their handles, the budget."""
    return gym.spaces.Dict(
        {
            "text": UnicodeText(),
            "images": gym.spaces.Sequence(EncodedPicture()),
            "image_ids": gym.spaces.Sequence(UnicodeText(256)),
            "budget": gym.spaces.Box(-1, 2**31 - 1, (len(BUDGET_FIELDS),), np.int64),
        }
    )


def action_space() -> UnicodeText:
    """Return the action space: the model's raw text."""
    return UnicodeText()
