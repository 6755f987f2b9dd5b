"""Words: how kinds of picture and questions to a picture are said in English; ``relations`` has those of relations."""

from __future__ import annotations

from mosaic_env.tasks.compose.relations import RELATIONS as RELATIONS
from mosaic_env.tasks.compose.scene_query import Ask

#: What people call a kind of picture.
PICTURES = {
    "flag": "flag", "skyline": "picture", "portrait": "portrait", "poster": "poster", "cover": "cover", "logo": "logo",
    "crest": "crest", "stage": "picture", "animal": "picture", "vehicle": "picture", "facade": "picture",
    "still life": "picture",
}  # fmt: skip
_ON = ("flag", "poster", "cover", "logo", "crest")

#: A thing of a kind of picture under a name that says which one is meant.
_THINGS = {
    ("portrait", "wall"): "wall behind the person",
    ("still life", "wall"): "wall behind the table",
    ("still life", "frame"): "picture frame",
    ("facade", "wall"): "building's wall",
    ("facade", "flag"): "flag on the roof",
    ("flag", "cloth"): "main field",
    ("flag", "corner field"): "field in the upper corner at the pole",
    ("flag", "disc"): "disc in the middle",
    ("flag", "border"): "border around the field",
    ("flag", "triangle"): "triangle at the pole",
    ("logo", "rim"): "outer rim of the badge",
    ("logo", "star"): "star above the badge",
    ("crest", "star"): "star above the shield",
    ("crest", "disc"): "disc on the shield",
    ("stage", "lamp"): "stage lamp",
    ("stage", "drum kit"): "shell of the drums",
    ("portrait", "glasses"): "glasses",
    ("vehicle", "stripe"): "stripe along the side",
    ("animal", "house"): "house by the water",
}
_PLURALS = {
    "glasses": "glasses",
    "fish": "fish",
    "leaf": "leaves",
    "butterfly": "butterflies",
    "water lily": "water lilies",
    "puff of smoke": "puffs of smoke",
    "flag on the roof": "flags on the roof",
    "star above the badge": "stars above the badge",
    "star above the shield": "stars above the shield",
    "stripe along the side": "stripes along the side",
    "hair": "hair",
    "facial hair": "facial hair",
    "stack of books": "stacks of books",
    "seaweed": "strands of seaweed",
    "starfish": "starfish",
    "torch": "torches",
    "bench": "benches",
    "apple": "apples",
    "man": "men",
    "woman": "women",
}

#: Questions about whatever plays a part.
_ROLES = {
    "emblem": (
        "what is depicted as the emblem {where}",
        "which emblem can be seen {where}",
        "what does the emblem {where} depict",
    ),
    "charge": (
        "what is depicted on the disc of the shield {where}",
        "which motif fills the disc of the shield {where}",
        "what can be seen in the middle of the shield {where}",
    ),
    "main motif": (
        "what is the main motif {where}",
        "which single object dominates the middle {where}",
        "what is depicted most prominently {where}",
    ),
    "drum emblem": (
        "what is painted on the bass drum {where}",
        "which emblem decorates the bass drum {where}",
        "what does the bass drum {where} have painted on it",
    ),
    "print": (
        "what is printed several times {where}",
        "which motif is repeated {where}",
        "what kind of motif fills the design {where}",
    ),
    "headgear": (
        "what kind of hat is worn {where}",
        "which headgear does the person wear {where}",
        "what does the person have on the head {where}",
    ),
    "neckwear": (
        "what does the person wear around the neck {where}",
        "which item is worn at the neck {where}",
        "what is around the person's neck {where}",
    ),
    "brooch": (
        "what is the shape of the brooch {where}",
        "what does the brooch worn {where} depict",
        "what is the brooch {where} shaped like",
    ),
    "luggage": (
        "what is carried on the roof {where}",
        "what kind of load lies on the roof {where}",
        "which objects are stowed on the roof {where}",
    ),
    "large shape": (
        "which large geometric shape can be seen {where}",
        "what is the larger of the two shapes {where}",
        "which shape encloses the smaller one {where}",
    ),
    "small shape": (
        "which small geometric shape lies in the middle {where}",
        "what is the smaller of the two shapes {where}",
        "which shape is enclosed by the larger one {where}",
    ),
}
_ATTRIBUTES = {
    "colour": (
        "what colour {be} the {thing} {where}",
        "which colour {do} the {thing} have {where}",
        "in which colour {be} the {thing} shown {where}",
        "what is the colour of the {thing} {where}",
    ),
    "count": (
        "how many {things} are there {where}",
        "how many {things} can be counted {where}",
        "what is the number of {things} {where}",
        "how many {things} do you see {where}",
    ),
    "shape": (
        "what shape {be} the {thing} {where}",
        "which shape {do} the {thing} have {where}",
        "what is the shape of the {thing} {where}",
    ),
    "pattern": (
        "which pattern {do} the {thing} have {where}",
        "how {be} the {thing} patterned {where}",
        "what is the pattern of the {thing} {where}",
    ),
}
_RUNS = (
    "in which direction do the stripes run {where}",
    "how are the stripes arranged {where}",
    "which way do the stripes go {where}",
)
_SPATIAL = (
    "which {line} stands directly to the {side} of the {beside} {where}",
    "what is immediately {side} of the {beside} {where}",
    "going {side} from the {beside}, which {line} comes next {where}",
)
_LINES = {"skyline": "landmark", "table": "object", "shapes": "shape"}
_LETTERING = (
    "what does the {place} say {where}",
    "which words are written on the {place} {where}",
    "what is the wording of the {place} {where}",
)
_PLACES = {
    "tagline": "tagline",
    "ribbon": "ribbon",
    "slogan": "slogan",
    "sticker": "sticker",
    "banner": "banner",
    "number plate": "number plate",
}
_FACIAL = {
    "hair": (
        "what hairstyle does the person have {where}",
        "how does the person wear the hair {where}",
        "which hairstyle can be seen {where}",
    ),
    "facial hair": (
        "what kind of facial hair does the person have {where}",
        "which sort of beard or moustache is worn {where}",
        "how is the facial hair of the person worn {where}",
    ),
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
}


