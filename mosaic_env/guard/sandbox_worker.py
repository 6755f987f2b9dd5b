"""The process between this package and the interpreter for model-written code.

``sandbox`` starts it, sends one request at a time and reads one answer:

    host ──JSON──► this process ──► pydantic_monty ──► one interpreter process per program

Why a process of its own: the interpreter's client runs threads and an event loop that do not survive
a fork, and forking an environment is ordinary; hostile source is parsed here, where neither the
host's stack depth nor its warning filters matter; and what the interpreter writes to standard error
stays out of the host's log.

Must not import the rest of the package: it starts in about 0.1 s because it does not.
"""

from __future__ import annotations

import contextlib
import json
import os
import struct
import sys
import time
import warnings
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, BinaryIO

from mosaic_env.guard.sandbox_prelude import BALANCE, prelude, report
from mosaic_env.guard.step_counter import CodeRefused, CountedProgram, count_steps

if TYPE_CHECKING:
    import pydantic_monty

#: Printed characters beyond this multiple of what is shown end the program.
PRINTED_PER_SHOWN = 10
MAX_MESSAGE = 300
_HEADER = struct.Struct(">I")

# A program sees one fixed moment, no waiting, and the same random numbers every time.
_POLICY: Any = {
    "datetime": datetime(2026, 1, 1, tzinfo=UTC),
    "timezone": {"offset_seconds": 0, "name": "UTC"},
    "sleep": "zero",
    "process_time": "zero",
    "random_start": {"seed": 0},
}
# Output is sent when 8 KiB are full, never because time has passed: how much is buffered counts
# towards the memory limit, and what is buffered is lost when that limit ends the process.
_NO_TIMED_FLUSH = 1e6
_UNSUPPORTED = "NotImplementedError: The monty syntax parser does not yet support "


def read_message(stream: BinaryIO) -> dict[str, Any] | None:
    """Read one message: four bytes of length and a JSON object. None at the end of the stream."""
    header = _read_exactly(stream, _HEADER.size)
    body = _read_exactly(stream, _HEADER.unpack(header)[0]) if header else b""
    message: dict[str, Any] | None = json.loads(body) if body else None
    return message


def _read_exactly(stream: BinaryIO, size: int) -> bytes:
    """Read ``size`` bytes from a stream that may give less at a time; none when it ends before."""
    data = b""
    while len(data) < size:
        part = stream.read(size - len(data))
        if not part:
            return b""
        data += part
    return data


def write_message(stream: BinaryIO, message: Mapping[str, Any]) -> None:
    """Write one message that ``read_message`` reads."""
    body = json.dumps(message).encode("ascii")
    rest = memoryview(_HEADER.pack(len(body)) + body)
    while rest:
        rest = rest[stream.write(rest) :]
    stream.flush()


class _Output:
    """What a program printed, up to the number of characters that are shown."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._parts: list[str] = []
        self._cut = False

    def write(self, _stream: str, text: str) -> None:
        self._cut = self._cut or len(text) > self._room
        self._parts.append(text[: self._room])
        self._room -= len(self._parts[-1])

    def text(self, limit: int) -> str:
        mark = f"\n... [output cut after {limit} characters]" if self._cut else ""
        return "".join(self._parts) + mark


class _Interpreter:
    """Runs programs, each in an interpreter process that has run nothing before."""

    def __init__(self) -> None:
        import pydantic_monty

        self._monty = pydantic_monty
        # What earlier programs left in a reused process moves the point at which the memory limit
        # strikes by a few bytes; a new process costs 2 ms and gives the same point every time.
        self._pool = pydantic_monty.Monty(max_checkouts_per_worker=1, max_processes=2)
        self._pool.__enter__()
        self._ready = contextlib.ExitStack()
        self._session: Any = None
        self._limits: Mapping[str, Any] = {}

    def close(self) -> None:
        self._ready.close()
        self._pool.__exit__(None, None, None)

    def prepare(self, limits: Mapping[str, Any]) -> None:
        """Start a process for the next program while the host is busy with something else."""
        self._ready.close()
        session = self._pool.checkout(
            limits={
                "max_memory": limits["max_memory"],
                "max_feed_duration_secs": limits["max_seconds"],
            },
            os_policy=_POLICY,
            print_flush_interval=_NO_TIMED_FLUSH,
            assert_message_annotations=False,
        )
        self._session = self._ready.enter_context(session)
        self._session.feed_run(prelude(limits["max_steps"], limits["max_output"] * PRINTED_PER_SHOWN))
        self._limits = limits

    def run(self, code: str, limits: Mapping[str, Any]) -> dict[str, Any]:
        """Run one program and return the fields of a ``PythonResult``."""
        try:
            program = count_steps(code)
        except CodeRefused as refused:
            return _answer(error=(refused.code, refused.message))
        if self._session is None or limits != self._limits:
            self.prepare(limits)
        output = _Output(limits["max_output"])
        answer = self._run_counted(program, output, limits)
        self._session = None
        return {**answer, "stdout": output.text(limits["max_output"])}

    def _run_counted(
        self, program: CountedProgram, output: _Output, limits: Mapping[str, Any]
    ) -> dict[str, Any]:
        started = time.monotonic()
        try:
            self._session.feed_run(program.text, print_callback=output.write)
            rendering = report(limits["max_variables"], limits["max_repr"])
            value, variables = self._session.feed_run(rendering, print_callback=output.write)
        except self._monty.MontyCrashedError as crash:
            if crash.timed_out:
                return _answer(error=_out_of_time(limits), reproducible=False)
            return _answer(error=("crashed", "the interpreter crashed"), reproducible=False)
        except (self._monty.MontyRuntimeError, self._monty.MontySyntaxError) as error:
            text = " ".join(error.display("type-msg").split())
            late = time.monotonic() - started >= limits["max_seconds"]
            if late and text.startswith("TimeoutError: feed time limit exceeded"):
                return _answer(error=_out_of_time(limits), reproducible=False)
            return self._used_up(limits) or _failure(error, text, program, limits)
        return self._used_up(limits) or _answer(value=value, variables=dict(variables))

    def _used_up(self, limits: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the answer for a program that ran out of steps or output, however it ended."""
        try:
            steps, room = self._session.feed_run(BALANCE)
        except (self._monty.MontyError, RuntimeError):  # the process is gone: it was something else
            return None
        if steps < 0:
            return _answer(error=("step_limit", f"stopped after {limits['max_steps']} steps"))
        if room < 0:
            printed = limits["max_output"] * PRINTED_PER_SHOWN
            return _answer(error=("too_long", f"more than {printed} characters printed"))
        return None


