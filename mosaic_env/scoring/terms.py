"""Further reward terms, from what an episode's searches returned and the gold chain.

Evaluator-side only: a chain is gold. Must not: know an environment or an episode.
"""

from __future__ import annotations

from collections.abc import Sequence

from mosaic_env.core.types import Hop


def evidence_recall(ranked: Sequence[Sequence[str]], chain: Sequence[Hop]) -> float:
    """Return the share of the chain's distinct tails that any search returned.

    Args:
        ranked: For each call, the keys it returned.
        chain: The gold hops.
    Returns: A number in [0, 1]; 0.0 for an empty chain.
    """
    tails = {hop.tail for hop in chain}
    if not tails:
        return 0.0
    returned = {key for keys in ranked for key in keys}
    return len(tails & returned) / len(tails)


def hop_progress(seen: Sequence[str], chain: Sequence[Hop]) -> float:
    """Return the length of the longest chain prefix whose tails were seen, over the chain's length.

    A potential: the difference between two steps is a shaping reward that leaves the best policy
    as it is. It never falls while ``seen`` grows.

    Returns: A number in [0, 1]; 0.0 for an empty chain.
    """
    known = frozenset(seen)
    for done, hop in enumerate(chain):
        if hop.tail not in known:
            return done / len(chain)
    return 1.0 if chain else 0.0
