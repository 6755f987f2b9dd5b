"""Drawing many scenes in worker processes: the results come in order, and only a few are held at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context

from mosaic_env.core.errors import ConfigError
from mosaic_env.guard.images import CanonicalPicture, canonicalise
from mosaic_env.world.draw import draw
from mosaic_env.world.scene import Scene

#: How many processes draw when nobody says how many.
WORKERS = 2
#: Scenes that a worker draws at a time; below ``_FEW`` scenes, starting workers takes longer than drawing.
_CHUNK, _FEW = 16, 100
#: Chunks that wait for each worker.
_WAITING = 3


def drawn(scenes: Mapping[str, Scene], workers: int) -> Iterator[tuple[str, CanonicalPicture]]:
    """Yield each key with its picture, in the order of ``scenes``.

    Args:
        workers: Processes to draw with, at least 1; a few scenes, or a single worker, are drawn in this process. More
            start fresh interpreters, so a script that calls this needs its ``if __name__ == "__main__"``.

    Raises: ConfigError (ME-CONFIG-02).
    Determinism: the pictures do not depend on ``workers``.
    Cost: holds at most some hundred pictures, however many there are.
    """
    check_workers(workers)
    if workers == 1 or len(scenes) < _FEW:
        return ((key, _picture(scene)) for key, scene in scenes.items())
    return zip(scenes, _in_processes(iter(scenes.values()), workers), strict=True)


def check_workers(workers: int) -> None:
    """Refuse a number of workers that cannot draw.

    Raises: ConfigError (ME-CONFIG-02).
    """
    if workers < 1:
        raise ConfigError(
            "ME-CONFIG-02",
            f"{workers} workers cannot draw pictures",
            expected="at least 1",
            fix="Leave workers out for two of them",
        )


def _in_processes(scenes: Iterator[Scene], workers: int) -> Iterator[CanonicalPicture]:
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    waiting: deque[Future[list[CanonicalPicture]]] = deque()
    try:
        while True:
            while len(waiting) < _WAITING * workers and (chunk := list(islice(scenes, _CHUNK))):
                waiting.append(pool.submit(_pictures, chunk))
            if not waiting:
                return
            yield from waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def _pictures(scenes: Sequence[Scene]) -> list[CanonicalPicture]:
    return [_picture(scene) for scene in scenes]


def _picture(scene: Scene) -> CanonicalPicture:
    return canonicalise(draw(scene))
