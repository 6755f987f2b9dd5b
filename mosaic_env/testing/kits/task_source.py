"""``check_task_source``: keys, determinism, worlds, answers that score, and nothing of the gold in public."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any

from mosaic_env.core.canon import canonical_text
from mosaic_env.core.errors import TaskError, shorten
from mosaic_env.core.types import Gold, Picture, Task
from mosaic_env.scoring.colours import colour_name
from mosaic_env.scoring.score import score
from mosaic_env.snapshot.locate import find_snapshot
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.tasks.open import open_source
from mosaic_env.tasks.source import SourceContext, SourceFactory, TaskSource
from mosaic_env.testing.errors import HarnessError
from mosaic_env.testing.kits.base import Broken, expect, pickled, run_checks

#: Tasks that are looked at; of larger sources an even selection.
MOST = 200
#: Words that this many other tasks have as well tell nothing.
_GENERIC = 2
#: So many answers may stand in their questions by coincidence, however few tasks there are.
_CHANCES = 3
#: Keys that are compared with each other; of more, an even selection.
_MOST_KEYS = 100_000
_ODD_KEYS = ("", "no such task", "toy/", "/", "../x/1", "\x00", "\ud800/1", "x" * 5000)


def check_task_source(
    source: str | TaskSource | SourceFactory,
    snapshot: str | os.PathLike[str] | None = None,
    *,
    level: str = "interlv-l1",
    split: str | None = None,
) -> list[str]:
    """Check that a task source keeps the contract of ``mosaic_env.tasks.source``.

    An answer that stands in its own question is gold in public, unless the question offers it as one
    of several, or it tells nothing: a whole number below 100, a colour, or words that at least two
    other tasks have as their answer, or have in their question and another answer. Such coincidences
    are reported and may be at most three, or one task in twenty.

    Args:
        source: A source; or what ``gym.make`` takes as ``tasks``, or the class or function that is
            registered, from which a source is made here.
        snapshot: Name or folder of the snapshot to make the source for; None is the bundled one.
        level, split: What else to make it for.

    Returns: What was checked.
    Raises: CheckFailed saying what to fix; HarnessError (ME-TESTING-01) for what is no source;
        SnapshotError when there is no snapshot, and what ``open_source`` raises.
    Cost: at most 200 tasks are looked at.
    """
    made = _made(source, snapshot, level, split)
    kit = _SourceKit(made)
    return run_checks(
        f"check_task_source({type(made).__name__})",
        [
            ("keys", kit.check_keys),
            ("pairs", kit.check_pairs),
            ("world", kit.check_world),
            ("unknown keys", kit.check_unknown),
            ("gold scores", kit.check_scores),
            ("no gold in public", kit.check_public),
        ],
    )


def _made(source: Any, snapshot: str | os.PathLike[str] | None, level: str, split: str | None) -> TaskSource:
    """Return the source itself, or the one of a name, class or function."""
    if isinstance(source, TaskSource) and not isinstance(source, type):
        return source
    if not isinstance(source, str) and not callable(source):
        raise HarnessError(
            "ME-TESTING-01", f"check_task_source got {shorten(source, 60)}",
            expected="a task source with world, keys and get; or its class or registered name",
            fix="Pass the source, its class, or its name with snapshot=",
        )  # fmt: skip
    context = SourceContext(Snapshot(find_snapshot(snapshot)), level, split)
    return open_source(source, context) if isinstance(source, str) else source(context)


class _SourceKit:
    """The checks, over one even selection of tasks."""

    def __init__(self, source: TaskSource) -> None:
        self.source = source
        self.pairs: list[tuple[Task, Gold]] = []

    def check_keys(self) -> str:
        """Check that keys are texts, unique and in a stable order."""
        listed = self.source.keys()
        keys = _some(listed)
        expect(keys, "there are no keys", "Raise TaskError when nothing can be played")
        odd = next(
            (key for key in keys if not isinstance(key, str) or not re.fullmatch(r"[^/\s]+/\S+", key)), None
        )
        expect(odd is None, f"{odd!r} is no key", "Use global keys: source/name")
        expect(len(set(keys)) == len(keys), "a key stands twice", "Give each task a key of its own")
        expect(_some(self.source.keys()) == keys, "a second call of keys() gives others", "Keep one order")
        return f"{len(listed)} tasks"

    def check_pairs(self) -> str:
        """Check that the same key gives the same task and gold, and that both can be pickled."""
        keys = self.source.keys()
        chosen = [keys[n] for n in range(0, len(keys), max(len(keys) // MOST, 1))][:MOST]
        for key in chosen:
            found = self.source.get(key)
            whole = isinstance(found, tuple) and len(found) == 2
            if not (whole and isinstance(found[0], Task) and isinstance(found[1], Gold)):
                raise Broken(f"get({key!r}) gives {shorten(found, 60)}", "Return (Task, Gold)")
            task, gold = found
            expect(
                task.key == gold.key == key, f"get({key!r}) gives {task.key!r} with the gold of {gold.key!r}"
            )
            expect(bool(task.question.strip()), f"{key} has no question")
            expect(all(isinstance(picture, Picture) for picture in task.pictures), f"{key} has odd pictures")
            canonical_text(task.as_dict())
            expect(pickled(found) == found, f"{key} changes when pickled")
            self.pairs.append((task, gold))
        for task, gold in reversed(self.pairs):
            again = self.source.get(task.key)
            same = (again[0].digest, again[1].digest) == (task.digest, gold.digest)
            expect(same, f"a second get({task.key!r}) gives another task", "Derive everything from the key")
        return f"{len(chosen)} looked at"

    def check_world(self) -> str:
        """Check that the source says which world it is about, and that its tasks agree."""
        world = getattr(self.source, "world", None)
        expect(isinstance(world, str) and world, f"world is {world!r}", "Name the world, or give '*' for any")
        for task, _ in self.pairs:
            fits = "*" in (task.world, world) or task.world == world
            expect(fits, f"{task.key} is about {task.world!r}, the source about {world!r}")
        return str(world)

    def check_unknown(self) -> None:
        """Check that unknown keys raise TaskError."""
        known = self.source.keys()
        first = self.pairs[0][0].key
        for key in (*_ODD_KEYS, first + "-no-such-task"):
            if key in known:
                continue
            try:
                self.source.get(key)
            except TaskError:
                continue
            except Exception as error:
                raise Broken(
                    f"get({shorten(key, 40)}) raises {type(error).__name__}", "Raise TaskError"
                ) from error
            raise Broken(
                f"get({shorten(key, 40)}) gives a task", "Raise TaskError for keys that keys() does not list"
            )

    def check_scores(self) -> None:
        """Check that the gold and its aliases score, and that silence does not."""
        for task, gold in self.pairs:
            expect(bool(gold.answer.strip()), f"{task.key} has no answer")
            for answer in (gold.answer, *gold.aliases):
                verdict = score(answer, gold, task.question)
                expect(
                    verdict.value == "yes",
                    f"{task.key}: the reference answer {shorten(answer, 60)} scores {verdict.value} ({verdict.reason})",
                    "Give gold.kind, or an answer that the scorer can read",
                )  # fmt: skip
            for nothing in ("", "   "):
                value = score(nothing, gold, task.question).value
                expect(value != "yes", f"{task.key}: an empty answer scores", "Check the reference answer")

    def check_public(self) -> str:
        """Check that question and tags hold neither answer, nor target, nor notes."""
        chances: list[str] = []
        for number, (task, gold) in enumerate(self.pairs):
            self._check_hidden(task, gold)
            for answer in (gold.answer, *gold.aliases):
                expect(
                    not _has(_plain(" ".join(task.tags)), _plain(answer)),
                    f"{task.key}: the tags hold the answer {shorten(answer, 60)}", "Keep it in Gold",
                )  # fmt: skip
                if not _has(_plain(task.question), _plain(answer)) or self._offered(number, _plain(answer)):
                    continue
                expect(
                    self._tells_nothing(number, _plain(answer)),
                    f"{task.key}: the question holds the answer {shorten(answer, 60)}", "Ask without saying it",
                )  # fmt: skip
                chances.append(task.key)
        listed = ": " + ", ".join(chances[:3]) if chances else ""
        few = len(chances) <= max(_CHANCES, len(self.pairs) // 20)
        many = f"{len(chances)} of {len(self.pairs)} questions hold their answer{listed}"
        expect(few, many, "Ask without saying it")
        return f"{len(chances)} answers stand in their question by coincidence{listed}"

    def _check_hidden(self, task: Task, gold: Gold) -> None:
        public = f"{task.question}\n{' '.join(task.tags)}"
        hidden = (text for text in (gold.target, *gold.notes.values()) if text)
        told = next((text for text in hidden if _word_in(text, public)), "")
        expect(
            not told, f"{task.key}: the public part holds {shorten(told, 60)} of the gold", "Keep it in Gold"
        )

    def _offered(self, number: int, answer: str) -> bool:
        """Tell whether the question offers the answer as one of several."""
        task, gold = self.pairs[number]
        beside = rf"\bor (?:\w+ )?{re.escape(answer)}\b|\b{re.escape(answer)} (?:\w+ )?or\b"
        return gold.kind == "choice" or re.search(beside, _plain(task.question)) is not None

    def _tells_nothing(self, number: int, answer: str) -> bool:
        """Tell whether an answer inside its question is a small number, a colour, or what many tasks have."""
        if (answer.isdecimal() and len(answer) <= 2) or colour_name(answer):
            return True
        others = [pair for n, pair in enumerate(self.pairs) if n != number]
        answers = sum(_plain(gold.answer) == answer for _, gold in others)
        questions = sum(
            _has(_plain(task.question), answer) for task, gold in others if _plain(gold.answer) != answer
        )
        return max(answers, questions) >= _GENERIC


def _some(keys: Sequence[str]) -> list[str]:
    """Return keys to look at: all of them, or an even selection where a source has no end of them."""
    return [keys[n] for n in range(0, len(keys), max(len(keys) // _MOST_KEYS, 1))]


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _has(text: str, words: str) -> bool:
    return bool(words) and f" {words} " in f" {text} "


def _word_in(text: str, public: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(text)}(?!\w)", public) is not None
