"""The configuration of a generated world."""

from __future__ import annotations

from dataclasses import dataclass

from mosaic_env.core.errors import ConfigError

SMALLEST = 60


@dataclass(frozen=True)
class WorldConfig:
    """What a world is a pure function of.

    Args:
        entities: How many entities, at least 60: below that, relations have too few ends.
        seed: Any integer.

    Raises: ConfigError (ME-CONFIG-02).
    """

    entities: int = 160
    seed: int = 7

    def __post_init__(self) -> None:
        if self.entities < SMALLEST:
            raise ConfigError(
                "ME-CONFIG-02",
                f"a world of {self.entities} entities is too small",
                expected=f"at least {SMALLEST}",
                fix="Ask for more entities",
            )

    @property
    def name(self) -> str:
        """The world's name, another for another size or seed; tasks refer to it."""
        return f"mosaic-{self.entities}-{self.seed}"
