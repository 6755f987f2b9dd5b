"""The configuration of an environment: frozen, validated, hashed into every episode.

Presets are frozen too: ``paper`` (the InterLV-Search paper), ``repo`` (its reference implementation's
accounting), ``infomosaic``. Each switch of the papers' ablations is an argument from the start.
``docs/fidelity.md`` says for each value where it comes from.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from numbers import Integral
from typing import Annotated, Any, Literal, NoReturn

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from mosaic_env.core.canon import digest
from mosaic_env.core.errors import ConfigError, nearest, shorten
from mosaic_env.core.types import Budget
from mosaic_env.tasks.levels import HOPS

Family = Literal["interlv-l1", "interlv-l2"]

_SEARCH_TOOLS = (
    "local_text_search", "local_text_search_with_image", "local_text_to_image_search", "local_image_search",
    "image_crop", "python_eval",
)  # fmt: skip
_HELPER_TOOLS = ("view_image", "list_images")
_REPO_TOOLS = (
    "local_text_search", "local_text_to_image_search", "local_image_search", "image_crop", "python_eval",
)  # fmt: skip
GRAPH_TOOL = "local_graph_neighbors"

#: Interactions by family: the paper's budgets.
INTERACTIONS = {"interlv-l1": 3, "interlv-l2": 7}

#: The largest weight: sums of weighted terms stay finite.
MAX_WEIGHT = 1e6

#: Reward terms and their default weights; only the outcome pays.
REWARD_TERMS = {"outcome": 1.0, "evidence_recall": 0.0, "hop_progress": 0.0, "format": 0.0, "cost": 0.0}


class FrozenDict(dict[str, Any]):
    """A dictionary that refuses changes: environments share their configuration."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("a configuration cannot be changed; make another environment")

    __setitem__ = __delitem__ = __ior__ = update = setdefault = pop = popitem = clear = _refuse

    def __reduce__(self) -> tuple[type, tuple[dict[str, Any]]]:
        return FrozenDict, (dict(self),)