def plural(name: str) -> str:
    """Return the plural of a thing's name."""
    if name in _PLURALS:
        return _PLURALS[name]
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


def ask_phrases(kind: str, ask: Ask, count: int) -> tuple[str, ...]:
    """Return the wordings of an ask, each with a slot ``{where}``, without capital and question mark.

    Args:
        kind: Kind of the picture.
        count: How many of the thing there are.
    """
    if "role" in ask:
        return _ROLES[ask["role"]]
    if "place" in ask:
        return tuple(p.replace("{place}", _PLACES[ask["place"]]) for p in _LETTERING)
    if "beside" in ask:
        words = {"{line}": _LINES[ask["line"]], "{side}": ask["side"], "{beside}": ask["beside"]}
        return tuple(_replaced(p, words) for p in _SPATIAL)
    if ask["type"] == "facial":
        return _FACIAL[ask["thing"]]
    if ask["thing"] == "stripe" and ask["type"] == "pattern":
        return _RUNS
    name = _THINGS.get((kind, ask["thing"]), ask["thing"])
    many = count > 1 or name == plural(name) == "glasses"
    forms = {"{thing}": plural(name) if many else name, "{things}": plural(name), "{be}": "are" if many else "is",
             "{do}": "do" if many else "does"}  # fmt: skip
    return tuple(_replaced(p, forms) for p in _ATTRIBUTES[ask["type"]])


def _replaced(text: str, words: dict[str, str]) -> str:
    for slot, word in words.items():
        text = text.replace(slot, word)
    return text


_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def cue_phrase(ask: Ask, value: str, count: int) -> str:
    """Return what a picture shows when it answers an ask with a value: "a red castle"."""
    if "role" in ask:
        if ask["role"] == "luggage":
            return f"{plural(value)} on the roof"
        return (
            with_article(value)
            if ask["role"] in ("headgear", "neckwear")
            else f"{with_article(value)} as its {ask['role']}"
        )
    name = ask["thing"]
    if ask["type"] == "facial":
        return value if value.endswith("hair") else with_article(value)
    if ask["type"] == "count":
        return f"{_NUMBERS[int(value)]} {plural(name)}"
    if count > 1 or plural(name) == name:
        return f"{value} {plural(name)}"
    return f"{with_article(value)} {name}"


def with_article(phrase: str) -> str:
    """Return a phrase with "a" or "an" before it."""
    return f"{'an' if phrase[0].lower() in 'aeiou' else 'a'} {phrase}"
