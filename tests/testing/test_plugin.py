"""The pytest plugin: goldens, match levels, and the side that moved."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mosaic_env.core.canon import digest
from tests.snapshot.small import PICTURED, TASKS, build
from tests.testing.bench import Bench, load_everything, plugin, subprocess_environment

pytest_plugins = ["pytester"]


@pytest.fixture(scope="module", autouse=True)
def _loaded(tiny: Path) -> None:
    load_everything(tiny)


@pytest.fixture(scope="module")
def written() -> dict[str, bytes]:
    """The goldens of the unchanged project, once the first test has written them."""
    return {}


@pytest.fixture
def bench(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, tiny: Path, written: dict[str, bytes]
) -> Bench:
    """A project whose goldens are written."""
    bench = Bench(pytester, monkeypatch, tiny)
    if not written:
        bench.run("--mosaic-update", passed=2)
        written.update(bench.goldens())
    bench.put_goldens(written)
    return bench


@pytest.fixture(scope="module")
def other_world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A world in which the album has no picture."""
    folder = tmp_path_factory.mktemp("other") / "snapshot"
    build(folder, pictured=[key for key in PICTURED if key != "Q1"])
    return folder


def failures(output: str) -> str:
    """Return the lines of a report that describe failures."""
    return "\n".join(line[1:].strip() for line in output.splitlines() if line.startswith("E"))


# --- which side moved ------------------------------------------------------------------------------------


def test_a_changed_agent_without_a_wrapped_model(bench: Bench) -> None:
    bench.change("agent_a.py", "results[0]", "results[-1]")
    report = failures(bench.run(passed=1, failed=1))
    assert "test_a ('run', match='calls') differs from its golden at step 2 (2 steps)" in report
    assert "moved: agent (or the model it calls; wrap it with mosaic.model to tell them apart)" in report
    assert "replayed here, give the same bytes" in report
    assert any(line.split()[:3] == ["*", "answer", "Gold"] for line in report.splitlines())
    assert 'pytest "test_agents.py::test_a" --mosaic-update' in report


def test_a_changed_agent_whose_model_said_the_same(bench: Bench) -> None:
    bench.change("agent_b.py", 'What next?")', 'What next?").replace("album", "record")')
    report = failures(bench.run(passed=1, failed=1))
    assert "test_b" in report and "moved: agent\n" in report
    assert "what the model was asked and said for step 1 is what was recorded" in report
    assert "album by Marrow" in report and "record by Marrow" in report


def test_a_changed_prompt_is_the_agents_and_nothing_is_asked(bench: Bench) -> None:
    bench.change("agent_b.py", "What next?", "What now?")
    bench.change("agent_b.py", '"""Stand in for', 'raise SystemExit("asked")\n    """Stand in for')
    report = failures(bench.run(passed=1, failed=1))
    assert "asks the model 'model' something at step 1 that is not in the recording" in report
    assert (
        "moved: agent\n" in report
        and "question 1 to the model (step 1) is another one: args[0] was" in report
    )
    assert "What next?" in report and "What now?" in report and "--mosaic-live" in report


def test_an_agent_that_swallows_the_miss_fails_all_the_same(bench: Bench) -> None:
    bench.change("agent_b.py", "What next?", "What now?")
    bench.change("agent_b.py", "        return model", "        try: return model")
    bench.change(
        "agent_b.py",
        "    return agent",
        "        except Exception: return '<done>red</done>'\n\n    return agent",
    )
    assert "moved: agent\n" in failures(bench.run(passed=1, failed=1))


def test_a_changed_model(bench: Bench) -> None:
    bench.change("agent_b.py", "<query>album by Marrow", "<query>Marrow album")
    bench.run(passed=2)  # answered from the recording
    report = failures(bench.run("--mosaic-live", passed=1, failed=1))
    assert "test_b" in report and "moved: model\n" in report
    assert "question 1 to the model (step 1) is the recorded one and its answer is not" in report
    assert "Marrow album" in report


def test_a_models_thoughts_may_change(bench: Bench) -> None:
    bench.change("agent_b.py", "I know nothing yet.", "Let me see.")
    bench.run("--mosaic-live", passed=2)


