"""A world in which some pictures are others: what changed lies over the original, everything else is shared.

Searches are those of a world that was built with the new pictures: their vectors take the place of the old
ones, exactly. A changed world costs its pictures; vectors are made when a search first needs them.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from mosaic_env.core.canon import digest, digest_bytes
from mosaic_env.core.errors import ConfigError
from mosaic_env.core.types import Picture
from mosaic_env.guard.images import CanonicalPicture
from mosaic_env.index import descriptor
from mosaic_env.index.textual import TextIndex
from mosaic_env.index.vectors import Int8Array, Int64Array, Searched, quantise
from mosaic_env.index.world import World
from mosaic_env.snapshot.kb import Edge, KnowledgeBase, StoredPicture

Rows = npt.NDArray[np.int64]


class OverlaidKnowledge(KnowledgeBase):
    """A knowledge base in which the main pictures of some entities are others; the rest is shared.

    Args:
        base: The original.
        changed: The new pictures, each of an entity that has one.

    ``by_digest`` still knows the pictures that no entity shows any more.
    """

    def __init__(self, base: KnowledgeBase, changed: Sequence[StoredPicture]) -> None:
        self.__dict__.update(base.__dict__)
        self._base = base
        new = {base.rows[stored.entity]: stored for stored in changed}
        old = {id(base.pictures[row]): stored for row, stored in new.items()}
        self.stored_pictures = tuple(old.get(id(stored), stored) for stored in base.stored_pictures)
        self.pictures = ChainMap(new, base.pictures)  # type: ignore[arg-type]  # only read
        by_digest = {stored.picture.digest: stored for stored in changed}
        self.by_digest = ChainMap(by_digest, base.by_digest)  # type: ignore[arg-type]

    @cached_property
    def triples(self) -> Sequence[tuple[int, str, int]]:
        """All triples, read once for all overlays."""
        return self._base.triples

    @cached_property
    def edges(self) -> Mapping[int, tuple[Edge, ...]]:
        """The edges of each row, made once for all overlays."""
        return self._base.edges


class OverlaidIndex:
    """An index in which the vectors of some things are others.

    Args:
        base: The index of the original.
        places: What changed: places in ``base``, ascending, shape (c,).
        vectors: Their new vectors, int8, shape (c, windows, d): a thing's score is that of its best vector.
    """

    def __init__(self, base: Searched, places: Rows, vectors: Int8Array) -> None:
        self._base, self._places, self._vectors = base, places, vectors.astype(np.int64)

    def __len__(self) -> int:
        """Return how many things can be found."""
        return len(self._base)

    def search(self, queries: Int8Array, k: int) -> tuple[Int64Array, Int64Array]:
        """Return the best places for each query and their scores, as ``VectorIndex.search`` does.

        Determinism: exact; the same as an index that was built with the new vectors.
        Cost: a search for as many more as have changed.
        """
        places, scores = self._base.search(queries, k + len(self._places))
        k = min(k, len(self))
        new = np.einsum("cwd,qd->qcw", self._vectors, queries.astype(np.int64)).max(axis=2)
        found, best = np.empty((2, len(queries), k), np.int64)
        for number, (there, had) in enumerate(zip(places, scores, strict=True)):
            kept = ~np.isin(there, self._places)
            every = np.concatenate([there[kept], self._places])
            totals = np.concatenate([had[kept], new[number]])
            order = np.lexsort((every, -totals))[:k]
            found[number], best[number] = every[order], totals[order]
        return found, best


class OverlayWorld(World):
    """A world with other main pictures of some entities. Read-only, like ``World``.

    Args:
        base: The original; nothing of it is changed. It may be an overlay itself.
        changed: The new picture of each entity, by key; each must have a picture already.

    Raises: ConfigError (ME-CONFIG-02) for an entity that has no picture.
    Determinism: ``id`` is a function of the original's id and of the pictures.
    Cost: below a millisecond; the first search of a picture route describes the new pictures.
    """

    def __init__(self, base: World, changed: Mapping[str, CanonicalPicture]) -> None:
        pictured = {key for key in changed if base.kb.rows.get(key, -1) in base.kb.pictures}
        if strange := sorted(changed.keys() - pictured):
            raise ConfigError(
                "ME-CONFIG-02", f"{strange[0]!r} has no picture that another one could stand for",
                expected="keys of pictured entities of this world",
            )  # fmt: skip
        stored = [_stored(key, changed[key]) for key in sorted(changed)]
        self._base, self._changed = base, tuple(stored)
        self.snapshot, self.name, self.routes = base.snapshot, base.name, base.routes
        self._encoder_specs, self._encoders, self._lock = base._encoder_specs, base._encoders, base._lock
        self.kb = OverlaidKnowledge(base.kb, stored)
        self.images = base.images.with_pictures(
            self.kb, {new.picture.digest: changed[new.entity].data for new in stored}
        )
        self.id = digest([base.id, [[new.entity, new.picture.digest] for new in stored]])

    @property
    def changed(self) -> tuple[StoredPicture, ...]:
        """The new pictures, by entity key."""
        return self._changed

    @cached_property
    def textual(self) -> TextIndex:
        """The index of text search: the original's."""
        return self._base.textual

    @cached_property
    def _vector_indices(self) -> Mapping[str, tuple[Searched, Rows]]:
        return _OverlaidRoutes(self)

    @cached_property
    def _image_vectors(self) -> Mapping[int, Int8Array]:
        new = dict(zip(self._rows().tolist(), self.new_vectors("image")[:, 0], strict=True))
        return ChainMap(new, self._base._image_vectors)  # type: ignore[arg-type]  # only read

    def route_arrays(self, route: str) -> tuple[Int8Array, Rows]:
        """Return a route's vectors and the entity row of each picture: a copy with the new ones in it."""
        vectors, rows = self._base.route_arrays(route)
        if route == "text":
            return vectors, rows
        each = self.new_vectors(route)
        replaced = vectors.copy().reshape(len(rows), -1, vectors.shape[1])
        replaced[np.searchsorted(rows, self._rows())] = each
        return replaced.reshape(vectors.shape), rows

    def new_vectors(self, route: str) -> Int8Array:
        """Return the vectors of the new pictures on a route of pictures, shape (pictures, windows, d).

        Raises: EncoderError (ME-ENC-01, -02, -03) when the route's encoder is needed and is not there.
        """
        pixels = [self.images.pixels(stored.picture) for stored in self._changed]
        record = self.routes[route]
        if record["kind"] == "windows":
            return np.stack([descriptor.describe_windows(one) for one in pixels])
        encoder = self._encoder(route)  # one at a time, as when an index is built
        floats = [encoder.encode_pictures([one]) for one in pixels]
        return np.stack([quantise(one, record["scale"]) for one in floats])

    def _rows(self) -> Rows:
        return np.array([self.kb.rows[stored.entity] for stored in self._changed], np.int64)


class _OverlaidRoutes(dict[str, tuple[Searched, Rows]]):
    """Indices by route: the original's, and over those of pictures the new vectors."""

    def __init__(self, world: OverlayWorld) -> None:
        super().__init__()
        self._world = world

    def __missing__(self, route: str) -> tuple[Searched, Rows]:
        index, rows = self._world._base._vector_indices[route]
        if route != "text":
            places = np.searchsorted(rows, self._world._rows())
            index = OverlaidIndex(index, places, self._world.new_vectors(route))
        self[route] = index, rows
        return self[route]


def _stored(key: str, found: CanonicalPicture) -> StoredPicture:
    picture = Picture(digest_bytes(found.data), found.media_type, found.width, found.height)
    return StoredPicture(key, 0, picture, len(found.data), found.pixel_digest)
