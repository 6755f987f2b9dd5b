"""Three nets for secrets: headers that are kept at all, redaction, a final scan.

The recorder keeps only allowed headers, redacts every value before it is hashed, and scans what it
is about to publish. Nothing here returns, logs or raises a secret.

Must not: be the only protection: a secret in a form that none of the nets knows passes.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote, quote_plus, unquote_to_bytes

MARK = "[REDACTED]"

_KEPT_HEADERS = ("content-language", "content-type", "date", "etag", "last-modified", "location")

# Names are compared in lower case without punctuation: "X-Api-Key" is "xapikey".
_SECRET_NAMES = {
    "authorization", "proxyauthorization", "wwwauthenticate", "cookie", "cookies", "cookiejar", "setcookie", "xauth",
    "token", "xtoken", "idtoken", "refreshtoken", "sessiontoken", "securitytoken", "xamzsecuritytoken",
    "csrftoken", "xsrftoken", "csrf", "jwt", "bearer", "secret", "passwd", "pwd", "passphrase",
    "credential", "credentials", "sessionid", "phpsessid", "jsessionid", "privatekey",
}  # fmt: skip
_SECRET_ENDINGS = (
    "apikey", "apitoken", "accesskey", "accesskeyid", "secretkey", "signingkey", "encryptionkey",
    "accesstoken", "authtoken", "bearertoken", "clientsecret", "appsecret", "password", "subscriptionkey",
)  # fmt: skip
# In a query string these are credentials; as keys of JSON data they are everyday words.
_SECRET_PARAMETERS = _SECRET_NAMES | {
    "key", "auth", "sig", "signature", "xamzsignature", "xamzcredential", "xgoogsignature", "appid",
    "session", "sid",
}  # fmt: skip

_PUNCTUATION = re.compile(r"[^a-z0-9]+")
_PARAMETER = re.compile(r"(^|[?&;#])([A-Za-z0-9_.\-%\[\]]{1,64})=([^&;#\s\"'<>\\]+)")
_USERINFO = re.compile(r"(://)[^\s/?#\"'<>]{1,512}@")
_HEADER_LINE = re.compile(
    r"^([ \t]*(?:set-cookie2?|cookie|x-api-key|x-auth-token|(?:proxy-)?authorization)[ \t]*:[ \t]*"
    r"(?:(?:bearer|basic|digest|token)[ \t]+)?)[^\r\n]+",
    re.IGNORECASE | re.MULTILINE,
)
_BEARER = re.compile(r"\b(bearer)(\s+)([A-Za-z0-9._~+/=-]{8,})", re.IGNORECASE)
_BASIC = re.compile(r"\b(basic)(\s+)([A-Za-z0-9+/]{4,}={0,2})", re.IGNORECASE)
_ENVIRONMENT_NAME = re.compile(
    r"(KEYS?|TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|CREDENTIALS?)(_|$)", re.IGNORECASE
)
_MIN_ENVIRONMENT_LENGTH = 8
_MIN_BASE64_LENGTH = 6

#: What common keys look like: name for reports, texts that one of must occur, pattern.
_FORMATS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("private key", ("PRIVATE KEY",), r"-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY-----"),
    ("AWS access key id", ("AKIA", "ASIA"), r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    ("Google API key", ("AIza",), r"\bAIza[A-Za-z0-9_\-]{35}(?![A-Za-z0-9_\-])"),
    ("Google OAuth token", ("ya29.",), r"\bya29\.[A-Za-z0-9_\-]{20,}"),
    ("GitHub token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"\bgh[pousr]_[A-Za-z0-9]{36,}"),
    ("GitHub token", ("github_pat_",), r"\bgithub_pat_[A-Za-z0-9_]{22,}"),
    ("GitLab token", ("glpat-",), r"\bglpat-[A-Za-z0-9_\-]{20,}"),
    ("Hugging Face token", ("hf_",), r"\bhf_[A-Za-z0-9]{30,}"),
    ("model provider key", ("sk-",), r"\bsk-(?:[a-z]{2,10}[0-9]{0,3}-)?[A-Za-z0-9_\-]{20,}"),
    ("Stripe key", ("k_live_", "k_test_"), r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    ("Slack token", ("xox",), r"\bxox[abeprs]-[A-Za-z0-9\-]{10,}"),
    ("package index token", ("npm_",), r"\bnpm_[A-Za-z0-9]{36}"),
    ("package index token", ("pypi-",), r"\bpypi-[A-Za-z0-9_\-]{50,}"),
    ("JSON web token", ("eyJ",), r"\beyJ[A-Za-z0-9_\-]{10,}\.eyJ[A-Za-z0-9_\-]{10,}\.[A-Za-z0-9_\-]{10,}"),
)
# A search for a fixed text is a hundred times faster than a pattern, and nearly always enough.
_TEXT_FORMATS = tuple((hints, re.compile(pattern, re.ASCII)) for _, hints, pattern in _FORMATS)
_BYTE_FORMATS = tuple(
    (name, tuple(hint.encode("ascii") for hint in hints), re.compile(pattern.encode("ascii")))
    for name, hints, pattern in _FORMATS
)
_JSON_ESCAPE = re.compile(rb"((?:\\u[0-9a-fA-F]{4})+)|\\(.)", re.DOTALL)
_JSON_LETTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}


def redact(value: Any, secrets: Iterable[str] = ()) -> Any:
    """Return JSON data with every secret replaced by ``[REDACTED]``; the input is not changed.

    Replaced: values under keys that name a secret (any case, any nesting), such parameters of URLs
    and forms, user names and passwords in URLs, bearer and basic credentials, keys in a known
    format, and the given secrets in plain, URL-escaped, JSON-escaped and base64 form, in keys too.

    Args:
        value: dicts, lists, tuples, text, numbers, booleans, None; tuples become lists.
        secrets: Literal secrets; empty ones are ignored.
    Determinism: pure; does not depend on the order of ``secrets``.
    """
    forms = sorted({form for secret in secrets for form in _forms(secret)}, key=lambda f: (-len(f), f))
    return _redact(value, forms)


def kept_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the few headers worth recording, names in lower case and sorted, values redacted.

    Kept: content-language, content-type, date, etag, last-modified, location. Everything else is
    dropped, whatever its spelling.
    """
    found = {name.lower(): str(value) for name, value in headers.items()}
    return {name: _redact_text(found[name], []) for name in _KEPT_HEADERS if name in found}


