"""Splits: targets, gold bridges and wordings of train, val and test have nothing in common."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations

from mosaic_env.tasks.compose import Composed, asking, frames
from mosaic_env.tasks.compose.scene_query import TYPES
from mosaic_env.tasks.compose.splits import SPLITS, split_of, wordings
from mosaic_env.tasks.compose.steps import Named

Drawn = dict[tuple[str, str], list[Composed]]


def lists() -> list[tuple[str, ...]]:
    """Every list of wordings of questions."""
    found = [
        *(value for name, value in vars(frames).items() if name.isupper()),
        *(asking._ROLES | asking._ATTRIBUTES | asking._FACIAL).values(),
        asking._RUNS, asking._STANDS, asking._SPATIAL, asking._LETTERING,
    ]  # fmt: skip
    return [tuple(value) for value in found]


def test_shares_of_the_splits() -> None:
    shares = Counter(split_of(f"M{number:06d}") for number in range(20_000))
    assert {name: round(count / 20_000, 2) for name, count in shares.items()} == {
        "train": 0.6, "val": 0.15, "test": 0.15, "none": 0.1,
    }  # fmt: skip


def test_a_gold_path_belongs_to_the_split_but_for_a_named_start_of_held_out_tasks(drawn: Drawn) -> None:
    elsewhere = 0
    for (_, split), tasks in drawn.items():
        assert len(tasks) == 100, split
        for task in tasks:
            assert task.task.split == split
            named = split != "train" and isinstance(task.steps[0], Named)
            assert {split_of(key) for key in task.path[named:]} == {split}
            elsewhere += split_of(task.path[0]) != split
            ends = {hop.tail for hop in task.gold.chain} | {hop.head for hop in task.gold.chain} - {""}
            assert ends == set(task.path) and task.gold.target == task.path[-1]
    assert elsewhere > 0


def test_every_list_of_wordings_is_parted() -> None:
    assert len(lists()) > 20
    for options in lists():
        parts = [set(wordings(options, split)) for split in SPLITS]
        assert len(options) >= 6 and all(parts), options
        assert all(not one & other for one, other in combinations(parts, 2))
        assert set().union(*parts) == set(options)
        assert len(parts[0]) > len(parts[1]) == len(parts[2])
    assert set(wordings(("a", "b"), "train")) == set(wordings(("a", "b"), "test")), "too few to part"


def test_templates_of_the_splits_are_disjoint_and_every_split_asks_everything(drawn: Drawn) -> None:
    templates = defaultdict(set)
    types = defaultdict(set)
    for (level, split), tasks in drawn.items():
        templates[level, split] |= {task.gold.notes["template"] for task in tasks}
        types[level, split] |= {task.ask["type"] for task in tasks}
    for level in ("interlv-l1", "interlv-l2"):
        for one, other in combinations(SPLITS, 2):
            assert not templates[level, one] & templates[level, other]
        assert types[level, "train"] == set(TYPES)
        assert all(len(types[level, split]) >= len(TYPES) - 1 for split in SPLITS)


def test_question_texts_of_the_splits_share_no_frame(drawn: Drawn) -> None:
    """Seen from the questions alone: the words before the first name, and after the last sentence's colon."""
    for options in (frames.OPENINGS_SHOWN, frames.OPENINGS_NAMED):
        used = {
            split: {text for task in drawn["interlv-l2", split] for text in options if _begins(task, text)}
            for split in SPLITS
        }
        for split in SPLITS:
            assert used[split] and used[split] <= set(wordings(options, split))


def _begins(task: Composed, text: str) -> bool:
    stem = text.split("{")[0]
    return bool(stem) and task.task.question.startswith(stem) and _longest(task, text)


def _longest(task: Composed, text: str) -> bool:
    return task.gold.notes["template"].startswith(text)
