"""OpenEnv#1102 (and PR#1078): ``reset(seed=1234)`` gave another task each time; seeding then stole others' draws."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np

import mosaic_env  # noqa: F401

TASKS = "tests.envs.toy:toy-hundred"
CODE = (
    "import sys, gymnasium as gym, mosaic_env\n"
    "env = gym.make('InterLV-L1-v0', snapshot=sys.argv[1], tasks='tests.envs.toy:toy-hundred')\n"
    "print(*[env.reset(seed=1234)[1]['task']] + [env.reset()[1]['task'] for _ in range(4)])\n"
)


def make(tiny: Path) -> Any:
    return gym.make("InterLV-L1-v0", snapshot=str(tiny), tasks=TASKS)


def test_the_same_seed_is_the_same_task(tiny: Path) -> None:
    one, other = make(tiny), make(tiny)
    assert len({env.reset(seed=1234)[1]["task"] for env in (one, other) for _ in range(6)}) == 1
    assert len({one.reset(seed=999)[1]["task"] for _ in range(3)}) == 1
    assert len({one.reset()[1]["task"] for _ in range(12)}) > 3  # without a seed they vary
    assert len({make(tiny).reset()[1]["task"] for _ in range(12)}) > 3


def test_and_so_is_what_follows_in_every_process(tiny: Path) -> None:
    env = make(tiny)
    here = [env.reset(seed=1234)[1]["task"], *(env.reset()[1]["task"] for _ in range(4))]
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(tiny)], cwd=root, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == here


def test_other_threads_change_nothing(tiny: Path) -> None:
    quiet = make(tiny)
    alone = [quiet.reset(seed=7)[1]["task"], *(quiet.reset()[1]["task"] for _ in range(30))]
    stop = threading.Event()

    def noise() -> None:
        noisy = make(tiny)
        while not stop.is_set():
            noisy.reset()
            random.random()
            np.random.random()

    thread = threading.Thread(target=noise)
    thread.start()
    try:
        env = make(tiny)
        beside = [env.reset(seed=7)[1]["task"], *(env.reset()[1]["task"] for _ in range(30))]
    finally:
        stop.set()
        thread.join()
    assert beside == alone


def test_no_global_generator_is_touched(tiny: Path) -> None:
    random.seed(1)
    np.random.seed(1)
    before = random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[index,union-attr]
    env = make(tiny)
    env.reset(seed=5)
    env.step("<query>Velden</query><code>import random\nrandom.random()</code>")
    env.reset()
    after = random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[index,union-attr]
    assert before == after
