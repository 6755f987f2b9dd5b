"""Wordings of what is asked about a picture, each without capital and question mark.

Slots: {where} the place, {thing} and {things} what is asked about, {be} and {do} the verb that fits it. Every list
has several wordings, so that train, val and test each have their own.
"""

from __future__ import annotations

from collections.abc import Sequence

from mosaic_env.tasks.compose.phrases import plural
from mosaic_env.tasks.compose.scene_query import Ask

#: A thing of a kind of picture under a name that says which one is meant.
THINGS = {
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
    ("vehicle", "stripe"): "stripe along the side",
    ("animal", "house"): "house by the water",
    ("stamp", "background"): "ground behind the motif",
    ("stamp", "wavy line"): "wavy line of the postmark",
    ("plant", "wall"): "wall behind the plant",
    ("plant", "pot"): "flower pot",
    ("plant", "leaf"): "leaves",
    ("plant", "ear"): "ear of grass",
    ("instrument", "wall"): "wall of the room",
    ("instrument", "floor lamp"): "shade of the floor lamp",
    ("instrument", "bar"): "bar of the xylophone",
    ("sculpture", "wall"): "wall behind the sculpture",
}
#: Names that are always followed by a plural.
_ALWAYS_MANY = ("glasses", "leaves")
#: Questions about whatever plays a part.
_ROLES = {
    "emblem": (
        "what is depicted as the emblem {where}",
        "which emblem can be seen {where}",
        "what does the emblem {where} depict",
        "what does the emblem {where} show",
        "which thing serves as the emblem {where}",
        "what is the emblem {where} a picture of",
        "what was chosen as the emblem {where}",
        "what can be made out as the emblem {where}",
    ),
    "charge": (
        "what is depicted on the disc of the shield {where}",
        "which motif fills the disc of the shield {where}",
        "what can be seen in the middle of the shield {where}",
        "what is shown on the disc of the shield {where}",
        "which thing stands in the middle of the shield {where}",
        "what does the shield {where} have in its middle",
        "what is the motif on the shield {where}",
    ),
    "main motif": (
        "what is the main motif {where}",
        "which single object dominates the middle {where}",
        "what is depicted most prominently {where}",
        "what is the largest object {where}",
        "which object takes up the middle {where}",
        "what is the central object {where}",
        "what catches the eye in the middle {where}",
    ),
    "drum emblem": (
        "what is painted on the bass drum {where}",
        "which emblem decorates the bass drum {where}",
        "what does the bass drum {where} have painted on it",
        "what can be seen on the front of the bass drum {where}",
        "which motif is on the bass drum {where}",
        "what is the emblem of the bass drum {where}",
    ),
    "print": (
        "what is printed several times {where}",
        "which motif is repeated {where}",
        "what kind of motif fills the design {where}",
        "which thing appears again and again {where}",
        "what does the repeated motif {where} show",
        "what is the design {where} made up of",
    ),
    "headgear": (
        "what kind of hat is worn {where}",
        "which headgear does the person wear {where}",
        "what does the person have on the head {where}",
        "what sort of headgear can be seen {where}",
        "what is on the person's head {where}",
        "which type of hat does the person wear {where}",
    ),
    "neckwear": (
        "what does the person wear around the neck {where}",
        "which item is worn at the neck {where}",
        "what is around the person's neck {where}",
        "what can be seen at the person's collar {where}",
        "which article does the person have at the neck {where}",
        "what kind of neckwear is worn {where}",
    ),
    "brooch": (
        "what is the shape of the brooch {where}",
        "what does the brooch worn {where} depict",
        "what is the brooch {where} shaped like",
        "which motif does the brooch {where} have",
        "what does the brooch {where} look like",
        "what is the brooch {where} meant to be",
    ),
    "luggage": (
        "what is carried on the roof {where}",
        "what kind of load lies on the roof {where}",
        "which objects are stowed on the roof {where}",
        "what has been loaded onto the roof {where}",
        "what can be seen on the roof of the vehicle {where}",
        "what does the vehicle carry on its roof {where}",
    ),
    "instrument": (
        "which instrument is shown {where}",
        "what kind of instrument can be seen {where}",
        "which musical instrument stands in the room {where}",
        "what sort of instrument is depicted {where}",
        "which instrument do you recognise {where}",
        "what is the instrument {where}",
    ),
    "large shape": (
        "which large geometric shape can be seen {where}",
        "what is the larger of the two shapes {where}",
        "which shape encloses the smaller one {where}",
        "what is the outer shape {where}",
        "which of the shapes {where} is the larger one",
        "what kind of shape is the big one {where}",
    ),
    "small shape": (
        "which small geometric shape lies in the middle {where}",
        "what is the smaller of the two shapes {where}",
        "which shape is enclosed by the larger one {where}",
        "what is the inner shape {where}",
        "which of the shapes {where} is the smaller one",
        "what kind of shape is the little one {where}",
    ),
}
_ATTRIBUTES = {
    "colour": (
        "what colour {be} the {thing} {where}",
        "which colour {do} the {thing} have {where}",
        "in which colour {be} the {thing} shown {where}",
        "what is the colour of the {thing} {where}",
        "which colour {be} the {thing} {where}",
        "in what colour {do} the {thing} appear {where}",
        "what colour {do} the {thing} have {where}",
        "which colour was chosen for the {thing} {where}",
        "what would you call the colour of the {thing} {where}",
        "how would you name the colour of the {thing} {where}",
        "of what colour {be} the {thing} {where}",
        "which colour can be seen on the {thing} {where}",
        "how {be} the {thing} coloured {where}",
    ),
    "count": (
        "how many {things} are there {where}",
        "how many {things} can be counted {where}",
        "what is the number of {things} {where}",
        "how many {things} do you see {where}",
        "how many {things} can you count {where}",
        "how many {things} appear {where}",
        "how many {things} are shown {where}",
        "what number of {things} is shown {where}",
        "how many {things} are visible {where}",
        "counting all the {things} {where}, how many do you get",
        "what is the total number of {things} {where}",
        "how many {things} does one find {where}",
    ),
    "shape": (
        "what shape {be} the {thing} {where}",
        "which shape {do} the {thing} have {where}",
        "what is the shape of the {thing} {where}",
        "what shape {do} the {thing} have {where}",
        "how {be} the {thing} shaped {where}",
        "which shape was given to the {thing} {where}",
        "how would you describe the shape of the {thing} {where}",
        "of which shape {be} the {thing} {where}",
    ),
    "pattern": (
        "which pattern {do} the {thing} have {where}",
        "how {be} the {thing} patterned {where}",
        "what is the pattern of the {thing} {where}",
        "what pattern {do} the {thing} show {where}",
        "which pattern can be seen on the {thing} {where}",
        "what kind of pattern {do} the {thing} have {where}",
        "with which pattern {be} the {thing} decorated {where}",
        "how would you describe the pattern of the {thing} {where}",
    ),
}
_RUNS = (
    "in which direction do the stripes run {where}",
    "how are the stripes arranged {where}",
    "which way do the stripes go {where}",
    "how do the stripes run {where}",
    "in what direction are the stripes laid {where}",
    "what is the direction of the stripes {where}",
)
#: A cross has no pattern: it stands upright, or its arms lie diagonally.
_STANDS = (
    "how does the cross stand {where}",
    "how is the cross oriented {where}",
    "what is the orientation of the cross {where}",
    "in which orientation is the cross shown {where}",
    "how would you describe the orientation of the cross {where}",
    "what orientation does the cross have {where}",
)
_SPATIAL = (
    "which {line} stands directly to the {side} of the {beside} {where}",
    "what is immediately {side} of the {beside} {where}",
    "going {side} from the {beside}, which {line} comes next {where}",
    "what do you see directly to the {side} of the {beside} {where}",
    "which {line} is the next one to the {side} of the {beside} {where}",
    "what is the {side}-hand neighbour of the {beside} {where}",
    "which {line} adjoins the {beside} on the {side} {where}",
    "looking from the {beside} to the {side}, which {line} comes first {where}",
    "what is the {beside} {where} followed by on its {side}",
)
_STACKED = (
    "which {line} is directly {side} the {beside} {where}",
    "what is immediately {side} the {beside} {where}",
    "which {line} follows {side} the {beside} {where}",
    "what do you see directly {side} the {beside} {where}",
    "which {line} is the next one {side} the {beside} {where}",
    "which {line} has its place just {side} the {beside} {where}",
)
#: Things whose pattern is the way they are laid.
_LAID = {"stripe": _RUNS, "cross": _STANDS}
#: What the things of a row are called, from left to right and from top to bottom.
LINES = {
    "skyline": "landmark", "table": "object", "shapes": "shape", "landscape": "landmark", "map": "sign",
    "room": "thing",
}  # fmt: skip
COLUMNS = {"shelf": "object"}
_LETTERING = (
    "what does the {place} say {where}",
    "which text is written {on_place} {where}",
    "what is the wording of the {place} {where}",
    "what can be read {on_place} {where}",
    "what exactly does the {place} say {where}",
    "what is written {on_place} {where}",
    "how does the {place} read {where}",
    "what is the text of the {place} {where}",
)
_NAMED = (
    "which name is written beside the {place} {where}",
    "what is the name beside the {place} {where}",
    "which name can be read next to the {place} {where}",
    "what name does the {place} bear {where}",
    "which name stands beside the {place} {where}",
    "how is the place at the {place} called {where}",
)
_WORTH = (
    "which value is printed {where}",
    "what is the value {where}",
    "which number can be read in the upper corner {where}",
    "what number is printed in the upper corner {where}",
    "which face value can be seen {where}",
    "what does the number in the upper corner say {where}",
)
#: Lettering that has a wording of its own.
_LETTERED = {"northern town": _NAMED, "southern town": _NAMED, "value": _WORTH}
#: What a place of lettering is called, and how its text stands there; others are called what they are.
_PLACES = {
    "tagline": ("tagline", "in the tagline"),
    "slogan": ("slogan", "in the slogan"),
    "caption": ("caption", "in the caption"),
    "tag": ("sign at the pot", "on the sign at the pot"),
    "pedestal": ("inscription on the pedestal", "on the pedestal"),
    "northern town": ("northernmost sign", ""),
    "southern town": ("southernmost sign", ""),
}
_FACIAL = {
    "hair": (
        "what hairstyle does the person have {where}",
        "how does the person wear the hair {where}",
        "which hairstyle can be seen {where}",
        "what kind of hairstyle is shown {where}",
        "how is the person's hair done {where}",
        "how would you describe the hairstyle {where}",
        "which style is the person's hair worn in {where}",
    ),
    "facial hair": (
        "what kind of facial hair does the person have {where}",
        "which sort of beard or moustache is worn {where}",
        "how is the facial hair of the person worn {where}",
        "what type of facial hair can be seen {where}",
        "how would you describe the facial hair {where}",
        "which style of facial hair does the person have {where}",
    ),
}


