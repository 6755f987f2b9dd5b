"""Tools for people who test what they build on this package. Imported by nothing else in it.

Your agent      ``plugin`` the pytest fixture · ``harness`` what it gives · ``run``, ``trials`` results with
                assertions · ``golden`` files · ``recording`` model exchanges · ``match`` what is compared ·
                ``blame`` which side moved
Your own parts  ``kits`` ``check_mosaic_env`` · ``check_tool`` · ``check_encoder`` · ``check_task_source``

Importing this imports none of them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mosaic_env.testing.harness import Mosaic
    from mosaic_env.testing.kits.base import CheckFailed
    from mosaic_env.testing.kits.encoder import check_encoder
    from mosaic_env.testing.kits.env import check_mosaic_env
    from mosaic_env.testing.kits.task_source import check_task_source
    from mosaic_env.testing.kits.tool import check_tool
    from mosaic_env.testing.run import Run
    from mosaic_env.testing.trials import Trials

_WHERE = {
    "CheckFailed": "kits.base",
    "Mosaic": "harness",
    "Run": "run",
    "Trials": "trials",
    "check_encoder": "kits.encoder",
    "check_mosaic_env": "kits.env",
    "check_task_source": "kits.task_source",
    "check_tool": "kits.tool",
}

__all__ = [
    "CheckFailed",
    "Mosaic",
    "Run",
    "Trials",
    "check_encoder",
    "check_mosaic_env",
    "check_task_source",
    "check_tool",
]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_WHERE[name]}"), name)
