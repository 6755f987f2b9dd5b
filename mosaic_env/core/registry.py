"""One small registry for everything that can be added by name.

Tools, encoders, task sources and agents all use it, the bundled ones included, so the way a
stranger adds a part is the way the package adds its own.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar, cast

from mosaic_env.core.errors import RegistryError, nearest, shorten

T = TypeVar("T")

#: What most names look like: words of small letters, digits, ``_`` and ``-``, 64 characters at most.
WORDS = r"(?=.{1,64}\Z)[A-Za-z][a-z0-9_-]*( [a-z0-9_-]+)*"
#: What a name looks like that models and programs write.
IDENTIFIER = r"[a-z][a-z0-9_]{0,63}"


class Registry(Generic[T]):
    """Names mapped to parts; a part may be a dotted path that is imported when first asked for.

    Args:
        kind: What the entries are, in the singular, for error messages ("tool").
        names: The pattern that every name must match as a whole.
    """

    def __init__(self, kind: str, names: str = WORDS) -> None:
        self.kind = kind
        self._names = names
        self._entries: dict[str, T | str] = {}

    def add(self, name: str, entry: T | str) -> None:
        """Register an entry, or a dotted path ``"package.module:attribute"`` to it.

        Raises: RegistryError (ME-REGISTRY-02) when the name is taken by something else, (-03) when it
            is not a name.
        """
        self._check_name(name)
        known = self._entries.get(name)
        if known is not None and not _same(known, entry):
            raise RegistryError(
                "ME-REGISTRY-02",
                f"the {self.kind} {name!r} is registered twice",
                expected="one entry per name",
                fix="Choose another name, or remove the first registration",
            )
        if known is None or isinstance(known, str):
            self._entries[name] = entry

    def register(self, name: str) -> Callable[[T], T]:
        """Return a decorator that registers what it decorates under ``name``."""

        def decorate(entry: T) -> T:
            self.add(name, entry)
            return entry

        return decorate

    def _check_name(self, name: object) -> None:
        if not isinstance(name, str) or re.fullmatch(self._names, name) is None:
            raise RegistryError(
                "ME-REGISTRY-03",
                f"a {self.kind} cannot be registered as {shorten(name)}",
                expected=f"a name that matches {self._names}",
                nearest=_like(name) if re.fullmatch(self._names, _like(name)) else (),
            )

    def remove(self, name: str) -> None:
        """Forget a name; unknown names are ignored."""
        self._entries.pop(name, None)

    def get(self, name: str) -> T:
        """Return the entry, importing it when it is a dotted path.

        Raises: RegistryError (ME-REGISTRY-01) naming the nearest entries.
        """
        entry = self._entries.get(name)
        if entry is None:
            raise RegistryError(
                "ME-REGISTRY-01",
                f"there is no {self.kind} {name!r}",
                expected="one of " + ", ".join(sorted(self._entries)),
                nearest=nearest(name, self._entries),
                fix=f"Register it, or import the module that registers your own {self.kind}",
            )
        if isinstance(entry, str):
            module, _, attribute = entry.partition(":")
            entry = cast(T, getattr(importlib.import_module(module), attribute))
            self._entries[name] = entry
        return entry

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._entries))

    def __len__(self) -> int:
        return len(self._entries)


def _like(name: object) -> str:
    """Return a name made of the letters and digits of a wrong one."""
    return re.sub(r"[^a-z0-9]+", "_", str(name)[:64].lower()).strip("_") if isinstance(name, str) else ""


def _same(known: object, entry: object) -> bool:
    """Tell whether an entry and a dotted path name the same part (a lazy path, then its module)."""
    if known is entry:
        return True
    if isinstance(known, str) and not isinstance(entry, str):
        dotted = f"{getattr(entry, '__module__', '')}:{getattr(entry, '__qualname__', '')}"
        return known == dotted
    return known == entry if isinstance(known, str) else False
