"""From the name of tasks to their source: a stored set, a registered source, or a module to import."""

from __future__ import annotations

import importlib

from mosaic_env.core.errors import ConfigError, TaskError, nearest
from mosaic_env.tasks.snapshot_tasks import SnapshotTasks, default_set, set_names
from mosaic_env.tasks.source import SOURCES, SourceContext, TaskSource, check_keys, other_world, strangers


def open_source(name: str | None, context: SourceContext) -> TaskSource:
    """Return the task source of a name.

    Args:
        name: A set stored in the snapshot (``official``, ``bundled``), a registered source, or
            ``"module:name"``, which imports the module first; None is the snapshot's default set.

    Raises: TaskError (ME-TASK-02 unknown, -03 another world, -04 nothing playable, -05 a stranger's fault),
        ConfigError (ME-CONFIG-02 options that a stored set does not have).
    """
    if name is None:
        name = default_set(context.snapshot)
    if ":" in name:
        module, _, name = name.partition(":")
        try:
            importlib.import_module(module)
        except (ImportError, ValueError, TypeError) as error:  # TypeError: a relative name, ".x"
            known = nearest(module, [*set_names(context.snapshot), *SOURCES])
            raise TaskError(
                "ME-TASK-02", f"the module {module!r} of the tasks cannot be imported ({error})",
                expected="module:name, the name registered by the module", nearest=known,
                fix="Tasks that need no module are named without a colon" if known else "Check the module's name",
            ) from error  # fmt: skip
    if name in SOURCES:
        factory = SOURCES.get(name)
        with strangers(f"making the task source {name!r}"):
            source = factory(context)
        _check_world(source.world, name, context)
        check_keys(source)
        return source
    if name in set_names(context.snapshot):
        _check_options(name, context)
        return SnapshotTasks(context, name)
    known = [*set_names(context.snapshot), *SOURCES]
    if name == "official":
        raise other_world("mmkg-w", name, context)
    raise TaskError(
        "ME-TASK-02",
        f"there are no tasks {name!r}",
        expected="one of " + (", ".join(known) or "(the snapshot has none)"),
        nearest=nearest(name, known),
        fix="Choose one with tasks=, build the snapshot with --tasks, or register a source",
    )


def _check_options(name: str, context: SourceContext) -> None:
    """Refuse options that a stored set would silently ignore."""
    if context.options:
        option = sorted(context.options)[0]
        raise ConfigError(
            "ME-CONFIG-02",
            f"{option}= means nothing for the stored tasks {name!r}",
            expected=f"{option}= with tasks='generated'",
            fix=f"Pass tasks='generated', or leave {option}= out",
        )


def _check_world(world: str, name: str, context: SourceContext) -> None:
    if world not in ("*", context.snapshot.manifest.world):
        raise other_world(world, name, context)
