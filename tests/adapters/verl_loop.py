"""verl's agent loop on a CPU: its real classes, with a server that returns scripted tokens in place of an engine."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mosaic_env.adapters.shared import make_env
from tests.adapters.scripts import ENV_ID, OPTIONS, Script

PROMPT_LENGTH, RESPONSE_LENGTH = 8_000, 8_000


def make_tools() -> tuple[Any, Any]:
    """Return tokenizer and processor of the tiny model."""
    from examples.tiny_vlm import make_processor, make_tokenizer

    env = make_env(ENV_ID, OPTIONS)
    tokenizer = make_tokenizer([env.prompt(), json.dumps(env.tool_schemas())])
    return tokenizer, make_processor(tokenizer)


class ScriptedServer:
    """Answers ``generate`` with the next turn of a script, as a server does: with the end token."""

    def __init__(self, tokenizer: Any, texts: tuple[str, ...]) -> None:
        self._tokenizer = tokenizer
        self._texts = list(texts)
        self.turns: list[list[int]] = []
        self.asked: list[tuple[list[int], int, str]] = []  # prompt, number of pictures, request

    async def generate(
        self,
        *,
        request_id: str,
        prompt_ids: list[int],
        sampling_params: dict[str, Any],
        image_data: Any = None,
    ) -> Any:
        from verl.workers.rollout.replica import TokenOutput

        self.asked.append((list(prompt_ids), len(image_data or ()), request_id))
        ids = self._tokenizer.encode(self._texts.pop(0), add_special_tokens=False)
        turn = [*ids, self._tokenizer.eos_token_id]
        self.turns.append(turn)
        return TokenOutput(token_ids=turn, log_probs=[-0.5] * len(turn), stop_reason="completed")


def make_loop(tokenizer: Any, processor: Any, server: ScriptedServer, response_length: int) -> Any:
    """Make the loop as verl's worker does: by its registered name, with hydra.

    Must run inside an event loop.
    """
    import hydra
    from omegaconf import OmegaConf
    from verl.experimental.agent_loop.agent_loop import DictConfigWrap, ToolListWrap, _agent_loop_registry
    from verl.utils.dataset.rl_dataset import RLHFDataset

    import mosaic_env.adapters.verl  # noqa: F401 - registers the loop

    lengths = {"prompt_length": PROMPT_LENGTH, "response_length": response_length}
    config = OmegaConf.create({"actor_rollout_ref": {"rollout": lengths}, "data": {}})
    return hydra.utils.instantiate(
        config=_agent_loop_registry["mosaic"], trainer_config=DictConfigWrap(config), server_manager=server,
        tokenizer=tokenizer, processor=processor, hf_model_type="qwen3_vl", dataset_cls=RLHFDataset,
        data_config=DictConfigWrap(config.data), tools=ToolListWrap([]),
    )  # fmt: skip


def play(
    tokenizer: Any, processor: Any, script: Script, response_length: int = RESPONSE_LENGTH
) -> tuple[Any, ScriptedServer]:
    """Play a script through the loop and return its output and the server."""
    server = ScriptedServer(tokenizer, script.texts)

    async def run() -> Any:
        loop = make_loop(tokenizer, processor, server, response_length)
        row = {"env_id": ENV_ID, "env_options": json.dumps(OPTIONS), "task_id": script.key}
        return await loop.run({"temperature": 1.0}, extra_info=row, agent_name="mosaic", index=0)

    return asyncio.run(run()), server


class ServerForAll:
    """A server for a whole batch: it reads off a prompt which script it is and how far."""

    def __init__(self, tokenizer: Any, scripts: Sequence[Script]) -> None:
        source = make_env(ENV_ID, OPTIONS).setup.source
        self._tokenizer = tokenizer
        self._texts = {source.get(script.key)[0].question: script.texts for script in scripts}

    async def generate(self, *, prompt_ids: list[int], **_: Any) -> Any:
        prompt = self._tokenizer.decode(prompt_ids)
        texts = next(texts for question, texts in self._texts.items() if question in prompt)
        turn = prompt.count("<|im_start|>assistant\n") - 1
        server = ScriptedServer(self._tokenizer, texts[turn:])
        return await server.generate(request_id="", prompt_ids=prompt_ids, sampling_params={})


def play_batch(folder: Path, scripts: Sequence[Script]) -> tuple[Any, Any]:
    """Export rows, read them with verl's dataset, play them in verl's worker; return tokenizer and batch.

    The worker is the real one, made from verl's own configuration; without ray, and with a scripted engine.
    """
    import verl
    from hydra import compose, initialize_config_dir
    from verl.experimental.agent_loop.agent_loop import AgentLoopWorker
    from verl.protocol import DataProto
    from verl.utils.dataset.rl_dataset import RLHFDataset, collate_fn

    from examples.tiny_vlm import make_model
    from mosaic_env.adapters.export import rows, write_rows

    tokenizer, processor = make_tools()
    config = make_model(tokenizer).config
    config.architectures = ["Qwen3VLForConditionalGeneration"]
    config.save_pretrained(folder)
    processor.save_pretrained(folder)
    (folder / "mosaic.yaml").write_text(
        "- name: mosaic\n  _target_: mosaic_env.adapters.verl.MosaicAgentLoop\n"
    )
    env = make_env(ENV_ID, OPTIONS)
    keys = [script.key for script in scripts]
    write_rows(folder / "rows.jsonl", rows("verl", ENV_ID, env, OPTIONS, keys))
    rollout = "actor_rollout_ref.rollout"
    settings = {
        "actor_rollout_ref.model.path": folder, f"{rollout}.name": "vllm", f"{rollout}.response_length": 4000,
        f"{rollout}.prompt_length": 4000, "data.max_prompt_length": 4000, "data.train_files": folder / "rows.jsonl",
        f"{rollout}.agent.default_agent_loop": "mosaic",
        f"{rollout}.agent.agent_loop_config_path": folder / "mosaic.yaml",
    }  # fmt: skip
    with initialize_config_dir(str(Path(verl.__file__).parent / "trainer" / "config"), version_base=None):
        whole = compose("ppo_trainer", overrides=[f"{name}={value}" for name, value in settings.items()])
    data = RLHFDataset(str(folder / "rows.jsonl"), tokenizer, whole.data, processor)
    batch = DataProto.from_single_dict(collate_fn([data[number] for number in range(len(data))]))
    batch.meta_info = {"global_steps": 1}

    async def run() -> Any:
        return await AgentLoopWorker(whole, ServerForAll(tokenizer, scripts)).generate_sequences(batch)

    return tokenizer, asyncio.run(run())
