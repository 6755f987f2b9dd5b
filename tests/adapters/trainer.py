"""A real ``GRPOTrainer`` with a tiny model, whose generation is free or forced token by token."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from mosaic_env.adapters.shared import make_env
from mosaic_env.adapters.trl import environment_factory
from mosaic_env.core.types import Answer
from mosaic_env.envs.actions import format_answer, format_call, parse
from mosaic_env.envs.episode import Episode
from mosaic_env.envs.messages import step_messages
from tests.adapters.scripts import ENV_ID, OPTIONS, Script, play_plain

HEADER = "<|im_start|>assistant\n"


def native(text: str) -> str:
    """Return a text of a script as a model with native tool calls writes it."""
    (item,) = parse(text, default_tool="local_text_search").items
    if isinstance(item, Answer):
        return format_call("answer", {"text": item.text}, format="hermes")
    return text


class Forced:
    """Makes ``generate`` write scripts: the real ``generate`` runs, pictures and all, and a mask chooses the token.

    Which script a row follows is read off the row itself: its question, and the turns written so far.
    """

    def __init__(self, tokenizer: Any, by_question: dict[str, list[Script]]) -> None:
        self._tokenizer, self._by_question = tokenizer, by_question
        self._begun: Counter[str] = Counter()
        self.turns: list[list[int]] = []  # the tokens of every turn, in the order generated
        self.pictures = 0  # pictures that generate was given

    def wrap(self, model: Any) -> None:
        import torch
        from transformers import LogitsProcessorList

        real = model.generate

        def generate(**inputs: Any) -> Any:
            ids = inputs["input_ids"]
            wanted = [self._next(self._tokenizer.decode(row)) for row in ids.tolist()]
            self.turns += wanted
            self.pictures += len(inputs.get("image_grid_thw", ()))
            end, start = self._tokenizer.eos_token_id, ids.shape[1]

            def force(so_far: Any, scores: Any) -> Any:
                at = so_far.shape[1] - start
                chosen = [turn[at] if at < len(turn) else end for turn in wanted]
                masked = torch.full_like(scores, float("-inf"))
                masked[torch.arange(len(chosen)), torch.tensor(chosen)] = 0.0
                return masked

            return real(**inputs, logits_processor=LogitsProcessorList([force]))

        model.generate = generate

    def _next(self, text: str) -> list[int]:
        question = next(q for q in self._by_question if q in text)
        scripts = self._by_question[question]
        written = [part.split("<|im_end|>")[0] for part in text.split(HEADER)[1:-1]]
        if written:
            script = next(s for s in scripts if [*map(native, s.texts)][: len(written)] == written)
        else:
            script = scripts[self._begun[question] % len(scripts)]
            self._begun[question] += 1
        turns = [*map(native, script.texts), ""]  # after an answer TRL lets the model write once more
        ids: list[int] = self._tokenizer.encode(turns[len(written)], add_special_tokens=False)
        return [*ids, self._tokenizer.eos_token_id]


@dataclass
class Seen:
    """What the trainer made of one rollout."""

    episode: Episode
    reward: float
    ids: list[int]
    mask: list[int]
    pictures: int

    def spans(self) -> list[list[int]]:
        """Return the runs of tokens that are trained on."""
        runs: list[list[int]] = []
        before = 0
        for ident, own in zip(self.ids, self.mask, strict=True):
            if own and not before:
                runs.append([])
            if own:
                runs[-1].append(ident)
            before = own
        return runs


@dataclass
class Run:
    """A training run."""

    rollouts: list[Seen] = field(default_factory=list)
    logs: list[dict[str, Any]] = field(default_factory=list)
    changed: bool = False
    tokenizer: Any = None
    forced: Forced | None = None
    losses_with_pictures: int = 0


def questions_of(scripts: Sequence[Script]) -> dict[str, str]:
    """Return the question of each task."""
    source = make_env(ENV_ID, OPTIONS).setup.source
    return {script.key: source.get(script.key)[0].question for script in scripts}


def train(
    folder: str,
    scripts: Sequence[Script],
    *,
    force: bool,
    steps: int = 5,
    tokens: int = 6000,
) -> Run:  # fmt: skip
    """Train for some steps on the tasks of scripts, two tasks a step, two rollouts a task."""
    os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")
    import torch
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    from examples.tiny_vlm import make_model, make_processor, make_tokenizer
    from mosaic_env.adapters.export import rows

    torch.set_num_threads(2)
    env = make_env(ENV_ID, OPTIONS)
    run = Run()
    keys = list(dict.fromkeys(script.key for script in scripts))
    tokenizer = make_tokenizer([env.prompt(), json.dumps(env.tool_schemas())])
    model = make_model(tokenizer)
    run.tokenizer = tokenizer
    if force:
        questions = questions_of(scripts)
        by_question = {questions[key]: [s for s in scripts if s.key == key] for key in keys}
        run.forced = Forced(tokenizer, by_question)
        run.forced.wrap(model)

    class Trainer(GRPOTrainer):  # type: ignore[misc]
        """Notes what is trained on; changes nothing."""

        def _generate_and_score_completions(self, inputs: Any) -> Any:
            output = super()._generate_and_score_completions(inputs)
            counts = output.get("num_images") or [0] * len(self.environments)
            run.losses_with_pictures += "pixel_values" in output
            for number, rollout in enumerate(self.environments):
                real = output["completion_mask"][number].bool()
                run.rollouts.append(
                    Seen(
                        rollout.episode, rollout.get_reward(), output["completion_ids"][number][real].tolist(),
                        output["tool_mask"][number][real].tolist(), int(counts[number]),
                    )
                )  # fmt: skip
            return output

    before = {name: value.detach().clone() for name, value in model.named_parameters()}
    trainer = Trainer(
        model=model,
        processing_class=make_processor(tokenizer),
        train_dataset=Dataset.from_list(list(rows("trl", ENV_ID, env, OPTIONS, keys))),
        environment_factory=environment_factory(ENV_ID, **OPTIONS),
        args=GRPOConfig(
            output_dir=folder, max_steps=steps, num_generations=2, per_device_train_batch_size=4, seed=0,
            max_completion_length=tokens, max_tool_calling_iterations=8, shuffle_dataset=False, logging_steps=1,
            save_strategy="no", report_to=[], bf16=False, use_cpu=True, disable_tqdm=True, learning_rate=1e-3,
        ),
    )  # fmt: skip
    trainer.train()
    run.logs = [log for log in trainer.state.log_history if "reward" in log]
    run.changed = any(not torch.equal(before[n], v) for n, v in model.named_parameters())
    return run


def second_script(script: Script) -> Script:
    """Return a wrong answer at once as another way to play the task; itself when it is that already."""
    if script.texts[0].startswith("<done>"):
        return script
    return Script(script.key, (format_answer("a wrong answer"),))


def plain_scripts(run: Run, scripts: Sequence[Script]) -> list[Script]:
    """Return the script of each rollout: the one whose texts its episode recorded."""
    written = [(s.episode.task.key, tuple(step.action for step in s.episode.steps)) for s in run.rollouts]
    return [next(s for s in scripts if (s.key, s.texts) == each) for each in written]


def assert_episodes_are_those_of_plain_steps(run: Run, scripts: Sequence[Script]) -> None:
    for seen, script in zip(run.rollouts, plain_scripts(run, scripts), strict=True):
        plain = play_plain(script)
        assert (seen.episode.digest, seen.reward) == (plain.digest, plain.reward), script
    digests = {seen.episode.digest for seen in run.rollouts}
    assert digests == {play_plain(script).digest for script in scripts}


def assert_rewards_are_the_environments(run: Run) -> None:
    for number, log in enumerate(run.logs):
        rewards = [seen.reward for seen in run.rollouts[4 * number : 4 * number + 4]]
        assert abs(float(log["reward"]) - sum(rewards) / 4) < 1e-6
    assert run.changed and any(float(log["grad_norm"]) > 0 for log in run.logs)


def assert_mask_is_the_models_own_text(run: Run) -> None:
    """Token by token what ``generate`` returned; text by text the trainable messages of the episode."""
    tokenizer, end = run.tokenizer, run.tokenizer.eos_token
    assert run.forced is not None
    assert sorted(span for seen in run.rollouts for span in seen.spans()) == sorted(run.forced.turns)
    for seen in run.rollouts:
        trainable = [m for step in seen.episode.steps for m in step_messages(step) if m["trainable"]]
        own = ["".join(part["text"] for part in message["content"]) for message in trainable]
        # The answer is written as a call of its tool, and TRL lets the model write once more after a result.
        assert [tokenizer.decode(span) for span in seen.spans()] == [*(native(t) + end for t in own), end]
        shown = tokenizer.decode([ident for ident, mine in zip(seen.ids, seen.mask, strict=True) if not mine])
        assert all(step.observation.text.split("\n")[0] in shown for step in seen.episode.steps)


def assert_pictures_are_in_the_context(run: Run) -> None:
    """Every picture of an episode is given to generation and to the loss."""
    for seen in run.rollouts:
        parts = (seen.episode.first, *(step.observation for step in seen.episode.steps))
        assert seen.pictures == sum(len(part.shown) for part in parts)
    assert sum(seen.pictures for seen in run.rollouts) > 20
    assert run.losses_with_pictures == len(run.logs)
    assert run.forced is not None and run.forced.pictures > 40
