"""A world of founders and what they founded, and task sources over it, each sound but for one planted fault.

Every task asks for the colour of a thing in the picture of whoever founded a named company. The company's own
picture shows another thing. Thirteen things take turns, so a wrong picture seldom answers the question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from mosaic_env.core.errors import TaskError
from mosaic_env.core.seeds import generator, python_random
from mosaic_env.core.types import Gold, Hop, Picture, Task
from mosaic_env.guard.images import canonicalise, encode_png
from mosaic_env.index.build import write_index
from mosaic_env.snapshot.kb import Entity, KnowledgeBase, Relation, StoredPicture, kb_rows
from mosaic_env.snapshot.writer import SnapshotWriter
from mosaic_env.tasks.source import SourceContext, register_source

WORLD = "planted"
PAIRS = 80
#: Groups of entities whose texts differ: sound ones, those that say the answer, those that share a name.
GROUPS = ("sound", "telling", "near")
COLOURS = ("red", "blue", "green", "yellow", "purple", "orange", "black", "white")
THINGS = (
    "flag", "kite", "boat", "hat", "scarf", "tent", "lamp", "drum", "bell", "sail", "chair", "jug", "ball",
)  # fmt: skip
HINTS = ("kindly", "briefly", "calmly", "surely", "gently", "boldly", "neatly", "warmly")
_SYLLABLES = ("ka", "to", "mi", "ru", "sel", "dor", "fen", "gal", "hib", "jun", "lor", "nep", "quil", "vasz")


def _name(*path: str | int) -> str:
    rng = python_random(5, "name", *path)
    return "".join(rng.choice(_SYLLABLES) for _ in range(4)).capitalize()


def _names(group: str, number: int) -> tuple[str, str]:
    """Return what a company and its founder are called; the near ones share a name."""
    firm, person = _name(group, number, "firm"), _name(group, number, "person")
    return firm, f"{person} {firm}" if group == "near" else person


def company(group: str, number: int) -> str:
    return f"Q{2 * (GROUPS.index(group) * PAIRS + number) + 1000}"


def founder(group: str, number: int) -> str:
    return f"Q{2 * (GROUPS.index(group) * PAIRS + number) + 1001}"


def colour(group: str, number: int) -> str:
    return python_random(5, "colour", group, number).choice(COLOURS)


def picture_of(key: str) -> bytes:
    """Return a small PNG of coloured blocks that depends on the key."""
    blocks = generator(5, "picture", key).integers(0, 256, (5, 6, 3))
    return encode_png(np.kron(blocks, np.ones((8, 8, 1), np.int64)).astype(np.uint8))


def _entities() -> list[Entity]:
    found = []
    for group in GROUPS:
        for number in range(PAIRS):
            firm, person = _names(group, number)
            says = f" It is {colour(group, number)}." if group == "telling" else ""
            found += [
                Entity(company(group, number), firm, "a firm", f"The firm {firm} was started by {person}."),
                Entity(founder(group, number), person, "a person", f"{person} is well known.{says}"),
            ]
    return found


def build(out: Path) -> None:
    """Write the world as a snapshot without stored tasks."""
    writer = SnapshotWriter(out, world=WORLD, title="a world with planted faults")
    entities = _entities()
    pictures = []
    for entity in entities:
        found = canonicalise(picture_of(entity.key))
        digest = writer.put_object(found.data, found.media_type)
        reference = Picture(digest, found.media_type, found.width, found.height)
        pictures.append(StoredPicture(entity.key, 0, reference, len(found.data), found.pixel_digest))
    triples = [
        (company(group, n), "P112", founder(group, n)) for group in GROUPS for n in range(PAIRS)
    ]  # fmt: skip
    relations = (Relation("P112", "founded by", "founder of"),)
    counts = {"entities": len(entities), "triples": len(triples), "pictures": len(pictures)}
    entry = writer.write_section("kb", kb_rows(WORLD, entities, relations, triples, pictures), counts=counts)
    write_index(writer, KnowledgeBase(out / entry.files[0]))
    writer.publish()


class Sound:
    """No fault: oracle 100 %, every attacker at chance."""

    world = WORLD
    group = "sound"
    last_tool = "local_text_search_with_image"

    def __init__(self, context: SourceContext) -> None:
        kb = context.snapshot.public.kb
        self._pictures = {stored.entity: stored.picture for stored in kb.stored_pictures}
        self._scenes = {}
        for number in range(PAIRS):
            thing, other = THINGS[number % len(THINGS)], THINGS[(number + 1) % len(THINGS)]
            decoy = python_random(5, "decoy", number).choice(COLOURS)
            shown = {
                founder(self.group, number): (thing, self.colour(number)),
                company(self.group, number): (other, self.decoy(number, decoy)),
            }
            for key, (name, look) in shown.items():
                scene = {"kind": "card", "things": [{"name": name, "colour": look}], "lettering": []}
                self._scenes[self._pictures[key].digest] = scene

    def colour(self, number: int) -> str:
        return colour(self.group, number)

    def decoy(self, number: int, drawn: str) -> str:
        return drawn

    def question(self, number: int, firm: str, person: str, thing: str) -> str:
        return f"Somebody began {firm}. In their picture, which colour is the {thing}?"

    def attached(self, number: int) -> tuple[Picture, ...]:
        return ()

    def query(self, person: str) -> str:
        return person

    def keys(self) -> Sequence[str]:
        return [f"{type(self).__name__.lower()}/{number:02d}" for number in range(PAIRS)]

    def scene(self, digest: str) -> Any:
        return self._scenes.get(digest)

    def get(self, key: str) -> tuple[Task, Gold]:
        number = int(key.partition("/")[2])
        if number >= PAIRS:
            raise TaskError("ME-TASK-01", f"there is no task {key!r}")
        firm, person = _names(self.group, number)
        thing = THINGS[number % len(THINGS)]
        start, target = company(self.group, number), founder(self.group, number)
        chain = (
            Hop("", start, "text", firm, "local_text_search"),
            Hop(start, target, "P112", self.query(person), self.last_tool),
        )
        notes = {"ask": f'{{"type": "colour", "thing": "{thing}", "of": "{target}"}}'}
        question = self.question(number, firm, person, thing)
        task = Task(key, question, WORLD, "interlv-l1", self.attached(number))
        return task, Gold(key, self.colour(number), (), "colour", target, chain, 3, notes)


class Telling(Sound):
    """The target's text says the answer."""

    group = "telling"


