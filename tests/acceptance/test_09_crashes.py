"""kill -9 at random moments never leaves a snapshot that opens and is wrong; every flipped bit is found."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mosaic_env.core.errors import MosaicError
from mosaic_env.record.freeze import freeze
from mosaic_env.record.recorder import Recorder, Recording
from mosaic_env.snapshot.manifest import read_manifest
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.snapshot.verify import verify
from tests.snapshot import small

KILLS = 50
BITS = 2_000

_BUILD = """
import pathlib, sys
from tests.snapshot import small
for round in range(1000):
    small.build(pathlib.Path(sys.argv[1]), pictured=("Q1", "Q3") if round % 2 else small.PICTURED)
"""
_FREEZE = """
import pathlib, sys
from mosaic_env.record.freeze import freeze
for round in range(1000):
    freeze(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2 + round % 2]), pathlib.Path(sys.argv[1]))
"""


def killed(code: str, *arguments: str, after: float) -> None:
    """Run code in a process that writes a snapshot over and over, and kill it."""
    process = subprocess.Popen([sys.executable, "-c", code, *arguments], stderr=subprocess.DEVNULL)
    time.sleep(after)
    process.send_signal(signal.SIGKILL)
    process.wait()


def whole_or_absent(folder: Path, known: set[str]) -> bool:
    """Check that a folder opens as one of the known snapshots, byte for byte, or does not open at all."""
    try:
        snapshot = Snapshot(folder)
    except MosaicError as error:
        assert error.code == "ME-SNAP-01", error  # there is no manifest yet: never a torn one
        return False
    assert snapshot.id in known
    problems = [problem for problem in verify(folder) if "older build" not in problem.what]
    assert problems == []
    return True


@pytest.mark.slow
def test_kill_during_builds(tmp_path: Path) -> None:
    known = {small.build(tmp_path / "a").id, small.build(tmp_path / "b", pictured=("Q1", "Q3")).id}
    draw, opened = random.Random(9), 0
    for _ in range(KILLS):
        killed(_BUILD, str(tmp_path / "target"), after=0.7 + draw.random() * 1.2)
        opened += whole_or_absent(tmp_path / "target", known)
        if draw.random() < 0.5:
            shutil.rmtree(tmp_path / "target", ignore_errors=True)
    print(f"\n{KILLS} kills, {opened} left a whole snapshot")
    assert opened > 0


@pytest.mark.slow
def test_kill_during_freezes(tmp_path: Path) -> None:
    small.build(tmp_path / "base")
    known = {read_manifest(tmp_path / "base").id}
    for name, count in (("r0", 3), ("r1", 40)):
        opened = Recording(tmp_path / name, create=True)
        for number in range(count):
            Recorder(opened, "record-missing").call(
                name, 1, {"n": number}, lambda a: {"n": a["n"], "page": b"x" * 999}
            )
        opened.close()
    for order in (("r0",), ("r1",), ("r0", "r1")):
        shutil.copytree(tmp_path / "base", tmp_path / "copy")
        for name in order:
            known.add(freeze(tmp_path / "copy", tmp_path / name, tmp_path / "copy").id)
        shutil.rmtree(tmp_path / "copy")
    draw = random.Random(10)
    for _ in range(KILLS):
        arguments = [str(tmp_path / name) for name in ("base", "r0", "r1")]
        killed(_FREEZE, *arguments, after=0.4 + draw.random() * 0.8)
        assert whole_or_absent(tmp_path / "base", known)


def test_every_flipped_bit_of_a_sample_is_found(tmp_path: Path) -> None:
    small.build(tmp_path / "s")
    opened = Recording(tmp_path / "r", create=True)
    Recorder(opened, "record-missing").call("t", 1, {"n": 1}, lambda a: {"page": b"x" * 5000})
    opened.close()
    freeze(tmp_path / "s", tmp_path / "r", tmp_path / "snapshot")
    folder = tmp_path / "snapshot"
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    sizes = [path.stat().st_size for path in files]
    draw = random.Random(11)
    # Half of the bits are drawn over all bytes, half over all files, so that small files count too.
    picks = [draw.choices(range(len(files)), weights=sizes if n % 2 else None)[0] for n in range(BITS)]
    contents = [path.read_bytes() for path in files]
    for path, data in zip(files, contents, strict=True):
        path.unlink()  # the files may be hard links into the base
        path.write_bytes(data)
    missed = []
    for pick in picks:
        bit = draw.randrange(8 * sizes[pick])
        damaged = bytearray(contents[pick])
        damaged[bit // 8] ^= 1 << (bit % 8)
        files[pick].write_bytes(damaged)
        if not verify(folder):
            missed.append((files[pick].name, bit))
        files[pick].write_bytes(contents[pick])
    assert missed == [] and verify(folder) == []
    assert len(picks) == BITS and os.path.commonpath([str(f) for f in files]) == str(folder)
