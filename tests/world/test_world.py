"""The world: coherent, stated in full, invented, the same in every process."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from mosaic_env.core.errors import ConfigError
from mosaic_env.record.importers import Report, read_kgdb
from mosaic_env.tasks.compose.scene_query import answer, asks
from mosaic_env.world.config import WorldConfig
from mosaic_env.world.generate import PICTURED, WorldData, make_world
from mosaic_env.world.kinds import KINDS
from mosaic_env.world.prose import articled
from tests.shared_data import KGDB, needs_shared
from tests.world.processes import in_processes


def texts(world: WorldData) -> dict[str, str]:
    return {e.key: f"{e.description} {e.text}" for e in world.entities}


def test_numbers_of_the_default_world(world: WorldData) -> None:
    assert len(world.entities) == 160
    assert len(world.scenes) == round(PICTURED * 160)
    assert len(world.relations) >= 45
    assert len(world.triples) >= 2 * 160
    assert {noun[0] for noun in world.nouns.values()} >= {
        "country",
        "city",
        "person",
        "film",
        "album",
        "band",
    }


def test_two_processes_with_different_hash_seeds_make_the_same_world() -> None:
    code = (
        "from mosaic_env.world.config import WorldConfig; from mosaic_env.world.generate import make_world\n"
        "import hashlib, json; w = make_world(WorldConfig(90, 11))\n"
        "print(hashlib.sha256(json.dumps([[[e.key, e.label, e.description, e.text] for e in w.entities],"
        " w.triples, w.scenes, w.nouns, w.years]).encode()).hexdigest())"
    )
    first, second = in_processes(code)
    assert first == second


def test_another_seed_makes_another_world(world: WorldData) -> None:
    other = make_world(WorldConfig(seed=8))
    labels = {e.label for e in world.entities}
    assert sum(e.label in labels for e in other.entities) < 16


def test_worlds_that_differ_have_names_that_differ() -> None:
    configs = (WorldConfig(), WorldConfig(seed=8), WorldConfig(entities=161), WorldConfig(text="paper"))
    assert [config.name for config in configs] == [
        "mosaic-160-7",
        "mosaic-160-8",
        "mosaic-161-7",
        "mosaic-160-7-paper",
    ]


def test_too_small_a_world_is_one_clear_error() -> None:
    with pytest.raises(ConfigError, match="59 entities is too small"):
        WorldConfig(entities=59)
    with pytest.raises(ConfigError, match="200001 entities is too large"):
        WorldConfig(entities=200_001)
    with pytest.raises(ConfigError, match="no texts of the kind"):
        WorldConfig(text="riche")


def test_every_triple_is_stated_in_the_text_of_its_head(world: WorldData) -> None:
    labels = {e.key: e.label for e in world.entities}
    stated = texts(world)
    missing = [(h, r, t) for h, r, t in world.triples if labels[t] not in stated[h]]
    assert not missing


def test_templates_say_every_relation_in_words_of_their_own(world: WorldData) -> None:
    """The plain fallback sentence ("Its capital: …") is for kinds to come, not for those that are here."""
    labels = "|".join(re.escape(relation.label) for relation in world.relations)
    assert not [e.text for e in world.entities if re.search(rf"(Its|His|Her) ({labels}): ", e.text)]


def test_texts_have_two_to_eight_sentences_and_no_loose_ends(world: WorldData) -> None:
    titles = {e.label for e in world.entities}
    for entity in world.entities:
        bare = entity.text
        for title in sorted(titles, key=len, reverse=True):
            bare = bare.replace(title, "X")
        assert 2 <= len(re.findall(r"[.!?](?= |$)", bare)) <= 8, entity.text
        assert not re.search(r"[{}]|  |\ba [aeiou](?!ni)", bare), entity.text
        assert 0 < len(entity.description) < 90 and entity.label not in entity.description


def test_no_text_says_what_any_picture_shows(world: WorldData) -> None:
    answers = {str(answer(s, ask)) for s in world.scenes.values() for ask in asks(s)}
    everything = " ".join(texts(world).values()).casefold()
    found = [a for a in sorted(answers) if re.search(rf"\b{re.escape(a.casefold())}\b", everything)]
    assert len(answers) > 120
    assert not found


def test_nobody_is_related_to_himself_and_nothing_stands_alone(world: WorldData) -> None:
    assert not [t for t in world.triples if t[0] == t[2]]
    linked = {end for head, _, tail in world.triples for end in (head, tail)}
    alone = [e for e in world.entities if e.key not in linked]
    assert {world.nouns[e.key][0] for e in alone} <= {"genre", "class", "language"}


def test_there_are_a_few_namesakes_and_no_other_double_names(world: WorldData) -> None:
    counts = Counter(e.label for e in world.entities)
    doubles = [label for label, count in counts.items() if count > 1]
    assert 2 <= len(doubles) <= 4
    assert max(counts.values()) == 2


def test_the_order_of_keys_says_nothing_about_kind_or_picture(world: WorldData) -> None:
    keys = [e.key for e in world.entities]
    assert keys == sorted(keys) and all(re.fullmatch(r"M\d{6}", key) for key in keys)
    half = set(keys[:80])
    for noun in ("person", "film", "city"):
        everyone = [key for key in keys if world.nouns[key][0] == noun]
        assert 0.25 < len(half.intersection(everyone)) / len(everyone) < 0.75
    assert 0.35 < len(half & world.scenes.keys()) / len(world.scenes) < 0.65


def test_kinds_are_registered_once_and_share_out_every_size() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS)
    for size in (60, 61, 99, 400):
        assert len(make_world(WorldConfig(size, 5)).entities) == size


def test_articles() -> None:
    assert articled("a apple, a university, A ember, a pear") == "an apple, a university, An ember, a pear"


@needs_shared
def test_names_are_invented(world: WorldData) -> None:
    entities, _ = read_kgdb(KGDB, Report())
    real = {entity.label.casefold() for entity in entities}
    assert len(real) > 14_000
    # Classes and occupations have no names; they are called what they are.
    invented = [e.label for e in world.entities if world.nouns[e.key][0] != "class"]
    assert not [label for label in invented if label.casefold() in real]
    large = make_world(WorldConfig(15_000, 5))
    assert sum(e.label.casefold() in real for e in large.entities) < 0.005 * 15_000
