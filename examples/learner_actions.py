"""Discrete actions for the learner: what it may search for, which picture it may open, what it may answer.

Everything here is read from the question and from search results, the way an agent sees them. Nothing is known of a
task's answer, chain or scene. An action is what ``env.step`` takes, with the names of its features: the policy
weighs those.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

#: The closed vocabulary of each type of question: what pictures of a generated world can show. Lettering is left out:
#: the encoder cannot read.
_VOCABULARY = {
    "colour": "red, orange, yellow, green, blue, purple, pink, brown, black, white, grey, gold, blond",
    "count": "2, 3, 4, 5, 6, 7, 8, 9, 10",
    "pattern": "striped, checked, dotted, spotted, zigzag, dashed, halved, quartered, diagonal band, diagonal, upright",
    "direction": "horizontal, vertical",
    "shape": """circle, triangle, square, hexagon, star, diamond, shield, crescent, round, triangular, star-shaped,
        heart-shaped, half-moon, domed, pointed, stepped, flat, arched, tapered""",
    "hair": """bald head, bob, braid, bun, curly hair, long hair, short hair, side parting, spiky hair, full beard,
        goatee, moustache""",
    "worn": "beret, bowler hat, flat cap, straw hat, top hat, bow tie, necklace, scarf, tie",
    "instrument": "banjo, drum, guitar, harp, organ, pan flute, piano, tambourine, trumpet, violin, xylophone",
    "object": """acorn, anchor, barrel, bell, bird, book, butterfly, castle, church, clock tower, crescent, crown,
        feather, Ferris wheel, fish, flower, gear, heart, key, lantern, leaf, lighthouse, lightning bolt, mountain,
        pagoda, ship, skyscraper, snowflake, star, suitcase, sun, tower, tree, wheel, windmill""",
    "neighbour": """anchor, armchair, banjo, bell, bookcase, bottle, candle, castle, church, circle, clock tower, crown,
        domed hall, drum, Ferris wheel, fish, floor lamp, flower, grandfather clock, guitar, harp, hexagon, jug, key,
        lantern, lighthouse, mountain, obelisk, organ, pagoda, pan flute, piano, ship, skyscraper, square,
        stack of books, star, stool, tambourine, teapot, tower, tree, triangle, triumphal arch, trumpet, vase, violin,
        water tower, wheel, windmill, xylophone""",
}  # fmt: skip
VOCABULARY = {kind: re.split(r",\s+", values) for kind, values in _VOCABULARY.items()}
#: Every (type, value) that can be answered.
ANSWERS = tuple((kind, value) for kind, values in VOCABULARY.items() for value in values)
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

TOOLS = ("local_text_search_with_image", "local_text_to_image_search")
#: The interaction after which only an answer is taken, counted from 0.
LAST = 2
#: Results a search asks for.
ROWS = 5
_PICTURE = r"(?:flag|picture|portrait|poster|cover|logo|crest|landscape|map|stamp)"
_PLACE = re.compile(rf"(?<!turns )\b(?:in|on) the {_PICTURE}\b")
_ASK = re.compile(
    r"(?:^|[.:?] |, )(?=(?:(?:in|of|with|on|from) )?(?:what|which|how)\b|counting |going |looking from)", re.I
)
_JOINT = r"(?:of|the|and|in|on|by|to|a|at|for|with|from|&)"
_NAME = re.compile(rf"[A-Z][\w'’-]*(?:,? (?:{_JOINT} )*[A-Z][\w'’-]*)*")
_MENTION = re.compile(r"[A-Z][\w'’-]*(?: (?:(?:of|the|to|from|on|&) )*[A-Z][\w'’-]*)*")
#: A first word that is alone, or that little words join to a name: "Directed by the …".
_FIRST = re.compile(r"^\S+(?:$| (?:[a-z]+ )+)")
_WORD = re.compile(r"[\w'’-]+")
#: Words that say nothing about what is asked about.
_EMPTY_WORDS = """
    a an the of in on at to by for from with and or is are was were be been do does did has have can could what which
    how who whose that this there you one they its his her it many much number total counting count counted colour
    colours coloured shape shapes shaped pattern patterned kind sort type style see seen shown show appear appears
    visible find depicted depict made out would describe name call given chosen worn wear wears person person's say says
    read text wording exactly done thing serves next comes directly immediately
