"""Questions to a scene: pure functions of plain data.

An ask is plain data too:

    {"type": "colour", "thing": "hat"}              the colour of the hat; also count, shape, pattern, facial
    {"type": "object", "role": "emblem"}            what the emblem is
    {"type": "spatial", "beside": "castle", "side": "left", "line": "skyline"}   what stands left of the castle
    {"type": "lettering", "place": "ribbon"}        what the ribbon says
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Scene = Mapping[str, Any]
Ask = Mapping[str, str]

TYPES = ("colour", "count", "object", "shape", "pattern", "spatial", "lettering", "facial")
#: The attribute of a thing that each type asks for.
ATTRIBUTES = {"colour": "colour", "count": "count", "shape": "shape", "pattern": "pattern", "facial": "style"}
#: Roles whose player is worth asking for, with the type of the question.
ROLES = {
    "emblem": "object", "charge": "object", "main motif": "object", "drum emblem": "object", "print": "object",
    "headgear": "object", "neckwear": "object", "brooch": "object", "luggage": "object", "large shape": "shape",
    "small shape": "shape",
}  # fmt: skip
#: Lettering that is not the entity's own name.
PLACES = ("tagline", "ribbon", "slogan", "sticker", "banner", "number plate")
_FACIAL = ("hair", "facial hair")
#: There are always as many of them.
_FIXED = ("earring",)


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


def _only(values: list[str]) -> str | None:
    return values[0] if len(values) == 1 else None


def _line(scene: Scene, line: str) -> list[Mapping[str, Any]]:
    return sorted((t for t in scene["things"] if t.get("line") == line), key=lambda t: int(t["at"][0]))


def _beside(scene: Scene, ask: Ask) -> str | None:
    names = [str(thing["name"]) for thing in _line(scene, ask["line"])]
    if names.count(ask["beside"]) != 1:
        return None
    place = names.index(ask["beside"]) + (-1 if ask["side"] == "left" else 1)
    return names[place] if 0 <= place < len(names) else None


def asks(scene: Scene) -> Iterator[dict[str, str]]:
    """Yield every ask that a scene answers and a person would find worth asking, in a fixed order."""
    for thing in scene["things"]:
        yield from _asks_of(thing)
    for thing in scene["things"]:
        if thing.get("role") in ROLES:
            yield {"type": ROLES[thing["role"]], "role": thing["role"]}
    for line in sorted({t["line"] for t in scene["things"] if "line" in t}):
        for thing in _line(scene, line):
            for side in ("left", "right"):
                ask = {"type": "spatial", "beside": thing["name"], "side": side, "line": line}
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
