"""From a configuration to a world: entities, triples, scenes. Nothing is drawn or written here."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from random import Random
from typing import Any

from mosaic_env.core.canon import canonical_bytes
from mosaic_env.core.seeds import python_random
from mosaic_env.snapshot.kb import Entity, Relation
from mosaic_env.tasks.compose.splits import split_of
from mosaic_env.world.config import WorldConfig
from mosaic_env.world.doubles import add_doubles
from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.flaws import flaw_of
from mosaic_env.world.kinds import KINDS
from mosaic_env.world.pictures import PICTURES
from mosaic_env.world.prose import describe, listed, narrate
from mosaic_env.world.scene import About, Scene
from mosaic_env.world.styles import style_of

#: Share of all entities that have a picture; kinds without pictures count among the others.
PICTURED = 0.85
#: Harmless quantities.
_NUMBERS = tuple(number for number in range(13, 97) if number % 5)
#: Worlds below this size are described in more detail: few entities with few facts leave nothing to ask.
_SMALL, _MORE_DETAIL = 1000, 60
#: Pictured entities in a thousand whose picture was sampled for an entity of another kind.
MISLABELLED = 20


@dataclass(frozen=True)
class WorldData:
    """A world, complete but not drawn.

    Args:
        entities: Sorted by key.
        relations: The ones that triples use, by id.
        triples: (head, relation, tail), sorted.
        scenes: What the picture of each pictured entity shows, by key.
        nouns: What each entity may be called, by key, the most general first.
        years: Year of birth, release or foundation, by key.
        alike: Near-duplicates made on purpose, as pairs of keys.
    """

    config: WorldConfig
    entities: tuple[Entity, ...]
    relations: tuple[Relation, ...]
    triples: tuple[tuple[str, str, str], ...]
    scenes: Mapping[str, Scene]
    nouns: Mapping[str, tuple[str, ...]]
    years: Mapping[str, int]
    alike: tuple[tuple[str, str], ...] = ()


def make_world(config: WorldConfig) -> WorldData:
    """Make a world.

    Determinism: pure; the same configuration gives equal data in every process.
    Cost: about 0.2 ms and 4 kB an entity.
    """
    draft = Draft(config.seed, _MORE_DETAIL if config.entities < _SMALL else 0)
    for kind, count in _counts(config.entities):
        kind.make(draft, count)
    alike = add_doubles(draft, config.entities)
    for kind in KINDS:
        kind.relate(draft)
    subjects = {kind.name: draft.all(kind.name) for kind in KINDS}
    everybody = [subject for group in subjects.values() for subject in group]
    keys = _keys(config, everybody)
    relations = _relations({relation for subject in everybody for relation, _ in subject.facts})
    entities = (_entity(config, kind, s, keys[s], relations) for kind in KINDS for s in subjects[kind.name])
    return WorldData(
        config=config,
        entities=tuple(sorted(entities, key=lambda entity: entity.key)),
        relations=tuple(relations.values()),
        triples=tuple(sorted((keys[s], rid, keys[tail]) for s in everybody for rid, tail in s.facts)),
        scenes=_scenes(config, subjects, keys),
        nouns={keys[s]: s.nouns for s in everybody},
        years={keys[s]: s.year for s in everybody},
        alike=tuple(sorted((keys[first], keys[second]) for first, second in alike)),
    )


def _counts(entities: int) -> list[tuple[Kind, int]]:
    """Share out the entities among the kinds: largest remainders within their bounds; people take the rest."""
    total = sum(kind.share for kind in KINDS)
    exact = {kind.name: divmod(entities * kind.share, total) for kind in KINDS}
    counts = {kind.name: min(max(kind.least, exact[kind.name][0]), kind.most) for kind in KINDS}
    missing = entities - sum(counts.values())
    for kind in sorted(KINDS, key=lambda kind: (-exact[kind.name][1], kind.name)):
        if missing > 0 and counts[kind.name] < kind.most:
            counts[kind.name] += 1
            missing -= 1
    if missing > 0:
        missing -= _spread(counts, entities)
    counts["person"] += missing
    return [(kind, counts[kind.name]) for kind in KINDS]


def _spread(counts: dict[str, int], entities: int) -> int:
    """Share out what bounded kinds leave in a large world; return how much that was."""
    before = sum(counts.values())
    free = [kind for kind in KINDS if counts[kind.name] < kind.most and kind.share >= 10]
    total = sum(kind.share for kind in free)
    for kind in free:
        counts[kind.name] += (entities - before) * kind.share // total
    return sum(counts.values()) - before


def _keys(config: WorldConfig, subjects: list[Subject]) -> dict[Subject, str]:
    """Give every subject a key by hash of seed and name: its order says nothing about kind or answer."""
    digits = max(6, len(str(config.entities * 100)))
    taken: set[str] = set()
    keys: dict[Subject, str] = {}
    for subject in sorted(subjects, key=lambda s: (s.label, s.nouns, s.year)):
        attempt = 0
        while (key := _key(config.seed, subject, attempt, digits)) in taken:
            attempt += 1
        taken.add(key)
        keys[subject] = key
    return keys


def _key(seed: int, subject: Subject, attempt: int, digits: int) -> str:
    data = canonical_bytes(["mosaic-key", str(seed), subject.label, attempt])
    return f"M{int.from_bytes(hashlib.sha256(data).digest()[:8], 'big') % 10**digits:0{digits}d}"


def _relations(used: Iterable[str]) -> dict[str, Relation]:
    table = json.loads(resources.files("mosaic_env.snapshot").joinpath("properties.json").read_text("utf-8"))
    return {
        rid: Relation(rid, table[rid]["label"], table[rid]["inverse"], tuple(table[rid]["aliases"]))
        for rid in sorted(used)
    }


def _entity(
    config: WorldConfig, kind: Kind, subject: Subject, key: str, relations: Mapping[str, Relation]
) -> Entity:
    rng = python_random(config.seed, "world", "prose", key)
    fields = _fields(rng, subject)
    stated = {rid: relations[rid].label for rid in sorted({rid for rid, _ in subject.facts})}
    for rid in stated:
        fields[rid] = listed([tail.label for tail in subject.tails(rid)])
    description = describe(rng, kind.prose, fields)
    text = narrate(rng, kind.prose, fields, stated) if config.text == "rich" else ""
    return Entity(key, subject.label, description, text)


def _fields(rng: Random, subject: Subject) -> dict[str, str]:
    """Return what templates may say besides facts."""
    people = subject.kind == "person"
    they, their, them = ("she", "her", "her") if subject.woman else ("he", "his", "him")
    if not people:
        they, their, them = "it", "its", "it"
    occupation = subject.nouns[-1]
    return {
        "label": subject.label,
        "noun": subject.nouns[-1],
        "year": str(subject.year),
        # Small and round numbers could be the answer to a question about a picture.
        "until": str(max(subject.until, subject.year + 40)),
        "number": str(rng.choice(_NUMBERS)),
        "occupation": occupation,
        "an_occupation": f"{'an' if occupation[0] in 'aeiou' else 'a'} {occupation}",
        "they": they, "their": their, "them": them, "They": they.capitalize(), "Their": their.capitalize(),
    }  # fmt: skip


def _scenes(
    config: WorldConfig, subjects: Mapping[str, list[Subject]], keys: Mapping[Subject, str]
) -> dict[str, Any]:
    """Sample what the pictures show. Who has one is decided by hash, apart from everything else."""
    able = [(kind, s) for kind in KINDS if kind.picture for s in subjects[kind.name]]
    wanted = min(len(able), round(PICTURED * config.entities))
    order = sorted(able, key=lambda pair: _rank("pictured", config.seed, keys[pair[1]]))[:wanted]
    wrong = _mislabelled(config, order, keys)
    scenes = {}
    for kind, subject in order:
        key = keys[subject]
        shown_kind, shown = wrong.get(key, (kind, subject))
        rng = python_random(config.seed, "world", "scene", key)
        sampled = PICTURES.get(shown_kind.picture).sample(
            rng, About(shown.label, shown.nouns[-1], shown.woman)
        )
        scene = _dressed(config, key, sampled)
        scenes[key] = {**scene, "flaw": "mislabelled"} if key in wrong else scene
    return dict(sorted(scenes.items()))


def _mislabelled(
    config: WorldConfig, order: list[tuple[Kind, Subject]], keys: Mapping[Subject, str]
) -> dict[str, tuple[Kind, Subject]]:
    """Return whose picture some entities carry instead of their own: that of one whose picture is of another kind."""
    chosen = sorted(order, key=lambda pair: _rank("mislabelled", config.seed, keys[pair[1]]))
    chosen = chosen[: len(order) * MISLABELLED // 1000]
    wrong = {}
    for kind, subject in chosen:
        rng = python_random(config.seed, "world", "mislabelled", keys[subject])
        others = [pair for pair in rng.choices(order, k=20) if pair[0].picture != kind.picture]
        if others:
            wrong[keys[subject]] = others[0]
    return wrong


def _rank(what: str, seed: int, key: str) -> bytes:
    return hashlib.sha256(f"{what} {seed} {key}".encode()).digest()


def _dressed(config: WorldConfig, key: str, scene: Scene) -> Scene:
    """Return a scene with the style it is drawn in and, for a few, its flaw; both by hash of the key."""
    flaw = flaw_of(config.seed, key)
    dressed = {**scene, "style": style_of(config.seed, key, split_of(key))}
    return {**dressed, "flaw": flaw} if flaw else dressed
