"""Official level files: plain or encrypted, corrected only where a correction fits, played only where they can be."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC

from mosaic_env.core.errors import DataError, TaskError
from mosaic_env.core.types import Gold, Task
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.tasks import interlv
from mosaic_env.tasks.generated import Keys
from mosaic_env.tasks.interlv import decrypt, errata_items, read_levels
from mosaic_env.tasks.open import open_source
from mosaic_env.tasks.reasons import LEVEL_3, NO_PICTURE, NO_TARGET, UNKNOWN_TARGET, fix_for
from mosaic_env.tasks.snapshot_tasks import SnapshotTasks, default_set, set_names
from mosaic_env.tasks.source import SOURCES, SourceContext, TaskSource, check_keys, get_pair
from tests.shared_data import PASSWORD, level_file, needs_shared
from tests.snapshot import small

ROWS: list[dict[str, Any]] = [
    {"id": 1, "question": "Which colour?", "answer": "Red", "entity_qid": "Q1"},
    {"id": 42, "question": "哪里？", "answer": "Алый", "entity_qid": "Q2"},
]
ROUNDS = 390_000


def encrypt(data: bytes, password: str, *, rounds: int = ROUNDS, version: int = 1) -> bytes:
    """Return an encrypted level file, by code that shares nothing with the reader."""
    salt, nonce = bytes(range(16)), bytes(range(50, 62))
    key = PBKDF2HMAC(hashes.SHA256(), 32, salt, rounds).derive(password.encode())
    return b"ILVD" + bytes([version]) + salt + nonce + AESGCM(key).encrypt(nonce, data, None)


@pytest.fixture
def fast(monkeypatch: pytest.MonkeyPatch) -> int:
    """Few rounds of the key derivation, for tests that are about something else."""
    monkeypatch.setattr(interlv, "_ROUNDS", 8)
    return 8


def write(folder: Path, rows: Any, name: str = "level1.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(rows))
    return path


# --- rows -------------------------------------------------------------------------------------------------


def test_plain_files(tmp_path: Path) -> None:
    (one, gold), (other, _) = read_levels(write(tmp_path, ROWS))
    assert one == Task("interlv-l1/0001", "Which colour?", "mmkg-w", "interlv-l1")
    assert gold == Gold("interlv-l1/0001", "Red", target="Q1")
    assert (other.key, other.question, other.split) == ("interlv-l1/0042", "哪里？", "test")


def test_ids_of_different_levels_do_not_collide(tmp_path: Path) -> None:
    keys = [read_levels(write(tmp_path, ROWS, f"level{n}.json"))[0][0].key for n in (1, 2, 3)]
    assert keys == ["interlv-l1/0001", "interlv-l2/0001", "interlv-l3/0001"]


@pytest.mark.parametrize(
    ("name", "given", "level"),
    [
        ("level2.json", None, 2), ("level_3.json", None, 3), ("my-level-1-copy.json", None, 1),
        ("level1.json", 2, 2), ("tasks.json", 3, 3),
    ],
)  # fmt: skip
def test_which_level(tmp_path: Path, name: str, given: int | None, level: int) -> None:
    task = read_levels(write(tmp_path, ROWS, name), level=given)[0][0]
    assert task.level == f"interlv-l{level}"


def test_a_file_that_says_no_level(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"2=FILE.*ME-DATA-01"):
        read_levels(write(tmp_path, ROWS, "tasks4.json"))


def test_level_3_rows(tmp_path: Path) -> None:
    rows = [
        {"id": 5, "question_en": "Which?", "answer": "B", "search_chain": "[V] a, b", "chain_type": "single_thread"},
        {"id": 6, "question": "What?", "answer": "C", "search_chain": "", "chain_type": None},
    ]  # fmt: skip
    (task, gold), (bare, empty) = read_levels(write(tmp_path, rows, "level3.json"))
    assert task.question == "Which?" and task.tags == ("single_thread",) and bare.tags == ()
    assert gold.notes == {"search_chain": "[V] a, b"} and empty.notes == {} and gold.target == ""
    assert "search_chain" not in json.dumps(task.as_dict())  # it holds answers: never in the public part


@pytest.mark.parametrize(
    ("rows", "code", "says"),
    [
        ({"id": 1}, "ME-DATA-01", "a JSON list of objects"),
        ([1], "ME-DATA-01", "a JSON list of objects"),
        ([{"question": "x", "answer": "x"}], "ME-DATA-02", "1 of level1.json is not valid: it has no id"),
        ([{"id": "1", "question": "x", "answer": "x"}], "ME-DATA-02", "its id is '1' .*an integer id"),
        ([{"id": True, "question": "x", "answer": "x"}], "ME-DATA-02", "its id is True"),
        ([{"id": -1, "question": "x", "answer": "x"}], "ME-DATA-02", "its id is -1"),
        (
            [{"id": 1, "question": "x", "answer": "x", "entity_qid": 64}],
            "ME-DATA-02",
            "entity_qid is 64, not text",
        ),
        (
            [{"id": 1, "question": "x", "answer": "x", "chain_type": 2}],
            "ME-DATA-02",
            "chain_type is 2, not text",
        ),
        ([{"id": 1, "question": "", "answer": "x"}], "ME-DATA-02", "its question is empty"),
        ([{"id": 1, "question": "q", "answer": " \n"}], "ME-DATA-02", "its answer is empty"),
        (
            [{"id": 1, "question": "q \ud800", "answer": "x"}],
            "ME-DATA-02",
            "its question holds half a character",
        ),
        ([{"id": 1, "question": "x"}], "ME-DATA-02", "it has no answer"),
        ([{"id": 1, "question": "x", "answer": 5}], "ME-DATA-02", "its answer is 5, not text"),
    ],
)
def test_rows_that_are_refused(tmp_path: Path, rows: Any, code: str, says: str) -> None:
    with pytest.raises(DataError, match=says) as caught:
        read_levels(write(tmp_path, rows))
    assert caught.value.code == code


@pytest.mark.parametrize("data", [b"", b"[", b"\xff\xfe", b'[{"id": 1, "id": 2}]', b"[NaN]", b"[" * 9999])
def test_files_that_are_no_json(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "level1.json").write_bytes(data)
    with pytest.raises(DataError, match=r"is not a level file.*ME-DATA-01"):
        read_levels(tmp_path / "level1.json")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for path in (tmp_path / "level1.json", tmp_path):
        with pytest.raises(DataError, match=r"does not exist.*ME-DATA-01"):
            read_levels(path, level=1)


def test_a_target_that_is_null_is_none(tmp_path: Path) -> None:
    assert read_levels(write(tmp_path, [{**ROWS[0], "entity_qid": None}]))[0][1].target == ""


def test_tasks_of_a_world_of_ones_own_are_left_uncorrected(tmp_path: Path) -> None:
    given = write(tmp_path, [row(247)], "level3.json")
    assert read_levels(given)[0][0].tags == ("parallel_comparison",)
    own = read_levels(given, world="toy")[0][0]
    assert own.tags == ("single_thread",) and own.world == "toy"


def test_every_reason_has_a_fix_of_its_own() -> None:
    fixes = [fix_for([reason]) for reason in (NO_TARGET, UNKNOWN_TARGET, NO_PICTURE, LEVEL_3)]
    assert all(fixes) and len(set(fixes)) == len(fixes)
    assert fix_for([NO_TARGET, "a reason of an older build", NO_PICTURE]) == f"{fixes[0]}. {fixes[2]}"


# --- encrypted files ----------------------------------------------------------------------------------------


def test_encrypted_files_read_like_plain_ones(tmp_path: Path) -> None:
    plain = write(tmp_path, ROWS)
    locked = tmp_path / "level1.json.enc"
    locked.write_bytes(encrypt(plain.read_bytes(), "pass wörd"))
    assert len(locked.read_bytes()) == len(plain.read_bytes()) + 49
    assert read_levels(locked, password="pass wörd") == read_levels(plain)


def test_the_bytes_say_whether_a_file_is_encrypted(tmp_path: Path, fast: int) -> None:
    path = tmp_path / "level1.json"  # without .enc
    path.write_bytes(encrypt(json.dumps(ROWS).encode(), "x", rounds=fast))
    assert len(read_levels(path, password="x")) == 2
    for name in ("level1.json", "level1.json.enc"):
        (tmp_path / name).write_bytes(path.read_bytes())
        with pytest.raises(DataError, match=r"no password.*--password.*ME-DATA-03"):
            read_levels(tmp_path / name)
    assert read_levels(write(tmp_path, ROWS, "level2.json"), password="not needed")


WHOLE = encrypt(b'[{"id": 1}]', "right", rounds=8)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (WHOLE[:10], "has 10 bytes"),
        (WHOLE[:48], "has 48 bytes"),
        (b"", "has 0 bytes"),
        (b"PK\3\4" + WHOLE[4:], "starts with b'PK"),
        (WHOLE[:4] + b"\2" + WHOLE[5:], "has version 2"),
        (WHOLE[:-1], "damaged"),
        (WHOLE[:5] + bytes([WHOLE[5] ^ 1]) + WHOLE[6:], "damaged"),
        (WHOLE[:40] + bytes([WHOLE[40] ^ 1]) + WHOLE[41:], "damaged"),
        (WHOLE + b"\0", "damaged"),
    ],
)
def test_damaged_encrypted_files(fast: int, data: bytes, says: str) -> None:
    with pytest.raises(DataError, match=says) as caught:
        decrypt(data, "right")
    assert caught.value.code == "ME-DATA-03" and "right" not in str(caught.value)


@pytest.mark.parametrize("password", ["wrong", "", "right ", "RIGHT"])
def test_a_wrong_password_is_not_told_from_damage(fast: int, password: str) -> None:
    assert decrypt(WHOLE, "right") == b'[{"id": 1}]'
    with pytest.raises(DataError, match="The password is wrong, or the file is damaged") as caught:
        decrypt(WHOLE, password)
    assert caught.value.code == "ME-DATA-03"


# --- errata ---------------------------------------------------------------------------------------------------


def corrected(row: dict[str, Any], level: int, folder: Path) -> tuple[Task, Gold]:
    return read_levels(write(folder, [row], f"level{level}.json"))[0]


def row(number: int, **fields: Any) -> dict[str, Any]:
    return {"id": number, "question": "x", "answer": "y", "chain_type": "single_thread", **fields}


def test_a_corrupted_answer_is_replaced_while_it_is_corrupted(tmp_path: Path) -> None:
    broken = row(265, answer="A sword\n\nquestion: ...\nanswer: Gold", search_chain="[V] of the other one")
    task, gold = corrected(broken, 3, tmp_path)
    assert gold.answer == "A sword" and gold.notes == {} and task.question == "x"
    mended = row(265, answer="A long sword", search_chain="[V] its own")
    _, gold = corrected(mended, 3, tmp_path)
    assert gold.answer == "A long sword" and gold.notes == {"search_chain": "[V] its own"}


@pytest.mark.parametrize("number", [247, 248, 250])
def test_chain_types_are_corrected_while_they_are_wrong(tmp_path: Path, number: int) -> None:
    assert corrected(row(number), 3, tmp_path)[0].tags == ("parallel_comparison",)
    assert corrected(row(number, chain_type="three_way"), 3, tmp_path)[0].tags == ("three_way",)


def test_duplicates_are_tagged_only_while_they_are_duplicates(tmp_path: Path) -> None:
    tagged = [item for item in errata_items() if "tag" in item]
    assert len(tagged) == 6
    for item in tagged:
        assert corrected(row(item["id"], question="Another one?"), 3, tmp_path)[0].tags == ("single_thread",)


def test_a_tag_is_added_to_the_question_it_was_written_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = hashlib.sha256(b"Which one?").hexdigest()[:16]
    item = {"level": 3, "id": 9, "when": {"question_sha256": digest}, "tag": "duplicate-of-0008"}
    monkeypatch.setattr(interlv, "_errata", lambda: (item,))
    for name in ("question", "question_en"):
        given = {"id": 9, name: "Which one?", "answer": "y", "chain_type": "single_thread"}
        assert corrected(given, 3, tmp_path)[0].tags == ("duplicate-of-0008", "single_thread")
        assert corrected({**given, name: "Which one"}, 3, tmp_path)[0].tags == ("single_thread",)


@pytest.mark.parametrize("level", [1, 2])
def test_corrections_belong_to_one_level(tmp_path: Path, level: int) -> None:
    for item in errata_items():
        task, gold = corrected(row(item["id"], answer="a\nb"), level, tmp_path)
        assert task.tags == ("single_thread",) and gold.answer == "a\nb"


def test_every_correction_says_when_and_why() -> None:
    for item in errata_items():
        assert item["why"] and item["when"] and ("set" in item) != ("tag" in item), item
    numbers = [(item["level"], item["id"]) for item in errata_items()]
    assert len(set(numbers)) == len(numbers) == 10


@needs_shared
@pytest.mark.shared
def test_every_correction_changes_the_real_files_as_it_says() -> None:
    raw = {r["id"]: r for r in json.loads(decrypt(level_file(3).read_bytes(), PASSWORD))}
    pairs = {int(task.key[-4:]): (task, gold) for task, gold in read_levels(level_file(3), password=PASSWORD)}
    assert raw.keys() == pairs.keys() and len(raw) > 500
    changed = set()
    for number, (task, gold) in pairs.items():
        given = raw[number]
        tags = tuple(sorted(filter(None, [given["chain_type"]])))
        same = (task.tags, gold.answer, gold.notes) == (
            tags,
            given["answer"],
            {"search_chain": given["search_chain"]},
        )
        if not same:
            changed.add(number)
        assert task.question == given["question"]
    items = {item["id"]: item for item in errata_items() if item["id"] in raw}
    assert changed == set(items) and {248, 265, 228} <= changed
    for number, item in items.items():
        task, gold = pairs[number]
        if "tag" in item:
            twin = int(item["tag"].removeprefix("duplicate-of-"))
            assert item["tag"] in task.tags and raw.get(twin, raw[number])["question"] == task.question
            digest = hashlib.sha256(task.question.encode()).hexdigest()
            assert digest.startswith(item["when"]["question_sha256"])
        elif "chain_type" in item["set"]:
            assert task.tags == ("parallel_comparison",)
        else:
            assert "\n" in raw[number]["answer"] and (gold.answer, gold.notes) == ("A sword", {})


@needs_shared
@pytest.mark.shared
@pytest.mark.parametrize(("level", "count"), [(1, 650), (2, 150)])
def test_the_real_files_of_levels_1_and_2(level: int, count: int) -> None:
    pairs = read_levels(level_file(level), password=PASSWORD)
    assert len({task.key for task, _ in pairs}) == len(pairs) == count
    assert all(gold.target.startswith("Q") and gold.answer and task.tags == () for task, gold in pairs)


# --- sources ----------------------------------------------------------------------------------------------------

TASK = small.TASKS[0][0]


def context(folder: Path, level: str = "interlv-l1", split: str | None = None) -> SourceContext:
    return SourceContext(Snapshot(folder), level, split)


def test_stored_sets(tiny: Path) -> None:
    snapshot = Snapshot(tiny)
    assert set_names(snapshot) == ("tiny",) and default_set(snapshot) == "tiny"
    source = SnapshotTasks(context(tiny), "tiny")
    assert isinstance(source, TaskSource) and source.world == "tiny" and source.unplayable == {}
    assert list(source.keys()) == ["tiny/1"] and source.get("tiny/1") == small.TASKS[0]
    assert source.scene("sha256:none") is None
    assert open_source(None, context(tiny)).get("tiny/1") == open_source("tiny", context(tiny)).get("tiny/1")


@pytest.mark.parametrize(
    ("level", "split", "keys"),
    [
        ("interlv-l1", "test", ["tiny/1"]),
        ("interlv-l2", "train", ["tiny/2"]),
        ("interlv-l2", None, ["tiny/2"]),
    ],
)
def test_levels_and_splits(tiny: Path, level: str, split: str | None, keys: list[str]) -> None:
    assert list(SnapshotTasks(context(tiny, level, split), "tiny").keys()) == keys


@pytest.mark.parametrize("key", ["tiny/2", "tiny/3", "", "tiny/1 ", "TINY/1"])
def test_keys_that_do_not_exist_here(tiny: Path, key: str) -> None:
    with pytest.raises(TaskError, match=r"tiny/1|the 1 task that") as caught:
        SnapshotTasks(context(tiny), "tiny").get(key)
    assert caught.value.code == "ME-TASK-01"


def test_unplayable_tasks_are_counted_by_reason(tmp_path: Path) -> None:
    from tests.record.test_build import Inputs

    inputs = Inputs(tmp_path / "inputs")
    inputs.build()
    source = SnapshotTasks(context(tmp_path / "inputs" / "out"), "official")
    assert source.unplayable == {"no picture of the target": 1, "the target is not in the knowledge base": 1}
    inputs.build("bare", images=None)
    with pytest.raises(TaskError) as caught:
        SnapshotTasks(context(tmp_path / "inputs" / "bare"), "official")
    text = str(caught.value)
    assert caught.value.code == "ME-TASK-04" and "None of the 4 interlv-l1 tasks" in text
    assert "3 of 4: no picture of the target; 1 of 4: the target is not in the knowledge base" in text
    with pytest.raises(TaskError, match=r"1 of 1: no environment plays level 3 yet.*Expected level 1 or 2"):
        SnapshotTasks(context(tmp_path / "inputs" / "out", "interlv-l3"), "official")


def test_tasks_of_another_world(tmp_path: Path) -> None:
    small.build(tmp_path / "other", world="elsewhere")
    with pytest.raises(TaskError, match=r"'tiny'.*'elsewhere'.*ME-TASK-03"):
        open_source("tiny", context(tmp_path / "other"))


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [
        ("tinny", "ME-TASK-02", "Nearest: tiny"),
        ("", "ME-TASK-02", "tiny"),
        ("official", "ME-TASK-03", "'mmkg-w'"),
        ("no_such_module:toy", "ME-TASK-02", "No module named 'no_such_module'"),
        (":toy", "ME-TASK-02", "module:name"),
        ("json:toy", "ME-TASK-02", "there are no tasks 'toy'"),
    ],
)
def test_sources_that_cannot_be_opened(tiny: Path, name: str, code: str, says: str) -> None:
    with pytest.raises(TaskError) as caught:
        open_source(name, context(tiny))
    text = str(caught.value)
    assert caught.value.code == code and says.lower() in text.lower() and "\n" not in text


def test_a_module_that_does_not_import(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_tasks.py").write_text("from os import nothing_like_this\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(TaskError, match=r"nothing_like_this.*ME-TASK-02"):
        open_source("broken_tasks:toy", context(tiny))


@pytest.mark.parametrize(("world", "fits"), [("*", True), ("tiny", True), ("mmkg-w", False), ("", False)])
def test_a_registered_source_says_its_world(tiny: Path, world: str, fits: bool) -> None:
    class Foreign:
        def __init__(self, context: SourceContext) -> None:
            self.world = world

        def keys(self) -> list[str]:
            return ["foreign/1"]

        def get(self, key: str) -> tuple[Task, Gold]:
            return Task(key, "?"), Gold(key, "!")

    SOURCES.add("foreign", Foreign)
    try:
        if fits:
            assert open_source("foreign", context(tiny)).keys() == ["foreign/1"]
        else:
            with pytest.raises(TaskError, match="ME-TASK-03"):
                open_source("foreign", context(tiny))
    finally:
        SOURCES.remove("foreign")


class Returns:
    """A source that returns whatever it was told to."""

    world = "*"

    def __init__(self, pair: Any, keys: Any = ("a",)) -> None:
        self._pair, self._keys = pair, keys

    def keys(self) -> Any:
        return self._keys

    def get(self, key: str) -> Any:
        return self._pair


@pytest.mark.parametrize(
    "pair",
    [
        None, (), "ab", (Task("a", "?"),), (Task("a", "?"), None), (Gold("a", "!"), Task("a", "?")),
        (Task("a", "?"), Gold("b", "!")), [Task("a", "?"), Gold("a", "!")], (Task("a", "?"), Gold("a", "!"), 1),
        ({"key": "a"}, {"key": "a"}),
        (Task("a", 7), Gold("a", "!")), (Task("a", "?"), Gold("a", 6)), (Task("a", "?"), Gold("a", "!", None)),
        (Task("a", "?", pictures=("sha256:0",)), Gold("a", "!")), (Task("a", "?"), Gold("a", "!", chain=("Q1",))),
        (Task("a", "?"), Gold("a", "!", notes={"ask": 5})), (Task("a", "?"), Gold("a", "!", notes=["ask"])),
    ],
    ids=lambda pair: ascii(pair)[:40],
)  # fmt: skip
def test_pairs_are_checked(pair: Any) -> None:
    with pytest.raises(TaskError, match=r"Returns\.get\('a'\).*ME-TASK-05"):
        get_pair(Returns(pair), "a")


class _Lies(list[str]):
    """A list whose length is not its length."""

    def __init__(self, length: int, *keys: str) -> None:
        super().__init__(keys)
        self._length = length

    def __len__(self) -> int:
        return self._length


@pytest.mark.parametrize(
    "keys",
    [
        None, "abc", b"abc", 5, [1, 2], [None], [b"a"], {"a": 1}, (key for key in "ab"), {"a"},
        _Lies(10**6, "a", "b"), _Lies(10**18, "a"), _Lies(-1, "a"), ["a", "b", 3],
    ],
    ids=lambda keys: ascii(keys)[:30],
)  # fmt: skip
def test_keys_are_checked(keys: Any) -> None:
    with pytest.raises(TaskError, match=r"Returns\.keys\(\).*ME-TASK-05"):
        check_keys(Returns(None, keys))


@pytest.mark.parametrize("keys", [[], ["a"], ("a", "b"), Keys("interlv-l1", ("train",), (2, 2))], ids=str)
def test_keys_that_are_right(keys: Any) -> None:
    check_keys(Returns(None, keys))


def test_a_right_pair() -> None:
    pair = (Task("a", "?"), Gold("a", "!"))
    assert get_pair(Returns(pair), "a") == pair