class EnvConfig(BaseModel):
    """Everything that decides what an environment does, apart from world, tasks and seed.

    Args:
        family: ``interlv-l1`` or ``interlv-l2``.
        preset: ``paper``, ``repo`` or ``infomosaic``: where the other arguments start from.
        interactions: Budget of interactions; 0 is none, None is no limit.
        calls_per_interaction: Calls of one interaction that run; 0 is none, None is no limit.
        overflow: ``drop`` reports further calls as dropped; ``carry`` runs them in following
            interactions without asking the model.
        tool_limits: Calls per tool name in an episode.
        final_answer: ``extra`` asks for an answer when the budget is spent; ``none`` truncates.
        memory: ``policy`` asks the policy for a memory text after each interaction; ``agent``
            leaves memory to the agent; ``none``.
        memory_lines: Longest memory, in lines.
        tools: Tool names; None is the preset's list.
        disabled_tools: Names taken off the list.
        graph: Offer ``local_graph_neighbors``; None follows ``corpus``.
        corpus: ``paper`` searches texts as published; ``closed`` adds facts.
        image_obs: Attach pictures.
        show_ids: Show knowledge-base keys and scores.
        attach_text_results: Text search attaches pictures as well.
        max_new: Pictures attached in one observation; None is no limit.
        max_total: Pictures attached in an episode; None is no limit.
        max_side: Longest side of an attached picture in pixels; None leaves it as it is.
        difficulty: Least and most hops of a generated task, within 1 to 2 (Level 1) or 2 to 5 (Level 2); None
            is 2 on Level 1 and all of them on Level 2. Stored tasks refuse it.
        reward: Weight of each reward term, a finite number of at least 0; the reward of a step is the sum
            of weight times term. Terms: ``outcome`` 1 for a right answer, else 0. ``evidence_recall`` at
            the end of an episode, the share of the gold chain's entities that searches returned, 0 to 1.
            ``hop_progress`` what this step added to the share of the chain found in order; 0 to 1, over
            an episode at most 1. ``format`` 1 for a right answer in an episode without unreadable parts,
            else 0. ``cost`` is already negative: minus the costs of the step's calls, -1 for most; a
            weight of 0.05 takes 0.05 a call.

    Text that is a number and floats that are whole are taken as integers (``"3"``, ``3.0``), and one tool
    name as a list of one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)

    family: Family
    preset: Literal["paper", "repo", "infomosaic"] = "paper"
    interactions: int | None = Field(3, ge=0, le=10_000)
    calls_per_interaction: int | None = Field(3, ge=0, le=64)
    overflow: Literal["drop", "carry"] = "drop"
    tool_limits: Mapping[str, Annotated[int, Field(ge=0)]] = Field(default_factory=FrozenDict)
    final_answer: Literal["extra", "none"] = "extra"
    memory: Literal["policy", "agent", "none"] = "none"
    memory_lines: int = Field(15, ge=1, le=1000)
    tools: tuple[str, ...] = ()
    disabled_tools: tuple[str, ...] = ()
    graph: bool | None = None
    corpus: Literal["paper", "closed"] = "paper"
    image_obs: bool = True
    show_ids: bool = False
    attach_text_results: bool = False
    max_new: int | None = Field(15, ge=0)
    max_total: int | None = Field(None, ge=0)
    max_side: int | None = Field(None, ge=16, le=8192)
    difficulty: tuple[int, int] | None = None
    reward: Mapping[str, float] = Field(default_factory=lambda: FrozenDict(REWARD_TERMS))

    @field_validator("tools", "disabled_tools", mode="before")
    @classmethod
    def _names(cls, value: Any) -> Any:
        if isinstance(value, (set, frozenset)):  # its order would decide the order of the tools
            raise ValueError("a set has no order; write a list")
        listed = value if isinstance(value, (list, tuple)) else [value]
        if any(isinstance(item, type) or hasattr(item, "run") for item in listed):
            raise ValueError("tools are given by name; register the class with @register_tool")
        return (value,) if isinstance(value, str) else () if value is None else value

    @field_validator("reward")
    @classmethod
    def _terms(cls, value: Mapping[str, float]) -> Mapping[str, float]:
        unknown = sorted(value.keys() - REWARD_TERMS.keys())
        if unknown:
            raise ValueError(f"unknown reward term {unknown[0]!r}; there are {', '.join(REWARD_TERMS)}")
        weights = {name: float(value.get(name, default)) + 0.0 for name, default in REWARD_TERMS.items()}
        wrong = next((name for name, weight in weights.items() if not 0 <= weight <= MAX_WEIGHT), "")
        if wrong:
            why = "; the term is already negative, -1 a call" if wrong == "cost" else ""
            raise ValueError(f"the weight of {wrong} has to be from 0 to {MAX_WEIGHT:g}{why}")
        return FrozenDict(weights)

    @field_validator("difficulty", mode="before")
    @classmethod
    def _hops(cls, value: Any, info: ValidationInfo) -> Any:
        if value is None:
            return None
        low, high = HOPS[info.data.get("family", "interlv-l2")]
        pair = [_whole(part) for part in value] if isinstance(value, (tuple, list)) else []
        if len(pair) != 2 or not low <= pair[0] <= pair[1] <= high:
            raise ValueError(
                f"it is (least, most) hops, whole numbers from {low} to {high}, like ({low}, {high})"
            )
        return tuple(pair)

    @field_validator("tool_limits")
    @classmethod
    def _limits(cls, value: Mapping[str, int]) -> Mapping[str, int]:
        return FrozenDict(value)

    @model_validator(mode="after")
    def _tool_list(self) -> EnvConfig:
        wants_graph = self.corpus == "closed" if self.graph is None else self.graph
        listed = dict.fromkeys(self.tools)
        if wants_graph:
            listed.setdefault(GRAPH_TOOL)
        elif self.graph is False:
            listed.pop(GRAPH_TOOL, None)
        unused = [name for name in self.disabled_tools if name not in listed]
        if unused:
            raise ValueError(
                f"disabled_tools names {unused[0]!r}, which is not among the tools; nearest: "
                + (", ".join(nearest(unused[0], listed)) or "none")
            )
        if self.interactions == 0 and self.final_answer == "none":
            raise ValueError("interactions=0 with final_answer='none' leaves an episode without any step")
        kept = tuple(name for name in listed if name not in self.disabled_tools)
        object.__setattr__(self, "tools", kept)
        object.__setattr__(self, "graph", GRAPH_TOOL in kept)
        return self

    @cached_property
    def digest(self) -> str:
        """The digest of all fields."""
        return digest(self.model_dump(mode="json"))

    @property
    def budget(self) -> Budget:
        """The limits as a ``Budget``."""
        return Budget(self.interactions, self.calls_per_interaction, self.overflow, self.tool_limits)


def _whole(value: Any) -> int:
    """Return a whole number, or -1 for anything that is none."""
    return (
        int(value)
        if isinstance(value, (Integral, float)) and type(value) is not bool and value == value // 1
        else -1
    )


def _preset(family: str, preset: str) -> dict[str, Any]:
    base: dict[str, Any] = {"family": family, "preset": preset, "interactions": INTERACTIONS[family]}
    if preset == "paper":
        memory = "none" if family == "interlv-l1" else "policy"
        return {
            **base,
            "calls_per_interaction": 3,
            "memory": memory,
            "tools": (*_SEARCH_TOOLS, *_HELPER_TOOLS),
        }
    if preset == "repo":
        return {
            **base, "calls_per_interaction": 2, "overflow": "carry", "memory": "none", "tools": _REPO_TOOLS,
            "show_ids": True, "attach_text_results": True, "max_new": None,
        }  # fmt: skip
    return {
        **base, "interactions": 20, "calls_per_interaction": None, "memory": "none",
        "tools": (*_SEARCH_TOOLS, *_HELPER_TOOLS),
    }  # fmt: skip


PRESETS = ("paper", "repo", "infomosaic")


def make_config(family: str, preset: str = "paper", **options: Any) -> EnvConfig:
    """Return the configuration of a family: the preset, changed by the given options.

    Raises: ConfigError (ME-CONFIG-01 unknown argument, -02 bad value, -03 unknown preset).
    """
    if family not in INTERACTIONS:
        raise ConfigError(
            "ME-CONFIG-02", f"there is no family {family!r}", expected="one of " + ", ".join(INTERACTIONS),
            nearest=nearest(family, INTERACTIONS), fix="Environment ids set it: leave it out",
        )  # fmt: skip
    if preset not in PRESETS:
        raise ConfigError(
            "ME-CONFIG-03", f"there is no preset {preset!r}", expected="one of " + ", ".join(PRESETS),
            nearest=nearest(preset, PRESETS), fix="Choose one with preset=",
        )  # fmt: skip
    unknown = sorted(options.keys() - EnvConfig.model_fields.keys())
    if unknown:
        known = sorted(EnvConfig.model_fields.keys() - {"family"})
        raise ConfigError(
            "ME-CONFIG-01", f"gym.make got an unknown argument {unknown[0]!r}",
            expected="snapshot, tasks, split, encoders, render_mode, " + ", ".join(known),
            nearest=nearest(unknown[0], [*known, "snapshot", "tasks", "split", "encoders", "render_mode"]),
        )  # fmt: skip
    changed = {name: value for name, value in options.items() if not (name == "tools" and value is None)}
    try:
        return EnvConfig.model_validate({**_preset(family, preset), **changed})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name, what = ".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")
        raise ConfigError(
            "ME-CONFIG-02",
            f"{name}={shorten(first['input'])} is not allowed: {what}" if name else what,
            fix="See help(mosaic_env.envs.config.EnvConfig)",
        ) from None
