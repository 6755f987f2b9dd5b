"""Whether an index belongs to the knowledge base and the pictures beside it: what ``verify`` asks.

An index has a digest of its own, so one of another world is whole in itself. Here the text index is
made again, and the window vectors of a sample of the pictures. Must not: load trained encoders; of
their vectors only types, shapes and rows are checked.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mosaic_env.core.errors import CorruptError, ImageError
from mosaic_env.guard.images import decode_rgb
from mosaic_env.index import build, descriptor
from mosaic_env.index.arrays import Arrays, checked_routes, route_arrays, text_arrays
from mosaic_env.snapshot.content import unfit
from mosaic_env.snapshot.objects import object_path
from mosaic_env.snapshot.opened import PublicSnapshot

#: How many pictures are described again; they are spread over all.
_SAMPLE = 32
#: Another machine's logarithm may round a weight to its neighbour, and move a vector by as much.
_TOLERANCE = 2
_EXACT = ("vocabulary", "offsets", "rows", "words", "slots")


def problems(snapshot: PublicSnapshot) -> Iterator[tuple[str, str]]:
    """Yield (path, what is wrong) of an index beside a knowledge base that is whole.

    Raises: CorruptError (ME-CORRUPT-04) when an index file is not one.
    Cost: that of building the text index, and about 10 ms for each of at most 32 pictures.
    """
    kb, entry = snapshot.kb, snapshot.section("index")
    routes, named = checked_routes(entry.detail), entry.detail["files"]
    roles = {"text", *(name for name in routes if name != "text")}
    roles |= {"text_vectors"} if routes["text"]["kind"] == "vectors" else set()
    if set(named) != roles:
        raise unfit("the section index", "it has other files than its routes need")
    if bool(kb.pictures) != ("image" in routes):
        yield named["text"], "the index has no route for pictures, or one for pictures that are not there"
    elif "image" in routes and routes["image"]["kind"] == "windows":
        yield from _window_problems(snapshot)
    for role in sorted(roles - {"text"}):
        rows = range(len(kb)) if role == "text_vectors" else sorted(kb.pictures)
        route_arrays(snapshot.index_file(role), role, rows, routes[role.removesuffix("_vectors")])
    arrays = text_arrays(snapshot.index_file("text"), len(kb))
    if not _alike(arrays, build.text_arrays(kb)):
        yield named["text"], "the text index was built from another knowledge base"


def _alike(stored: Arrays, made: Arrays) -> bool:
    for name, array in made.items():
        exact = name.rsplit(".", 1)[1] in _EXACT
        if array.shape != stored[name].shape:
            return False
        distance = np.abs(array.astype(np.int64) - stored[name]).max(initial=0)
        if distance > (0 if exact else _TOLERANCE):
            return False
    return True


def _window_problems(snapshot: PublicSnapshot) -> Iterator[tuple[str, str]]:
    rows, routes = sorted(snapshot.kb.pictures), snapshot.section("index").detail["routes"]
    vectors = route_arrays(snapshot.index_file("image"), "image", rows, routes["image"])["vectors"]
    each = len(descriptor.WINDOWS)
    for number in sorted({len(rows) * part // _SAMPLE for part in range(_SAMPLE)}):
        stored = snapshot.kb.pictures[rows[number]]
        try:
            data = snapshot.objects.read(stored.picture.digest, stored.size)
        except CorruptError:
            continue  # the object itself is reported
        try:
            made = descriptor.describe_windows(decode_rgb(data, digest=stored.pixels))
        except (CorruptError, ImageError) as error:
            yield object_path(stored.picture.digest), error.what
            continue
        if not np.array_equal(made, vectors[number * each : (number + 1) * each]):
            path = snapshot.section("index").detail["files"]["image"]
            yield path, "the picture index was built from other pictures"
            return
