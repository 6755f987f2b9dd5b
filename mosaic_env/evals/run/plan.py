"""From the options of a run to its suite: one part an environment, and one more a variant of it.

Must not: play.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from mosaic_env.agents.base import AGENTS
from mosaic_env.agents.direct import DIRECT_OPTIONS
from mosaic_env.agents.model_agent import MODEL_AGENTS, agent_options
from mosaic_env.agents.models.spec import ModelSpec
from mosaic_env.core.errors import ConfigError, RegistryError, TaskError, nearest
from mosaic_env.envs.config import GRAPH_TOOL, EnvConfig
from mosaic_env.envs.setup import Setup
from mosaic_env.evals.quality.cases import spread
from mosaic_env.evals.run.player import open_env
from mosaic_env.evals.run.suite import Part, Suite
from mosaic_env.tasks.source import keys_of

#: Tools whose results are found by what pictures look like.
_IMAGE_SEARCH = ("local_image_search", "local_text_to_image_search")
#: More tasks than anybody means to play: a source that makes them on demand needs a limit.
_MOST = 20_000


@dataclass(frozen=True)
class Wanted:
    """What a run is asked to play.

    Args:
        envs: Environment ids.
        agent: Registered name or ``module:name``.
        arguments: Of ``gym.make``, for every environment.
        snapshot: Path or name, or None for the bundled one.
        model: How to ask the model, or None.
        context: See ``suite.Part``.
        direct: Play each environment by direct answering as well.
        ablate: Names in ``ABLATIONS``.
        tasks: Keys; empty is all.
        limit: At most so many tasks of each environment, drawn from all.
        seed: Of environments and agents.
        judge: Name of the judge's model, or ``""``.
    """

    envs: Sequence[str]
    agent: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    snapshot: str | None = None
    model: ModelSpec | None = None
    context: str = ""
    direct: bool = False
    ablate: Sequence[str] = ()
    tasks: Sequence[str] = ()
    limit: int | None = None
    seed: int = 0
    judge: str = ""


@dataclass(frozen=True)
class Plan:
    """A suite, and what evaluators need to know beside it.

    Args:
        suite: What is played.
        setups: By part: world, rules, and tasks with their gold.
        notes: Sentences for people: what was left out, and why.
    """

    suite: Suite
    setups: Mapping[str, Setup]
    notes: tuple[str, ...] = ()


def make_plan(wanted: Wanted) -> Plan:
    """Return the plan of a run.

    Raises: ConfigError, RegistryError, SnapshotError, CorruptError, TaskError, ModelError.
    """
    _check_agent(wanted)
    parts: dict[str, Part] = {}
    setups: dict[str, Setup] = {}
    notes: list[str] = []
    for env in dict.fromkeys(wanted.envs):
        main, setup = _opened(_main(wanted, env), wanted.snapshot)
        main = replace(main, tasks=_keys(wanted, env, setup))
        known = {setup.digest}
        for draft in [main, *_variants(wanted, main, setup.config)]:
            part, its = _opened(draft, wanted.snapshot)
            if draft is not main and its.digest in known:
                notes.append(f"{part.name} was left out: {env} has none of it as it is")
                continue
            known.add(its.digest)
            parts[part.name], setups[part.name] = part, its
    return Plan(_suite(wanted, tuple(parts.values())), setups, tuple(notes))


def setups_of(suite: Suite, snapshot: str | None) -> dict[str, Setup]:
    """Return world, rules and tasks of each part of a stored suite.

    Raises: ConfigError, SnapshotError, CorruptError, TaskError (ME-TASK-03 for another world).
    """
    setups = {}
    for part in suite.parts:
        opened, setup = _opened(part, snapshot)
        if opened.world != part.world:
            raise TaskError(
                "ME-TASK-03", f"the run played {part.name} in the world {part.world[:19]}…, and this is "
                f"{opened.world[:19]}…", fix="Give the run's snapshot with --snapshot",
            )  # fmt: skip
        setups[part.name] = setup
    return setups


def _suite(wanted: Wanted, parts: tuple[Part, ...]) -> Suite:
    model = wanted.model
    if model is None:
        return Suite(parts, wanted.seed, judge=wanted.judge)
    return Suite(parts, wanted.seed, model.name, dict(model.settings), model.vision, wanted.judge)


def _check_agent(wanted: Wanted) -> None:
    """Refuse an unknown agent, and one that needs a model without having it."""
    name = wanted.agent
    if ":" not in name and name not in AGENTS and name not in MODEL_AGENTS:
        known = [*MODEL_AGENTS, *AGENTS]
        raise RegistryError(
            "ME-REGISTRY-01", f"there is no agent {name!r}", expected=f"one of {', '.join(known)}, or module:name",
            nearest=nearest(name, known),
        )  # fmt: skip
    if wanted.model is None and (name in MODEL_AGENTS or wanted.direct):
        asked = "--direct" if wanted.direct else f"--agent {name}"
        raise ConfigError(
            "ME-CONFIG-02", f"{asked} asks a model, and none is given", expected="--model NAME",
            fix="Name one with --model, and its server with --base-url",
        )  # fmt: skip


def _main(wanted: Wanted, env: str) -> Part:
    own = agent_options(wanted.agent) if wanted.agent in MODEL_AGENTS else {}
    arguments = _plain({**own, **wanted.arguments})
    return Part(env, env, arguments, wanted.agent, wanted.context, "", "", "", ())


def _plain(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments as they stand in JSON, so that a suite that was written and read is the same."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in arguments.items()}


def _opened(part: Part, snapshot: str | None) -> tuple[Part, Setup]:
    setup: Setup = open_env(part, snapshot).unwrapped.setup
    return replace(part, world=setup.world.id, config=setup.digest), setup


def _keys(wanted: Wanted, env: str, setup: Setup) -> tuple[str, ...]:
    """Return the keys to play, in the order of the source."""
    known = keys_of(setup.source)
    if wanted.tasks:
        asked = [key for key in dict.fromkeys(wanted.tasks) if key in known]
        if len(wanted.envs) == 1 and len(asked) < len(set(wanted.tasks)):
            missing = next(key for key in wanted.tasks if key not in known)
            raise TaskError(
                "ME-TASK-01", f"{env} has no task {missing[:80]!r}", expected="a key of its tasks"
            )
        known = asked
    elif wanted.limit is None and len(known) > _MOST:
        raise ConfigError(
            "ME-CONFIG-02", f"{env} has {len(known):,} tasks", expected="a number to play: --limit N"
        )
    keys = tuple(spread(known, wanted.limit, "evaluation"))
    if not keys:
        raise TaskError("ME-TASK-04", f"{env} has no task to play", expected="at least one key")
    return keys


# --- variants ---------------------------------------------------------------------------------------


def _variants(wanted: Wanted, main: Part, config: EnvConfig) -> list[Part]:
    """Return the other ways in which the tasks of a part are played."""
    made = []
    if wanted.direct and wanted.agent != "direct":
        kept = {name: value for name, value in main.arguments.items() if name != "disabled_tools"}
        arguments = _plain({**kept, **DIRECT_OPTIONS})
        made.append(replace(main, agent="direct", context="", variant="direct", arguments=arguments))
    for name in dict.fromkeys(wanted.ablate):
        if name not in ABLATIONS:
            raise ConfigError(
                "ME-CONFIG-02", f"there is no ablation {name!r}", expected="one of " + ", ".join(ABLATIONS),
                nearest=nearest(name, ABLATIONS),
            )  # fmt: skip
        arguments = {**main.arguments, **ABLATIONS[name](config)}
        made.append(replace(main, variant=f"no {name.replace('_', ' ')}", arguments=arguments))
    return [replace(part, name=f"{main.env}, {part.variant}") for part in made]


def _without_image_search(config: EnvConfig) -> dict[str, Any]:
    taken = [name for name in _IMAGE_SEARCH if name in config.tools]
    return {"disabled_tools": [*config.disabled_tools, *taken]}


def _without_memory(config: EnvConfig) -> dict[str, Any]:
    return {"memory": "none"}


def _without_graph(config: EnvConfig) -> dict[str, Any]:
    listed = [name for name in config.disabled_tools if name != GRAPH_TOOL]
    return {"graph": False, "disabled_tools": listed}


#: What can be taken away, and the arguments of ``gym.make`` that do it.
ABLATIONS: dict[str, Callable[[EnvConfig], dict[str, Any]]] = {
    "image_search": _without_image_search,
    "memory": _without_memory,
    "graph": _without_graph,
}
