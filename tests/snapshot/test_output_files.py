"""Files that a person asked for: whole, or what they were before."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import pytest

from mosaic_env.cli import main
from mosaic_env.snapshot.files import output

WRITERS = (
    ["world", "gallery", "{tiny}", "--out"],
    ["demo", "--html"],
    ["tasks", "export", "--format", "jsonl", "--env", "InterLV-L1-v0", "--snapshot", "{tiny}", "--out"],
)


@pytest.mark.parametrize("words", WRITERS, ids=lambda words: words[0])
def test_a_full_disk_leaves_what_was_there(
    tiny: Path,
    tmp_path: Path,
    words: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "mine").write_text("before")
    real = Path.open

    def full(path: Path, mode: str = "r", *given: Any, **named: Any) -> Any:
        stream = real(path, mode, *given, **named)
        if "w" in mode:
            stream.write("half")
            stream.close()
            raise OSError(errno.ENOSPC, "No space left on device")  # as a write says it: without a name
        return stream

    monkeypatch.setattr(Path, "open", full)
    given = [word.format(tiny=tiny) for word in words]
    for name in ("mine", "new"):
        assert main([*given, str(tmp_path / name)]) == 2
        assert f"{tmp_path / name}: No space left" in capsys.readouterr().err
    monkeypatch.undo()
    assert (tmp_path / "mine").read_text() == "before" and list(tmp_path.iterdir()) == [tmp_path / "mine"]
    assert main([*given, str(tmp_path / "mine")]) == 0 and (tmp_path / "mine").read_text() != "before"


def test_links_are_followed_and_modes_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("before")
    (tmp_path / "file").chmod(0o640)
    (tmp_path / "link").symlink_to("file")
    with output(tmp_path / "link") as path:
        path.write_text("after")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "file").read_text() == "after"
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
def test_a_device_is_written_as_it_is(tmp_path: Path) -> None:
    with output(Path("/dev/null")) as path:
        path.write_text("gone")
    assert Path("/dev/null").is_char_device()
    with pytest.raises(OSError, match="/dev/full"), output(Path("/dev/full")) as path:
        path.write_text("x" * 100)
