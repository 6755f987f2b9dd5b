"""A snapshot opened for searching: one read-only ``World`` per snapshot and process.

All environments of a process share it. It is keyed by process id, so nothing that was opened before a
fork is used after it. It is made from a ``PublicSnapshot``: it has no way to gold.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from mosaic_env.core.canon import digest, short
from mosaic_env.core.errors import EncoderError, SearchError
from mosaic_env.core.types import Hits, Picture, Search
from mosaic_env.index import descriptor
from mosaic_env.index.arrays import FIELDS, checked_routes, route_arrays, text_arrays, vocabulary
from mosaic_env.index.encoders import BUNDLED, Encoder, check_identity, load_encoder
from mosaic_env.index.images import Images
from mosaic_env.index.ngrams import DESCRIPTION_DIMENSIONS, NAME_DIMENSIONS, Block, NgramEncoder
from mosaic_env.index.phrases import RelationPhrases
from mosaic_env.index.postings import Postings
from mosaic_env.index.textual import TextIndex, TextQuery
from mosaic_env.index.vectors import Searched, VectorIndex, quantise
from mosaic_env.snapshot.kb import KnowledgeBase
from mosaic_env.snapshot.manifest import Manifest
from mosaic_env.snapshot.opened import PublicSnapshot

#: Sections a world is made of; its id is the root over them.
WORLD_SECTIONS = ("kb", "objects", "index", "responses")


def identity(manifest: Manifest, *, whole: bool = False) -> dict[str, str]:
    """Return which world and snapshot this is, under the names that every command and report uses.

    Args:
        whole: With whole ids; otherwise in their short form.
    """
    shown = str if whole else short
    return {
        "world": manifest.world,
        "world id": shown(manifest.root(WORLD_SECTIONS)),
        "snapshot id": shown(manifest.id),
    }


class World:
    """Entities, pictures and search of one snapshot. Read-only; shared by environments and threads.

    Args:
        snapshot: The public part of an opened snapshot.
        encoders: ``{"text": "kind:folder"}`` for routes whose encoder is not bundled; loaded when
            first needed and checked against the manifest.

    Raises: SnapshotError (ME-SNAP-03), CorruptError. Index files are opened, and checked, when a
        search first needs them: a damaged one is then a fault of the environment.
    """

    def __init__(self, snapshot: PublicSnapshot, encoders: Mapping[str, str] | None = None) -> None:
        self.snapshot = snapshot
        self.kb: KnowledgeBase = snapshot.kb
        self.id = snapshot.manifest.root(WORLD_SECTIONS)
        self.name = snapshot.manifest.world
        self.routes: Mapping[str, Any] = checked_routes(snapshot.section("index").detail)
        self._encoder_specs = dict(encoders or {})
        self._encoders: dict[str, Encoder] = {}
        self.images = Images(snapshot)
        self._lock = threading.Lock()

    # --- search -----------------------------------------------------------------------------------

    def search(self, searches: Sequence[Search]) -> list[Hits]:
        """Answer many searches at once; each gets the same bytes as if asked alone.

        Raises: SearchError (ME-INDEX-01), EncoderError (ME-ENC-01, -02, -03).
        Determinism: exact; rows ordered by (score descending, entity key ascending).
        """
        answers: list[Hits | None] = [None] * len(searches)
        waiting: dict[str, list[int]] = {}
        for number, search in enumerate(searches):
            waiting.setdefault(self._route_of(search.route), []).append(number)
        for route, numbers in waiting.items():
            asked = [searches[number] for number in numbers]
            lexical = self.routes[route]["kind"] == "lexical"
            found = self._search_words(asked) if lexical else self._search_vectors(route, asked)
            for number, hits in zip(numbers, found, strict=True):
                answers[number] = hits
        return [hits for hits in answers if hits is not None]

    def has_route(self, route: str) -> bool:
        """Tell whether a route can answer at all (pictures may be absent from a snapshot)."""
        if route == "text":
            return True
        return bool(self.kb.pictures) and (route == "text_to_image" or route in self.routes)

    def _route_of(self, route: str) -> str:
        """Return the route that answers: without a joint encoder, pictures are found by their text."""
        if route == "text_to_image" and route not in self.routes:
            return "text"
        if route not in self.routes:
            raise SearchError(
                "ME-INDEX-01",
                f"this snapshot has no index for {route!r}",
                expected="one of " + ", ".join(sorted(self.routes)),
                fix="Build the snapshot with pictures",
            )
        return route

    def _search_words(self, searches: Sequence[Search]) -> list[Hits]:
        queries = [
            TextQuery(str(search.query), search.k + bool(search.exclude), search.facts, _pictured(search))
            for search in searches
        ]
        return [
            _hits(rows.tolist(), scores.tolist(), search, self.kb, "text")
            for search, (rows, scores) in zip(searches, self.textual.search(queries), strict=True)
        ]

    def _search_vectors(self, route: str, searches: Sequence[Search]) -> list[Hits]:
        index, rows = self._vector_indices[route]
        queries = [self._query_vectors(route, search) for search in searches]
        # A filter may remove any number of rows: then everything is fetched and filtered afterwards.
        filtered = route == "text" and any(map(_pictured, searches))
        k = len(self.kb) if filtered else max(search.k + bool(search.exclude) for search in searches)
        found, scores = index.search(np.stack([vector for vector, _ in queries]), k)
        matched = "text" if route == "text" else "picture"
        answers = []
        for number, (search, (_, fresh)) in enumerate(zip(searches, queries, strict=True)):
            ranked: list[int] = rows[found[number]].tolist()
            if route == "text" and _pictured(search):
                ranked = [row if row in self.kb.pictures else -1 for row in ranked]
            answers.append(_hits(ranked, scores[number].tolist(), search, self.kb, matched, fresh))
        return answers

    def _query_vectors(self, route: str, search: Search) -> tuple[npt.NDArray[np.int8], bytes | None]:
        """Return the query's vector, and its bytes when a replay will need them."""
        if search.vector is not None:
            return np.frombuffer(search.vector, np.int8), search.vector
        record = self.routes[route]
        if isinstance(search.query, Picture):
            stored = self._stored_vector(search.query)
            if stored is not None:
                return stored, None
            if record["kind"] == "windows":
                return descriptor.describe(self.images.pixels(search.query)), None
            floats = self._encoder(route).encode_pictures([self.images.pixels(search.query)])
        else:
            floats = self._encoder(route).encode_texts([search.query])
        vector = quantise(floats[0], record["scale"])
        return vector, None if record["exactness"] == "exact" else vector.tobytes()

    def _stored_vector(self, picture: Picture) -> npt.NDArray[np.int8] | None:
        stored = self.kb.by_digest.get(picture.digest)
        if stored is None or stored.number != 0:
            return None
        row = self.kb.rows[stored.entity]
        if self.kb.pictures[row].picture.digest != picture.digest:  # an overlay shows another one
            return None
        vector = self._image_vectors.get(row)
        if vector is None or self.routes["image"]["kind"] != "windows":
            return vector
        return descriptor.query_vector(vector)  # the stored whole-picture window, as a query

    def _encoder(self, route: str) -> Encoder:
        with self._lock:
            if route not in self._encoders:
                kind = str(self.routes[route]["encoder"].get("kind"))
                spec = self._encoder_specs.get(route, BUNDLED.get(kind))
                if spec is None:
                    raise EncoderError(
                        "ME-ENC-03",
                        f"the route {route!r} needs the vector of a new query and its encoder is not loaded",
                        expected=str(dict(self.routes[route]["encoder"])),
                        fix=f"Pass encoders={{{route!r}: 'kind:folder'}} to gym.make; replays need none",
                    )
                encoder = load_encoder(spec)
                check_identity(encoder, self.routes[route], pictures=route == "image")
                self._encoders[route] = encoder
            return self._encoders[route]

    # --- indices, loaded when first used ------------------------------------------------------------

    @cached_property
    def textual(self) -> TextIndex:
        """The index of text search, loaded when first used.

        Raises: CorruptError.
        """
        arrays = text_arrays(self.snapshot.index_file("text"), len(self.kb))
        pictured = np.zeros(len(self.kb), np.bool_)
        pictured[sorted(self.kb.pictures)] = True
        encoder = NgramEncoder(
            _block(arrays, "names", NAME_DIMENSIONS), _block(arrays, "descriptions", DESCRIPTION_DIMENSIONS)
        )
        fields = {name: _postings(arrays, name) for name in FIELDS}
        phrases = RelationPhrases(self.kb.relations.values())
        return TextIndex(len(self.kb), fields, phrases, encoder, arrays["ngrams.vectors"], pictured)

    @cached_property
    def _vector_indices(self) -> Mapping[str, tuple[Searched, npt.NDArray[np.int64]]]:
        return _LazyRoutes(self)

    @cached_property
    def _image_vectors(self) -> Mapping[int, npt.NDArray[np.int8]]:
        vectors, rows = self.route_arrays("image")
        each = len(vectors) // max(len(rows), 1)
        return {int(row): vectors[n * each] for n, row in enumerate(rows)}

    def route_arrays(self, route: str) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int64]]:
        """Return a route's stored vectors, shape (n, d) int8, and the entity row of each picture.

        Raises: CorruptError.
        """
        role = "text_vectors" if route == "text" else route
        rows = range(len(self.kb)) if route == "text" else sorted(self.kb.pictures)
        arrays = route_arrays(self.snapshot.index_file(role), role, rows, self.routes[route])
        return arrays["vectors"], arrays["rows"].astype(np.int64)


