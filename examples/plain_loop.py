"""Play episodes one after another: the smallest loop there is.

python examples/plain_loop.py
"""

import gymnasium as gym

import mosaic_env  # noqa: F401 - registers the environments


def policy(observation: dict, info: dict) -> str:
    """Stand in for a model: search for the question's last words, then guess."""
    if info["phase"] == "memory":
        return "- searched once"
    if info["interaction"] == 0:
        words = observation["text"].splitlines()[0].split()
        return f"<query>{' '.join(words[-6:])}</query>"
    return "<done>red</done>"


def main() -> None:
    """Play ten episodes of the training split."""
    env = gym.make("InterLV-L1-v0", split="train")
    observation, info = env.reset(seed=0)
    total = 0.0
    for _ in range(10):
        ended = False
        while not ended:
            observation, reward, terminated, truncated, info = env.step(policy(observation, info))
            total += float(reward)
            ended = terminated or truncated
        print(f"{info['task']}: answered {info['answer']!r}, judged {info['verdict'] or 'not at all'}")
        observation, info = env.reset()
    print(f"{total:g} of 10 right")


if __name__ == "__main__":
    main()
