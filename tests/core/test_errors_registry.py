"""Errors say what happened, what was expected, the nearest thing, and what to do."""

from __future__ import annotations

import pickle

import pytest

from mosaic_env.core import errors, registry
from mosaic_env.core.registry import Registry


def test_message_has_the_clauses_and_the_code() -> None:
    error = errors.ConfigError(
        "ME-CONFIG-03", "there is no preset 'papre'", expected="paper", nearest=["paper"], fix="choose one"
    )
    assert (
        str(error) == "There is no preset 'papre'. Expected paper. Nearest: paper. Choose one. [ME-CONFIG-03]"
    )
    assert isinstance(error, ValueError)


@pytest.mark.parametrize(
    "kind",
    [cls for cls in vars(errors).values() if isinstance(cls, type) and issubclass(cls, errors.MosaicError)],
)
def test_every_error_survives_pickling(kind: type[errors.MosaicError]) -> None:
    error = kind("ME-TASK-01", "what", expected="e", nearest="n", fix="f")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.code) == (kind, str(error), "ME-TASK-01")


def test_unknown_codes_are_a_mistake() -> None:
    with pytest.raises(KeyError):
        errors.MosaicError("ME-NOPE-01", "x")


def test_values_are_shortened() -> None:
    assert len(errors.shorten("x" * 10_000)) <= 130


def test_registry_names_the_nearest_and_refuses_twice() -> None:
    tools: Registry[object] = Registry("tool")
    tools.register("local_text_search")(object())
    with pytest.raises(errors.RegistryError, match="Nearest: local_text_search"):
        tools.get("local_text_serach")
    with pytest.raises(errors.RegistryError, match="ME-REGISTRY-02"):
        tools.add("local_text_search", object())
    assert "local_text_search" in tools and list(tools) == ["local_text_search"] and len(tools) == 1


@pytest.mark.parametrize("name", ["", "X Z", "a/b", "ü", "a" * 65, "x ", "1a", "a\nb", None, 5, "x__Y"])
def test_registry_refuses_what_is_no_name(name: str) -> None:
    for names in (registry.WORDS, registry.IDENTIFIER):
        with pytest.raises(errors.RegistryError, match="ME-REGISTRY-03"):
            Registry[object]("tool", names).add(name, object())


def test_registry_names_the_nearest_name() -> None:
    with pytest.raises(errors.RegistryError, match=r"as 'X-Z'.*matches \[a-z\].*Nearest: x_z"):
        Registry[object]("tool", registry.IDENTIFIER).add("X-Z", object())


def test_registry_loads_dotted_paths_when_asked() -> None:
    parts: Registry[object] = Registry("part")
    parts.add("derive", "mosaic_env.core.seeds:derive")
    from mosaic_env.core.seeds import derive

    parts.add("derive", derive)  # the module registering its own part, after the lazy path
    assert parts.get("derive") is derive
    parts.remove("derive")
    assert "derive" not in parts


def test_a_message_stays_short_whatever_is_put_into_it() -> None:
    error = errors.TaskError(
        "ME-TASK-01", f"there is no task {'x' * 10_000_000}", expected="y" * 10_000, fix="Try z"
    )
    assert len(str(error)) < 5_000
    assert str(error).startswith("There is no task xxx") and str(error).endswith("Try z. [ME-TASK-01]")
