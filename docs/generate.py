"""Write the reference pages from the code: errors, tools, environments, commands; and the audit.

python docs/generate.py            writes docs/reference/*.md
python docs/generate.py --check    exits 1 when a page differs from the code
"""

from __future__ import annotations

import argparse
import inspect
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent / "reference"
NOTE = "<!-- Made by docs/generate.py from the code; change the code, then run 'make docs'. -->\n\n"


def errors_page() -> str:
    """Return the table of error codes and the tree of classes."""
    from mosaic_env.core import errors

    tree = (errors.__doc__ or "").split("\n\n")[1]
    rows = "\n".join(f"| `{code}` | {meaning} |" for code, meaning in errors.CODES.items())
    return f"# Errors\n\n```\n{tree}\n```\n\n| code | meaning |\n|---|---|\n{rows}\n"


def model_errors_page() -> str:
    """Return the codes a model can meet in observations."""
    from mosaic_env.envs.actions import ISSUES, REPAIRS
    from mosaic_env.scoring.score import REASONS

    def table(title: str, first: str, rows: dict[str, str]) -> str:
        lines = "\n".join(f"| `{code}` | {meaning} |" for code, meaning in rows.items())
        return f"## {title}\n\n| {first} | meaning |\n|---|---|\n{lines}\n"

    return "\n".join(
        [
            "# Codes in observations and verdicts\n",
            table("Parts of a text that could not be read", "code", dict(ISSUES)),
            table("Repairs that reading a call may take", "repair", dict(REPAIRS)),
            table("Reasons of a verdict", "reason", dict(REASONS)),
        ]
    )


def tools_page() -> str:
    """Return the tools with their arguments."""
    from mosaic_env.tools.base import load_builtin

    registry = load_builtin()
    parts = ["# Tools\n"]
    for name in registry:
        tool = registry.get(name)
        parts.append(f"## `{name}` (version {tool.version})\n\n{tool.description}\n")
        parts.append(f"Results are {tool.determinism}; a call costs {tool.cost}.\n")
        fields = tool.Arguments.model_fields
        if fields:
            parts.append("| argument | default | meaning |\n|---|---|---|")
            for field, info in fields.items():
                default = "required" if info.is_required() else f"`{info.default!r}`"
                parts.append(f"| `{field}` | {default} | {info.description} |")
            parts.append("")
    return "\n".join(parts)


def environments_page() -> str:
    """Return the environment ids, what presets mean for them, and every argument."""
    from mosaic_env.envs.catalogue import CATALOGUE
    from mosaic_env.envs.config import PRESETS, EnvConfig, make_config

    parts = ["# Environments\n", "| id | what |\n|---|---|"]
    parts += [f"| `{entry.id}` | {entry.what}{' (moving)' if entry.moving else ''} |" for entry in CATALOGUE]
    names = [name for name in EnvConfig.model_fields if name not in ("family", "preset")]
    for entry in CATALOGUE:
        parts.append(f"\n## Presets of `{entry.id}`\n\n| argument | {' | '.join(PRESETS)} |")
        parts.append("|---" * (len(PRESETS) + 1) + "|")
        configs = [make_config(entry.family, preset) for preset in PRESETS]
        for name in names:
            values = " | ".join(_cell(getattr(config, name)) for config in configs)
            parts.append(f"| `{name}` | {values} |")
    parts.append(
        "\n## Arguments of `gym.make` and `gym.make_vec`\n\n| argument | default | meaning |\n|---|---|---|"
    )
    parts += [f"| `{name}` | {default} | {meaning} |" for name, default, meaning in _arguments()]
    parts.append("\n" + inspect.cleandoc((EnvConfig.__doc__ or "").rpartition("\n\n")[2]).replace("``", "`"))
    return "\n".join(parts)


def _arguments() -> Iterator[tuple[str, str, str]]:
    """Yield name, default and meaning of every argument: where things are, many episodes, then the rules."""
    from mosaic_env.envs.config import EnvConfig
    from mosaic_env.envs.core import SearchEnv
    from mosaic_env.envs.vector import SearchVectorEnv

    seen = {"family", "options", "self"}  # the id gives the family
    for made, prefix in ((SearchEnv, ""), (SearchVectorEnv, "Only `make_vec`: ")):
        meanings = _described(made)
        for name, parameter in inspect.signature(made).parameters.items():
            if name not in seen:
                default = getattr(parameter.default, "value", parameter.default)
                yield name, f"`{default}`", f"{prefix}{meanings[name]}"
                seen.add(name)
    meanings = _described(EnvConfig)
    for name in EnvConfig.model_fields:
        if name not in seen:
            yield name, _default(name), meanings[name]


