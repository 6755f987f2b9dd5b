"""A learner that learns: policy gradient on generated Level 1 tasks, from reward alone, with NumPy alone.

python examples/learner.py --seed 1 --seconds 900 --out learner-1.json
python examples/learner.py --seed 1 --seconds 900 --out blind-1.json --blind
python examples/learner_plot.py learner-*.json blind-*.json --json docs/learner.json --svg docs/pictures/learner.svg

One update: eight tasks, eight walks of each (search, look, search again), and each walk is forked into four answers.
A walk is worth what its answers earn on average, less what the other walks of its task are worth; an answer what it
earns, less what the other answers of its walk earn. ``learner_actions`` has the actions, ``learner_policy`` the
weights. The curve is greedy play on tasks of the split ``test``; nothing is chosen by it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
from learner_actions import ANSWERS, LAST, Sight, read_question
from learner_policy import Choice, Policy

import mosaic_env  # noqa: F401 - registers the environments

TASKS, WALKS, FORKS = 8, 8, 4
#: One relation away from a name. The split test of the bundled world has five times as many targets at this difficulty
#: as at the default one, whose 500 tasks would ask about ten pictures.
DIFFICULTY = (1, 1)
#: Weight of ``hop_progress``, the environment's potential-based shaping: it tells searches apart before any
#: answer is right. Accuracy never counts it.
SHAPING = 0.3
#: Walks between two points of the curve.
EVERY = 8192
Pick = Callable[[Any], int]


def make(split: str, walks: int, forks: int, group: int = 1) -> Any:
    """Return a vector environment in which slots 0, ``forks``, 2 ``forks``, … walk and the others answer."""
    return gym.make_vec(
        "InterLV-L1-v0", num_envs=walks * forks, group_size=group * forks, tasks="generated", split=split,
        difficulty=DIFFICULTY, autoreset_mode="Disabled", reward={"outcome": 1.0, "hop_progress": SHAPING},
    )  # fmt: skip


@dataclass
class Walk:
    """One walk: its decisions with the rewards of their steps, then its answers with their values and outcomes."""

    sight: Sight
    choices: list[Choice] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    answers: list[Choice] = field(default_factory=list)
    values: list[str] = field(default_factory=list)
    outcomes: Any = None

    def decide(self, policy: Policy, pick: Pick) -> dict[str, Any] | None:
        """Return the next call, or None when it is time to answer."""
        if self.sight.step > LAST:
            return None
        actions = self.sight.actions()
        self.choices.append(policy.walk(actions, pick))
        action = actions[self.choices[-1].chosen]
        self.sight.chose(action)
        return action.call

    @property
    def worth(self) -> list[float]:
        """What each decision earned from then on: the rewards of the steps that follow, and the mean outcome."""
        steps = [*self.rewards, *[0.0] * (len(self.choices) - len(self.rewards))]
        later = np.cumsum(steps[::-1])[::-1] + float(self.outcomes.mean())
        return [float(value) for value in later]


def play(envs: Any, observations: Any, policy: Policy, pick: Pick, forks: int) -> list[Walk]:
    """Play one episode in every walking slot; fork each into its answers."""
    questions = [text.splitlines()[0].removeprefix("Question: ") for text in observations["text"][::forks]]
    walks = [Walk(Sight(read_question(question))) for question in questions]
    running = dict(zip(range(0, envs.num_envs, forks), walks, strict=True))  # by slot
    while running:
        actions: list[Any] = [None] * envs.num_envs
        for slot, walk in running.items():
            actions[slot] = walk.decide(policy, pick)
            if actions[slot] is None:
                walk.answers = policy.answers(walk.sight.question, walk.sight.picture, pick, forks)
                # An answer that was drawn twice is judged once.
                walk.values = [ANSWERS[answer.chosen][1] for answer in walk.answers]
                different = list(dict.fromkeys(walk.values))
                envs.fork_into(slot, range(slot + 1, slot + len(different)))
                actions[slot : slot + len(different)] = [f"<done>{value}</done>" for value in different]
        observations, rewards, *_ = envs.step(actions)
        for slot, walk in list(running.items()):
            if walk.answers:
                judged = dict(zip(dict.fromkeys(walk.values), rewards[slot : slot + forks], strict=False))
                walk.outcomes = np.array([judged[value] for value in walk.values])
                del running[slot]
            else:
                walk.rewards.append(float(rewards[slot]))
                walk.sight.look(*(observations[key][slot] for key in ("text", "images", "image_ids")))
    return walks


def credit(walks: Sequence[Walk]) -> list[tuple[Choice, float]]:
    """Return every decision with its advantage: better or worse than the other ones at the same place."""
    pairs: list[tuple[Choice, float]] = []
    for first in range(0, len(walks), WALKS):
        group = walks[first : first + WALKS]
        for step in range(LAST + 1):
            there = [walk for walk in group if len(walk.choices) > step]
            pairs += over_others([walk.choices[step] for walk in there], [walk.worth[step] for walk in there])
    for walk in walks:
        pairs += over_others(walk.answers, walk.outcomes)
    return pairs


def over_others(choices: list[Choice], earned: Any) -> list[tuple[Choice, float]]:
    """Return choices with what each earned, less the mean of the others."""
    if len(choices) < 2:
        return []
    values = np.asarray(earned, np.float64)
    advantages = (values - values.mean()) * len(values) / (len(values) - 1)
    return list(zip(choices, advantages.tolist(), strict=True))


class HeldOut:
    """Accuracy on tasks of the split ``test``: always the same ones.

    Args:
        tasks: How many.
    """

    def __init__(self, tasks: int) -> None:
        self._envs = make("test", tasks, 1)

    def accuracy(self, policy: Policy, pick: Pick = lambda chances: int(np.argmax(chances))) -> float:
        """Return the share of right answers; greedy unless another ``pick`` is given."""
        observations, _ = self._envs.reset(seed=2024)
        walks = play(self._envs, observations, policy, pick, 1)
        return float(np.mean([walk.outcomes[0] for walk in walks]))


def sampler(seed: int) -> Pick:
    """Return what draws a choice by its chances."""
    rng = np.random.default_rng(seed)
    return lambda chances: int(min(np.searchsorted(np.cumsum(chances), rng.random()), len(chances) - 1))


def uniform(seed: int) -> Pick:
    """Return what draws a choice whatever its chances."""
    rng = np.random.default_rng(seed)
    return lambda chances: int(rng.integers(len(chances)))


def train(
    seed: int, blind: bool, seconds: float, episodes: float, held_out: HeldOut
) -> tuple[Policy, list[tuple[int, float, float]]]:
    """Train until the seconds or the episodes are over.

    Returns: The policy, and the curve: episodes, share of right answers in training since the last point (sampled),
        and on held-out tasks (greedy).

    Determinism: a pure function of the seed when ``episodes`` ends it (on one machine: NumPy's products round
    differently on others).
    """
    policy, pick = Policy(blind), sampler(seed)
    envs = make("train", TASKS * WALKS, FORKS, WALKS)
    observations, _ = envs.reset(seed=1_000_000 * (seed + 1))
    envs.step(["<done></done>"] * envs.num_envs)  # rests the slots that answer until they are forked into
    walking = {"reset_mask": np.arange(envs.num_envs) % FORKS == 0}
    begun, played, right = time.monotonic(), 0, []
    curve = [(0, 0.0, held_out.accuracy(policy))]
    while (passed := max((time.monotonic() - begun) / seconds, played / episodes)) < 1:
        observations, _ = envs.reset(options=walking)
        walks = play(envs, observations, policy, pick, FORKS)
        policy.learn(credit(walks), 1 - 0.9 * passed)
        played += len(walks)
        right.append(float(np.mean([walk.outcomes.mean() for walk in walks])))
        if played % EVERY < len(walks):
            curve.append((played, float(np.mean(right)), held_out.accuracy(policy)))
            right = []
            print(f"{played:7,} episodes, {time.monotonic() - begun:4.0f} s: train {curve[-1][1]:.3f}, "
                  f"held out {curve[-1][2]:.3f}", flush=True)  # fmt: skip
    if played > curve[-1][0]:
        curve.append((played, float(np.mean(right)), held_out.accuracy(policy)))
    return policy, curve


def main() -> None:
    """Train one policy and say what it is worth."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--seconds", type=float, default=float("inf"), help="of training; 900 if nothing ends it"
    )
    parser.add_argument(
        "--episodes", type=float, default=float("inf"), help="walks; ends the same way every time"
    )
    parser.add_argument("--blind", action="store_true", help="the copy that does not see pictures")
    parser.add_argument(
        "--tasks", type=int, default=500, help="held-out tasks; fewer are quicker to measure on"
    )
    parser.add_argument("--out", type=Path, help="a JSON file for learner_plot.py")
    asked = parser.parse_args()
    if asked.seconds == asked.episodes == float("inf"):
        asked.seconds = 900.0
    until = f"{asked.seconds:,.0f} s" if asked.episodes == float("inf") else f"{asked.episodes:,.0f} episodes"
    print(
        f"first {asked.tasks:,} held-out tasks are composed and played untrained (about ten seconds for 500), "
        f"then training takes {until}: a line every {EVERY:,} episodes", flush=True,
    )  # fmt: skip
    held_out, begun, worked = HeldOut(asked.tasks), time.monotonic(), time.process_time()
    policy, curve = train(asked.seed, asked.blind, asked.seconds, asked.episodes, held_out)
    taken, worked = time.monotonic() - begun, time.process_time() - worked
    record = {
        "seed": asked.seed,
        "blind": asked.blind,
        "seconds": round(taken),
        "cpu_seconds": round(worked),
        "tasks": asked.tasks,
        "held_out": held_out.accuracy(policy),
        "random": held_out.accuracy(policy, uniform(asked.seed)),
        "curve": curve,
    }
    print(
        f"held out: {record['held_out']:.3f}; random actions: {record['random']:.3f}; "
        f"{taken:.0f} s, {worked:.0f} s of processor"
    )
    if asked.out is not None:
        asked.out.write_text(json.dumps(record) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
