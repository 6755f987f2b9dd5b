"""Episodes written by hand, for metrics: calls, steps and scored tasks in one line each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mosaic_env.core.types import CallRecord, Gold, Hop, Observation, Picture, Shown, Step, Task
from mosaic_env.envs.episode import Episode
from mosaic_env.evals.judge.judge import judge_episode
from mosaic_env.evals.records import Scored

TARGET = "Q1"
PICTURE = Picture("sha256:" + "0" * 64, "image/png", 10, 10)
TOOLS = (
    "local_text_search",
    "local_text_search_with_image",
    "local_text_to_image_search",
    "local_image_search",
    "image_crop",
)
CONFIG = {
    "family": "interlv-l2", "interactions": 3, "calls_per_interaction": 3, "overflow": "drop", "tools": list(TOOLS),
    "difficulty": None,
}  # fmt: skip
_VERDICTS = {"yes": "exact", "no": "different", "unsure": "partial", "": ""}


def search(*ranked: str, query: str = "words", **fields: Any) -> CallRecord:
    """A search by words that ran."""
    return CallRecord(
        "local_text_search", {"query": query}, "ok", ranked=ranked, **{"modality": "text", **fields}
    )


def by_picture(handle: str, *ranked: str, **fields: Any) -> CallRecord:
    """A search with a picture that ran."""
    call = CallRecord(
        "local_image_search", {"image": handle}, "ok", ranked=ranked, modality="image", **fields
    )
    call.inputs = ((handle, 1),)
    return call


def failed(tool: str = "local_text_search", code: str = "bad_argument") -> CallRecord:
    return CallRecord(tool, {}, "error", code)


def dropped(tool: str = "local_text_search") -> CallRecord:
    return CallRecord(tool, {}, "dropped", "dropped", cost=0)


def step(
    *calls: CallRecord, text: str = "", shown: tuple[str, ...] = (), phase: Any = "act", **fields: Any
) -> Step:
    """A step without an answer."""
    seen = Observation(text, tuple(Shown(handle, PICTURE) for handle in shown))
    return Step(phase, "…", False, calls, seen, 0.0, **{"terminated": False, "truncated": False, **fields})


def answer(
    verdict: str, text: str = "an answer", *, extra: bool = False, reason: str = "", **fields: Any
) -> Step:
    """The last step: an answer with its verdict; ``""`` is none."""
    phase: Any = "answer_only" if extra or not verdict else "act"
    given = {"answer": text, "verdict": verdict, "terminated": True} if verdict else {"truncated": True}
    return step(phase=phase, reason=reason or _VERDICTS[verdict], **given, **fields)


def played(
    name: str,
    *steps: Step,
    level: str = "interlv-l1",
    gold: str = "red",
    kind: str = "colour",
    target: str = TARGET,
    tags: tuple[str, ...] = (),
    chain: tuple[Hop, ...] = (),
    question: str = "",
    config: Mapping[str, Any] | None = None,
    notes: Mapping[str, str] | None = None,
) -> Scored:
    """One scored task."""
    task = Task(f"hand/{name}", question or f"What is {name}?", level=level, tags=tags)
    reference = Gold(task.key, gold, kind=kind, target=target, chain=chain)
    plain = {**CONFIG, **(config or {})}
    first = Observation(f"Question: {task.question}")
    episode = Episode(
        "", "snapshot", "world", plain, "config", (0, 0), task, reference.digest, first, steps, notes or {}
    )
    return Scored(episode, reference, judge_episode(episode, reference), dict(notes or {}))


def ten() -> list[Scored]:
    """The ten episodes of ``test_metrics_retrieval.py``: what each found and whether it was right."""
    l2: Any = {"level": "interlv-l2"}
    lost = ("A", "B", "C", "D", "E")
    return [
        played("01", step(search(TARGET, "A")), answer("yes")),
        played("02", step(search("A", "B", "C", "D", TARGET)), answer("yes")),  # fifth: found
        played("03", step(search(*lost, TARGET)), answer("no")),  # sixth: not found
        played("04", step(search(TARGET)), step(search(*lost)), answer("yes")),  # found, then lost
        played("05", step(search("A", TARGET)), answer("no")),
        played("06", step(), step(), step(), answer("yes", extra=True), **l2),  # never searched
        played("07", step(search(*lost), by_picture("kb_1", "A", "B", TARGET)), answer("no"), **l2),
        played("08", step(search(TARGET)), step(failed()), answer(""), **l2),  # what fails does not retrieve
        played("09", step(search(TARGET)), step(search()), answer("yes"), **l2),  # nothing found is a ranking
        played("10", step(search("A")), step(search(TARGET), dropped()), answer("unsure"), **l2),
    ]
