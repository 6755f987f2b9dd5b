"""Words: how relations, kinds of picture and what they show are said in English."""

from __future__ import annotations

import re

from mosaic_env.tasks.compose.scene_query import Ask

#: What follows a noun to say that it is related to {x}, by relation and direction (inverse: {x} is the tail).
RELATIONS: dict[tuple[str, bool], tuple[str, ...]] = {
    ("P17", False): ("in which {x} lies", "to which {x} belongs"),
    ("P17", True): ("in {x}", "that lies in {x}"),
    ("P19", False): ("where {x} was born", "in which {x} was born"),
    ("P19", True): ("born in {x}", "who was born in {x}"),
    ("P20", False): ("where {x} died", "in which {x} died"),
    ("P20", True): ("who died in {x}",),
    ("P22", False): ("who was the father of {x}",),
    ("P22", True): ("who was a child of {x}", "whose father was {x}"),
    ("P26", False): ("married to {x}", "who was the spouse of {x}"),
    ("P27", False): ("of which {x} was a citizen", "whose citizenship {x} had"),
    ("P27", True): ("who was a citizen of {x}",),
    ("P36", False): ("that is the capital of {x}",),
    ("P36", True): ("whose capital is {x}", "with {x} as its capital"),
    ("P40", False): ("who was a child of {x}", "whose father was {x}"),
    ("P40", True): ("who was the father of {x}",),
    ("P47", False): ("that borders {x}", "that shares a border with {x}"),
    ("P54", False): ("for which {x} played",),
    ("P54", True): ("who played for {x}",),
    ("P57", False): ("who directed {x}",),
    ("P57", True): ("directed by {x}", "made under the direction of {x}"),
    ("P58", False): ("who wrote the script of {x}", "who was the screenwriter of {x}"),
    ("P58", True): ("written by {x}", "with a script by {x}"),
    ("P84", False): ("who designed {x}", "who was the architect of {x}"),
    ("P84", True): ("designed by {x}", "built to plans by {x}"),
    ("P86", False): ("who composed the music for {x}",),
    ("P86", True): ("with music by {x}", "whose score was composed by {x}"),
    ("P112", False): ("who founded {x}",),
    ("P112", True): ("founded by {x}", "set up by {x}"),
    ("P131", False): ("in which {x} is located",),
    ("P131", True): ("located in {x}",),
    ("P138", False): ("whose name {x} bears",),
    ("P138", True): ("named after {x}",),
    ("P155", False): ("that directly preceded {x}",),
    ("P155", True): ("that directly followed {x}",),
    ("P156", False): ("that directly followed {x}",),
    ("P156", True): ("that directly preceded {x}",),
    ("P159", False): ("where {x} has its seat", "in which {x} is based"),
    ("P159", True): ("based in {x}", "with its seat in {x}"),
    ("P161", False): ("in the cast of {x}", "who appeared in {x}"),
    ("P161", True): ("starring {x}", "with {x} in its cast"),
    ("P170", False): ("who painted {x}", "who created {x}"),
    ("P170", True): ("painted by {x}", "created by {x}"),
    ("P175", False): ("performing on {x}", "whose record {x} is"),
    ("P175", True): ("performed by {x}", "recorded by {x}"),
    ("P176", False): ("that manufactured {x}",),
    ("P176", True): ("manufactured by {x}", "made by {x}"),
    ("P190", False): ("twinned with {x}", "that is a twin town of {x}"),
    ("P195", False): ("that keeps {x} in its collection",),
    ("P195", True): ("in the collection of {x}",),
    ("P264", False): ("that released {x}", "on which {x} came out"),
    ("P264", True): ("released by {x}",),
    ("P272", False): ("that produced {x}",),
    ("P272", True): ("produced by {x}",),
    ("P286", False): ("who coached {x}", "who was head coach of {x}"),
    ("P286", True): ("coached by {x}",),
    ("P287", False): ("who designed {x}",),
    ("P287", True): ("designed by {x}",),
    ("P463", False): ("of which {x} was a member",),
    ("P463", True): ("who was a member of {x}",),
    ("P495", False): ("from which {x} comes",),
    ("P495", True): ("that comes from {x}",),
    ("P740", False): ("where {x} formed",),
    ("P740", True): ("formed in {x}",),
    ("P840", False): ("in which {x} is set",),
    ("P840", True): ("set in {x}", "whose story is set in {x}"),
    ("P1071", False): ("in which {x} was created",),
    ("P1071", True): ("created in {x}",),
    ("P1376", False): ("whose capital is {x}", "with {x} as its capital"),
    ("P1376", True): ("that is the capital of {x}",),
}

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
    if count > 1 or plural(name) == name:
        return f"{value} {plural(name)}"
    return f"{with_article(value)} {name}"


def with_article(phrase: str) -> str:
    """Return a phrase with "a" or "an" before it."""
    return f"{'an' if phrase[0].lower() in 'aeiou' else 'a'} {phrase}"
