"""Tasks made ready for an audit: each with its question to a scene and with what one search finds for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mosaic_env.core.errors import TaskError, shorten
from mosaic_env.core.seeds import python_random
from mosaic_env.core.types import Gold, Search, Task
from mosaic_env.envs.setup import Setup
from mosaic_env.snapshot.kb import KnowledgeBase
from mosaic_env.tasks.compose.scene_query import answer, ask_of
from mosaic_env.tasks.source import TaskSource, check_listable, get_pair, keys_of, some_keys, strangers

#: Rows of the search with the whole question: an attacker may use any of them.
TOP = 10
#: Rows of the search with the query of the last hop.
WALKED = 5
_BATCH = 64
#: Draws for each task that is wanted.
_DRAWS = 8
_FEWER = "Ask for fewer: --limit 1000, or keys of your choice"


@dataclass(frozen=True)
class Case:
    """A task to be audited.

    Args:
        task, gold: The pair.
        ask: The question to the target's scene as plain data, or empty when the source gives none.
        found: By route, the rows that one search with the whole question (or the question's picture) finds.
        walked: The rows that the last hop's query finds in texts: where a knowing agent ends up.
    """

    task: Task
    gold: Gold
    ask: Mapping[str, str]
    found: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    walked: tuple[int, ...] = ()

    @property
    def kind(self) -> str:
        """The question's type: constant guesses are fitted for each."""
        return self.gold.kind

    @property
    def target(self) -> str:
        """What the task is about; the task itself when gold names nothing."""
        return self.gold.target or self.task.key

    @property
    def question(self) -> tuple[str, ...]:
        """What is asked of which picture, whatever the way there."""
        return _asked(self.task, self.gold)

    @property
    def playable(self) -> bool:
        """Whether the oracle can play it: gold names a chain and what to read off the last picture."""
        return bool(self.gold.chain) and bool(self.ask)


class KeptSource:
    """A task source that remembers pairs and scenes: an audit asks for each many times, and making them takes time.

    Args:
        source: The source, which may be a stranger's.
    """

    def __init__(self, source: TaskSource) -> None:
        self._source = source
        self._pairs: dict[str, tuple[Task, Gold]] = {}
        self._scenes: dict[str, Any] = {}
        self.world = source.world

    def keys(self) -> Sequence[str]:
        """Return the source's keys."""
        return self._source.keys()

    def get(self, key: str) -> tuple[Task, Gold]:
        """Return a task and its gold, checked.

        Raises: TaskError (ME-TASK-01, ME-TASK-05).
        """
        if key not in self._pairs:
            self._pairs[key] = get_pair(self._source, key)
        return self._pairs[key]

    @property
    def has_scenes(self) -> bool:
        """Whether the source knows what pictures show."""
        return callable(getattr(self._source, "scene", None))

    def scene(self, digest: str) -> Any:
        """Return what a picture shows, or None."""
        if digest not in self._scenes:
            call = f"{type(self._source).__name__}.scene({shorten(digest)})"
            with strangers(call):
                scene = self._source.scene(digest) if self.has_scenes else None  # type: ignore[attr-defined]
            if scene is not None and not _is_scene(scene):
                raise TaskError(
                    "ME-TASK-05", f"{call} returned {shorten(scene)}",
                    expected="a dict with the lists of dicts things and lettering, or None",
                )  # fmt: skip
            self._scenes[digest] = scene
        return self._scenes[digest]


def _is_scene(scene: Any) -> bool:
    parts = (
        [scene.get(part, ()) for part in ("things", "lettering")] if isinstance(scene, Mapping) else [None]
    )
    return all(
        isinstance(part, (list, tuple)) and all(isinstance(entry, Mapping) for entry in part)
        for part in parts
    )


class Sight:
    """What can be read and seen in a world: texts for all, scenes where the source knows them.

    Args:
        kb: The knowledge base.
        source: Knows what pictures show.
    """

    def __init__(self, kb: KnowledgeBase, source: KeptSource) -> None:
        self._kb = kb
        self._source = source
        self.has_scenes = source.has_scenes

    def key(self, row: int) -> str:
        """Return an entity's key."""
        return self._kb.keys[row]

    def text(self, row: int) -> str:
        """Return what a search result says about an entity."""
        return f"{self._kb.labels[row]}. {self._kb.texts[row] or self._kb.descriptions[row]}"

    def scene(self, row: int) -> Any:
        """Return what an entity's picture shows, or None."""
        stored = self._kb.pictures.get(row)
        return None if stored is None else self._source.scene(stored.picture.digest)

    def reads(self, row: int, ask: Mapping[str, str]) -> str | None:
        """Return what an entity's picture answers, or None."""
        scene = self.scene(row) if ask else None
        with strangers("asking a picture's scene"):  # a stranger's scene may have any form
            return None if scene is None else answer(scene, ask)

    def pictured(self, rows: Sequence[int]) -> tuple[int, ...]:
        """Return the rows that have a picture."""
        return tuple(row for row in rows if row in self._kb.pictures)


def gather(setup: Setup, keys: Sequence[str], *, pictures: bool = True) -> list[Case]:
    """Return the tasks of some keys, each with what one search finds for it.

    Args:
        pictures: Search pictures as well as texts.

    Raises: TaskError (ME-TASK-01, ME-TASK-05).
    Cost: two or three searches a task, batched.
    """
    cases = []
    for start in range(0, len(keys), _BATCH):
        pairs = [get_pair(setup.source, key) for key in keys[start : start + _BATCH]]
        searches = [_searches(setup, task, gold, pictures=pictures) for task, gold in pairs]
        flat = [search for named in searches for search in named.values()]
        rows = iter([hits.rows for hits in setup.world.search(flat)])
        for (task, gold), named in zip(pairs, searches, strict=True):
            found = {name: next(rows) for name in named}
            walked = found.pop("walked", ())
            cases.append(Case(task, gold, ask_of(gold), found, walked))
    return cases


def _searches(setup: Setup, task: Task, gold: Gold, *, pictures: bool) -> dict[str, Search]:
    """Return the searches of a task by name: routes for the whole question, and the last hop's query."""
    world, facts = setup.world, setup.config.corpus == "closed"
    searches = {"text": Search("text", task.question, TOP, facts=facts)}
    if pictures and "text_to_image" in world.routes:  # pictures have an index of their own for texts
        searches["text_to_image"] = Search("text_to_image", task.question, TOP, pictured=True, facts=facts)
    if pictures and task.pictures and "image" in world.routes:
        searches["image"] = Search("image", task.pictures[0], TOP)
    last = gold.chain[-1] if gold.chain else None
    if last is not None and last.query and last.tool != "local_image_search":
        searches["walked"] = Search("text", last.query, WALKED, facts=facts)
    return searches


def _asked(task: Task, gold: Gold) -> tuple[str, ...]:
    ask = ask_of(gold)
    if not ask:  # a source that does not say: every task is a question of its own
        return (task.key,)
    return (gold.target, *(f"{name}={ask[name]}" for name in sorted(ask)))


def unlike(source: TaskSource, most: int | None) -> list[str]:
    """Return at most so many keys of tasks for an audit, which ask as many different questions as can be found.

    A thousand tasks drawn from endless ones may lead to a hundred pictures by many ways; about what attackers
    guess they say little more than a hundred would. So of tasks that end in the same question to the same
    picture one is taken, and more of them only where eight times as many draws give too few questions.

    Raises: TaskError (ME-TASK-01, ME-TASK-05, ME-TASK-06).
    Determinism: a pure function of the source's tasks and ``most``.
    Cost: composes up to eight times as many tasks.
    """
    keys = keys_of(source)
    if most is None or most >= len(keys):
        return spread(keys, most)
    check_listable(most, _FEWER)
    draws = min(len(keys), _DRAWS * most)
    first: dict[tuple[str, ...], int] = {}
    again: list[int] = []
    for place in python_random(0, "unlike").sample(range(len(keys)), draws):
        asked = _asked(*get_pair(source, keys[place]))
        if asked in first:
            again.append(place)
        else:
            first[asked] = place
        if len(first) == most:
            break
    return [keys[place] for place in sorted([*first.values(), *again][:most])]


def spread(keys: Sequence[str], most: int | None, purpose: str = "audit") -> list[str]:
    """Return at most so many keys, drawn from all of them, in their order.

    A source may have far more keys than are wanted: only the drawn ones are looked at. They are drawn, not
    counted off: in a list in which splits take turns, every third key is of the same one.

    Args:
        purpose: Another one draws other keys.

    Raises: TaskError (ME-TASK-06) for more than a million.
    Determinism: a pure function of the number of keys, ``most`` and ``purpose``.
    """
    count = len(keys)
    if most is None or most >= count:
        return some_keys(keys, fix=_FEWER)
    check_listable(most, _FEWER)
    return [keys[place] for place in sorted(python_random(0, "spread", purpose).sample(range(count), most))]
