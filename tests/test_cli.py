"""The command line: every command explains itself, exit codes mean what they say, pipes and logs stay clean."""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from mosaic_env import console
from mosaic_env.cli import build_parser, main
from mosaic_env.cli import snapshots as snapshot_commands
from mosaic_env.envs.catalogue import CATALOGUE
from mosaic_env.envs.config import REWARD_TERMS
from mosaic_env.envs.episode import read_episodes
from mosaic_env.tools.base import load_builtin

Leaf = tuple[tuple[str, ...], argparse.ArgumentParser]


def leaves(parser: argparse.ArgumentParser, words: tuple[str, ...] = ()) -> Iterator[Leaf]:
    """Yield every command that does something, with its words."""
    groups = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not groups:
        yield words, parser
    for group in groups:
        for name, inner in group.choices.items():
            yield from leaves(inner, (*words, name))


COMMANDS = dict(leaves(build_parser()))
GROUPS = [(), ("snapshot",), ("world",)]


def run(tiny: Path, *words: str) -> list[str]:
    return ["run", "--env", "InterLV-L1-v0", "--agent", "random", "--snapshot", str(tiny), *words]


def exit_code(words: list[str] | tuple[str, ...]) -> int:
    """Run the command and return its exit code, also when argparse ends it."""
    try:
        return main(list(words))
    except SystemExit as ended:
        return int(ended.code or 0)


# --- help ---------------------------------------------------------------------------------------------


def test_the_commands_are_the_documented_ones() -> None:
    assert sorted(" ".join(words) for words in COMMANDS) == [
        "demo", "envs", "replay", "run", "snapshot build", "snapshot freeze", "snapshot gc", "snapshot info",
        "snapshot pack", "snapshot record", "snapshot unpack", "snapshot verify", "tools", "world gallery",
        "world make",
    ]  # fmt: skip


@pytest.mark.parametrize("words", list(COMMANDS), ids=" ".join)
def test_every_command_explains_every_argument(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code((*words, "--help")) == 0
    said = capsys.readouterr()
    assert said.out.startswith(f"usage: mosaic {' '.join(words)} ") and said.err == ""
    flat = re.sub(r"\s+", " ", said.out)
    assert (COMMANDS[words].description or "")[:40] in flat
    for action in COMMANDS[words]._actions:
        assert action.help, f"{action.dest} of {words} is not explained"
        assert re.sub(r"\s+", " ", action.help.replace("%%", "%"))[:30] in flat
        for name in action.option_strings or [str(action.metavar or action.dest)]:
            assert name in said.out


@pytest.mark.parametrize("words", GROUPS, ids=lambda words: " ".join(words) or "mosaic")
def test_every_group_lists_its_commands(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code((*words, "--help")) == 0
    out = capsys.readouterr().out
    inside = {command[len(words)] for command in COMMANDS if command[: len(words)] == words}
    assert inside and all(re.search(rf"^ +{name} ", out, re.MULTILINE) for name in inside)


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["--version"]) == 0
    assert capsys.readouterr().out == f"mosaic_env {version('mosaic-env')}\n"


# --- exit codes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ["envs"],
        ["tools"],
        ["snapshot", "info"],
        ["snapshot", "info", "--json"],
        ["snapshot", "verify"],
        ["run"],
    ],
)
def test_0_when_all_is_well(tiny: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    given = run(tiny) if words == ["run"] else [*words, str(tiny)] if words[0] == "snapshot" else words
    assert exit_code(given) == 0
    said = capsys.readouterr()
    assert said.out and said.err == ""


def test_1_when_a_check_finds_problems(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(tiny, copy)
    (copy / "stray.txt").write_text("x")
    assert main(["snapshot", "verify", str(copy)]) == 1
    said = capsys.readouterr()
    assert "1 problems" in said.out and "stray.txt" in said.err and said.err.startswith("error: ")
    path = tmp_path / "episodes.jsonl"
    assert main(run(tiny, "--out", str(path))) == 0
    episode = next(read_episodes(path))
    changed = replace(episode, steps=(replace(episode.steps[0], reward=0.5), *episode.steps[1:]))
    path.write_text(episode.to_line() + "\n" + changed.to_line() + "\n")
    capsys.readouterr()
    assert main(["replay", str(path), "--snapshot", str(tiny)]) == 1
    said = capsys.readouterr()
    assert said.out == "1 of 2 episodes are the same to the byte\n"
    assert said.err.startswith("error: episode 2 (tiny/1): step 1, reward, byte ")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["snapshot"], "the following arguments are required: ACTION"),
        (["rnu"], "invalid choice: 'rnu'"),
        (["run", "--limits", "3"], "unrecognized arguments: --limits 3"),
        (["run", "--limit", "many"], "argument --limit: invalid"),
        (["run", "--limit", "-1"], "argument --limit: -1 is not a count"),
        (["run", "--seed", "x"], "argument --seed: invalid int value"),
        (["tools", "--schemas", "xml"], "argument --schemas: invalid choice"),
        (["snapshot", "build", "--out", "x"], "required: --kgdb"),
        (["replay"], "required: file"),
    ],
)
def test_2_for_words_that_mean_nothing(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(words) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith("usage: mosaic") and says in said.err


def test_2_for_paths_that_cannot_be_used(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("x")
    for words in (
        run(tiny, "--out", str(tmp_path)),
        run(tiny, "--out", str(tmp_path / "file" / "episodes.jsonl")),
        ["snapshot", "pack", str(tiny), str(tmp_path / "nowhere" / "packed.tar")],
        ["world", "gallery", str(tiny), "--out", str(tmp_path / "nowhere" / "gallery.html")],
    ):
        assert main(words) == 2, words
        error = capsys.readouterr().err
        assert error.startswith("error: ") and error.count("\n") == 1 and str(tmp_path) in error, words


def test_130_when_interrupted(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*given: Any) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(snapshot_commands, "show", interrupted)
    assert main(["snapshot", "info", str(tiny)]) == 130
    assert capsys.readouterr() == ("", "")


def test_hostile_names_do_nothing_to_a_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["snapshot", "info", "\x1b[2J[bold]x[/bold]\u202e\ud800"]) == 2
    error = capsys.readouterr().err
    assert "[bold]x[/bold]" in error and not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\ud800]", error)


