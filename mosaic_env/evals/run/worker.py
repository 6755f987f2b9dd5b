"""The program of a worker process: ``python -m mosaic_env.evals.run.worker``. See ``pool`` for its lines.

Must not: write anything but its lines, or outlive its parent.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import traceback
from collections.abc import Callable, Iterator

from mosaic_env.core.errors import EvalError, MosaicError
from mosaic_env.evals.run.player import Player


def main() -> int:
    """Read a specification, then tasks until the process is ended; return an exit code when nothing can be played."""
    say, lines = _speaker(), _lines()
    try:
        player = Player(json.loads(next(lines)))
    except BaseException as caught:  # an agent of a stranger may raise, or exit, while it is imported or made
        error = caught if isinstance(caught, MosaicError) else _unready(caught)
        names = ("code", "what", "expected", "nearest", "fix")
        say("wrong", {"type": type(error).__name__, **{name: getattr(error, name) for name in names}})
        return 1
    say("ready", {})
    for line in lines:
        job = json.loads(line)
        kind, result = player.play(job["part"], job["task"])
        say(kind, result)
    return 0


def _unready(caught: BaseException) -> EvalError:
    """Print an exception, and return it as the error that says that no task can be played."""
    traceback.print_exception(caught, file=sys.stderr)
    return EvalError(
        "ME-EVAL-03", f"a worker process could not begin: {type(caught).__name__}",
        fix="Its traceback stands above",
    )  # fmt: skip


def _speaker() -> Callable[[str, object], None]:
    """Return what writes a line to the parent; from here on, printing goes to standard error."""
    stream, owner = os.fdopen(os.dup(1), "wb"), os.getpid()
    os.dup2(2, 1)

    def say(kind: str, value: object) -> None:
        if os.getpid() != owner:
            os._exit(0)  # an agent forked: its child must not answer for the worker
        text = value if isinstance(value, str) else json.dumps(value)
        stream.write(f"{kind} {text}\n".encode("ascii"))
        stream.flush()

    return say


def _lines() -> Iterator[bytes]:
    """Yield the lines of the parent; when it is gone, the process ends, whatever it is doing.

    From here on, standard input is empty: an agent that asks a person gets no answer.
    """
    stream = os.fdopen(os.dup(0), "rb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def read() -> None:
        for line in stream:
            waiting.put(line)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    while True:
        yield waiting.get()


if __name__ == "__main__":
    ended = main()
    sys.stderr.flush()
    os._exit(ended)  # not sys.exit: the thread that reads holds its pipe
