"""The command line: every command explains itself, exit codes mean what they say, pipes and logs stay clean."""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from mosaic_env import console
from mosaic_env.agents.base import AGENTS
from mosaic_env.cli import build_parser, main
from mosaic_env.cli import snapshots as snapshot_commands
from mosaic_env.core.errors import ConfigError
from mosaic_env.envs.catalogue import CATALOGUE
from mosaic_env.envs.config import REWARD_TERMS
from mosaic_env.envs.episode import read_episodes
from mosaic_env.guard.images import encode_png
from mosaic_env.tools.base import load_builtin
from mosaic_env.world.config import WorldConfig
from mosaic_env.world.make import build_world

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
GROUPS = [(), ("snapshot",), ("tasks",), ("world",)]


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
        "compare", "demo", "envs", "eval", "replay", "report", "run",
        "snapshot build", "snapshot freeze", "snapshot gc", "snapshot info",
        "snapshot pack", "snapshot record", "snapshot unpack", "snapshot verify", "tasks audit", "tasks export",
        "tasks list",
        "tools", "view", "world gallery", "world make",
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
    section = next((copy / "sections").glob("kb-*"))
    section.write_bytes(section.read_bytes()[:-1])
    assert main(["snapshot", "verify", str(copy)]) == 1
    said = capsys.readouterr()
    assert said.out.startswith("1 problem\nnote: 1 file no manifest names (stray.txt)")
    assert section.name in said.err and "stray" not in said.err and said.err.startswith("error: ")
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
        (["rnu"], "invalid choice: 'rnu'"),
        (["run", "--limits", "3"], "unrecognized arguments: --limits 3"),
        (["run", "--limit", "many"], "argument --limit: 'many' is not a whole number of at least 1"),
        (["run", "--limit", "-1"], "argument --limit: '-1' is not a whole number of at least 1"),
        (["run", "--limit", "0"], "argument --limit: '0' is not a whole number of at least 1"),
        (["run", "--seed", "x"], "argument --seed: 'x' is not a whole number of at least 0"),
        (["run", "--seed", "-1"], "argument --seed: '-1' is not a whole number of at least 0"),
        (["world", "make", "--out", "x", "--seed", "-1"], "argument --seed: '-1' is not"),
        (["world", "make", "--out", "x", "--entities", "1.5"], "argument --entities: '1.5' is not"),
        (["snapshot", "gc", "x", "--older-than", "nan"], "'nan' is not a number of minutes"),
        (["snapshot", "gc", "x", "--older-than", "-1"], "'-1' is not a number of minutes"),
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


