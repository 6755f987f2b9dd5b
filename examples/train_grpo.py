"""Train with GRPO: TRL's trainer on tasks of the training split (needs the extra ``trl``).

    python examples/train_grpo.py                        a tiny random model, five steps on a CPU
    python examples/train_grpo.py --model Qwen/Qwen3-VL-2B-Instruct --steps 500    a real one

The tiny model writes noise, so its rewards are 0: the run shows that everything fits together.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile

import gymnasium as gym
from tiny_vlm import make_model, make_processor, make_tokenizer

from mosaic_env.adapters.export import rows
from mosaic_env.adapters.trl import environment_factory

try:
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer
except ImportError as error:
    sys.exit(f"{error}. This needs the extra trl: pip install '.[trl]' in the folder of mosaic_env")


def main() -> None:
    """Train, and print the reward of every step."""
    parser = argparse.ArgumentParser(description="Train with GRPO.")
    parser.add_argument(
        "--model", help="a vision-language model that calls tools (default: a tiny random one)"
    )
    parser.add_argument("--steps", type=int, default=5)
    parser.add_argument("--group", type=int, default=4, help="rollouts of a task")
    parser.add_argument("--tokens", type=int, default=256, help="most tokens of a rollout after the prompt")
    arguments = parser.parse_args()

    options = {"tasks": "generated", "split": "train", "memory": "none", "max_side": 512}
    env = gym.make("InterLV-L1-v0", **options).unwrapped
    keys = list(itertools.islice(env.task_keys, 256))
    data = Dataset.from_list(list(rows("trl", "InterLV-L1-v0", env, options, keys)))

    processor, model = None, arguments.model
    if model is None:
        tokenizer = make_tokenizer([env.prompt(), str(env.tool_schemas())])
        processor, model = make_processor(tokenizer), make_model(tokenizer)
    with tempfile.TemporaryDirectory() as folder:
        trainer = GRPOTrainer(
            model=model,
            processing_class=processor,
            train_dataset=data,
            environment_factory=environment_factory("InterLV-L1-v0", **options),
            args=GRPOConfig(
                output_dir=folder, max_steps=arguments.steps, num_generations=arguments.group,
                per_device_train_batch_size=arguments.group, max_completion_length=arguments.tokens,
                max_tool_calling_iterations=8, logging_steps=1, save_strategy="no", report_to=[], bf16=False,
                use_cpu=arguments.model is None, disable_tqdm=True,
            ),
        )  # fmt: skip
        trainer.train()
    for log in trainer.state.log_history:
        if "reward" in log:
            print(
                f"step {log['step']}: reward {log['reward']:.3f}, tool calls {log['tools/call_frequency']:.2f}"
            )


if __name__ == "__main__":
    main()
