"""The sandbox across processes and threads: the same results, no process left, no weaker fallback."""

from __future__ import annotations

import importlib.util
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from mosaic_env.core.errors import SandboxError
from mosaic_env.guard.sandbox import (
    SandboxLimits,
    close_sandbox,
    run_python,
    sandbox_available,
    sandbox_version,
)

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(not sandbox_available(), reason="pydantic-monty is not installed")


# --- the same everywhere --------------------------------------------------------------------------

SAMPLES = [
    "print({3, 'b', 1, 'a'}, {'z': 1, 'y': 2}, hash('a'))\nx = {str(i) for i in range(9)}\nx",
    "import random\n[random.randint(0, 99) for _ in range(9)]",
    "for i in range(10**9): print(i)",
    "x = []\nwhile True: x.append({len(x)})",
    "def f(): pass\nclass A: pass\nprint(f, A(), id(f))",
    "1 / 0",
    "x = (",
]
SMALL = SandboxLimits(max_steps=20_000, max_memory=4 << 20)


def outcomes() -> list[dict[str, object]]:
    return [asdict(run_python(code, limits=SMALL)) for code in SAMPLES]


def test_the_same_in_another_process(tmp_path: Path) -> None:
    program = (
        "import json\nfrom tests.guard.test_sandbox_processes import outcomes\nprint(json.dumps(outcomes()))"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "77", "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    other = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=env, capture_output=True, text=True, check=True
    )
    assert json.loads(other.stdout) == outcomes()


def test_the_same_in_threads() -> None:
    expected = outcomes()
    with ThreadPoolExecutor(4) as threads:
        results = list(threads.map(lambda _: outcomes(), range(4)))
    assert results == [expected] * 4


@pytest.mark.parametrize("code", ["while True: print(1)", "try:\n  while True: print(1)\nexcept: pass"])
def test_the_same_five_times(code: str) -> None:
    results = {run_python(code, limits=SMALL).stdout for _ in range(5)}
    assert len(results) == 1
    assert len(results.pop()) == 8_000


# --- processes ------------------------------------------------------------------------------------


def children(process: int) -> list[int]:
    """The living children of a process, by /proc."""
    found = []
    for status in sorted(Path("/proc").glob("[0-9]*/stat")):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == process and fields[0] != "Z":
            found.append(int(status.parent.name))
    return found


def descendants(process: int, *, least: int) -> list[int]:
    """The children and grandchildren of a process, once there are enough: one may just be replaced."""
    deadline = time.monotonic() + 10
    while True:
        workers = children(process)
        found = workers + [pid for worker in workers for pid in children(worker)]
        if len(found) >= least or time.monotonic() > deadline:
            return found
        time.sleep(0.02)


linux_only = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


def send_sum(n: int, channel: Connection) -> None:
    channel.send(run_python(f"sum(range({n}))").value)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")  # forking with threads is the point
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_started_processes_have_a_sandbox_of_their_own(method: str) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {method} here")
    assert run_python("1").ok
    context = multiprocessing.get_context(method)
    with ThreadPoolExecutor(1) as threads:
        # The fork happens while a thread of the parent waits for the sandbox.
        running = threads.submit(run_python, "for i in range(300000): pass")
        time.sleep(0.02)
        ours, theirs = context.Pipe()
        child = context.Process(target=send_sum, args=(101, theirs))
        child.start()
        assert ours.poll(30)
        assert ours.recv() == "5050"
        child.join(10)
        assert child.exitcode == 0
        assert running.result(30).ok
    assert run_python("2").value == "2"


@linux_only
def test_closing_leaves_no_process() -> None:
    close_sandbox()
    others = set(children(os.getpid()))  # of other tests: a browser, say
    run_python("1")
    workers: list[int] = []
    started = time.monotonic()
    while not workers and time.monotonic() < started + 10:  # an interpreter may just be replaced
        workers = [pid for pid in children(os.getpid()) if pid not in others and children(pid)]
    assert workers
    interpreters = [pid for worker in workers for pid in children(worker)]
    close_sandbox()
    deadline = time.monotonic() + 5
    while any(Path(f"/proc/{pid}").exists() for pid in workers + interpreters):
        assert time.monotonic() < deadline, "a sandbox process is left"
        time.sleep(0.02)
    assert run_python("3").value == "3"


@linux_only
def test_a_killed_host_leaves_no_process() -> None:
    program = (
        "import os, sys\nfrom mosaic_env.guard.sandbox import run_python\nrun_python('1')\n"
        "print('ready', flush=True)\nsys.stdin.read()"
    )
    host = subprocess.Popen(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with host:
        assert host.stdout is not None
        host.stdout.readline()
        family = descendants(host.pid, least=2)
        host.kill()
    assert len(family) >= 2
    deadline = time.monotonic() + 10
    while any(Path(f"/proc/{pid}").exists() for pid in family):
        assert time.monotonic() < deadline, "a sandbox process outlived its host"
        time.sleep(0.05)


@linux_only
def test_a_dead_worker_is_replaced() -> None:
    run_python("1")
    for pid in children(os.getpid()):
        if children(pid):
            os.kill(pid, 9)
    time.sleep(0.1)
    assert run_python("2").value == "2"


@linux_only
def test_a_worker_killed_in_a_run_is_a_crash_and_says_so() -> None:
    run_python("1")
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(run_python, "for i in range(10**6): pass")
        time.sleep(0.1)
        for pid in children(os.getpid()):
            if children(pid):
                os.kill(pid, 9)
        result = running.result(30)
    assert result.error is not None
    assert result.error.code == "crashed"
    assert not result.reproducible


@linux_only
@pytest.mark.parametrize(("when", "cold"), [(0.05, False), (0.03, True)])
def test_an_interrupt_does_not_disturb_the_next_run(when: float, cold: bool) -> None:
    run_python("1")
    if cold:  # the interrupt comes while the worker starts
        close_sandbox()

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, when)
        with pytest.raises(KeyboardInterrupt):
            run_python("while True: pass")
    finally:
        signal.signal(signal.SIGALRM, before)
    assert run_python("2").value == "2"


# --- when there is no sandbox ---------------------------------------------------------------------


def test_without_the_package_there_is_no_fallback(monkeypatch: pytest.MonkeyPatch) -> None:
    close_sandbox()
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert not sandbox_available()
    with pytest.raises(SandboxError, match="ME-SANDBOX-01"):
        run_python("1")
    monkeypatch.undo()
    close_sandbox()
    assert sandbox_available()


@pytest.mark.parametrize("binary", ["/nonexistent/monty", "/bin/false"])
def test_without_a_working_binary_there_is_no_fallback(binary: str, monkeypatch: pytest.MonkeyPatch) -> None:
    close_sandbox()
    monkeypatch.setenv("MONTY_BIN", binary)
    with pytest.raises(SandboxError, match="cannot start"):
        run_python("1")
    assert not sandbox_available()
    monkeypatch.undo()
    close_sandbox()
    assert run_python("1").ok


def test_the_version_names_interpreter_and_counter() -> None:
    assert sandbox_version().startswith("pydantic-monty ")
    assert ", steps " in sandbox_version()
