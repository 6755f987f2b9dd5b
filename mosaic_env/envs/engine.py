"""The rules of an episode, without Gymnasium: one action in, one step out.

``play`` is a generator that yields ``Search`` and gets ``Hits`` back, so a single environment answers
them one by one and a vector environment answers those of all its episodes at once; the rules, and
therefore every byte, are the same. Anything a model writes leads to a step, never to an exception.
"""

from __future__ import annotations

import base64
import logging
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from types import GeneratorType
from typing import Any

from mosaic_env.core.errors import CorruptError, EncoderError
from mosaic_env.core.types import (
    Action,
    Answer,
    CallRecord,
    Gold,
    Hits,
    Malformed,
    Observation,
    Search,
    Shown,
    Step,
    Task,
    ToolCall,
    ToolResult,
)
from mosaic_env.core.words import counted
from mosaic_env.envs import observe
from mosaic_env.envs.actions import parse, parse_structured
from mosaic_env.envs.config import EnvConfig
from mosaic_env.envs.overflow import ignored
from mosaic_env.envs.reward import Reward
from mosaic_env.envs.state import EpisodeState
from mosaic_env.index.world import World, query_digest
from mosaic_env.scoring.extract import final_answer, without_thoughts
from mosaic_env.tools.base import Tool, ToolContext, ToolError, ToolSettings, check_result
from mosaic_env.tools.rows import clean

Play = Generator[Search, Hits, Step]
DEFAULT_TOOL = "local_text_search"
_LOG = logging.getLogger("mosaic_env")


@dataclass(slots=True)
class _Turn:
    """What one step gathers before its observation is written."""

    lines: list[str] = field(default_factory=list)
    calls: list[CallRecord] = field(default_factory=list)
    wanted: list[tuple[str, bool]] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    vectors: dict[str, str] = field(default_factory=dict)
    failure: tuple[str, str] = ("", "")
    reproducible: bool = True
    malformed: bool = False
    number: int = 0

    def blame(self, kind: str, by: str) -> None:
        """Note a failure: the last one, but a policy's never hides one of the environment."""
        if by == "env" or self.failure[1] != "env":
            self.failure = (kind, by)


