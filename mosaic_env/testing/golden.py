"""Golden files: one JSON file a test, beside it in ``goldens/``.

``{"format", "test", "mosaic_env", "runs", "trials", "exchanges", "texts", "digest"}``. Long texts of
exchanges stand once, in ``texts``: a chat grows with every step and would be stored over and over.
Must not: hold absolute paths, clocks or gold.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mosaic_env.core.canon import canonical_text, digest, strict_loads
from mosaic_env.core.errors import CanonError, EpisodeError, shorten
from mosaic_env.core.types import Plain
from mosaic_env.envs.episode import Episode
from mosaic_env.testing.errors import GoldenError
from mosaic_env.testing.recording import Exchange

FORMAT = "mosaic-golden/1"
FOLDER = "goldens"
_MAX_BYTES = 256 * 2**20
#: Texts of exchanges that are longer than this stand in the table ``texts``.
_LONG = 160
_REFERENCE = "$text"
_MAX_NAME = 120


@dataclass(frozen=True)
class Circumstances(Plain):
    """What a run depends on beside the agent.

    Args:
        asked: The arguments of ``play`` or ``trials``, without paths.
        task: Key of the task that was played; empty for trials.
        world: World id.
        config: The environment's configuration as plain data.
        tools: Versions of its tools by name.
        prompt: Digest of its system prompt.
    """

    asked: Mapping[str, Any]
    task: str
    world: str
    config: Mapping[str, Any]
    tools: Mapping[str, int]
    prompt: str


@dataclass(frozen=True)
class GoldenRun:
    """One recorded episode.

    Args:
        play: Number of the episode in its test, from 0.
        match: The level it was compared at when it was written.
        circumstances: What it depended on.
        episode: The episode.
    """

    play: int
    match: str
    circumstances: Circumstances
    episode: Episode


@dataclass(frozen=True)
class GoldenTrials:
    """Recorded successes of repeated episodes.

    Args:
        plays: Numbers of the first episode and of the one after the last.
        circumstances: What they depended on.
        successes: By task key, one truth value a trial.
    """

    plays: tuple[int, int]
    circumstances: Circumstances
    successes: Mapping[str, tuple[bool, ...]]


@dataclass(frozen=True)
class Golden:
    """The content of a golden file.

    Args:
        test: The test it belongs to.
        version: The version of mosaic_env that wrote it.
        runs, trials: By name.
        exchanges: What the wrapped models were asked and said, in order.
    """

    test: str
    version: str
    runs: Mapping[str, GoldenRun] = field(default_factory=dict)
    trials: Mapping[str, GoldenTrials] = field(default_factory=dict)
    exchanges: tuple[Exchange, ...] = ()


def name_of_test(node_id: str) -> str:
    """Return a test's name from its file on: ``test_a.py::test_b[c]``."""
    path, separator, rest = node_id.partition("::")
    return path.replace("\\", "/").rpartition("/")[2] + separator + rest


def golden_path(folder: Path, test: str) -> Path:
    """Return the file of a test: a readable name, with a digest when characters had to go.

    Args:
        folder: The folder of the test's file.
        test: See ``name_of_test``.
    """
    name = test.replace(".py::", ".", 1).replace("::", ".")
    safe = re.sub(r"[^A-Za-z0-9_.-]+", "_", name).strip("._")[:_MAX_NAME]
    if safe != name:
        safe += "-" + digest(test)[7:15]
    return folder / FOLDER / f"{safe}.json"


def write_golden(path: Path, golden: Golden) -> None:
    """Write a golden file in one piece: an interrupted test leaves the old one."""
    texts: dict[str, str] = {}
    content: dict[str, Any] = {
        "format": FORMAT,
        "test": golden.test,
        "mosaic_env": golden.version,
        "runs": {name: _run_dict(run) for name, run in golden.runs.items()},
        "trials": {name: _trials_dict(trials) for name, trials in golden.trials.items()},
        "exchanges": [_exchange_dict(exchange, texts) for exchange in golden.exchanges],
        "texts": texts,
    }
    content["digest"] = digest(content)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    draft.write_text(json.dumps(content, indent=1) + "\n", encoding="ascii", newline="\n")
    draft.replace(path)


