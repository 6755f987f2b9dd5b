"""vcrpy#569, #961: cookies of responses, and requests that no filter saw, were saved with their secrets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mosaic_env.record.recorder import Recorder, Recording

CANARY = "q7Xz91CanaryCookie"
REPLIES: dict[str, Any] = {
    "a header": {"headers": {"Set-Cookie": f"sid={CANARY}; Path=/"}},
    "lower case, a list": {"headers": {"set-cookie": [f"sid={CANARY}", "other=1"]}},
    "pairs": {"headers": [["Set-Cookie", f"sid={CANARY}"], ["Date", "today"]]},
    "named": {"headers": [{"name": "Set-Cookie", "value": f"sid={CANARY}"}]},
    "cookies by name": {"response": {"cookies": {"sid": CANARY}}},
    "the request inside": {"request": {"Cookie": f"sid={CANARY}", "Authorization": f"Bearer {CANARY}"}},
    "a redirect": {"location": f"https://example.invalid/?session={CANARY}&page=2"},
    "a user": {"url": f"https://user:{CANARY}@example.invalid/"},
    "a whole response as text": {"raw": f"HTTP/1.1 200 OK\r\nSet-Cookie: JSID {CANARY}; Path=/\r\n\r\nbody"},
    "several lines": {
        "log": f"GET / HTTP/1.1\nAuthorization: Token {CANARY}\nX-Api-Key: {CANARY}\nAccept: */*"
    },
    "a cookie jar": {"cookie_jar": [{"name": "sid", "value": CANARY}]},
}


def saved(folder: Path, reply: Any) -> bool:
    """Record a reply and tell whether the canary is anywhere on the disk."""
    recording = Recording(folder, create=True)
    returned = Recorder(recording, "record-missing").call("web", 1, {"q": "x"}, lambda arguments: reply)
    recording.close()
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    return CANARY in str(returned) or any(CANARY.encode() in path.read_bytes() for path in files)


@pytest.mark.parametrize("how", list(REPLIES))
def test_cookies_are_not_saved(tmp_path: Path, how: str) -> None:
    assert not saved(tmp_path / "r", REPLIES[how])


def test_what_is_no_secret_is_saved(tmp_path: Path) -> None:
    assert saved(tmp_path / "r", {"title": f"a page about {CANARY}"})
