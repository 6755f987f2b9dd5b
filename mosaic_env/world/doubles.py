"""Namesakes and near-duplicates, made on purpose: a search has to tell apart what looks the same.

Namesakes are two entities with one label. Near-duplicates are two entities of a kind, a word or a letter apart
in their labels, that agree in year, home and maker; their pictures and their other facts differ.
"""

from __future__ import annotations

from random import Random

from mosaic_env.world.draft import Draft, Subject

#: Pairs per thousand entities: 2.4 % share their label, as 366 of 14,943 do in the official knowledge base.
NAMESAKES, ALIKE = 12, 10
_TITLED = ("film", "album", "song", "series", "painting")
_ALIKE = (
    "person", "film", "city", "album", "film", "song", "person", "building", "band", "company", "painting", "team",
    "landmark", "series",
)  # fmt: skip


def add_doubles(draft: Draft, entities: int) -> list[tuple[Subject, Subject]]:
    """Rename subjects so that there are namesakes and near-duplicates; no subject is in two pairs.

    Args:
        entities: Size of the world.

    Returns: The near-duplicates, in pairs.
    """
    rng = draft.rng("doubles")
    used: set[Subject] = set()
    people = draft.all("person")
    titled = [subject for kind in _TITLED for subject in draft.all(kind)]
    wanted = max(2, entities * NAMESAKES // 1000)
    for number in range(wanted):
        _namesakes(rng, titled if number % 2 else people, used)
    pairs = []
    for number in range(max(2, entities * ALIKE // 1000)):
        pair = _pair(rng, draft.subjects.get(_ALIKE[number % len(_ALIKE)], []), used)
        if pair:
            _make_alike(draft, *pair)
            pairs.append(pair)
    draft.forget_pools()
    return pairs


def _namesakes(rng: Random, group: list[Subject], used: set[Subject]) -> None:
    pair = _pair(rng, group, used)
    if pair:
        pair[1].label = pair[0].label


def _pair(rng: Random, group: list[Subject], used: set[Subject]) -> tuple[Subject, Subject] | None:
    """Return two unused subjects that a noun or the year tells apart, or None after some tries."""
    for _ in range(40 if len(group) > 1 else 0):
        first, second = rng.sample(group, 2)
        told_apart = first.nouns != second.nouns or first.year != second.year
        fits = first.woman == second.woman and "capital city" not in (*first.nouns, *second.nouns)
        if told_apart and fits and not used & {first, second}:
            used |= {first, second}
            return first, second
    return None


def _make_alike(draft: Draft, first: Subject, second: Subject) -> None:
    second.label = draft.names.variant(first.label)
    second.nouns, second.year, second.until = first.nouns, first.year, first.until
    second.woman, second.culture, second.home, second.by = first.woman, first.culture, first.home, first.by