def _default(name: str) -> str:
    """Return the default of a rule, or that presets differ in it."""
    from mosaic_env.envs.catalogue import CATALOGUE
    from mosaic_env.envs.config import PRESETS, EnvConfig, make_config

    if name == "preset" or EnvConfig.model_fields[name].default is None:
        return f"`{EnvConfig.model_fields[name].default}`"
    found = {_cell(getattr(make_config(e.family, preset), name)) for e in CATALOGUE for preset in PRESETS}
    return f"`{found.pop()}`" if len(found) == 1 else "by preset"


def _described(made: type) -> dict[str, str]:
    """Return what the ``Args:`` of a class say, by name."""
    lines = inspect.cleandoc((made.__doc__ or "").partition("Args:")[2]).split("\n\n")[0]
    entries = re.split(r"\n(?=[a-z_, ]+: )", inspect.cleandoc("\n" + lines))
    pairs = (entry.partition(": ")[::2] for entry in entries)
    flat = {names: " ".join(text.split()).replace("``", "`").replace("|", "\\|") for names, text in pairs}
    return {name: text for names, text in flat.items() for name in names.split(", ")}


def _cell(value: object) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return text.replace("|", "\\|") or "(none)"


def command_page() -> str:
    """Return the help of every command."""
    from mosaic_env.cli import build_parser

    os.environ["COLUMNS"] = "100"
    parts = ["# Command line\n"]
    for name, parser in _parsers("mosaic", build_parser()):
        parts.append(f"## `{name}`\n\n```\n{parser.format_help().rstrip()}\n```\n")
    return "\n".join(parts)


def _parsers(name: str, parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    yield name, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child, sub in action.choices.items():
                yield from _parsers(f"{name} {child}", sub)


def audit_page() -> str:
    """Return the numbers of ``docs/audit.json``, which ``benchmarks/audit_large.py`` measured."""
    kept = json.loads((FOLDER.parent / "audit.json").read_text("utf-8"))
    parts = [
        "# Audit of unfiltered tasks\n",
        f"Generated tasks of a world of {kept['entities']:,} entities, seed 7: whoever uses all tools solves them, "
        "nobody else does. How it is measured: [Generated worlds](../world.md#are-the-tasks-any-good).\n",
    ]
    for report in kept["reports"]:
        parts.append(f"## {report['environment']}, split `{report['split']}`\n")
        parts.append(
            f"{report['tasks']:,} tasks about {report['targets']:,} targets, {report['asks']:,} different questions. "
            f"Guesses were learnt from {report['fitted']}.\n"
        )
        plain = [line for line in report["lines"] if line["against"] is None]
        parts.append("| check | what | solved | bar | verdict |\n|---|---|---|---|---|")
        parts += [
            f"| {line['name']} | {line['what']} | {100 * line['rate']:.1f} % | {line['bar']} | {line['verdict']} |"
            for line in plain
        ]
        parts.append("\n| attacker | what | right | constant guess | lead | its upper 95 % bound | verdict |")
        parts.append("|---|---|---|---|---|---|---|")
        parts += [_attacker_row(line) for line in report["lines"] if line["against"] is not None]
        parts.append("")
    return "\n".join(parts)


def _attacker_row(line: dict[str, Any]) -> str:
    against = line["against"]
    return (
        f"| {line['name']} | {line['what']} | {100 * line['rate']:.1f} % | "
        f"{100 * against['baseline'] / line['n']:.1f} % | {100 * against['difference']:+.1f} | "
        f"{100 * against['upper']:+.1f} | {line['verdict']} |"
    )


PAGES = {
    "audit.md": audit_page,
    "errors.md": errors_page,
    "codes.md": model_errors_page,
    "tools.md": tools_page,
    "environments.md": environments_page,
    "command-line.md": command_page,
}


def main(arguments: list[str]) -> int:
    """Write or check every page."""
    FOLDER.mkdir(exist_ok=True)
    stale = []
    for name, page in PAGES.items():
        text, path = NOTE + page().rstrip() + "\n", FOLDER / name
        if "--check" in arguments:
            if not path.is_file() or path.read_text("utf-8") != text:
                stale.append(name)
        else:
            path.write_text(text, "utf-8")
    if stale:
        print(f"stale: {', '.join(stale)}; run 'make docs'", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