@pytest.mark.parametrize("words", GROUPS, ids=lambda words: " ".join(words) or "mosaic")
def test_2_and_the_whole_help_without_a_command(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code((*words, "--help")) == 0
    explained = capsys.readouterr().out
    assert exit_code(words) == 2
    assert capsys.readouterr() == ("", explained)


def test_2_for_paths_that_cannot_be_used(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("x")
    for words in (
        run(tiny, "--out", str(tmp_path)),
        run(tiny, "--out", str(tmp_path / "file" / "episodes.jsonl")),
        ["snapshot", "pack", str(tiny), str(tmp_path / "file" / "packed.tar")],
        ["world", "gallery", str(tiny), "--out", str(tmp_path)],
        ["demo", "--html", str(tmp_path)],
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
        ("interactions", "--set interactions gives no value. Expected NAME=VALUE. Write NAME=VALUE"),
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
    assert "environment  InterLV-L1-v0 (repo)\n" in out and "tasks        2 played\n" in out
    first, second = read_episodes(path)
    assert first.digest == second.digest and first.seed == (3, 0) and first.config["preset"] == "repo"
    assert main(["replay", str(path), "--snapshot", str(tiny)]) == 0
    before = path.read_bytes()
    assert main(words) == 0 and path.read_bytes() == before  # written anew, not appended
    assert f"note: {path} exists and is replaced" in capsys.readouterr().out


def test_an_agent_and_an_environment_that_do_not_exist(
    tiny: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "--env", "InterLV-L9-v0", "--snapshot", str(tiny)]) == 2
    assert "Nearest: InterLV-L" in capsys.readouterr().err
    assert main([*run(tiny), "--tasks", "no_such_module:x"]) == 2
    assert "ME-TASK-02" in capsys.readouterr().err


AGENT = """
from mosaic_env.agents.base import AGENTS

class Mine:
    def __init__(self, env, seed=0): pass
    def begin(self, env, observation, info): pass
    def act(self, observation, info): return "<done>red</done>"

def plain(messages): return "x"
def nothing(env, seed=0): return None
AGENTS.register("registered-mine")(Mine)
"""


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A current folder with an agent of its own."""
    (tmp_path / "my_cli_agent.py").write_text(AGENT)
    (tmp_path / "broken_cli_agent.py").write_text("x = unknown_name\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    yield tmp_path
    sys.modules.pop("my_cli_agent", None)
    AGENTS.remove("registered-mine")


@pytest.mark.parametrize("agent", ["my_cli_agent:Mine", "my_cli_agent:registered-mine"])
def test_an_agent_of_ones_own(
    tiny: Path, own_folder: Path, agent: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(run(tiny, "--agent", agent)) == 0
    assert "right        1 of 1 (100.0 %)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--agent", "my_cli_agnet:Mine"], "folder that holds my_cli_agnet.py, install the package, or name"),
        (["--tasks", "my_cli_tasks:x"], "folder that holds my_cli_tasks.py, install the package, or name"),
        (["--agent", "broken_cli_agent:x"], "NameError: name 'unknown_name' is not defined"),
        (["--agent", "my_cli_agent:Mien"], "Nearest: Mine"),
        (["--agent", "my_cli_agent:random"], "has no 'random'"),
        (["--agent", "my_cli_agent:plain"], "does not make an agent"),
        (["--agent", "my_cli_agent:nothing"], "without begin() or act()"),
        (["--agent", ":Mine"], "the module's full name"),
    ],
)
def test_an_agent_or_tasks_that_cannot_be_loaded(
    tiny: Path, own_folder: Path, words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(run(tiny, *words)) == 2
    error = capsys.readouterr().err
    assert says in error and error.count("\n") == 1 and re.search(r"\[ME-(CONFIG|TASK)-02\]$", error)


def test_the_oracle_says_what_it_cannot_play(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(run(tiny, "--agent", "oracle", "--tasks", "tests.envs.toy:toy-hundred", "--limit", "2")) == 0
    assert "note: the oracle can only play tasks whose gold names a chain" in capsys.readouterr().out
    assert main(run(tiny, "--tasks", "tests.envs.toy:toy-hundred", "--limit", "2")) == 0
    assert "oracle" not in capsys.readouterr().out


def test_replaying_what_is_empty_cut_or_from_other_tasks(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, again = tmp_path / "episodes.jsonl", ["--snapshot", str(tiny)]
    path.write_text("\n")
    assert main(["replay", str(path), *again]) == 2
    assert "holds no whole episode" in capsys.readouterr().err
    assert main(run(tiny, "--tasks", "tests.envs.toy:toy-hundred", "--limit", "1", "--out", str(path))) == 0
    assert main(["replay", str(path), *again]) == 2
    assert "--tasks module:source" in capsys.readouterr().err
    again += ["--tasks", "tests.envs.toy:toy-hundred"]
    assert main(["replay", str(path), *again]) == 0
    path.write_bytes(path.read_bytes() + path.read_bytes()[:99])
    assert main(["replay", str(path), *again]) == 2
    assert "with --repair" in capsys.readouterr().err
    assert main(["replay", str(path), *again, "--repair"]) == 0
    assert "last line, which a crash cut short, was left out\n1 of 1" in capsys.readouterr().out


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


def test_build_and_info_say_why_tasks_cannot_be_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "kb.jsonl").write_text('{"qid": "Q1", "text": "A"}\n')
    (tmp_path / "level1.json").write_text('[{"id": 1, "question": "x", "answer": "y"}]')
    given = ["--kgdb", str(tmp_path / "kb.jsonl"), "--tasks", str(tmp_path / "level1.json")]
    for words in (["build", *given, "--out", str(tmp_path / "out")], ["info", str(tmp_path / "out")]):
        assert main(["snapshot", *words]) == 0
        lines = [line.split() for line in capsys.readouterr().out.splitlines()]
        found = [line for line in lines if line[:2] == ["the", "row"]]
        assert len(found) == 1 and found[0][-1] == "1" and "(entity_qid)" in found[0], words


@pytest.mark.parametrize(
    "words", [["snapshot", "pack", "{tiny}"], ["world", "gallery", "{tiny}", "--out"], ["demo", "--html"]]
)
def test_output_files_get_their_folders_and_say_what_they_replace(
    tiny: Path, tmp_path: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "new" / "er" / "file"
    given = [*(word.format(tiny=tiny) for word in words), str(path)]
    for replaced in (False, True):
        assert main(given) == 0 and path.stat().st_size
        said = re.sub(r"\s+", " ", capsys.readouterr().out)
        assert (f"note: {path} exists and is replaced" in said) is replaced


def test_an_output_that_cannot_be_written_is_found_before_the_work(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def never(*given: Any, **named: Any) -> Any:
        raise AssertionError("work was done")

    monkeypatch.setattr(os, "access", lambda path, mode: False)
    for name in (
        "agents.base.play",
        "world.make.make_world",
        "record.build.read_kgdb",
        "snapshot.pack.verify",
    ):
        monkeypatch.setattr(f"mosaic_env.{name}", never)
    out = tmp_path / "out"
    for words in (
        run(tiny, "--out", str(out)),
        ["world", "make", "--out", str(out)],
        ["snapshot", "build", "--kgdb", str(tiny / "manifest.json"), "--out", str(out)],
        ["snapshot", "pack", str(tiny), str(out)],
    ):
        assert main(words) == 2, words
        error = capsys.readouterr().err
        assert "cannot be written" in error and "out" in error and not out.exists()


def test_more_pairs_than_memory_holds_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tasks", "audit", "--counterfactual", "--limit", "1000000000000"]) == 2
    assert "ME-TASK-06" in capsys.readouterr().err


def test_world_make_tells_every_stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def fails(*given: Any, **named: Any) -> Any:
        raise ConfigError("ME-CONFIG-02", "enough")

    monkeypatch.setattr(
        "mosaic_env.world.drawn.draw", lambda scene: encode_png(np.zeros((40, 40, 3), np.uint8))
    )
    monkeypatch.setattr("mosaic_env.world.make.write_index", fails)
    with pytest.raises(ConfigError, match="Enough"):
        build_world(WorldConfig(60, 1), tmp_path / "w", lambda what, done, total: seen.append(what))
    assert list(dict.fromkeys(seen)) == [
        "entities", "pictures", "knowledge base", "tasks", "question pictures", "text index",
    ]  # fmt: skip


def test_build_help_shows_rows_that_build(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["snapshot", "build", "--help"]) == 0
    rows = [line.strip() for line in capsys.readouterr().out.splitlines() if line.startswith("    ")]
    (knowledge,) = (row for row in rows if row.startswith("{"))
    (level,) = (row for row in rows if row.startswith("[{"))
    (triple,) = (row for row in rows if row.startswith("Q64 "))
    for name, text in (("kb.jsonl", knowledge), ("level1.json", level), ("triples.txt", triple)):
        (tmp_path / name).write_text(text + "\n")
    given = ("--kgdb", "kb.jsonl", "--tasks", "level1.json", "--triples", "triples.txt", "--out", "out")
    words = [word if word.startswith("--") else str(tmp_path / word) for word in given]
    assert main(["snapshot", "build", *words]) == 0
    assert "no picture of the target" in capsys.readouterr().out


def test_pack_unpack_verify_gc(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    packed, folder = tmp_path / "tiny.mosaic", tmp_path / "again"
    assert main(["snapshot", "pack", str(tiny), str(packed)]) == 0
    assert main(["snapshot", "unpack", str(packed), str(folder)]) == 0
    assert main(["snapshot", "verify", str(folder)]) == 0
    assert (folder / "manifest.json").read_bytes() == (tiny / "manifest.json").read_bytes()
    capsys.readouterr()
    stray = folder / "sections" / "kb-000000000000.sqlite"
    stray.write_bytes(b"left over")
    assert main(["snapshot", "verify", str(folder)]) == 0
    assert "whole\nnote: 1 file no manifest names" in capsys.readouterr().out
    monkeypatch.setenv("MOSAIC_SNAPSHOT_DIR", str(tmp_path))  # a name is enough
    assert main(["snapshot", "gc", "again"]) == 0 and stray.exists()  # too young
    said = capsys.readouterr().out
    assert f"kept sections/{stray.name}\n" in said and "mosaic snapshot gc again --older-than 0\n" in said
    assert main(["snapshot", "gc", str(folder), "--older-than", "0"]) == 0 and not stray.exists()
    assert capsys.readouterr().out == f"deleted sections/{stray.name}\n"
    assert main(["snapshot", "gc", str(folder / "manifest.json")]) == 0
    assert capsys.readouterr().out.startswith("nothing to delete")
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


@pytest.mark.parametrize("words", [["tools"], ["snapshot", "info", "bundled"], ["--help"]], ids=" ".join)
@pytest.mark.parametrize("how", ["closed", "full", "ascii"])
def test_streams_that_cannot_take_everything(words: list[str], how: str) -> None:
    line = shlex.join([sys.executable, "-m", "mosaic_env.cli", *words])
    line += {"closed": " >&-", "full": " >/dev/full", "ascii": ""}[how]
    environment = (
        {**shell_environment(), "PYTHONIOENCODING": "ascii"} if how == "ascii" else shell_environment()
    )
    done = subprocess.run(["sh", "-c", line], capture_output=True, env=environment)
    assert b"Traceback" not in done.stderr and b"Exception" not in done.stderr
    assert done.returncode == (2 if how == "full" else 0)
    if how == "full":
        assert b"No space left" in done.stderr


def test_tasks_given_twice_are_all_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = {"question": "Which colour?", "answer": "red", "entity_qid": "Q1"}
    (tmp_path / "kb.jsonl").write_text('{"qid": "Q1", "text": "x"}\n')
    build = ["snapshot", "build", "--kgdb", str(tmp_path / "kb.jsonl"), "--out", str(tmp_path / "out")]
    for level in (1, 2):
        (tmp_path / f"level{level}.json").write_text(json.dumps([{"id": level, **row}]))
        build += ["--tasks", str(tmp_path / f"level{level}.json")]
    assert main(build) == 0
    said = capsys.readouterr().out
    assert "interlv-l1 in all: 1" in said and "interlv-l2 in all: 1" in said
