"""Composed tasks: what their proofs promise, seen from questions, chains and scenes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import pairwise

import pytest

from mosaic_env.scoring import score
from mosaic_env.tasks.compose import Composed, Composer, Graph, compose_tasks
from mosaic_env.tasks.compose import phrases as words
from mosaic_env.tasks.compose.asking import filled, patterns
from mosaic_env.tasks.compose.graph import plain_words
from mosaic_env.tasks.compose.proofs import PROOFS, check
from mosaic_env.tasks.compose.scene_query import TYPES, answer, asks
from mosaic_env.tasks.compose.steps import Cue, Named, Relate, Shown
from mosaic_env.tasks.levels import HOPS
from mosaic_env.world.generate import WorldData
from tests.world.processes import in_processes

SYMMETRIC = {"P26", "P47", "P190"}


@pytest.fixture(scope="module")
def made(graph: Graph) -> list[Composed]:
    return compose_tasks(graph, "mosaic-7", 7)


def of(made: list[Composed], level: str) -> list[Composed]:
    return [m for m in made if m.task.level == f"interlv-{level}"]


def test_enough_tasks_of_every_kind(made: list[Composed]) -> None:
    assert len(of(made, "l1")) >= 80 and len(of(made, "l2")) >= 50
    assert len({m.task.key for m in made}) == len(made) == len({m.task.question for m in made})
    tags = Counter(tag for m in of(made, "l2") for tag in m.task.tags)
    assert tags["initial_visual_probed"] >= 25 and tags["intermediate_visual_probed"] >= 25
    for level in ("l1", "l2"):
        types = Counter(m.ask["type"] for m in of(made, level))
        assert set(types) == set(TYPES) and min(types.values()) >= 2, types
        splits = Counter(m.task.split for m in of(made, level))
        assert set(splits) == {"train", "val", "test"} and splits["train"] > len(of(made, level)) * 0.45


def test_answers_stand_in_no_text_and_no_question(world: WorldData, made: list[Composed]) -> None:
    everything = " | ".join(f"{e.label} | {e.description} | {e.text}" for e in world.entities).casefold()
    for m in made:
        pattern = rf"(?<!\w){re.escape(m.gold.answer.casefold())}(?!\w)"
        assert not re.search(pattern, everything), m.gold.answer
        assert not re.search(pattern, m.task.question.casefold()), m.task.question


def test_questions_name_only_where_they_start(world: WorldData, made: list[Composed]) -> None:
    labels = {e.key: e.label.casefold() for e in world.entities}
    for m in made:
        named = isinstance(m.steps[0], Named)
        for key in m.path[1:] if named else m.path:
            assert not re.search(rf"(?<!\w){re.escape(labels[key])}(?!\w)", m.task.question.casefold())
        if named:
            assert labels[m.path[0]] in m.task.question.casefold()


def test_chains_are_walks_on_the_graph_within_the_budget(world: WorldData, made: list[Composed]) -> None:
    joined = {frozenset((head, tail)) for head, _, tail in world.triples}
    for m in made:
        chain = m.gold.chain
        for hop in chain:
            if hop.head:
                assert frozenset((hop.head, hop.tail)) in joined
            else:
                assert (hop.via, hop.tool) in (
                    ("text", "local_text_search"),
                    ("picture", "local_image_search"),
                )
            assert hop.query and hop.tool
        for before, after in pairwise(chain):
            assert after.head == before.tail
        assert chain[-1].tail == m.gold.target and chain[-1].tool == "local_text_search_with_image"
        budget = {"interlv-l1": 3, "interlv-l2": 7}[m.task.level]
        assert 2 <= m.gold.min_interactions <= len(chain) + 1 <= budget


def test_level_2_takes_three_to_six_hops_and_two_looks_between_distant_ends(
    world: WorldData, made: list[Composed]
) -> None:
    joined = {frozenset((h, t)) for h, _, t in world.triples}
    for m in of(made, "l2"):
        assert 3 <= len(m.gold.chain) <= 6
        assert frozenset((m.path[0], m.path[-1])) not in joined
        assert len(set(m.path)) == len(m.path)
        looks = [hop for hop in m.gold.chain if hop.tool != "local_text_search"]
        assert len(looks) >= 2
        assert (m.probe is not None) == isinstance(m.steps[0], Shown)
        if m.probe is not None:
            left, top, right, bottom = m.probe.box
            assert 0 <= left < right <= 1000 and 0 <= top < bottom <= 1000
            assert 0.55 < (right - left) * (bottom - top) / 1e6 < 0.65
            assert m.probe.entity == m.path[0] and m.probe.percent != 100


def test_what_a_hop_needs_can_be_read(world: WorldData, made: list[Composed]) -> None:
    """Either the text of one end names the other, or a search by name leads there, among few others."""
    by_key = {e.key: e for e in world.entities}
    everyone = [plain_words(f"{e.description} {e.text}") for e in world.entities]
    for m in made:
        for hop in m.gold.chain:
            if not hop.head:
                continue
            head, tail = by_key[hop.head], by_key[hop.tail]
            if tail.label in f"{head.description} {head.text}":
                assert tail.label in hop.query
            else:
                assert head.label in f"{tail.description} {tail.text}" and head.label in hop.query
                assert sum(plain_words(head.label) in text for text in everyone) <= 5


def test_no_constant_guess_pays(composer: Composer) -> None:
    for level, hops in HOPS.items():
        tasks = [composer.task(level, "train", hops, 1, number) for number in range(400)]
        answers: dict[str, Counter[str]] = defaultdict(Counter)
        for task in tasks:
            assert task is not None
            answers[task.ask["type"]][task.gold.answer] += 1
        assert set(answers) == set(TYPES)
        for kind, given in answers.items():
            assert max(given.values()) <= 0.4 * sum(given.values()), (level, kind, given)


def test_the_scorer_takes_answers_and_aliases_and_refuses_other_answers(made: list[Composed]) -> None:
    pools = {kind: sorted({m.gold.answer for m in made if m.ask["type"] == kind}) for kind in TYPES}
    wrong = confused = 0
    for m in made:
        for right in (m.gold.answer, *m.gold.aliases):
            assert score(right, m.gold, m.task.question).value == "yes", (right, m.gold.answer)
        for other in pools[m.ask["type"]]:
            if other != m.gold.answer:
                wrong += 1
                confused += score(other, m.gold, m.task.question).value == "yes"
    assert wrong > 1500 and confused < 0.005 * wrong


def test_the_same_seed_gives_the_same_tasks_in_every_process() -> None:
    code = (
        "from mosaic_env.world.config import WorldConfig; from mosaic_env.world.generate import make_world\n"
        "from mosaic_env.world.make import graph_of; from mosaic_env.tasks.compose import compose_tasks\n"
        "import hashlib; m = compose_tasks(graph_of(make_world(WorldConfig(600, 5))), 'w', 5, level1=30, level2=20)\n"
        "print(len(m), hashlib.sha256(repr([(x.task, x.gold, x.probe) for x in m]).encode()).hexdigest())"
    )
    first, second = in_processes(code)
    assert first == second and int(first.split()[0]) >= 30


def test_keys_stay_when_fewer_tasks_are_made(graph: Graph, made: list[Composed]) -> None:
    fewer = compose_tasks(graph, "mosaic-7", 7, level1=20, level2=10)
    known = {m.task.key: m for m in made}
    assert len(fewer) == 30
    shared = [m for m in fewer if m.task.key in known]
    assert len(shared) >= 20 and all(known[m.task.key].gold == m.gold for m in shared)


def test_each_proof_can_fail(graph: Graph, made: list[Composed]) -> None:
    """Break a sound task in one way after the other: the proof of that name notices."""
    from dataclasses import replace

    one = next(m for m in of(made, "l2") if isinstance(m.steps[0], Named) and len(m.gold.chain) >= 4)
    shown = next(m for m in of(made, "l2") if isinstance(m.steps[0], Shown))
    label = graph.nodes[one.path[-1]].label
    other = next(k for k in graph.scenes if k != one.gold.target)
    unasked = {"type": "colour", "thing": "unicorn"}
    hop = next(i for i, s in enumerate(one.steps) if isinstance(s, Relate))
    broken = {
        "one split": replace(one, task=replace(one.task, split="elsewhere")),
        "one target": replace(one, gold=replace(one.gold, target=other)),
        "one answer": replace(one, gold=replace(one.gold, answer="mauve")),
        "not constant": replace(one, ask=unasked),
        "not in texts": replace(one, gold=replace(one.gold, answer=label)),
        "question keeps quiet": replace(one, task=replace(one.task, question=f"What is {label}?")),
        "no way round": replace(one, path=(*one.path[:-1], one.path[0])),
        "fits budget": replace(one, gold=replace(one.gold, chain=one.gold.chain * 3)),
        "findable": replace(
            one, gold=replace(one.gold, chain=(replace(one.gold.chain[-1], tail=unlinked(graph, one)),))
        ),
        "hops and rounds": replace(one, gold=replace(one.gold, chain=one.gold.chain[:1])),
        "pictured start": replace(shown, probe=None),
    }
    assert set(broken) == set(PROOFS)
    assert not check(graph, one) and not check(graph, shown)
    for name, task in broken.items():
        assert name in {failure.proof for failure in check(graph, task)}, name
    without = replace(one, steps=(*one.steps[:hop], *one.steps[hop + 1 :]))
    assert check(graph, without)


def unlinked(graph: Graph, made: Composed) -> str:
    """Return an entity whose text does not name the last head, nor the other way round."""
    head = graph.nodes[made.gold.chain[-1].head]
    return next(k for k, n in graph.nodes.items() if not n.names(head) and not head.names(n))


def test_a_cue_tells_the_candidates_apart(graph: Graph, made: list[Composed]) -> None:
    cued = [m for m in made if any(isinstance(step, Cue) for step in m.steps)]
    assert len(cued) >= 25
    for m in cued:
        place = next(i for i, step in enumerate(m.steps) if isinstance(step, Cue))
        cue = m.steps[place]
        assert isinstance(cue, Cue) and len(m.steps) > place + 1, "the walk goes on after the cue"
        picked = m.path[place - 1]
        assert answer(graph.scenes[picked], cue.ask) == cue.value


def test_scene_queries() -> None:
    scene = {
        "things": [
            {"name": "castle", "colour": "red", "count": 1, "at": [200, 0], "line": "row"},
            {"name": "church", "colour": "blue", "count": 1, "at": [800, 0], "line": "row"},
            {"name": "pagoda", "count": 1, "at": [500, 0], "line": "row"},
            {"name": "boat", "count": 3, "pattern": "striped", "role": "emblem"},
            {"name": "hair", "style": "bun", "colour": "black", "hidden": True},
        ],
        "lettering": [{"place": "ribbon", "text": "HOLD ON"}, {"place": "title", "text": "The Name"}],
    }
    assert answer(scene, {"type": "colour", "thing": "castle"}) == "red"
    assert answer(scene, {"type": "count", "thing": "boat"}) == "3"
    assert answer(scene, {"type": "pattern", "thing": "boat"}) == "striped"
    assert answer(scene, {"type": "object", "role": "emblem"}) == "boat"
    beside = {"type": "spatial", "beside": "pagoda", "line": "row"}
    assert [answer(scene, {**beside, "side": side}) for side in ("left", "right")] == ["castle", "church"]
    assert answer(scene, {**beside, "beside": "castle", "side": "left"}) is None
    assert answer(scene, {"type": "lettering", "place": "ribbon"}) == "HOLD ON"
    for absent in ({"type": "colour", "thing": "pagoda"}, {"type": "colour", "thing": "unicorn"},
                   {"type": "facial", "thing": "hair"}, {"type": "colour", "thing": "hair"}):  # fmt: skip
        assert answer(scene, absent) is None
    found = list(asks(scene))
    assert {"type": "count", "thing": "castle"} not in found and {
        "type": "lettering",
        "place": "title",
    } not in found
    assert all(answer(scene, ask) for ask in found) and len(found) == 2 + 1 + 1 + 1 + 4 + 1
    scene["things"].append({"name": "boat", "count": 2})
    assert answer(scene, {"type": "count", "thing": "boat"}) is None, "two readings are no answer"


def test_there_are_words_for_every_relation_picture_and_question(world: WorldData) -> None:
    for relation in world.relations:
        if relation.id not in ("P31", "P106", "P136"):
            directions = [(relation.id, inverse) in words.RELATIONS for inverse in (False, True)]
            assert all(directions) or (any(directions) and relation.id in SYMMETRIC), relation.id
    for scene in world.scenes.values():
        for ask in asks(scene):
            wordings = [filled(pattern, scene["kind"], ask, 2) for pattern in patterns(ask)]
            assert len(wordings) >= 6 and all("{where}" in w and w.count("{") == 1 for w in wordings)


def test_surface_forms_are_many(drawn: dict[tuple[str, str], list[Composed]]) -> None:
    for tasks in drawn.values():
        assert len({m.gold.notes["template"] for m in tasks}) >= 50, "of 100 questions"
        for m in tasks:
            wrong = re.search(r"[{}]|  | ,|\b(the the|that that|a a)\b|\ba [aeio]", m.task.question)
            assert not wrong, m.task.question
            assert m.task.question[-1] == "?" and m.task.question[0] in f'"{m.task.question[0].upper()}'


def test_people_are_her_or_his(drawn: dict[tuple[str, str], list[Composed]], world: WorldData) -> None:
    seen = set()
    for tasks in drawn.values():
        for m in tasks:
            right = (
                "her"
                if "woman" in world.nouns[m.gold.target]
                else "his"
                if "man" in world.nouns[m.gold.target]
                else "its"
            )
            said = re.findall(
                r"\b(her|his|its) (?:portrait|picture|poster|cover|flag|logo|crest)\b", m.task.question
            )
            assert set(said) <= {right}, m.task.question
            seen |= set(said)
    assert seen == {"her", "his", "its"}


def test_a_cross_is_asked_how_it_stands() -> None:
    """ "How is the cross patterned?" is answered "plain", not "upright"."""
    said = patterns({"type": "pattern", "thing": "cross"})
    assert len(set(said)) == 6 and not [words for words in said if "pattern" in words or "upright" in words]
    assert patterns({"type": "pattern", "thing": "rug"}) != said