# --- run ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "field", "value"),
    [
        (["interactions=5"], "interactions", 5),
        (["interactions=null"], "interactions", None),
        (["image_obs=false"], "image_obs", False),
        (["corpus=closed"], "corpus", "closed"),
        (['corpus="closed"'], "corpus", "closed"),
        (['tools=["view_image","list_images"]'], "tools", ["view_image", "list_images"]),
        (["disabled_tools=image_crop"], "disabled_tools", ["image_crop"]),
        (['reward={"cost": 0.5}'], "reward", {**REWARD_TERMS, "cost": 0.5}),
        (["interactions=5", "interactions=6"], "interactions", 6),
        (["memory=agent", "memory_lines=3"], "memory_lines", 3),
    ],
)  # fmt: skip
def test_set(tiny: Path, tmp_path: Path, words: list[str], field: str, value: Any) -> None:
    path = tmp_path / "episodes.jsonl"
    assert main(run(tiny, "--out", str(path), *(part for word in words for part in ("--set", word)))) == 0
    episode = next(read_episodes(path))
    assert episode.config[field] == value and episode.notes == {"agent": "random"}


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("interactions", "interactions='' is not allowed"),
        ("interactions=", "interactions='' is not allowed"),
        ("interactions=NaN", "interactions='NaN' is not allowed"),
        ("=5", "unknown argument ''"),
        ("x=y=z", "unknown argument 'x'"),
        ("tools=view_imge", "Nearest: view_image"),
        ("snapshot=x", "Expected --snapshot"),
        ("tasks=x", "Expected --tasks"),
        ("split=x", "Expected --split"),
        ("preset=repo", "Expected --preset"),
        ("id=InterLV-L2-v0", "Expected --env"),
        ("family=interlv-l2", "Expected --env"),
    ],
)
def test_set_wrongly(tiny: Path, word: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(run(tiny, "--set", word)) == 2
    error = capsys.readouterr().err
    assert says in error and error.startswith("error: ") and error.count("\n") == 1
    assert re.search(r"\[ME-CONFIG-0[12]\]\n$", error)


def test_run_writes_what_replays(tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "new" / "episodes.jsonl"
    words = run(
        tiny, "--seed", "3", "--preset", "repo", "--task", "tiny/1", "--task", "tiny/1", "--out", str(path)
    )
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "environment  InterLV-L1-v0 (repo)\n" in out and "tasks        2 played, 0 of the set" in out
    first, second = read_episodes(path)
    assert first.digest == second.digest and first.seed == (3, 0) and first.config["preset"] == "repo"
    assert main(["replay", str(path), "--snapshot", str(tiny)]) == 0
    before = path.read_bytes()
    assert main(words) == 0 and path.read_bytes() == before  # written anew, not appended
    assert main(run(tiny, "--limit", "0", "--out", str(path))) == 0
    assert path.read_bytes() == b"" and "0 of 0 (0.0 %)" in capsys.readouterr().out


def test_an_agent_and_an_environment_that_do_not_exist(
    tiny: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "--env", "InterLV-L9-v0", "--snapshot", str(tiny)]) == 2
    assert "Nearest: InterLV-L" in capsys.readouterr().err
    assert main([*run(tiny), "--tasks", "no_such_module:x"]) == 2
    assert "ME-TASK-02" in capsys.readouterr().err


# --- lists --------------------------------------------------------------------------------------------


def test_tools_as_schemas(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tools", "--schemas", "openai"]) == 0
    openai = json.loads(capsys.readouterr().out)
    assert main(["tools", "--schemas", "interlv"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert [entry["type"] for entry in openai] == ["function"] * len(plain)
    assert [entry["function"] for entry in openai] == plain
    assert [entry["name"] for entry in plain] == list(load_builtin())
    for entry in plain:
        parameters = entry["parameters"]
        assert set(parameters["required"]) <= set(parameters["properties"]) and entry["description"]


def test_lists_name_everything(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console.out, "_width", 200)
    assert main(["envs"]) == 0
    out = capsys.readouterr().out
    assert all(out.count(entry.id) == 3 for entry in CATALOGUE) and "infomosaic" in out
    assert main(["tools"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in load_builtin()) and "sandboxed" in out


def test_info_as_json_is_the_manifest(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["snapshot", "info", str(tiny), "--json"]) == 0
    assert capsys.readouterr().out == (tiny / "manifest.json").read_text()


# --- snapshots ----------------------------------------------------------------------------------------


def test_pack_unpack_verify_gc(tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    packed, folder = tmp_path / "tiny.mosaic", tmp_path / "again"
    assert main(["snapshot", "pack", str(tiny), str(packed)]) == 0
    assert main(["snapshot", "unpack", str(packed), str(folder)]) == 0
    assert main(["snapshot", "verify", str(folder)]) == 0
    assert (folder / "manifest.json").read_bytes() == (tiny / "manifest.json").read_bytes()
    capsys.readouterr()
    stray = folder / "sections" / "kb-000000000000.sqlite"
    stray.write_bytes(b"left over")
    assert main(["snapshot", "gc", str(folder)]) == 0 and stray.exists()  # too young
    assert main(["snapshot", "gc", str(folder), "--older-than", "0"]) == 0 and not stray.exists()
    assert "deleted " in capsys.readouterr().out
    assert main(["snapshot", "unpack", str(packed), str(folder)]) == 2  # never over something


# --- pipes and logs -----------------------------------------------------------------------------------


def shell_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


@pytest.mark.parametrize("words", [["tools"], ["info", "--json"], ["run"], ["--help"]], ids=" ".join)
def test_a_reader_that_went_away_is_no_error(tiny: Path, words: list[str]) -> None:
    """As in ``mosaic run | head``: small outputs fail while the interpreter exits, large ones before."""
    if words[0] == "run":
        words = run(tiny)
    elif words[0] == "info":
        words = ["snapshot", "info", str(tiny), "--json"]
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "mosaic_env.cli", *words], stdout=writing, stderr=subprocess.PIPE, text=True,
            env=shell_environment(),
        )  # fmt: skip
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


def test_progress_is_drawn_on_terminals_only(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for terminal in (False, True):
        target = io.StringIO()
        monkeypatch.setattr(console, "err", Console(file=target, force_terminal=terminal, width=100))
        assert main(["snapshot", "verify", str(tiny)]) == 0 and main(run(tiny)) == 0
        assert ("objects" in target.getvalue(), "episodes" in target.getvalue()) == (terminal, terminal)
        assert "objects" not in capsys.readouterr().out


def test_output_does_not_depend_on_the_locale(tiny: Path) -> None:
    command = [sys.executable, "-m", "mosaic_env.cli", "tools", "--schemas", "interlv"]
    outputs = {
        subprocess.run(command, env={**shell_environment(), **extra}, capture_output=True, check=True).stdout
        for extra in ({"LC_ALL": "C"}, {"LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "7"})
    }
    assert len(outputs) == 1
