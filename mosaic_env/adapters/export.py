"""Rows for trainers: one for each task, as their datasets read them.

    trl    ``prompt`` (the system prompt, and an empty question that the environment fills in), ``task_id``, ``split``,
           and ``pictures``, how many the question comes with
    verl   ``prompt``, ``agent_name``, ``data_source``, ``reward_model`` and ``extra_info`` with environment and task
    jsonl  the public task as plain data, its pictures as data URIs

The first two hold no picture: the environment shows it when the episode begins. No row holds gold, unless
``jsonl`` is asked for it: what stands in a training row reaches prompts, logs and reward functions.
Must not: import a trainer.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from mosaic_env.adapters.shared import tool_prompt
from mosaic_env.core.errors import ConfigError, TaskError
from mosaic_env.envs.core import SearchEnv
from mosaic_env.snapshot.files import output
from mosaic_env.tasks.source import get_pair

RowFormat = Literal["trl", "verl", "jsonl"]
#: More keys than anyone stores: a source that composes tasks on demand.
ENDLESS = 1_000_000
Row = dict[str, Any]


def choose_keys(env: SearchEnv, limit: int | None) -> Sequence[str]:
    """Return the first ``limit`` keys of an environment, or all of them.

    Raises: TaskError (ME-TASK-04) for a source without tasks, or without end and without a limit.
    """
    keys = env.task_keys
    if limit is None and len(keys) > ENDLESS:
        raise TaskError(
            "ME-TASK-04", "the task source composes tasks without end", fix="Say how many with --limit"
        )
    chosen = [keys[number] for number in range(len(keys) if limit is None else min(limit, len(keys)))]
    if not chosen:
        raise TaskError("ME-TASK-04", "the task source has no task to export", expected="at least one key")
    return chosen


def rows(
    format: RowFormat,
    env_id: str,
    env: SearchEnv,
    options: Mapping[str, Any],
    keys: Sequence[str],
    *,
    gold: bool = False,
) -> Iterator[Row]:
    """Return an iterator with a row for each key.

    Args:
        env_id: The id the environment was made with.
        options: The arguments of ``gym.make`` it was made with, as plain data; they stand in ``verl`` rows.
        gold: Add the gold, for evaluators; only in ``jsonl``.

    Determinism: a pure function of its arguments.
    Raises: ConfigError (ME-CONFIG-02) for gold in a format that shows it to a policy.
    """
    if gold and format != "jsonl":
        raise ConfigError(
            "ME-CONFIG-02",
            f"rows for {format} cannot hold gold: they reach prompts and logs",
            expected="jsonl",
        )
    makers: dict[str, Callable[[int, str], Row]] = {
        "trl": lambda _, key: _trl(env, key),
        "verl": lambda number, key: _verl(env_id, env, options, key, number),
        "jsonl": lambda _, key: _plain(env_id, env, key, gold),
    }
    return (makers[format](number, key) for number, key in enumerate(keys))


def _trl(env: SearchEnv, key: str) -> Row:
    task, _ = get_pair(env.setup.source, key)
    prompt = [{"role": "system", "content": tool_prompt(env)}, {"role": "user", "content": ""}]
    return {"prompt": prompt, "task_id": key, "split": task.split, "pictures": len(task.pictures)}


def _verl(env_id: str, env: SearchEnv, options: Mapping[str, Any], key: str, number: int) -> Row:
    task, _ = get_pair(env.setup.source, key)
    # verl wants the prompt for its length filter and a ground truth for its reward; the agent loop reads neither.
    prompt = [{"role": "system", "content": env.prompt()}, {"role": "user", "content": task.question}]
    return {
        "data_source": f"mosaic_env/{env_id}",
        "agent_name": "mosaic",
        "prompt": prompt,
        "reward_model": {"style": "rule", "ground_truth": ""},
        "extra_info": {
            "index": number,
            "env_id": env_id,
            "env_options": json.dumps(dict(options), sort_keys=True),
            "task_id": key,
            "split": task.split,
        },
    }


def _plain(env_id: str, env: SearchEnv, key: str, gold: bool) -> Row:
    task, answer = get_pair(env.setup.source, key)
    pictures = [
        f"data:{picture.media_type};base64,{base64.b64encode(env.world.images.encoded(picture)).decode('ascii')}"
        for picture in task.pictures
    ]
    row: Row = {
        "env_id": env_id, "task_id": key, "question": task.question, "pictures": pictures, "level": task.level,
        "split": task.split, "tags": list(task.tags), "world": task.world,
    }  # fmt: skip
    return {**row, "gold": answer.as_dict()} if gold else row


def write_rows(path: Path, found: Iterator[Row]) -> int:
    """Write rows to a file and return their number.

    Args:
        path: ``.parquet`` needs pyarrow; other names get JSON lines, which both trainers' loaders read.

    Raises: ConfigError (ME-CONFIG-02) without pyarrow, OSError.
    """
    if path.suffix == ".parquet":
        return _write_parquet(path, list(found))
    count = 0
    with output(path) as place, place.open("w", encoding="utf-8", newline="\n") as stream:
        for row in found:
            stream.write(json.dumps(row) + "\n")
            count += 1
    return count


def _write_parquet(path: Path, found: list[Row]) -> int:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ConfigError(
            "ME-CONFIG-02", "a .parquet file needs the package pyarrow, which is not installed",
            fix="pip install pyarrow, or give a name that ends in .jsonl",
        ) from None  # fmt: skip
    with output(path) as place:
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(found), place)
    return len(found)
