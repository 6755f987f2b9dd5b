"""What a run plays, as plain data: its digest decides whether a folder can be continued.

Neither the number of workers nor the time limit, nor where snapshot and model are reached, belongs to it:
they change how fast a result comes, not which.

Must not: open or play anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from pydantic import TypeAdapter, ValidationError

from mosaic_env.core.canon import digest
from mosaic_env.core.errors import shorten
from mosaic_env.core.types import Plain


@dataclass(frozen=True)
class Part(Plain):
    """Tasks of one environment, played by one agent.

    Args:
        name: Unique in the suite: the environment's id, and the variant.
        env: Environment id.
        arguments: Of ``gym.make``, without the snapshot.
        agent: ``oracle``, ``interlv``…, or ``module:name``.
        context: How a model's input is made: ``chat``, ``paper``, ``repo``, or ``""`` for the agent's own way.
        variant: ``""`` for what is evaluated, ``direct``, or ``no memory`` and the like for an ablation.
        world: World id.
        config: Digest of the configuration, versions of the tools included.
        tasks: Keys, in the order in which results are reported.
    """

    name: str
    env: str
    arguments: Mapping[str, Any]
    agent: str
    context: str
    variant: str
    world: str
    config: str
    tasks: tuple[str, ...]


@dataclass(frozen=True)
class Suite(Plain):
    """Everything that decides the results of a run.

    Args:
        parts: What is played, in order.
        seed: Of environments and agents.
        model: The model's name, or ``""``.
        settings: What each request to the model asks for: temperature and the like.
        vision: Pictures are sent to the model.
        judge: Name of the judge's model, or ``""`` for rules only.
    """

    parts: tuple[Part, ...]
    seed: int = 0
    model: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    vision: bool = True
    judge: str = ""

    @cached_property
    def digest(self) -> str:
        """The digest of all fields."""
        return digest(self.as_dict())

    @property
    def jobs(self) -> list[tuple[str, str]]:
        """Name of the part and key of the task, for every task in the order of the report."""
        return [(part.name, task) for part in self.parts for task in part.tasks]

    def part(self, name: str) -> Part:
        """Return a part by its name.

        Raises: KeyError.
        """
        return next(part for part in self.parts if part.name == name)


def suite_of(data: Any) -> Suite:
    """Return the suite that ``as_dict`` described.

    Raises: ValueError in one line for anything else: a run folder may come from a stranger.
    """
    try:
        suite = _reader().validate_python(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise ValueError(f"suite.{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    names = [part.name for part in suite.parts]
    if len(set(names)) < len(names):
        raise ValueError("two of its parts have one name")
    if all(part.variant for part in suite.parts):
        raise ValueError("it has no part that is evaluated")
    return suite


@cache
def _reader() -> TypeAdapter[Suite]:
    return TypeAdapter(Suite)


def first_difference(ours: Suite, theirs: Suite) -> str:
    """Return in words where two suites differ first, or ``""``."""
    return next(_differences(ours.as_dict(), theirs.as_dict(), ""), "")


def _differences(ours: Any, theirs: Any, place: str) -> Iterator[str]:
    if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
        for name in dict.fromkeys([*ours, *theirs]):
            yield from _differences(ours.get(name), theirs.get(name), f"{place}.{name}".lstrip("."))
    elif isinstance(ours, (list, tuple)) and isinstance(theirs, (list, tuple)):
        if len(ours) != len(theirs):
            yield f"{place} has {len(ours):,} entries here and {len(theirs):,} in the folder"
        for number, (one, other) in enumerate(zip(ours, theirs, strict=False), start=1):
            yield from _differences(one, other, f"{place}[{number}]")
    elif ours != theirs:
        yield f"{place} is {shorten(ours)} here and {shorten(theirs)} in the folder"
