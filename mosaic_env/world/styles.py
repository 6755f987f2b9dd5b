"""Styles of drawing: the same scene by another hand, on another paper.

A style changes lines, shadows, textures and paper, never what can be asked: colours keep their names, lettering
stays readable and things stay countable. ``scene["style"]`` names one; a scene without it is drawn plainly.
Held-out styles are for entities that nobody trains on, to see what a searcher makes of a hand it never saw.
"""

from __future__ import annotations

from dataclasses import dataclass

from mosaic_env.core.errors import ConfigError, nearest
from mosaic_env.core.seeds import python_random
from mosaic_env.world.drawing.canvas import Hand
from mosaic_env.world.drawing.surface import Surface


@dataclass(frozen=True)
class Style:
    """A way of drawing.

    Args:
        hand: What becomes of every stroke.
        surface: What the drawing is on.
    """

    hand: Hand
    surface: Surface


PLAIN = "plain"
#: Styles of all entities.
STYLES: dict[str, Style] = {
    PLAIN: Style(Hand(), Surface()),
    "ink": Style(
        Hand(outline=1.5, ink=(30, 27, 38), bands=2, shadows="none"),
        Surface(white=(252, 249, 240), black=(8, 6, 10)),
    ),
    "screen print": Style(
        Hand(bands=3, shadows="hard"),
        Surface(white=(255, 253, 247), black=(10, 8, 18)),
    ),
    "pastel": Style(
        Hand(bands=3, shadows="none"),
        Surface(white=(255, 251, 243), black=(12, 10, 12), grain="chalk", strength=24),
    ),
    "aged print": Style(
        Hand(bands=5),
        Surface(white=(250, 242, 224), black=(18, 13, 10), grain="dots", strength=14, worn=20),
    ),
}
#: Styles of test entities and distractors only.
HELD_OUT: dict[str, Style] = {
    "cut paper": Style(
        Hand(bands=1, shadows="hard", lift=3.0),
        Surface(white=(252, 250, 246), black=(10, 9, 12), grain="fibres", strength=12),
    ),
    "engraving": Style(
        Hand(outline=1.1, ink=(52, 34, 30), bands=2, shadows="none"),
        Surface(white=(250, 244, 228), black=(22, 14, 12), grain="hatching", strength=52, in_the_dark=True),
    ),
}
#: Share of test entities that are drawn in a held-out style.
_HELD_OUT_SHARE = 0.5
_SPLITS = ("train", "val", "test", "none")


def style(name: str) -> Style:
    """Return a shared or held-out style.

    Raises: ConfigError (ME-CONFIG-02) when there is none of the name.
    """
    found = STYLES.get(name) or HELD_OUT.get(name)
    if found is None:
        names = [*STYLES, *HELD_OUT]
        raise ConfigError(
            "ME-CONFIG-02",
            f"there is no style of drawing called {name!r}",
            expected=f"one of {', '.join(names)}",
            nearest=nearest(name, names),
            fix="Name a style that exists, or leave the style out of the scene",
        )
    return found


def style_of(seed: int, key: str, split: str) -> str:
    """Return the name of the style in which an entity is drawn.

    Args:
        seed: Of the world.
        key: The entity's.
        split: Of the entity: ``train``, ``val``, ``test``, or ``none`` when it is never an answer or on the way to
            one. Half of the test entities and all of ``none`` get a held-out style.

    Raises: ConfigError (ME-CONFIG-02) for another split.
    Determinism: pure.
    """
    if split not in _SPLITS:
        raise ConfigError(
            "ME-CONFIG-02",
            f"there is no split called {split!r}",
            expected=f"one of {', '.join(_SPLITS)}",
            nearest=nearest(split, _SPLITS),
            fix="Ask for the style of an entity with the split it belongs to",
        )
    rng = python_random(seed, "style", key)
    held_out = rng.random() < {"test": _HELD_OUT_SHARE, "none": 1.0}.get(split, 0.0)
    return rng.choice(tuple(HELD_OUT if held_out else STYLES))
