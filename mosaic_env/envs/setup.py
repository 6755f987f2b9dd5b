"""From the arguments of ``gym.make`` to world, tasks, tools and rules; shared within a process.

A second environment with the same arguments costs a look-up. Keyed by process id: a forked child
opens everything itself.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mosaic_env.core.canon import canonical_text, digest
from mosaic_env.core.errors import ConfigError, nearest, shorten
from mosaic_env.envs.config import EnvConfig, make_config
from mosaic_env.envs.engine import Engine
from mosaic_env.index.world import World, open_world
from mosaic_env.snapshot.locate import find_snapshot
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.tasks.open import open_source
from mosaic_env.tasks.source import SourceContext, TaskSource
from mosaic_env.tools.base import Tool, load_builtin


@dataclass(frozen=True)
class Setup:
    """Everything that environments with the same arguments share.

    Args:
        config: The configuration.
        world: The world, without any way to gold.
        source: The tasks.
        engine: The rules.
        snapshot_id: Id of the snapshot the world comes from.
    """

    config: EnvConfig
    world: World
    source: TaskSource
    engine: Engine
    snapshot_id: str

    @property
    def digest(self) -> str:
        """The digest of the configuration together with the versions of its tools."""
        versions = {name: tool.version for name, tool in self.engine.tools.items()}
        return digest([self.config.digest, versions])


_setups: dict[tuple[int, str], Setup] = {}
_lock = threading.Lock()


def open_setup(
    family: str | Setup,
    *,
    snapshot: str | os.PathLike[str] | None = None,
    tasks: str | None = None,
    split: str | None = None,
    encoders: Mapping[str, str] | None = None,
    preset: str = "paper",
    **options: Any,
) -> Setup:
    """Return the setup for the arguments of ``gym.make``.

    Args:
        family: See ``SearchEnv``; a setup stands for itself, and nothing else may be given with it.

    Raises: ConfigError, SnapshotError, CorruptError, TaskError: one clear sentence each.
    """
    if isinstance(family, Setup):
        given = {"snapshot": snapshot, "tasks": tasks, "split": split, "encoders": encoders, **options}
        _check_alone([name for name, value in given.items() if value is not None])
        return family
    check_places(snapshot=snapshot, tasks=tasks, split=split, encoders=encoders, preset=preset)
    folder = find_snapshot(snapshot)
    # The manifest's own bytes are a part of the key: a snapshot that was replaced is opened anew.
    stamp = (folder / "manifest.json").stat()
    plain = [
        family, str(folder.resolve()), stamp.st_mtime_ns, stamp.st_size, tasks, split,
        dict(encoders or {}), preset, _plain(options),
    ]  # fmt: skip
    key = (os.getpid(), canonical_text(plain))
    with _lock:
        if key not in _setups:
            for stale in [k for k in _setups if k[0] != key[0]]:
                del _setups[stale]
            config = make_config(family, preset, **options)
            _setups[key] = _open(config, Snapshot(folder), tasks, split, encoders)
        return _setups[key]


def _check_alone(given: list[str]) -> None:
    """Refuse what a finished setup cannot be given any more.

    Raises: ConfigError (ME-CONFIG-02).
    """
    if given:
        raise ConfigError(
            "ME-CONFIG-02", f"a setup was given together with {given[0]}=",
            expected="nothing beside the setup: it has its world, tasks and rules",
            fix="Make the setup with these arguments",
        )  # fmt: skip


_NAME = "a name as text, or None"
#: Types and meaning of the arguments that say where something is.
_PLACES: dict[str, tuple[tuple[type, ...], str, str]] = {
    "snapshot": ((str, os.PathLike), "a name or path, or None", "Pass the folder of a snapshot"),
    "tasks": (
        (str,),
        _NAME,
        "Register the class with @register_source and pass the name it is registered as",
    ),
    "split": ((str,), _NAME, "Write for example split='train'"),
    "encoders": ((Mapping,), "a dict of route and 'kind:folder', or None", ""),
    "preset": ((str,), "a name as text", "Write for example preset='paper'"),
}


def check_places(**given: Any) -> None:
    """Refuse arguments that are no names or paths, before anything is looked up.

    Raises: ConfigError (ME-CONFIG-02).
    """
    for name, value in given.items():
        kinds, expected, fix = _PLACES[name]
        if value is not None and not isinstance(value, kinds):
            kind = f"the class {value.__name__}" if isinstance(value, type) else f"a {type(value).__name__}"
            raise ConfigError("ME-CONFIG-02", f"{name}= got {kind}", expected=expected, fix=fix)
    for route, spec in dict(given.get("encoders") or {}).items():
        if not isinstance(route, str) or not isinstance(spec, str):
            raise ConfigError(
                "ME-CONFIG-02", f"encoders= holds {shorten(route)}: {shorten(spec)}",
                expected="a route and 'kind:folder' as texts", fix="Write {'text': 'sentence-transformers:FOLDER'}",
            )  # fmt: skip


def _open(
    config: EnvConfig,
    snapshot: Snapshot,
    tasks: str | None,
    split: str | None,
    encoders: Mapping[str, str] | None,
) -> Setup:
    world = open_world(snapshot.public, encoders)
    tools = select_tools(config, world)
    options = {} if config.difficulty is None else {"difficulty": config.difficulty}
    source = open_source(tasks, SourceContext(snapshot, config.family, split, options))
    return Setup(config, world, source, Engine(config, world, tools), snapshot.id)


def select_tools(config: EnvConfig, world: World) -> dict[str, Tool]:
    """Return the tools of a configuration that can work in a world, in the configured order.

    Raises: ConfigError (ME-CONFIG-02) for a name that is not registered.
    """
    registry = load_builtin()
    for name in (*config.tools, *config.tool_limits):
        if name not in registry:
            raise ConfigError(
                "ME-CONFIG-02", f"there is no tool {name!r}", expected="one of " + ", ".join(registry),
                nearest=nearest(name, registry), fix="Import the module that registers it",
            )  # fmt: skip
    chosen = {name: registry.get(name) for name in config.tools}
    return {name: tool for name, tool in chosen.items() if tool.available(world)}


def _plain(value: Any) -> Any:
    """Return options as plain data for the key; anything else is left to the validation."""
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    plain = isinstance(value, (str, int, bool, type(None))) or (
        isinstance(value, float) and math.isfinite(value)
    )
    return value if plain else repr(value)
