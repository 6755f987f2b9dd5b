"""``mosaic tasks export``: write the rows that trainers read."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from mosaic_env.cli.command import add_command, whole
from mosaic_env.cli.outputs import output_file
from mosaic_env.cli.playing import add_env_arguments, make_env


def add_export(actions: Any) -> None:
    """Add the command to the actions of ``mosaic tasks``."""
    export = add_command(
        actions, "export", _export, "write one row a task, for TRL, verl or your own program",
        "Rows hold no gold: prompts, logs and reward functions see them.",
    )  # fmt: skip
    export.add_argument(
        "--format", choices=("trl", "verl", "jsonl"), required=True,
        help="trl: prompt and task_id for GRPOTrainer; verl: what RLHFDataset and the agent loop read; "
        "jsonl: the public tasks",
    )  # fmt: skip
    export.add_argument(
        "--env", default="InterLV-L2-v0", metavar="ID", help="environment id (default: InterLV-L2-v0)"
    )
    export.add_argument(
        "--limit", type=whole(1), metavar="N", help="only the first N tasks; needed for tasks without end"
    )
    export.add_argument(
        "--with-gold", action="store_true", help="add answers and chains, for evaluators (only jsonl)"
    )
    export.add_argument(
        "--out", type=Path, required=True, metavar="FILE",
        help="JSON lines, or Parquet when the name ends in .parquet",
    )  # fmt: skip
    add_env_arguments(export)


def _export(arguments: argparse.Namespace) -> int:
    from mosaic_env import console
    from mosaic_env.adapters.export import choose_keys, rows, write_rows
    from mosaic_env.core.words import counted

    if not any(word.startswith("memory=") for word in arguments.set):
        arguments.set = [*arguments.set, "memory=none"]  # as the adapters make their environments
    env = make_env(arguments)
    given = {name: value for name, value in env.spec.kwargs.items() if value is not None and name != "family"}
    keys = choose_keys(env.unwrapped, arguments.limit)
    found = rows(arguments.format, arguments.env, env.unwrapped, given, keys, gold=arguments.with_gold)
    output_file(arguments.out)
    count = write_rows(arguments.out, found)
    if arguments.limit is not None and count < arguments.limit:
        console.note(f"--limit {arguments.limit:,} is more than the {counted(count, 'task')} that there are")
    console.out.print(f"{counted(count, 'row')} for {arguments.format} in {arguments.out}")
    return 0
