"""Texts of entities from templates: every fact is said by name, chance picks and joins the words.

A text is an opening, then what is left to say in sentences of one to three predicates ("was shot by X"), in an
order and in frames that chance picks, then perhaps an aside that is true of nothing in the graph.

Fields in braces: ``{label}``, ``{noun}``, ``{year}``, ``{until}``, ``{they}``, ``{their}``, ``{them}`` (with a
capital: ``{They}``), ``{number}`` (a harmless quantity) and relation ids (``{P57}``: the labels at the other
end, as a list).
Templates must not say how anything looks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from string import Formatter

Variants = tuple[str, ...]
#: "a" before a letter that is spoken as a vowel: not in "a university", "a European".
_ARTICLE = re.compile(r"\b([Aa]) (?=[AEIOUaeiou])(?!uni|eu|Eu|one\b)")
#: Said by the noun in every opening: what a thing is, what a person does.
_IMPLIED = frozenset({"P31", "P106"})
#: How sentences are built around one, two and three predicates.
FRAMES: dict[int, Variants] = {
    1: (
        "{They} {a}.",
        "The {noun} {a}.",
        "{label} {a}.",
        "As far as is known, {they} {a}.",
        "Records agree that {they} {a}.",
        "{They} {a}, as several sources confirm.",
        "It is well attested that {they} {a}.",
    ),
    2: (
        "{They} {a} and {b}.",
        "{They} {a}; {they} also {b}.",
        "The {noun} {a} and {b}.",
        "{They} {a}, and {they} {b}.",
        "{label} {a} and {b}.",
        "Besides, {they} {a} and {b}.",
        "It is known that {they} {a} and that {they} {b}.",
        "{They} {a}; what is more, {they} {b}.",
    ),
    3: (
        "{They} {a}, {b} and {c}.",
        "{They} {a}, {b}, and also {c}.",
        "The {noun} {a}, {b} and {c}.",
        "{They} {a} and {b}; {they} also {c}.",
        "{They} {a}; {they} {b} and {c}.",
        "{label} {a}, {b} and {c}.",
        "According to the yearbooks, {they} {a}, {b} and {c}.",
    ),
}
#: Up to so many predicates, a sentence may have a single one.
_FEW = 4


@dataclass(frozen=True)
class Prose:
    """How a kind is described.

    Args:
        descriptions: Short phrases without the label.
        openings: First sentences, without the full stop; each says the noun.
        says: Predicates by relation, in the third person singular: "was shot by {P344}".
        asides: Distractors: true of nothing in the graph, about no picture.
    """

    descriptions: Variants
    openings: Variants
    says: Mapping[str, Variants]
    asides: Variants


def listed(names: Sequence[str]) -> str:
    """Return "A, B and C"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def describe(rng: Random, prose: Prose, fields: Mapping[str, str]) -> str:
    """Return a short description: one of those that say most."""
    possible = _possible(prose.descriptions, fields.keys())
    most = max((len(_relations(v)) for v in possible), default=0)
    best = [v for v in possible if len(_relations(v)) == most]
    return articled(rng.choice(best).format_map(fields)) if best else fields["noun"]


def narrate(rng: Random, prose: Prose, fields: Mapping[str, str], relations: Mapping[str, str]) -> str:
    """Return the text of an entity: two to eight sentences, mostly with an aside.

    Args:
        fields: Values of the templates.
        relations: Label of each relation the entity has; one that no predicate says gets a plain
            sentence, so that no fact is left unsaid.
    """
    opening = rng.choice(_possible(prose.openings, fields.keys()))
    text = [f"{opening.format_map(fields)}."]
    left = [r for r in sorted(relations.keys() - _IMPLIED - _relations(opening)) if r in prose.says]
    rng.shuffle(left)
    text += _sentences(rng, [rng.choice(prose.says[r]).format_map(fields) for r in left], fields)
    for relation in sorted(relations.keys() - _IMPLIED - _relations(opening) - set(left)):
        text.append(f"{fields['Their']} {relations[relation]}: {fields[relation]}.")
    if len(text) < 2 or rng.randrange(100) < 65:
        text.insert(rng.randint(1, len(text)), rng.choice(prose.asides).format_map(fields))
    return articled(" ".join(sentence[:1].upper() + sentence[1:] for sentence in text))


def articled(text: str) -> str:
    """Return a text in which "a" before a vowel reads "an"."""
    return _ARTICLE.sub(lambda found: f"{found[1]}n ", text)


def _sentences(rng: Random, predicates: list[str], fields: Mapping[str, str]) -> list[str]:
    """Join predicates to sentences; where there are many, none stands alone."""
    text: list[str] = []
    while predicates:
        size = min(len(predicates), rng.choice((1, 2, 3) if len(predicates) <= _FEW else (2, 3, 3)))
        parts = dict(zip("abc", predicates[:size], strict=False))
        text.append(rng.choice(FRAMES[size]).format_map({**fields, **parts}))
        predicates = predicates[size:]
    return text


def _possible(variants: Variants, known: Set[str]) -> list[str]:
    return [v for v in variants if _fields(v) <= known]


@lru_cache(maxsize=4096)
def _fields(template: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name)


@lru_cache(maxsize=4096)
def _relations(template: str) -> frozenset[str]:
    return frozenset(name for name in _fields(template) if name[0] == "P" and name[1:].isdigit())
