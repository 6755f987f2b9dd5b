"""The words of the package: immutable values that flow from task to report.

    Task ─► reset ─► Observation ─► (model's text) ─► Action ─► ToolCall ─► ToolResult ─► Observation
                                                                                   └► Step ─► Episode

No behaviour beyond plain conversion, no I/O, nothing that knows a game or a file. All values are
immutable; those made anew in every step are not frozen by Python, which would cost five times as
much to make, and are never changed all the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from mosaic_env.core.canon import digest


class Plain:
    """Gives a value type its plain form."""

    __slots__ = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the fields by name as plain data: dicts, lists, text, numbers, None."""
        return {name: _plain(getattr(self, name)) for name in self.__dataclass_fields__}  # type: ignore[attr-defined]


def _plain(value: Any) -> Any:
    if isinstance(value, Plain):
        return value.as_dict()
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    return value


@dataclass(frozen=True, slots=True)
class Picture(Plain):
    """A reference to a picture; its bytes stay in the world.

    Args:
        digest: ``sha256:…`` of the stored bytes, or of the pixels when derived: another PNG
            compressor may write other bytes for the same picture.
        media_type: ``image/png``, ``image/jpeg`` or ``image/webp``.
        width, height: Pixels.
        source: For a derived picture, the digest of the stored picture it was cut from.
        box: For a derived picture, (left, top, right, bottom) in the source's pixels.
        side: For a reduced picture, the longest side it was reduced to; 0 when it was not.
    """

    digest: str
    media_type: str
    width: int
    height: int
    source: str = ""
    box: tuple[int, int, int, int] | tuple[()] = ()
    side: int = 0

    @property
    def derived(self) -> bool:
        """True when the picture was made from a stored one during an episode."""
        return bool(self.source)

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Picture:
        """Return the picture that ``as_dict`` described."""
        box = tuple(plain.get("box", ()))
        return cls(**{**plain, "box": box})


# --- tasks ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Task(Plain):
    """A question, as an agent may see it. The answer is in ``Gold``, a separate object.

    Args:
        key: Global key, ``<source>/<name>``: ``interlv-l2/0042``.
        question: The question's text.
        world: The name of the world the question is about; ``"*"`` for any.
        level: The environment family it belongs to: ``interlv-l1``, ``interlv-l2``…
        pictures: Pictures that belong to the question.
        split: ``train``, ``val`` or ``test``.
        tags: Public labels, for example ``single_thread``.
    """

    key: str
    question: str
    world: str = "*"
    level: str = ""
    pictures: tuple[Picture, ...] = ()
    split: str = "test"
    tags: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """The digest of all fields."""
        return digest(self.as_dict())


@dataclass(frozen=True, slots=True)
class Hop(Plain):
    """One edge of a gold chain.

    Args:
        head: Entity key the hop starts from; empty for the first.
        tail: Entity key it leads to.
        via: How it is found: a relation id (``P190``), ``"text"``, ``"picture"`` or ``"similar"``.
        query: What an agent that knows the chain would ask.
        tool: The tool it would ask with.
        inverse: The relation is read from tail to head.
    """

    head: str
    tail: str
    via: str
    query: str = ""
    tool: str = ""
    inverse: bool = False


@dataclass(frozen=True, slots=True)
class Gold(Plain):
    """What only rewards and evaluations may know about a task.

    Args:
        key: The task's key.
        answer: The reference answer, as published.
        aliases: Further accepted answers.
        kind: Answer type: ``colour``, ``count``, ``text``, ``choice``… or ``""`` when unknown.
        target: Key of the entity whose picture answers the question, or ``""``.
        chain: The hops that lead there, in order.
        min_interactions: The least number of dependent interactions.
        notes: Free fields of a source (search chain, conditions), never shown to an agent.
    """

    key: str
    answer: str
    aliases: tuple[str, ...] = ()
    kind: str = ""
    target: str = ""
    chain: tuple[Hop, ...] = ()
    min_interactions: int = 0
    notes: Mapping[str, str] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """The digest of all fields: the gold's id, which public records carry instead of gold."""
        return digest(self.as_dict())


@dataclass(slots=True)
class ToolCall:
    """One call a model asked for: not validated yet.

    Args:
        tool: The tool's name as written.
        arguments: Arguments as parsed; any JSON value may stand inside.
        call_id: The model's own id of the call (OpenAI format), or ``""``.
        repairs: Codes of the documented repairs that reading it took.
    """

    tool: str
    arguments: Mapping[str, Any]
    call_id: str = ""
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """A final answer the model gave.

    Args:
        repairs: Codes of the documented repairs that reading it took.
    """

    text: str
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Malformed:
    """A part of the model's text that should have been a call and could not be read as one.

    Args:
        code: Stable code, for example ``bad_json``.
        message: A short sentence for the model.
        hint: How to write it right.
        tool: The tool it named, when that could be read.
        call_id: The model's own id of the call, or ``""``.
        count: How many parts it stands for (``too_many_calls``).
    """

    code: str
    message: str
    hint: str = ""
    tool: str = ""
    call_id: str = ""
    count: int = 1


@dataclass(slots=True)
class Action:
    """A model's text (or structured action), parsed: its items in the order they stand.

    Args:
        text: The text as the model wrote it; for structured actions, their canonical text.
        items: Calls, answers and malformed parts.
        structured: The action came as dicts, not as text.
    """

    text: str
    items: tuple[ToolCall | Answer | Malformed, ...]
    structured: bool = False


