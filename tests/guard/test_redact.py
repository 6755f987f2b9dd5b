"""Secrets: what is redacted, what is kept, and that the scan finds every written form."""

from __future__ import annotations

import base64
import json
import os
import time
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mosaic_env.guard import redact
from mosaic_env.guard.redact import MARK

SECRET = 'p+a/s "wörd"\\x%=&'

# Put together here so that scanners of source code find no key in this file.
KEYS = [
    "AKIA" + "ABCDEFGHIJKLMNOP",
    "AIza" + "a" * 35,
    "ya29." + "a" * 30,
    "ghp_" + "a1" * 18,
    "github_pat_" + "a1" * 15,
    "glpat-" + "a1" * 10,
    "hf_" + "aB" * 17,
    "sk-" + "a1" * 20,
    "sk-proj-" + "a1" * 20,
    "sk-ant-api03-" + "a1" * 20,
    "sk_live_" + "a1" * 12,
    "xoxb-" + "1234567890-abc",
    "npm_" + "a1" * 18,
    "eyJ" + "a" * 20 + ".eyJ" + "b" * 20 + "." + "c" * 20,
    "-----BEGIN " + "RSA PRIVATE KEY-----",
    "-----BEGIN " + "PRIVATE KEY-----",
]


@pytest.mark.parametrize(
    "name",
    [
        "Authorization", "PROXY-AUTHORIZATION", "Cookie", "SET-Cookie", "x-api-key", "X_Api_Key", "apiKey",
        "google_api_key", "OPENAI_API_KEY", "access_token", "refresh-token", "clientSecret", "client_secret",
        "password", "dbPassword", "passwd", "sessionId", "private_key", "token", "jwt",
        "aws_secret_access_key",
    ],
)  # fmt: skip
def test_values_under_secret_names_go(name: str) -> None:
    value = {"a": [{name: "value-1"}, {"b": {name: ["value-2", {"c": "value-3"}]}}], name: 12345}
    assert redact.redact(value) == {"a": [{name: MARK}, {"b": {name: MARK}}], name: MARK}


@pytest.mark.parametrize(
    "name",
    ["key", "tokens", "max_tokens", "next_page_token", "session", "code", "author", "keyword", "passport",
     "signature", "tokenizer", "secretary", "monkey", "sid"],
)  # fmt: skip
def test_everyday_names_stay(name: str) -> None:
    assert redact.redact({name: "value"}) == {name: "value"}


def test_nothing_there_is_not_marked() -> None:
    value = {"token": None, "password": "", "secret": False, "cookie": True}
    assert redact.redact(value) == value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://a.org/x?key=abc&q=1", f"https://a.org/x?key={MARK}&q=1"),
        ("https://a.org/?q=1&API_KEY=abc#t", f"https://a.org/?q=1&API_KEY={MARK}#t"),
        ("https://a.org/?api%5Fkey=abc", f"https://a.org/?api%5Fkey={MARK}"),
        ("https://a.org/#access_token=abc&x=1", f"https://a.org/#access_token={MARK}&x=1"),
        ("see <a href='//a.org/?sig=abc'>", f"see <a href='//a.org/?sig={MARK}'>"),
        ("username=me&password=abc", f"username=me&password={MARK}"),
        ("https://me:p@ss@a.org/x", f"https://{MARK}@a.org/x"),
        ("redis://:pw@a.org", f"redis://{MARK}@a.org"),
        ("Authorization: Bearer abc.def-123", f"Authorization: Bearer {MARK}"),
        ("bearer " + "a" * 24, f"bearer {MARK}"),
        ("Basic " + base64.b64encode(b"me:pass").decode(), f"Basic {MARK}"),
        ("the flag bearer representing Norway", "the flag bearer representing Norway"),
        ("a basic understanding of it", "a basic understanding of it"),
        ("https://a.org/?keyword=cat&page=2", "https://a.org/?keyword=cat&page=2"),
        ("me@a.org and https://a.org/@me", "me@a.org and https://a.org/@me"),
    ],
)
def test_text(text: str, expected: str) -> None:
    assert redact.redact(text) == expected
    assert redact.redact({"a": [text]}) == {"a": [expected]}


@pytest.mark.parametrize("key", KEYS, ids=[key[:8] for key in KEYS])
def test_known_formats(key: str) -> None:
    assert redact.redact(f"one {key} two") == f"one {MARK} two"
    assert redact.find_secrets(f'{{"a": "{key}"}}'.encode())
    assert redact.find_secrets(quote(key, safe="").replace("-", "%2d").replace("_", "%5F").encode())


def written_forms(secret: str) -> dict[str, bytes]:
    raw = secret.encode()
    forms = {
        "plain": raw,
        "url": quote(secret, safe="").encode(),
        "form": quote_plus(secret).encode(),
        "url-lower": quote(secret, safe="").lower().encode() if secret.islower() else quote(secret).encode(),
        "json": json.dumps({"a": secret}).encode(),
        "json-utf8": json.dumps({"a": secret}, ensure_ascii=False).encode(),
        "json-slash": json.dumps(secret).replace("/", "\\/").encode(),
    }
    for shift in range(3):
        forms[f"base64-{shift}"] = base64.b64encode(b"x" * shift + raw + b"tail")
        forms[f"base64url-{shift}"] = base64.urlsafe_b64encode(b"x" * shift + raw + b"tail")
    return forms


