"""What generated tasks of each level can be."""

from __future__ import annotations

#: The least and most relation hops of a generated task, by level.
HOPS = {"interlv-l1": (1, 2), "interlv-l2": (2, 5)}
