"""``mosaic eval``, ``report``, ``compare``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mosaic_env.cli.command import add_command, whole
from mosaic_env.cli.playing import add_env_arguments, env_arguments, import_tasks, named_values

if TYPE_CHECKING:
    from mosaic_env.agents.models.base import Model
    from mosaic_env.agents.models.spec import ModelSpec
    from mosaic_env.evals.judge.judge import Judge
    from mosaic_env.evals.run.folder import RunFolder
    from mosaic_env.evals.run.plan import Plan, Wanted


def add_commands(commands: Any) -> None:
    """Add this group's commands to the parser."""
    run = add_command(
        commands, "eval", _eval, "play tasks in worker processes and report how an agent does",
        "A task that fails, hangs or kills its process costs nothing but itself. What was played is kept in the "
        "folder of --out, whatever ends the run: the same command with --resume continues it, and plays again what "
        "gave no episode. Exit code 1 when tasks could not be played.",
    )  # fmt: skip
    _add_what(run)
    _add_model(run)
    _add_how(run)
    _add_report(commands)
    _add_compare(commands)


def _add_what(run: argparse.ArgumentParser) -> None:
    what = run.add_argument_group("what is played")
    what.add_argument(
        "--env", action="append", default=[], metavar="ID",
        help="environment id; may be repeated: a row for each (default: InterLV-L2-v0)",
    )  # fmt: skip
    what.add_argument(
        "--agent", metavar="NAME",
        help="interlv, react or direct (with --model), oracle, random, null, or module:name of your own, as for "
        "mosaic run or a subclass of ModelAgent (default: interlv with a model, oracle without)",
    )  # fmt: skip
    what.add_argument(
        "--task", action="append", default=[], metavar="KEY", help="play this task (may be repeated)"
    )
    what.add_argument(
        "--limit", type=whole(1), metavar="N", help="at most N tasks of each environment, drawn from all"
    )
    what.add_argument(
        "--seed", type=whole(0), default=0, metavar="N", help="seed of environments and agents (default: 0)"
    )
    what.add_argument(
        "--direct", action="store_true",
        help="play every environment by direct answering without tools as well, and report the difference",
    )  # fmt: skip
    what.add_argument(
        "--ablate", default="", metavar="NAMES",
        help="play it again without image_search, memory or graph (several with commas: each by itself)",
    )  # fmt: skip
    add_env_arguments(run)


def _add_model(run: argparse.ArgumentParser) -> None:
    model = run.add_argument_group("the model")
    model.add_argument("--model", metavar="NAME", help="the model's name at its server")
    model.add_argument(
        "--base-url", default="", metavar="URL",
        help="address of an OpenAI-compatible server, with /v1 (default: OpenAI's own)",
    )  # fmt: skip
    model.add_argument(
        "--api-key-env", default="", metavar="NAME",
        help="environment variable that holds the key (default: OPENAI_API_KEY for OpenAI's own address, else none)",
    )  # fmt: skip
    model.add_argument(
        "--setting", action="append", default=[], metavar="NAME=VALUE",
        help="what every request asks for, as JSON: temperature=0, max_tokens=512, seed=1",
    )  # fmt: skip
    model.add_argument(
        "--context", default="", choices=("paper", "chat", "repo"),
        help="what the model sees of an episode (default: the agent's own way)",
    )  # fmt: skip
    model.add_argument(
        "--no-vision", action="store_true", help="send no pictures: for models that read text only"
    )
    model.add_argument("--script", default="", metavar="MODULE:NAME", help="a function in place of a server")
    kept = model.add_mutually_exclusive_group()
    kept.add_argument("--record", default="", metavar="DIR", help="keep every answer of the model here")
    kept.add_argument(
        "--replay", default="", metavar="DIR", help="take the answers from here; no server is asked"
    )
    _add_judge(model)


def _add_judge(group: Any) -> None:
    group.add_argument(
        "--judge-model", metavar="NAME", help="model that decides where the rules are unsure (default: none)"
    )
    group.add_argument("--judge-base-url", default="", metavar="URL", help="address of the judge's server")
    group.add_argument(
        "--judge-api-key-env",
        default="",
        metavar="NAME",
        help="environment variable that holds the judge's key",
    )


