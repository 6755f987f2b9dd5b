"""Code of a stranger by its name: ``module:name`` on the command line."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from types import ModuleType
from typing import Any

from mosaic_env.core.errors import ConfigError, MosaicError, nearest


def search_current_folder() -> None:
    """Put the current folder first in the search path, as ``python -m`` does (and not where it does not)."""
    with contextlib.suppress(OSError):  # the folder was deleted: nothing can be found in it
        here = os.getcwd()  # noqa: PTH109 - a text, as the search path holds
        if not sys.flags.safe_path and sys.path[:1] != [here]:
            sys.path.insert(0, here)


def import_of(
    path: str, option: str, *, error: type[MosaicError] = ConfigError, code: str = "ME-CONFIG-02"
) -> ModuleType:
    """Import the module of ``module:name``.

    Args:
        option: The option that was given, for the message.
        error: Class of the error, with its code.

    Raises: The error, saying how to make the module importable, or that it fails by itself.
    """
    name = path.partition(":")[0]
    try:
        return importlib.import_module(name)
    except Exception as caught:
        what = (
            f"the module {name!r} of {option} {path} cannot be imported ({type(caught).__name__}: {caught})"
        )
        raise error(code, what, expected="module:name", fix=_fix(name, caught)) from caught


def _fix(name: str, caught: Exception) -> str:
    missing = caught.name if isinstance(caught, ModuleNotFoundError) else None
    if missing and (name == missing or name.startswith(f"{missing}.")):
        file = name.replace(".", "/") + ".py"
        return f"Run mosaic in the folder that holds {file}, install the package, or name its folder in PYTHONPATH"
    if not name or name.startswith("."):
        return "Write the module's full name before the colon"
    return f"The module itself fails: python -c 'import {name}' shows where"


def attribute_of(path: str, option: str) -> Any:
    """Return what ``module:name`` names.

    Raises: ConfigError (ME-CONFIG-02).
    """
    module, name = import_of(path, option), path.partition(":")[2]
    if not name or not hasattr(module, name):
        raise ConfigError(
            "ME-CONFIG-02",
            f"the module {module.__name__!r} of {option} {path} has no {name!r}",
            expected="module:name",
            nearest=nearest(name, (known for known in vars(module) if not known.startswith("_"))),
        )
    return getattr(module, name)


def load_agent(path: str, env: Any, seed: int) -> Any:
    """Return the agent of a registered name or of ``module:name`` (a class, a function or a registered name).

    Raises: ConfigError (ME-CONFIG-02), RegistryError (ME-REGISTRY-01).
    """
    from mosaic_env.agents.base import AGENTS

    if ":" not in path:
        return AGENTS.get(path)(env, seed=seed)
    name = path.partition(":")[2]
    earlier = set(AGENTS) if path.partition(":")[0] not in sys.modules else set()
    module = import_of(path, "--agent")
    registered = name in AGENTS and name not in earlier and not hasattr(module, name)
    factory = AGENTS.get(name) if registered else attribute_of(path, "--agent")
    return _made(factory, path, env, seed)


def _made(factory: Any, path: str, env: Any, seed: int) -> Any:
    import inspect

    expected = (
        "a class or function (env, seed=0) that gives an agent with begin(env, observation, info) and "
        "act(observation, info); examples/my_agent.py is one"
    )
    try:
        inspect.signature(factory).bind(env, seed=seed)
    except (TypeError, ValueError) as error:
        raise ConfigError(
            "ME-CONFIG-02", f"--agent {path} does not make an agent ({error})", expected=expected
        ) from None
    agent = factory(env, seed=seed)
    if not callable(getattr(agent, "begin", None)) or not callable(getattr(agent, "act", None)):
        what = f"--agent {path} gave a {type(agent).__name__} without begin() or act()"
        raise ConfigError("ME-CONFIG-02", what, expected=expected)
    for method, count in (("begin", 3), ("act", 2)):
        try:
            inspect.signature(getattr(agent, method)).bind(*[None] * count)
        except (TypeError, ValueError) as error:
            what = f"--agent {path}: its {method}() cannot be called ({error})"
            raise ConfigError("ME-CONFIG-02", what, expected=expected) from None
    return agent
