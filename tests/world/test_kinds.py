"""Kinds and relations of a world of some size: coherent, stated in words, shaped like a knowledge graph."""

from __future__ import annotations

import json
import re
from collections import Counter
from importlib import resources

import pytest

from mosaic_env.tasks.compose.scene_query import answer, asks
from mosaic_env.world.config import WorldConfig
from mosaic_env.world.generate import MISLABELLED, WorldData, make_world
from mosaic_env.world.kinds import KINDS
from mosaic_env.world.pictures import PICTURES
from tests.world.measures import degrees, quantile, skeletons

#: The most frequent relations of MKG-W, in its order.
FREQUENT = (
    "P161",
    "P31",
    "P57",
    "P86",
    "P54",
    "P162",
    "P175",
    "P106",
    "P58",
    "P344",
    "P264",
    "P19",
    "P495",
    "P27",
)
#: Relation: what the year of the head is at least and at most after that of the tail.
YEARS = {
    **dict.fromkeys(("P57", "P161", "P58", "P86", "P162", "P344", "P1040", "P676"), (18, 66)),
    **dict.fromkeys(("P112", "P287"), (18, 66)),
    **dict.fromkeys(("P84", "P61"), (23, 66)),
    "P170": (20, 66), "P22": (22, 40), "P26": (-10, 10), "P40": (-40, -22), "P463": (-50, -17),
    **dict.fromkeys(("P264", "P272", "P750", "P449", "P749"), (0, 200)),
    **dict.fromkeys(("P155",), (0, 100)), "P69": (-17, 500), "P361": (0, 0), "P180": (18, 1000),
}  # fmt: skip
BOTH_WAYS = (
    ("P190", "P190"),
    ("P26", "P26"),
    ("P47", "P47"),
    ("P36", "P1376"),
    ("P155", "P156"),
    ("P22", "P40"),
)


@pytest.fixture(scope="module")
def large() -> WorldData:
    return make_world(WorldConfig(2000, 7))


@pytest.fixture(scope="module")
def huge() -> WorldData:
    return make_world(WorldConfig(15_000, 7))


def test_there_are_many_kinds_and_relations(large: WorldData) -> None:
    table = json.loads(resources.files("mosaic_env.snapshot").joinpath("properties.json").read_text("utf-8"))
    assert len(KINDS) >= 25 and len(large.relations) >= 55
    assert {relation.id for relation in large.relations} <= table.keys()
    nouns = {noun for names in large.nouns.values() for noun in names}
    assert nouns >= {
        "region", "song", "television series", "film festival", "museum", "sculpture", "plant", "instrument", "award",
        "monument", "university", "nature reserve", "postage stamp", "language",
    }  # fmt: skip


def test_what_is_frequent_in_the_official_graph_is_frequent_here(huge: WorldData) -> None:
    ranks = [relation for relation, _ in Counter(r for _, r, _ in huge.triples).most_common()]
    assert ranks[:2] == ["P161", "P31"]
    assert set(FREQUENT) <= set(ranks[:26])
    share = sum(r in ranks[:10] for _, r, _ in huge.triples) / len(huge.triples)
    assert 0.45 < share < 0.65


@pytest.mark.parametrize("size", ["large", "huge"])
def test_degrees_are_like_those_of_the_official_graph(size: str, request: pytest.FixtureRequest) -> None:
    world: WorldData = request.getfixturevalue(size)
    found = degrees(world)
    assert 4.6 <= sum(found) / len(found) <= 5.6
    assert [quantile(found, p) for p in (10, 25, 50)] == [1, 2, 3]
    assert (
        quantile(found, 75) in (5, 6) and 8 <= quantile(found, 90) <= 11 and 20 <= quantile(found, 99) <= 34
    )
    assert sum(degree == 0 for degree in found) < 0.01 * len(found)
    assert 0.3 <= sum(1 <= degree <= 2 for degree in found) / len(found) <= 0.45


def test_a_few_hubs_are_classes_countries_and_genres(huge: WorldData) -> None:
    found = degrees(huge)
    assert found[-1] > 0.05 * len(found) and 8 <= sum(degree > 100 for degree in found) <= 40
    ends = Counter(tail for _, _, tail in huge.triples)
    assert {huge.nouns[key][0] for key, _ in ends.most_common(12)} <= {
        "class",
        "country",
        "genre",
        "language",
    }
    labels = {entity.key: entity.label for entity in huge.entities}
    assert labels[ends.most_common(1)[0][0]] == "film"


def test_dates_fit(large: WorldData) -> None:
    labels = {e.key: e.label for e in large.entities}
    for head, relation, tail in large.triples:
        if relation in YEARS:
            least, most = YEARS[relation]
            if relation == "P170" and "person" not in large.nouns[tail]:
                continue
            apart = large.years[head] - large.years[tail]
            assert least <= apart <= most, (labels[head], relation, labels[tail], apart)


