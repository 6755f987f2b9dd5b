"""Measures of a made world: degrees, skeletons of sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from mosaic_env.world.generate import WorldData


def degrees(world: WorldData) -> list[int]:
    """Return the degree of each entity in the undirected simple graph, sorted."""
    near: dict[str, set[str]] = {entity.key: set() for entity in world.entities}
    for head, _, tail in world.triples:
        near[head].add(tail)
        near[tail].add(head)
    return sorted(len(ends) for ends in near.values())


def quantile(values: list[int], percent: int) -> int:
    """Return a percentile of sorted values."""
    return values[len(values) * percent // 100]


def skeletons(world: WorldData) -> Counter[str]:
    """Count the sentences of all texts with names, nouns and numbers taken out."""
    labels = {entity.key: entity.label for entity in world.entities}
    named: dict[str, set[str]] = {key: {label, *world.nouns[key]} for key, label in labels.items()}
    for head, _, tail in world.triples:
        named[head].add(labels[tail])
    found: Counter[str] = Counter()
    for entity in world.entities:
        found.update(_skeletons(entity.text, sorted(named[entity.key], key=len, reverse=True)))
    return found


def _skeletons(text: str, names: list[str]) -> Iterator[str]:
    for name in names:
        text = re.sub(rf"\b{re.escape(name)}(?!\w)", "X", text, flags=re.IGNORECASE)
    text = re.sub(r"\d+", "9", re.sub(r"\b(he|she)\b", "it", re.sub(r"\b(an|a) X", "a X", text)))
    text = re.sub(r"X(, X)*( and X)?", "X", text)
    yield from re.split(r"(?<=\.) ", text)