def find_secrets(data: bytes, extra: Iterable[str] = ()) -> list[str]:
    """Name what in the bytes looks like a secret: the last check before anything is published.

    Args:
        data: Any bytes: JSON, HTML, a database file.
        extra: Literal secrets, looked for in plain, URL-escaped, JSON-escaped and base64 form.
    Returns: What was found and in which form, sorted, never the secret itself. A literal is named
        by its place in ``extra``, from 1. An empty list means that nothing was found.
    Cost: about 30 searches for fixed texts, and up to 3 copies of the data when it has escapes.
    """
    views = [("plain", data)]
    if b"%" in data or b"+" in data:
        views.append(("URL-escaped", unquote_to_bytes(data.replace(b"+", b" "))))
    if b"%" in data:
        views.append(("URL-escaped", unquote_to_bytes(data)))
    if b"\\" in data:
        views.append(("JSON-escaped", _JSON_ESCAPE.sub(_unescape, data)))
    found = {f"{name}, {how}" for how, view in views for name in _formats_in(view)}
    for number, secret in enumerate(extra, start=1):
        raw = secret.encode("utf-8", "surrogatepass")
        found |= {f"known secret {number}, {how}" for how, view in views if raw and raw in view}
        if any(form in data for form in _base64_forms(raw)):
            found.add(f"known secret {number}, base64")
    return sorted(found)


def environment_secrets() -> list[str]:
    """Return the values of environment variables whose names look like keys, tokens or passwords.

    Values shorter than 8 characters are left out: they would match everywhere. Sorted, unique.
    """
    values = {value for name, value in os.environ.items() if _ENVIRONMENT_NAME.search(name)}
    return sorted(value for value in values if len(value) >= _MIN_ENVIRONMENT_LENGTH)


