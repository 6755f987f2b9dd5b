"""Recording, freezing, replaying; a miss explains itself; nothing secret is kept."""

from __future__ import annotations

import pickle
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from mosaic_env.core.errors import ConfigError, CorruptError, MissError, RecordError
from mosaic_env.record.freeze import freeze
from mosaic_env.record.recorder import Recorder, Recording
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.snapshot.responses import RESPONSE_TABLES, Responses, response_key
from mosaic_env.snapshot.tables import write_tables
from mosaic_env.snapshot.verify import verify


def weather(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {"city": arguments["city"], "days": arguments.get("days", 1), "icon": b"\x89PNG fake"}


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    folder = tmp_path / "recording"
    opened = Recording(folder, create=True)
    recorder = Recorder(opened, "record-missing")
    for city in ("Velden", "Ashgrove"):
        for days in (1, 5.0):
            recorder.call("weather", 2, {"city": city, "days": days}, weather)
    opened.close()
    return folder


def test_record_freeze_replay(tiny: Path, recording: Path, tmp_path: Path) -> None:
    manifest = freeze(tiny, recording, tmp_path / "frozen")
    snapshot = Snapshot(tmp_path / "frozen")
    assert verify(tmp_path / "frozen") == []
    base = Snapshot(tiny).manifest
    assert {
        name: entry.digest
        for name, entry in manifest.sections.items()
        if name not in ("responses", "objects")
    } == {name: entry.digest for name, entry in base.sections.items() if name != "objects"}
    result = snapshot.public.responses.lookup("weather", 2, {"days": 5, "city": "Velden"})
    assert result["city"] == "Velden" and result["days"] == 5
    icon = result["icon"]
    assert snapshot.public.objects.read(icon["object"], icon["bytes"]) == b"\x89PNG fake"
    result["city"] = "changed"  # answers are fresh copies
    assert snapshot.public.responses.lookup("weather", 2, {"days": 5.0, "city": "Velden"})["city"] == "Velden"


def test_freezing_twice_and_in_place(tiny: Path, recording: Path, tmp_path: Path) -> None:
    first = freeze(tiny, recording, tmp_path / "one")
    assert freeze(tmp_path / "one", recording, tmp_path / "one").id == first.id
    assert not [p for p in verify(tmp_path / "one") if "older build" not in p.what]


def test_a_miss_explains_itself(tiny: Path, recording: Path, tmp_path: Path) -> None:
    freeze(tiny, recording, tmp_path / "frozen")
    responses = Snapshot(tmp_path / "frozen").public.responses
    with pytest.raises(MissError) as caught:
        responses.lookup("weather", 2, {"city": "Veldem", "days": 1})
    text = str(caught.value)
    assert "4 recorded calls" in text and "first difference: city is 'Veldem', recorded 'Velden'" in text
    assert "mosaic snapshot record --tool weather" in text and text.endswith("[ME-MISS-01]")
    with pytest.raises(MissError, match="not recorded"):
        responses.lookup("weather", 2, {"city": "Velden", "days": 1, "unit": "F"})
    with pytest.raises(MissError, match="weather version 2"):
        responses.lookup("weather", 1, {"city": "Velden"})
    with pytest.raises(MissError, match="Nearest: weather"):
        responses.lookup("wether", 2, {"city": "Velden"})


def test_modes(tmp_path: Path) -> None:
    opened = Recording(tmp_path / "r", create=True)
    calls: list[str] = []

    def live(arguments: Mapping[str, Any]) -> dict[str, int]:
        calls.append(arguments["q"])
        return {"n": len(calls)}

    with pytest.raises(MissError):
        Recorder(opened, "replay").call("t", 1, {"q": "a"}, live)
    assert Recorder(opened, "record-missing").call("t", 1, {"q": "a"}, live) == {"n": 1}
    assert Recorder(opened, "record-missing").call("t", 1, {"q": "a"}, live) == {"n": 1}
    assert Recorder(opened, "replay").call("t", 1, {"q": "a"}) == {"n": 1}
    with pytest.raises(RecordError, match="now answers"):
        Recorder(opened, "verify").call("t", 1, {"q": "a"}, live)
    assert Recorder(opened, "refresh").call("t", 1, {"q": "a"}, live) == {"n": 3}
    assert calls == ["a", "a", "a"]
    with pytest.raises(ConfigError, match="Nearest: replay"):
        Recorder(opened, "repaly")  # type: ignore[arg-type]
    opened.close()


def test_pickles_in_a_recording_are_never_loaded(recording: Path, tmp_path: Path) -> None:
    """Public report CVE-2025-69872 (python-diskcache#357)."""
    marker = tmp_path / "marker"

    class Payload:
        def __reduce__(self) -> tuple[object, ...]:
            return (Path.touch, (marker,))

    db = sqlite3.connect(recording / "calls" / "cache.db")
    key = response_key("weather", 2, {"city": "Velden", "days": 1})
    db.execute("UPDATE Cache SET mode = 4, value = ? WHERE key = ?", (pickle.dumps(Payload()), key))
    db.commit()
    db.close()
    opened = Recording(recording)
    with pytest.raises(RecordError, match="ME-RECORD-01"):
        list(opened)
    with pytest.raises(RecordError, match="ME-RECORD-01"):
        opened.get(key)
    opened.close()
    assert not marker.exists()


def test_secrets_do_not_enter_a_recording_or_a_snapshot(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    canary = "sk-canary-0123456789abcdefghij"
    monkeypatch.setenv("WEATHER_API_KEY", canary)

    def leaky(arguments: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "url": f"https://x.example/?api_key={canary}",
            "headers": {"Set-Cookie": "sid=1234567890"},
            "echo": canary,
        }

    opened = Recording(tmp_path / "r", create=True)
    Recorder(opened, "record-missing").call("leaky", 1, {"q": "a"}, leaky)
    opened.close()
    freeze(tiny, tmp_path / "r", tmp_path / "s")
    for path in (*(tmp_path / "r").rglob("*"), *(tmp_path / "s").rglob("*")):
        if path.is_file():
            assert canary.encode() not in path.read_bytes(), path.name
            assert b"1234567890" not in path.read_bytes(), path.name


def test_a_secret_inside_bytes_stops_the_freeze(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    canary = "canary-value-for-bytes"
    monkeypatch.setenv("WEATHER_TOKEN", canary)
    opened = Recording(tmp_path / "r", create=True)
    Recorder(opened, "record-missing").call("t", 1, {"q": "a"}, lambda a: {"page": b"<p>" + canary.encode()})
    opened.close()
    with pytest.raises(RecordError, match="ME-RECORD-02"):
        freeze(tiny, tmp_path / "r", tmp_path / "s")
    assert not (tmp_path / "s" / "manifest.json").exists()


def test_many_processes_record_into_one_folder(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib\n"
        "from mosaic_env.record.recorder import Recorder, Recording\n"
        "r = Recording(pathlib.Path(sys.argv[1]), create=True)\n"
        "c = Recorder(r, 'record-missing')\n"
        "for n in range(40): c.call('t', 1, {'n': n}, lambda a: {'twice': a['n'] * 2})\n"
        "r.close()\n"
    )
    runs = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "r")]) for _ in range(4)]
    assert [run.wait(timeout=120) for run in runs] == [0, 0, 0, 0]
    opened = Recording(tmp_path / "r")
    assert sorted(r.arguments["n"] for r in opened) == list(range(40))
    assert all(r.result["twice"] == 2 * r.arguments["n"] for r in opened)
    opened.close()


def test_a_folder_without_a_recording_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="ME-RECORD-01"):
        Recording(tmp_path)


@pytest.mark.parametrize("row", [("k", "{}", "1"), ("", "{", "1"), ("", "[]", "1"), ("", "{}", "{")])
def test_a_recorded_row_that_is_not_what_it_says_is_refused(
    tmp_path: Path, row: tuple[str, str, str]
) -> None:
    path = tmp_path / "responses.sqlite"
    key, arguments, result = row
    rows = [("echo", 1, key or response_key("echo", 1, {}), arguments, result)]
    write_tables(path, RESPONSE_TABLES, {"responses": rows})
    with pytest.raises(CorruptError, match=r"table responses, row 1 .*ME-CORRUPT-04"):
        Responses(path)
