"""``mosaic run``, ``replay``, ``demo``, ``envs``, ``tools``."""

from __future__ import annotations

import argparse
import contextlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mosaic_env.cli.command import add_command, whole
from mosaic_env.cli.imports import import_of, load_agent
from mosaic_env.cli.outputs import output_file

if TYPE_CHECKING:
    from mosaic_env.envs.episode import Episode
    from mosaic_env.envs.setup import Setup
    from mosaic_env.tasks.source import TaskSource


def add_commands(commands: Any) -> None:
    """Add this group's commands to the parser."""
    run = add_command(commands, "run", _run, "play tasks with an agent and write the episodes as JSON lines")
    run.add_argument(
        "--env", default="InterLV-L2-v0", metavar="ID", help="environment id (default: InterLV-L2-v0)"
    )
    run.add_argument(
        "--agent",
        default="oracle",
        metavar="NAME",
        help="oracle, random, null, or module:name of your own: a class or function (env, seed=0) whose "
        "result has begin() and act(), or a name the module registers with "
        "mosaic_env.agents.base.AGENTS.register (default: oracle)",
    )
    run.add_argument("--limit", type=whole(1), metavar="N", help="only the first N tasks")
    run.add_argument(
        "--task", action="append", default=[], metavar="KEY", help="play this task (may be repeated)"
    )
    run.add_argument(
        "--seed", type=whole(0), default=0, metavar="N", help="seed of environment and agent (default: 0)"
    )
    run.add_argument("--out", type=Path, metavar="FILE", help="episodes file (default: none is written)")
    add_env_arguments(run)

    again = add_command(
        commands, "replay", _replay, "play recorded episodes again and compare every byte",
        "Exit code 1 when a byte differs; the first one is named.",
    )  # fmt: skip
    again.add_argument("file", type=Path, help="episodes, one a line")
    again.add_argument("--snapshot", metavar="DIR", help="the world (default: the bundled snapshot)")
    again.add_argument(
        "--tasks", metavar="NAME", help="task set, source or module:source (default: the snapshot's)"
    )
    again.add_argument("--repair", action="store_true", help="leave out a last line that a crash cut short")

    demo = add_command(commands, "demo", _demo, "play one Level 2 episode and show it")
    demo.add_argument("--task", metavar="KEY", help="the task (default: a good one)")
    demo.add_argument("--html", type=Path, metavar="FILE", help="also write it as a page with the pictures")

    add_command(commands, "envs", _envs, "list environment ids and what each preset means for them")
    tools = add_command(commands, "tools", _tools, "list the tools, or print their schemas")
    tools.add_argument("--schemas", choices=("openai", "interlv"), help="print JSON schemas in this form")


def add_env_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that say which world and tasks an environment is made with."""
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


def make_env(arguments: argparse.Namespace) -> Any:
    """Return the environment that a command's options ask for.

    Raises: ConfigError, SnapshotError, CorruptError, TaskError.
    """
    import gymnasium as gym

    import mosaic_env  # noqa: F401 - registers the ids
    from mosaic_env.core.errors import ConfigError, nearest
    from mosaic_env.envs.catalogue import CATALOGUE

    ids = [entry.id for entry in CATALOGUE]
    if arguments.env not in ids:
        raise ConfigError(
            "ME-CONFIG-02", f"there is no environment {arguments.env!r}", expected="one of " + ", ".join(ids),
            nearest=nearest(arguments.env, ids),
        )  # fmt: skip
    return gym.make(arguments.env, snapshot=arguments.snapshot, **env_arguments(arguments))


def env_arguments(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of ``gym.make`` that a command's options ask for, without the snapshot.

    Raises: ConfigError (ME-CONFIG-02), TaskError (ME-TASK-02).
    """
    import_tasks(arguments.tasks)
    places = {"tasks": arguments.tasks, "split": arguments.split, "preset": arguments.preset}
    return {**places, **named_values(arguments.set, "--set", _OWN_OPTION)}


