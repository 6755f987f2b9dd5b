"""The judge seam: the scorer's verdict, and a model's where the scorer is unsure.

A model's verdict is kept by the digest of what it was asked, its name and the prompt's version, so that judging the
same run again asks nothing. Kept are verdicts only: a reply may quote the reference, and no file may.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mosaic_env.agents.models.base import Model, Request
from mosaic_env.core.canon import canonical_text, strict_loads
from mosaic_env.core.errors import CanonError, EvalError, RecordError, shorten
from mosaic_env.core.types import Gold
from mosaic_env.envs.episode import Episode
from mosaic_env.evals.judge.prompt import VERSION, make_request
from mosaic_env.evals.judge.verdict import read_verdict
from mosaic_env.evals.records import Judged
from mosaic_env.record.recorder import Recorder, Recording
from mosaic_env.scoring.score import score

#: What an episode's notes call a verdict that a model gave.
NOTE = "judged"
_VALUES = ("yes", "no")


class Judge:
    """A language model that decides what rules cannot.

    Args:
        model: Who is asked.
        cache: Folder that keeps verdicts, made when missing; None keeps none.
        settings: Of the request, in place of ``prompt.SETTINGS``.

    Raises: EvalError (ME-JUDGE-01) for a folder that cannot be used.
    Safe to call from several threads, as far as the model is.
    """

    def __init__(
        self, model: Model, cache: Path | None = None, settings: Mapping[str, Any] | None = None
    ) -> None:
        self._model = model
        self._settings = settings
        self._kept = None if cache is None else _open(cache)

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    def decide(self, answer: str, gold: Gold, question: str, reason: str = "") -> Judged:
        """Return the model's verdict on an answer; one that cannot be read is ``no``, with ``parsed=False``.

        Args:
            reason: Why the rules left it open; kept as the verdict's reason.

        Raises: ModelError when the model gives no answer; EvalError (ME-JUDGE-01) for a damaged cache.
        Cost: one request, or none when it was asked before.
        """
        request = make_request(answer, gold, question, self._settings)
        value = self._verdict(request)
        known = value in _VALUES
        return Judged("yes" if value == "yes" else "no", "model", reason, self.name, VERSION, parsed=known)

    def _verdict(self, request: Request) -> str:
        """Return ``yes``, ``no``, or ``""`` for a reply that cannot be read."""
        if self._kept is None:
            return self._ask(request)
        asked = {"request": request.digest, "model": self.name, "prompt": VERSION}
        try:
            found = self._kept.call("judge", 1, asked, lambda _: {"verdict": self._ask(request)})
        except RecordError as error:
            raise _unusable(error.what) from None
        if not isinstance(found, dict) or found.get("verdict") not in (*_VALUES, ""):
            raise _unusable("it holds something else than verdicts")
        return str(found["verdict"])

    def _ask(self, request: Request) -> str:
        return read_verdict(self._model.complete(request).text) or ""

    def close(self) -> None:
        """Close the folder."""
        if self._kept is not None:
            self._kept.recording.close()


def _open(folder: Path) -> Recorder:
    try:
        return Recorder(Recording(folder, create=True), "record-missing")
    except (RecordError, OSError) as error:
        what = error.what if isinstance(error, RecordError) else type(error).__name__
        raise _unusable(what) from None


def _unusable(what: str) -> EvalError:
    return EvalError(
        "ME-JUDGE-01", f"the folder of a judge's verdicts cannot be used: {what}",
        expected="a folder of its own that can be written", fix="Give another folder",
    )  # fmt: skip


def judge_answer(
    answer: str | None, gold: Gold, question: str, judge: Judge | None = None, *, rules: Judged | None = None
) -> Judged:
    """Return the verdict on an answer: the rules', or the judge's where they are unsure.

    Args:
        answer: The final answer; none is wrong, and nobody is asked.
        judge: Without one, unsure stays unsure.
        rules: The rules' verdict, when it is known already.

    Raises: ModelError, EvalError: see ``Judge.decide``.
    """
    if answer is None or not answer.strip():
        return Judged("no", reason="empty")
    if rules is None:
        found = score(answer, gold, question)
        rules = Judged(found.value, reason=found.reason)
    if rules.value != "unsure" or judge is None:
        return rules
    return judge.decide(answer, gold, question, rules.reason)


def recorded(episode: Episode) -> Judged | None:
    """Return the rules' verdict from when an episode was played, or None when it gave no answer."""
    last = episode.steps[-1] if episode.steps else None
    if last is None or last.answer is None or last.verdict not in (*_VALUES, "unsure"):
        return None
    return Judged(last.verdict, reason=last.reason)  # type: ignore[arg-type]


def judge_episode(
    episode: Episode, gold: Gold, judge: Judge | None = None, *, rescore: bool = False
) -> Judged:
    """Return the verdict on an episode's answer.

    Args:
        judge: Asked where the rules are unsure; without one, the verdict in the episode's notes counts there.
        rescore: Ask the rules of this release; otherwise the verdict that the episode recorded counts.

    Raises: ModelError, EvalError: see ``Judge.decide``; EvalError (ME-EVAL-01) for a damaged note.
    """
    answer, rules = episode.answer, None if rescore else recorded(episode)
    if judge is None:
        found = judge_answer(answer, gold, episode.task.question, rules=rules)
        noted = episode.notes.get(NOTE)
        return read_note(noted) if noted and found.value == "unsure" else found
    return judge_answer(answer, gold, episode.task.question, judge, rules=rules)


def write_note(judged: Judged) -> str:
    """Return a verdict as the text that stands in an episode's notes under ``NOTE``."""
    return canonical_text(judged.as_dict())


def read_note(text: str) -> Judged:
    """Return the verdict that ``write_note`` wrote.

    Raises: EvalError (ME-EVAL-01).
    """
    try:
        plain = strict_loads(text)
        judged = Judged(**plain)
        typed = all(isinstance(getattr(judged, name), str) for name in ("reason", "model", "prompt"))
        typed = typed and isinstance(judged.parsed, bool)
        if judged.value in (*_VALUES, "unsure") and judged.by in ("rules", "model") and typed:
            return judged
    except (CanonError, TypeError):
        pass
    raise EvalError(
        "ME-EVAL-01", f"an episode's note of its verdict cannot be read: {shorten(text)}",
        expected="what mosaic eval wrote", fix="Judge the run again",
    )  # fmt: skip
