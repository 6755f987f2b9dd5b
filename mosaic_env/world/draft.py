"""A world while it is being made: subjects with facts, in the order their kinds are registered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from mosaic_env.core.seeds import python_random
from mosaic_env.world.names import Names
from mosaic_env.world.prose import Prose


@dataclass(eq=False)
class Subject:
    """A thing of the world that still gets its facts.

    Args:
        kind: Name of its kind.
        nouns: What it may be called, the most general first: ``("person", "woman", "actor")``.
        year: Year of birth, release or foundation.
        until: Last year it is active, or 0.
        culture: Where its name comes from.
    """

    kind: str
    label: str
    nouns: tuple[str, ...]
    year: int = 0
    until: int = 0
    woman: bool = False
    culture: str = ""
    facts: list[tuple[str, Subject]] = field(default_factory=list)

    def tails(self, relation: str) -> list[Subject]:
        """Return the subjects a relation leads to."""
        return [tail for name, tail in self.facts if name == relation]

    def tail(self, relation: str) -> Subject:
        """Return the first subject a relation leads to."""
        return self.tails(relation)[0]


class Draft:
    """The subjects of a world by kind.

    Args:
        seed: Every choice is derived from it.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.subjects: dict[str, list[Subject]] = {}
        self.names = Names(python_random(seed, "world", "names"))

    def rng(self, *path: str) -> Random:
        """Return a generator of its own for a part of the work."""
        return python_random(self.seed, "world", *path)

    def add(self, subject: Subject) -> Subject:
        """Add a subject and return it."""
        self.subjects.setdefault(subject.kind, []).append(subject)
        return subject

    def all(self, kind: str, noun: str = "") -> list[Subject]:
        """Return the subjects of a kind, or those of them that a noun fits."""
        return [subject for subject in self.subjects.get(kind, []) if not noun or noun in subject.nouns]

    @staticmethod
    def fact(head: Subject, relation: str, tail: Subject) -> None:
        """State a fact once; a subject is never related to itself."""
        if head is not tail and (relation, tail) not in head.facts:
            head.facts.append((relation, tail))

    def both(self, first: Subject, relation: str, second: Subject) -> None:
        """State a fact in both directions (twin towns, spouses)."""
        self.fact(first, relation, second)
        self.fact(second, relation, first)


@dataclass(frozen=True)
class Kind:
    """A kind of entity.

    Args:
        name: Its name.
        share: How many of 160 entities are of it.
        picture: Kind of its pictures, or ``""``.
        make: Adds that many subjects to a draft; kinds registered before are there already.
        relate: States facts, when the subjects of every kind are there.
        prose: Its sentences.
    """

    name: str
    share: int
    picture: str
    make: Callable[[Draft, int], None]
    relate: Callable[[Draft], None]
    prose: Prose
