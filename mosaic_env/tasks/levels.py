"""What generated tasks of each level can be."""

from __future__ import annotations

import re

#: The least and most relation hops of a generated task, by level.
HOPS = {"interlv-l1": (1, 2), "interlv-l2": (2, 5)}
#: What is composed when no difficulty is asked for. A Level 1 task of one hop is answered by one search with the
#: whole question and a look at its results, so it has to be asked for.
DEFAULT_HOPS = {"interlv-l1": (2, 2), "interlv-l2": (2, 5)}
#: Keys of generated tasks: level, split, least and most hops, number.
GENERATED_KEY = re.compile(r"(interlv-l[12])/(train|val|test)/(\d)-(\d)/(0|[1-9]\d{0,8})", re.ASCII)
