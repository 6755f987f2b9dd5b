"""The configuration of a generated world."""

from __future__ import annotations

from dataclasses import dataclass

from mosaic_env.core.errors import ConfigError, nearest, shorten

SMALLEST, LARGEST = 60, 200_000
#: ``rich``: prose that states every fact. ``paper``: a label and a few words, as the official knowledge base has.
TEXTS = ("rich", "paper")


@dataclass(frozen=True)
class WorldConfig:
    """What a world is a pure function of.

    Args:
        entities: How many entities, 60 to 200,000: below, relations have too few ends; above, nobody has tried.
        seed: Any integer.
        text: ``rich`` or ``paper``; nothing else of the world changes with it.

    Raises: ConfigError (ME-CONFIG-02).
    """

    entities: int = 160
    seed: int = 7
    text: str = "rich"

    def __post_init__(self) -> None:
        for name, value in (("entities", self.entities), ("seed", self.seed)):
            if type(value) is not int:  # True or 60.0 would be another world under the same numbers
                raise ConfigError(
                    "ME-CONFIG-02",
                    f"{name}={shorten(value)} is not a whole number",
                    expected="an int",
                    fix=f"Write for example {name}={getattr(WorldConfig, name)}",
                )
        if not SMALLEST <= self.entities <= LARGEST:
            small = self.entities < SMALLEST
            raise ConfigError(
                "ME-CONFIG-02",
                f"a world of {self.entities} entities is too {'small' if small else 'large'}",
                expected=f"{SMALLEST} to {LARGEST}",
                fix=f"Ask for {'more' if small else 'fewer'} entities",
            )
        if self.text not in TEXTS:
            raise ConfigError(
                "ME-CONFIG-02",
                f"a world has no texts of the kind {shorten(self.text)}",
                expected=" or ".join(TEXTS),
                nearest=nearest(self.text, TEXTS),
                fix="Choose one of them",
            )

    @property
    def name(self) -> str:
        """The world's name, another for another size, seed or text; tasks refer to it."""
        return f"mosaic-{self.entities}-{self.seed}{'' if self.text == 'rich' else f'-{self.text}'}"