def test_places_fit(large: WorldData) -> None:
    ends: dict[tuple[str, str], list[str]] = {}
    for head, relation, tail in large.triples:
        ends.setdefault((head, relation), []).append(tail)
    checked = 0
    for (head, relation), tails in ends.items():
        if relation == "P27" and (head, "P19") in ends:
            assert ends[ends[head, "P19"][0], "P17"] == tails
            checked += 1
        if relation == "P131" and (tails[0], "P17") in ends and (head, "P17") in ends:
            assert ends[tails[0], "P17"] == ends[head, "P17"]
            checked += 1
        if relation == "P361" and (head, "P175") in ends and (tails[0], "P175") in ends:
            assert ends[tails[0], "P175"] == ends[head, "P175"]
            checked += 1
    assert checked > 100


def test_relations_that_go_both_ways_are_stated_both_ways(large: WorldData) -> None:
    triples = set(large.triples)
    for relation, back in BOTH_WAYS:
        found = [(h, t) for h, r, t in large.triples if r == relation]
        assert found and all((t, back, h) in triples for h, t in found), relation


def test_what_a_thing_is_an_instance_of_is_its_noun(large: WorldData) -> None:
    labels = {e.key: e.label for e in large.entities}
    found = [(h, t) for h, r, t in large.triples if r in ("P31", "P106")]
    assert len(found) > 300 and all(labels[t] == large.nouns[h][-1] for h, t in found)


def test_texts_state_every_fact_in_words_of_their_own(large: WorldData) -> None:
    labels = {e.key: e.label for e in large.entities}
    stated = {e.key: f"{e.description} {e.text}" for e in large.entities}
    assert not [(h, r, t) for h, r, t in large.triples if labels[t] not in stated[h]]
    plain = "|".join(re.escape(relation.label) for relation in large.relations)
    assert not [e.text for e in large.entities if re.search(rf"(Its|His|Her) ({plain}): ", e.text)]


def test_every_kind_s_predicates_name_their_relation() -> None:
    for kind in KINDS:
        for relation, variants in kind.prose.says.items():
            assert len(variants) >= 2 and all(f"{{{relation}}}" in v for v in variants), (kind.name, relation)
        assert len(set(kind.prose.asides)) >= 4 and len(set(kind.prose.openings)) >= 3, kind.name


def test_no_text_says_what_any_picture_shows(large: WorldData) -> None:
    answers = {str(answer(scene, ask)) for scene in large.scenes.values() for ask in asks(scene)}
    everything = " ".join(f"{e.label} {e.description} {e.text}" for e in large.entities).casefold()
    found = [a for a in sorted(answers) if re.search(rf"\b{re.escape(a.casefold())}\b", everything)]
    assert len(answers) > 300 and not found


def test_sentences_are_built_in_many_ways(large: WorldData) -> None:
    found = skeletons(large)
    sentences = sum(found.values())
    assert len(found) > 0.28 * sentences and len(found) > 1500
    assert found.most_common(1)[0][1] < 0.05 * sentences


def test_namesakes_are_as_many_as_in_the_official_knowledge_base(large: WorldData, huge: WorldData) -> None:
    for world in (large, huge):
        counts = Counter(e.label for e in world.entities)
        assert 0.02 <= sum(c for c in counts.values() if c > 1) / len(world.entities) <= 0.03
        assert max(counts.values()) == 2


def test_near_duplicates_differ_by_a_word_or_a_letter_and_share_facts(large: WorldData) -> None:
    labels = {e.key: e.label for e in large.entities}
    ends: dict[str, set[tuple[str, str]]] = {}
    for head, relation, tail in large.triples:
        ends.setdefault(head, set()).add((relation, tail))
    assert len(large.alike) >= 18
    for first, second in large.alike:
        one, other = labels[first], labels[second]
        words = list(zip(one.split(" "), other.split(" "), strict=True))
        assert one != other and sum(a != b for a, b in words) == 1, (one, other)
        assert large.nouns[first] == large.nouns[second] and large.years[first] == large.years[second]
    shared = [pair for pair in large.alike if ends.get(pair[0], set()) & ends.get(pair[1], set())]
    assert len(shared) >= 0.5 * len(large.alike)


def test_some_pictures_were_made_for_an_entity_of_another_kind(large: WorldData) -> None:
    usual = {kind.name: kind.picture for kind in KINDS}
    wrong = {key: scene for key, scene in large.scenes.items() if scene.get("flaw") == "mislabelled"}
    assert len(wrong) == len(large.scenes) * MISLABELLED // 1000 > 30
    assert all(scene["kind"] in PICTURES for scene in large.scenes.values())
    people = [key for key in wrong if large.nouns[key][0] == "person"]
    assert people and all(wrong[key]["kind"] != usual["person"] for key in people)
    right = [s for k, s in large.scenes.items() if large.nouns[k][0] == "person" and k not in wrong]
    assert all(scene["kind"] == usual["person"] for scene in right)
    assert not [e for e in large.entities if "mislabelled" in f"{e.description} {e.text}"]


def test_the_paper_variant_has_a_few_words_and_is_the_same_world_otherwise(world: WorldData) -> None:
    paper = make_world(WorldConfig(text="paper"))
    assert paper.triples == world.triples and paper.scenes == world.scenes
    for poor, rich in zip(paper.entities, world.entities, strict=True):
        assert (poor.key, poor.label, poor.description, poor.text) == (
            rich.key,
            rich.label,
            rich.description,
            "",
        )
        assert 1 <= len(poor.description.split()) <= 14
