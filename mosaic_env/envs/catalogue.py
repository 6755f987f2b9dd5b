"""The environment ids. Registering them imports nothing heavy: entry points are dotted names.

Each id is pinned to the world id of the bundled snapshot it plays. Ids are *moving* until all
bundled sections exist; after that, another pin means another version and a line in the CHANGELOG.
"""

from __future__ import annotations

from dataclasses import dataclass

import gymnasium as gym


@dataclass(frozen=True)
class CatalogueEntry:
    """An environment id.

    Args:
        id: Gymnasium id.
        family: Rules and budgets.
        what: One line for people.
        world: World id of the bundled snapshot, checked by a test.
        moving: The pin may still change without a new version.
    """

    id: str
    family: str
    what: str
    world: str = ""
    moving: bool = True


#: World id of the bundled snapshot as these environments open it.
_BUNDLED = "sha256:9fad462ca4990b44a3879de72e1cac01c872ebdb297894a2f933a3a7160ca065"

CATALOGUE = (
    CatalogueEntry(
        "InterLV-L1-v0", "interlv-l1", "Level 1: find an entity by words, answer from its picture", _BUNDLED
    ),
    CatalogueEntry(
        "InterLV-L2-v0", "interlv-l2", "Level 2: hop between words and pictures, answer from the last one",
        _BUNDLED,
    ),
)  # fmt: skip


def register_all() -> None:
    """Register every id with Gymnasium; doing it twice changes nothing."""
    for entry in CATALOGUE:
        if entry.id not in gym.registry:
            gym.register(
                entry.id,
                entry_point="mosaic_env.envs.core:SearchEnv",
                vector_entry_point="mosaic_env.envs.vector:SearchVectorEnv",
                kwargs={"family": entry.family},
            )
