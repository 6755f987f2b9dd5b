"""Toy task sources for tests of environments."""

from __future__ import annotations

from mosaic_env.core.errors import TaskError
from mosaic_env.core.types import Gold, Task
from mosaic_env.tasks.source import SourceContext, register_source


class _Toy:
    world = "*"
    size = 100

    def __init__(self, context: SourceContext) -> None:
        self._keys = [f"toy/{number}" for number in range(self.size)]

    def keys(self) -> list[str]:
        return self._keys

    def get(self, key: str) -> tuple[Task, Gold]:
        number = key.partition("/")[2]
        if not number.isdecimal() or int(number) >= self.size or key != f"toy/{int(number)}":
            raise TaskError("ME-TASK-01", f"there is no task {key!r}")
        return Task(key, f"What is {number} + {number}?"), Gold(key, str(2 * int(number)), kind="count")


@register_source("toy-hundred")
class Hundred(_Toy):
    """A hundred tasks."""


@register_source("toy-million")
class Million(_Toy):
    """A million tasks."""

    size = 1_000_000
