"""A world while it is being made: subjects with facts, in the order their kinds are registered."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from random import Random

from mosaic_env.core.seeds import python_random
from mosaic_env.world.names import Names
from mosaic_env.world.prose import Prose

#: Kinds of which a few are known to everybody: the first made are chosen most.
_RANKED = ("country", "language", "genre")
#: How many times as often as others the best known of a kind are chosen.
_MOST_FAMOUS = 15
_EVER = 9999
#: Some subjects are described in detail, others hardly.
_DETAIL = (20, 40, 55, 75, 100, 140, 180)


@dataclass(eq=False)
class Subject:
    """A thing of the world that still gets its facts.

    What is true of it (``home``, ``by``) is known before any fact is stated: a world states only some of what is
    true, as knowledge graphs do.

    Args:
        kind: Name of its kind.
        nouns: What it may be called, the most general first: ``("person", "woman", "actor")``.
        year: Year of birth, release or foundation.
        until: Last year it is active, or 0.
        culture: Where its name comes from.
        home: The place it belongs to: a person's birthplace, a city's country.
        by: Who made it: a film's director, a record's performer.
        detail: How much of what is true of it is stated, in percent of what is usual.
    """

    kind: str
    label: str
    nouns: tuple[str, ...]
    year: int = 0
    until: int = 0
    woman: bool = False
    culture: str = ""
    home: Subject | None = None
    by: Subject | None = None
    detail: int = 100
    facts: list[tuple[str, Subject]] = field(default_factory=list)

    def tails(self, relation: str) -> list[Subject]:
        """Return the subjects a relation leads to."""
        return [tail for name, tail in self.facts if name == relation]

    @property
    def country(self) -> Subject | None:
        """The country it belongs to, by way of its home and its maker's."""
        if self.kind == "country":
            return self
        nearer = self.home or self.by
        return nearer.country if nearer else None


class Pool:
    """Subjects to choose from, some of them famous: chosen up to fifteen times as often as others.

    Args:
        subjects: Their years do not change from now on.
        weights: How often each stands in the pool.

    Cost: a choice takes two binary searches, however many there are.
    """

    def __init__(self, subjects: Sequence[Subject], weights: Sequence[int]) -> None:
        order = sorted(range(len(subjects)), key=lambda i: subjects[i].year)
        self._entries = [subjects[i] for i in order for _ in range(weights[i])]
        self._years = [subject.year for subject in self._entries]

    def pick(self, rng: Random, low: int = 0, high: int = _EVER) -> Subject | None:
        """Return one whose year is in ``low..high``, or None when there is none."""
        first, last = bisect_left(self._years, low), bisect_right(self._years, high)
        return self._entries[rng.randrange(first, last)] if first < last else None

    def several(self, rng: Random, count: int, low: int = 0, high: int = _EVER) -> list[Subject]:
        """Return up to ``count`` different ones."""
        found: dict[Subject, None] = {}
        for _ in range(count):
            subject = self.pick(rng, low, high)
            if subject is not None:
                found[subject] = None
        return list(found)


class Draft:
    """The subjects of a world by kind.

    Args:
        seed: Every choice is derived from it.
        more: Percent to add to the detail in which every subject is described.
    """

    def __init__(self, seed: int, more: int = 0) -> None:
        self.seed = seed
        self.subjects: dict[str, list[Subject]] = {}
        self.names = Names(python_random(seed, "world", "names"))
        self._more = more
        self._details = python_random(seed, "world", "detail")
        self._pools: dict[tuple[str, str], Pool] = {}
        self._classes: dict[str, Subject] = {}

    def rng(self, *path: str) -> Random:
        """Return a generator of its own for a part of the work."""
        return python_random(self.seed, "world", *path)

    def add(self, subject: Subject) -> Subject:
        """Add a subject and return it."""
        subject.detail = self._details.choice(_DETAIL) + self._more
        self.subjects.setdefault(subject.kind, []).append(subject)
        return subject

    def all(self, kind: str, noun: str = "") -> list[Subject]:
        """Return the subjects of a kind, or those of them that a noun fits. Cost: looks at each."""
        return [subject for subject in self.subjects.get(kind, []) if not noun or noun in subject.nouns]

    def pool(self, kind: str, noun: str = "") -> Pool:
        """Return a pool of a kind whose subjects are all made; the same one at every call."""
        if (kind, noun) not in self._pools:
            subjects = self.all(kind, noun)
            rng = self.rng("pool", kind, noun)
            self._pools[kind, noun] = Pool(subjects, [_fame(rng, s, i) for i, s in enumerate(subjects)])
        return self._pools[kind, noun]

    def forget_pools(self) -> None:
        """Make pools anew when next asked for: nouns or years have changed."""
        self._pools.clear()

    def groups(self, kind: str, of: Callable[[Subject], Hashable]) -> list[list[Subject]]:
        """Return the subjects of a kind in groups with the same ``of``, each ordered by year."""
        found: dict[Hashable, list[Subject]] = {}
        for subject in self.all(kind):
            found.setdefault(of(subject), []).append(subject)
        return [sorted(group, key=lambda s: s.year) for group in found.values()]

    @staticmethod
    def fact(head: Subject, relation: str, tail: Subject | None) -> None:
        """State a fact once; a subject is never related to itself, nor to nothing."""
        if tail is not None and head is not tail and (relation, tail) not in head.facts:
            head.facts.append((relation, tail))

    def perhaps(self, rng: Random, percent: int, head: Subject, relation: str, tail: Subject | None) -> None:
        """State a fact in so many percent of all cases: more often of what is described in detail."""
        if rng.randrange(10_000) < percent * head.detail:
            self.fact(head, relation, tail)

    def both(self, first: Subject, relation: str, second: Subject) -> None:
        """State a fact in both directions (twin towns, spouses)."""
        self.fact(first, relation, second)
        self.fact(second, relation, first)

    def follow(self, before: Subject, after: Subject) -> None:
        """State that one work follows another, and the other way round."""
        self.fact(after, "P155", before)
        self.fact(before, "P156", after)

    def classify(self, rng: Random, percent: int, subject: Subject, relation: str = "P31") -> None:
        """State in so many percent what a subject is an instance of, where that class is in the world."""
        if not self._classes:
            self._classes = {c.label: c for c in self.all("class")}
        self.perhaps(rng, percent, subject, relation, self._classes.get(subject.nouns[-1]))


def _fame(rng: Random, subject: Subject, place: int) -> int:
    """Return how often a subject stands in its pool: a share of one in ``n`` is as famous as ``n``."""
    if subject.kind in _RANKED:
        return max(1, 120 // (place + 2))
    return min(_MOST_FAMOUS, 1000 // rng.randint(1, 1000))


@dataclass(frozen=True)
class Kind:
    """A kind of entity.

    Args:
        name: Its name.
        share: How many of a thousand entities are of it.
        picture: Kind of its pictures, or ``""``.
        make: Adds that many subjects to a draft; kinds registered before are there already.
        relate: States facts, when the subjects of every kind are there.
        prose: Its sentences.
        least, most: Bounds to their number, whatever the size of the world.
    """

    name: str
    share: int
    picture: str
    make: Callable[[Draft, int], None]
    relate: Callable[[Draft], None]
    prose: Prose
    least: int = 2
    most: int = 1_000_000
