"""A task source of a stranger: one class, one line to register it.

    gym.make("InterLV-L1-v0", tasks="my_tasks:capitals") with this folder on the path.

It asks for the capitals of whatever countries the snapshot knows.
"""

from __future__ import annotations

from collections.abc import Sequence

from mosaic_env.core.errors import TaskError
from mosaic_env.core.types import Gold, Hop, Task
from mosaic_env.tasks.source import SourceContext, register_source

CAPITAL = "P36"


@register_source("capitals")
class Capitals:
    """One question for each triple (country, capital, city)."""

    world = "*"

    def __init__(self, context: SourceContext) -> None:
        kb = context.snapshot.public.kb
        self._pairs = {
            f"capitals/{kb.keys[head]}": (kb.labels[head], kb.labels[tail], kb.keys[tail])
            for head, relation, tail in kb.triples
            if relation == CAPITAL
        }

    def keys(self) -> Sequence[str]:
        """Return the keys, sorted."""
        return sorted(self._pairs)

    def get(self, key: str) -> tuple[Task, Gold]:
        """Return a task and its gold."""
        if key not in self._pairs:
            raise TaskError("ME-TASK-01", f"there is no task {key!r}", expected="one of keys()")
        country, capital, city = self._pairs[key]
        chain = (Hop("", city, "text", f"capital of {country}", "local_text_search"),)
        return Task(key, f"Which city is the capital of {country}?"), Gold(
            key, capital, target=city, chain=chain
        )