def read_golden(path: Path, test: str) -> Golden | None:
    """Return the content of a test's golden file, or None when there is none.

    Raises: GoldenError (ME-GOLDEN-01 damaged or foreign version, -02 of another test).
    """
    if not path.is_file():
        return None
    try:
        plain = strict_loads(path.read_bytes(), max_bytes=_MAX_BYTES)
    except CanonError as error:
        raise _damaged(path, error.what) from None
    if not isinstance(plain, dict) or plain.get("format") != FORMAT:
        found = plain.get("format") if isinstance(plain, dict) else plain
        raise _damaged(path, f"its format is {shorten(found, 60)}", FORMAT)
    if plain.get("digest") != digest({name: value for name, value in plain.items() if name != "digest"}):
        raise _damaged(path, "its content is not what was written", "the digest in the file")
    if plain.get("test") != test:
        raise GoldenError(
            "ME-GOLDEN-02", f"{path.name} was written by {shorten(plain.get('test'))}", expected=test,
            fix="Rename one of the tests, or remove the file and run with --mosaic-update",
        )  # fmt: skip
    try:
        return _golden(plain)
    except (KeyError, TypeError, ValueError, AttributeError, EpisodeError) as error:
        raise _damaged(path, f"a field is missing or wrong ({error})") from None


def _damaged(path: Path, what: str, expected: str = "a whole golden file") -> GoldenError:
    return GoldenError(
        "ME-GOLDEN-01", f"the golden {path.name} cannot be used: {what}", expected=expected,
        fix="Restore it from version control, or run the test with --mosaic-update to write it again",
    )  # fmt: skip


def _golden(plain: Mapping[str, Any]) -> Golden:
    return Golden(
        plain["test"],
        plain["mosaic_env"],
        {name: _run(run) for name, run in plain["runs"].items()},
        {name: _trials(trials) for name, trials in plain["trials"].items()},
        tuple(_exchange(item, plain["texts"]) for item in plain["exchanges"]),
    )


def _run_dict(run: GoldenRun) -> dict[str, Any]:
    return {
        "play": run.play,
        "match": run.match,
        "circumstances": run.circumstances.as_dict(),
        "episode": strict_loads(run.episode.to_line(), max_bytes=_MAX_BYTES),
    }


def _run(plain: Mapping[str, Any]) -> GoldenRun:
    episode = Episode.from_line(canonical_text(plain["episode"]), where="its episode")
    return GoldenRun(plain["play"], plain["match"], Circumstances(**plain["circumstances"]), episode)


def _trials_dict(trials: GoldenTrials) -> dict[str, Any]:
    return {
        "plays": list(trials.plays),
        "circumstances": trials.circumstances.as_dict(),
        "successes": {key: list(values) for key, values in trials.successes.items()},
    }


def _trials(plain: Mapping[str, Any]) -> GoldenTrials:
    first, end = plain["plays"]
    successes = {key: tuple(map(bool, values)) for key, values in plain["successes"].items()}
    return GoldenTrials((first, end), Circumstances(**plain["circumstances"]), successes)


def _exchange_dict(exchange: Exchange, texts: dict[str, str]) -> dict[str, Any]:
    return {
        "model": exchange.model,
        "play": exchange.play,
        "step": exchange.step,
        "input": _pack(exchange.input, texts),
        "output": _pack(exchange.output, texts),
    }


def _exchange(plain: Mapping[str, Any], texts: Mapping[str, str]) -> Exchange:
    given, said = _unpack(plain["input"], texts), _unpack(plain["output"], texts)
    return Exchange(plain["model"], plain["play"], plain["step"], given, said)


def _pack(value: Any, texts: dict[str, str]) -> Any:
    """Return a value with its long texts replaced by references into the table."""
    if isinstance(value, str) and len(value) > _LONG:
        name = digest(value)[7:23]
        texts[name] = value
        return {_REFERENCE: name}
    if isinstance(value, dict):
        return {key: _pack(item, texts) for key, item in value.items()}
    return [_pack(item, texts) for item in value] if isinstance(value, list) else value


def _unpack(value: Any, texts: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        name = value.get(_REFERENCE) if len(value) == 1 else None
        if isinstance(name, str) and name in texts:
            return texts[name]
        return {key: _unpack(item, texts) for key, item in value.items()}
    return [_unpack(item, texts) for item in value] if isinstance(value, list) else value
