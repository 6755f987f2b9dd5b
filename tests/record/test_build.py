"""``build_snapshot``: the same inputs give the same id from any folder; coverage, counts and sources are told."""

from __future__ import annotations

import gzip
import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import mosaic_env  # noqa: F401
from mosaic_env.core.errors import DataError, TaskError
from mosaic_env.record.build import BuildInputs, build_snapshot
from mosaic_env.snapshot.manifest import Manifest, read_manifest
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.snapshot.verify import verify
from tests.snapshot import small
from tests.snapshot.small import picture_of

ROWS = [
    {
        "qid": entity.key,
        "text": f"label: {entity.label or entity.key} ; what is it: {entity.description} ; "
        f"description: {entity.description}",
        "image_path": f"data/image/{entity.key}.jpg",
    }
    for entity in small.ENTITIES
]
LEVEL_1 = [
    {"id": 1, "question": "Which colour?", "answer": "red", "entity_qid": "Q1"},
    {"id": 2, "question": "How many?", "answer": "2", "entity_qid": "Q3"},
    {"id": 3, "question": "Whose?", "answer": "nobody's", "entity_qid": "Q4"},
    {"id": 4, "question": "Where?", "answer": "there", "entity_qid": "Q404"},
]
LEVEL_2 = [{"id": 1, "question": "And then?", "answer": "blue", "entity_qid": "Q3"}]
LEVEL_3 = [
    {
        "id": 7,
        "question": "On the web?",
        "answer": "yes",
        "search_chain": "[T] x",
        "chain_type": "single_thread",
    }
]
PICTURED = ("Q1", "Q3")