# --- tools ----------------------------------------------------------------------------------------

Source = Literal["computed", "recorded", "corpus", "miss"]


@dataclass(slots=True)
class ToolResult:
    """What a tool returns: exactly one of data or error, and the pictures it shows.

    Args:
        data: Plain data for the model, keys in the order they are to be shown; None on error.
        error: ``code``, ``message`` and ``hint`` for the model; None on success.
        show: Handles of pictures to attach to the observation, in order.
        ranked: Entity or page keys in the order returned (for evaluators, never for the model).
        modality: What was searched: ``text``, ``text_to_image``, ``image``, or ``""``.
        source: Where the result comes from.
        reproducible: False when a wall-clock limit ended the work.
        again: Attach the pictures even when they were attached before.
    """

    data: Mapping[str, Any] | None = None
    error: Mapping[str, str] | None = None
    show: tuple[str, ...] = ()
    ranked: tuple[str, ...] = ()
    modality: str = ""
    source: Source = "computed"
    reproducible: bool = True
    again: bool = False

    @property
    def ok(self) -> bool:
        """True when the call gave data."""
        return self.error is None


@dataclass(slots=True)
class Search:
    """A question to an index; tools yield these, so that many environments share one search.

    Args:
        route: ``text``, ``text_to_image`` or ``image``.
        query: Text, or the picture to search with.
        k: How many rows, at least 1.
        pictured: Only entities that have a picture.
        facts: Search the facts field as well (``corpus="closed"``).
        exclude: Entity key to leave out, or ``""``.
        vector: The query's int8 vector when it is known already (a replay), else None.
    """

    route: Literal["text", "text_to_image", "image"]
    query: str | Picture
    k: int
    pictured: bool = False
    facts: bool = False
    exclude: str = ""
    vector: bytes | None = None


@dataclass(slots=True)
class Hits:
    """The answer to a ``Search``: rows ordered by (score descending, key ascending).

    Args:
        rows: Row numbers in the world's sorted entity list.
        scores: Integer scores, same length.
        matched_on: What was compared: ``text``, ``picture`` or ``text+picture``.
        vector: The int8 query vector that a ``recorded`` encoder gave: replays need it.
    """

    rows: tuple[int, ...]
    scores: tuple[int, ...]
    matched_on: str = "text"
    vector: bytes | None = None


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of an episode. 0 means none at all, None means no limit.

    Args:
        interactions: How many interactions (environment steps that act).
        calls_per_interaction: How many calls of one interaction run.
        overflow: What happens to further calls: reported as dropped, or carried over to the
            next interaction without asking the model (the reference implementation).
        tool_calls: Limit per tool name over the episode.
    """

    interactions: int | None
    calls_per_interaction: int | None
    overflow: Literal["drop", "carry"] = "drop"
    tool_calls: Mapping[str, int] = field(default_factory=dict)


# --- what happened --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shown(Plain):
    """A picture attached to an observation, under its handle."""

    handle: str
    picture: Picture


@dataclass(frozen=True, slots=True)
class Observation(Plain):
    """What the model sees after a step: text, and pictures in the order of their placeholders."""

    text: str
    shown: tuple[Shown, ...] = ()


@dataclass(slots=True)
class CallRecord(Plain):
    """One call as evaluators see it; nothing of this reaches the model.

    Args:
        tool, arguments: As validated when valid, as written when not; ``ignored`` counts too many calls.
        status: ``ok``, ``error`` or ``dropped``.
        code: Error code or ``""``.
        ranked: Keys returned, best first.
        modality, source, cost: See ``ToolResult`` and the tool.
        inputs: Handles used, with the number of the interaction each came from.
        new_handles: Handles that this call created.
        repairs: Repairs that parsing took.
    """

    tool: str
    arguments: Mapping[str, Any]
    status: Literal["ok", "error", "dropped"]
    code: str = ""
    ranked: tuple[str, ...] = ()
    modality: str = ""
    source: str = "computed"
    cost: int = 1
    inputs: tuple[tuple[str, int], ...] = ()
    new_handles: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()


Phase = Literal["act", "memory", "answer_only", "done"]


@dataclass(frozen=True, slots=True)
class Step(Plain):
    """One ``env.step``: what went in, what came out.

    Args:
        phase: What the environment expected: an action, a memory text, or an answer.
        action: The model's text, or the canonical text of a structured action.
        structured: The action came as dicts.
        calls: The calls of the interaction, dropped ones included.
        observation: What the model saw next.
        reward: The total reward.
        terms: Every reward term by name, weighted or not.
        answer: The final answer given in this step, or None.
        verdict: ``yes``, ``no``, ``unsure``, or ``""`` before an answer.
        reason: Why, as a stable code that never quotes the gold.
        failure: ``kind`` and ``by`` (``policy``, ``injected``, ``env``), or empty strings.
        reproducible: False when a wall-clock limit cut something short.
        vectors: Query vectors of ``recorded`` encoders that this step used: base64 by query digest.
    """

    phase: Phase
    action: str
    structured: bool
    calls: tuple[CallRecord, ...]
    observation: Observation
    reward: float
    terminated: bool
    truncated: bool
    terms: Mapping[str, float] = field(default_factory=dict)
    answer: str | None = None
    verdict: str = ""
    reason: str = ""
    failure: tuple[str, str] = ("", "")
    reproducible: bool = True
    vectors: Mapping[str, str] = field(default_factory=dict)
