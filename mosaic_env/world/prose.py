"""Texts of entities from sentence templates: every fact is said by name, chance picks the words.

Fields in braces: ``{label}``, ``{noun}``, ``{year}``, ``{until}``, ``{they}``, ``{their}``, ``{them}`` (with a
capital: ``{They}``), ``{number}`` (a harmless quantity) and relation ids (``{P57}``: the labels at the other
end, as a list).
Templates must not say how anything looks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from string import Formatter

Variants = tuple[str, ...]
#: "a" before a letter that is spoken as a vowel: not in "a university", "a European".
_ARTICLE = re.compile(r"\b([Aa]) (?=[AEIOUaeiou])(?!uni|eu|Eu|one\b)")


@dataclass(frozen=True)
class Sentence:
    """A sentence: an opening, and clauses that follow when their facts exist.

    Args:
        openings: Variants; those whose fields all exist can be chosen, the ones that say most first.
        clauses: Variants of each further clause, in order.
    """

    openings: Variants
    clauses: tuple[Variants, ...] = ()


@dataclass(frozen=True)
class Prose:
    """How a kind is described.

    Args:
        descriptions: Short phrases without the label.
        sentences: Their order is the order of the text.
        asides: Distractors: true of nothing in the graph, about no picture.
    """

    descriptions: Variants
    sentences: tuple[Sentence, ...]
    asides: Variants


def listed(names: Sequence[str]) -> str:
    """Return "A, B and C"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def describe(rng: Random, prose: Prose, fields: Mapping[str, str]) -> str:
    """Return a short description."""
    return _filled(rng, prose.descriptions, fields) or fields["noun"]


def narrate(rng: Random, prose: Prose, fields: Mapping[str, str], relations: Mapping[str, str]) -> str:
    """Return the text of an entity: two to four sentences, one of them an aside more often than not.

    Args:
        fields: Values of the templates.
        relations: Label of each relation the entity has; one that no template says gets a plain
            sentence, so that no fact is left unsaid.
    """
    said: set[str] = set()
    text: list[str] = []
    for sentence in prose.sentences:
        written = _written(rng, sentence, fields, said)
        if written:
            text.append(written)
    for relation in sorted(relations.keys() - said):
        text.append(f"{fields['Their']} {relations[relation]}: {fields[relation]}.")
    if len(text) < 2 or (len(text) < 4 and rng.random() < 0.6):
        text.insert(rng.randint(1, len(text)), _filled(rng, prose.asides, fields))
    return articled(" ".join(text))


def articled(text: str) -> str:
    """Return a text in which "a" before a vowel reads "an"."""
    return _ARTICLE.sub(lambda found: f"{found[1]}n ", text)


def _written(rng: Random, sentence: Sentence, fields: Mapping[str, str], said: set[str]) -> str:
    parts: list[str] = []
    for variants in (sentence.openings, *sentence.clauses):
        fresh = tuple(v for v in variants if not (_relations(v) & said))
        part = _filled(rng, fresh, fields, said)
        if not part and not parts:
            return ""
        parts.append(part)
    return "".join(parts) + "."


def _filled(rng: Random, variants: Variants, fields: Mapping[str, str], said: set[str] | None = None) -> str:
    """Fill in one of the variants that say the most of what is known; note which relations it says."""
    possible = [v for v in variants if _fields(v) <= fields.keys()]
    if not possible:
        return ""
    most = max(len(_relations(v)) for v in possible)
    chosen = rng.choice([v for v in possible if len(_relations(v)) == most])
    if said is not None:
        said |= _relations(chosen)
    return chosen.format_map(fields)


@lru_cache(maxsize=4096)
def _fields(template: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name)


def _relations(template: str) -> frozenset[str]:
    return frozenset(name for name in _fields(template) if name[0] == "P" and name[1:].isdigit())
