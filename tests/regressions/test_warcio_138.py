"""warcio#138, #127: the eight bytes ``WARC/1.0``, and records cut in the middle, passed the check."""

from __future__ import annotations

from pathlib import Path

import pytest

from mosaic_env.cli import main
from mosaic_env.core.errors import EpisodeError, MosaicError
from mosaic_env.envs.episode import read_episodes
from mosaic_env.snapshot.pack import pack, unpack

HEADERS = [
    b"WARC/1.0",
    b"",
    b"mosaic-snapshot/1",
    b"SQLite format 3\0",
    b"ustar",
    b"\x1f\x8b\x08",
    b"{}",
    b"\0" * 1024,
]


@pytest.mark.parametrize("data", HEADERS)
def test_a_header_alone_is_nothing(tmp_path: Path, data: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "file"
    file.write_bytes(data)
    assert main(["snapshot", "unpack", str(file), str(tmp_path / "out")]) == 2
    assert not (tmp_path / "out").exists() and "error: " in capsys.readouterr().err
    if data:
        with pytest.raises(EpisodeError):
            list(read_episodes(file))


def test_a_cut_package_is_refused_wherever_it_is_cut(tiny: Path, tmp_path: Path) -> None:
    pack(tiny, tmp_path / "whole")
    whole = (tmp_path / "whole").read_bytes()
    for part in range(20):
        (tmp_path / "cut").write_bytes(whole[: len(whole) * part // 20])
        with pytest.raises(MosaicError):
            unpack(tmp_path / "cut", tmp_path / "out")
        assert not (tmp_path / "out" / "manifest.json").exists()


def test_a_cut_episode_is_refused_wherever_it_is_cut(tiny: Path, tmp_path: Path) -> None:
    path = tmp_path / "episodes.jsonl"
    words = [
        "run",
        "--env",
        "InterLV-L1-v0",
        "--agent",
        "random",
        "--snapshot",
        str(tiny),
        "--out",
        str(path),
    ]
    assert main(words) == 0
    whole = path.read_bytes()
    for length in range(1, len(whole) - 1, max(1, len(whole) // 60)):
        path.write_bytes(whole[:length])
        with pytest.raises(EpisodeError):
            list(read_episodes(path))
        path.write_bytes(whole + whole[:length])
        assert len(list(read_episodes(path, repair=True))) == 1