def test_a_changed_world(bench: Bench, other_world: Path) -> None:
    bench.run(passed=2)
    bench.world(other_world)
    report = failures(bench.run(failed=2))
    assert report.count("moved: world\n") == 2
    assert report.count("the golden was recorded in the world sha256:") == 2
    assert "replayed here, differ at step 1, observation text" in report  # the evidence
    assert "asks the model 'model' something at step 2" in report


def test_an_agent_that_a_changed_world_breaks(bench: Bench, other_world: Path) -> None:
    bench.change(
        "agent_a.py", 'results[0]["label"]', '{row["label"]: row["label"] for row in results}["Gold Cobra"]'
    )
    bench.run("--mosaic-update", passed=2)
    bench.world(other_world)
    report = failures(bench.run(failed=2))
    assert "the agent raised at step 2: KeyError" in report and "moved: world\n" in report


def test_a_changed_task(bench: Bench, tmp_path: Path) -> None:
    changed = [
        (task.__class__(**{**_fields(task), "question": task.question + "?"}), gold) for task, gold in TASKS
    ]
    build(tmp_path / "snapshot", tasks=changed)
    bench.world(tmp_path / "snapshot")
    bench.change("agent_a.py", "chat[1]", "chat[-1]")
    report = failures(bench.run(failed=2))
    assert report.count("moved: world\n") == 2 and "the task tiny/1 has changed" in report


def _fields(task: object) -> dict[str, object]:
    return {name: getattr(task, name) for name in task.__dataclass_fields__}  # type: ignore[attr-defined]


LIBRARY = """
import pytest
from mosaic_env.tools import text_search, text_to_image_search

@pytest.fixture(autouse=True)
def changed_library(monkeypatch):
    {change}
"""
FEWER_ROWS = """
    whole = text_search.search_result
    def half(hits, context, **shown):
        result = whole(hits, context, **shown)
        result.data["results"].reverse()
        return result
    monkeypatch.setattr(text_search, "search_result", half)
    monkeypatch.setattr(text_to_image_search, "search_result", half)
    monkeypatch.setattr(text_search.LocalTextSearch, "version", 2)
"""


def test_a_changed_library(bench: Bench) -> None:
    bench.write("conftest.py", LIBRARY.format(change=FEWER_ROWS.strip()))
    report = failures(bench.run(failed=2))
    assert (
        report.count("moved: library\n") == 2
        and "replayed here, differ at step 1, observation text" in report
    )
    assert "local_text_search had version 1, now 2" in report


def test_a_changed_prompt_of_the_library(bench: Bench) -> None:
    change = (
        'monkeypatch.setattr(text_to_image_search.LocalTextToImageSearch, "description", "Look things up.")'
    )
    bench.write("conftest.py", LIBRARY.format(change=change))
    bench.change(
        "agent_a.py", "len(chat) == 2", "len(chat) == 2 and 'Find pictures that fit' in str(chat[0])"
    )
    bench.change("agent_a.py", "    results", "    if len(chat) == 2: return '<done>?</done>'\n    results")
    report = failures(bench.run(passed=1, failed=1))
    assert (
        "moved: library\n" in report and "the system prompt of the same configuration has changed" in report
    )


def test_a_version_that_changes_no_byte_is_not_blamed(bench: Bench) -> None:
    bench.write(
        "conftest.py", LIBRARY.format(change='monkeypatch.setattr(text_search.LocalTextSearch, "version", 2)')
    )
    bench.run(passed=2)
    bench.change("agent_a.py", "results[0]", "results[-1]")
    report = failures(bench.run(passed=1, failed=1))
    assert "moved: agent (or" in report
    assert "local_text_search had version 1, now 2, which changes no byte of this episode" in report


def test_a_changed_test(bench: Bench) -> None:
    bench.change("test_agents.py", "agent_a.agent, **HERE", "agent_a.agent, **HERE, seed=4, corpus='closed'")
    bench.run(passed=2)  # the same calls
    bench.change("agent_a.py", "results[0]", "results[-1]")
    report = failures(bench.run(passed=1, failed=1))
    assert "moved: test\n" in report and "the test asks for another episode: seed was 0, now 4" in report


