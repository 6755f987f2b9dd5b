"""The client against a server that misbehaves in every way, with a key that must appear nowhere."""

from __future__ import annotations

import base64
import json
import logging
import os
import pickle
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mosaic_env.agents.base import play
from mosaic_env.agents.model_agent import agent_options, make_agent
from mosaic_env.agents.models.base import NativeCall, Request, Usage
from mosaic_env.agents.models.open import ModelSpec, open_model
from mosaic_env.core.errors import ModelError
from mosaic_env.envs.episode import Episode, write_episodes
from tests.agents.conftest import Bundled
from tests.agents.stub_server import Answer, StubServer, chat

openai = pytest.importorskip("openai", reason="needs the extra 'models'")

KEY = "sk-canary-Zq7Xw2Lm9Rt4Vb6Ny8Kc1"
VARIABLE = "MOSAIC_TEST_MODEL"  # its name does not give away that it holds a key
ASK = Request([{"role": "user", "content": "hello"}])


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, KEY)
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.01)


@pytest.fixture
def serve() -> Iterator[Callable[..., StubServer]]:
    servers: list[StubServer] = []

    def start(*script: Any) -> StubServer:
        servers.append(StubServer(*script))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


def model_at(url: str, **options: Any) -> Any:
    options = {"base_url": url, "api_key_env": VARIABLE, "timeout": 5.0, "attempts": 1, **options}
    return open_model(ModelSpec("tiny", **options))


