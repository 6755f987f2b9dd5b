"""Whole questions: a noun phrase or a walk in sentences, then the question to the last picture.

Level 1 nests everything into one phrase ("the film directed by the woman born in …"). Level 2 walks, one
sentence a hop. Frames, joints and the words of asks are chosen by seed among those of the task's split.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from mosaic_env.tasks.compose.asking import filled, patterns
from mosaic_env.tasks.compose.frames import (
    CUES,
    ENDINGS_2,
    FRAMES_1,
    JOINTS,
    OPENINGS_NAMED,
    OPENINGS_SHOWN,
)
from mosaic_env.tasks.compose.graph import Graph
from mosaic_env.tasks.compose.phrases import RELATIONS, cue_phrase, picture_word, where, with_article
from mosaic_env.tasks.compose.scene_query import Ask
from mosaic_env.tasks.compose.splits import wordings
from mosaic_env.tasks.compose.steps import Cue, Named, Relate, Shown, Step


def level1_question(
    rng: Random, graph: Graph, steps: Sequence[Step], path: Sequence[str], ask: Ask, split: str
) -> tuple[str, str]:
    """Return a Level 1 question and its template: frame and wording, slots and all."""
    phrase = ""
    for step in steps:
        if isinstance(step, Named):
            phrase = step.label
        elif isinstance(step, Relate):
            phrase = f"the {_bare(rng, step, phrase, split)}"
    frame = rng.choice(wordings(FRAMES_1, split))
    asked, pattern = _asked(rng, graph, ask, path[-1], split)
    return frame.format_map(_fields(graph, path[-1], asked, phrase)), f"{frame} | {pattern}"


def level2_question(
    rng: Random, graph: Graph, steps: Sequence[Step], path: Sequence[str], ask: Ask, split: str
) -> tuple[str, str]:
    """Return a Level 2 question and its template: opening, ending and wording, slots and all."""
    opening = rng.choice(wordings(OPENINGS_SHOWN if isinstance(steps[0], Shown) else OPENINGS_NAMED, split))
    ending = rng.choice(wordings(ENDINGS_2, split))
    sentences, it = _opened(graph, steps[0], path[0], opening)
    followers = [*steps[1:], None]
    hops = [(s, after) for s, after in zip(steps, followers, strict=True) if isinstance(s, Relate)]
    joints = rng.sample(wordings(JOINTS, split), len(hops))
    for key, (step, after), joint in zip(path[1:], hops, joints, strict=True):
        bare = _bare(rng, step, it, split)
        if isinstance(after, Cue):
            sentences.append(_cue_sentence(rng, graph, bare, after, key, split))
        else:
            sentences.append(joint.format(np=f"the {bare}"))
        it = _pointed_at(step.noun, " ".join(sentences[:-1]))
    asked, pattern = _asked(rng, graph, ask, path[-1], split)
    sentences.append(ending.format_map(_fields(graph, path[-1], asked, it)))
    return " ".join(sentences), f"{opening} {ending} | {pattern}"


def _fields(graph: Graph, target: str, asked: str, owner: str) -> dict[str, str]:
    """Return what frames and endings may say of a target and the question about its picture."""
    kind = graph.scenes[target]["kind"]
    word = picture_word(kind)
    plain, of = asked.format(where=where(kind, "")), asked.format(where=where(kind, owner))
    return {
        "np": owner, "it": owner, "their": possessive(graph.nodes[target].nouns), "picture": word,
        "a_picture": with_article(word), "ask": plain, "Ask": _capital(plain), "ask_of": of, "Ask_of": _capital(of),
    }  # fmt: skip


def possessive(nouns: Sequence[str]) -> str:
    """Return her, his, their or its for an entity with these nouns."""
    if "woman" in nouns:
        return "her"
    if "man" in nouns:
        return "his"
    return "their" if "person" in nouns else "its"


def _bare(rng: Random, step: Relate, inner: str, split: str) -> str:
    """Return a phrase without its article: "1987 film set in … and directed by …"."""
    phrase = _relation(rng, step.relation, step.inverse, split).format(x=inner)
    if step.also:
        # Before the other, which may nest: behind it, it could be read as a part of that.
        relation, inverse, label = step.also
        phrase = f"{_relation(rng, relation, inverse, split).format(x=label)} and {phrase}"
    return f"{step.year} {step.noun} {phrase}" if step.year else f"{step.noun} {phrase}"


def _relation(rng: Random, relation: str, inverse: bool, split: str) -> str:
    pair = (relation, inverse)
    options = RELATIONS[pair] if pair in RELATIONS else RELATIONS[(relation, not inverse)]
    return rng.choice(wordings(options, split))


def _asked(rng: Random, graph: Graph, ask: Ask, target: str, split: str) -> tuple[str, str]:
    """Return a wording of an ask, with its slot for the place, and the pattern it was made from."""
    pattern = rng.choice(wordings(patterns(ask), split))
    return filled(pattern, graph.scenes[target]["kind"], ask, thing_count(graph, target, ask)), pattern


def thing_count(graph: Graph, key: str, ask: Ask) -> int:
    """Return how many of the asked thing a picture shows; 1 when that does not apply."""
    things = graph.scenes[key]["things"]
    return next((int(t.get("count", 1)) for t in things if t["name"] == ask.get("thing")), 1)


def _opened(graph: Graph, start: Step, key: str, opening: str) -> tuple[list[str], str]:
    """Return the first sentence, and how the next one refers to what it names."""
    if isinstance(start, Shown):
        words = {"noun": start.noun, "a_noun": with_article(start.noun)}
        return [opening.format_map(words)], f"that {start.noun}"
    label = graph.nodes[key].label
    return [opening.format(x=label)], label


def _pointed_at(noun: str, said: str) -> str:
    """Return a phrase for the entity named last; "that city" is not enough when a city was named before."""
    head = noun.rsplit(maxsplit=1)[-1]
    return f"the last-named {noun}" if re.search(rf"\b{head}\b", said) else f"that {noun}"


def _cue_sentence(rng: Random, graph: Graph, bare: str, cue: Cue, picked: str, split: str) -> str:
    word = picture_word(graph.scenes[picked]["kind"])
    words = {
        "bare": bare, "a_bare": with_article(bare), "picture": word, "a_picture": with_article(word),
        "cue": cue_phrase(cue.ask, cue.value, thing_count(graph, picked, cue.ask)),
    }  # fmt: skip
    return rng.choice(wordings(CUES, split)).format_map(words)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