def _failure(
    error: pydantic_monty.MontyRuntimeError | pydantic_monty.MontySyntaxError,
    text: str,
    program: CountedProgram,
    limits: Mapping[str, Any],
) -> dict[str, Any]:
    if text.startswith("MemoryError: ") and "memory limit" in text:
        return _answer(error=("memory_limit", f"more than {limits['max_memory']} bytes of memory"))
    if text.startswith("RuntimeError: suspension limit"):
        return _answer(error=("step_limit", "too many look-ups of names or files that do not exist"))
    code = "syntax" if type(error).__name__ == "MontySyntaxError" else "exception"
    if text.startswith(_UNSUPPORTED):
        code, text = "unsupported", f"not supported here: {text.removeprefix(_UNSUPPORTED)}"
    return _answer(error=(code, _shorten(text) + _where(error, program)))


def _answer(
    value: str = "",
    variables: Mapping[str, str] | None = None,
    error: tuple[str, str] | None = None,
    reproducible: bool = True,
) -> dict[str, Any]:
    return {
        "stdout": "",
        "value": value,
        "variables": dict(variables or {}),
        "error": list(error) if error else None,
        "reproducible": reproducible,
    }


def _out_of_time(limits: Mapping[str, Any]) -> tuple[str, str]:
    return "time_limit", f"stopped after {limits['max_seconds']:g} seconds"


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_MESSAGE else f"{text[:MAX_MESSAGE]}..."


def _where(error: Any, program: CountedProgram) -> str:
    """Name the line of the model's code in which the error arose; prelude frames are passed over."""
    frames = [frame for frame in error.traceback() if frame.filename == "<python-input-1>"]
    line = program.original_line(frames[-1].line) if frames else 0
    return f" (line {line})" if line else ""


def _harden() -> None:
    """Forbid this process and the interpreters it starts to write files or core dumps."""
    try:
        import resource
    except ImportError:  # not a Unix system
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def _take_channel() -> tuple[BinaryIO, BinaryIO]:
    """Return the request and answer streams, and point standard output elsewhere."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return sys.stdin.buffer, answers


def main() -> None:
    """Answer requests from standard input until it ends."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the host decides what an interrupt means
    warnings.simplefilter("ignore")
    _harden()
    requests, answers = _take_channel()
    try:
        interpreter = _Interpreter()
        problem = interpreter.run("1", _SMALL)["error"]
    except Exception as error:  # whatever it is, the host must learn that nothing can run
        problem = f"{type(error).__name__}: {error}"
    write_message(answers, {"failed": problem})
    if problem:
        return
    while (request := read_message(requests)) is not None:
        write_message(answers, interpreter.run(request["code"], request["limits"]))
        interpreter.prepare(request["limits"])
    interpreter.close()


_SMALL: dict[str, Any] = {
    "max_memory": 1 << 24,
    "max_seconds": 5.0,
    "max_steps": 1000,
    "max_output": 100,
    "max_variables": 0,
    "max_repr": 100,
}
