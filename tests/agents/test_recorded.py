"""Recorded answers: the same run without the model, and what a miss says."""

from __future__ import annotations

import multiprocessing
import pickle
import sqlite3
import threading
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import mosaic_env  # noqa: F401 - registers the ids
from mosaic_env.agents.base import play
from mosaic_env.agents.model_agent import make_agent
from mosaic_env.agents.models.base import NativeCall, Reply, Request, Usage
from mosaic_env.agents.models.open import ModelSpec, open_model
from mosaic_env.agents.models.recorded import RecordedModel
from mosaic_env.core.errors import ModelError, RecordError


class Sampled:
    """A model that never says the same twice, as at a temperature above 0."""

    name = "sampled"

    def __init__(self, start: int = 0) -> None:
        self.count = start
        self._lock = threading.Lock()

    def complete(self, request: Request) -> Reply:
        with self._lock:
            self.count += 1
            number = self.count
        call = NativeCall("local_text_search", f'{{"query": "word {number}"}}', f"call_{number}")
        return Reply(f"\ud800 say {number}", (call,) if request.tools else (), Usage(number, 1, 0.5), "stop")


def ask(*texts: str, sample: str = "", **settings: Any) -> Request:
    return Request([{"role": "user", "content": text} for text in texts], settings=settings, sample=sample)


@pytest.mark.parametrize("name", ["interlv", "react", "direct"])
def test_a_run_replays_to_the_same_digests(tiny: Path, tmp_path: Path, name: str) -> None:
    def run(model: Any) -> list[tuple[str, Any]]:
        env = gym.make("InterLV-L2-v0", snapshot=str(tiny))
        found = []
        for trial in (0, 1):
            agent = make_agent(name, model)(env.unwrapped, seed=trial)  # type: ignore[arg-type]
            for seed in range(3):
                episode = play(env, agent, seed=seed)
                found.append((episode.digest, episode.notes))
        return found

    live = run(RecordedModel(tmp_path, Sampled()))
    assert len({digest for digest, _ in live}) == 6  # trials differ, or the test shows nothing
    assert run(RecordedModel(tmp_path, name="sampled")) == live
    again = Sampled()
    assert run(RecordedModel(tmp_path, again)) == live and again.count == 0


def test_samples_of_one_request_are_kept_apart(tmp_path: Path) -> None:
    model = RecordedModel(tmp_path, Sampled())
    said = [model.complete(ask("x", sample=sample)).text for sample in ("0/0", "0/1", "1/0")]
    assert len(set(said)) == 3
    replay = RecordedModel(tmp_path, name="sampled")
    assert [replay.complete(ask("x", sample=sample)).text for sample in ("0/0", "0/1", "1/0")] == said


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (
            ask("one", "two", "four"),
            "message 3 (user) differs at character 1: recorded 'three', asked 'four'",
        ),
        (ask("one", "twofold"), "message 2 (user) differs at character 4: recorded '', asked 'fold'"),
        (ask("one", "two"), "a request of 3 messages, the first 2 of them the same"),
        (ask("one", "two", "three", temperature=1), "with the settings {}, not {'temperature': 1}"),
        (ask("one", "two", "three", sample="7"), "the same request as sample '', not '7'"),
        (Request(ask("one", "two", "three").messages, [{"a": 1}]), "the same messages with other tools"),
    ],
)
def test_a_miss_says_where_the_request_leaves_the_recording(
    tmp_path: Path, request_: Request, said: str
) -> None:
    live = RecordedModel(tmp_path, Sampled())
    for request in (ask("one", "two", "three"), ask("zero")):
        live.complete(request)
    with pytest.raises(ModelError) as caught:
        RecordedModel(tmp_path, name="sampled").complete(request_)
    assert caught.value.code == "ME-MODEL-03" and said in str(caught.value)


def test_a_miss_of_the_model_names_those_that_are_there(tmp_path: Path) -> None:
    RecordedModel(tmp_path, Sampled()).complete(ask("x"))
    with pytest.raises(ModelError, match="one of the answers of 'sampled'"):
        RecordedModel(tmp_path, name="other").complete(ask("x"))


def test_nothing_to_replay(tmp_path: Path) -> None:
    with pytest.raises(RecordError) as caught:
        open_model(ModelSpec("x", replay_from=str(tmp_path / "none")))
    assert caught.value.code == "ME-RECORD-01" and not (tmp_path / "none").exists()


def test_a_pickle_in_the_folder_is_refused_and_not_read(tmp_path: Path) -> None:
    model = RecordedModel(tmp_path, Sampled())
    model.complete(ask("x"))
    model.close()

    class Evil:
        def __reduce__(self) -> Any:
            return (Path.touch, (tmp_path / "owned",))

    with sqlite3.connect(tmp_path / "answers" / "cache.db") as database:
        database.execute("UPDATE Cache SET mode = 4, value = ?", (pickle.dumps(Evil()),))
    database.close()
    with pytest.raises(RecordError):
        RecordedModel(tmp_path, name="sampled").complete(ask("x"))
    assert not (tmp_path / "owned").exists()


def test_a_damaged_folder_is_an_error_of_ours(tmp_path: Path) -> None:
    model = RecordedModel(tmp_path, Sampled())
    model.complete(ask("x"))
    model.close()
    database = tmp_path / "answers" / "cache.db"
    data = database.read_bytes()
    for damaged in (b"no database", data[: len(data) // 2], data[:4096] + bytes(len(data) - 4096)):
        database.write_bytes(damaged)
        with pytest.raises((RecordError, ModelError)) as caught:
            RecordedModel(tmp_path, name="sampled").complete(ask("x"))
        assert caught.value.code in ("ME-RECORD-01", "ME-MODEL-03")


def test_secrets_of_the_environment_are_not_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = "canary-Zq7Xw2Lm9Rt4Vb6Ny8Kc1"
    monkeypatch.setenv("SOME_API_KEY", key)

    class Echo:
        name = "echo"

        def complete(self, request: Request) -> Reply:
            return Reply(f"the key is {key}")

    live = RecordedModel(tmp_path, Echo())
    assert live.complete(ask(f"what about {key}")).text == "the key is [REDACTED]"
    live.close()
    assert all(key.encode() not in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    replayed = RecordedModel(tmp_path, name="echo").complete(ask(f"what about {key}"))
    assert replayed.text == "the key is [REDACTED]"


def _work(folder: Path, start: int, queue: Any) -> None:
    model = RecordedModel(folder, Sampled(start))
    queue.put([model.complete(ask(f"question {number}")).text for number in range(20)])


def test_processes_that_record_the_same_get_the_same(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    workers = [context.Process(target=_work, args=(tmp_path, 1000 * n, queue)) for n in (1, 2)]
    for worker in workers:
        worker.start()
    said = [queue.get(timeout=60) for _ in workers]
    for worker in workers:
        worker.join()
    replay = RecordedModel(tmp_path, name="sampled")
    assert said[0] == said[1] == [replay.complete(ask(f"question {number}")).text for number in range(20)]


def test_a_large_answer_is_kept_whole(tmp_path: Path) -> None:
    class Long:
        name = "long"

        def complete(self, request: Request) -> Reply:
            return Reply("\u0416" * 5_000_000)

    assert RecordedModel(tmp_path, Long()).complete(ask("x")).text == "\u0416" * 5_000_000
    assert len(RecordedModel(tmp_path, name="long").complete(ask("x")).text) == 5_000_000
