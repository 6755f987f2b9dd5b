"""Planted dependences: a tool whose result depends on one factor, so that the matrix must fail.

If a planted dependence went unnoticed, equal digests would prove nothing.
"""

from __future__ import annotations

import hashlib
import itertools
import locale
import os
import threading
import time
from typing import Any

import numpy as np
from pydantic import Field

from mosaic_env.core.types import ToolResult
from mosaic_env.envs.config import make_config
from mosaic_env.tools.base import Tool, ToolArguments, ToolContext, register_tool

_calls = itertools.count()


def _blas() -> str:
    draw = np.random.default_rng(0)
    one, other = draw.standard_normal((2, 300, 300), np.float32)
    return hashlib.sha256((one @ other).tobytes()).hexdigest()


def _simd() -> str:
    import faiss

    vectors = np.random.default_rng(0).standard_normal((300, 384)).astype(np.float32)
    index = faiss.IndexFlatIP(384)
    index.add(vectors)
    return hashlib.sha256(index.search(vectors[:3], 20)[0].tobytes()).hexdigest()


def _omp() -> int:
    import faiss

    return int(faiss.omp_get_max_threads())


FACTORS = {
    "hash-seed": lambda: hash("mosaic"),
    "locale": lambda: locale.getpreferredencoding(False),
    "time-zone": lambda: str(time.tzname),
    "folder": os.getcwd,
    "omp": _omp,
    "blas": _blas,
    "simd": _simd,
    "threads": lambda: threading.current_thread().name,
    "order": lambda: next(_calls),
    "process": os.getpid,
}


@register_tool
class Planted(Tool):
    """Returns what one factor of its surroundings is."""

    name = "planted"
    description = "Tell what a factor is (tests only)."

    class Arguments(ToolArguments):
        """A factor."""

        factor: str = Field(description="Name of the factor.")

    def run(self, arguments: Any, context: ToolContext) -> ToolResult:
        """Return the factor's value."""
        return ToolResult({"value": str(FACTORS[arguments.factor]())})


def with_plant(family: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return options that offer the planted tool beside the usual ones."""
    tools = make_config(family, options.get("preset", "paper")).tools
    return {**options, "tools": [*tools, "planted"]}
