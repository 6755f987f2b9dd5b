"""Colours: names, families, modifiers, and how two sets of shades relate.

A shade is a name with modifiers: "dark reddish brown" is ``Shade("brown", {"dark", "red~"})``. A
name belongs to a family when everybody would call it so (crimson is red), and is merely near
others when people differ (teal, maroon). Must not: read text; ``tokens`` finds shades.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from mosaic_env.scoring.words import word_set

Relation = Literal["same", "specific", "general", "near", "missing", "extra", "wrong"]

#: family: its members. "name" alone is a family of its own.
_FAMILIES = """
red: crimson scarlet maroon burgundy vermilion ruby cherry cardinal carmine oxblood brick
orange: tangerine apricot amber
yellow: lemon mustard canary saffron
green: lime olive emerald jade mint chartreuse forest moss sage
blue: navy azure cobalt cerulean indigo ultramarine sapphire
purple: violet lavender lilac mauve plum amethyst aubergine
pink: fuchsia rose salmon blush
brown: chestnut chocolate sepia umber mahogany hazel auburn
black: jet ebony onyx
white: snow
gray: charcoal slate ash
gold:
silver:
cyan:
turquoise:
teal:
magenta:
beige: tan khaki fawn sand buff ecru
cream: ivory offwhite
bronze:
copper:
rust:
terracotta:
coral:
peach:
"""
_NEAR = """
cyan blue green turquoise teal
turquoise blue green
teal blue green
magenta pink purple
fuchsia magenta purple
violet blue
indigo purple
maroon brown
burgundy purple
amber yellow gold
gold yellow
mustard gold
saffron orange
beige brown white cream yellow
cream white yellow
silver gray white
bronze brown gold
copper orange brown
rust orange brown red
terracotta orange red brown
coral orange pink red
peach orange pink
salmon orange
tan brown
khaki green brown
lime yellow
chartreuse yellow
olive brown
charcoal black
rose red
plum red
lilac pink
mauve pink
brick brown
"""
#: Names that are also things; they count as colours only where nothing else stands beside them.
AMBIGUOUS = word_set(
    "ruby cherry cardinal brick apricot lemon canary saffron amber lime olive emerald jade mint forest",
    "moss sage sapphire violet lavender lilac plum amethyst aubergine rose salmon chestnut chocolate",
    "mahogany hazel jet ebony onyx snow slate ash sand bronze copper rust coral peach cream ivory",
    "tangerine terracotta blush buff fawn charcoal tan",
)
_SPELLINGS = {
    "grey": "gray",
    "golden": "gold",
    "silvery": "silver",
    "aqua": "cyan",
    "vermillion": "vermilion",
}
_ISH = {
    "reddish": "red",
    "orangish": "orange",
    "orangeish": "orange",
    "yellowish": "yellow",
    "greenish": "green",
    "bluish": "blue",
    "blueish": "blue",
    "purplish": "purple",
    "purpleish": "purple",
    "pinkish": "pink",
    "brownish": "brown",
    "blackish": "black",
    "whitish": "white",
    "grayish": "gray",
    "greyish": "gray",
}
MODIFIERS = {
    "light": "light",
    "pale": "light",
    "pastel": "light",
    "dark": "dark",
    "deep": "dark",
    "darker": "dark",
    "lighter": "light",
    "bright": "bright",
    "vivid": "bright",
    "brilliant": "bright",
    "neon": "bright",
    "vibrant": "bright",
    "dull": "dull",
    "muted": "dull",
    "royal": "royal",
    "sky": "light",
    "baby": "light",
    "hot": "bright",
    "warm": "warm",
    "solid": "",
    "pure": "",
    "plain": "",
}
_OPPOSITE = {"light": "dark", "dark": "light", "bright": "dull", "dull": "bright"}
_BUILT_IN = {"navy": "dark", "maroon": "dark", "burgundy": "dark", "lavender": "light", "lilac": "light"}


def _families() -> dict[str, str]:
    table: dict[str, str] = {}
    for line in _FAMILIES.strip().splitlines():
        head, _, members = line.partition(":")
        table[head] = head
        table.update(dict.fromkeys(members.split(), head))
    return table


FAMILY = _families()
NEAR = {row[0]: frozenset(row[1:]) for row in (line.split() for line in _NEAR.strip().splitlines())}


@dataclass(frozen=True, slots=True)
class Shade:
    """A colour name with its modifiers; a modifier like ``red~`` comes from "reddish"."""

    name: str
    modifiers: frozenset[str] = frozenset()

    @property
    def names(self) -> frozenset[str]:
        """The names that make it up: brown and red for "red-brown" or "reddish brown"."""
        parts = {part.rstrip("~") for part in self.modifiers}
        return frozenset({self.name} | {part for part in parts if part in FAMILY})

    @property
    def degrees(self) -> frozenset[str]:
        """Its modifiers that are not colours: light, dark, bright."""
        return frozenset(part for part in self.modifiers if part.rstrip("~") not in FAMILY)


def colour_name(word: str) -> str:
    """Return the canonical name of a colour word, or ``""``."""
    word = _SPELLINGS.get(word, _ISH.get(word, word))
    return word if word in FAMILY else ""


def is_ish(word: str) -> bool:
    """Tell whether a word is a weakened colour: reddish."""
    return word in _ISH


def relate(gold: Iterable[Shade], answer: Iterable[Shade]) -> Relation:
    """Return how the shades of an answer stand to those of a reference.

    ``specific`` and ``general`` are seen from the answer: dark red is specific to red. ``missing``
    and ``extra`` count colours; ``wrong`` is another colour.
    """
    gold, answer = frozenset(gold), frozenset(answer)
    if _all_names(gold) == _all_names(answer) and _all_degrees(gold) == _all_degrees(answer):
        return "same"
    pairs = {g: {a: _relate_one(g, a) for a in answer} for g in gold}
    best = {g: min(row.values(), key=_RANK.__getitem__) for g, row in pairs.items()}
    found = [g for g in gold if best[g] != "wrong"]
    if not found:
        return "wrong"
    if len(found) < len(gold):
        return "wrong" if len(answer) >= len(gold) else "missing"
    closest = [min((row[a] for row in pairs.values()), key=_RANK.__getitem__) for a in answer]
    if "wrong" in closest:
        return "extra"
    if len(answer) < len(gold):
        return "missing"
    return max([*best.values(), *closest], key=_RANK.__getitem__)


_RANK: dict[Relation, int] = {
    "same": 0,
    "specific": 1,
    "general": 2,
    "near": 3,
    "missing": 4,
    "extra": 5,
    "wrong": 6,
}


def _all_names(shades: frozenset[Shade]) -> frozenset[str]:
    return frozenset(name for shade in shades for name in shade.names)


def _all_degrees(shades: frozenset[Shade]) -> frozenset[tuple[str, frozenset[str]]]:
    marked = [shade for shade in shades if shade.degrees]
    return frozenset((shade.name, shade.degrees) for shade in marked)


def _relate_one(gold: Shade, answer: Shade) -> Relation:
    names = _relate_names(gold, answer)
    if names in ("wrong", "near"):
        return names
    mine, theirs = _degrees(gold), _degrees(answer)
    if any(_OPPOSITE.get(part) in theirs for part in mine):
        return "wrong"
    if not gold.degrees - {"bright"} <= theirs:
        return "general"
    return "specific" if names == "same" and answer.degrees > gold.degrees else names


def _degrees(shade: Shade) -> frozenset[str]:
    built_in = _BUILT_IN.get(shade.name, "")
    return shade.degrees | {built_in} if built_in else shade.degrees


def _relate_names(gold: Shade, answer: Shade) -> Relation:
    if gold.names == answer.names:
        return "same"
    if len(gold.names) > 1 or len(answer.names) > 1:
        return _relate_compounds(gold, answer)
    return _relate_words(gold.name, answer.name)


def _relate_compounds(gold: Shade, answer: Shade) -> Relation:
    if len(gold.names) == 1 and _relate_words(gold.name, answer.name) in ("same", "specific"):
        weak = all(part.endswith("~") for part in answer.modifiers if part.rstrip("~") in FAMILY)
        return "specific" if weak else "near"
    if gold.names & answer.names:
        return "general" if answer.names < gold.names else "near"
    return "wrong"


def _relate_words(gold: str, answer: str) -> Relation:
    if gold == answer:
        return "same"
    if FAMILY[answer] == gold:
        return "specific"
    if FAMILY[gold] == answer:
        return "general"
    near = NEAR.get(gold, frozenset()) | {gold, FAMILY[gold]}
    back = NEAR.get(answer, frozenset()) | {answer, FAMILY[answer]}
    if answer in near or gold in back:
        return "near"
    return "near" if FAMILY[gold] == FAMILY[answer] and FAMILY[gold] in ("cream", "beige") else "wrong"
