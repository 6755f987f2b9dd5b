"""Labelled pairs made by rule from given answers, by transformations that know nothing of the scorer.

Every rule has its own small word table and refuses an answer it cannot transform without doubt about
the label. ``derive(rows, level)`` is deterministic.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from random import Random

from tests.scoring.pairs import Pair

COLOURS = {
    "red": "blue",
    "blue": "yellow",
    "green": "purple",
    "yellow": "blue",
    "orange": "green",
    "purple": "green",
    "pink": "black",
    "brown": "blue",
    "black": "white",
    "white": "black",
    "grey": "red",
    "gray": "red",
    "gold": "green",
    "golden": "blue",
    "silver": "pink",
}
NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
NUMBERS += ["eleven", "twelve"]
SPELLINGS = [
    ("grey", "gray"),
    ("moustache", "mustache"),
    ("colour", "color"),
    ("colored", "coloured"),
    ("checkered", "chequered"),
    ("center", "centre"),
    ("armor", "armour"),
]
SYNONYMS = [
    ("circular", "round"),
    ("large", "big"),
    ("upper", "top"),
    ("lower", "bottom"),
    ("photograph", "photo"),
    ("reddish", "red"),
    ("golden", "gold"),
    ("wooden", "wood"),
    ("eyeglasses", "glasses"),
    ("To the right", "On the right"),
    ("horizontally", "horizontal"),
    ("beneath", "under"),
]
JOINED = [("light bulb", "lightbulb"), ("bow tie", "bowtie"), ("cell phone", "cellphone")]
WRAPPERS = [
    "The answer is {x}.",
    "Final answer: {x}",
    "It is {x}.",
    "I believe the correct answer is {x}.",
    "Based on the image, it appears to be {x}.",
    "According to the picture, the answer would be {x}",
    "After looking at the evidence I conclude that it is {x}.",
    "{x} is what is shown in the image.",
    "From the search results, the final answer is: {x}",
    "In the photograph we can see {x}.",
    "So the answer should be {x}.",
    "My answer: {x}",
    "{x}. This can be read off the picture.",
    "Answer: {x} (visible in kb_3)",
    "The requested detail is {x}",
    "Judging by the cover, I'd say {x}",
    "It looks like it's {x}.",
    "**{x}**",
    "We found that it's {x}.",
    "The final answer, after checking the page, is {x}.",
    "The image clearly shows {x}.",
    "The thing asked about is {x}",
]
NEGATIONS = [
    "Not {x}",
    "It is not {x}.",
    "It isn't {x}",
    "Anything but {x}",
    "There is no {x} in the picture.",
    "The answer is definitely not {x}.",
    "Everything except {x}",
    "I don't think it is {x}.",
    "{x} is wrong; it is something else.",
    "Certainly neither {x} nor anything like it",
    "It used to be {x} but no longer is",
    "It can't be {x}",
    "The claim that it is {x} is false",
    "Opposite of {x}",
    "{x}? No.",
    "{y}, not {x}",
    "It's not {x} but {y}",
    "instead of {x} there is {y}",
]
HEDGES = [
    "{x} or {y}",
    "Either {y} or {x}",
    "{x}, or possibly {y}",
    "It could be {x} or {y}; I am not certain.",
    "{y} / {x}",
    "Maybe {x}, maybe {y}.",
    "{y}? Or {x}?",
    "perhaps {x} perhaps {y}",
    "{x} vs {y}",
    "{y} (or {x})",
    "{x} ({y}?)",
    "it is {x}, unless it is {y}",
    "{x}|{y}",
    "first guess {x}, second guess {y}",
    "Option 1: {x}\nOption 2: {y}",
    "somewhere between {x} and {y}",
]
LISTS = [
    "{x}, {y}, {z}, {w}",
    "{z}; {x}; {w}; {y}",
    "- {y}\n- {z}\n- {x}\n- {w}",
    "{w}, {z}, {y} and {x}",
    "{y} and {x} and {z} and {w}",
    "All of the following: {y}, {z}, {x}",
    "1. {y} 2. {z} 3. {x} 4. {w}",
    "{y} + {z} + {x}",
    "A) {x} B) {y} C) {z}",
    "{y} {z} {x} {w}",
    "It is {x}. It is {y}. It is {z}.",
    "candidates are {x}, {y} and {z}",
]
ADJECTIVES = ["small", "old", "weathered", "ornate", "slightly faded"]
TAILS = [" in the middle of the picture", ", seen on the left side", " with a thin outline", " on the wall"]
NO_ORDER = re.compile(r"order|respectively|left to right|top to bottom|sequence|first|then", re.IGNORECASE)
SAFE_NOUN = re.compile(r"(?:a|an) [a-z]+(?: [a-z]+){0,2}\.?", re.IGNORECASE)
Rows = Iterable[Mapping[str, object]]


def _key(text: str) -> frozenset[str]:
    words = re.findall(r"[^\W_]+", text.lower())
    return frozenset(word.rstrip("s") for word in words if word not in ("a", "an", "the", "of", "and", "in"))


def _bare(text: str) -> str:
    return text.strip().rstrip(".").strip()


def _lower_first(text: str) -> str:
    """Lower the first letter of a phrase, as inside a sentence; capitals and names stay."""
    words = text.split()
    plain = len(text) > 1 and text[0].isupper() and text[1:] == text[1:].lower()
    return text[0].lower() + text[1:] if plain and words else text


def paraphrases(gold: str, random: Random) -> Iterator[str]:
    bare = _bare(gold)
    yield random.choice([bare.lower() + ".", f'"{bare}"', bare.upper(), f"  {bare} \n"])
    match = re.match(r"(?:a|an|the) (.+)", bare, re.IGNORECASE)
    yield match.group(1) if match else f"The {_lower_first(bare)}"
    for one, other in [*SPELLINGS, *JOINED]:
        for old, new in ((one, other), (other, one)):
            if re.search(rf"\b{old}\b", bare, re.IGNORECASE):
                yield re.sub(rf"\b{old}\b", new, bare, flags=re.IGNORECASE)
    for value, word in enumerate(NUMBERS[2:], start=2):
        if re.fullmatch(rf"(?:{word}|{value})\b[^.,]*", bare, re.IGNORECASE):
            rest = re.sub(r"^\w+", "", bare)
            yield (str(value) if bare[0].isalpha() else word) + rest
    if " & " in bare or " and " in bare:
        yield bare.replace(" & ", " and ") if " & " in bare else bare.replace(" and ", " & ", 1)
    if " and " in bare and "," not in bare and not re.search(r" or |/|between", bare):
        yield bare.replace(" and ", " as well as ", 1)
    for old, new in SYNONYMS:
        if re.search(rf"\b{old}\b", bare, re.IGNORECASE) and not bare.isupper():
            yield re.sub(rf"\b{old}\b", new, bare, flags=re.IGNORECASE)
    if re.search(r"\w-\w", bare) and not re.search(r"\d", bare):
        yield bare.replace("-", " ")
    if re.fullmatch(r"[A-Z][a-z]+ \d{1,2}, \d{4}", bare):
        month, day, year = re.findall(r"\w+", bare)
        yield f"{day} {month} {year}"


def more_specific(gold: str, random: Random) -> Iterator[str]:
    bare = _bare(gold)
    if bare.lower() in COLOURS:
        yield f"{random.choice(['dark', 'bright', 'deep'])} {bare.lower()}"
        yield f"{bare}, clearly visible near the top"
        return
    if SAFE_NOUN.fullmatch(bare):
        rest = bare.split(" ", 1)[1]
        if not any(word in rest for word in ("small", "old", "large", "tiny", "young")):
            yield f"a {random.choice(ADJECTIVES[:4])} {rest}"
        yield bare + random.choice(TAILS)
    if bare.lower() in NUMBERS[2:] or re.fullmatch(r"[2-9]", bare):
        yield f"There are exactly {bare.lower()} of them."
        yield f"{bare} of them, side by side"


def reordered(gold: str, question: str) -> Iterator[str]:
    bare = _bare(gold)
    if NO_ORDER.search(question) or re.search(r"[;:/()]| or | with | of ", bare):
        return
    items = [item for item in re.split(r",? and |, ", bare) if item]
    even = len({len(item.split()) for item in items}) == 1
    named = all(re.match("an? ", item, re.IGNORECASE) for item in items)
    if len(items) >= 2 and all(len(item.split()) <= 4 for item in items) and (even or named):
        turned = [_lower_first(item) for item in reversed(items)]
        yield ", ".join(turned[:-1]) + " and " + turned[-1]
        yield "; ".join(turned)


def wrapped(gold: str, random: Random) -> Iterator[str]:
    bare = _bare(gold)
    if len(bare.split()) <= 6:
        for wrapper in random.sample(WRAPPERS, 3):
            yield wrapper.format(x=_lower_first(bare))


def wrong_colour(gold: str) -> Iterator[str]:
    bare = _bare(gold)
    if re.search(r" or |/|\(|^Yes", bare):
        return
    found = [word for word in re.findall(r"[a-z]+", bare.lower()) if word in COLOURS]
    for word in found[:2]:
        if COLOURS[word] not in found:
            yield re.sub(rf"\b{word}\b", COLOURS[word], bare, count=1, flags=re.IGNORECASE)


def wrong_count(gold: str) -> Iterator[str]:
    bare = _bare(gold)
    match = re.match(r"\w+", bare)
    if match and match.group().lower() in NUMBERS[1:]:
        value = NUMBERS.index(match.group().lower())
        yield NUMBERS[value - 1 if value > 6 else value + 1] + bare[match.end() :]
        yield str(value + 2) + bare[match.end() :]
    elif match and match.group().isdigit():
        yield str(int(match.group()) + 1) + bare[match.end() :]


def part_missing(gold: str) -> Iterator[str]:
    bare = _bare(gold)
    if re.search(r" or |/|\(|^Yes", bare) or bare.isupper():
        return
    items = [item for item in re.split(r"; |,? and |, ", bare) if item]
    if (
        2 <= len(items) <= 5
        and all(_key(item) for item in items)
        and len(set(map(_key, items))) == len(items)
    ):
        yield ", ".join(items[:-1])
        yield items[-1]


def _filled(forms: list[str], gold: str, others: list[str], random: Random) -> Iterator[str]:
    """Fill three of the forms with a short answer and other answers."""
    bare = _bare(gold)
    if len(bare.split()) > 5 or len(others) < 3 or re.match(r"(?:no|not|yes)\b", bare, re.IGNORECASE):
        return
    y, z, w = (_lower_first(_bare(other)) for other in others[:3])
    for form in random.sample(forms, 3):
        yield form.format(x=_lower_first(bare), y=y, z=z, w=w)


def _foreign(gold: str, pool: list[str], random: Random) -> list[str]:
    """Return other answers that share no word with this one and have about its length."""
    mine = _key(gold)
    fitting = [
        other
        for other in pool
        if _key(other)
        and len(other.split()) <= 5
        and not any(a[:4] == b[:4] for a in _key(other) for b in mine)
    ]
    alike = [other for other in fitting if (other.lower() in COLOURS) == (gold.lower() in COLOURS)]
    chosen = alike if len(alike) >= 5 else fitting
    return random.sample(chosen, min(6, len(chosen)))


def derive(rows: Rows, level: str) -> Iterator[Pair]:
    """Yield pairs for every row; the same rows give the same pairs."""
    listed = list(rows)
    pool = sorted({str(row["answer"]) for row in listed if "\n" not in str(row["answer"])})
    for row in listed:
        gold, question = str(row["answer"]), str(row["question"])
        if "\n" in gold or not _key(gold):
            continue
        random = Random(f"{level}/{row['id']}")
        others = _foreign(gold, pool, random)
        made: list[tuple[str, bool, Iterable[str]]] = [
            ("paraphrase", True, paraphrases(gold, random)),
            ("more_specific", True, more_specific(gold, random)),
            ("reordered", True, reordered(gold, question)),
            ("wrapped", True, wrapped(gold, random)),
            ("wrong_colour", False, wrong_colour(gold)),
            ("wrong_count", False, wrong_count(gold)),
            ("part_missing", False, part_missing(gold)),
            ("negated", False, _filled(NEGATIONS, gold, others, random)),
            ("hedged", False, _filled(HEDGES, gold, others, random)),
            ("everything", False, _filled(LISTS, gold, others, random)),
            ("other", False, [_bare(other) for other in others[:2]]),
            ("question", False, [question]),
        ]
        for family, label, answers in made:
            for answer in answers:
                yield Pair(f"{level}/{row['id']}", family, question, gold, (), "", answer, label, level)
