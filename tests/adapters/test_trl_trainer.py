"""The TRL adapter in a real ``GRPOTrainer``, with a tiny Qwen3-VL of random weights on a CPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mosaic_env.adapters.shared import make_env
from mosaic_env.envs.messages import step_messages
from tests.adapters.scripts import ENV_ID, OPTIONS, Script, play_plain, ten_scripts
from tests.adapters.trainer import Run, native, second_script, train

pytest.importorskip("trl", reason="needs the extra 'trl'")
pytestmark = [
    pytest.mark.trl,
    pytest.mark.slow,
    pytest.mark.filterwarnings("default"),  # warnings of torch, transformers and TRL are theirs
]


@pytest.fixture(scope="module")
def scripts() -> list[Script]:
    return [way for script in ten_scripts() for way in (script, second_script(script))]


@pytest.fixture(scope="module")
def questions(scripts: list[Script]) -> dict[str, str]:
    source = make_env(ENV_ID, OPTIONS).setup.source
    return {script.key: source.get(script.key)[0].question for script in scripts}


@pytest.fixture(scope="module")
def forced(scripts: list[Script], questions: dict[str, str], tmp_path_factory: Any) -> Run:
    """Five steps in which the model is made to write the scripts."""
    return train(str(tmp_path_factory.mktemp("forced")), scripts, questions, force=True)


def script_of(episode: Any, scripts: list[Script]) -> Script:
    written = tuple(step.action for step in episode.steps)
    return next(s for s in scripts if s.key == episode.task.key and s.texts == written)


def test_the_episodes_are_those_of_plain_steps(forced: Run, scripts: list[Script]) -> None:
    assert len(forced.logs) == 5 and len(forced.rollouts) == 20
    for seen in forced.rollouts:
        plain = play_plain(script_of(seen.episode, scripts))
        assert seen.episode.digest == plain.digest
        assert seen.reward == plain.reward
    digests = {seen.episode.digest for seen in forced.rollouts}
    assert digests == {play_plain(script).digest for script in scripts} and len(digests) == 19


def test_the_reward_is_the_environments_and_it_teaches(forced: Run) -> None:
    for number, log in enumerate(forced.logs):
        rewards = [seen.reward for seen in forced.rollouts[4 * number : 4 * number + 4]]
        assert float(log["reward"]) == pytest.approx(sum(rewards) / 4)
    assert forced.changed and any(float(log["grad_norm"]) > 0 for log in forced.logs)


def test_the_mask_is_the_models_own_text(forced: Run, scripts: list[Script]) -> None:
    """Token by token what ``generate`` returned; text by text the trainable messages of the episode."""
    tokenizer, end = forced.tokenizer, forced.tokenizer.eos_token
    generated = sorted(forced.forced.turns) if forced.forced else []
    assert sorted(span for seen in forced.rollouts for span in seen.spans()) == generated
    for seen in forced.rollouts:
        trainable = [m for step in seen.episode.steps for m in step_messages(step) if m["trainable"]]
        own = ["".join(part["text"] for part in message["content"]) for message in trainable]
        # The answer is written as a call of the tool, and TRL lets the model write once more after a result.
        assert [tokenizer.decode(span) for span in seen.spans()] == [
            native(text) + end for text in own
        ] + [end]  # fmt: skip
        masked = [ident for ident, mine in zip(seen.ids, seen.mask, strict=True) if not mine]
        shown = tokenizer.decode(masked)
        assert all(line in shown for s in seen.episode.steps for line in s.observation.text.split("\n")[:1])


def test_the_pictures_are_in_the_context(forced: Run) -> None:
    """Generation and loss get every picture of an episode, and as many placeholder tokens as it has."""
    for seen in forced.rollouts:
        shown = len(seen.episode.first.shown) + sum(len(s.observation.shown) for s in seen.episode.steps)
        assert seen.pictures == shown
    assert sum(seen.pictures for seen in forced.rollouts) > 20
    assert forced.losses_with_pictures == 5
    assert forced.forced is not None and forced.forced.pictures > 40


def test_a_free_model_writes_noise_and_nothing_breaks(
    scripts: list[Script], questions: dict[str, str], tmp_path: Path
) -> None:
    """Nothing is forced: random weights never write a call, so episodes stay as they began, worth 0."""
    run = train(str(tmp_path), scripts[:4], questions, force=False, steps=2, tokens=24)
    assert len(run.rollouts) == 8
    for seen in run.rollouts:
        assert seen.reward == 0.0 and not seen.episode.steps and all(seen.mask)