"""
_EMPTY = frozenset(_EMPTY_WORDS.split())
#: Words that stand in questions of every type.
_LITTLE_WORDS = "a the of in on is are be do does can there what which picture portrait poster flag logo"
_LITTLE = frozenset(_LITTLE_WORDS.split())


@dataclass(frozen=True, eq=False)
class Question:
    """A question in parts.

    Args:
        subject: Which picture is meant.
        ask: What is asked of it.
        thing: What it is asked about, without the words of asking.
        names: The names in ``subject``.
        stems: Beginnings of the other telling words of ``subject``.
        cues: Beginnings of the words of ``ask``.
    """

    text: str
    subject: str
    ask: str
    thing: str
    names: tuple[str, ...]
    stems: tuple[str, ...]
    cues: tuple[str, ...]


@lru_cache(maxsize=4096)
def read_question(text: str) -> Question:
    """Take a question apart."""
    places = list(_PLACE.finditer(text))
    owned = [place for place in places if text.startswith(" of ", place.end())]
    place = (owned or places[-1:] or [None])[0]
    end = len(text) if place is None else place.start()
    start = next((found.end() for found in _ASK.finditer(text) if found.end() <= end), 0)
    if place is not None and place in owned and start < 2:
        subject, ask = text[place.end() :], text[start : place.start()]
    else:
        subject, ask = text[:start], text[start:]
    names = tuple(_names(subject or text))
    plain = subject
    for name in names:
        plain = plain.replace(name, " ")
    thing = " ".join(word for word in words(text[start:end]) if word not in _EMPTY)
    return Question(text, subject, ask, thing, names, stems(plain), stems(ask, _LITTLE))


def words(text: str) -> list[str]:
    """Return the words of a text in small letters."""
    return _WORD.findall(text.lower())


def stems(text: str, without: frozenset[str] = _EMPTY) -> tuple[str, ...]:
    """Return the first four letters of each telling word, each once."""
    return tuple(dict.fromkeys(word[:4] for word in words(text) if word not in without))


def _names(text: str) -> Iterator[str]:
    """Yield the capitalised names of a question, but not a lone word that begins a sentence."""
    for found in _NAME.finditer(text):
        if " " in found[0] or not _begins(text, found.start()):
            yield found[0]


def _mentions(text: str) -> Iterator[str]:
    """Yield the names in an entity's text: lists are taken apart, and a first word is no part of a name."""
    for found in _MENTION.finditer(text):
        name = found[0]
        if _begins(text, found.start()):
            name = _FIRST.sub("", name)
        if name:
            yield name


def _begins(text: str, at: int) -> bool:
    """Tell whether a sentence begins at a place."""
    before = text[:at].rstrip()
    return not before or before[-1] in ".:?"


@lru_cache(maxsize=1 << 16)
def _around(text: str, name: str) -> tuple[str, ...]:
    """Return the stems of the words that stand near a name in a text."""
    at = text.find(name)
    if at < 0:
        return ()
    before = re.split(r"[.;]", text[:at])[-1].split()[-6:]
    after = re.split(r"[.;]", text[at + len(name) :])[0].split()[:3]
    return stems(" ".join(before + after))


@lru_cache(maxsize=1 << 16)
def _link(asked: tuple[str, ...], near: tuple[str, ...]) -> tuple[str, ...]:
    """Return features of how well the words near a name fit the words of the question."""
    shared = len(set(asked) & set(near))
    return (f"shared {min(shared, 3)}", *(f"{one}~{other}" for one in asked for other in near))


