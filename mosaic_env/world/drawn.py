"""Drawing many scenes in worker processes: the results come in order, and only a few are held at a time."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context, parent_process

from mosaic_env.core.errors import ConfigError, WorldError, shorten
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

    Raises: ConfigError (ME-CONFIG-02), WorldError (ME-WORLD-01) when one of the processes dies.
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
    if type(workers) is not int or workers < 1:
        raise ConfigError(
            "ME-CONFIG-02",
            f"{shorten(workers)} workers cannot draw pictures",
            expected="a whole number of at least 1",
            fix="Leave workers out for two of them",
        )


def _in_processes(scenes: Iterator[Scene], workers: int) -> Iterator[CanonicalPicture]:
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_end_with_parent)
    waiting: deque[Future[list[CanonicalPicture]]] = deque()
    try:
        while True:
            while len(waiting) < _WAITING * workers and (chunk := list(islice(scenes, _CHUNK))):
                with _interrupts_held():
                    waiting.append(pool.submit(_pictures, chunk))
            if not waiting:
                return
            yield from waiting.popleft().result()
    except BrokenProcessPool:
        raise WorldError(
            "ME-WORLD-01", "a process that draws pictures was killed",
            expected="all of them to work to the end",
            fix="Run it again, with fewer workers (--workers 1) if memory was short; nothing was published",
        ) from None  # fmt: skip
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back while workers start: they inherit that, so only this process answers it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with_parent() -> None:
    """Let a worker end when the process that started it is gone, however that ended."""
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_watch, args=(parent.join,), daemon=True).start()


def _watch(wait: Callable[[], None]) -> None:
    wait()
    os._exit(1)


def _pictures(scenes: Sequence[Scene]) -> list[CanonicalPicture]:
    return [_picture(scene) for scene in scenes]


def _picture(scene: Scene) -> CanonicalPicture:
    return canonicalise(draw(scene))
