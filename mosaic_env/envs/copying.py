"""Environments are not copied: they share a world with locks, caches and files."""

from __future__ import annotations

from typing import ClassVar, NoReturn, SupportsIndex


class NotCopied:
    """Refuses pickle and copy with a sentence that says what to use instead."""

    _instead: ClassVar[str] = "save get_state() and call set_state() on another one, or call fork()"

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        name = type(self).__name__
        raise TypeError(f"a {name} cannot be pickled or copied, it shares its world: {self._instead}")