class Inputs:
    """Input files in a folder, written in an order of its own."""

    def __init__(self, folder: Path, seed: int = 0) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        draw = random.Random(seed)
        rows = ROWS[:]
        draw.shuffle(rows)
        (folder / "kb.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        triples = [f"http://x/{h} http://x/{r} http://x/{t} .\n" for h, r, t in small.TRIPLES]
        draw.shuffle(triples)
        (folder / "triples").mkdir()
        (folder / "triples" / "train.txt").write_text("".join(triples[:2]))
        (folder / "triples" / "valid.txt.gz").write_bytes(gzip.compress("".join(triples[2:]).encode()))
        (folder / "images").mkdir()
        for key in draw.sample(PICTURED, len(PICTURED)):
            (folder / "images" / f"{key}.jpg").write_bytes(picture_of(key))
        for name, level in (("level1.json", LEVEL_1), ("level2.json", LEVEL_2), ("level3.json", LEVEL_3)):
            (folder / name).write_text(json.dumps(level))

    def given(self, **changed: Any) -> BuildInputs:
        """Return all inputs, some of them changed."""
        plain: dict[str, Any] = {
            "kgdb": self.folder / "kb.jsonl",
            "triples": self.folder / "triples",
            "images": self.folder / "images",
            "tasks": [(None, self.folder / f"level{number}.json") for number in (1, 2, 3)],
        }
        return BuildInputs(**{**plain, **changed})

    def build(self, out: str = "out", **changed: Any) -> Manifest:
        return build_snapshot(self.given(**changed), self.folder / out)


@pytest.fixture
def inputs(tmp_path: Path) -> Inputs:
    return Inputs(tmp_path / "inputs")


def test_a_build_is_whole_and_says_what_it_holds(inputs: Inputs) -> None:
    manifest = inputs.build()
    assert verify(inputs.folder / "out") == [] and read_manifest(inputs.folder / "out") == manifest
    assert manifest.world == "mmkg-w" and manifest.title == "8 entities of mmkg-w"
    assert dict(manifest.sections["kb"].counts) == {"entities": 8, "triples": 4, "pictures": 2}
    assert dict(manifest.sections["tasks"].counts) == {
        "interlv-l1 in all": 4, "interlv-l1 playable": 2, "interlv-l2 in all": 1, "interlv-l2 playable": 1,
        "interlv-l3 in all": 1, "interlv-l3 playable": 0,
    }  # fmt: skip
    assert dict(manifest.report["counts"]) == {
        "entities": 8, "entities with a picture path": 8, "label is the key": 1, "triples": 4, "triples read": 4,
        "triples from a thing to itself": 0, "pictures": 2, "entities with a picture": 2,
        "picture paths without a file": 6,
    }  # fmt: skip
    names = [source["name"] for source in manifest.sources]
    assert names == ["kb.jsonl", "train.txt", "valid.txt.gz", "level1.json", "level2.json", "level3.json"]
    assert all(source["sha256"].startswith("sha256:") and int(source["bytes"]) for source in manifest.sources)


def test_the_same_inputs_give_the_same_id(tmp_path: Path) -> None:
    """In another folder, in another order of lines, files and arguments, under other names."""
    first = Inputs(tmp_path / "one").build()
    other = Inputs(tmp_path / "deep" / "er" / "two words", seed=7)
    (other.folder / "triples" / "valid.txt.gz").rename(other.folder / "triples" / "a.txt.gz")
    (other.folder / "kb.jsonl").rename(other.folder / "entities")
    tasks = [(None, other.folder / f"level{number}.json") for number in (3, 1, 2)]
    os.utime(other.folder / "images" / "Q1.jpg", (0, 0))
    second = other.build("elsewhere", kgdb=other.folder / "entities", tasks=tasks)
    assert second.id == first.id
    assert {n: e.digest for n, e in second.sections.items()} == {
        n: e.digest for n, e in first.sections.items()
    }
    again = other.build("elsewhere", kgdb=other.folder / "entities", tasks=tasks)  # over itself
    assert again.id == first.id and verify(other.folder / "elsewhere") == []


@pytest.mark.parametrize(
    ("change", "sections"),
    [
        (
            lambda i: (i.folder / "images" / "Q3.jpg").write_bytes(picture_of("Q6")),
            {"kb", "objects", "index"},
        ),
        (lambda i: (i.folder / "images" / "Q3.jpg").unlink(), {"kb", "objects", "index", "tasks"}),
        (lambda i: (i.folder / "triples" / "train.txt").write_text("Q1 P1 Q2\n"), {"kb", "index"}),
        (lambda i: (i.folder / "level2.json").write_text("[]"), {"tasks", "private"}),
        (
            lambda i: (i.folder / "level1.json").write_text(json.dumps([{**LEVEL_1[0], "answer": "RED"}])),
            {"tasks", "private"},
        ),
    ],
)
def test_another_input_gives_another_id(
    tmp_path: Path, change: Callable[[Inputs], Any], sections: set[str]
) -> None:
    first = Inputs(tmp_path / "one").build()
    other = Inputs(tmp_path / "two")
    change(other)
    second = other.build()
    assert second.id != first.id
    assert {n for n, e in second.sections.items() if e.digest != first.sections[n].digest} == sections


def test_only_a_knowledge_base(inputs: Inputs) -> None:
    manifest = inputs.build(triples=None, images=None, tasks=())
    assert set(manifest.sections) == {"kb", "index"} or not manifest.sections["objects"].counts.get(
        "pictures"
    )
    assert manifest.report["counts"]["picture paths without a file"] == 8
    with pytest.raises(TaskError, match=r"no tasks.*ME-TASK-02"):
        gym.make("InterLV-L1-v0", snapshot=str(inputs.folder / "out"))
    env: Any = gym.make(
        "InterLV-L1-v0", snapshot=str(inputs.folder / "out"), tasks="tests.envs.toy:toy-hundred"
    )
    tools = [schema["name"] for schema in env.unwrapped.tool_schemas("interlv")]
    assert "local_image_search" not in tools and "local_text_to_image_search" not in tools
    env.reset(seed=0)
    assert '"label":"Velden"' in env.step("<query>Velden</query>")[0]["text"]


def test_partial_coverage_plays_what_can_be_seen(inputs: Inputs) -> None:
    inputs.build()
    env: Any = gym.make("InterLV-L1-v0", snapshot=str(inputs.folder / "out"))
    assert env.unwrapped.task_keys == ("interlv-l1/0001", "interlv-l1/0002")
    assert env.unwrapped.setup.source.unplayable == {
        "no picture of the target": 1,
        "the target is not in the knowledge base": 1,
    }
    rows = {row.task.key: row.unplayable for row in Snapshot(inputs.folder / "out").public.tasks.rows}
    assert rows["interlv-l3/0007"] == "no environment plays level 3 yet"
    with pytest.raises(TaskError) as caught:
        env.reset(options={"task_id": "interlv-l1/0003"})
    assert caught.value.code == "ME-TASK-01"


@pytest.mark.parametrize("name", ["part2.json", "level1.json.txt", "Level-two.json"])
def test_a_level_may_be_given_beside_the_file(inputs: Inputs, name: str) -> None:
    path = inputs.folder / name
    path.write_text(json.dumps(LEVEL_2))
    manifest = inputs.build(tasks=[(2, path)])
    assert dict(manifest.sections["tasks"].counts) == {"interlv-l2 in all": 1, "interlv-l2 playable": 1}
    if "level1" not in name:
        with pytest.raises(DataError, match=r"2=FILE.*ME-DATA-01"):
            inputs.build("other", tasks=[(None, path)])


def test_tasks_are_about_the_world_they_are_built_with(inputs: Inputs) -> None:
    inputs.build(world="toy")
    env: Any = gym.make("InterLV-L1-v0", snapshot=str(inputs.folder / "out"))
    assert env.unwrapped.setup.source.world == "toy"
    assert {row.task.world for row in Snapshot(inputs.folder / "out").public.tasks.rows} == {"toy"}


def test_reasons_are_counted_by_level_in_the_manifest(inputs: Inputs) -> None:
    nameless = [{"id": 9, "question": "Who?", "answer": "x"}]
    (inputs.folder / "level2.json").write_text(json.dumps(nameless))
    assert inputs.build().sections["tasks"].detail["unplayable"] == {
        "interlv-l1": {"no picture of the target": 1, "the target is not in the knowledge base": 1},
        "interlv-l2": {"the row names no target (entity_qid)": 1},
        "interlv-l3": {"no environment plays level 3 yet": 1},
    }
    with pytest.raises(TaskError, match=r"Write the key of the pictured entity .* as entity_qid") as caught:
        gym.make("InterLV-L2-v0", snapshot=str(inputs.folder / "out"))
    assert caught.value.code == "ME-TASK-04" and "--images" not in str(caught.value)


def test_a_task_stands_once(inputs: Inputs) -> None:
    one = inputs.folder / "level1.json"
    with pytest.raises(DataError, match=r"interlv-l1/0001 stands twice.*ME-DATA-02"):
        inputs.build(tasks=[(None, one), (1, one)])
    manifest = inputs.build(tasks=[(1, one), (2, one)])  # ids of different levels may be the same
    assert manifest.sections["tasks"].counts["interlv-l2 in all"] == 4


@pytest.mark.parametrize(
    "changed",
    [
        {"kgdb": Path("nowhere.jsonl")},
        {"triples": Path("nowhere")},
        {"images": Path("nowhere")},
        {"tasks": [(1, Path("nowhere.json"))]},
    ],
)
def test_nothing_is_written_before_every_input_is_there(inputs: Inputs, changed: dict[str, Any]) -> None:
    with pytest.raises(DataError, match=r"nowhere.*ME-DATA-01"):
        inputs.build(**changed)
    assert not (inputs.folder / "out").exists()


def test_sources_are_the_files_that_were_read(inputs: Inputs) -> None:
    """And not leftovers beside them; a folder with such a name once ended the build."""
    (inputs.folder / "triples" / "train.txt.part").write_text("Q1 P1")
    (inputs.folder / "triples" / "train.txt~").write_text("x")
    (inputs.folder / "triples" / "old.txt").mkdir()
    (inputs.folder / "triples" / "old.txt.d").mkdir()
    manifest = inputs.build(tasks=())
    assert [source["name"] for source in manifest.sources] == ["kb.jsonl", "train.txt", "valid.txt.gz"]
    single = inputs.build("other", tasks=(), triples=inputs.folder / "triples" / "train.txt")
    assert [source["name"] for source in single.sources] == ["kb.jsonl", "train.txt"]


def test_no_machine_name_reaches_the_manifest(inputs: Inputs) -> None:
    manifest = inputs.build()
    rendered = (inputs.folder / "out" / "manifest.json").read_text()
    assert str(inputs.folder) not in rendered and str(Path.home()) not in rendered
    assert "entity texts" in {licence["what"] for licence in manifest.licences}


def test_progress_is_told(inputs: Inputs) -> None:
    seen: list[tuple[str, int, int]] = []
    build_snapshot(inputs.given(), inputs.folder / "out", progress=lambda *said: seen.append(said))
    assert ("pictures", 2, 2) in seen and all(done <= total for _, done, total in seen)