def _add_how(run: argparse.ArgumentParser) -> None:
    how = run.add_argument_group("how it is run")
    how.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder of the run")
    _add_full(how)
    how.add_argument("--resume", action="store_true", help="continue the run that is in the folder")
    how.add_argument(
        "--workers", type=whole(1), default=2, metavar="N", help="processes that play at a time (default: 2)"
    )
    how.add_argument(
        "--timeout", type=_seconds, default=600.0, metavar="SECONDS",
        help="time for one task, after which its process is ended (default: 600)",
    )  # fmt: skip


def _add_full(command: Any) -> None:
    command.add_argument("--full", action="store_true", help="print every table, not only the overview")


def _add_report(commands: Any) -> None:
    report = add_command(
        commands, "report", _report, "make the reports of a run again",
        "The overview is printed, and results.jsonl and the reports in the folder are written anew. Of an episodes "
        "file it is only printed.",
    )  # fmt: skip
    report.add_argument("run", type=Path, metavar="RUN", help="folder of mosaic eval, or a file of episodes")
    _add_full(report)
    _add_places(report)
    report.add_argument(
        "--rescore", action="store_true", help="judge the answers by the rules of this release"
    )
    _add_judge(report)


def _add_compare(commands: Any) -> None:
    compare = add_command(
        commands, "compare", _compare, "compare two runs task by task",
        "Shows the difference of their accuracy with its interval, and the tasks that changed sides.",
    )  # fmt: skip
    compare.add_argument("a", type=Path, metavar="A", help="folder of mosaic eval, or a file of episodes")
    compare.add_argument("b", type=Path, metavar="B", help="another one, of the same tasks")
    compare.add_argument(
        "--intersection", action="store_true", help="compare over the tasks that both played"
    )
    _add_places(compare)


def _add_places(command: argparse.ArgumentParser) -> None:
    command.add_argument("--snapshot", metavar="DIR", help="the world (default: the bundled snapshot)")
    command.add_argument(
        "--tasks",
        metavar="NAME",
        help="task source of an episodes file (default: the snapshot's)",
    )