# --- match levels ------------------------------------------------------------------------------------------

LEVELS = """
import os, pytest
from agent_a import agent

@pytest.mark.parametrize("match", ["text", "calls", "outcome"])
def test_level(mosaic, match):
    mosaic.play(agent, env="InterLV-L1-v0", snapshot=os.environ["TINY"], task="tiny/1").check_golden(match=match)
"""


@pytest.mark.parametrize(
    ("old", "new", "failing"),
    [
        ("The first one will do.", "Take the first.", ["text"]),
        (
            '{"query": question}',
            '{"top_k": 5.0, "query": question}',
            ["text"],
        ),  # the default, as another number
        ('{"query": question}', '{"top_k": 4, "query": question}', ["text", "calls"]),
        ('results[0]["label"]', '"red"', ["text", "calls", "outcome"]),
    ],
)
def test_levels(bench: Bench, old: str, new: str, failing: list[str]) -> None:
    bench.write("test_agents.py", LEVELS)
    bench.run("--mosaic-update", passed=3)
    bench.change("agent_a.py", old, new)
    output = bench.run(failed=len(failing), passed=3 - len(failing))
    for level in ("text", "calls", "outcome"):
        assert (f"FAILED test_agents.py::test_level[{level}]" in output) == (level in failing)


def test_an_unknown_level_is_named(bench: Bench) -> None:
    bench.change(
        "test_agents.py",
        "agent_a.agent, **HERE).check_golden()",
        "agent_a.agent, **HERE).check_golden(match='call')",
    )
    assert "there is no match level 'call'" in bench.run(passed=1, failed=1).lower()


# --- golden files ------------------------------------------------------------------------------------------


def test_a_missing_golden_is_a_failure_that_says_how_to_make_it(bench: Bench) -> None:
    (bench.pytester.path / "goldens" / "test_agents.test_a.json").unlink()
    report = failures(bench.run(passed=1, failed=1))
    assert "has no golden" in report and 'then run: pytest "test_agents.py::test_a" --mosaic-update' in report
    assert not (bench.pytester.path / "goldens" / "test_agents.test_a.json").exists()


def test_the_content_of_a_golden(bench: Bench) -> None:
    golden = bench.golden("test_agents.test_b")
    run = golden["runs"]["run"]
    assert golden["format"] == "mosaic-golden/1" and golden["test"] == "test_agents.py::test_b"
    assert golden["mosaic_env"] and run["match"] == "calls" and run["episode"]["env_id"] == "InterLV-L1-v0"
    assert run["circumstances"]["tools"]["local_text_search"] == 1
    assert run["circumstances"]["world"] == run["episode"]["world"]
    assert run["circumstances"]["config"]["interactions"] == 3
    assert [exchange["step"] for exchange in golden["exchanges"]] == [1, 2]
    text = json.dumps(golden)
    assert (
        "crimson" not in text
        and str(bench.pytester.path) not in text
        and "snapshot" not in run["circumstances"]["asked"]["options"]
    )


def test_updating_twice_writes_the_same_bytes(bench: Bench) -> None:
    files = sorted((bench.pytester.path / "goldens").iterdir())
    before = [file.read_bytes() for file in files]
    bench.run("--mosaic-update", passed=2)
    assert [file.read_bytes() for file in files] == before and len(files) == 2


def test_a_failing_test_writes_no_golden(bench: Bench) -> None:
    before = bench.golden("test_agents.test_a")
    bench.change(
        "test_agents.py",
        "agent_a.agent, **HERE).check_golden()",
        "agent_a.agent, **HERE).check_golden(); assert 0",
    )
    bench.change("agent_a.py", "results[0]", "results[-1]")
    bench.run("--mosaic-update", passed=1, failed=1)
    assert bench.golden("test_agents.test_a") == before


