"""``mosaic tasks``: list tasks, look into their quality, and export them."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mosaic_env.cli.command import add_command, add_group, whole
from mosaic_env.cli.exporting import add_export
from mosaic_env.cli.listing import add_list
from mosaic_env.cli.outputs import output_file
from mosaic_env.cli.pairs import audit_pairs
from mosaic_env.cli.playing import add_env_arguments, make_env

if TYPE_CHECKING:
    from mosaic_env.envs.setup import Setup
    from mosaic_env.evals.quality.classifier import Example
    from mosaic_env.evals.quality.report import Report

#: From so many tasks that count for one, people are told.
_ALIKE = 1.5


def add_commands(commands: Any) -> None:
    """Add this group's commands to the parser."""
    tasks = commands.add_parser(
        "tasks", help="list, audit and export tasks",
        description="The tasks there are, their quality, and rows for trainers.",
    )  # fmt: skip
    actions = add_group(tasks, "actions", "ACTION")
    add_list(actions)
    check = add_command(
        actions, "audit", _audit, "play tasks with an oracle, with broken tools and with cheap strategies",
        "Exit code 1 when a check fails; one that too few tasks leave unclear does not.",
    )  # fmt: skip
    check.add_argument(
        "--env", default="InterLV-L2-v0", metavar="ID", help="environment id (default: InterLV-L2-v0)"
    )
    check.add_argument(
        "--limit", type=whole(1), default=1000, metavar="N",
        help="at most N tasks, drawn from all (default: 1000)",
    )  # fmt: skip
    check.add_argument(
        "--train", type=whole(0), default=20_000, metavar="N",
        help="learn guesses from N tasks of the split train, when another split is audited (default: 20000); "
        "otherwise from the audited tasks, in folds",
    )  # fmt: skip
    check.add_argument(
        "--counterfactual", nargs="?", const="both", choices=("attribute", "cue", "both"),
        help="play pairs instead: N tasks, each in this world and in one where what is asked about, or a cue, is "
        "another in the picture; implies --tasks generated",
    )  # fmt: skip
    check.add_argument(
        "--agent", metavar="NAME",
        help="with --counterfactual, let this agent play as well: a registered name or module:name",
    )  # fmt: skip
    check.add_argument("--json", type=Path, metavar="FILE", help="also write every number as JSON")
    add_env_arguments(check)
    add_export(actions)


def _audit(arguments: argparse.Namespace) -> int:
    from mosaic_env import console
    from mosaic_env.core.errors import ConfigError, TaskError
    from mosaic_env.evals.quality.audit import audit
    from mosaic_env.evals.quality.cases import unlike
    from mosaic_env.snapshot.files import output

    if arguments.counterfactual:
        return audit_pairs(arguments)
    if arguments.agent is not None:
        raise ConfigError(
            "ME-CONFIG-02", "--agent is given without --counterfactual",
            expected="--counterfactual", fix="Use mosaic run to let an agent play tasks",
        )  # fmt: skip
    setup = make_env(arguments).unwrapped.setup
    keys = unlike(setup.source, arguments.limit)
    if not keys:
        raise TaskError("ME-TASK-04", "the task source has no task to audit", expected="at least one key")
    if arguments.json is not None:
        output_file(arguments.json)
    with console.progress() as say:
        train = _training_tasks(arguments, say)
        report = audit(
            setup, keys, train=train, trained_on="the split train", environment=arguments.env, progress=say
        )
    if arguments.json is not None:
        text = json.dumps(report.as_dict(), ensure_ascii=False, indent=1)
        with output(arguments.json) as path:
            path.write_text(text + "\n", "utf-8", errors="backslashreplace")
    _print(report, setup)
    return 1 if report.failed else 0


def _training_tasks(arguments: argparse.Namespace, say: Any) -> list[Example]:
    """Return tasks of the split train, when another one is audited and it has any."""
    from mosaic_env.core.errors import TaskError
    from mosaic_env.evals.quality.cases import spread
    from mosaic_env.evals.quality.knowledge import example
    from mosaic_env.tasks.source import get_pair, keys_of

    if arguments.split in (None, "train") or not arguments.train:
        return []
    try:
        source = make_env(argparse.Namespace(**{**vars(arguments), "split": "train"})).unwrapped.setup.source
    except TaskError:  # the source has no such split
        return []
    keys = spread(keys_of(source), arguments.train, "train")
    train = []
    for done, key in enumerate(keys, start=1):
        train.append(example(*get_pair(source, key)))
        if done % 100 == 0 or done == len(keys):
            say("training tasks", done, len(keys))
    return train


def _print(report: Report, setup: Setup) -> None:
    from mosaic_env import console
    from mosaic_env.core.words import counted
    from mosaic_env.evals.quality.report import MARGIN, attacker_rows, kind_rows, rate_rows
    from mosaic_env.index.world import identity

    console.fields(
        {
            "environment": report.environment,
            **identity(setup.world.snapshot.manifest),
            "tasks": f"{report.tasks:,}",
            "targets": f"{report.targets:,}, asked {counted(report.asks, 'different question')}",
            "learnt from": report.fitted,
        }
    )
    rates = ("check", "solved", "share", "95 % interval", "bar", "verdict")
    console.table("", rates, list(rate_rows(report)))
    attackers = ("attacker", "right", "share", "constant", "lead", "at most", "verdict")
    console.table(
        f"\nlead over the constant guess, in points, and its upper 95 % bound: within {100 * MARGIN:g}",
        attackers, list(attacker_rows(report)),
    )  # fmt: skip
    console.table("\nconstant guesses", ("type", "tasks", "best guess", "right"), kind_rows(report))
    for line in report.lines:
        if line.note:
            console.note(f"{line.name}: {line.note}")
    effect = max((line.against.effect for line in report.lines if line.against is not None), default=1.0)
    if effect >= _ALIKE:
        alone = f"{report.tasks / effect:,.0f} with nothing in common"
        console.note(f"tasks about one target are alike: these may say as little as {alone}")
    if report.unclear:
        console.note(f"unclear: {', '.join(report.unclear)}: too few tasks to tell, or not checked")
    console.out.print(
        console.safe(f"fails: {', '.join(report.failed)}" if report.failed else "no check fails")
    )
