"""verl: an agent loop that plays an episode with the model's own text (verl 0.9.1).

Name it in the YAML file of ``actor_rollout_ref.rollout.agent.agent_loop_config_path``, and train on rows of
``mosaic tasks export --format verl``, which say which environment and task they are:

    - name: mosaic
      _target_: mosaic_env.adapters.verl.MosaicAgentLoop

Each generated text is one ``env.step``: thoughts, tags and ``<tool_call>`` are read by the environment, so
nothing is lost between what the model wrote and what was played. Tokens are put together by verl's own
builder: the model's tokens are never written anew, and an observation is taken whole or not at all.
This module imports verl; nothing else of the package imports this module.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopOutput, register
from verl.utils.profiler import simple_timer

from mosaic_env.adapters.shared import content, make_env
from mosaic_env.core.errors import TaskError


@register("mosaic")
class MosaicAgentLoop(AgentLoopBase):  # type: ignore[misc]  # verl has no types
    """One rollout; verl makes an instance for each."""

    async def run(self, sampling_params: dict[str, Any], **row: Any) -> AgentLoopOutput:
        """Play the episode of a dataset row.

        Args:
            row: ``extra_info`` with ``env_id``, ``env_options`` (a JSON object), ``task_id`` and optionally
                ``seed``. Other columns are not read: the environment writes the prompt.

        Returns: the tokens; ``response_mask`` is 1 for what the model generated. ``reward_score`` is the
            sum of the episode's rewards. ``extra_fields`` hold ``task_id``, ``episode_digest``, ``verdict``,
            ``ended`` (``answer``, ``budget``: no answer within it, ``length``: no room left) and ``fault``: the
            environment failed in some step, so the rollout says nothing about the policy.
        Raises: TaskError (ME-TASK-01) and what ``gym.make`` raises.
        """
        info = _asked(row)
        env = make_env(info["env_id"], json.loads(info.get("env_options") or "{}"))
        first, start = env.reset(seed=int(info.get("seed") or 0), options={"task_id": info["task_id"]})
        metrics: dict[str, Any] = {}
        rollout = await _Tokens(self, metrics).begin(_chat(start["messages"], first["images"]))
        length, turns, ended = self.rollout_config.response_length, 0, ""
        while not ended:
            text = await rollout.generate(sampling_params)
            turns += 1
            with simple_timer("tool_calls", metrics):
                observation, _, terminated, truncated, step = env.step(text)
            if terminated or truncated:
                ended = "answer" if terminated else "budget"
            elif not await rollout.observe(_chat(step["messages"], observation["images"]), length):
                ended = "length"
        episode = env.episode
        return AgentLoopOutput(
            prompt_ids=rollout.ids[: len(rollout.ids) - len(rollout.mask)],
            response_ids=rollout.ids[len(rollout.ids) - len(rollout.mask) :][:length],
            response_mask=rollout.mask[:length],
            response_logprobs=rollout.logprobs[:length] if rollout.logprobs else None,
            multi_modal_data={"images": rollout.images} if rollout.images else {},
            reward_score=episode.reward,
            num_turns=2 * turns,
            metrics=metrics,
            extra_fields={
                "task_id": episode.task.key, "episode_digest": episode.digest,
                "verdict": episode.steps[-1].verdict, "ended": ended,
                "fault": any(step.failure[1] == "env" for step in episode.steps),
            },
        )  # fmt: skip


class _Tokens:
    """The tokens of a rollout: chat messages on one side, ids, mask and pictures on the other."""

    def __init__(self, loop: Any, metrics: dict[str, Any]) -> None:
        self._loop, self._metrics, self._request = loop, metrics, uuid4().hex
        self._messages: list[dict[str, Any]] = []
        self.ids: list[int] = []
        self.mask: list[int] = []
        self.logprobs: list[float] | None = None
        self.images: list[Any] = []

    async def begin(self, messages: list[dict[str, Any]]) -> _Tokens:
        """Write the prompt."""
        self._messages, self.images = messages, _pictures(messages)
        self._loop._assert_mm_supported(bool(self.images))
        self.ids = await self._loop.ct_build_initial_tokens(messages, images=self.images or None)
        return self

    async def generate(self, sampling_params: dict[str, Any]) -> str:
        """Let the model write, and return its text."""
        with simple_timer("generate_sequences", self._metrics):
            output = await self._loop.server_manager.generate(
                request_id=self._request, prompt_ids=self.ids, sampling_params=sampling_params,
                image_data=self.images or None,
            )  # fmt: skip
        merged, self.mask, self.logprobs = await self._loop.ct_merge_assistant_token(
            self.ids, output.token_ids, self.mask, self.logprobs or ([] if output.log_probs else None),
            assistant_logprobs=output.log_probs or None,
        )  # fmt: skip
        self.ids = merged.token_ids
        text: str = self._loop.tokenizer.decode(output.token_ids, skip_special_tokens=True)
        return text

    async def observe(self, messages: list[dict[str, Any]], length: int) -> bool:
        """Add what the model wrote and saw, or nothing (False) when there is no room: pictures cannot be cut."""
        said, seen = messages[:-1], messages[-1:]
        pictures = _pictures(seen)
        self._loop._assert_mm_supported(bool(pictures))
        before = [*self._messages, *said]
        merged, mask, logprobs = await self._loop.ct_merge_context_msg(
            before, [*before, *seen], self.ids, self.mask, self.logprobs
        )
        if len(mask) >= length:
            return False
        self._messages, self.images = [*before, *seen], [*self.images, *pictures]
        self.ids, self.mask, self.logprobs = merged.token_ids, mask, logprobs
        return True


def _asked(row: Mapping[str, Any]) -> Mapping[str, Any]:
    info: Mapping[str, Any] = row.get("extra_info") or {}
    if not info.get("env_id") or not info.get("task_id"):
        raise TaskError(
            "ME-TASK-01", "the row names no environment and task", expected="extra_info with env_id and task_id",
            fix="Write rows with: mosaic tasks export --format verl",
        )  # fmt: skip
    return info


def _chat(messages: list[dict[str, Any]], encoded: Any) -> list[dict[str, Any]]:
    """Return the environment's messages as verl's builder takes them; pictures stand in the last one."""
    *before, last = messages
    plain = [{"role": message["role"], "content": content(message)} for message in before]
    return [*plain, {"role": last["role"], "content": content(last, encoded)}]


def _pictures(messages: list[dict[str, Any]]) -> list[Any]:
    blocks = [
        block for message in messages if isinstance(message["content"], list) for block in message["content"]
    ]
    return [block["image"] for block in blocks if block["type"] == "image"]
