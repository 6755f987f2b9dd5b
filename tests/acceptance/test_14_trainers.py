"""Models, judge, evaluation and trainers: the lines of the issue "Agents"."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]

# --- trainers -----------------------------------------------------------------------------------------
# verl's agent loop is driven further in tests/adapters/test_verl.py. What was not run is said in docs/train.md.


def test_adapters_are_under_150_lines_each() -> None:
    for name in ("trl.py", "verl.py", "shared.py", "export.py"):
        lines = (ROOT / "mosaic_env" / "adapters" / name).read_text("utf-8").count("\n")
        print(f"adapters/{name}: {lines} lines")
        assert lines < 150


def test_ten_scripted_episodes_have_one_digest_everywhere() -> None:
    """Over plain, vector and TRL here; over verl too where it is installed."""
    from mosaic_env.adapters.trl import environment_factory
    from tests.adapters.scripts import ENV_ID, OPTIONS, play_plain, play_vector, ten_scripts, tool_call

    scripts = ten_scripts()
    plain = [play_plain(script).digest for script in scripts]
    assert [episode.digest for episode in play_vector(scripts)] == plain
    rollout: Any = environment_factory(ENV_ID, **OPTIONS)()
    through_trl = []
    for script in scripts:
        rollout.reset(task_id=script.key)
        for name, arguments in map(tool_call, script.texts):
            getattr(rollout, name)(**arguments)
        through_trl.append(rollout.episode.digest)
    assert through_trl == plain and len(set(plain)) == 10


@pytest.mark.slow
@pytest.mark.trl
@pytest.mark.filterwarnings("default")  # warnings of torch, transformers and TRL are theirs
def test_five_steps_of_grpo_on_a_cpu(tmp_path: Path) -> None:
    """A real trainer, a tiny Qwen3-VL of random weights, ten tasks, two rollouts a task.

    Random weights write no calls, so ``generate`` (the real one, pictures included) is made to choose the tokens
    of scripts; prompts, parsing, tools, masks, rewards, loss and optimiser are TRL's and untouched.
    """
    pytest.importorskip("trl", reason="needs the extra 'trl'")
    from tests.adapters import trainer
    from tests.adapters.scripts import ten_scripts

    scripts = [way for script in ten_scripts() for way in (script, trainer.second_script(script))]
    run = trainer.train(str(tmp_path), scripts, force=True)
    assert len(run.logs) == 5 and len(run.rollouts) == 20
    trainer.assert_episodes_are_those_of_plain_steps(run, scripts)
    trainer.assert_rewards_are_the_environments(run)
    trainer.assert_mask_is_the_models_own_text(run)
    trainer.assert_pictures_are_in_the_context(run)


@pytest.mark.slow
@pytest.mark.verl
@pytest.mark.filterwarnings("default")  # warnings of ray, torch and verl are theirs
def test_ten_scripted_episodes_have_one_digest_in_verl_too() -> None:
    pytest.importorskip("verl", reason="needs the extra 'verl'")
    from tests.adapters.scripts import play_plain, ten_scripts
    from tests.adapters.verl_loop import make_tools, play

    tools = make_tools()
    for script in ten_scripts():
        room = {} if script.ended else {"response_length": 200}  # the one that stops writing is stopped
        output, _ = play(*tools, script, **room)
        assert output.extra_fields["episode_digest"] == play_plain(script).digest