def _redact(value: Any, forms: list[str]) -> Any:
    if isinstance(value, str):
        return _redact_text(value, forms)
    if isinstance(value, Mapping):
        return {
            _redact_text(str(key), forms): MARK
            if _names_secret(str(key), _SECRET_NAMES) and item not in (None, "", True, False)
            else _redact(item, forms)
            for key, item in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [_redact(item, forms) for item in value]
    return value


def _redact_text(text: str, forms: list[str]) -> str:
    for form in forms:
        text = text.replace(form, MARK)
    for hints, pattern in _TEXT_FORMATS:
        if any(hint in text for hint in hints):
            text = pattern.sub(MARK, text)
    text = _USERINFO.sub(rf"\g<1>{MARK}@", text)
    lowered = text.lower()
    if ":" in text and any(
        name in lowered for name in ("cookie", "authorization", "x-api-key", "x-auth-token")
    ):
        text = _HEADER_LINE.sub(rf"\g<1>{MARK}", text)
    if "bearer" in lowered:
        text = _BEARER.sub(_bearer, text)
    if "basic" in lowered:
        text = _BASIC.sub(_basic, text)
    return _PARAMETER.sub(_parameter, text)


def _formats_in(data: bytes) -> Iterator[str]:
    for name, hints, pattern in _BYTE_FORMATS:
        if any(hint in data for hint in hints) and pattern.search(data):
            yield name


def _names_secret(name: str, names: set[str]) -> bool:
    plain = _PUNCTUATION.sub("", name.lower())
    return plain in names or plain.endswith(_SECRET_ENDINGS)


def _parameter(match: re.Match[str]) -> str:
    name = unquote_to_bytes(match[2]).decode("utf-8", "replace")
    return f"{match[1]}{match[2]}={MARK}" if _names_secret(name, _SECRET_PARAMETERS) else match[0]


def _bearer(match: re.Match[str]) -> str:
    # "The flag bearer representing…" is prose; tokens are long or have digits.
    token = match[3]
    secret = len(token) >= 24 or any(char.isdigit() for char in token)
    return f"{match[1]}{match[2]}{MARK}" if secret else match[0]


def _basic(match: re.Match[str]) -> str:
    try:
        secret = b":" in base64.b64decode(match[3], validate=True)
    except binascii.Error:
        secret = False
    return f"{match[1]}{match[2]}{MARK}" if secret else match[0]


def _forms(secret: str) -> set[str]:
    """Return the ways a secret may be written in text."""
    if not secret:
        return set()
    raw = secret.encode("utf-8", "surrogatepass")
    escaped = {json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}
    slashed = {text.replace("/", "\\/") for text in escaped}
    urls = {quote(raw, safe=""), quote(raw), quote_plus(raw)}
    lower = {re.sub(r"%[0-9A-F]{2}", lambda match: match[0].lower(), url) for url in urls}
    return {secret} | escaped | slashed | urls | lower | {form.decode("ascii") for form in _base64_forms(raw)}


def _base64_forms(raw: bytes) -> set[bytes]:
    """Return the part of the secret's base64 that is the same whatever stands around it.

    A secret can start at three places of a group; the characters that mix with neighbours go.
    """
    forms: set[bytes] = set()
    if len(raw) < _MIN_BASE64_LENGTH:
        return forms
    for shift in range(3):
        text = base64.b64encode(bytes(shift) + raw)
        first = (0, 2, 3)[shift]
        last = (shift + len(raw)) * 8 // 6
        forms |= {text[first:last], text[first:last].translate(bytes.maketrans(b"+/", b"-_"))}
    return forms


def _unescape(match: re.Match[bytes]) -> bytes:
    if match[1]:
        units = bytes.fromhex(match[1].replace(b"\\u", b"").decode("ascii"))
        return units.decode("utf-16-be", "surrogatepass").encode("utf-8", "surrogatepass")
    return _JSON_LETTERS.get(match[2], match[2])
