"""Many episodes at once, eight for each task, and forks from the middle of one: what GRPO needs.

python examples/vector_groups.py
"""

import time

import gymnasium as gym
import numpy as np

import mosaic_env  # noqa: F401 - registers the environments

SEED = 431  # four tasks whose answers are among the guesses
GUESSES = ["red", "blue", "green", "yellow", "black", "white", "two", "three"]


def main() -> None:
    """Search in all episodes at once, answer in groups, then fork one."""
    envs = gym.make_vec("InterLV-L1-v0", num_envs=32, group_size=len(GUESSES), split="train")
    observations, _ = envs.reset(seed=SEED)
    questions = [text.splitlines()[0].removeprefix("Question: ") for text in observations["text"]]
    searches = [f"<query>{question}</query>" for question in questions]
    envs.step(searches)  # the index loads when it is first used
    start = time.perf_counter()
    envs.step(searches)
    print(f"{envs.num_envs} searches in {1000 * (time.perf_counter() - start):.1f} ms")

    _, rewards, *_ = envs.step([f"<done>{guess}</done>" for guess in GUESSES * 4])
    groups = rewards.reshape(-1, len(GUESSES))
    advantages = groups - groups.mean(axis=1, keepdims=True)
    print(
        "rewards by group:",
        groups.sum(axis=1).tolist(),
        "largest advantage:",
        float(np.abs(advantages).max()),
    )

    env = gym.make("InterLV-L1-v0", split="train").unwrapped
    env.reset(seed=SEED)
    env.step(f"<query>{questions[0]}</query>")
    branches = env.fork(len(GUESSES))  # they share the world; each copies only its episode
    outcomes = {
        guess: fork.step(f"<done>{guess}</done>")[1] for guess, fork in zip(GUESSES, branches, strict=True)
    }
    print("from one state:", outcomes)


if __name__ == "__main__":
    main()
