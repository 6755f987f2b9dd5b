"""``mosaic run``, ``replay``, ``demo``, ``envs``, ``tools``."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from mosaic_env.cli.command import add_command


def add_commands(commands: Any) -> None:
    """Add this group's commands to the parser."""
    run = add_command(commands, "run", _run, "play tasks with an agent and write the episodes as JSON lines")
    run.add_argument(
        "--env", default="InterLV-L2-v0", metavar="ID", help="environment id (default: InterLV-L2-v0)"
    )
    run.add_argument(
        "--agent", default="oracle", metavar="NAME", help="oracle, random, null (default: oracle)"
    )
    run.add_argument("--limit", type=_count, metavar="N", help="only the first N tasks")
    run.add_argument(
        "--task", action="append", default=[], metavar="KEY", help="play this task (may be repeated)"
    )
    run.add_argument("--seed", type=int, default=0, help="seed of environment and agent (default: 0)")
    run.add_argument("--out", type=Path, metavar="FILE", help="episodes file (default: none is written)")
    _add_env_arguments(run)

    again = add_command(
        commands, "replay", _replay, "play recorded episodes again and compare every byte",
        "Exit code 1 when a byte differs; the first one is named.",
    )  # fmt: skip
    again.add_argument("file", type=Path, help="episodes, one a line")
    again.add_argument("--snapshot", metavar="DIR", help="the world (default: the bundled snapshot)")
    again.add_argument("--tasks", metavar="NAME", help="task set or source (default: the snapshot's)")

    demo = add_command(commands, "demo", _demo, "play one Level 2 episode and show it")
    demo.add_argument("--task", metavar="KEY", help="the task (default: a good one)")
    demo.add_argument("--html", type=Path, metavar="FILE", help="also write it as a page with the pictures")

    add_command(commands, "envs", _envs, "list environment ids and what each preset means for them")
    tools = add_command(commands, "tools", _tools, "list the tools, or print their schemas")
    tools.add_argument("--schemas", choices=("openai", "interlv"), help="print JSON schemas in this form")


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{number} is not a count")
    return number


def _add_env_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--snapshot", metavar="DIR", help="snapshot folder or name (default: the bundled one)"
    )
    parser.add_argument("--tasks", metavar="NAME", help="task set or module:source (default: the snapshot's)")
    parser.add_argument("--split", metavar="NAME", help="train, val or test")
    parser.add_argument("--preset", default="paper", help="paper, repo or infomosaic (default: paper)")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="any other argument of gym.make, as JSON",
    )


#: Arguments of ``gym.make`` that ``--set`` cannot give.
_OWN_OPTION = {name: f"--{name}" for name in ("snapshot", "tasks", "split", "preset")} | {
    "id": "--env", "family": "--env",
}  # fmt: skip


def _make(arguments: argparse.Namespace) -> Any:
    import gymnasium as gym

    import mosaic_env  # noqa: F401 - registers the ids
    from mosaic_env.core.canon import strict_loads
    from mosaic_env.core.errors import CanonError, ConfigError, nearest
    from mosaic_env.envs.catalogue import CATALOGUE

    ids = [entry.id for entry in CATALOGUE]
    if arguments.env not in ids:
        raise ConfigError(
            "ME-CONFIG-02", f"there is no environment {arguments.env!r}", expected="one of " + ", ".join(ids),
            nearest=nearest(arguments.env, ids),
        )  # fmt: skip
    options: dict[str, Any] = {}
    for word in arguments.set:
        name, _, value = word.partition("=")
        if name in _OWN_OPTION:
            raise ConfigError("ME-CONFIG-02", f"--set {word} is not allowed", expected=_OWN_OPTION[name])
        try:
            options[name] = strict_loads(value)
        except CanonError:
            options[name] = value  # a plain word needs no quotes
    return gym.make(
        arguments.env, snapshot=arguments.snapshot, tasks=arguments.tasks, split=arguments.split,
        preset=arguments.preset, **options,
    )  # fmt: skip


def _run(arguments: argparse.Namespace) -> int:
    from dataclasses import replace

    from mosaic_env import console
    from mosaic_env.agents.base import AGENTS, play
    from mosaic_env.envs.episode import write_episodes

    env = _make(arguments)
    inner = env.unwrapped
    agent = AGENTS.get(arguments.agent)(inner, seed=arguments.seed)
    keys = list(arguments.task or inner.task_keys)[: arguments.limit]
    if arguments.out is not None:
        write_episodes(arguments.out, ())
    right = reward = 0.0
    with console.progress() as say:
        for done, key in enumerate(keys, start=1):
            episode = play(env, agent, seed=arguments.seed, task=key)
            right, reward = right + episode.success, reward + episode.reward
            if arguments.out is not None:
                write_episodes(
                    arguments.out, [replace(episode, notes={"agent": arguments.agent})], append=True
                )
            say("episodes", done, len(keys))
    unplayable = getattr(inner.setup.source, "unplayable", {})
    console.fields(
        {
            "environment": f"{arguments.env} ({arguments.preset})",
            "agent": arguments.agent,
            "tasks": f"{len(keys):,} played, {sum(unplayable.values()):,} of the set cannot be played here",
            "right": f"{right:.0f} of {len(keys)} ({100 * right / max(len(keys), 1):.1f} %)",
            "reward": f"{reward:.2f}",
        }
    )
    return 0


def _replay(arguments: argparse.Namespace) -> int:
    from mosaic_env import console
    from mosaic_env.envs.episode import read_episodes
    from mosaic_env.envs.replay import differences, replay, setup_for

    count = wrong = 0
    for count, episode in enumerate(read_episodes(arguments.file), start=1):
        setup = setup_for(episode, snapshot=arguments.snapshot, tasks=arguments.tasks)
        first = next(differences(episode, replay(episode, setup)), None)
        if first is not None:
            wrong += 1
            console.fail(f"episode {count} ({episode.task.key}): {first}")
    console.out.print(f"{count - wrong} of {count} episodes are the same to the byte")
    return 1 if wrong else 0


def _demo(arguments: argparse.Namespace) -> int:
    from mosaic_env.agents.demo import show_demo

    return show_demo(arguments.task, arguments.html)


def _envs(arguments: argparse.Namespace) -> int:
    from mosaic_env import console
    from mosaic_env.envs.catalogue import CATALOGUE
    from mosaic_env.envs.config import PRESETS, make_config

    rows: list[tuple[object, ...]] = []
    for entry in CATALOGUE:
        for preset in PRESETS:
            config = make_config(entry.family, preset)
            calls = "any" if config.calls_per_interaction is None else config.calls_per_interaction
            rows.append((entry.id, preset, config.interactions, str(calls), config.overflow, config.memory))
    console.table("", ("id", "preset", "interactions", "calls each", "further calls", "memory"), rows)
    return 0


def _tools(arguments: argparse.Namespace) -> int:
    from mosaic_env import console
    from mosaic_env.envs.prompts import tool_schemas
    from mosaic_env.tools.base import load_builtin

    tools = {name: load_builtin().get(name) for name in load_builtin()}
    if arguments.schemas:
        print(json.dumps(tool_schemas(tools, arguments.schemas), ensure_ascii=False, indent=1))  # noqa: T201
        return 0
    rows: list[tuple[object, ...]] = [
        (name, tool.determinism, tool.description) for name, tool in tools.items()
    ]
    console.table("", ("tool", "result is", "description"), rows)
    return 0