def _seconds(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 < number <= 10**7:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a number of seconds above 0")
    return number


# --- eval -------------------------------------------------------------------------------------------


def _eval(arguments: argparse.Namespace) -> int:
    from mosaic_env import console
    from mosaic_env.core.words import counted
    from mosaic_env.evals.run.evaluate import evaluate
    from mosaic_env.evals.run.folder import RunFolder
    from mosaic_env.evals.run.plan import make_plan
    from mosaic_env.snapshot.output import check_outside

    check_outside(arguments.out)
    if arguments.record:
        check_outside(Path(arguments.record))
    wanted = _wanted(arguments)
    plan = make_plan(wanted)
    for note in plan.notes:
        console.note(note)
    folder = RunFolder(arguments.out)
    _judge_model(arguments)  # whoever cannot be asked is named before anything is played
    try:
        with folder.alone():
            folder.begin(plan.suite, resume=arguments.resume)
            with console.bar("tasks") as say:
                evaluate(
                    plan.suite, folder, snapshot=wanted.snapshot, model=wanted.model, workers=arguments.workers,
                    timeout=arguments.timeout, say=lambda tally: say(tally.played, tally.total, str(tally)),
                )  # fmt: skip
            unplayed = _finish(folder, plan, arguments)
    except KeyboardInterrupt:
        console.fail(
            f"stopped; what was played is in {arguments.out}: continue with the same command and --resume"
        )
        return 130
    console.out.print(
        console.safe(f"\n{folder.path / 'report.md'}\n{folder.path / 'report.html'}"), soft_wrap=True
    )
    if unplayed:
        console.note(
            f"{counted(unplayed, 'task')} gave no episode; the same command with --resume plays them again"
        )
    return 1 if unplayed else 0


def _finish(folder: RunFolder, plan: Plan, arguments: argparse.Namespace, *, rescore: bool = False) -> int:
    """Write and print the reports; return the number of tasks without an episode."""
    from mosaic_env.evals.report.terminal import print_summary
    from mosaic_env.evals.run.finish import finish

    judge = _judge(arguments, folder)
    try:
        done = finish(folder, plan.suite, plan.setups, judge=judge, rescore=rescore)
    finally:
        if judge is not None:
            judge.close()
    print_summary(done.summary, full=arguments.full)
    return len(done.unplayed)


def _wanted(arguments: argparse.Namespace) -> Wanted:
    from mosaic_env.evals.run.plan import Wanted

    model = _model(arguments)
    return Wanted(
        envs=arguments.env or ["InterLV-L2-v0"],
        agent=arguments.agent or ("oracle" if model is None else "interlv"),
        arguments=env_arguments(arguments),
        snapshot=arguments.snapshot,
        model=model,
        context=arguments.context,
        direct=arguments.direct,
        ablate=[name.strip() for name in arguments.ablate.split(",") if name.strip()],
        tasks=arguments.task,
        limit=arguments.limit,
        seed=arguments.seed,
        judge=arguments.judge_model or "",
    )


def _model(arguments: argparse.Namespace) -> ModelSpec | None:
    from mosaic_env.agents.models.spec import ModelSpec
    from mosaic_env.core.errors import ConfigError

    given = ("base_url", "api_key_env", "setting", "context", "no_vision", "script", "record", "replay")
    if arguments.model is None:
        useless = next((name for name in given if getattr(arguments, name)), None)
        if useless is not None:
            option = "--" + useless.replace("_", "-")
            raise ConfigError(
                "ME-CONFIG-02", f"{option} says nothing without a model", expected="--model NAME"
            )
        return None
    return ModelSpec(
        arguments.model, arguments.base_url, arguments.api_key_env, named_values(arguments.setting, "--setting"),
        vision=not arguments.no_vision, script=arguments.script,
        record_to=_absolute(arguments.record), replay_from=_absolute(arguments.replay),
    )  # fmt: skip


def _absolute(path: str) -> str:
    return str(Path(path).resolve()) if path else ""


def _judge(arguments: argparse.Namespace, folder: RunFolder) -> Judge | None:
    from mosaic_env.evals.judge.judge import Judge
    from mosaic_env.evals.run.folder import JUDGE

    model = _judge_model(arguments)
    return None if model is None else Judge(model, folder.path / JUDGE)


def _judge_model(arguments: argparse.Namespace) -> Model | None:
    """Return the judge's model; nothing is asked yet."""
    from mosaic_env.agents.models.open import open_model
    from mosaic_env.agents.models.spec import ModelSpec

    if arguments.judge_model is None:
        return None
    return open_model(ModelSpec(arguments.judge_model, arguments.judge_base_url, arguments.judge_api_key_env))


# --- report and compare -------------------------------------------------------------------------------


def _report(arguments: argparse.Namespace) -> int:
    from mosaic_env.evals.metrics.summary import summarise
    from mosaic_env.evals.report.terminal import print_summary
    from mosaic_env.evals.run.finish import read_main
    from mosaic_env.evals.run.folder import RunFolder
    from mosaic_env.evals.run.plan import Plan, setups_of

    import_tasks(arguments.tasks)
    if arguments.run.is_dir():
        folder = RunFolder(arguments.run)
        suite = folder.suite()
        plan = Plan(suite, setups_of(suite, arguments.snapshot))
        with folder.alone():
            _finish(folder, plan, arguments, rescore=arguments.rescore)
        return 0
    scored = read_main(
        arguments.run, snapshot=arguments.snapshot, tasks=arguments.tasks, rescore=arguments.rescore
    )
    print_summary(summarise(scored), full=arguments.full)
    return 0


def _compare(arguments: argparse.Namespace) -> int:
    from mosaic_env.evals.compare import compare_runs
    from mosaic_env.evals.report.terminal import print_summary
    from mosaic_env.evals.run.finish import read_main

    import_tasks(arguments.tasks)
    first, second = (
        read_main(path, snapshot=arguments.snapshot, tasks=arguments.tasks)
        for path in (arguments.a, arguments.b)
    )
    names = (arguments.a.stem, arguments.b.stem)
    if names[0] == names[1]:
        names = (str(arguments.a), str(arguments.b))
    print_summary(compare_runs(first, second, names=names, intersection=arguments.intersection).summary())
    return 0
