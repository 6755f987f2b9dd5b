"""Scenes: plain JSON data that say what a picture shows, and from which it is drawn.

    {"kind": "flag", "seed": 17, "look": {…},
     "things": [{"name": "star", "count": 3, "colour": "yellow", "at": [500, 420]}, …],
     "lettering": [{"place": "ribbon", "text": "ONWARD"}]}

``things`` and ``lettering`` are what can be asked about: every thing's name stands once in a scene, or the
scene says how many there are. ``look`` and ``seed`` only steer the drawing, as do ``style`` and
``flaw``, the names of one in ``styles`` and in ``flaws``, which may be left out. A scene is an answer: it belongs
to gold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from mosaic_env.core.errors import ConfigError, nearest

Scene = Mapping[str, Any]
Thing = dict[str, Any]


@dataclass(frozen=True)
class About:
    """What a picture may know of its entity.

    Args:
        label: The entity's name, for lettering.
        noun: What it is ("cat breed").
        woman: For people.
    """

    label: str
    noun: str = ""
    woman: bool = False


def thing(name: str, **attributes: Any) -> Thing:
    """Return a thing of a scene; attributes that are None are left out.

    Args:
        attributes: ``count``, ``colour``, ``shape``, ``pattern``, ``style``, ``role`` (what part it plays:
            ``emblem``), ``at`` ([x, y] in thousandths), ``line`` (the row of things it stands in, from left to right),
            ``column`` (the pile of things it belongs to, from top to bottom), ``hidden`` (mostly
            covered by something else: nobody is asked about it).
    """
    return {"name": name, **{key: value for key, value in attributes.items() if value is not None}}


def scene(
    kind: str, rng: Random, things: list[Thing], lettering: Mapping[str, str] | None = None, **look: Any
) -> dict[str, Any]:
    """Return a scene.

    Args:
        lettering: Text by the place where it stands.
        look: Parameters of the drawing that nobody asks about.
    """
    return {
        "kind": kind,
        "seed": rng.randrange(2**31),
        "look": look,
        "things": things,
        "lettering": [{"place": place, "text": text} for place, text in (lettering or {}).items()],
    }


def find(shown: Scene, name: str) -> Thing | None:
    """Return the thing of a name, or None."""
    return next((entry for entry in shown["things"] if entry["name"] == name), None)


def part(shown: Scene, role: str) -> Thing | None:
    """Return the thing that plays a part (``emblem``), or None."""
    return next((entry for entry in shown["things"] if entry.get("role") == role), None)


def the(shown: Scene, name: str) -> Thing:
    """Return the thing of a name.

    Raises: ConfigError (ME-CONFIG-02) when the scene lacks it: a kind cannot paint a scene of another.
    """
    return find(shown, name) or _lacks(shown, name)


def the_part(shown: Scene, role: str) -> Thing:
    """Return the thing that plays a part.

    Raises: ConfigError (ME-CONFIG-02) when the scene lacks it.
    """
    return part(shown, role) or _lacks(shown, role)


def _lacks(shown: Scene, what: str) -> Thing:
    names = [str(entry["name"]) for entry in shown["things"]]
    raise ConfigError(
        "ME-CONFIG-02",
        f"the scene of a {shown['kind']} has no {what!r}",
        expected=f"a scene with {what}",
        nearest=nearest(what, names),
        fix="Draw scenes that the same kind of picture sampled",
    )


def text_at(shown: Scene, place: str) -> str:
    """Return the lettering at a place, or ``""``."""
    return next((str(entry["text"]) for entry in shown["lettering"] if entry["place"] == place), "")
