"""What a person might write to find a picture: whole captions and short phrases, with what each one claims.

Everything is read from the scene's ``things`` and ``lettering``: no kind of picture is known by name, so a new
kind, thing or value needs no change here. A claim is a fact of ``facts(scene)``; a picture fits a text when it
has all of its claims, which is how training knows its positives and a measurement what is relevant.
Captions are answers: they never leave gold except as training data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from mosaic_env.core.words import NUMBERS
from mosaic_env.tasks.compose.phrases import plural, with_article
from mosaic_env.world.scene import Scene, Thing

#: What can be said of a thing, in the order of a fact's text.
ATTRIBUTES = ("colour", "count", "pattern", "shape", "style")
_NUMBERS = ("no", *NUMBERS[1:])
#: Other words for a kind of picture; one that is not here is called by its name.
_CALLED = {
    "cover": ("album cover", "record cover", "cover"),
    "poster": ("poster", "film poster"),
    "crest": ("crest", "coat of arms", "badge of a team"),
    "stage": ("stage", "band on a stage", "concert stage"),
    "facade": ("building", "front of a building", "facade"),
    "skyline": ("skyline", "city skyline", "city"),
    "portrait": ("portrait", "person", "portrait of a person"),
}
#: Names that take no "a".
_MASS = ("hair", "glasses", "head", "seaweed", "water", "sky")
_CAPTIONS = (
    "{kind} with {list}", "{kind} showing {list}", "{kind}: {list}", "{list}", "{list} ({kind})", "picture of {list}",
    "{kind}, {list}",
)  # fmt: skip
#: How many attributes a whole caption has at least, when the scene has so many.
FULL = 4


@dataclass(frozen=True)
class Caption:
    """A text about a picture.

    Args:
        text: What somebody writes.
        claims: Facts that a picture must have to fit it.
        attributes: How many attributes it names: colours, counts, patterns, shapes, styles and lettering.
    """

    text: str
    claims: tuple[str, ...]
    attributes: int


@dataclass(frozen=True)
class _Part:
    """A noun phrase and its claim."""

    text: str
    claim: str
    attributes: int


def facts(scene: Scene) -> frozenset[str]:
    """Return everything that can be claimed of a picture: its kind, its lettering, each thing with any attributes."""
    found = {f"kind={scene['kind']}"}
    found |= {f"text={entry['text']}" for entry in scene["lettering"]}
    for entry in _visible(scene):
        names = attributes_of(entry)
        for size in range(len(names) + 1):
            found |= {claim(entry, chosen) for chosen in combinations(names, size)}
    return frozenset(found)


def claim(entry: Thing, names: Sequence[str]) -> str:
    """Return the fact that there is such a thing with the values of some attributes."""
    return "|".join([str(entry["name"]), *(f"{name}={entry[name]}" for name in ATTRIBUTES if name in names)])


def attributes_of(entry: Thing) -> tuple[str, ...]:
    """Return the attributes of a thing that a text would mention: one of something is not counted."""
    return tuple(n for n in ATTRIBUTES if n in entry and not (n == "count" and entry[n] == 1))


def caption(scene: Scene, rng: Random, *, whole: bool = False) -> Caption:
    """Return a caption of four or more attributes, fewer when the scene has fewer.

    Args:
        whole: Name every attribute of every thing, and no lettering.
    """
    entries = rng.sample(_visible(scene), len(_visible(scene)))
    chosen = {id(entry): list(attributes_of(entry)) for entry in entries}
    if not whole:
        every = [(id(entry), name) for entry in entries for name in attributes_of(entry)]
        kept = rng.sample(every, rng.randint(min(FULL, len(every)), len(every)))
        chosen = {id(entry): [n for n in attributes_of(entry) if (id(entry), n) in kept] for entry in entries}
        entries = [entry for entry in entries if chosen[id(entry)] or rng.random() < 0.3] or entries
    parts = [_noun_phrase(entry, chosen[id(entry)], rng) for entry in entries]
    if scene["lettering"] and not whole and rng.random() < 0.15:
        parts.append(_quoted(scene, rng))
    return _joined(scene, parts, rng.choice(_CAPTIONS), rng)


def phrase(scene: Scene, rng: Random) -> Caption:
    """Return a short text of one or two attributes at most: "a red cap", "flag with three stars"."""
    if scene["lettering"] and rng.random() < 0.04:
        quoted = _quoted(scene, rng)
        form = rng.choice(("{kind} titled {list}", "{kind} that says {list}", "{list}"))
        return _joined(scene, [quoted], form, rng)
    entries = _visible(scene)
    able = [entry for entry in entries if attributes_of(entry)] or entries
    roll = rng.random()
    if roll < 0.25 and len(able) > 1:
        pair = rng.sample(able, 2)
        parts = [
            _noun_phrase(e, rng.sample(attributes_of(e), min(1, len(attributes_of(e)))), rng) for e in pair
        ]
    else:
        entry = rng.choice(entries if roll < 0.35 else able)
        names = attributes_of(entry)
        most = 0 if roll < 0.35 else 1 if roll < 0.75 else 2
        parts = [_noun_phrase(entry, rng.sample(names, min(most, len(names))), rng)]
    form = rng.choice(("{list}", "{list}", "{kind} with {list}", "{kind}, {list}"))
    return _joined(scene, parts, form, rng)


def _visible(scene: Scene) -> list[Thing]:
    return [entry for entry in scene["things"] if not entry.get("hidden")]


def _joined(scene: Scene, parts: Sequence[_Part], form: str, rng: Random) -> Caption:
    kind = str(scene["kind"])
    called = rng.choice(_CALLED.get(kind, (kind,)))
    texts = [part.text for part in parts]
    listed = texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"
    text = form.format(kind=with_article(called) if rng.random() < 0.5 else called, list=listed)
    claims = [part.claim for part in parts] + ([f"kind={kind}"] if "{kind}" in form else [])
    return Caption(text, tuple(claims), sum(part.attributes for part in parts))


def _quoted(scene: Scene, rng: Random) -> _Part:
    text = str(rng.choice(scene["lettering"])["text"])
    return _Part(rng.choice((f"“{text}”", text.title(), text.lower())), f"text={text}", 1)


def _noun_phrase(entry: Thing, names: Sequence[str], rng: Random) -> _Part:
    """Write a thing with some of its attributes."""
    values = {name: str(entry[name]).replace("/", " and ") for name in names}
    count = int(entry.get("count", 1))
    noun, adjectives = str(entry["name"]), [values[n] for n in ("colour", "pattern", "shape") if n in values]
    rng.shuffle(adjectives)
    if "style" in values:
        noun, adjectives = _styled(noun, values["style"], adjectives)
    if count > 1:
        noun = plural(noun)
    if adjectives and "style" not in values and rng.random() < 0.15:
        body = (
            f"{noun} in {' and '.join(adjectives)}"
            if values.keys() == {"colour"}
            else (f"{noun} that {'are' if count > 1 else 'is'} {' and '.join(adjectives)}")
        )
    else:
        body = " ".join([*adjectives, noun])
    if "count" in values:
        body = (
            f"{_NUMBERS[count] if count < len(_NUMBERS) else count} {body}"
            if rng.random() < 0.8
            else f"{count} {body}"
        )
    elif count == 1 and not noun.endswith(_MASS) and rng.random() < 0.6:
        body = with_article(body)
    return _Part(body, claim(entry, names), len(names))


def _styled(noun: str, style: str, adjectives: list[str]) -> tuple[str, list[str]]:
    """Return noun and adjectives with a style: "red long hair", "full beard", "red and blue striped jumper"."""
    if style.endswith(noun):
        return style, adjectives
    if " and " in style:  # the colours of a pattern
        return noun, [style, *adjectives]
    return style, adjectives
