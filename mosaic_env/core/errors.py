"""The tree of developer-facing errors, each with a stable code.

    MosaicError
    ├── ConfigError      a wrong argument, preset or environment id
    ├── SnapshotError    a snapshot that cannot be found, read or written
    │   ├── CorruptError     bytes that are not what the manifest says
    │   └── FormatError      a format version this release does not read
    ├── MissError        a recorded response that does not exist
    ├── DataError        an input file (knowledge base, triples, tasks, pictures)
    ├── TaskError        a task, task set or task source
    ├── SearchError      an index or a query it cannot answer
    ├── EncoderError     an encoder that is absent or is not the one that built the index
    ├── SandboxError     no way to run model-written code safely
    ├── ImageError       a picture that was refused
    ├── ArchiveError     an archive that was refused
    ├── EpisodeError     an episode file
    ├── ReplayError      a replay that differs from its episode
    └── WorldError       a fictional world that cannot be made

A message has up to four clauses: what happened (with values), what was expected, the nearest
thing that exists, what to do. Model-facing errors are a different, shorter text: see
``mosaic_env.tools.base.ToolError``.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

#: Every code with its meaning. ``docs/errors.md`` is generated from this table.
CODES: dict[str, str] = {
    "ME-CONFIG-01": "an argument of gym.make is unknown",
    "ME-CONFIG-02": "an argument of gym.make has a value that is not allowed",
    "ME-CONFIG-03": "a preset does not exist",
    "ME-REGISTRY-01": "a name is not registered",
    "ME-REGISTRY-02": "a name is registered twice",
    "ME-REGISTRY-03": "a name to register has characters that are not allowed, or is too long",
    "ME-CANON-01": "a value has no canonical form",
    "ME-CANON-02": "a JSON text breaks the strict rules",
    "ME-SNAP-01": "no snapshot was found under the given name or path",
    "ME-SNAP-02": "the manifest is missing, torn or not valid",
    "ME-SNAP-03": "a snapshot lacks a section that is needed",
    "ME-SNAP-04": "the output folder cannot be written, or is not empty and not a snapshot",
    "ME-SNAP-05": "an output cannot be written because something else than a regular file stands there",
    "ME-SNAP-06": "a file name in a manifest is not allowed",
    "ME-SNAP-07": "an output would replace, or stand inside, another snapshot",
    "ME-SNAP-08": "the system refused to write a snapshot, for example on a full disk",
    "ME-CORRUPT-01": "a file is missing, short or long",
    "ME-CORRUPT-02": "a file's digest is not the one in the manifest",
    "ME-CORRUPT-03": "a section's content does not give the digest in the manifest",
    "ME-CORRUPT-04": "a section's content has another form than the section must have, or fits no other section",
    "ME-FORMAT-01": "the format version is not readable by this release",
    "ME-MISS-01": "no recorded response for this call",
    "ME-DATA-01": "an input file is missing or unreadable",
    "ME-DATA-02": "a row of an input file is not valid",
    "ME-DATA-03": "a task file cannot be decrypted",
    "ME-DATA-04": "the input has nothing to build from",
    "ME-TASK-01": "a task key does not exist",
    "ME-TASK-02": "a task set does not exist in the snapshot",
    "ME-TASK-03": "tasks and snapshot are about different worlds",
    "ME-TASK-04": "no task of the set can be played on this snapshot",
    "ME-TASK-05": "a task source raised, or returned something that is not a task and its gold",
    "ME-TASK-06": "a task source has too many tasks to list or play them all",
    "ME-INDEX-01": "a route has no index in this snapshot",
    "ME-INDEX-02": "vectors do not fit: dimension, type or range",
    "ME-INDEX-03": "the number of results asked for is not a positive integer",
    "ME-ENC-01": "an encoder's package or folder is absent",
    "ME-ENC-02": "an encoder is not the one that built the index",
    "ME-ENC-03": "a recorded query vector is missing",
    "ME-SANDBOX-01": "the sandbox for model-written code is not available",
    "ME-IMAGE-01": "the bytes are not a picture of an allowed format",
    "ME-IMAGE-02": "the picture is too large",
    "ME-IMAGE-03": "the picture is damaged or has several frames",
    "ME-ARCHIVE-01": "an archive member is not allowed",
    "ME-ARCHIVE-02": "an archive is larger than its limits",
    "ME-TOOL-01": "a tool is declared wrongly",
    "ME-EPISODE-01": "an episode file is damaged",
    "ME-EPISODE-02": "an episode belongs to another world or configuration",
    "ME-REPLAY-01": "a replay gave different bytes",
    "ME-STATS-01": "a statistic is not defined for these numbers",
    "ME-GOLDEN-01": "a golden file is damaged or of a foreign version",
    "ME-GOLDEN-02": "a golden file belongs to another test, or holds a name twice",
    "ME-TESTING-01": "the test harness was used wrongly",
    "ME-RECORD-01": "a recording folder is missing or damaged",
    "ME-RECORD-02": "a secret would have been written",
    "ME-WORLD-01": "a process that draws the pictures of a world died",
    "ME-NET-01": "an address is blocked",
    "ME-MODEL-01": "a model's package or address is missing or wrong",
    "ME-MODEL-02": "a model gave no answer: refused, timed out or unreachable after all attempts",
    "ME-MODEL-03": "a replay has no recorded answer to this request",
    "ME-EVAL-01": "a run folder is damaged or of a foreign version",
    "ME-EVAL-02": "a run folder belongs to another suite or configuration",
    "ME-EVAL-03": "a run cannot play: its worker processes do not start, or every task fails",
    "ME-EVAL-04": "a run folder is in use by another process",
    "ME-JUDGE-01": "a judge is set up wrongly",
}


#: Characters of a clause of a message; of a longer one the middle is left out.
_LONGEST = 2_000


def nearest(name: object, choices: Iterable[object], limit: int = 3) -> list[str]:
    """Return the choices most like ``name``, best first; empty when nothing is close."""
    known = sorted({str(choice) for choice in choices})
    return difflib.get_close_matches(str(name)[:200], known, n=limit, cutoff=0.5)


def shorten(value: object, limit: int = 120) -> str:
    """Show a value in an error: its repr, cut in the middle to ``limit`` characters."""
    try:
        text = repr(value)
    except Exception:  # a value may be too deep, or have a hostile __repr__
        text = f"<{type(value).__name__}>"
    if len(text) <= limit:
        return text
    half = (limit - 5) // 2
    return f"{text[:half]} ... {text[-half:]}"


class MosaicError(Exception):
    """Base of all errors raised by this package.

    Args:
        code: A key of ``CODES``; stable across releases.
        what: What happened, with values.
        expected: What was expected.
        nearest: The nearest things that exist.
        fix: What to do.
    """

    def __init__(
        self,
        code: str,
        what: str,
        *,
        expected: str = "",
        nearest: str | Iterable[str] = (),
        fix: str = "",
    ) -> None:
        if code not in CODES:
            raise KeyError(f"{code} is not in mosaic_env.core.errors.CODES")
        self.code = code
        self.what = what
        self.expected = expected
        self.nearest = nearest if isinstance(nearest, str) else ", ".join(nearest)
        self.fix = fix
        super().__init__(str(self))

    def __str__(self) -> str:
        clauses = [
            self.what,
            f"Expected {self.expected}." if self.expected else "",
            f"Nearest: {self.nearest}." if self.nearest else "",
            self.fix,
        ]
        text = " ".join(_sentence(clause) for clause in clauses if clause)
        return f"{text} [{self.code}]"

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions cross process borders (vector workers, pools); rebuild from the clauses.
        return (_rebuild, (type(self), self.code, self.what, self.expected, self.nearest, self.fix))


def _sentence(clause: str) -> str:
    clause = clause.strip()
    if len(clause) > _LONGEST:  # a value of the caller's stands in it, and nobody reads ten megabytes
        clause = f"{clause[: _LONGEST // 2]} ... {clause[-_LONGEST // 2 :]}"
    if clause.split(" ", 1)[0].isalpha():  # paths, names and commands stay as they are written
        clause = clause[:1].upper() + clause[1:]
    return clause if clause.endswith((".", "!", "?")) else f"{clause}."


def _rebuild(cls: type[MosaicError], code: str, what: str, expected: str, near: str, fix: str) -> MosaicError:
    return cls(code, what, expected=expected, nearest=near, fix=fix)


class ConfigError(MosaicError, ValueError):
    """A wrong argument, preset, name or combination."""


class RegistryError(ConfigError, LookupError):
    """A name that is not registered, or registered twice."""


class CanonError(MosaicError, ValueError):
    """A value without a canonical form, or JSON outside the strict rules."""


class SnapshotError(MosaicError):
    """A snapshot that cannot be found, read or written."""


class CorruptError(SnapshotError):
    """Bytes that are not what the manifest says."""


class FormatError(SnapshotError):
    """A format version that this release does not read."""


class MissError(MosaicError, LookupError):
    """A recorded response that does not exist."""


class DataError(MosaicError, ValueError):
    """An input file that is missing, damaged or not what it should be."""


class TaskError(MosaicError, LookupError):
    """A task, task set or task source."""


class SearchError(MosaicError):
    """An index that is absent, or vectors that do not fit it."""


class EncoderError(MosaicError):
    """An encoder that is absent or is not the one that built the index."""


class SandboxError(MosaicError):
    """No safe way to run model-written code."""


class ImageError(MosaicError, ValueError):
    """A picture that was refused."""


class ArchiveError(MosaicError, ValueError):
    """An archive that was refused."""


class ToolDefinitionError(MosaicError, TypeError):
    """A tool that is declared wrongly (a mistake of its author, not of a model)."""


class EpisodeError(MosaicError, ValueError):
    """An episode file that is damaged or belongs elsewhere."""


class ReplayError(MosaicError):
    """A replay that differs from its episode."""


class WorldError(MosaicError):
    """A fictional world that cannot be made."""


class RecordError(MosaicError):
    """A recording that is damaged or would keep a secret."""


class BlockedError(MosaicError):
    """A network address that the recorder refuses."""


class ModelError(MosaicError):
    """A model that cannot be reached or refuses to answer; never what a model wrote."""


class EvalError(MosaicError, ValueError):
    """A run folder, judge or report that cannot be used."""
