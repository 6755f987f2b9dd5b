"""What cheap strategies learn and read."""

from __future__ import annotations

import numpy as np

from mosaic_env.core.types import Gold, Task
from mosaic_env.evals.quality.cases import Case, spread
from mosaic_env.evals.quality.classifier import Classifier, Example, features
from mosaic_env.evals.quality.knowledge import Knowledge, fit
from mosaic_env.evals.quality.reading import Vocabulary, caption, read_caption, words


def examples(count: int) -> list[Example]:
    made = []
    for number in range(count):
        answer = ("red", "blue", "green")[number % 3]
        hint = ("warm", "cold", "fresh")[number % 3]
        made.append(
            Example(f"k/{number}", "colour", f"Which {hint} colour has thing {number}?", answer, f"Q{number}")
        )
    return made


def test_words_fold_numbers_and_plurals() -> None:
    assert words("Three red STARS, and a glass.") == ["3", "red", "star", "and", "a", "glass"]


def test_a_vocabulary_finds_whole_words_and_the_longer_of_two() -> None:
    vocabulary = Vocabulary(["red", "long", "long hair", "12"])
    assert vocabulary.first(words("a hundred reddish things")) is None
    assert vocabulary.first(words("she has long hair")) == "long hair"
    assert vocabulary.first(words("twelve long roads")) == "12"
    assert Vocabulary([]).first(["red"]) is None


def test_a_caption_is_read_where_the_question_looks() -> None:
    scene = {
        "things": [
            {"name": "castle", "colour": "blue", "role": "emblem"},
            {"name": "star", "count": 3, "colour": "red"},
            {"name": "moon", "colour": "green", "hidden": True},
        ],
        "lettering": [{"place": "ribbon", "text": "ONWARD"}],
    }
    phrases = caption(scene)
    assert phrases == ["blue castle as the emblem", "3 red star", 'the ribbon reads "ONWARD"']
    colours = Vocabulary(["blue", "red", "green"])
    assert read_caption(phrases, "Which colour do the stars have?", colours) == "red"
    assert read_caption(phrases, "Which colour does the castle have?", colours) == "blue"
    assert read_caption(phrases, "What does the ribbon say?", Vocabulary(["Onward"])) == "Onward"
    assert read_caption(phrases, "What?", Vocabulary(["purple"])) is None


def test_the_classifier_learns_and_forgets_the_order() -> None:
    made = examples(120)
    learnt, again = Classifier(made), Classifier(made[::-1])
    asked = ["Which cold colour has thing 777?", "Which fresh colour has thing 778?", "Which warm colour?"]
    assert [learnt.predict("colour", one) for one in asked] == ["blue", "green", "red"]
    assert [again.predict("colour", one) for one in asked] == ["blue", "green", "red"]
    assert learnt.predict("count", asked[0]) is None


def test_without_anything_to_learn_the_classifier_guesses_the_commonest() -> None:
    rng = np.random.default_rng(3)
    made = [
        Example(f"k/{n}", "colour", f"Which {rng.integers(10**9)}?", "red" if n % 2 else f"c{n % 7}", f"Q{n}")
        for n in range(200)
    ]
    classifier = Classifier(made)
    answers = {classifier.predict("colour", f"Which {rng.integers(10**9)}?") for _ in range(20)}
    assert answers == {"red"}


def test_features_are_fixed() -> None:
    assert features("Which colour?").tolist() == sorted(set(features("which colours").tolist()))
    assert len(features("")) == 0


def test_nothing_is_learnt_from_the_audited_task_or_its_target() -> None:
    cases = [
        Case(Task(f"k/{n}", f"word{n % 6}"), Gold(f"k/{n}", f"a{n % 6}", kind="x", target=f"Q{n % 6}"), {})
        for n in range(30)
    ]
    fitted = fit(cases, [])
    for case in cases:
        known = fitted.of(case)
        assert case.gold.answer not in known.guesses("x", 99)
        assert known.classifier.predict("x", case.task.question) != case.gold.answer
    own = [Example("k/0", "x", "word0", "a0", "Q0"), Example("other", "x", "word9", "a9", "Q9")]
    assert fit(cases, own, "them").guesses("x", 99) == ("a9",)


def test_the_best_guess_is_the_commonest_then_the_first_by_name() -> None:
    known = Knowledge([Example(f"{n}", "x", "q", answer, "Q") for n, answer in enumerate("bbaacc")])
    assert known.guesses("x", 2) == ("a", "b")
    assert known.guesses("y") == ()


def test_keys_of_an_endless_source_are_drawn_without_listing_them() -> None:
    endless = range(3 * 10**9)  # three splits in turn
    drawn = spread(endless, 300)  # type: ignore[arg-type]
    assert drawn == sorted(set(drawn)) == spread(endless, 300)  # type: ignore[arg-type]
    assert len(drawn) == 300
    assert all(60 < sum(key % 3 == turn for key in drawn) < 140 for turn in range(3))  # type: ignore[operator]
    assert set(drawn).isdisjoint(spread(endless, 300, "train"))  # type: ignore[arg-type]
    assert spread(["a", "b"], 5) == spread(["a", "b"], None) == ["a", "b"]
