"""Visual pivots: searches that what a picture showed led to. A rule finds them; a judge may confirm each.

The rule. A picture has been *seen* when an earlier observation attached it, the question's pictures included. A
call of a later step that was run, not dropped, is a pivot by

    picture  its input is a picture that a result of an earlier step gave, or a crop of one (not the question's
             own picture or a crop of that: nothing was found yet when it is searched with);
    words    it is a search by words, a picture has been seen, and its query has a word that stood nowhere before:
             not in the question, in no earlier query, in no text the environment showed, except in what a search
             with a picture found. Words of fewer than three letters, numbers aside, and small words do not count;
    entity   it is a search by words, and its query holds the label of a result whose picture has been seen, a label
             that stood neither in the question nor in an earlier query.

A call is counted under the first that fits. ``picture`` is certain: a picture was the query. ``words`` may also come
from what the model knows or from another word for the same thing; ``entity`` may follow from the result's text alone,
so it is an upper bound. Texts are compared after NFKC and case folding.

Must not: read gold.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from mosaic_env.core.canon import strict_loads
from mosaic_env.core.errors import CanonError
from mosaic_env.core.types import CallRecord, Observation, Step
from mosaic_env.evals.metrics.groups import level_groups
from mosaic_env.evals.records import Scored
from mosaic_env.evals.tables import Cell, Rate, Table
from mosaic_env.scoring.words import STOP

Kind = Literal["picture", "words", "entity"]
_WORD = re.compile(r"\w+")
_LEAST_LETTERS = 3
_NOTE = (
    "Episodes with a search that a picture led to. By picture: a found picture was the query. By words: the query has "
    "words that no text but the results of a search with a picture had shown. By entity: it names a result whose "
    "picture was seen (an upper bound: the result's text may have been enough)."
)


@dataclass(frozen=True)
class Pivot:
    """A search that a picture led to.

    Args:
        step: Number of the step, from 1.
        call: Its place among the step's calls, from 0.
        kind: Why it counts.
        evidence: The handle, the new words or the label.
    """

    step: int
    call: int
    kind: Kind
    evidence: str


#: Tells whether a pivot that the rule found is one: the hook for a language model. Must be deterministic.
Confirm = Callable[[Scored, Pivot], bool]


@dataclass
class _Known:
    """What stood where before a step."""

    text: set[str]
    asked: str
    seen: bool = False
    found: set[str] = field(default_factory=set)
    labels: set[str] = field(default_factory=set)
    pictured: set[str] = field(default_factory=set)
    entries: dict[str, str] = field(default_factory=dict)


def pivots(scored: Scored) -> list[Pivot]:
    """Return the visual pivots of an episode, by the rule, in order.

    Cost: linear in the texts of the episode.
    """
    episode = scored.episode
    question = folded(episode.task.question)
    known = _Known(set(_WORD.findall(question)), question)
    _read(known, episode.first)
    found: list[Pivot] = []
    for number, step in enumerate(episode.steps, start=1):
        calls = [(place, call) for place, call in enumerate(step.calls) if call.status != "dropped"]
        found += [pivot for place, call in calls for pivot in _pivot(known, number, place, call)]
        _remember(known, step)
    return found


def _pivot(known: _Known, step: int, place: int, call: CallRecord) -> Iterator[Pivot]:
    """Yield the pivot that a call is, if it is one."""
    searched = [handle for handle, _ in call.inputs if handle in known.found]
    if call.modality == "image" and searched:
        yield Pivot(step, place, "picture", searched[0])
        return
    query = _query(call)
    if not query or not known.seen:
        return
    new = [word for word in _content(query) if word not in known.text]
    named = sorted(label for label in known.pictured if label in query and label not in known.asked)
    if new:
        yield Pivot(step, place, "words", " ".join(new))
    elif named:
        yield Pivot(step, place, "entity", max(named, key=len))


def _query(call: CallRecord) -> str:
    """Return the words of a search by words, folded."""
    query = call.arguments.get("query")
    return folded(query) if call.modality in ("text", "text_to_image") and isinstance(query, str) else ""


def _content(query: str) -> list[str]:
    words = dict.fromkeys(_WORD.findall(query))
    return [word for word in words if word not in STOP and (len(word) >= _LEAST_LETTERS or word.isdigit())]


def _remember(known: _Known, step: Step) -> None:
    """Add what a step asked, found and showed."""
    for call in step.calls:
        known.text.update(_WORD.findall(_query(call)))
        known.asked += "\n" + _query(call)
        if call.modality or any(handle in known.found for handle, _ in call.inputs):
            known.found.update(call.new_handles)
    _read(known, step.observation, [call for call in step.calls if call.status != "dropped"])


def _read(known: _Known, observation: Observation, calls: Sequence[CallRecord] = ()) -> None:
    """Add what an observation showed: its texts, its pictures, and the labels of results whose picture is seen."""
    for line in observation.text.split("\n"):
        plain = _plain(line)
        if not _found_by_picture(plain, calls):
            for text in _texts(plain):
                known.text.update(_WORD.findall(folded(text)))
        known.entries |= _labelled(plain)
    if observation.shown:
        known.seen = True
    for shown in observation.shown:
        label = known.entries.get(shown.handle)
        if label:
            known.pictured.add(label)


def _plain(line: str) -> Any:
    """Return a line of an observation: the data of a call's line, else the text itself."""
    if not line.startswith("{"):
        return line
    try:
        return strict_loads(line)
    except CanonError:
        return line


