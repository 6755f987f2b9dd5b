"""Processes that play tasks, one at a time each, and a parent that outlives whatever they do.

Each worker is a program of its own with a pipe in and a pipe out, and shares no lock with anybody: killing it
at any moment harms nothing else. A task that takes too long costs its worker, which is replaced; a worker
that dies costs its task. A worker ends by itself when its parent is gone, because its pipe closes.

Lines in: the specification, then ``{"part": …, "task": …}`` for each task. Lines out: ``ready``, ``episode …``,
``failed …``, ``wrong …`` (nothing can be played). What agents print goes to standard error.

Must not: know what a task is, or write files.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from mosaic_env.core import errors
from mosaic_env.core.errors import EvalError, MosaicError
from mosaic_env.evals.records import Unplayed

Job = tuple[str, str]
#: Seconds a worker may take to import everything and to open the world.
START_SECONDS = 300.0
#: Workers that may die one after another before any of them was ready.
_FALSE_STARTS = 3
#: Seconds between the end of a worker's output and its own.
_LAST_SECONDS = 5.0
_WORKER = "mosaic_env.evals.run.worker"


@dataclass(frozen=True)
class Outcome:
    """What came of a task.

    Args:
        job: Part and task.
        line: The episode's line, or empty.
        failure: Why there is none.
    """

    job: Job
    line: bytes = b""
    failure: Unplayed | None = None


@dataclass(eq=False)
class _Worker:
    """A running process.

    Args:
        process: Its pipes are binary.
        deadline: When it is ended, on the monotonic clock.
        job: What it plays, or None while it starts.
    """

    process: subprocess.Popen[bytes]
    deadline: float
    job: Job | None = None
    thread: threading.Thread = field(init=False)

    def send(self, value: Mapping[str, Any]) -> None:
        """Write a line; a process that is gone is noticed by its other pipe."""
        if self.process.stdin is not None:
            with contextlib.suppress(OSError):
                self.process.stdin.write(json.dumps(value).encode("ascii") + b"\n")
                self.process.stdin.flush()

    def end(self) -> int:
        """Kill it with everything it started, and return its exit code."""
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, signal.SIGKILL)  # its own group: see _start
        with contextlib.suppress(OSError):
            self.process.kill()
        code = self.process.wait()
        if self.process.stdin is not None:
            with contextlib.suppress(OSError):
                self.process.stdin.close()
        return code


class Pool:
    """Plays jobs in processes.

    Args:
        spec: What each worker is told first; see ``player.Player``.
        workers: Processes at a time, at least 1.
        timeout: Seconds a task may take.
        check: Tells whether a line is an episode of a job.
    """

    def __init__(
        self,
        spec: Mapping[str, Any],
        *,
        workers: int,
        timeout: float,
        check: Callable[[Job, bytes], bool],
    ) -> None:
        self._spec, self._most, self._timeout, self._check = spec, workers, timeout, check
        self._events: queue.SimpleQueue[tuple[_Worker, bytes | None]] = queue.SimpleQueue()
        self._workers: list[_Worker] = []
        self._false_starts = 0

    def play(self, jobs: Iterable[Job]) -> Generator[Outcome, None, None]:
        """Yield what came of each job, in the order in which they end.

        Closing the iterator ends every process.

        Raises: MosaicError: what a worker found wrong with the specification; EvalError (ME-EVAL-03).
        """
        waiting = deque(jobs)
        try:
            while waiting or any(worker.job for worker in self._workers):
                self._staff(waiting)
                event = self._next_event()
                if event is None:
                    yield from self._late()
                elif event[0] in self._workers:  # else: it was ended before its line was read
                    outcome = self._heard(*event, waiting)
                    if outcome is not None:
                        yield outcome
        finally:
            for worker in self._workers:
                worker.end()
            self._workers.clear()

    def _staff(self, waiting: deque[Job]) -> None:
        """Start workers while there is more to do than there are workers for it."""
        busy = sum(worker.job is not None for worker in self._workers)
        while len(self._workers) < min(self._most, busy + len(waiting)):
            self._workers.append(self._start())

    def _next_event(self) -> tuple[_Worker, bytes | None] | None:
        """Return the next line of a worker (None is its end), or None when a deadline comes first."""
        first = min(worker.deadline for worker in self._workers)
        try:
            return self._events.get(timeout=max(first - time.monotonic(), 0.0))
        except queue.Empty:
            return None

    def _late(self) -> Iterator[Outcome]:
        """End the workers whose time is up."""
        now = time.monotonic()
        for worker in [worker for worker in self._workers if worker.deadline <= now]:
            self._workers.remove(worker)
            worker.end()
            if worker.job is None:
                self._false_start(f"was not ready after {START_SECONDS:g} s")
            else:
                message = f"not finished after {self._timeout:g} s"
                yield Outcome(worker.job, failure=_unplayed(worker.job, "timeout", "timeout", message))

    def _heard(self, worker: _Worker, line: bytes | None, waiting: deque[Job]) -> Outcome | None:
        """Act on a line of a worker, and give it the next job."""
        if line is None:
            return self._died(worker)
        kind, _, rest = line.rstrip(b"\n").partition(b" ")
        outcome = None
        if worker.job is None:
            if kind != b"ready":
                raise _error(rest)
            self._false_starts = 0
        else:
            outcome = self._outcome(worker.job, kind, rest)
            if outcome is None:
                return self._garbled(worker, worker.job)
        if waiting:
            worker.job, worker.deadline = waiting.popleft(), time.monotonic() + self._timeout
            worker.send({"part": worker.job[0], "task": worker.job[1]})
        else:
            self._workers.remove(worker)
            worker.end()
        return outcome

    def _died(self, worker: _Worker) -> Outcome | None:
        self._workers.remove(worker)
        with contextlib.suppress(subprocess.TimeoutExpired):  # how it ended is what it says, if it has ended
            worker.process.wait(_LAST_SECONDS)
        how = _how(worker.end())
        if worker.job is None:
            self._false_start(f"died: {how}")
            return None
        return Outcome(worker.job, failure=_unplayed(worker.job, "crashed", how, "its process ended"))

    def _outcome(self, job: Job, kind: bytes, rest: bytes) -> Outcome | None:
        """Return what a line says came of a job, or None for a line that no worker writes."""
        if kind == b"episode":
            return Outcome(job, rest) if self._check(job, rest) else None
        try:
            return Outcome(job, failure=_unplayed(job, **json.loads(rest))) if kind == b"failed" else None
        except (ValueError, TypeError, RecursionError):
            return None

    def _garbled(self, worker: _Worker, job: Job) -> Outcome:
        """End a worker whose agent wrote into its pipe: none of its further lines could be believed."""
        self._workers.remove(worker)
        worker.end()
        message = "what its process wrote is no episode of the task"
        return Outcome(job, failure=_unplayed(job, "crashed", "garbled", message))

    def _false_start(self, what: str) -> None:
        self._false_starts += 1
        if self._false_starts >= _FALSE_STARTS:
            raise EvalError(
                "ME-EVAL-03", f"a worker process {what}, {self._false_starts} times in a row, before it could play",
                fix="What it printed stands above; try fewer --workers if memory is short",
            )  # fmt: skip

    def _start(self) -> _Worker:
        # A process group of its own: ending it ends what an agent started, and Ctrl-C reaches the parent alone.
        process = subprocess.Popen(
            [sys.executable, "-m", _WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env=_environment(), process_group=0 if os.name == "posix" else None,
        )  # fmt: skip
        worker = _Worker(process, time.monotonic() + START_SECONDS)
        worker.thread = threading.Thread(target=self._listen, args=(worker,), daemon=True)
        worker.thread.start()
        worker.send(self._spec)
        return worker

    def _listen(self, worker: _Worker) -> None:
        if worker.process.stdout is not None:
            with worker.process.stdout as stream:
                for line in stream:
                    if line.endswith(b"\n"):  # else: it died while it wrote
                        self._events.put((worker, line))
        self._events.put((worker, None))


def _unplayed(job: Job, status: Literal["error", "timeout", "crashed"], code: str, message: str) -> Unplayed:
    return Unplayed(job[1], status, code, message, part=job[0])


def _environment() -> dict[str, str]:
    """Return the environment of a worker: what can be imported here can be imported there."""
    paths = os.pathsep.join(path or "." for path in sys.path)
    # Each worker has one core to itself; libraries that start a thread for every core would get in each other's way.
    return {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", **os.environ, "PYTHONPATH": paths}


def _how(code: int) -> str:
    """Return how a process ended, as a stable word."""
    if code >= 0:
        return f"exit-{code}"
    with contextlib.suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal-{-code}"


def _error(line: bytes) -> MosaicError:
    """Return the error that a worker raised while it started."""
    try:
        said = json.loads(line)
        kind = getattr(errors, said["type"], EvalError)
        error: MosaicError = kind(
            said["code"], said["what"], expected=said["expected"], nearest=said["nearest"], fix=said["fix"]
        )
    except (ValueError, TypeError, KeyError, RecursionError):  # code of a stranger wrote into the pipe
        return EvalError("ME-EVAL-03", "a worker process wrote what is no message before it could play")
    return error
