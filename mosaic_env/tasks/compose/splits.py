"""Which split an entity and a wording belong to: by hash alone, the same in every world and forever.

A task of a split asks about entities of that split only, all along its gold path, in wordings of that split.
Texts, distractors and what a question merely mentions are shared. In val and test that is also the entity whose
name a question starts from: neither target nor bridge. A small split has hardly a walk that stays inside it from
end to end, and would ask about the same few pictures again and again. In train the start is of train too: training
touches nothing that is held out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache

SPLITS = ("train", "val", "test")
#: Upper ends of the shares in hundredths; the rest belongs to no split and is never asked about.
_ENDS = (("train", 60), ("val", 75), ("test", 90))
#: A list of fewer wordings than this is shared: a split without words could not ask.
_LEAST = 3
#: Of the wordings of a list, so many in a hundred go to val and to test each, at least one.
_HELD = 22


@cache
def split_of(key: str) -> str:
    """Return the split of an entity: ``train``, ``val``, ``test`` (about 60, 15, 15 percent) or ``none``."""
    share = int.from_bytes(hashlib.sha256(f"split {key}".encode()).digest()[:4], "big") * 100 >> 32
    return next((name for name, end in _ENDS if share < end), "none")


def wordings(options: Sequence[str], split: str) -> Sequence[str]:
    """Return the wordings of a list that a split may use; disjoint between splits for three or more.

    They are ranked by hash of their own text, so that every split gets its share of every list.
    """
    return _parted(tuple(options))[split]


@cache
def _parted(options: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    if len(options) < _LEAST:
        return dict.fromkeys(SPLITS, options)
    ranked = sorted(options, key=lambda text: hashlib.sha256(f"wording {text}".encode()).digest())
    held = max(1, len(ranked) * _HELD // 100)
    parts = {
        "val": ranked[:held],
        "test": ranked[held : 2 * held],
        "train": ranked[2 * held :],
    }
    return {name: tuple(sorted(part, key=options.index)) for name, part in parts.items()}
