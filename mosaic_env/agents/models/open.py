"""From a ``ModelSpec`` to the model: what worker processes call."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING

from mosaic_env.agents.models.spec import ModelSpec
from mosaic_env.core.errors import ModelError

if TYPE_CHECKING:
    from mosaic_env.agents.models.base import Model

__all__ = ["ModelSpec", "open_model"]


def open_model(spec: ModelSpec) -> Model:
    """Return the model that a specification describes; nothing is asked yet.

    Raises: ModelError (ME-MODEL-01) for a package, key or function that is missing, RecordError
        (ME-RECORD-01) for a recording that is missing or damaged.
    """
    if spec.replay_from:
        from mosaic_env.agents.models.recorded import RecordedModel

        return RecordedModel(Path(spec.replay_from), name=spec.name)
    model = _scripted(spec) if spec.script else _client(spec)
    if not spec.record_to:
        return model
    from mosaic_env.agents.models.recorded import RecordedModel

    return RecordedModel(Path(spec.record_to), model)


def _client(spec: ModelSpec) -> Model:
    from mosaic_env.agents.models.openai_compatible import OpenAICompatible

    return OpenAICompatible(spec)


def _scripted(spec: ModelSpec) -> Model:
    from mosaic_env.agents.models.scripted import ScriptedModel

    module, _, name = spec.script.partition(":")
    try:
        function = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ModelError(
            "ME-MODEL-01", f"the script {spec.script!r} cannot be imported ({type(error).__name__})",
            expected="module:function, importable from here",
        ) from None  # fmt: skip
    return ScriptedModel(function, name=spec.name)
