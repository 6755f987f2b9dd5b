"""Whole questions: a noun phrase or a walk in sentences, then the question to the last picture.

Level 1 nests everything into one phrase ("the film directed by the woman born in …"). Level 2 walks, one
sentence a hop. Frames, joints and the words of relations and asks are chosen by seed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from mosaic_env.tasks.compose.graph import Graph
from mosaic_env.tasks.compose.phrases import (
    RELATIONS,
    ask_phrases,
    cue_phrase,
    picture_word,
    where,
    with_article,
)
from mosaic_env.tasks.compose.scene_query import Ask
from mosaic_env.tasks.compose.steps import Cue, Named, Relate, Shown, Step

#: Frames of Level 1. {np} is the target, {Ask} and {ask} the question with its place, {it} without the owner.
FRAMES_1 = (
    "{Ask_of}?",
    "Look for {np}. {Ask}?",
    "Consider {np}. {Ask}?",
    "There is a picture of {np}. {Ask}?",
    "Find {np} and look at the {picture}: {ask}?",
    "Somebody shows you the {picture} of {np}. {Ask}?",
    "I have the {picture} of {np} in mind. {Ask}?",
    "This is about {np}. {Ask}?",
)
#: Openings of Level 2 by what the walk starts from.
OPENINGS_SHOWN = (
    "The attached picture is a detail of the picture of {a_noun}.",
    "Start from the {noun} that the attached picture belongs to.",
    "Identify the {noun} whose picture is attached in part.",
    "The attached picture was cut out of the picture of {a_noun}; find out which.",
    "Which {noun} does the attached picture belong to? Begin there.",
    "Take the {noun} of which the attached picture shows a part.",
)
OPENINGS_NAMED = (
    "Start from {x}.",
    "Begin with {x}.",
    "Take {x} as your starting point.",
    "The search starts at {x}.",
    "Look up {x} first.",
    "Let {x} be the first stop.",
)
JOINTS = (
    "From there, go to {np}.",
    "Then find {np}.",
    "Next comes {np}.",
    "Move on to {np}.",
    "This leads to {np}.",
    "Now look for {np}.",
    "Continue with {np}.",
    "After that, turn to {np}.",
)
#: Joints where several fit and a picture decides. {many} is a phrase in the singular.
CUES = (
    "As {bare}, several come into question: take the one whose {picture} shows {cue}.",
    "Not just one {bare} comes into question; choose the one whose {picture} shows {cue}.",
    "Look at every {bare} and keep the one whose {picture} shows {cue}.",
    "There is more than one {bare}: go on with the one whose {picture} shows {cue}.",
    "Compare the pictures of each {bare}; only one {picture} shows {cue}, and that is the next stop.",
    "Every {bare} is a candidate, but the {picture} of just one shows {cue}: take that one.",
)
ENDINGS_2 = (
    "{Ask_that}?",
    "{Ask}?",
    "Look at the {picture} of {it}. {Ask}?",
    "You have arrived. {Ask}?",
    "Open the {picture}: {ask}?",
    "Finally, look at the {picture} of {it}: {ask}?",
)


def level1_question(
    rng: Random, graph: Graph, steps: Sequence[Step], ask: Ask, target: str
) -> tuple[str, str]:
    """Return a Level 1 question and the name of its template."""
    phrase = ""
    for step in steps:
        phrase = step.label if isinstance(step, Named) else _noun_phrase(rng, step, phrase)
    frame = rng.randrange(len(FRAMES_1))
    asked, wording = _asked(rng, graph, ask, target)
    kind = graph.scenes[target]["kind"]
    fields = {
        "np": phrase,
        "picture": picture_word(kind),
        "ask": asked.format(where=where(kind, "")),
        "Ask": _capital(asked.format(where=where(kind, ""))),
        "Ask_of": _capital(asked.format(where=where(kind, phrase))),
    }
    return FRAMES_1[frame].format_map(fields), f"l1-{frame}-{ask['type']}-{wording}"


def _noun_phrase(rng: Random, step: Step, inner: str) -> str:
    if not isinstance(step, Relate):
        return inner
    return f"the {_bare(rng, step, inner)}"


def _bare(rng: Random, step: Relate, inner: str) -> str:
    """Return a phrase without its article: "1987 film set in … and directed by …"."""
    phrase = _relation(rng, step.relation, step.inverse).format(x=inner)
    if step.also:
        # Before the other, which may nest: behind it, it could be read as a part of that.
        relation, inverse, label = step.also
        phrase = f"{_relation(rng, relation, inverse).format(x=label)} and {phrase}"
    return f"{step.year} {step.noun} {phrase}" if step.year else f"{step.noun} {phrase}"


def _relation(rng: Random, relation: str, inverse: bool) -> str:
    pair = (relation, inverse)
    return rng.choice(RELATIONS[pair] if pair in RELATIONS else RELATIONS[(relation, not inverse)])


def _asked(rng: Random, graph: Graph, ask: Ask, target: str) -> tuple[str, int]:
    """Return a wording of an ask, with its slot for the place, and its number."""
    scene = graph.scenes[target]
    phrases = ask_phrases(scene["kind"], ask, thing_count(graph, target, ask))
    number = rng.randrange(len(phrases))
    return phrases[number], number


def thing_count(graph: Graph, key: str, ask: Ask) -> int:
    """Return how many of the asked thing a picture shows; 1 when that does not apply."""
    things = graph.scenes[key]["things"]
    return next((int(t.get("count", 1)) for t in things if t["name"] == ask.get("thing")), 1)


def level2_question(
    rng: Random, graph: Graph, steps: Sequence[Step], path: Sequence[str], ask: Ask
) -> tuple[str, str]:
    """Return a Level 2 question and the name of its template."""
    opening, ending = rng.randrange(len(OPENINGS_SHOWN)), rng.randrange(len(ENDINGS_2))
    sentences, it = _opened(graph, steps[0], path[0], opening)
    followers = [*steps[1:], None]
    hops = [(s, after) for s, after in zip(steps, followers, strict=True) if isinstance(s, Relate)]
    for key, (step, after), joint in zip(path[1:], hops, rng.sample(JOINTS, len(hops)), strict=True):
        bare = _bare(rng, step, it)
        if isinstance(after, Cue):
            sentences.append(_cue_sentence(rng, graph, bare, after, key))
        else:
            sentences.append(joint.format(np=f"the {bare}"))
        it = _pointed_at(step.noun, " ".join(sentences[:-1]))
    asked, wording = _asked(rng, graph, ask, path[-1])
    kind = graph.scenes[path[-1]]["kind"]
    plain, of = asked.format(where=where(kind, "")), asked.format(where=where(kind, it))
    fields = {
        "it": it,
        "picture": picture_word(kind),
        "ask": plain,
        "Ask": _capital(plain),
        "Ask_that": _capital(of),
    }
    sentences.append(ENDINGS_2[ending].format_map(fields))
    name = "shown" if isinstance(steps[0], Shown) else "named"
    return " ".join(sentences), f"l2-{name}-{opening}-{ending}-{ask['type']}-{wording}"


def _opened(graph: Graph, start: Step, key: str, opening: int) -> tuple[list[str], str]:
    """Return the first sentence, and how the next one refers to what it names."""
    if isinstance(start, Shown):
        words = {"noun": start.noun, "a_noun": with_article(start.noun)}
        return [OPENINGS_SHOWN[opening].format_map(words)], f"that {start.noun}"
    label = graph.nodes[key].label
    return [OPENINGS_NAMED[opening].format(x=label)], label


def _pointed_at(noun: str, said: str) -> str:
    """Return a phrase for the entity named last; "that city" is not enough when a city was named before."""
    head = noun.rsplit(maxsplit=1)[-1]
    return f"the last-named {noun}" if re.search(rf"\b{head}\b", said) else f"that {noun}"


def _cue_sentence(rng: Random, graph: Graph, bare: str, cue: Cue, picked: str) -> str:
    kind = graph.scenes[picked]["kind"]
    shown = cue_phrase(cue.ask, cue.value, thing_count(graph, picked, cue.ask))
    return rng.choice(CUES).format(bare=bare, picture=picture_word(kind), cue=shown)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
