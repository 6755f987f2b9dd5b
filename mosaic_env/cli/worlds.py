"""``mosaic world``: generate and show fictional worlds."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from mosaic_env.cli.command import add_command, add_group, whole
from mosaic_env.cli.outputs import add_replace, output_file, output_snapshot
from mosaic_env.cli.snapshots import show


def add_commands(commands: Any) -> None:
    """Add this group's commands to the parser."""
    world = commands.add_parser("world", help="generate fictional worlds", description="Fictional worlds.")
    actions = add_group(world, "actions", "ACTION")
    make = add_command(actions, "make", _world_make, "generate a world with pictures and tasks as a snapshot")
    make.add_argument("--entities", type=whole(1), default=160, metavar="N", help="size (default: 160)")
    make.add_argument("--seed", type=whole(0), default=7, metavar="N", help="seed (default: 7)")
    make.add_argument(
        "--text",
        choices=("rich", "paper"),
        default="rich",
        help="rich: prose that states every fact (default); paper: a label and a few words",
    )
    make.add_argument(
        "--workers", type=whole(1), default=2, metavar="N", help="processes that draw (default: 2)"
    )
    make.add_argument(
        "--tasks",
        type=whole(0),
        nargs=2,
        default=(120, 80),
        metavar=("L1", "L2"),
        help="most tasks of each level (default: 120 80)",
    )
    make.add_argument(
        "--filtered",
        action="store_true",
        help="store only tasks that the oracle solves and no cheap strategy does; draws everything twice",
    )
    make.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="a new folder, or a snapshot of this world"
    )
    add_replace(make)
    gallery = add_command(
        actions, "gallery", _world_gallery, "write a contact sheet of pictures, entities and tasks"
    )
    gallery.add_argument("snapshot", nargs="?", help="folder or name (default: the bundled snapshot)")
    gallery.add_argument(
        "--out", type=Path, default=Path("gallery.html"), metavar="FILE", help="the page to write"
    )
    gallery.add_argument(
        "--most",
        type=whole(1),
        default=300,
        metavar="N",
        help="pictures, other entities and tasks of a level to show, chosen by hash (default: 300)",
    )


def _world_make(arguments: argparse.Namespace) -> int:
    from mosaic_env import console
    from mosaic_env.world.config import WorldConfig
    from mosaic_env.world.make import build_world

    config = WorldConfig(entities=arguments.entities, seed=arguments.seed, text=arguments.text)
    output_snapshot(arguments.out, config.name, replace=arguments.replace)
    tasks = (arguments.tasks[0], arguments.tasks[1])
    with console.progress() as say:
        if arguments.filtered:
            from mosaic_env.evals.quality.filtered import build_filtered

            made = build_filtered(config, arguments.out, tasks, progress=say, workers=arguments.workers)
        else:
            made = build_world(config, arguments.out, progress=say, workers=arguments.workers, tasks=tasks)
    shown = show(arguments.out)
    for level, wanted in zip((1, 2), tasks, strict=True):
        found = made.sections["tasks"].counts.get(f"interlv-l{level} in all", 0)
        if found < wanted:
            console.note(f"{found} of {wanted} Level {level} tasks: a larger world gives more")
    return shown


def _world_gallery(arguments: argparse.Namespace) -> int:
    from mosaic_env import console
    from mosaic_env.snapshot.locate import find_snapshot
    from mosaic_env.world.gallery import write_gallery

    folder = find_snapshot(arguments.snapshot)
    output_file(arguments.out)
    write_gallery(folder, arguments.out, arguments.most)
    console.out.print(console.safe(f"wrote {arguments.out}"))
    return 0
