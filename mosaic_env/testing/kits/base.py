"""What the check kits share: the failure, the list of checks, leaks in text."""

from __future__ import annotations

import pickle
import platform
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import mosaic_env


class CheckFailed(AssertionError):
    """A part breaks its contract; the message says where and what to do.

    Args:
        check: The check that failed.
        what: What was found.
        fix: What to do.
    """

    def __init__(self, check: str, what: str, fix: str = "") -> None:
        super().__init__(f"{check}: {what}." + (f" {fix}." if fix else ""))
        self.check, self.what, self.fix = check, what, fix


#: A check: its name, and what runs it; it may return a note for the report.
Check = tuple[str, Callable[[], str | None]]


class Broken(Exception):
    """Raised inside a check; ``run_checks`` adds the name of the check."""

    def __init__(self, what: str, fix: str = "") -> None:
        super().__init__(what)
        self.what, self.fix = what, fix


def run_checks(part: str, checks: Sequence[Check]) -> list[str]:
    """Run checks in order and return their names, with notes.

    Raises: CheckFailed for the first that fails; an unexpected exception fails its check too.
    """
    done: list[str] = []
    for name, check in checks:
        try:
            note = check()
        except Broken as broken:
            raise CheckFailed(f"{part}, {name}", broken.what, broken.fix) from broken.__cause__
        except Exception as error:
            raise CheckFailed(f"{part}, {name}", f"{type(error).__name__} was raised: {error}") from error
        done.append(f"{name} ({note})" if note else name)
    return done


def expect(condition: object, what: str, fix: str = "") -> None:
    """Fail the running check when a condition does not hold."""
    if not condition:
        raise Broken(what, fix)


def pickled(value: Any) -> Any:
    """Return a copy that went through pickle; nothing else is ever unpickled."""
    return pickle.loads(pickle.dumps(value))  # noqa: S301 - bytes written in this line


def texts(value: Any) -> Iterator[str]:
    """Yield every text in plain data, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from texts(key)
            yield from texts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from texts(item)


#: Places of a person or a run; other absolute paths may be what a page is about.
_ABSOLUTE = re.compile(
    r"(?<![\w<./:])/(?:home|root|tmp|var/folders|Users|private)/[\w.-]+|\b[A-Za-z]:\\Users\\\w"
)


def leak(value: Any, *, folders: Sequence[str] = (), given: str = "") -> str:
    """Return a path or host name that stands in plain data, or ``""``.

    Args:
        folders: Further folders that must not appear.
        given: Text that may be quoted: what the model itself wrote.
    """
    host = platform.node()
    known = [
        str(Path.home()),
        str(Path.cwd()),
        tempfile.gettempdir(),
        str(Path(mosaic_env.__file__).parent),
        *folders,
    ]
    secrets = [text for text in known if len(text) > 4]
    # A short host name is an ordinary word.
    secrets += [host] if len(host) > 5 and host not in ("localhost",) else []
    for text in texts(value):
        found = next((secret for secret in secrets if secret in text and secret not in given), "")
        match = None if found else _ABSOLUTE.search(text)
        if match is not None and match.group() not in given:
            found = text[match.start() : match.start() + 40]
        if found:
            return found
    return ""
