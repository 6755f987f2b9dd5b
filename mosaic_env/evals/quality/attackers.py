"""Cheap strategies that must not beat the best constant guess of a question's type.

An attacker returns the answers it finds: none (then it guesses the constant), one, or, for an upper
bound, several of which any may be right; several are compared with as many constant guesses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mosaic_env.evals.quality.cases import TOP, Case, Sight
from mosaic_env.evals.quality.knowledge import Knowledge
from mosaic_env.evals.quality.reading import caption, read_caption, words

Strategy = Callable[[Case, Knowledge, Sight], tuple[str, ...]]


@dataclass(frozen=True)
class Attacker:
    """A cheap strategy.

    Args:
        name: For reports.
        what: What it does, for people.
        answers: The strategy.
        route: The route whose results it uses, or ``""``.
        scenes: It needs to know what pictures show.
        learns: It learns from other tasks, so that it says nothing about a single one.
    """

    name: str
    what: str
    answers: Strategy
    route: str = ""
    scenes: bool = False
    learns: bool = False


def _only(value: str | None) -> tuple[str, ...]:
    return () if value is None else (value,)


def no_search(case: Case, known: Knowledge, sight: Sight) -> tuple[str, ...]:
    """Answer with a possible answer that stands in the question."""
    return _only(known.vocabulary(case.kind).first(words(case.task.question)))


def text_only(case: Case, known: Knowledge, sight: Sight) -> tuple[str, ...]:
    """Read the texts at the end of the gold chain, then those of one search; answer with what stands there.

    Knowing where the chain leads makes it stronger than any agent that has to find out.
    """
    vocabulary = known.vocabulary(case.kind)
    for row in dict.fromkeys((*case.walked, *case.found["text"])):
        value = vocabulary.first(words(sight.text(row)))
        if value is not None:
            return (value,)
    return ()


def classifier(case: Case, known: Knowledge, sight: Sight) -> tuple[str, ...]:
    """Answer with what a classifier of questions says."""
    return _only(known.classifier.predict(case.kind, case.task.question))


def _one_search(route: str) -> Strategy:
    def answers(case: Case, known: Knowledge, sight: Sight) -> tuple[str, ...]:
        read = [sight.reads(row, case.ask) for row in case.found.get(route, ())]
        return tuple(dict.fromkeys(value for value in read if value is not None))

    return answers


def _first_result(route: str) -> Strategy:
    def answers(case: Case, known: Knowledge, sight: Sight) -> tuple[str, ...]:
        rows = sight.pictured(case.found.get(route, ()))
        return _only(sight.reads(rows[0], case.ask)) if rows else ()

    return answers


def _captions(route: str) -> Strategy:
    def answers(case: Case, known: Knowledge, sight: Sight) -> tuple[str, ...]:
        rows = sight.pictured(case.found.get(route, ()))
        scene = sight.scene(rows[0]) if rows else None
        if scene is None:
            return ()
        return _only(read_caption(caption(scene), case.task.question, known.vocabulary(case.kind)))

    return answers


#: What is added to an attacker's name for each route that it can search.
_BY = {"text": "", "text_to_image": ", pictures", "image": ", image"}


def _looking(route: str) -> tuple[Attacker, ...]:
    """Return the attackers that make one search on a route and look at its results."""
    by = _BY[route]
    asked = "the question's picture" if route == "image" else "the whole question"
    return (
        Attacker(f"first result{by}", f"looks at the first picture that {asked} finds",
                 _first_result(route), route, scenes=True),
        Attacker(f"one search{by}", f"any of the {TOP} pictures that {asked} finds: an upper bound",
                 _one_search(route), route, scenes=True),
        Attacker(f"captions{by}", f"reads a caption of the first picture that {asked} finds",
                 _captions(route), route, scenes=True),
    )  # fmt: skip


ATTACKERS = (
    Attacker("no search", "a possible answer that stands in the question", no_search),
    Attacker("text only", "a possible answer in the texts at the chain's end, or of one search", text_only),
    *(attacker for route in _BY for attacker in _looking(route)),
    Attacker("classifier", "learnt from questions and answers", classifier, learns=True),
)


def usable(cases: Sequence[Case]) -> list[Attacker]:
    """Return the attackers whose route answered for some task."""
    routes = {route for case in cases for route in case.found}
    return [attacker for attacker in ATTACKERS if not attacker.route or attacker.route in routes]
