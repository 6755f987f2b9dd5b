"""A run folder: what was asked for, and what came of it so far. Killing a run loses at most the tasks in play.

    run.json          the suite and its digest, written once
    episodes.jsonl    one episode a line, in the order in which they ended; each line is one write
    failures.jsonl    tasks that gave no episode, and why; a later episode of the same task replaces them
    results.jsonl     one row a task, in the order of the suite; made anew at the end
    report.md         the tables; report.html with the episodes
    judge/            a judge's verdicts

Must not: play or judge.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from mosaic_env.core.errors import EpisodeError, EvalError
from mosaic_env.envs.episode import Episode
from mosaic_env.evals.records import Unplayed
from mosaic_env.evals.run.suite import Suite, first_difference, suite_of

if sys.platform != "win32":
    import fcntl

FORMAT = "mosaic-run/1"
RUN, EPISODES, FAILURES = "run.json", "episodes.jsonl", "failures.jsonl"
#: Folder of a judge's verdicts.
JUDGE = "judge"
RESULTS, REPORT, PAGE = "results.jsonl", "report.md", "report.html"
#: The note of an episode that names its part of the suite.
PART = "part"
_PLAY_AGAIN = "Delete the line, and play its task again with mosaic eval --resume"
Job = tuple[str, str]


class RunFolder:
    """The files of one run.

    Args:
        path: The folder, made by ``begin``.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other processes that do the same from writing into the folder, which is made when missing.

        The system lets go of it when the process ends, however it ends. File systems and systems without such
        locks keep nobody out.

        Raises: EvalError (ME-EVAL-04 when another process has it, ME-EVAL-01 for a link among its files).
        """
        self.path.mkdir(parents=True, exist_ok=True)
        self._refuse_links()
        if sys.platform == "win32":
            yield
            return
        folder = os.open(self.path, os.O_RDONLY)
        try:
            with contextlib.suppress(OSError):
                try:
                    fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    raise _in_use(self.path) from None
            yield
        finally:
            os.close(folder)

    # --- beginning ----------------------------------------------------------------------------------

    def begin(self, suite: Suite, *, resume: bool) -> None:
        """Make the folder for a suite, or continue it. One in which nothing was played yet is made anew.

        Raises: EvalError (ME-EVAL-01 damaged, -02 something else is in the folder).
        """
        self.path.mkdir(parents=True, exist_ok=True)
        self._refuse_links()
        begun = any((self.path / name).is_file() for name in (EPISODES, FAILURES))
        if begun and (self.path / RUN).is_file():
            if not resume:
                raise EvalError(
                    "ME-EVAL-02", f"{self.path} holds a run already", expected="an empty folder",
                    fix="Continue it with --resume, or give another folder with --out",
                )  # fmt: skip
            self._check(suite)
        elif any(file.name not in (RUN, _draft(self.path / RUN).name) for file in self.path.iterdir()):
            raise EvalError(
                "ME-EVAL-02", f"{self.path} is not empty and holds no run", expected=f"an empty folder or {RUN}",
                fix="Give another folder with --out",
            )  # fmt: skip
        else:
            if (self.path / RUN).is_file():
                self.suite()  # a file that is no run of ours is not overwritten
            text = {"format": FORMAT, "digest": suite.digest, "suite": suite.as_dict()}
            write_whole(self.path / RUN, json.dumps(text, ensure_ascii=False, indent=1) + "\n")
        for name in (EPISODES, FAILURES):
            _cut_torn_line(self.path / name)

    def _refuse_links(self) -> None:
        """Refuse a folder that somebody made to lead our writing elsewhere."""
        names = (RUN, EPISODES, FAILURES, RESULTS, REPORT, PAGE, JUDGE)
        link = next((name for name in names if (self.path / name).is_symlink()), None)
        if link is not None:
            raise EvalError(
                "ME-EVAL-01", f"'{link}' in {self.path} is a link", expected="files and folders of its own",
                fix="Put a copy of what it leads to in its place, if you trust who made it",
            )  # fmt: skip

    def _check(self, suite: Suite) -> None:
        theirs = self.suite()
        if theirs.digest != suite.digest:
            what = first_difference(suite, theirs) or "the digests differ"
            raise EvalError(
                "ME-EVAL-02", f"{self.path} holds a run of another suite: {what}",
                fix="Repeat the options of that run, or give another folder with --out",
            )  # fmt: skip

    def suite(self) -> Suite:
        """Return the suite of the folder.

        Raises: EvalError (ME-EVAL-01).
        """
        where = self.path / RUN
        try:
            data = json.loads(where.read_bytes())
            if data["format"] != FORMAT:
                raise ValueError(f"its format is {str(data['format'])[:40]!r}, not {FORMAT!r}")
            suite = suite_of(data["suite"])
            if data["digest"] != suite.digest:
                raise ValueError("its content has another digest")
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            why = error.strerror if isinstance(error, OSError) else getattr(error, "what", error)
            raise EvalError(
                "ME-EVAL-01", f"{where} cannot be read as a run: {why}", expected="a folder that mosaic eval wrote"
            ) from None  # fmt: skip
        return suite

    # --- while it is played ---------------------------------------------------------------------------

    def add_episode(self, line: bytes) -> None:
        """Append the line of an episode."""
        _append(self.path / EPISODES, line)

    def add_failure(self, failure: Unplayed) -> None:
        """Append a task that gave no episode."""
        _append(self.path / FAILURES, json.dumps(failure.as_dict()).encode("ascii"))

    # --- what came of it ------------------------------------------------------------------------------

    def episodes(self, suite: Suite) -> dict[Job, Episode]:
        """Return what was played, in the order of the suite; of two episodes of a task, the first.

        Raises: EvalError (ME-EVAL-01), EpisodeError (ME-EPISODE-01).
        """
        parts = {part.name: part for part in suite.parts}
        found: dict[Job, Episode] = {}
        for number, line in _lines(self.path / EPISODES):
            where = f"line {number} of {EPISODES}"
            try:
                episode = Episode.from_line(line, where=where)
            except EpisodeError as error:
                raise EpisodeError(error.code, error.what, expected=error.expected, fix=_PLAY_AGAIN) from None
            part = parts.get(episode.notes.get(PART, ""))
            if part is None or (episode.world, episode.config_digest) != (part.world, part.config):
                what = f"{where} does not belong to the run in {self.path}"
                raise EpisodeError("ME-EPISODE-02", what, fix=_PLAY_AGAIN)
            found.setdefault((part.name, episode.task.key), episode)
        return {job: found[job] for job in suite.jobs if job in found}

    def failures(self, suite: Suite, played: Collection[Job]) -> dict[Job, Unplayed]:
        """Return the last failure of each task that was not played, in the order of the suite.

        Raises: EvalError (ME-EVAL-01).
        """
        found: dict[Job, Unplayed] = {}
        for number, line in _lines(self.path / FAILURES):
            try:
                failure = _failure_reader().validate_python(json.loads(line))
            except (ValueError, RecursionError):
                raise EvalError(
                    "ME-EVAL-01", f"line {number} of {FAILURES} is damaged", fix="Delete the line"
                ) from None
            found[failure.part, failure.task] = failure
        return {job: found[job] for job in suite.jobs if job in found and job not in played}


@cache
def _failure_reader() -> TypeAdapter[Unplayed]:
    return TypeAdapter(Unplayed)


def _in_use(path: Path) -> EvalError:
    return EvalError(
        "ME-EVAL-04", f"another process writes into {path}", expected="one at a time",
        fix="Wait for it or stop it, or give another folder with --out",
    )  # fmt: skip


def write_whole(path: Path, text: str) -> None:
    r"""Write a file at once: a reader sees the old one or the new one.

    Half a surrogate pair, which a model may write and UTF-8 cannot hold, stands as ``\udXXX``: JSON's own escape.
    """
    draft = _draft(path)
    draft.unlink(missing_ok=True)  # of a crash; or a link that somebody left there, which "x" does not follow
    try:
        with draft.open("x", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror or type(error).__name__, str(path)) from None


def _draft(path: Path) -> Path:
    return path.with_name(f".{path.name}.new")


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows as lines of JSON, at once."""
    write_whole(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def _append(path: Path, line: bytes) -> None:
    with path.open("ab", buffering=0) as stream:
        if stream.write(line + b"\n") != len(line) + 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))


def _cut_torn_line(path: Path) -> None:
    """Remove a last line that a crash cut short: its task is played again."""
    if not path.is_file():
        return
    with path.open("r+b") as stream:
        end = stream.seek(0, 2)
        kept = end
        while kept and not _ends_line(stream, kept):
            kept = _before(stream, kept)
        if kept < end:
            stream.truncate(kept)


def _ends_line(stream: Any, end: int) -> bool:
    stream.seek(end - 1)
    return bool(stream.read(1) == b"\n")


def _before(stream: Any, end: int, block: int = 2**16) -> int:
    """Return the end of the last whole line before ``end``, as far as one block shows."""
    start = max(end - block, 0)
    stream.seek(start)
    return start + int(stream.read(end - start).rfind(b"\n")) + 1


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield whole lines with their numbers; a last one that was cut short is left out."""
    if path.is_file():
        with path.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                if line.endswith(b"\n") and line.strip():
                    yield number, line
