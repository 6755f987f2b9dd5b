"""The ``kb`` section: entities, relations, triples and which pictures show which entity.

Rows are numbered by sorted entity key; a row number never leaves the process. Everything but the
triples is read into memory and checked when opened, the triples when first asked for, so that no
connection is open across a fork. Must not: know answers, tasks or indices.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from mosaic_env.core.types import Picture
from mosaic_env.snapshot.content import Misfit, digest, json_items, parse_rows, whole
from mosaic_env.snapshot.tables import Rows, Table, TableFile, open_tables

T = TypeVar("T")

KB_TABLES = (
    Table("meta", (("name", "TEXT"), ("value", "TEXT"))),
    Table("entities", (("key", "TEXT"), ("label", "TEXT"), ("description", "TEXT"), ("text", "TEXT"))),
    Table("relations", (("id", "TEXT"), ("label", "TEXT"), ("inverse", "TEXT"), ("aliases", "TEXT"))),
    Table("triples", (("head", "TEXT"), ("relation", "TEXT"), ("tail", "TEXT")), key=3),
    Table(
        "pictures",
        (
            ("entity", "TEXT"),
            ("number", "INTEGER"),
            ("digest", "TEXT"),
            ("size", "INTEGER"),
            ("media_type", "TEXT"),
            ("width", "INTEGER"),
            ("height", "INTEGER"),
            ("pixels", "TEXT"),
        ),
        key=2,
    ),
)


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing of the world.

    Args:
        key: Knowledge-base key (``Q1000001``); agents see it only with ``show_ids``.
        label: Its name.
        description: A short phrase.
        text: Longer prose, or ``""``; search results show it instead of the description.
    """

    key: str
    label: str
    description: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Relation:
    """A kind of edge. Ids are Wikidata property ids (``P57``).

    Args:
        label: Reads from head to tail: "director".
        inverse: Reads from tail to head: "director of"; may be empty.
        aliases: Other names people use.
    """

    id: str
    label: str
    inverse: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredPicture:
    """A picture of an entity as it is stored.

    Args:
        entity: Entity key.
        number: 0 for the main picture.
        picture: Reference to the stored bytes.
        size: Bytes.
        pixels: Digest of the decoded pixels: a decoder that gives others is noticed.
    """

    entity: str
    number: int
    picture: Picture
    size: int
    pixels: str


@dataclass(frozen=True, slots=True)
class Edge:
    """A triple as seen from one end: the relation, the other end's row, and the direction."""

    relation: str
    row: int
    inverse: bool


def kb_rows(
    world: str,
    entities: Iterable[Entity],
    relations: Iterable[Relation],
    triples: Iterable[tuple[str, str, str]],
    pictures: Iterable[StoredPicture],
) -> Mapping[str, Rows]:
    """Return the rows of a ``kb`` section; every iterable is consumed once, in any order."""
    return {
        "meta": [("world", world)],
        "entities": ((e.key, e.label, e.description, e.text) for e in entities),
        "relations": ((r.id, r.label, r.inverse, json.dumps(list(r.aliases))) for r in relations),
        "triples": triples,
        "pictures": (
            (p.entity, p.number, p.picture.digest, p.size, p.picture.media_type, p.picture.width,
             p.picture.height, p.pixels)
            for p in pictures
        ),
    }  # fmt: skip


def _relation(key: str, label: str, inverse: str, aliases: str) -> Relation:
    return Relation(key, label, inverse, json_items(aliases, str, "aliases"))


def _stored_picture(
    entity: str, number: int, name: str, size: int, media_type: str, width: int, height: int, pixels: str
) -> StoredPicture:
    picture = Picture(digest(name), media_type, whole(width, 1), whole(height, 1))
    return StoredPicture(entity, whole(number), picture, whole(size, 1), digest(pixels))


class KnowledgeBase:
    """The opened ``kb`` section, read-only.

    Args:
        path: The SQLite file, already checked against the manifest.

    Raises: CorruptError (ME-CORRUPT-01, ME-CORRUPT-04).
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with open_tables(path, KB_TABLES) as file:
            self.world: str = dict(file.rows(KB_TABLES[0])).get("world", "")
            columns = list(zip(*file.rows(KB_TABLES[1]), strict=True)) or [(), (), (), ()]
            self._relations = self._parsed(file, KB_TABLES[2], _relation)
            pictures = self._parsed(file, KB_TABLES[4], _stored_picture)
        self.keys: tuple[str, ...] = tuple(columns[0])
        self.labels: tuple[str, ...] = tuple(columns[1])
        self.descriptions: tuple[str, ...] = tuple(columns[2])
        self.texts: tuple[str, ...] = tuple(columns[3])
        #: All pictures, by entity key and number.
        self.stored_pictures: tuple[StoredPicture, ...] = tuple(pictures)
        parse_rows(f"the section file {path.name}, table pictures", zip(pictures), self._known_entity)

    @staticmethod
    def _parsed(file: TableFile, table: Table, parse: Callable[..., T]) -> list[T]:
        return parse_rows(file.place(table), file.rows(table), parse)

    def _known_entity(self, stored: StoredPicture) -> None:
        if stored.entity not in self.rows:
            raise Misfit("the picture belongs to an entity that does not exist")

    def __len__(self) -> int:
        return len(self.keys)

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """Row number by entity key."""
        return {key: row for row, key in enumerate(self.keys)}

    def entity(self, row: int) -> Entity:
        """Return the entity of a row."""
        return Entity(self.keys[row], self.labels[row], self.descriptions[row], self.texts[row])

    @cached_property
    def pictures(self) -> Mapping[int, StoredPicture]:
        """The main picture of each row that has one."""
        rows = self.rows
        return {rows[p.entity]: p for p in reversed(self.stored_pictures)}

    @cached_property
    def by_digest(self) -> Mapping[str, StoredPicture]:
        """The first stored picture (by entity and number) with each digest."""
        return {p.picture.digest: p for p in reversed(self.stored_pictures)}

    @cached_property
    def relations(self) -> Mapping[str, Relation]:
        """Relations by id."""
        return {relation.id: relation for relation in self._relations}

    @cached_property
    def triples(self) -> Sequence[tuple[int, str, int]]:
        """All triples as (head row, relation id, tail row), sorted by keys.

        Raises: CorruptError (ME-CORRUPT-01, ME-CORRUPT-04).
        """
        rows = self.rows

        def parse(head: str, relation: str, tail: str) -> tuple[int, str, int]:
            if head not in rows or tail not in rows:
                raise Misfit("an end of the triple is an entity that does not exist")
            return rows[head], relation, rows[tail]

        with open_tables(self._path, KB_TABLES) as file:
            return self._parsed(file, KB_TABLES[3], parse)

    @cached_property
    def edges(self) -> Mapping[int, tuple[Edge, ...]]:
        """The edges of each row: outgoing first, then incoming, each by relation and other row."""
        found: dict[int, list[Edge]] = {}
        for head, relation, tail in self.triples:
            found.setdefault(head, []).append(Edge(relation, tail, False))
            found.setdefault(tail, []).append(Edge(relation, head, True))
        return {
            row: tuple(sorted(edges, key=lambda e: (e.inverse, e.relation, e.row)))
            for row, edges in found.items()
        }
