"""``check_task_source`` finds what is planted in small broken sources."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from mosaic_env.core.errors import TaskError
from mosaic_env.core.types import Gold, Task
from mosaic_env.tasks.source import SOURCES, SourceContext
from mosaic_env.testing import CheckFailed, check_task_source
from mosaic_env.testing.errors import HarnessError

PLACES = ("Velden", "Ashgrove", "Marrow", "Tarn", "Ostwick", "Lorne", "Pell", "Quill", "Rusk", "Selby")


class Towns:
    """Ten tasks about towns."""

    world = "*"

    def keys(self) -> Sequence[str]:
        return [f"towns/{n}" for n in range(len(PLACES))]

    def get(self, key: str) -> tuple[Task, Gold]:
        if key not in self.keys():
            raise TaskError("ME-TASK-01", f"there is no task {key!r}")
        number = int(key.partition("/")[2])
        return self.task(key, number), self.gold(key, number)

    def task(self, key: str, number: int) -> Task:
        return Task(
            key, f"Which town lies {number + 100} miles north of the town by the lake?", tags=("north",)
        )

    def gold(self, key: str, number: int) -> Gold:
        return Gold(
            key, PLACES[number], target=f"T{number}", notes={"chain": f"lake, then {PLACES[number]} itself"}
        )


def changed(**attributes: Any) -> Towns:
    """Return a source with other attributes."""
    made: Towns = type("Broken", (Towns,), attributes)()
    return made


def question(text: Any) -> Towns:
    """Return a source whose questions are made by a function of the number."""
    return changed(task=lambda self, key, number: Task(key, text(number)))


def golds(make: Any) -> Towns:
    """Return a source whose golds are made by a function."""
    return changed(gold=lambda self, key, number: make(key, number))


def test_a_source_passes() -> None:
    done = check_task_source(Towns())
    assert done[:3] == ["keys (10 tasks)", "pairs (10 looked at)", "world (*)"]
    assert done[-1] == "no gold in public (0 answers stand in their question by coincidence)"


@pytest.mark.parametrize(
    ("source", "count"),
    [
        (question(lambda n: f"Is it {PLACES[n]} or Nowhere, {n}?"), 0),  # offered as one of several
        (question(lambda n: f"Is it the small {PLACES[n]} port or a large town, {n}?"), 0),
        (question(lambda n: f"Which town is like {PLACES[0]}, {PLACES[1]}, number {n + 100}?"), 2),
        (golds(lambda key, n: Gold(key, "red" if n == 3 else PLACES[n])), 0),
        (changed(task=lambda self, key, n: Task(key, f"What has 7 arms and a red flag, {n + 100}?"),
                 gold=lambda self, key, n: Gold(key, "7" if n == 1 else "red" if n == 2 else PLACES[n])), 2),
    ],
)  # fmt: skip
def test_coincidences_are_reported(source: Towns, count: int) -> None:
    assert check_task_source(source)[-1].startswith(f"no gold in public ({count} answers stand")


COUNT = itertools.count()


class NotATask:
    """Looks like a task and is none."""

    key = "towns/0"


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (changed(keys=lambda self: []), "keys: there are no keys"),
        (changed(keys=lambda self: ["one"]), "keys: 'one' is no key"),
        (changed(keys=lambda self: ["towns/1", 5]), "keys: 5 is no key"),
        (changed(keys=lambda self: ["towns/1", "towns/1"]), "keys: a key stands twice"),
        (changed(keys=lambda self: [f"towns/{next(COUNT)}"]), "keys: a second call of keys() gives others"),
        (changed(get=lambda self, key: Towns.get(self, key)[0]), "pairs: get('towns/0') gives Task"),
        (changed(get=lambda self, key: (NotATask(), Towns.get(self, key)[1])), "pairs: get('towns/0') gives"),
        (changed(task=lambda self, key, n: Task("towns/9", "Which?")), "pairs: get('towns/0') gives 'towns/9'"),
        (changed(gold=lambda self, key, n: Gold("towns/9", "x")), "with the gold of 'towns/9'"),
        (question(lambda n: " "), "pairs: towns/0 has no question"),
        (changed(task=lambda self, key, n: Task(key, "?", pictures=("a.png",))), "pairs: towns/0 has odd pictures"),
        (question(lambda n: f"Which one is it, {next(COUNT)}?"), "pairs: a second get('towns/9') gives another task"),
        (golds(lambda key, n: Gold(key, f"town {next(COUNT)}")), "pairs: a second get('towns/9') gives another task"),
        (changed(task=lambda self, key, n: Task(key, "Which?", tags=(lambda: 0,))), "pairs: CanonError"),
        (changed(world=None), "world: world is None"),
        (changed(world="tiny", task=lambda self, key, n: Task(key, "?", "mmkg-w")), "world: towns/0 is about 'mmkg-w'"),
        (changed(get=lambda self, key: (self.task(key, int(key[6:])), self.gold(key, int(key[6:])))),
         "unknown keys: get('') raises ValueError"),
        (changed(get=lambda self, key: Towns.get(self, key if key in self.keys() else "towns/0")),
         "unknown keys: get('') gives a task"),
        (golds(lambda key, n: Gold(key, "")), "gold scores: towns/0 has no answer"),
        (golds(lambda key, n: Gold(key, PLACES[n], aliases=("  ",))), "towns/0: the reference answer '  ' scores no"),
        (question(lambda n: f"Which town is {PLACES[n]}, {n + 100}?"), "towns/0: the question holds the answer"),
        (golds(lambda key, n: Gold(key, "Someplace", aliases=("the lake",))), "10 of 10 questions hold"),
        (changed(task=lambda self, key, n: Task(key, "Which?", tags=(PLACES[n],))), "the tags hold the answer"),
        (changed(task=lambda self, key, n: Task(key, f"Which is T{n}?")), "the public part holds 'T0'"),
        (changed(task=lambda self, key, n: Task(key, f"Hint: lake, then {PLACES[n]} itself, or {PLACES[n]} again?")),
         "the public part holds 'lake, then Velden itself'"),
    ],
)  # fmt: skip
def test_faults(source: Towns, says: str) -> None:
    with pytest.raises(CheckFailed) as caught:
        check_task_source(source)
    assert says in str(caught.value), str(caught.value)


def test_a_source_that_tells_all_its_colours() -> None:
    """One colour in a question is a coincidence; one in every question is a leak."""
    colours = ("red", "blue", "green", "white", "black", "brown", "grey", "pink", "purple", "yellow")
    source = changed(
        task=lambda self, key, n: Task(key, f"What colour is the door of house {n + 100} ({colours[n]})?"),
        gold=lambda self, key, n: Gold(key, colours[n], kind="colour"),
    )
    with pytest.raises(CheckFailed, match="10 of 10 questions hold their answer"):
        check_task_source(source)


class Made(Towns):
    """The same, made from a context as registered sources are."""

    def __init__(self, context: SourceContext) -> None:
        self.context = context


def test_a_source_may_be_given_as_its_class_or_name(tiny: Path) -> None:
    assert check_task_source(Made, tiny) == check_task_source(Towns())
    assert check_task_source(lambda context: Made(context), tiny) == check_task_source(Towns())
    SOURCES.add("towns", Made)
    try:
        assert check_task_source("towns", str(tiny), level="interlv-l2") == check_task_source(Towns())
    finally:
        SOURCES.remove("towns")
    with pytest.raises(TaskError, match="ME-TASK-02"):
        check_task_source("towns", tiny)


@pytest.mark.parametrize("value", [5, None, ["towns"]])
def test_what_is_no_source_is_told_what_to_pass(value: Any) -> None:
    with pytest.raises(HarnessError, match=r"check_task_source got .*its class, or its name with snapshot="):
        check_task_source(value)