class Near(Sound):
    """One search with the whole question finds the target as well, behind the firm that the question names."""

    group = "near"


class Named(Sound):
    """The question names the target: the first result is its picture."""

    def question(self, number: int, firm: str, person: str, thing: str) -> str:
        return f"In the picture of {person}, which colour is the {thing}?"


class Echo(Sound):
    """The first picture shows another thing, in the colour that is asked for."""

    def decoy(self, number: int, drawn: str) -> str:
        return self.colour(number)


class Constant(Sound):
    """Every answer is the same."""

    def colour(self, number: int) -> str:
        return "red"


class Hinted(Sound):
    """A word of the question goes with the answer, but names it not."""

    def question(self, number: int, firm: str, person: str, thing: str) -> str:
        hint = HINTS[COLOURS.index(self.colour(number))]
        return f"Somebody {hint} began {firm}. In their picture, which colour is the {thing}?"


class Quoted(Sound):
    """The question says the answer."""

    def question(self, number: int, firm: str, person: str, thing: str) -> str:
        return (
            f"Somebody began {firm}. In their picture, is the {thing} {self.colour(number)}, or what is it?"
        )


class Shown(Sound):
    """The question comes with the target's picture."""

    last_tool = "local_text_search"

    def attached(self, number: int) -> tuple[Picture, ...]:
        return (self._pictures[founder(self.group, number)],)


class Lost(Sound):
    """The chain's last query finds something else."""

    def query(self, person: str) -> str:
        return "zzz"


class Repeated(Sound):
    """Every question stands there three times, under other keys."""

    def get(self, key: str) -> tuple[Task, Gold]:
        number = int(key.partition("/")[2])
        task, gold = super().get(f"repeated/{number // 3:02d}")
        return replace(task, key=key), replace(gold, key=key)


class Opposite(Sound):
    """The sound tasks after a change of every target's picture; the key stays."""

    def colour(self, number: int) -> str:
        return COLOURS[(COLOURS.index(super().colour(number)) + 1) % len(COLOURS)]

    def keys(self) -> Sequence[str]:
        return [f"sound/{number:02d}" for number in range(PAIRS)]


SOURCES = (Sound, Telling, Near, Named, Echo, Constant, Hinted, Quoted, Shown, Lost, Repeated, Opposite)
for _source in SOURCES:
    register_source(f"planted-{_source.__name__.lower()}")(_source)
