"""``mosaic tasks audit --counterfactual``: who gets both halves of pairs right that differ in a picture."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from mosaic_env.cli.imports import load_agent
from mosaic_env.cli.outputs import output_file
from mosaic_env.cli.playing import make_env

if TYPE_CHECKING:
    from mosaic_env.envs.setup import Setup
    from mosaic_env.evals.quality.pair_audit import PairAudit, PairLine


def audit_pairs(arguments: argparse.Namespace) -> int:
    """Make pairs, let the agents play them and print the shares.

    Returns: 1 when a check fails; one that too few pairs leave unclear does not.
    Raises: ConfigError, SnapshotError, CorruptError, TaskError.
    """
    from mosaic_env import console
    from mosaic_env.evals.quality import pair_audit
    from mosaic_env.evals.quality.pairs import make_pairs
    from mosaic_env.snapshot.files import output
    from mosaic_env.tasks.source import check_listable

    check_listable(arguments.limit, "Ask for fewer: --limit 1000")
    if arguments.tasks is None:
        arguments.tasks = "generated"
    setup, agents = make_env(arguments).unwrapped.setup, _agents(arguments)
    if arguments.json is not None:
        output_file(arguments.json)
    pairs = []
    with console.progress() as say:
        for pair in make_pairs(setup, arguments.limit, arguments.counterfactual):
            pairs.append(pair)
            say("pairs made", len(pairs), arguments.limit)
        report = pair_audit.audit_pairs(pairs, agents=agents, environment=arguments.env, progress=say)
    if arguments.json is not None:
        text = json.dumps(report.as_dict(), ensure_ascii=False, indent=1)
        with output(arguments.json) as path:
            path.write_text(text + "\n", "utf-8", errors="backslashreplace")
    _print(report, setup)
    return 1 if report.failed else 0


def _agents(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the agent that was asked for, by name: what makes it for an environment."""
    name = arguments.agent
    return {} if name is None else {name: lambda env: load_agent(name, env, 0)}


def _print(report: PairAudit, setup: Setup) -> None:
    from mosaic_env import console
    from mosaic_env.index.world import identity

    kinds = ", ".join(f"{count:,} {kind}" for kind, count in report.pairs.items())
    console.fields(
        {
            "environment": report.environment,
            **identity(setup.world.snapshot.manifest),
            "pairs": f"{sum(report.pairs.values()):,} ({kinds})",
            "chance": f"{100 * report.chance:.1f} %: what the best constant guess of each type gets of single tasks",
        }
    )
    console.table(
        "both halves right", ("agent", "pairs", "share", "95 % interval", "bar", "verdict"),
        [_judged(line) for line in report.lines],
    )  # fmt: skip
    heads = ("agent", "kind", "both", "only before", "only after", "never")
    each = [_counts(line, kind) for line in report.lines for kind in line.kinds]
    console.table("\nbefore and after the change", heads, each)
    if report.unclear:
        console.note(f"unclear: {', '.join(report.unclear)}: too few pairs to tell")
    console.out.print(
        console.safe(f"fails: {', '.join(report.failed)}" if report.failed else "no check fails")
    )


def _judged(line: PairLine) -> tuple[object, ...]:
    share, low, high = 100 * line.share, 100 * line.low, 100 * line.high
    right = f"{line.counts.both:,}/{line.counts.n:,}"
    return line.name, right, f"{share:.1f} %", f"{low:.1f} … {high:.1f}", line.bar or "—", line.verdict or "—"


def _counts(line: PairLine, kind: str) -> tuple[object, ...]:
    counts = line.kinds[kind]
    return line.name, kind, counts.both, counts.first, counts.second, counts.neither
