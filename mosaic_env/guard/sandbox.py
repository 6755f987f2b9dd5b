"""Run Python that a model wrote, without trusting it and with the same result everywhere.

The code runs in ``pydantic-monty``, an interpreter that has no files, sockets, processes or foreign
modules to begin with, in a process that ends with the program. A fixed step and a memory limit end
programs that are too long; the wall clock is only a last net, and a result it cut short says
``reproducible=False``. There is no weaker fallback: without the interpreter, ``SandboxError``.

Not for trusted code, not for numpy or pictures: the language is a subset of Python.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib.metadata
import importlib.util
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Literal, cast

from mosaic_env.core.errors import ConfigError, SandboxError
from mosaic_env.guard.sandbox_worker import read_message, write_message
from mosaic_env.guard.step_counter import COUNTER_VERSION

__all__ = [
    "PythonError",
    "PythonResult",
    "SandboxLimits",
    "close_sandbox",
    "run_python",
    "sandbox_available",
    "sandbox_version",
]

_PACKAGE = "pydantic-monty"
_MODULE = "pydantic_monty"
_MAX_WORKERS = 8
_PATIENCE = 5.0

ErrorCode = Literal[
    "syntax",
    "exception",
    "step_limit",
    "memory_limit",
    "time_limit",
    "crashed",
    "too_long",
    "unsupported",
]


# A heap below 1 MiB has no room for the step counter.
_RANGES = {"max_memory": (1 << 20, 1 << 32), "max_seconds": (0.1, 3600.0), "max_steps": (1, 10**12)}


@dataclass(frozen=True, slots=True)
class SandboxLimits:
    """Bounds of one run.

    Args:
        max_steps: Loop iterations, function calls and comprehension elements; a builtin that reads a
            container costs one step for 16 elements. The default takes about a second at most and
            lets a double loop of 1000 x 1000 through.
        max_memory: Bytes of the program's heap.
        max_code: Characters of source.
        max_output: Characters of standard output that are kept; ten times as many end the run.
        max_seconds: The last net, for single operations that steps cannot bound.
        max_variables: How many variables are shown.
        max_repr: Characters of one shown value.
    """

    max_steps: int = 1_200_000
    max_memory: int = 64 << 20
    max_code: int = 20_000
    max_output: int = 10_000
    max_seconds: float = 5.0
    max_variables: int = 20
    max_repr: int = 1_000

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            low, high = _RANGES.get(name, (0, 10**12))
            if not low <= value <= high:
                raise ConfigError(
                    "ME-CONFIG-02",
                    f"SandboxLimits.{name} is {value!r}",
                    expected=f"a number from {low} to {high}",
                )


@dataclass(frozen=True, slots=True)
class PythonError:
    """Why a run did not end well.

    Args:
        code: A stable word, see ``ErrorCode``.
        message: One line for the model, with the line of its code where that is known.
    """

    code: ErrorCode
    message: str


@dataclass(frozen=True, slots=True)
class PythonResult:
    """What a run left behind; texts only, made inside the sandbox.

    Args:
        stdout: What was printed, also before an error; cut with a visible mark.
        value: ``repr`` of the last expression, or ``""`` when there is none or it is None.
        variables: ``repr`` of the top-level variables, names ascending; empty after an error.
        error: None when the program ran to its end.
        reproducible: False when the wall clock or a crash ended the run.
    """

    stdout: str = ""
    value: str = ""
    variables: Mapping[str, str] = field(default_factory=dict)
    error: PythonError | None = None
    reproducible: bool = True

    @property
    def ok(self) -> bool:
        """True when the program ran to its end."""
        return self.error is None


_DEFAULT_LIMITS = SandboxLimits()


def run_python(code: str, *, limits: SandboxLimits = _DEFAULT_LIMITS) -> PythonResult:
    """Run a program in the sandbox and return what it printed and left behind.

    Args:
        code: Python source; one namespace, nothing kept from earlier runs.
        limits: Bounds of the run.

    Raises:
        SandboxError: ``ME-SANDBOX-01``, the interpreter is absent or cannot start.

    Cost: 1 to 2 ms for a small program, 5 ms when calls follow each other without a pause, and 0.1 s
        more for the first call of a process.
    Determinism: the same result in every process and thread, unless ``reproducible`` is False.
        Functions of ``math`` may differ in the last digit between C libraries, and the text of
        syntax errors between versions of Python.
    """
    if len(code) > limits.max_code:
        message = f"the code has {len(code)} characters, at most {limits.max_code} are allowed"
        return PythonResult(error=PythonError("too_long", message))
    with _workers.borrow() as worker:
        return _read_result(worker.ask(code, limits))


def sandbox_available() -> bool:
    """Return whether model-written code can run here; tried once for each process.

    Cost: 0.1 s the first time, then nothing.
    """
    return _workers.available()


def sandbox_version() -> str:
    """Name everything a result depends on besides code and limits; ``""`` when absent."""
    try:
        return f"{_PACKAGE} {importlib.metadata.version(_PACKAGE)}, steps {COUNTER_VERSION}"
    except importlib.metadata.PackageNotFoundError:
        return ""


def close_sandbox() -> None:
    """End all sandbox processes of this process; the next run looks for the sandbox again."""
    _workers.close()


def _read_result(answer: Mapping[str, Any] | None) -> PythonResult:
    if answer is None:
        error = PythonError("crashed", "the sandbox crashed")
        return PythonResult(error=error, reproducible=False)
    return PythonResult(
        stdout=answer["stdout"],
        value=answer["value"],
        variables=answer["variables"],
        error=PythonError(*answer["error"]) if answer["error"] else None,
        reproducible=answer["reproducible"],
    )


class _Worker:
    """One sandbox process and the pipes to it."""

    def __init__(self) -> None:
        self._process = _start_process()
        self._requests = cast(BinaryIO, self._process.stdin)
        self._answers = cast(BinaryIO, self._process.stdout)
        try:
            hello = read_message(self._answers)
            if hello is None or hello["failed"]:
                reason = hello["failed"] if hello else "its process ended at once"
                raise _unavailable(f"{_PACKAGE} cannot start: {reason}")
        except BaseException:
            self.kill()
            raise

    def ask(self, code: str, limits: SandboxLimits) -> dict[str, Any] | None:
        """Send a program and wait for its result; None when the process died."""
        answer = None
        with contextlib.suppress(OSError, ValueError):  # it died, or another thread closed the sandbox
            write_message(self._requests, {"code": code, "limits": asdict(limits)})
            answer = read_message(self._answers)
        if answer is None:
            self.kill()
        return answer

    def is_alive(self) -> bool:
        """Return whether the process can take another program."""
        return self._process.poll() is None

    def close(self) -> None:
        """End the process: it stops by itself when its input ends, and is killed when it does not."""
        self._close_pipes()
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def kill(self) -> None:
        """End the process at once, in the middle of a program."""
        self._process.kill()
        self.close()

    def disown(self) -> None:
        """Let go of a process that belongs to the parent of this one."""
        self._close_pipes()
        self._process.returncode = 0  # or its destructor would look for a child that is not ours

    def _close_pipes(self) -> None:
        for stream in (self._requests, self._answers):
            with contextlib.suppress(OSError):
                stream.close()


class _Workers:
    """The sandbox processes of this process: started when needed, one for each concurrent caller."""

    def __init__(self) -> None:
        self._reset()
        atexit.register(self.close)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._after_fork)

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._slots = threading.BoundedSemaphore(min(_MAX_WORKERS, os.cpu_count() or 1))
        self._idle: list[_Worker] = []
        self._all: list[_Worker] = []
        self._works: bool | None = None

    def _after_fork(self) -> None:
        # A child must not talk to its parent's workers, nor keep them alive by holding their input.
        for worker in self._all:
            worker.disown()
        self._reset()

    @contextlib.contextmanager
    def borrow(self) -> Iterator[_Worker]:
        """Lend a worker to one caller; one that was interrupted or has died is not used again."""
        with self._slots:
            worker = self._take()
            try:
                yield worker
            except BaseException:
                self._retire(worker)
                raise
            self._give_back(worker)

    def available(self) -> bool:
        if self._works is None:
            try:
                with self.borrow():
                    self._works = True
            except SandboxError:
                self._works = False
        return self._works

    def close(self) -> None:
        with self._lock:
            workers, self._idle, self._all = self._all, [], []
            self._works = None
        for worker in workers:
            worker.close()

    def _take(self) -> _Worker:
        with self._lock:
            worker = self._idle.pop() if self._idle else None
        if worker is not None and worker.is_alive():
            return worker
        if worker is not None:
            self._retire(worker)
        worker = _Worker()
        with self._lock:
            self._all.append(worker)
        return worker

    def _give_back(self, worker: _Worker) -> None:
        if not worker.is_alive():
            self._retire(worker)
            return
        with self._lock:
            if worker in self._all:  # or the sandbox was closed in the meantime
                self._idle.append(worker)

    def _retire(self, worker: _Worker) -> None:
        worker.kill()
        with self._lock, contextlib.suppress(ValueError):
            self._all.remove(worker)


# The worker gets the two packages it needs by path, with empty parents: the real ``mosaic_env`` would
# import more than the worker may wait for.
_START = """
import sys, types
for name, folder in (("mosaic_env", sys.argv[1]), ("mosaic_env.guard", sys.argv[2])):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [folder]
sys.path.append(sys.argv[3])
from mosaic_env.guard.sandbox_worker import main
main()
"""
_PASSED_ON = ("PATH", "LD_LIBRARY_PATH", "MONTY_BIN", "SYSTEMROOT")


def _start_process() -> subprocess.Popen[bytes]:
    spec = importlib.util.find_spec(_MODULE)
    if spec is None or spec.origin is None or not sys.executable:
        raise _unavailable(f"the package {_PACKAGE} is not installed for {sys.executable or 'this Python'}")
    here = Path(__file__).resolve().parent
    arguments = [str(here.parent), str(here), str(Path(spec.origin).resolve().parent.parent)]
    try:
        return subprocess.Popen(
            [sys.executable, "-I", "-B", "-c", _START, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # A buffered stream has a lock, and a child forked while it is held could never close it.
            bufsize=0,
            # Keys in the environment are no business of a process that handles hostile code.
            env={name: os.environ[name] for name in _PASSED_ON if name in os.environ},
        )
    except OSError as error:
        raise _unavailable(f"the sandbox process cannot start: {error}") from error


def _unavailable(what: str) -> SandboxError:
    return SandboxError(
        "ME-SANDBOX-01",
        what,
        expected="an interpreter that isolates model-written code",
        fix=f"Install {_PACKAGE}, or choose a preset without python_eval",
    )


_workers = _Workers()
