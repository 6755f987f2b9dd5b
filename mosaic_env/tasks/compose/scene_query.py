"""Questions to a scene: pure functions of plain data.

An ask is plain data too:

    {"type": "colour", "thing": "hat"}              the colour of the hat; also count, shape, pattern, facial
    {"type": "object", "role": "emblem"}            what the emblem is
    {"type": "spatial", "beside": "castle", "side": "left", "line": "skyline"}   what stands left of the castle
    {"type": "spatial", "beside": "jug", "side": "above", "column": "shelf"}     what stands above the jug
    {"type": "lettering", "place": "ribbon"}        what the ribbon says
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from mosaic_env.core.types import Gold

Scene = Mapping[str, Any]
Ask = Mapping[str, str]

TYPES = ("colour", "count", "object", "shape", "pattern", "spatial", "lettering", "facial")
#: The attribute of a thing that each type asks for.
ATTRIBUTES = {"colour": "colour", "count": "count", "shape": "shape", "pattern": "pattern", "facial": "style"}
#: Roles whose player is worth asking for, with the type of the question.
ROLES = {
    "emblem": "object", "charge": "object", "main motif": "object", "drum emblem": "object", "print": "object",
    "headgear": "object", "neckwear": "object", "brooch": "object", "luggage": "object", "instrument": "object",
    "large shape": "shape", "small shape": "shape",
}  # fmt: skip
#: Lettering that is not the entity's own name.
PLACES = (
    "tagline", "ribbon", "slogan", "sticker", "banner", "number plate", "northern town", "southern town", "value",
    "caption", "tag", "notice board", "pedestal",
)  # fmt: skip
#: Rows of things, by the attribute that names them: the sides one can go to, and which coordinate orders them.
ROWS = {"line": (("left", "right"), 0), "column": (("above", "below"), 1)}
_FACIAL = ("hair", "facial hair")
#: There are always as many of them.
_FIXED = ("earring",)


def ask_of(gold: Gold) -> dict[str, str]:
    """Return the ask that a gold's note holds; empty without one, and for a note of another form."""
    try:
        ask = json.loads(gold.notes.get("ask", "{}"))
    except (ValueError, RecursionError):
        return {}
    sound = isinstance(ask, dict) and all(isinstance(value, str) for value in ask.values())
    return ask if sound and ask.get("type") in TYPES else {}


def answer(scene: Scene, ask: Ask) -> str | None:
    """Return the answer of a scene to an ask, or None when it has none or more than one."""
    if "role" in ask:
        return _only(
            [t["name"] for t in scene["things"] if t.get("role") == ask["role"] and not t.get("hidden")]
        )
    if "place" in ask:
        return _only([entry["text"] for entry in scene["lettering"] if entry["place"] == ask["place"]])
    if "beside" in ask:
        return _beside(scene, ask)
    attribute = ATTRIBUTES[ask["type"]]
    found = [
        t[attribute]
        for t in scene["things"]
        if t["name"] == ask["thing"] and attribute in t and not t.get("hidden")
    ]
    return _only([str(value) for value in found])


def index_of(scene: Scene, ask: Ask) -> tuple[str, int]:
    """Return which entry answers an ask: ``things`` or ``lettering``, and its number.

    Raises: ValueError when the scene has no answer, or more than one.
    """
    if answer(scene, ask) is None:
        raise ValueError("the scene does not answer this")
    if "place" in ask:
        places = [entry["place"] for entry in scene["lettering"]]
        return "lettering", places.index(ask["place"])
    if "role" in ask:
        fits = [t.get("role") == ask["role"] and not t.get("hidden") for t in scene["things"]]
    elif "beside" in ask:
        name = _beside(scene, ask)
        axis = axis_of(ask)
        fits = [t.get(axis) == ask[axis] and t["name"] == name for t in scene["things"]]
    else:
        attribute = ATTRIBUTES[ask["type"]]
        fits = [t["name"] == ask["thing"] and attribute in t and not t.get("hidden") for t in scene["things"]]
    return "things", fits.index(True)


def _only(values: list[str]) -> str | None:
    return values[0] if len(values) == 1 else None


def _row(scene: Scene, axis: str, name: str) -> list[Mapping[str, Any]]:
    """Return the things of a row from left to right, or from top to bottom."""
    place = ROWS[axis][1]
    return sorted((t for t in scene["things"] if t.get(axis) == name), key=lambda t: int(t["at"][place]))


def axis_of(ask: Ask) -> str:
    """Return which kind of row a spatial ask is about: ``line`` or ``column``."""
    return "line" if "line" in ask else "column"


def _beside(scene: Scene, ask: Ask) -> str | None:
    axis = axis_of(ask)
    names = [str(thing["name"]) for thing in _row(scene, axis, ask[axis])]
    if names.count(ask["beside"]) != 1:
        return None
    place = names.index(ask["beside"]) + (-1 if ask["side"] == ROWS[axis][0][0] else 1)
    return names[place] if 0 <= place < len(names) else None


def asks(scene: Scene) -> Iterator[dict[str, str]]:
    """Yield every ask that a scene answers and a person would find worth asking, in a fixed order."""
    for thing in scene["things"]:
        yield from _asks_of(thing)
    for thing in scene["things"]:
        if thing.get("role") in ROLES:
            yield {"type": ROLES[thing["role"]], "role": thing["role"]}
    for axis, (sides, _) in ROWS.items():
        for row in sorted({t[axis] for t in scene["things"] if axis in t}):
            for thing in _row(scene, axis, row):
                for side in sides:
                    ask = {"type": "spatial", "beside": thing["name"], "side": side, axis: row}
                    if _beside(scene, ask) is not None:
                        yield ask
    for entry in scene["lettering"]:
        if entry["place"] in PLACES:
            yield {"type": "lettering", "place": entry["place"]}


def _asks_of(thing: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    if thing.get("hidden"):
        return
    name = thing["name"]
    if "colour" in thing:
        yield {"type": "colour", "thing": name}
    if thing.get("count", 1) > 1 and name not in _FIXED:
        yield {"type": "count", "thing": name}
    if "shape" in thing:
        yield {"type": "shape", "thing": name}
    if thing.get("pattern", "plain") != "plain":
        yield {"type": "pattern", "thing": name}
    if name in _FACIAL:
        yield {"type": "facial", "thing": name}