def test_a_whole_exchange(serve: Callable[..., StubServer]) -> None:
    call = {"id": "a", "type": "function", "function": {"name": "search", "arguments": '{"query": "x"}'}}
    server = serve(chat("thinking", calls=[call], finish="tool_calls"))
    request = Request(
        [
            {"role": "system", "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]},
            {"role": "user", "content": [{"type": "text", "text": "see"},
                                         {"type": "image", "handle": "kb_1", "digest": "sha256:1"}]},
            {"role": "assistant", "content": [], "tool_calls": [call], "source": "policy", "trainable": True},
            {"role": "tool", "tool_call_id": "a", "content": [{"type": "text", "text": "row \ud800"}]},
            {"role": "assistant", "content": ""},
        ],
        [{"type": "function", "function": {"name": "search"}}],
        {"temperature": 0.5, "top_k": 7},
        {"sha256:1": ("image/png", b"\x89PNG")}.__getitem__,
    )  # fmt: skip
    reply = model_at(server.url, prices=(1.0, 2.0)).complete(request)
    assert reply.text == "thinking" and reply.finish == "tool_calls"
    assert reply.calls == (NativeCall("search", '{"query": "x"}', "a"),)
    assert reply.usage == Usage(10, 5, 20e-6)
    sent = server.requests[0]
    assert (sent["model"], sent["temperature"], sent["top_k"]) == ("tiny", 0.5, 7)
    assert sent["tools"] == [{"type": "function", "function": {"name": "search"}}]
    system, user, assistant, tool, empty = sent["messages"]
    assert system == {"role": "system", "content": "one\ntwo"}
    url = "data:image/png;base64," + base64.b64encode(b"\x89PNG").decode()
    assert user["content"] == [
        {"type": "text", "text": "see"},
        {"type": "image_url", "image_url": {"url": url}},
    ]
    assert assistant == {"role": "assistant", "content": None, "tool_calls": [call]}
    assert tool == {"role": "tool", "tool_call_id": "a", "content": "row ?"}
    assert empty == {"role": "assistant", "content": "(empty)"}
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_pictures_are_left_out_only_when_told(serve: Callable[..., StubServer]) -> None:
    server = serve(chat("x"))
    part = {"type": "image", "handle": "kb_1", "digest": "sha256:1"}
    request = Request([{"role": "user", "content": [{"type": "text", "text": "see"}, part]}])
    model_at(server.url, vision=False).complete(request)
    said = server.requests[0]["messages"][0]["content"]
    assert said == "see\n[the picture kb_1 is left out: this model is sent no pictures]"
    with pytest.raises(KeyError):  # no picture is no silent gap
        model_at(server.url).complete(request)


@pytest.mark.parametrize(
    ("message", "text", "calls"),
    [
        ({"content": None}, "", 0),
        ({"content": 7, "tool_calls": "no"}, "", 0),
        ({}, "", 0),
        ({"content": [{"type": "text", "text": "a"}, {"text": "b"}, 3]}, "ab", 0),
        ({"content": None, "refusal": "I will not"}, "I will not", 0),
        ({"content": "\ud800 x"}, "\ud800 x", 0),
        ({"content": "x" * 10_000_000}, "x" * 10_000_000, 0),
        ({"content": "", "tool_calls": [{}, 3, {"function": None}, {"function": {"arguments": {"a": 1}}}]}, "", 4),
    ],
    ids=["null", "number", "absent", "parts", "refusal", "surrogate", "10 MB", "broken calls"],
)  # fmt: skip
def test_whatever_a_model_wrote_is_a_reply(
    serve: Callable[..., StubServer], message: dict[str, Any], text: str, calls: int
) -> None:
    reply = model_at(serve(Answer({"choices": [{"message": message}]})).url).complete(ASK)
    assert (reply.text, len(reply.calls), reply.usage) == (text, calls, Usage())
    assert all(isinstance(call.arguments, str) and isinstance(call.name, str) for call in reply.calls)


HTML = b"<!doctype html><title>Gateway</title><p>please log in"
DEEP = b"[" * 100_000
NO_ANSWERS = {
    "401": (Answer({"error": {"message": f"bad key {KEY}"}}, 401), "refused with status 401"),
    "403": (Answer({"error": f"Bearer {KEY}"}, 403), "refused with status 403"),
    "404": (Answer({"error": {"message": "no such model"}}, 404), "status 404, saying 'no such model'"),
    "400": (Answer({"error": {"message": "context is too long"}}, 400), "saying 'context is too long'"),
    "400 with the key": (Answer({"error": {"message": f"got {KEY}"}}, 400), "saying 'got [REDACTED]'"),
    "400 in base64": (
        Answer({"error": {"message": base64.b64encode(f"x:{KEY}".encode()).decode()}}, 400), "refused with status 400"
    ),
    "429": (Answer({"error": {"message": "slow down"}}, 429), "refused with status 429"),
    "500": (Answer(b"oops", 500), "refused with status 500"),
    "500 HTML": (Answer(HTML, 500, {"Content-Type": "text/html"}), "refused with status 500"),
    "HTML": (Answer(HTML, 200, {"Content-Type": "text/html"}), "sent something that is no chat completion"),
    "a stream of HTML": (
        Answer(b"data: " + HTML + b"\n\n", 200, {"Content-Type": "text/event-stream"}), "sent something that is no"
    ),
    "no JSON": (Answer(b'{"choices": [', 200), "sent something that is no chat completion"),
    "deep JSON": (Answer(DEEP, 200), "sent something that is no chat completion"),
    "nothing": (Answer(b"", 200), "sent something that is no chat completion"),
    "null": (Answer(None), "sent something that is no chat completion"),
    "a list": (Answer([1, 2]), "sent something that is no chat completion"),
    "no choices": (Answer({"choices": []}), "sent something that is no chat completion"),
    "null choices": (Answer({"choices": None}), "sent something that is no chat completion"),
    "a choice of nothing": (Answer({"choices": [None]}), "sent something that is no chat completion"),
    "no message": (Answer({"choices": [{"message": None}]}), "sent something that is no chat completion"),
    "cut short": (Answer(b'{"choi', 200, {"Content-Length": "5000"}), "broke off"),
    "not gzip": (Answer(b"plain", 200, {"Content-Encoding": "gzip"}), "broke off"),
    "hangs": (Answer({}, delay=3.0), "gave no answer within 0.5 s, in 1 attempt"),
}  # fmt: skip


@pytest.mark.parametrize("name", NO_ANSWERS)
def test_no_answer_is_one_error_without_the_key(
    serve: Callable[..., StubServer], name: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    answer, said = NO_ANSWERS[name]
    server = serve(answer)
    model = model_at(server.url, timeout=0.5 if name == "hangs" else 5.0)
    with pytest.raises(ModelError) as caught:
        model.complete(ASK)
    error = caught.value
    text = "".join(traceback.format_exception(error))
    assert error.code == "ME-MODEL-02" and said in str(error), str(error)
    assert str(error).startswith("The model 'tiny' at http://127.0.0.1:")
    assert error.__context__ is None and error.__cause__ is None
    seen = text + caplog.text + repr(model) + repr(vars(error))
    assert KEY not in seen and KEY[-12:] not in seen
    assert base64.b64encode(KEY.encode()).decode()[:20] not in seen


def test_nobody_listens() -> None:
    with pytest.raises(ModelError, match="could not be reached or broke off, in 2 attempts") as caught:
        model_at("http://127.0.0.1:9/v1", attempts=2).complete(ASK)
    assert caught.value.code == "ME-MODEL-02"


def test_busy_and_failing_servers_are_asked_again(serve: Callable[..., StubServer]) -> None:
    server = serve(Answer({}, 429, {"Retry-After": "0.3"}), Answer({}, 500), Answer({}, 503), chat("at last"))
    assert model_at(server.url, attempts=4).complete(ASK).text == "at last"
    assert len(server.requests) == 4
    server = serve(Answer({}, 500))
    with pytest.raises(ModelError, match="status 500"):
        model_at(server.url, attempts=3).complete(ASK)
    assert len(server.requests) == 3


def test_refusals_are_not_asked_again(serve: Callable[..., StubServer]) -> None:
    server = serve(Answer({"error": {"message": "no"}}, 400))
    with pytest.raises(ModelError):
        model_at(server.url, attempts=5).complete(ASK)
    assert len(server.requests) == 1


def test_no_more_than_so_many_at_once(serve: Callable[..., StubServer]) -> None:
    slow = chat("x")
    slow.delay = 0.05
    server = serve(slow)
    model = model_at(server.url, concurrency=2)
    threads = [threading.Thread(target=model.complete, args=(ASK,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(server.requests) == 8 and server.most_under_way == 2


def test_no_key_goes_to_a_host_that_it_was_not_named_for(
    serve: Callable[..., StubServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    server = serve(chat("x"))
    model_at(server.url, api_key_env="").complete(ASK)
    assert KEY not in json.dumps(server.headers)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_nothing_is_sent_where_a_server_points(serve: Callable[..., StubServer], status: int) -> None:
    elsewhere = serve(chat("from somebody else"))
    server = serve(Answer({}, status, {"Location": f"{elsewhere.url}/chat/completions"}))
    with pytest.raises(ModelError, match=rf"status {status}, a redirection.*base_url.*ME-MODEL-02"):
        model_at(server.url, attempts=3).complete(ASK)
    assert not elsewhere.headers and len(server.requests) == 1


def test_who_one_is_at_openai_is_told_to_nobody_else(
    serve: Callable[..., StubServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_ADMIN_KEY"):
        monkeypatch.setenv(name, f"mine-{name}")
    server = serve(chat("x"))
    model_at(server.url).complete(ASK)
    assert "mine-" not in json.dumps(server.headers)


def test_a_missing_key_is_said_before_anything_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ModelError, match="OPENAI_API_KEY is not set") as caught:
        open_model(ModelSpec("gpt"))
    assert caught.value.code == "ME-MODEL-01"
    monkeypatch.delenv(VARIABLE)
    with pytest.raises(ModelError, match=f"{VARIABLE} is not set"):
        model_at("http://127.0.0.1:9/v1")


def test_a_model_is_pickled_without_its_key(serve: Callable[..., StubServer]) -> None:
    server = serve(chat("x"))
    data = pickle.dumps(model_at(server.url))
    assert KEY.encode() not in data
    assert pickle.loads(data).complete(ASK).text == "x"


def test_settings_of_a_request_are_checked(serve: Callable[..., StubServer]) -> None:
    server = serve(chat("x"))
    for settings in ({"stream": True}, {"extra_headers": {"a": "b"}}, {"user": KEY}, {"a": float("nan")}):
        with pytest.raises(ModelError) as caught:
            model_at(server.url).complete(Request(ASK.messages, settings=settings))
        assert caught.value.code == "ME-MODEL-01" and KEY not in str(caught.value)
    assert not server.requests


def test_the_environment_is_not_changed(serve: Callable[..., StubServer]) -> None:
    before = dict(os.environ)
    model_at(serve(chat("x")).url).complete(ASK)
    assert dict(os.environ) == before


@pytest.mark.parametrize("name", ["interlv", "react", "direct"])
def test_a_run_over_http_replays_with_the_server_off(
    bundled: Bundled, serve: Callable[..., StubServer], tmp_path: Path, name: str
) -> None:
    def answer(body: dict[str, Any]) -> Answer:
        number = len(json.dumps(body)) % 97
        if "tools" in body and body.get("tool_choice") != "none":
            function = {
                "name": "local_text_to_image_search",
                "arguments": json.dumps({"query": f"bridge {number}"}),
            }
            return chat(None, calls=[{"id": f"random-{id(body)}", "type": "function", "function": function}])
        return chat(f"<think>{KEY}</think>" + '<tool name="local_image_search">{"image": "img_1"}</tool>')

    def run(model: Any) -> list[Episode]:
        env = bundled("InterLV-L2-v0", **{"interactions": 2, **agent_options(name)})
        agent = make_agent(name, model, settings={"max_tokens": 9})(env.unwrapped)  # type: ignore[arg-type]
        return [play(env, agent, seed=seed) for seed in range(3)]

    server = serve(answer)
    spec = ModelSpec("tiny", server.url, VARIABLE, timeout=30.0, record_to=str(tmp_path / "answers"))
    live = run(open_model(spec))
    server.close()
    replayed = run(open_model(ModelSpec("tiny", replay_from=str(tmp_path / "answers"))))
    assert replayed == live and [e.digest for e in replayed] == [e.digest for e in live]
    write_episodes(tmp_path / "episodes.jsonl", live)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) > 1 and all(KEY.encode() not in path.read_bytes() for path in files)
    urls = [p["image_url"]["url"] for body in server.requests for m in body["messages"]
            for p in (m["content"] if isinstance(m["content"], list) else []) if p["type"] == "image_url"]  # fmt: skip
    world = bundled("InterLV-L2-v0").unwrapped.world  # type: ignore[attr-defined]
    shown = {s.picture for e in live for o in (e.first, *(t.observation for t in e.steps)) for s in o.shown}
    files_ = {base64.b64encode(world.images.encoded(picture)).decode() for picture in shown}
    assert urls and {url.partition(",")[2] for url in urls} <= files_  # the bytes as they are stored


def test_a_key_that_is_echoed_in_an_answer_does_not_reach_the_episode(
    serve: Callable[..., StubServer],
) -> None:
    call = {
        "id": "a",
        "type": "function",
        "function": {"name": "search", "arguments": f'{{"query": "{KEY}"}}'},
    }
    reply = model_at(serve(chat(f"your key is {KEY}", calls=[call])).url).complete(ASK)
    assert reply.text == "your key is [redacted]"
    assert reply.calls[0].arguments == '{"query": "[redacted]"}'


def test_an_answer_without_end_is_no_answer(serve: Callable[..., StubServer]) -> None:
    model = model_at(serve(chat("x" * 17_000_000)).url)
    with pytest.raises(ModelError, match=r"sent [\d,]+ bytes") as caught:
        model.complete(ASK)
    model.close()
    assert caught.value.code == "ME-MODEL-02"