def sayable_ask(ask: Ask) -> bool:
    """Tell whether there are words for an ask: unknown roles, rows and faces are not asked about."""
    if "role" in ask:
        return ask["role"] in _ROLES
    if "beside" in ask:
        return ask.get("line", "skyline") in LINES and ask.get("column", "shelf") in COLUMNS
    return ask["type"] != "facial" or ask["thing"] in _FACIAL


def patterns(ask: Ask) -> Sequence[str]:
    """Return the wordings of an ask, slots and all."""
    if "role" in ask:
        return _ROLES[ask["role"]]
    if "place" in ask:
        return _LETTERED.get(ask["place"], _LETTERING)
    if "beside" in ask:
        return _SPATIAL if "line" in ask else _STACKED
    if ask["type"] == "facial":
        return _FACIAL[ask["thing"]]
    if ask["type"] == "pattern" and ask["thing"] in _LAID:
        return _LAID[ask["thing"]]
    return _ATTRIBUTES[ask["type"]]


def filled(pattern: str, kind: str, ask: Ask, count: int) -> str:
    """Return a wording with every slot but ``{where}`` filled.

    Args:
        kind: Kind of the picture.
        count: How many of the thing there are.
    """
    if "role" in ask or ask["type"] == "facial":
        return pattern
    if "place" in ask:
        place, on_place = _PLACES.get(ask["place"], (ask["place"], f"on the {ask['place']}"))
        words = {"{place}": place, "{on_place}": on_place}
    elif "beside" in ask:
        row = LINES[ask["line"]] if "line" in ask else COLUMNS[ask["column"]]
        words = {"{line}": row, "{side}": ask["side"], "{beside}": ask["beside"]}
    else:
        name = THINGS.get((kind, ask["thing"]), ask["thing"])
        many = count > 1 or name in _ALWAYS_MANY
        words = {
            "{thing}": plural(name) if many else name, "{things}": plural(name),
            "{be}": "are" if many else "is", "{do}": "do" if many else "does",
        }  # fmt: skip
    for slot, word in words.items():
        pattern = pattern.replace(slot, word)
    return pattern