def _found_by_picture(plain: Any, calls: Sequence[CallRecord]) -> bool:
    """Tell whether a line is the result of a search with a picture; lines number the calls that were not dropped."""
    number = plain.get("call") if isinstance(plain, dict) else None
    return isinstance(number, int) and 0 < number <= len(calls) and calls[number - 1].modality == "image"


def _texts(plain: Any) -> Iterator[str]:
    if isinstance(plain, str):
        yield plain
    elif isinstance(plain, (dict, list)):
        for item in plain.values() if isinstance(plain, dict) else plain:
            yield from _texts(item)


def _labelled(plain: Any) -> dict[str, str]:
    """Return the labels of a call's results by the handle of their picture."""
    data = plain.get("data") if isinstance(plain, dict) else None
    rows = data.get("results") if isinstance(data, dict) else None
    found = {}
    for row in rows if isinstance(rows, list) else ():
        handle, label = (row.get("image"), row.get("label")) if isinstance(row, dict) else (None, None)
        if isinstance(handle, str) and isinstance(label, str) and len(label) >= _LEAST_LETTERS:
            found[handle] = folded(label)
    return found


def folded(text: str) -> str:
    """Return a text as texts are compared."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def pivot_table(scored: Sequence[Scored], confirm: Confirm | None = None) -> Table:
    """Return the share of episodes with a visual pivot, in all and by the first kind that fits.

    Args:
        confirm: Asked about each pivot that the rule found; only confirmed ones count.
    """
    rows: list[tuple[Cell, ...]] = []
    for level, ones in level_groups(scored).items():
        kinds = [_kinds(one, confirm) for one in ones]
        cells = [Rate.of(kind in found for found in kinds) for kind in get_args(Kind)]
        calls = sum(map(len, kinds))
        rows.append((level, Rate.of(map(bool, kinds)), *cells, calls))
    note = _NOTE + (" Each was confirmed by a judge." if confirm else " Found by rule.")
    columns = ("Tasks", "Episodes", "by picture", "by words", "by entity", "Pivots")
    return Table("pivots", "Visual pivots", columns, tuple(rows), note)


def _kinds(one: Scored, confirm: Confirm | None) -> list[Kind]:
    return [pivot.kind for pivot in pivots(one) if confirm is None or confirm(one, pivot)]