@lru_cache(maxsize=1 << 16)
def _found(question: Question, text: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the names in the text of an entity that the question names, each with its features."""
    names = dict.fromkeys(name for name in _mentions(text) if name not in question.names)
    return tuple((name, _link(question.stems, _around(text, name))) for name in names)


@lru_cache(maxsize=1 << 16)
def _row_features(
    question: Question, label: str, text: str, rank: int, step: int, sought: bool
) -> tuple[str, ...]:
    """Return what speaks for opening the picture of a result."""
    mentioned = [name for name in question.names if name in text]
    state = "asked" if label in question.names else "sought" if sought else "other"
    fits = len(set(question.stems) & set(stems(text)))
    link = _link(question.stems, _around(text, mentioned[0])) if mentioned and state == "other" else ()
    return (
        f"open {step}", f"open {state}", f"open {state} fits {min(fits, 4)}", f"open {state} rank {min(rank, 6)}",
        f"open {state} mentions {len(mentioned)} of {len(question.names)}", *link,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Action:
    """One thing to do.

    Args:
        kind: ``search``, ``open`` or ``answer``.
        features: Names of what speaks for or against it.
        call: The tool call; None for answering.
    """

    kind: str
    features: tuple[str, ...]
    call: dict[str, Any] | None = None


@dataclass
class Sight:
    """What one episode has seen so far.

    ``rows`` are the latest results that have a picture, ``facts`` the texts of entities that the question names.
    """

    question: Question
    step: int = 0
    rows: list[dict[str, Any]] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)
    searched: list[str] = field(default_factory=list)
    picture: bytes = b""
    view: dict[str, Any] | None = None

    def chose(self, action: Action) -> None:
        """Note what is done next."""
        if action.kind == "search" and action.call is not None:
            self.searched.append(action.call["arguments"]["query"])

    def look(self, text: str, images: tuple[bytes, ...], handles: tuple[str, ...]) -> None:
        """Take in what a step has shown; the first of its pictures is in view from now on."""
        self.step += 1
        data = json.loads(text.splitlines()[0]).get("data", {}) if text.startswith("{") else {}
        if "results" in data:
            rows = data["results"]
            self.rows = [row for row in rows if "image" in row]
            self.facts += [row["text"] for row in rows if row["label"] in self.question.names]
        if images:
            self.picture = images[0]
            self.view = next((row for row in self.rows if row["image"] == handles[0]), None)

    def actions(self) -> list[Action]:
        """Return everything that can be done now, except the value of an answer."""
        seen = () if self.view is None else tuple(f"answer {name}" for name in self._features(self.view))
        answer = Action("answer", (f"answer {self.step} {bool(seen)}", *seen))
        searches = self._searches() if self.step < LAST else ()  # its results could not be opened any more
        return [*searches, *self._openings(), answer]

    def _searches(self) -> Iterator[Action]:
        names = self.question.names
        spans = [(name, (f"name {n} of {len(names)}",)) for n, name in enumerate(names)]
        spans.append((self.question.subject or self.question.text, ("subject",)))
        for fact in dict.fromkeys(self.facts):
            spans += [(name, (f"found {self.step}", *link)) for name, link in _found(self.question, fact)]
        for tool in TOOLS:
            for span, features in spans:
                again = ("again",) if span in self.searched else ()
                call = {"name": tool, "arguments": {"query": span, "top_k": ROWS}}
                yield Action("search", (f"search {self.step}", tool, *features, *again), call)

    def _openings(self) -> Iterator[Action]:
        for row in self.rows:
            if row is not self.view:
                call = {"name": "view_image", "arguments": {"image": row["image"]}}
                yield Action("open", self._features(row), call)

    def _features(self, row: dict[str, Any]) -> tuple[str, ...]:
        sought = row["label"] in self.searched
        return _row_features(self.question, row["label"], row["text"], row["rank"], self.step, sought)
