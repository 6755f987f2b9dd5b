"""Numbers as words and with their noun, as people read them: titles, reports, messages."""

from __future__ import annotations

#: Numbers as words, by value.
NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return ``1 file``, ``2 files``, ``1,000 entities``.

    Args:
        noun: In the singular.
        plural: When it is not the noun with an "s".
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
