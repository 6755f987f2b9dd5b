"""``mosaic view``: episodes as a page."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mosaic_env.cli.command import add_command, whole
from mosaic_env.cli.outputs import output_file

if TYPE_CHECKING:
    from mosaic_env.core.types import Gold
    from mosaic_env.envs.episode import Episode
    from mosaic_env.evals.report.page import Run


def add_commands(commands: Any) -> None:
    """Add this group's commands to the parser."""
    view = add_command(
        commands, "view", _view, "write episodes as one page that a browser opens without a network",
        "Shows what the model saw and wrote, step by step; two runs stand side by side. The page holds the gold of "
        "tasks whose snapshot is at hand, hidden until asked for.",
    )  # fmt: skip
    view.add_argument("file", type=Path, help="folder of mosaic eval, or a file of episodes")
    view.add_argument("--other", type=Path, metavar="FILE", help="a second run of the same tasks")
    view.add_argument(
        "--snapshot", metavar="DIR", help="where pictures and gold are (default: the bundled snapshot)"
    )
    view.add_argument(
        "--tasks", metavar="NAME", help="task set, source or module:source (default: the snapshot's)"
    )
    view.add_argument("--limit", type=whole(1), metavar="N", help="only the first N episodes of each file")
    view.add_argument(
        "--megabytes", type=whole(0), default=32, metavar="N", help="most pictures, in MB (default: 32)"
    )
    view.add_argument(
        "--out", type=Path, default=Path("view.html"), metavar="FILE", help="the page (default: view.html)"
    )


def _view(arguments: argparse.Namespace) -> int:
    from mosaic_env import console
    from mosaic_env.evals.report.page import write_page
    from mosaic_env.index.world import open_world
    from mosaic_env.snapshot.locate import find_snapshot
    from mosaic_env.snapshot.opened import Snapshot

    snapshot = Snapshot(find_snapshot(arguments.snapshot))
    world = open_world(snapshot.public)
    golds = snapshot.private.golds()
    files = [path for path in (arguments.file, arguments.other) if path is not None]
    names = _names(files)
    runs = [_run(path, name, arguments, golds) for path, name in zip(files, names, strict=True)]
    output_file(arguments.out)
    write_page(
        arguments.out, runs[0], other=runs[1] if len(runs) > 1 else None, worlds={world.id: world},
        title="Episodes of " + " and ".join(names), limit=arguments.megabytes * 2**20,
    )  # fmt: skip
    console.out.print(console.safe(f"wrote {arguments.out} ({arguments.out.stat().st_size / 2**20:.1f} MB)"))
    return 0


def _names(files: Sequence[Path]) -> list[str]:
    """Return what each file is called on the page: its name, with its folder where names are the same."""
    names = [path.stem for path in files]
    if len(set(names)) < len(names):
        names = ["/".join(path.with_suffix("").parts[-2:]) for path in files]
    return names


def _run(path: Path, name: str, arguments: argparse.Namespace, golds: Mapping[str, Gold]) -> Run:
    """Read the episodes of a file.

    Raises: EpisodeError (ME-EPISODE-01).
    """
    from mosaic_env.core.errors import EpisodeError
    from mosaic_env.envs.episode import read_episodes
    from mosaic_env.evals.report.page import Run
    from mosaic_env.evals.report.viewer import Item
    from mosaic_env.evals.run.folder import EPISODES

    items = [
        Item.alone(episode, _gold(episode, arguments, golds))
        for episode in islice(
            read_episodes(path / EPISODES if path.is_dir() else path, repair=True), arguments.limit
        )
    ]
    if not items:
        raise EpisodeError(
            "ME-EPISODE-01", f"the file {path.name!r} holds no episode", expected="episodes, one a line",
            fix="Record some with: mosaic run --out FILE",
        )  # fmt: skip
    return Run(name, items)


def _gold(episode: Episode, arguments: argparse.Namespace, golds: Mapping[str, Gold]) -> Gold | None:
    """Return the gold an episode was judged by: from the snapshot or its task source; None when it is not at hand."""
    from mosaic_env.core.errors import ConfigError, EpisodeError, TaskError
    from mosaic_env.envs.replay import setup_for

    gold = golds.get(episode.task.key)
    if gold is None:
        try:
            setup = setup_for(episode, snapshot=arguments.snapshot, tasks=arguments.tasks)
            gold = setup.source.get(episode.task.key)[1]
        except (ConfigError, EpisodeError, TaskError):
            return None  # another world or release: the page says that the gold is not at hand
    return gold if gold.digest == episode.gold else None
