"""Gymnasium wrappers."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np

from mosaic_env.core.errors import ConfigError
from mosaic_env.guard.images import decode_rgb, resize


class DecodeImages(gym.ObservationWrapper[dict[str, Any], str, dict[str, Any]]):
    """Gives pictures as arrays instead of files.

    Args:
        env: An environment of this package.
        size: (height, width): every picture is fitted inside, in its own proportions, on white; None
            keeps each picture's size.

    The observation's ``images`` becomes a tuple of uint8 arrays of shape (height, width, 3).
    """

    def __init__(self, env: gym.Env[dict[str, Any], str], size: tuple[int, int] | None = None) -> None:
        super().__init__(env)
        if size is not None and (len(size) != 2 or min(size) < 1):
            raise ConfigError(
                "ME-CONFIG-02", f"size={size!r} is not allowed", expected="(height, width), at least 1"
            )
        self._size = size
        spaces = dict(env.observation_space.items())  # type: ignore[attr-defined]
        if size is not None:
            box = gym.spaces.Box(0, 255, (*size, 3), np.uint8)
            self.observation_space = gym.spaces.Dict({**spaces, "images": gym.spaces.Sequence(box)})
        else:
            self.observation_space = gym.spaces.Dict({**spaces, "images": gym.spaces.Sequence(AnyPicture())})

    def observation(self, observation: dict[str, Any]) -> dict[str, Any]:
        """Return the observation with decoded pictures."""
        return {**observation, "images": tuple(self._decode(data) for data in observation["images"])}

    def _decode(self, data: bytes) -> np.ndarray[Any, np.dtype[np.uint8]]:
        pixels = decode_rgb(data)
        if self._size is None:
            return pixels
        height, width = self._size
        scale = min(height / pixels.shape[0], width / pixels.shape[1], 1.0)
        fitted = resize(pixels, max(1, int(max(pixels.shape[:2]) * scale)))[:height, :width]
        canvas = np.full((height, width, 3), 255, np.uint8)
        canvas[: fitted.shape[0], : fitted.shape[1]] = fitted
        return canvas


class AnyPicture(gym.Space[Any]):
    """All uint8 arrays of shape (height, width, 3)."""

    def __init__(self, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(dtype=np.uint8, seed=seed)

    @property
    def is_np_flattenable(self) -> bool:
        """Sizes differ, so there is no fixed flat form."""
        return False

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """Return a small random picture."""
        height, width = self.np_random.integers(1, 9, size=2)
        return self.np_random.integers(0, 256, (int(height), int(width), 3)).astype(np.uint8)

    def contains(self, x: Any) -> bool:
        """Tell whether ``x`` is such an array."""
        return isinstance(x, np.ndarray) and x.dtype == np.uint8 and x.ndim == 3 and x.shape[2] == 3

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AnyPicture)

    def __hash__(self) -> int:
        return hash(AnyPicture)

    def __repr__(self) -> str:
        return "AnyPicture()"
