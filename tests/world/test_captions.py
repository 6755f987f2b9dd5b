"""Captions claim only what is true, whatever the kind of picture."""

from __future__ import annotations

from random import Random

import pytest

from mosaic_env.core.seeds import python_random
from mosaic_env.world.captions import FULL, attributes_of, caption, claim, facts, phrase
from mosaic_env.world.pictures import PICTURES
from mosaic_env.world.scene import About, thing


def scenes(kind: str, count: int = 30) -> list[dict]:
    rng = python_random(11, kind)
    return [PICTURES.get(kind).sample(rng, About("Gold Cobra", kind, bool(n % 2))) for n in range(count)]


@pytest.mark.parametrize("kind", list(PICTURES))
def test_what_a_text_claims_is_true_and_said(kind: str) -> None:
    rng = Random(2)
    for scene in scenes(kind):
        known = facts(scene)
        for made in (caption(scene, rng), caption(scene, rng, whole=True), phrase(scene, rng)):
            assert set(made.claims) <= known, made
            assert made.text and "{" not in made.text and "None" not in made.text
            for one in made.claims:
                for part in one.split("|")[1:]:
                    name, _, value = part.partition("=")
                    said = value.replace("/", " and ")
                    assert name == "count" or said in made.text, (made.text, one)


@pytest.mark.parametrize("kind", list(PICTURES))
def test_captions_are_long_and_phrases_are_short(kind: str) -> None:
    rng = Random(3)
    for scene in scenes(kind):
        every = sum(len(attributes_of(entry)) for entry in scene["things"] if not entry.get("hidden"))
        whole = caption(scene, rng, whole=True)
        assert whole.attributes == every
        assert caption(scene, rng).attributes >= min(FULL, every)
        assert phrase(scene, rng).attributes <= 2


def test_a_kind_nobody_has_heard_of_gets_captions() -> None:
    scene = {
        "kind": "stamp", "seed": 1, "look": {}, "lettering": [{"place": "value", "text": "12 VEL"}],
        "things": [
            thing("fox", colour="red", count=3, pattern="striped"),
            thing("frame", colour="blue", shape="wavy"),
            thing("ghost", colour="white", hidden=True),
        ],
    }  # fmt: skip
    assert "fox|colour=red|count=3" in facts(scene) and "kind=stamp" in facts(scene)
    assert not any("ghost" in fact for fact in facts(scene))
    texts = {made.text for made in (phrase(scene, Random(seed)) for seed in range(300))}
    assert {"red foxes", "three foxes", "a wavy frame"} <= texts
    assert any("12 VEL" in text for text in texts) and not any("ghost" in text for text in texts)
    whole = caption(scene, Random(4), whole=True)
    assert whole.attributes == 5 and len({caption(scene, Random(seed)).text for seed in range(50)}) > 40


def test_one_of_a_thing_is_not_counted() -> None:
    star = thing("star", colour="yellow", count=1)
    assert attributes_of(star) == ("colour",) and claim(star, ("colour",)) == "star|colour=yellow"


def test_the_same_seed_writes_the_same_text() -> None:
    scene = scenes("portrait", 1)[0]
    assert [caption(scene, Random(7)), phrase(scene, Random(7))] == [
        caption(scene, Random(7)),
        phrase(scene, Random(7)),
    ]