@pytest.mark.parametrize("damage", ["cut", "flip", "format", "json", "field"])
def test_a_damaged_golden_is_one_clear_error(bench: Bench, damage: str) -> None:
    path = bench.pytester.path / "goldens" / "test_agents.test_a.json"
    text = path.read_text("ascii")
    changed = {
        "cut": text[:-200],
        "flip": text.replace("Gold Cobra", "Cold Gobra"),
        "format": text.replace("mosaic-golden/1", "mosaic-golden/9"),
        "json": "<<<<<<< ours\n" + text,
        "field": _only_digest("test_agents.py::test_a"),
    }[damage]  # fmt: skip
    assert changed != text
    path.write_text(changed, "ascii")
    report = failures(bench.run(passed=1, errors=1))
    assert (
        "the golden test_agents.test_a.json cannot be used" in report.lower() and "[ME-GOLDEN-01]" in report
    )
    assert "--mosaic-update" in report
    bench.run("--mosaic-update", passed=2)
    bench.run(passed=2)


def _only_digest(test: str) -> str:
    """Return a golden that has nothing but the right digest."""
    content = {"format": "mosaic-golden/1", "test": test}
    return json.dumps({**content, "digest": digest(content)})


def test_a_golden_of_another_test_is_refused(bench: Bench) -> None:
    folder = bench.pytester.path / "goldens"
    (folder / "test_agents.test_a.json").write_bytes((folder / "test_agents.test_b.json").read_bytes())
    assert "[ME-GOLDEN-02]" in bench.run(passed=1, errors=1)


def test_names_of_tests_are_safe_file_names(bench: Bench) -> None:
    bench.write(
        "test_agents.py",
        "import os, pytest\nfrom agent_a import agent\n"
        "@pytest.mark.parametrize('x', ['a/b', 'a_b', '../../up', 'ä', 'y' * 300, 'NUL\\0'])\n"
        "class TestIt:\n"
        "    def test_x(self, mosaic, x):\n"
        "        run = mosaic.play(agent, env='InterLV-L1-v0', snapshot=os.environ['TINY'], task='tiny/1')\n"
        "        run.check_golden('one'); run.check_golden('two')\n",
    )
    bench.run("--mosaic-update", passed=6)
    bench.run(passed=6)
    names = [file.name for file in (bench.pytester.path / "goldens").iterdir()]
    assert len(names) == 2 + 6 and all(len(name) < 140 and name.isascii() for name in names)
    assert sorted(path.name for path in bench.pytester.path.parent.glob("*.json")) == []


def test_two_goldens_of_one_name_are_refused(bench: Bench) -> None:
    bench.change(
        "test_agents.py",
        "agent_a.agent, **HERE).check_golden()",
        "agent_a.agent, **HERE).check_golden()\n    mosaic.play(agent_a.agent, **HERE).check_golden()",
    )
    assert "twice with the name 'run'" in bench.run(passed=1, failed=1)


def test_xdist_writes_and_reads_the_same(bench: Bench) -> None:
    pytest.importorskip("xdist")
    before = bench.golden("test_agents.test_b")
    for arguments in (["--mosaic-update"], []):
        command = [
            sys.executable,
            "-m",
            "pytest",
            *plugin(),
            "-p",
            "no:cacheprovider",
            "-n",
            "2",
            "-q",
            *arguments,
        ]
        done = subprocess.run(
            command, cwd=bench.pytester.path, env=subprocess_environment(), capture_output=True, text=True
        )
        assert done.returncode == 0 and "2 passed" in done.stdout, done.stdout
    assert bench.golden("test_agents.test_b") == before


# --- loading -------------------------------------------------------------------------------------------------


def test_loading_the_plugin_imports_nothing_but_pytest() -> None:
    """Beside what ``import mosaic_env`` itself loads."""
    code = (
        "import sys, pytest, mosaic_env; before = set(sys.modules)\n"
        "import mosaic_env.testing, mosaic_env.testing.plugin\n"
        "print(sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['mosaic_env.testing', 'mosaic_env.testing.plugin']"


def test_options_are_checked(bench: Bench) -> None:
    done = bench.pytester.runpytest_inprocess(*plugin(), "--mosaic-trials", "0")
    assert done.ret == pytest.ExitCode.USAGE_ERROR and "--mosaic-trials" in done.stderr.str()
