"""langchain-community#92: an index came with a pickle beside it, which ran code when the index was loaded."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path

import gymnasium as gym
import pytest

import mosaic_env  # noqa: F401
from mosaic_env.cli import main


class Payload:
    """Touches a file when it is unpickled."""

    def __init__(self, marker: Path) -> None:
        self._marker = marker

    def __reduce__(self) -> tuple[object, ...]:
        return (Path.touch, (self._marker,))


def test_pickles_beside_and_in_place_of_files_are_never_loaded(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    marker = tmp_path / "marker"
    data = pickle.dumps(Payload(marker))
    beside = tmp_path / "beside"
    shutil.copytree(tiny, beside)
    files = [path for path in beside.rglob("*") if path.is_file()]
    for path in files:
        path.with_name(path.name + ".pkl").write_bytes(data)
        path.with_suffix(".pkl").write_bytes(data)
    env = gym.make("InterLV-L1-v0", snapshot=str(beside))
    env.reset(seed=0)
    assert (
        env.step('<query>Velden</query><tool name="local_image_search">{"image": "kb_1"}</tool>')[4][
            "tool_calls"
        ]
        == 2
    )
    assert main(["snapshot", "verify", str(beside)]) == 0
    assert "no manifest names" in capsys.readouterr().out
    for number, path in enumerate(files):
        copy = tmp_path / str(number)
        shutil.copytree(tiny, copy)
        replaced = copy / path.relative_to(beside)
        replaced.chmod(0o644)
        replaced.write_bytes(data)
        assert main(["snapshot", "verify", str(copy)]) in (1, 2)
        shutil.rmtree(copy)
    assert not marker.exists()
    capsys.readouterr()
    pickle.loads(data)
    assert marker.exists(), "the payload works"
