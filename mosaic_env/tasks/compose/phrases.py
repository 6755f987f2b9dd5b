"""Words: how kinds of picture and what they show are said in English; ``relations`` has those of relations."""

from __future__ import annotations

import re

from mosaic_env.tasks.compose.relations import RELATIONS as RELATIONS
from mosaic_env.tasks.compose.scene_query import Ask

#: What people call a kind of picture.
PICTURES = {
    "flag": "flag", "skyline": "picture", "portrait": "portrait", "poster": "poster", "cover": "cover", "logo": "logo",
    "crest": "crest", "stage": "picture", "animal": "picture", "vehicle": "picture", "facade": "picture",
    "still life": "picture", "landscape": "landscape", "map": "map", "stamp": "stamp", "plant": "picture",
    "instrument": "picture", "sculpture": "picture",
}  # fmt: skip
_ON = ("flag", "poster", "cover", "logo", "crest", "map", "stamp")

_PLURALS = {
    "glasses": "glasses",
    "fish": "fish",
    "leaf": "leaves",
    "leaves": "leaves",
    "land": "land",
    "butterfly": "butterflies",
    "water lily": "water lilies",
    "hair": "hair",
    "facial hair": "facial hair",
    "seaweed": "strands of seaweed",
    "starfish": "starfish",
    "sheep": "sheep",
    "man": "men",
    "woman": "women",
}

#: Other right names of what can be answered.
ALIASES: dict[str, tuple[str, ...]] = {
    "blond": ("blonde", "fair", "golden"),
    "crescent": ("crescent moon",),
    "sailing boat": ("sailboat", "boat"),
    "lightning bolt": ("lightning", "bolt", "thunderbolt"),
    "Ferris wheel": ("big wheel", "observation wheel"),
    "domed hall": ("dome", "domed building", "hall with a dome"),
    "triumphal arch": ("arch", "gate", "gateway"),
    "clock tower": ("clocktower", "tower with a clock"),
    "skyscraper": ("high-rise", "tower block"),
    "feather": ("quill",),
    "gear": ("cogwheel", "cog"),
    "ship": ("sailing ship", "boat", "sailing boat", "sailboat"),
    "wheel": ("spoked wheel",),
    "stack of books": ("books", "pile of books"),
    "tower": ("castle tower", "rook"),
    "bald head": ("bald", "no hair", "shaved head"),
    "curly hair": ("curly", "curls"),
    "long hair": ("long", "long straight hair"),
    "short hair": ("short",),
    "spiky hair": ("spiky", "spikes"),
    "braid": ("plait", "braided hair"),
    "bun": ("hair in a bun", "topknot"),
    "bob": ("bob cut", "bobbed hair"),
    "full beard": ("beard",),
    "striped": ("stripes", "stripe"),
    "checked": ("checks", "checkered", "chequered", "check"),
    "dotted": ("dots", "polka dots", "polka dot"),
    "spotted": ("spots", "spot"),
    "zigzag": ("zigzags", "zig-zag"),
    "quartered": ("four quarters", "quarters"),
    "halved": ("two halves", "halves", "split in two halves"),
    "diagonal band": ("diagonal stripe", "a diagonal band"),
    "horizontal": ("horizontally",),
    "vertical": ("vertically",),
    "upright": ("straight",),
    "diagonal": ("diagonally",),
    "bow tie": ("bowtie",),
    "tie": ("necktie",),
    "flat cap": ("cap",),
    "bowler hat": ("bowler",),
    "barrel": ("barrels",),
    "suitcase": ("suitcases",),
    "round": ("circle", "circular"),
    "square": ("squares",),
    "pointed": ("gabled", "gable", "triangular"),
    "domed": ("dome",),
    "arched": ("arch", "arches"),
    "half-moon": ("half moon", "semicircle", "half-round"),
    "star-shaped": ("star", "stars"),
    "diamond": ("rhombus", "lozenge"),
    "circle": ("round", "disc"),
    "triangular": ("triangle", "triangles"),
    "heart-shaped": ("heart", "hearts"),
    "dashed": ("dashes", "a dashed line"),
    "grandfather clock": ("clock", "standing clock", "longcase clock"),
    "pan flute": ("panpipes", "pan pipes"),
    "floor lamp": ("lamp", "standard lamp"),
    "bookcase": ("bookshelf",),
}

#: Where a name says which one is meant: "star above the badge".
_LINK = re.compile(r" (?:of|on|above|along|behind|in|at|around|by) ")


def plural(name: str) -> str:
    """Return the plural of a thing's name."""
    if name in _PLURALS:
        return _PLURALS[name]
    link = _LINK.search(name)
    if link is not None:
        return plural(name[: link.start()]) + name[link.start() :]
    if name.endswith(("s", "x", "ch", "sh")):
        return name + "es"
    return name + "s"


def picture_word(kind: str) -> str:
    """Return what a kind of picture is called: "poster"."""
    return PICTURES[kind]


def where(kind: str, of: str) -> str:
    """Return "on the poster of …" or "in the portrait of …"; an empty ``of`` leaves the owner out."""
    word = PICTURES[kind]
    return f"{'on' if word in _ON else 'in'} the {word}{f' of {of}' if of else ''}"


_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


#: What a picture shows when something plays a part in it.
_PLAYED = {
    "luggage": "{many} on the roof",
    "instrument": "{a}",
    "headgear": "{a}",
    "neckwear": "{a}",
    "brooch": "a brooch in the shape of {a}",
    "print": "{many} all over",
    "drum emblem": "{a} on the bass drum",
    "charge": "{a} on the shield",
    "emblem": "{a} as the emblem",
    "main motif": "{a} as the main motif",
}


def sayable_cue(ask: Ask) -> bool:
    """Tell whether what a picture shows can be said in a few words."""
    return ask.get("role", "emblem") in _PLAYED


def cue_phrase(ask: Ask, value: str, count: int) -> str:
    """Return what a picture shows when it answers an ask with a value: "a red castle"."""
    if "role" in ask:
        return _PLAYED[ask["role"]].format(a=with_article(value), many=plural(value))
    name = ask["thing"]
    if ask["type"] == "facial":
        return value if value.endswith("hair") else with_article(value)
    if ask["type"] == "count":
        return f"{_NUMBERS[int(value)] if int(value) < len(_NUMBERS) else value} {plural(name)}"
    if ask["type"] == "pattern" and name == "stripe":
        return f"{value} stripes"
    if value.endswith(" band"):
        return f"{with_article(name)} with {with_article(value)}"
    if count > 1 or plural(name) == name:
        return f"{value} {plural(name)}"
    return f"{with_article(value)} {name}"


def with_article(phrase: str) -> str:
    """Return a phrase with "a" or "an" before it."""
    return f"{'an' if phrase[0].lower() in 'aeiou' else 'a'} {phrase}"