def named_values(
    words: Sequence[str], option: str, elsewhere: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return what ``option NAME=VALUE`` gives, each value read as JSON or taken as a word.

    Args:
        elsewhere: Names that another option gives.

    Raises: ConfigError (ME-CONFIG-02).
    """
    from mosaic_env.core.canon import strict_loads
    from mosaic_env.core.errors import CanonError, ConfigError

    options: dict[str, Any] = {}
    for word in words:
        name, separator, value = word.partition("=")
        if name in (elsewhere or {}):
            raise ConfigError(
                "ME-CONFIG-02", f"{option} {word} is not allowed", expected=(elsewhere or {})[name]
            )
        if not separator:
            raise ConfigError(
                "ME-CONFIG-02", f"{option} {word} gives no value", expected="NAME=VALUE",
                fix=f"Write NAME=VALUE: {option} {word}=…",
            )  # fmt: skip
        try:
            options[name] = strict_loads(value)
        except CanonError:
            options[name] = value  # a plain word needs no quotes
    return options


def import_tasks(name: str | None) -> None:
    """Import the module of ``module:source`` here, where the error can say how to make it importable."""
    from mosaic_env.core.errors import TaskError

    if name is not None and ":" in name:
        import_of(name, "--tasks", error=TaskError, code="ME-TASK-02")


def _run(arguments: argparse.Namespace) -> int:
    from dataclasses import replace

    from mosaic_env import console
    from mosaic_env.agents.base import play
    from mosaic_env.envs.episode import write_episodes

    env = make_env(arguments)
    inner = env.unwrapped
    agent = load_agent(arguments.agent, inner, arguments.seed)
    keys = _keys(arguments, inner.task_keys)
    if arguments.out is not None:
        output_file(arguments.out)
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
    console.fields(
        {
            "environment": f"{arguments.env} ({arguments.preset})",
            "agent": arguments.agent,
            "tasks": _played(len(keys), getattr(inner.setup.source, "unplayable", {})),
            "right": f"{right:.0f} of {len(keys)} ({100 * right / len(keys):.1f} %)",
            "reward": f"{reward:.2f}",
        }
    )
    if arguments.agent == "oracle":
        _say_what_the_oracle_cannot(inner.setup.source, keys)
    return 0


def _keys(arguments: argparse.Namespace, known: Sequence[str]) -> list[str]:
    from mosaic_env.core.errors import TaskError
    from mosaic_env.tasks.source import some_keys

    wanted = arguments.task or known
    keys = some_keys(wanted, arguments.limit, fix="Say how many with --limit N, or which with --task KEY")
    if not keys:
        raise TaskError("ME-TASK-04", "the task source has no task to play", expected="at least one key")
    return keys


def _played(count: int, unplayable: Mapping[str, int]) -> str:
    """Say how many tasks were played, and how many of the set cannot be, with the reasons."""
    if not unplayable:
        return f"{count:,} played"
    reasons = "; ".join(f"{number:,}: {reason}" for reason, number in sorted(unplayable.items()))
    return f"{count:,} played; {sum(unplayable.values()):,} more cannot be played here ({reasons})"


def _say_what_the_oracle_cannot(source: TaskSource, keys: Sequence[str]) -> None:
    from mosaic_env import console

    golds = [source.get(key)[1] for key in keys]
    lacking = sum(not gold.chain or "ask" not in gold.notes for gold in golds)
    if lacking:
        console.note(
            f"the oracle can only play tasks whose gold names a chain and what to read off its last picture: "
            f"{lacking:,} of {len(keys):,} here name none, so it cannot be right about them"
        )


def _replay(arguments: argparse.Namespace) -> int:
    from mosaic_env import console
    from mosaic_env.core.errors import EpisodeError
    from mosaic_env.envs.replay import differences, replay

    import_tasks(arguments.tasks)
    count = wrong = 0
    for count, episode in enumerate(_episodes(arguments.file, arguments.repair), start=1):
        with _hint_at_tasks(arguments.tasks):
            again = replay(episode, _setup(episode, arguments))
        first = next(differences(episode, again), None)
        if first is not None:
            wrong += 1
            console.fail(f"episode {count} ({episode.task.key}): {first}")
    if not count:
        raise EpisodeError(
            "ME-EPISODE-01", f"the file {arguments.file.name!r} holds no whole episode",
            expected="episodes, one a line", fix="Record some with: mosaic run --out FILE",
        )  # fmt: skip
    if arguments.repair and _lines(arguments.file) > count:
        console.note("the last line, which a crash cut short, was left out")
    console.out.print(f"{count - wrong} of {count} episodes are the same to the byte")
    return 1 if wrong else 0


def _episodes(path: Path, repair: bool) -> Iterator[Episode]:
    """Yield the episodes of a file; a cut last line names the option that leaves it out."""
    from mosaic_env.core.errors import EpisodeError
    from mosaic_env.envs.episode import read_episodes

    try:
        yield from read_episodes(path, repair=repair)
    except EpisodeError as error:
        fix = "Record it again"
        if not repair and path.is_file() and not path.read_bytes().endswith(b"\n"):
            fix += ", or leave out a last line that a crash cut short with --repair"
        raise EpisodeError(error.code, error.what, expected=error.expected, fix=fix) from None


def _lines(path: Path) -> int:
    with path.open("rb") as stream:
        return sum(bool(line.strip()) for line in stream)


def _setup(episode: Episode, arguments: argparse.Namespace) -> Setup:
    from mosaic_env.envs.replay import setup_for

    return setup_for(episode, snapshot=arguments.snapshot, tasks=arguments.tasks)


@contextlib.contextmanager
def _hint_at_tasks(given: str | None) -> Iterator[None]:
    """Let an error about tasks name ``--tasks``, when it was not given."""
    from mosaic_env.core.errors import TaskError

    try:
        yield
    except TaskError as error:
        if given is not None:
            raise
        raise TaskError(
            error.code, error.what, expected=error.expected, nearest=error.nearest,
            fix="If the episode's tasks are of a set or source of their own, give it with --tasks NAME or "
            "--tasks module:source",
        ) from None  # fmt: skip


def _demo(arguments: argparse.Namespace) -> int:
    from mosaic_env.agents.demo import show_demo

    if arguments.html is not None:
        output_file(arguments.html)
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