class _LazyRoutes(dict[str, tuple[Searched, npt.NDArray[np.int64]]]):
    """Vector indices by route, each built in memory when first asked for."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self._world = world

    def __missing__(self, route: str) -> tuple[Searched, npt.NDArray[np.int64]]:
        vectors, rows = self._world.route_arrays(route)
        each = len(vectors) // max(len(rows), 1)
        groups = np.repeat(np.arange(len(rows), dtype=np.int32), each) if each > 1 else None
        self[route] = VectorIndex(vectors, groups=groups), rows
        return self[route]


def _block(arrays: Mapping[str, npt.NDArray[Any]], part: str, dimensions: int) -> Block:
    return Block(
        vocabulary(arrays[f"ngrams.{part}.vocabulary"]),
        arrays[f"ngrams.{part}.slots"].astype(np.int64),
        arrays[f"ngrams.{part}.weights"].astype(np.float64),
        dimensions,
    )


def _postings(arrays: Mapping[str, npt.NDArray[Any]], name: str) -> Postings:
    weights = {}
    if name == "facts":
        weights = dict(zip(vocabulary(arrays["facts.words"]), arrays["facts.weights"].tolist(), strict=True))
    return Postings(
        vocabulary=vocabulary(arrays[f"{name}.vocabulary"]),
        offsets=arrays[f"{name}.offsets"],
        rows=arrays[f"{name}.rows"].astype(np.int64),
        impacts=arrays[f"{name}.impacts"].astype(np.float64),
        unseen=int(arrays[f"{name}.unseen"][0]),
        weights=weights,
    )


def _pictured(search: Search) -> bool:
    return search.pictured or search.route == "text_to_image"


def _hits(
    rows: list[int],
    scores: list[int],
    search: Search,
    kb: KnowledgeBase,
    matched: str,
    vector: bytes | None = None,
) -> Hits:
    """Return the first k rows, without the excluded entity and without filtered rows (-1)."""
    excluded = kb.rows.get(search.exclude, -1) if search.exclude else -1
    if excluded >= 0 or -1 in rows:
        kept = [(row, score) for row, score in zip(rows, scores, strict=True) if row not in (excluded, -1)]
        rows, scores = [row for row, _ in kept], [score for _, score in kept]
    return Hits(tuple(rows[: search.k]), tuple(scores[: search.k]), matched, vector)


def query_digest(route: str, query: str | Picture) -> str:
    """Return the key under which an episode keeps the vector of a query."""
    return digest([route, query.digest if isinstance(query, Picture) else query])


_Pairs = tuple[tuple[str, str], ...]
#: By folder, files, process and encoders.
_worlds: dict[tuple[str, _Pairs, int, _Pairs], World] = {}
_worlds_lock = threading.Lock()


def open_world(snapshot: PublicSnapshot, encoders: Mapping[str, str] | None = None) -> World:
    """Return the world of a snapshot, shared within the process.

    A forked child gets a world of its own: indices and caches opened before a fork are never used
    after it. The key holds the digests of the files that are read, not only the id that the manifest
    declares: a folder whose files were replaced is another world.
    """
    key = (
        str(snapshot.objects.root),
        (("", snapshot.id), *snapshot.file_digests(WORLD_SECTIONS)),
        os.getpid(),
        tuple(sorted((encoders or {}).items())),
    )
    with _worlds_lock:
        if key not in _worlds:
            for stale in [k for k in _worlds if k[2] != key[2]]:
                del _worlds[stale]
            _worlds[key] = World(snapshot, encoders)
        return _worlds[key]