class Engine:
    """Plays episodes in one world under one configuration; holds no episode itself.

    Args:
        config: The configuration.
        world: The world.
        tools: The tools that exist in this world and configuration, by name.
    """

    def __init__(self, config: EnvConfig, world: World, tools: Mapping[str, Tool]) -> None:
        self.config = config
        self.world = world
        self.tools = dict(tools)
        self._names = frozenset(self.tools)
        self._settings = ToolSettings(
            facts=config.corpus == "closed",
            show_ids=config.show_ids,
            show_images=config.image_obs,
            attach_text_results=config.attach_text_results,
        )

    # --- beginning ----------------------------------------------------------------------------------

    def begin(
        self, task: Task, gold: Gold, seed: tuple[int, int]
    ) -> tuple[EpisodeState, Observation, Reward]:
        """Return the state of a new episode, its first observation and its reward."""
        state = EpisodeState(task, gold.digest, seed)
        if self.config.interactions == 0:
            state.phase = "answer_only"
        handles = [(state.handles.question_picture(picture), False) for picture in task.pictures]
        shown, _, unreadable = observe.attach(handles, state, self.config, self.world)
        if unreadable:
            raise CorruptError(
                "ME-CORRUPT-01", f"a picture of the question {task.key} cannot be read",
                expected="the snapshot as it was opened", fix="Run 'mosaic snapshot verify' on it",
            )  # fmt: skip
        text = observe.question_text(state, self.config, [item.handle for item in shown])
        return state, Observation(text, shown), Reward(task, gold, self.config.reward)

    # --- one step -----------------------------------------------------------------------------------

    def play(self, state: EpisodeState, reward: Reward, action: object) -> Play:
        """Play one step of an episode: yields searches, returns the step, and changes the state."""
        if state.phase == "memory":
            return self._remember(state, reward, action)
        parsed = self.read(action)
        if state.phase == "answer_only":
            return self._last_answer(state, reward, parsed)
        return (yield from self._interact(state, reward, parsed))

    def read(self, action: object) -> Action:
        """Parse an action: a model's text, or calls as dicts. Total: any value gives an Action."""
        if isinstance(action, str):
            return parse(action, default_tool=DEFAULT_TOOL, known_tools=self._names)
        return parse_structured(action, default_tool=DEFAULT_TOOL, known_tools=self._names)

    def _interact(self, state: EpisodeState, reward: Reward, action: Action) -> Play:
        turn = _Turn()
        budget = self.config.budget
        answer: str | None = None
        room = self._open_interaction(state)
        for item in action.items:
            if isinstance(item, Answer):
                answer = item.text
                break
            if room == 0 and budget.overflow == "carry" and self._left(state):
                room = self._open_interaction(state)
            if room == 0:
                self._drop(turn, item)
                continue
            if room is not None:
                room -= 1
            if isinstance(item, Malformed):
                self._report(turn, item)
            else:
                yield from self._run(turn, state, item)
        if answer is not None:
            self._drop_after_answer(turn, action)
        return self._finish_interaction(state, reward, action, turn, answer)

    def _open_interaction(self, state: EpisodeState) -> int | None:
        """Spend one interaction and return how many calls it may run (None: any number)."""
        state.interactions += 1
        state.handles.origin = state.interactions
        return self.config.calls_per_interaction

    def _left(self, state: EpisodeState) -> bool:
        limit = self.config.interactions
        return limit is None or state.interactions < limit

    def _drop(self, turn: _Turn, item: ToolCall | Malformed) -> None:
        name = clean(item.tool) or "(unreadable)"
        turn.dropped.append(name)
        turn.calls.append(CallRecord(name, ignored(item), "dropped", "dropped", cost=0))

    def _drop_after_answer(self, turn: _Turn, action: Action) -> None:
        position = next(n for n, item in enumerate(action.items) if isinstance(item, Answer))
        for item in action.items[position + 1 :]:
            if not isinstance(item, Answer):
                self._drop(turn, item)

    def _report(self, turn: _Turn, item: Malformed) -> None:
        turn.number += 1
        turn.lines.append(observe.issue_line(item.code, item.message, item.hint, item.tool))
        turn.calls.append(CallRecord(clean(item.tool), ignored(item), "error", item.code))
        turn.blame("bad_action", "policy")
        turn.malformed = True

    # --- one call -----------------------------------------------------------------------------------

    def _run(self, turn: _Turn, state: EpisodeState, call: ToolCall) -> Generator[Search, Hits, None]:
        """Run one call and note its line, its pictures and its record."""
        turn.number += 1
        context = ToolContext(self.world, state.handles, self._settings, [], [])
        handles, known = state.handles, len(state.handles.pictures)
        arguments, result = yield from self._result(turn, state, call, context)
        name = clean(call.tool)
        try:
            check_result(result, context)
            line = observe.envelope(turn.number, name, result, context.warnings)
        except (TypeError, ValueError) as fault:  # the tool returned what no episode or JSON can hold
            result = self._fault(turn, "tool_fault", name, fault)
            line = observe.envelope(turn.number, name, result, [])
            context.inputs.clear()
        error = result.error
        turn.lines.append(line)
        turn.wanted.extend((handle, result.again) for handle in result.show)
        turn.reproducible &= result.reproducible
        record = CallRecord(
            name,
            arguments,
            "ok" if error is None else "error",
            "" if error is None else error["code"],
            result.ranked,
            result.modality,
            result.source,
            self.tools[call.tool].cost if call.tool in self.tools else 1,
            tuple((handle, handles.origin_of(handle) or 0) for handle in context.inputs),
            tuple(list(handles.pictures)[known:]) if len(handles.pictures) > known else (),
            call.repairs,
        )
        turn.calls.append(record)

    def _result(
        self, turn: _Turn, state: EpisodeState, call: ToolCall, context: ToolContext
    ) -> Generator[Search, Hits, tuple[Mapping[str, Any], ToolResult]]:
        """Return the arguments (validated when valid) and the result of a call; never raises."""
        arguments: Mapping[str, Any] = call.arguments
        try:
            tool = self.tools.get(call.tool)
            if tool is None:
                raise self._unknown_tool(call.tool)
            self._charge(state, tool)
            valid = tool.validate(arguments, context)
            arguments = valid.model_dump(mode="json")
            answer = tool.run(valid, context)
            if isinstance(answer, GeneratorType):
                answer = yield from self._ask(answer, state, turn)
            if not isinstance(answer, ToolResult):  # a stranger's tool returned something else
                raise TypeError(f"run() gave {type(answer).__name__}, not a ToolResult")
            return arguments, answer
        except ToolError as error:
            turn.blame("bad_call" if error.by == "policy" else error.code, error.by)
            return arguments, error.result()
        except EncoderError as error:
            return arguments, self._fault(turn, "encoder_missing", call.tool, error)
        except (
            Exception
        ) as error:  # a fault of a tool must never end an episode or reach the policy as its own
            return arguments, self._fault(turn, "tool_fault", call.tool, error)

    def _ask(
        self, asking: Generator[Search, Hits, ToolResult], state: EpisodeState, turn: _Turn
    ) -> Generator[Search, Hits, ToolResult]:
        """Pass a tool's searches on, with recorded vectors where a replay has them."""
        try:
            search = next(asking)
            while True:
                key = ""
                if state.vectors:
                    key = query_digest(search.route, search.query)
                    if key in state.vectors:
                        vector = base64.b64decode(state.vectors[key])
                        search = _with_vector(search, vector)
                hits = yield search
                if hits.vector is not None:
                    key = key or query_digest(search.route, search.query)
                    turn.vectors[key] = base64.b64encode(hits.vector).decode("ascii")
                search = asking.send(hits)
        except StopIteration as done:
            result: ToolResult = done.value
            return result

    def _unknown_tool(self, name: str) -> ToolError:
        return ToolError(
            "unknown_tool", f"there is no tool {clean(name)!r}", "tools: " + ", ".join(self.tools)
        )

    def _charge(self, state: EpisodeState, tool: Tool) -> None:
        used = state.tool_calls.get(tool.name, 0)
        limit = self.config.tool_limits.get(tool.name)
        if limit is not None and used >= limit:
            raise ToolError(
                "tool_budget",
                f"{tool.name} may be called {counted(limit, 'time')} and was",
                "use another tool",
            )
        state.tool_calls[tool.name] = used + 1

    def _fault(self, turn: _Turn, kind: str, tool: str, error: Exception) -> ToolResult:
        """Log a fault for the developer and return what the model is told."""
        turn.blame(kind, "env")
        _LOG.warning("the tool %s failed (%s); the episode goes on", tool, kind, exc_info=error)
        message = "the environment could not run this call; this is not your fault"
        return ToolResult(error={"code": kind, "message": message, "hint": "try another call"})

    # --- ending a step --------------------------------------------------------------------------------

    def _finish_interaction(
        self, state: EpisodeState, reward: Reward, action: Action, turn: _Turn, answer: str | None
    ) -> Step:
        phase = state.phase
        tail: list[str] = []
        if turn.dropped:
            why = (
                "an answer was given before them"
                if answer is not None
                else "too many calls in one interaction"
            )
            turn.lines.append(observe.dropped_line(turn.dropped, why))
        truncated = False
        if answer is not None:
            state.phase = "done"
        else:
            truncated = self._next_phase(state, tail)
        pictures = observe.attach(turn.wanted, state, self.config, self.world)
        if pictures.unreadable:
            turn.blame("picture_fault", "env")
        ledger = observe.ledger_line(state, self.config)
        seen = observe.observation(turn.lines, pictures, [ledger, *tail])
        return self._step(state, reward, phase, action, turn, seen, answer, truncated)

    def _next_phase(self, state: EpisodeState, tail: list[str]) -> bool:
        """Choose what comes after an interaction without an answer; return whether it truncates."""
        if not self._left(state) and self.config.final_answer == "none":
            state.phase = "done"
            return True
        if state.phase == "act" and self.config.memory == "policy":
            state.phase = "memory"
            tail.append(observe.MEMORY_REQUEST.format(lines=counted(self.config.memory_lines, "line")))
        elif self._left(state):
            state.phase = "act"
        else:
            state.phase = "answer_only"
            tail.append(observe.ANSWER_REQUEST)
        return False

    def _remember(self, state: EpisodeState, reward: Reward, action: object) -> Step:
        text = action if isinstance(action, str) else self.read(action).text
        written = _without_memory_tags(without_thoughts(text).strip()).splitlines()
        kept = written[: self.config.memory_lines]
        if kept:
            state.memory = "\n".join(kept).encode("utf-8", "replace").decode("utf-8")
        note = (
            f"[memory] {counted(len(kept), 'line')} kept"
            if kept
            else "[memory] the text was empty: the old memory stays"
        )
        if len(written) > len(kept):
            note += f", {len(written) - len(kept)} cut"
        tail: list[str] = []
        self._next_phase(state, tail)
        seen = observe.observation(
            [note], observe.Attached(()), [observe.ledger_line(state, self.config), *tail]
        )
        plain = Action(text, (), structured=not isinstance(action, str))
        return self._step(state, reward, "memory", plain, _Turn(), seen, None, truncated=False)

    def _last_answer(self, state: EpisodeState, reward: Reward, action: Action) -> Step:
        turn = _Turn()
        given = next((item.text for item in action.items if isinstance(item, Answer)), None)
        calls = [item for item in action.items if isinstance(item, ToolCall)]
        if given is None and not calls and not action.structured:
            given = final_answer(action.text)
        for call in calls:
            self._drop(turn, call)
        state.phase = "done"
        lines = [observe.dropped_line(turn.dropped, "no tool runs any more")] if turn.dropped else []
        seen = observe.observation(lines, observe.Attached(()), [observe.ledger_line(state, self.config)])
        answer = given if given and given.strip() else None
        if answer is None:
            turn.failure = ("no_answer", "policy")
        return self._step(state, reward, "answer_only", action, turn, seen, answer, truncated=answer is None)

    def _step(
        self, state: EpisodeState, reward: Reward, phase: Any, action: Action, turn: _Turn,
        seen: Observation, answer: str | None, truncated: bool,
    ) -> Step:  # fmt: skip
        state.malformed |= turn.malformed
        judged = reward.judge(state, turn.calls, answer, ended=state.phase == "done")
        value, reason = ("", "") if judged.verdict is None else (judged.verdict.value, judged.verdict.reason)
        step = Step(
            phase, action.text, action.structured, tuple(turn.calls), seen, judged.reward,
            terminated=answer is not None, truncated=truncated, terms=judged.terms, answer=answer,
            verdict=value, reason=reason, failure=turn.failure, reproducible=turn.reproducible,
            vectors=turn.vectors,
        )  # fmt: skip
        state.steps.append(step)
        return step


def _without_memory_tags(text: str) -> str:
    """Return a memory text without one pair of ``<memory>`` around all of it."""
    inner = text[8:-9]
    tags = (text[:8].lower(), text[-9:].lower()) == ("<memory>", "</memory>")
    return inner.strip() if tags and "</memory>" not in inner.lower() else text


def _with_vector(search: Search, vector: bytes) -> Search:
    return Search(search.route, search.query, search.k, search.pictured, search.facts, search.exclude, vector)


def shown_bytes(world: World, shown: tuple[Shown, ...]) -> tuple[bytes, ...]:
    """Return the encoded pictures of an observation."""
    return tuple(world.images.encoded(item.picture) for item in shown)
