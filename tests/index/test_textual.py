"""Text search is exact: the order that scoring every row gives, alone or in a batch, for any k."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mosaic_env.core.types import Search
from mosaic_env.index.text import MAX_QUERY_CHARS, fold, trigrams, words
from mosaic_env.index.textual import _NOISE, _WHOLE, TextIndex, TextQuery
from mosaic_env.index.world import World, open_world
from mosaic_env.snapshot.kb import Entity
from mosaic_env.snapshot.opened import Snapshot
from tests.index.random_world import WORDS, index_of

QUERIES = [
    "Gold Cobra", "gold cobar", "album by Marrow", "rock band", "director of The Glass Harbour", "twinned with Velden",
    "film directed by Orla Finch", "city", "zzzz qqqq", "", "1987", "the", "Velden Ashgrove Pilot", "drama prizes",
]  # fmt: skip


@pytest.fixture(scope="module")
def world(tiny: Path) -> World:
    return open_world(Snapshot(tiny).public)


def brute_force(index: TextIndex, query: TextQuery) -> list[tuple[int, int]]:
    """Score every row with Python numbers, one by one, and sort."""
    text = query.text[:MAX_QUERY_CHARS]
    vector = index._encoder.encode([trigrams(text)])[0].astype(int).tolist()
    totals = []
    sums = index._sums(words(text), query)
    for row in range(index.size):
        dot = sum(a * b for a, b in zip(index._vectors[row].astype(int).tolist(), vector, strict=True))
        share = min(dot * (_WHOLE["ngrams"] / 127**2), _WHOLE["ngrams"])
        share = share if share >= _NOISE * _WHOLE["ngrams"] else 0.0
        hidden = query.pictured and bool(index._hidden[row])
        totals.append((0.0 if hidden else float(sums[row]) + share * share, row))
    ranked = sorted(totals, key=lambda item: (-item[0], item[1]))
    return [(row, math.floor(total * 1024)) for total, row in ranked if total > 0][: query.k]


def plain(found: tuple[np.ndarray, np.ndarray]) -> list[tuple[int, int]]:
    return list(zip(found[0].tolist(), found[1].tolist(), strict=True))


@pytest.mark.parametrize("text", QUERIES)
@pytest.mark.parametrize("facts", [False, True])
@pytest.mark.parametrize("pictured", [False, True])
def test_equals_scoring_every_row(world: World, text: str, facts: bool, pictured: bool) -> None:
    for k in (1, 3, 100):
        query = TextQuery(text, k, facts, pictured)
        assert plain(world.textual.search([query])[0]) == brute_force(world.textual, query)


@settings(max_examples=150)
@given(st.lists(st.text(max_size=60) | st.sampled_from(QUERIES), min_size=1, max_size=6), st.integers(1, 12))
def test_alone_and_in_a_batch_and_for_any_k(world: World, texts: list[str], k: int) -> None:
    batch = world.textual.search([TextQuery(text, k, n % 2 == 0, n % 3 == 0) for n, text in enumerate(texts)])
    for number, text in enumerate(texts):
        query = TextQuery(text, k, number % 2 == 0, number % 3 == 0)
        alone = plain(world.textual.search([query])[0])
        assert plain(batch[number]) == alone
        longer = TextQuery(text, k + 7, query.facts, query.pictured)
        assert plain(world.textual.search([longer])[0])[:k] == alone


def test_a_larger_random_world_against_brute_force() -> None:
    """Many ties, more rows than are looked at first, and k beyond them."""
    from tests.index.random_world import random_index

    index = random_index(400, seed=3)
    for text in (
        "alpha beta",
        "gamma",
        "delta epsilon zeta",
        "alphq",
        "eta theta iota kappa",
        "relation of alpha beta",
    ):
        for k in (1, 5, 31, 32, 33, 60, 400):
            for facts in (False, True):
                for pictured in (False, True):
                    query = TextQuery(text, k, facts, pictured)
                    assert plain(index.search([query])[0]) == brute_force(index, query), (text, k)


def test_rows_that_share_nothing_are_never_returned(world: World) -> None:
    """Public report bm25s: a query of unknown words returned a document with score 0."""
    assert world.search([Search("text", "xyzzy", 5)])[0].rows == ()
    assert world.search([Search("text", "", 5)])[0].rows == ()


def test_a_common_name_and_a_mistyped_one_say_little() -> None:
    entities = [
        Entity(f"F{n:04d}", f"{x} street", "street of the town", "It is in New York.")
        for n, x in enumerate(WORDS)
    ]
    entities += [Entity("E0001", "New York Stories", "film"), Entity("E0002", "New York", "town")]
    index = index_of(entities)
    place = sorted(entity.key for entity in entities).index("E0001")
    assert index.search([TextQuery("new york siories", 1)])[0][0].tolist() == [place]


def test_facts_only_when_asked(world: World) -> None:
    closed = world.search([Search("text", "director of The Glass Harbour", 1, facts=True)])[0]
    assert world.kb.labels[closed.rows[0]] == "Orla Finch"
    paper = world.search([Search("text", "director of The Glass Harbour", 1)])[0]
    assert world.kb.labels[paper.rows[0]] == "The Glass Harbour"


def test_excluded_and_pictured(world: World) -> None:
    first = world.search([Search("text", "Velden", 5)])[0]
    without = world.search([Search("text", "Velden", 5, exclude=world.kb.keys[first.rows[0]])])[0]
    assert without.rows == first.rows[1:]
    pictured = world.search([Search("text_to_image", "Velden", 5)])[0]
    assert set(pictured.rows) <= set(world.kb.pictures) and pictured.matched_on == "text"


def test_words_of_many_scripts() -> None:
    assert words("Straße ÅNGSTRÖM ﬁn") == ["strasse", "angstrom", "fin"]
    assert words("東京タワー 1958") == ["東京", "京タ", "タワ", "ワー", "1958"]
    assert words("京") == ["京"] and words("") == [] and words("\0 ,.") == []
    assert trigrams("Up") == [" up", "up "] and trigrams("") == []
    assert fold("É") == fold("É")


@given(st.text())
def test_tokens_are_total_and_fold_is_stable(text: str) -> None:
    assert fold(fold(text)) == fold(text) or not text.isascii()
    assert all(words(text)) and all(len(t) == 3 for t in trigrams(text))


def test_same_in_another_process_and_setting(world: World, tiny: Path) -> None:
    code = (
        "import sys; from mosaic_env.snapshot.opened import Snapshot; from mosaic_env.index.world import open_world\n"
        "from mosaic_env.core.types import Search; w = open_world(Snapshot(sys.argv[1]).public)\n"
        "print([w.search([Search('text', q, 5, facts=True)])[0] for q in sys.argv[2:]])"
    )
    env = {
        "PYTHONHASHSEED": "7",
        "OMP_NUM_THREADS": "1",
        "FAISS_SIMD_LEVEL": "NONE",
        "PYTHONPATH": ":".join(sys.path),
    }
    done = subprocess.run(
        [sys.executable, "-c", code, str(tiny), *QUERIES], env=env, capture_output=True, text=True
    )
    here = [world.search([Search("text", query, 5, facts=True)])[0] for query in QUERIES]
    assert done.stdout.strip() == str(here), done.stderr
