"""The verl adapter in verl's own agent loop classes; the inference engine is a script."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from mosaic_env.adapters.shared import content, make_env
from mosaic_env.core.errors import TaskError
from mosaic_env.envs.messages import step_messages
from mosaic_env.tools.base import load_builtin
from tests.adapters.scripts import ENV_ID, OPTIONS, Script, call, play_plain, ten_scripts
from tests.adapters.verl_loop import ScriptedServer, make_tools, play, play_batch

pytest.importorskip("verl", reason="needs the extra 'verl'")
pytestmark = [
    pytest.mark.verl,
    pytest.mark.slow,
    pytest.mark.filterwarnings("default"),  # warnings of ray, torch and verl are theirs
]


@pytest.fixture(scope="module")
def tools() -> tuple[Any, Any]:
    return make_tools()


@pytest.fixture(scope="module")
def played(tools: tuple[Any, Any]) -> list[tuple[Script, Any, ScriptedServer]]:
    """Ten scripts; the one that stops writing is stopped by the length, as verl would."""
    found = []
    for script in ten_scripts():
        room = {} if script.ended else {"response_length": 200}
        found.append((script, *play(*tools, script, **room)))
    return found


def spans(output: Any) -> list[list[int]]:
    pairs = zip(output.response_mask, output.response_ids, strict=True)
    return [[ident for _, ident in run] for own, run in groupby(pairs, key=lambda pair: pair[0]) if own]


def test_ten_episodes_have_the_digests_of_plain_steps(played: Any) -> None:
    for script, output, _ in played:
        plain = play_plain(script)
        fields = output.extra_fields
        assert fields["episode_digest"] == plain.digest and fields["task_id"] == script.key
        assert output.reward_score == plain.reward
        assert fields["ended"] == (script.ended or "length")
        assert fields["fault"] == any(step.failure[1] == "env" for step in plain.steps)
        assert output.num_turns == 2 * len(script.texts)
    assert {output.reward_score for _, output, _ in played} == {0.0, 1.0}


def test_the_mask_is_the_models_own_text(played: Any, tools: tuple[Any, Any]) -> None:
    tokenizer = tools[0]
    for script, output, server in played:
        assert spans(output) == server.turns
        trainable = [m for s in play_plain(script).steps for m in step_messages(s) if m["trainable"]]
        own = ["".join(part["text"] for part in message["content"]) for message in trainable]
        assert [tokenizer.decode(span) for span in spans(output)] == [t + tokenizer.eos_token for t in own]
        assert len(output.response_logprobs) == len(output.response_ids)
        for own_token, logprob in zip(output.response_mask, output.response_logprobs, strict=True):
            assert logprob == (-0.5 if own_token else 0.0)


def test_the_tokens_are_those_of_the_whole_conversation(played: Any, tools: tuple[Any, Any]) -> None:
    """Put together turn by turn, they are what the chat template gives for everything at once."""
    tokenizer, processor = tools
    pictures = 0
    for script, output, _ in played:
        env = make_env(ENV_ID, OPTIONS)
        observation, info = env.reset(seed=0, options={"task_id": script.key})
        chat = [*info["messages"]]
        encoded = [*observation["images"]]
        texts = script.texts if script.ended else ()
        for text in texts[:-1]:
            observation, _, _, _, info = env.step(text)
            chat += info["messages"]
            encoded += observation["images"]
        waiting = iter(encoded)
        messages = []
        for message in chat:
            own = [next(waiting) for part in message["content"] if part["type"] == "image"]
            messages.append({"role": message["role"], "content": content(message, own)})
        last = [{"role": "assistant", "content": script.texts[-1]}]
        whole = processor.apply_chat_template([*messages, *last], tokenize=True, return_dict=False)[0]
        assert (
            output.prompt_ids + output.response_ids == [*whole][:-1]
        )  # without the line end of the template
        assert len(output.multi_modal_data.get("images", [])) == len(encoded)
        token = tokenizer.convert_tokens_to_ids("<|image_pad|>")
        images = processor.image_processor(images=output.multi_modal_data["images"]) if encoded else None
        merged = [] if images is None else [int(grid.prod()) // 4 for grid in images["image_grid_thw"]]
        assert (output.prompt_ids + output.response_ids).count(token) == sum(merged)
        pictures += len(encoded)
    assert pictures > 10


def test_the_server_sees_every_picture_and_one_request(played: Any) -> None:
    for _, output, server in played:
        assert len({request for _, _, request in server.asked}) == 1
        whole = output.prompt_ids + output.response_ids
        assert all(whole[: len(prompt)] == prompt for prompt, _, _ in server.asked)
        assert server.asked[-1][1] == len(output.multi_modal_data.get("images", []))


def test_the_output_is_what_verl_trains_on(played: Any) -> None:
    for _, output, _ in played:
        plain = output.as_dict()
        assert float(plain["rm_scores"].sum()) == float(plain["rm_scores"][-1]) == output.reward_score
        assert plain["responses"].shape == plain["response_mask"].shape == plain["rollout_log_probs"].shape


def test_a_batch_in_verls_own_worker(tmp_path: Path) -> None:
    """From exported rows, through dataset, configuration and worker, to the tensors that verl trains on."""
    scripts = [script for script in ten_scripts() if script.ended]
    tokenizer, batch = play_batch(tmp_path, scripts)
    pictures = tokens = 0
    for number, script in enumerate(scripts):
        plain = play_plain(script)
        assert batch.non_tensor_batch["episode_digest"][number] == plain.digest
        assert float(batch.batch["rm_scores"][number].sum()) == plain.reward
        own = batch.batch["responses"][number][batch.batch["response_mask"][number].bool()].tolist()
        assert tokenizer.decode(own) == "".join(text + tokenizer.eos_token for text in script.texts)
        grids = batch.non_tensor_batch["multi_modal_inputs"][number].get("image_grid_thw", ())
        pictures += len(grids)
        tokens += sum(int(grid.prod()) // 4 for grid in grids)
    assert pictures > 10
    assert int((batch.batch["input_ids"] == tokenizer.convert_tokens_to_ids("<|image_pad|>")).sum()) == tokens


def test_an_observation_is_never_cut(tools: tuple[Any, Any]) -> None:
    """verl#4050: cut between a picture and its tokens, features and tokens no longer match."""
    script = ten_scripts()[2]
    output, server = play(*tools, script)
    first = len(server.turns[0])
    full = len(output.response_ids)
    seen = set()
    for room in range(first, full, 37):
        cut, _ = play(*tools, script, response_length=room)
        assert cut.response_ids == output.response_ids[: len(cut.response_ids)]
        assert cut.response_mask[-1] == 1 and len(cut.response_ids) <= room  # ends with the model's own text
        assert cut.extra_fields["ended"] in ("length", "answer")
        seen.add(len(cut.multi_modal_data["images"]))
    assert len(seen) > 2


def test_a_fault_of_the_environment_is_marked(
    tools: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """NeMo Gym#2552: rollouts that failed on the environment's side were trained on as reward 0."""
    tool = load_builtin().get("list_images")

    def broken(self: Any, arguments: Any, context: Any) -> Any:
        raise RuntimeError("out of order")

    monkeypatch.setattr(type(tool), "run", broken)
    script = Script(ten_scripts()[0].key, (call("list_images"), "<done>red</done>"))
    output, _ = play(*tools, script)
    assert output.extra_fields["fault"] and output.extra_fields["ended"] == "answer"


@pytest.mark.parametrize("row", [{}, {"extra_info": None}, {"extra_info": {"env_id": ENV_ID}}], ids=str)
def test_a_row_without_a_task_is_refused(row: dict[str, Any]) -> None:
    from mosaic_env.adapters.verl import _asked

    with pytest.raises(TaskError, match="mosaic tasks export --format verl"):
        _asked(row)
