"""``mosaic tasks list``: the keys and questions of a task set."""

from __future__ import annotations

import argparse
from typing import Any

from mosaic_env.cli.command import add_command, whole
from mosaic_env.cli.playing import add_env_arguments, make_env


def add_list(actions: Any) -> None:
    """Add the command to the actions of ``mosaic tasks``."""
    listing = add_command(
        actions, "list", _list, "print the keys, levels and questions of tasks, one a line",
        "A question is cut where the line ends; 'mosaic tasks export --format jsonl' writes whole ones.",
    )  # fmt: skip
    listing.add_argument(
        "--env", default="InterLV-L2-v0", metavar="ID", help="environment id (default: InterLV-L2-v0)"
    )
    listing.add_argument(
        "--limit", type=whole(1), default=20, metavar="N", help="only the first N tasks (default: 20)"
    )
    add_env_arguments(listing)


def _list(arguments: argparse.Namespace) -> int:
    from itertools import islice

    from mosaic_env import console
    from mosaic_env.core.words import counted
    from mosaic_env.tasks.source import get_pair

    env = make_env(arguments).unwrapped
    source, keys = env.setup.source, env.task_keys
    tasks = [get_pair(source, key)[0] for key in islice(keys, arguments.limit)]
    if tasks:
        rows: list[tuple[object, ...]] = [(task.key, task.level, task.question) for task in tasks]
        console.table("", ("key", "level", "question"), rows, one_line=True)
    console.out.print(f"{len(tasks):,} of {counted(len(keys), 'task')}")
    unplayable = getattr(source, "unplayable", {})
    if unplayable:
        console.note(
            f"{counted(sum(unplayable.values()), 'more task')} cannot be played here; "
            "'mosaic snapshot info' says why"
        )
    return 0
