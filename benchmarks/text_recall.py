"""Recall of text search: on the 5,000 given queries, and on queries made here (which weights were tuned on)."""

from __future__ import annotations

import gzip
import json
import random
from collections import Counter
from collections.abc import Iterator

from benchmarks.data import QUERIES, real_snapshot
from benchmarks.timing import Line, at_least
from mosaic_env.core.types import Search
from mosaic_env.index.world import World, open_world
from mosaic_env.snapshot.opened import Snapshot

BARS = {"label": 0.997, "typo": 0.97, "description": 0.99, "label+description": 0.999, "relation": 0.85}
_MADE = 500
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def lines() -> Iterator[Line]:
    """Yield recall at 5 by kind of query, and print the same for queries made here."""
    world = open_world(Snapshot(real_snapshot()).public)
    with gzip.open(QUERIES, "rt", encoding="utf-8") as stream:
        given = [json.loads(line) for line in stream]
    pairs = [(str(query["kind"]), str(query["query"]), frozenset(query["relevant"])) for query in given]
    for corpus in ("closed", "paper"):
        for kind, value in recall(world, pairs, corpus).items():
            if corpus == "closed" or kind != "relation":
                yield at_least(f"recall at 5, {corpus}, {kind}", value, BARS[kind])
    found = recall(world, made_queries(world), "closed")
    print(
        "     queries made here, closed: " + ", ".join(f"{kind} {value:.3f}" for kind, value in found.items())
    )


def recall(world: World, pairs: list[tuple[str, str, frozenset[str]]], corpus: str) -> dict[str, float]:
    """Return, by kind, the share of queries with a relevant entity among the first five."""
    hits: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    for kind, query, relevant in pairs:
        found = world.search((Search("text", query, 5, facts=corpus == "closed"),))[0]
        totals[kind] += 1
        hits[kind] += bool({world.kb.keys[row] for row in found.rows} & relevant)
    return {kind: hits[kind] / totals[kind] for kind in totals}


def made_queries(world: World) -> list[tuple[str, str, frozenset[str]]]:
    """Make queries of our own: mistyped labels and descriptions, a part of each, facts from both ends."""
    draw, kb = random.Random(5), world.kb  # noqa: S311 - a sample, not a secret
    by_label: dict[str, set[str]] = {}
    for key, label in zip(kb.keys, kb.labels, strict=True):
        by_label.setdefault(label, set()).add(key)
    once = Counter(kb.descriptions)
    pairs = []
    for row in draw.sample(range(len(kb)), 4 * _MADE):
        label, description, key = kb.labels[row], kb.descriptions[row], frozenset([kb.keys[row]])
        if len(label) > 3:
            pairs.append(("mistyped label", mistype(label, draw), frozenset(by_label[label])))
        if len(description) > 15 and once[description] == 1:
            pairs.append(("mistyped description", mistype(description, draw), key))
        pairs.append(("parts", " ".join([*label.split()[:1], *description.split()[:4]]), key))
    for head, relation, tail in draw.sample(list(kb.triples), _MADE):
        tails = frozenset(
            kb.keys[t] for h, r, t in kb.triples if r == relation and kb.labels[h] == kb.labels[head]
        )
        pairs.append(("fact", f"{kb.relations[relation].label} of {kb.labels[head]}", tails))
        if kb.relations[relation].inverse:
            heads = frozenset(kb.keys[h] for h, r, t in kb.triples if r == relation and t == tail)
            pairs.append(("fact, other end", f"{kb.relations[relation].inverse} {kb.labels[tail]}", heads))
    return pairs


def mistype(text: str, draw: random.Random) -> str:
    """Return the text in small letters with one slip for every twelve characters."""
    letters = list(text.lower())
    for _ in range(max(1, len(letters) // 12)):
        place, slip = draw.randrange(len(letters) - 1), draw.randrange(3)
        if slip == 0:
            letters[place], letters[place + 1] = letters[place + 1], letters[place]
        elif slip == 1:
            del letters[place]
        else:
            letters[place] = draw.choice(_LETTERS)
    return "".join(letters)
