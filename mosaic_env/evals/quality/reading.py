"""Finding answers in texts: words, values of a vocabulary, and captions of scenes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mosaic_env.core.words import NUMBERS
from mosaic_env.scoring.words import STOP

_WORD = re.compile(r"[^\W_]+")
_DIGITS = {name: str(number) for number, name in enumerate(NUMBERS)}


def words(text: str) -> list[str]:
    """Return the words of a text in small letters, numbers as digits, without the "s" of a plural."""
    return [_folded(word) for word in _WORD.findall(text.casefold())]


def _folded(word: str) -> str:
    if word in _DIGITS:
        return _DIGITS[word]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


class Vocabulary:
    """The answers that a type of question has.

    Args:
        answers: Each once.
    """

    def __init__(self, answers: Iterable[str]) -> None:
        self._by_first: dict[str, list[tuple[list[str], str]]] = {}
        for value in answers:
            spelt = words(value)
            if spelt:
                self._by_first.setdefault(spelt[0], []).append((spelt, value))
        for entries in self._by_first.values():
            entries.sort(key=lambda entry: (-len(entry[0]), entry[1]))

    def first(self, text: Sequence[str]) -> str | None:
        """Return the answer that stands first in a text (of two that start alike, the longer), or None.

        Args:
            text: Words as ``words`` returns them.
        """
        for place, word in enumerate(text):
            for spelt, value in self._by_first.get(word, ()):
                if list(text[place : place + len(spelt)]) == spelt:
                    return value
        return None


def caption(scene: Mapping[str, Any]) -> list[str]:
    """Return what a scene shows as short phrases: "3 yellow stars", 'the ribbon reads "ONWARD"'."""
    phrases = []
    for thing in scene.get("things", ()):
        if not thing.get("hidden"):
            looks = (thing.get(name) for name in ("count", "colour", "pattern", "shape", "style", "name"))
            part = f" as the {thing['role']}" if thing.get("role") else ""
            phrases.append(" ".join(str(look) for look in looks if look is not None) + part)
    for entry in scene.get("lettering", ()):
        phrases.append(f'the {entry["place"]} reads "{entry["text"]}"')
    return phrases


def read_caption(phrases: Sequence[str], question: str, vocabulary: Vocabulary) -> str | None:
    """Return the answer that a caption gives to a question: from the phrase that shares most words with it.

    Returns: A value of the vocabulary, or None when no phrase holds one.
    """
    asked = {word for word in words(question) if word not in STOP}
    best: tuple[int, str] | None = None
    for phrase in phrases:
        spelt = words(phrase)
        # What the question says itself is not its answer: "how many red stars" does not ask for red.
        value = vocabulary.first([word for word in spelt if word not in asked]) or vocabulary.first(spelt)
        shared = len(asked.intersection(spelt))
        if value is not None and (best is None or shared > best[0]):
            best = (shared, value)
    return None if best is None else best[1]