@pytest.mark.parametrize("secret", [SECRET, "canary-7c2b", "pässwörd~>?", "ключ-ключ", "a𝒳b-secret"])
def test_a_literal_secret_is_found_and_removed_in_every_form(secret: str) -> None:
    for form, data in written_forms(secret).items():
        around = b"<<" + data + b">>"
        found = redact.find_secrets(around, ["unrelated", secret])
        assert any(entry.startswith("known secret 2, ") for entry in found), form
        assert not any("secret 1" in entry or secret in entry for entry in found)
        cleaned = redact.redact(around.decode(), [secret])
        assert MARK in cleaned, form
        assert redact.find_secrets(cleaned.encode(), [secret]) == [], form


def test_a_scan_names_the_form_and_never_the_secret() -> None:
    data = b"canary-7c2b " + base64.b64encode(b"canary-7c2b") + b" AKIA" + b"ABCDEFGHIJKLMNOP"
    assert redact.find_secrets(data, ["canary-7c2b"]) == [
        "AWS access key id, plain",
        "known secret 1, base64",
        "known secret 1, plain",
    ]


def test_a_scan_of_ordinary_data_is_empty() -> None:
    digests = "".join(f"sha256:{n:064x} " for n in range(50))
    page = "<p>The token economy; sk-learn; a key=value store; task-runner-with-a-long-name-and-more</p>"
    assert redact.find_secrets((digests + page).encode() + bytes(range(256)), ["", "secret-not-there"]) == []


def test_keys_hold_secrets_too() -> None:
    assert redact.redact({"canary-7c2b": 1}, ["canary-7c2b"]) == {MARK: 1}


def test_the_input_is_not_changed_and_tuples_become_lists() -> None:
    value = {"a": ("x", {"token": "y"})}
    assert redact.redact(value) == {"a": ["x", {"token": MARK}]}
    assert value == {"a": ("x", {"token": "y"})}


def test_a_secret_that_begins_another_leaves_no_rest() -> None:
    assert redact.redact("a longer-secret b", ["longer", "longer-secret"]) == f"a {MARK} b"


def test_an_empty_secret_is_ignored() -> None:
    assert redact.redact({"a": "text"}, ["", "x-secret"]) == {"a": "text"}


def test_headers_are_kept_by_name_only() -> None:
    headers = {
        "Content-Type": "text/html",
        "SET-Cookie": "sid=CANARY",
        "X-Trace": "CANARY",
        "ETag": 'W/"1"',
        "LOCATION": "https://me:CANARY@a.org/?token=CANARY&q=1",
        "Authorization": "Bearer CANARY",
        "date": "Thu, 01 Jan 1970 00:00:00 GMT",
    }
    assert redact.kept_headers(headers) == {
        "content-type": "text/html",
        "date": "Thu, 01 Jan 1970 00:00:00 GMT",
        "etag": 'W/"1"',
        "location": f"https://{MARK}@a.org/?token={MARK}&q=1",
    }
    assert list(redact.kept_headers(headers)) == sorted(redact.kept_headers(headers))


def test_environment_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        monkeypatch.delenv(name)
    for name, value in (
        ("OPENAI_API_KEY", "value-one"),
        ("github_token", "value-two"),
        ("AWS_SECRET_ACCESS_KEY", "value-three"),
        ("DB_PASSWORD_FILE", "value-two"),
        ("APIKEYS", "value-four"),
        ("SHORT_KEY", "1234567"),
        ("PATH", "/usr/bin:/bin"),
        ("KEYBOARD", "value-five"),
        ("TOKENIZERS_PARALLELISM", "value-six"),
    ):
        monkeypatch.setenv(name, value)
    assert redact.environment_secrets() == ["value-four", "value-one", "value-three", "value-two"]


secret_text = st.text("abcdefgh0123-+/%é", min_size=6, max_size=16)
json_data = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=20)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)


def plant(value: Any, secret: str, path: list[int]) -> Any:
    """Put the secret somewhere inside JSON data."""
    step = path[0] if path else 0
    if isinstance(value, list) and value:
        at = step % len(value)
        return [plant(item, secret, path[1:]) if n == at else item for n, item in enumerate(value)]
    if isinstance(value, dict) and value:
        at = step % len(value)
        if step % 5 == 4:
            return value | {f"key {secret}": 1}
        return {k: plant(v, secret, path[1:]) if n == at else v for n, (k, v) in enumerate(value.items())}
    return f"{value} {secret}!"


@given(json_data, secret_text, st.lists(st.integers(0, 50), max_size=6))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_no_planted_secret_survives_and_twice_is_once(value: Any, secret: str, path: list[int]) -> None:
    planted = plant(value, secret, path)
    cleaned = redact.redact(planted, [secret, "other-secret"])
    assert redact.find_secrets(json.dumps(cleaned).encode(), [secret]) == []
    assert redact.redact(cleaned, ["other-secret", secret]) == cleaned


# An alphabet in which no name of a secret can be written.
plain_text = st.text('xyz 019é中<"&?#:/.', max_size=30)
plain_data = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), plain_text),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(plain_text, inner, max_size=4)),
    max_leaves=12,
)


@given(plain_data)
@settings(max_examples=150, deadline=None, derandomize=True)
def test_data_without_secrets_is_unchanged(value: Any) -> None:
    assert redact.redact(value, ["not-there"]) == value


@pytest.mark.parametrize(
    "text",
    ["?" * 200_000, "a=" * 100_000, "://" * 70_000, "bearer " * 30_000, "eyJ" * 70_000, "sk-a" * 50_000],
)
def test_hostile_text_takes_linear_time(text: str) -> None:
    started = time.process_time()
    redact.redact(text, [SECRET])
    redact.find_secrets(text.encode(), [SECRET])
    assert time.process_time() - started < 2
